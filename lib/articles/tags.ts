import { z } from "zod";
import { MOST, oneLine } from "@/lib/articles/prepare-draft";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { fold } from "@/lib/search/words";
import { unlessTaken } from "@/lib/taken";

export interface Tag {
  id: string;
  name: string;
}

/** Drafts count too. */
export interface TagInUse extends Tag {
  articles: number;
}

export async function listTags(
  read: Read,
  { search = "", limit, offset }: { search?: string; limit: number; offset: number },
): Promise<{ tags: TagInUse[]; total: number }> {
  const where = "WHERE $1 = '' OR strpos(name_folded, $1) > 0";
  if (search.trim() !== "" && fold(search) === "") return { tags: [], total: 0 };
  const tags = await read<TagInUse>(
    `SELECT id::text, name, (SELECT count(DISTINCT x.article_id)::int FROM article_tags x WHERE x.tag_id = t.id) AS articles
     FROM tags t ${where} ORDER BY name_folded COLLATE "und-x-icu", id LIMIT $2 OFFSET $3`,
    [fold(search), limit, offset],
  );
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM tags t ${where}`, [fold(search)]);
  return { tags, total: count?.total ?? 0 };
}

export function listTagNames(read: Read, limit: number): Promise<Tag[]> {
  return read<Tag>(`SELECT id::text, name FROM tags ORDER BY name_folded COLLATE "und-x-icu", id LIMIT $1`, [limit]);
}

export async function findTag(read: Read, id: string): Promise<TagInUse | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [tag] = await read<TagInUse>(
    `SELECT id::text, name, (SELECT count(DISTINCT x.article_id)::int FROM article_tags x WHERE x.tag_id = t.id) AS articles
     FROM tags t WHERE id = $1::uuid`,
    [id],
  );
  return tag ?? null;
}

/** Ignores case. */
export async function findTagCalled(read: Read, name: string): Promise<Tag | null> {
  const [tag] = await read<Tag>("SELECT id::text, name FROM tags WHERE name_folded = $1", [fold(oneLine(name))]);
  return tag ?? null;
}

const refusal = (field: string, code: InvalidField["code"], message: string) =>
  new InvalidError([{ field, code, message }]);

/** Throws InvalidError about `field` when the name is empty or too long. */
export function tagName(input: string, field: string): string {
  const name = oneLine(input);
  if (name === "") throw refusal(field, "required", "Enter a name.");
  if ([...name].length > MOST.tag) throw refusal(field, "too_long", `A tag can have up to ${MOST.tag} characters.`);
  return name;
}

/**
 * Renames a tag immediately and everywhere.
 * @param agree sees the locked tag before the change, and may throw
 * @throws InvalidError about `name`, NotFoundError
 */
export async function renameTag(
  db: Db,
  id: string,
  input: string,
  actor: Actor,
  agree: (before: TagInUse) => void = () => {},
): Promise<Tag> {
  await lockArticlesOf(db, id);
  const before = await lockTag(db, id);
  agree(before);
  const name = tagName(input, "name");
  if (name === before.name) return before;
  const nameFolded = fold(name);
  const other = await db.tag.findFirst({ where: { nameFolded, id: { not: before.id } }, select: { name: true } });
  const taken = (by: string) => refusal("name", "taken", `The tag “${by}” already exists. Merge this tag into it.`);
  if (other) throw taken(other.name);
  await unlessTaken(
    () => taken(name),
    () => db.tag.updateMany({ where: { id: before.id }, data: { name, nameFolded } }),
  );
  await changed(db, before.id);
  const details = { name: `${before.name} → ${name}` };
  await recordAudit(db, actor, "tag.renamed", { kind: "tag", id: before.id, name }, details);
  return { id: before.id, name };
}

/**
 * Replaces a tag with another one in all articles and deletes it.
 * @param agree sees the locked tag before the change, and may throw
 * @throws InvalidError about `into`, NotFoundError
 */
export async function mergeTag(
  db: Db,
  id: string,
  into: string,
  actor: Actor,
  agree: (before: TagInUse) => void = () => {},
): Promise<{ name: string; into: Tag }> {
  await lockArticlesOf(db, id);
  const tag = await lockTag(db, id);
  agree(tag);
  if (into.toLowerCase() === tag.id)
    throw refusal("into", "not_allowed", "A tag can't be merged into itself. Choose a different tag.");
  const target = await findTag(readingOf(db), into);
  if (!target) throw refusal("into", "not_found", "The target tag was deleted. Choose another one.");
  await changed(db, tag.id);
  await db.$executeRaw`
    UPDATE article_tags kept SET in_live = kept.in_live OR x.in_live, in_draft = kept.in_draft OR x.in_draft
    FROM article_tags x WHERE x.tag_id = ${tag.id}::uuid AND kept.article_id = x.article_id AND kept.tag_id = ${target.id}::uuid`;
  await db.$executeRaw`
    UPDATE article_tags x SET tag_id = ${target.id}::uuid WHERE tag_id = ${tag.id}::uuid
      AND NOT EXISTS (SELECT FROM article_tags kept WHERE kept.article_id = x.article_id AND kept.tag_id = ${target.id}::uuid)`;
  await db.tag.deleteMany({ where: { id: tag.id } });
  await recordAudit(db, actor, "tag.merged", { kind: "tag", ...tag }, { into: target.name });
  return { name: tag.name, into: { id: target.id, name: target.name } };
}

/**
 * Deletes a tag and removes it from all articles. Returns how many had it.
 * @param agree sees the locked tag before the change, and may throw
 * @throws NotFoundError
 */
export async function deleteTag(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: TagInUse) => void = () => {},
): Promise<TagInUse> {
  await lockArticlesOf(db, id);
  const tag = await lockTag(db, id);
  agree(tag);
  const articles = await changed(db, tag.id);
  await db.tag.deleteMany({ where: { id: tag.id } });
  await recordAudit(db, actor, "tag.deleted", { kind: "tag", ...tag }, { articles });
  return { ...tag, articles };
}

/** Locks articles before the tag, as saving a draft does. Otherwise each could wait for the other. */
async function lockArticlesOf(db: Db, tagId: string): Promise<void> {
  if (!z.guid().safeParse(tagId).success) return;
  await db.$executeRaw`
    SELECT id FROM articles WHERE id IN (SELECT article_id FROM article_tags WHERE tag_id = ${tagId}::uuid) ORDER BY id FOR UPDATE`;
}

/** Raises the revisions, so that a save from an open editor is refused and does not bring the tag back. */
function changed(db: Db, tagId: string): Promise<number> {
  return db.$executeRaw`
    UPDATE articles SET revision = revision + 1 WHERE id IN (SELECT article_id FROM article_tags WHERE tag_id = ${tagId}::uuid)`;
}

async function lockTag(db: Db, id: string): Promise<TagInUse> {
  const read = readingOf(db);
  if (z.guid().safeParse(id).success) await read("SELECT FROM tags WHERE id = $1::uuid FOR UPDATE", [id]);
  const tag = await findTag(read, id);
  if (!tag) throw new NotFoundError("This tag was deleted or merged.");
  return tag;
}
