import type { Link } from "@/lib/content/canonical";
import type { Db } from "@/lib/db";
import type { PreparedDraft } from "@/lib/drafts/text";
import { fold } from "@/lib/search/words";

// The draft's side of tags, attachments, related articles and links. What readers see is not touched, and neither is a row
// that stays as it is: a save of every few seconds writes the text alone.

/**
 * Sets what is in the draft of an article. What is live keeps its place; what the draft adds comes in its order behind.
 * Tags are made where there are none; uploads and articles that are not there (any more) are passed over.
 */
export async function setDraftParts(db: Db, articleId: string, draft: PreparedDraft): Promise<void> {
  await setKeys(db, articleId, "article_tags", "tag_id", "tags", await tagIds(db, draft.tags));
  await setKeys(db, articleId, "article_attachments", "upload_id", "uploads", draft.attachmentIds);
  const related = draft.relatedIds.filter((id) => id !== articleId);
  await setKeys(db, articleId, "related_articles", "related_id", "articles", related);
  await setLinks(db, articleId, draft.links);
}

/** What a draft has beside it when it is stored: without what is not there (any more). */
export async function partsThere(
  db: Db,
  articleId: string,
  { relatedIds, attachmentIds }: Pick<PreparedDraft, "relatedIds" | "attachmentIds">,
): Promise<Pick<PreparedDraft, "relatedIds" | "attachmentIds">> {
  const select = { id: true };
  const related = relatedIds.length
    ? await db.article.findMany({ where: { id: { in: relatedIds, not: articleId } }, select })
    : [];
  const attachments = attachmentIds.length
    ? await db.upload.findMany({ where: { id: { in: attachmentIds } }, select })
    : [];
  return { relatedIds: related.map(({ id }) => id), attachmentIds: attachments.map(({ id }) => id) };
}

/** The ids of tags by their names, in the same order; new ones are made. */
export async function tagIds(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const folded = names.map(fold);
  const known = async () =>
    new Map(
      (await db.tag.findMany({ where: { nameFolded: { in: folded } }, select: { id: true, nameFolded: true } })).map(
        (tag) => [tag.nameFolded, tag.id],
      ),
    );
  let tags = await known();
  if (folded.some((name) => !tags.has(name))) {
    // In one order, so that two who make the same tags wait for each other and not both.
    const wanted = names.map((name) => ({ name, folded: fold(name) })).sort((a, b) => (a.folded < b.folded ? -1 : 1));
    await db.$executeRaw`
      INSERT INTO tags (name, name_folded)
      SELECT * FROM unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map((one) => one.folded)}::text[])
      ON CONFLICT (workspace_id, name_folded) DO NOTHING`;
    tags = await known();
  }
  return folded.flatMap((name) => tags.get(name) ?? []);
}

async function setKeys(
  db: Db,
  articleId: string,
  table: "article_tags" | "article_attachments" | "related_articles",
  column: "tag_id" | "upload_id" | "related_id",
  things: "tags" | "uploads" | "articles",
  keys: readonly string[],
): Promise<void> {
  await db.$executeRawUnsafe(
    `WITH given AS (
       SELECT key, place::int FROM unnest($2::uuid[]) WITH ORDINALITY AS g(key, place)
       WHERE EXISTS (SELECT FROM ${things} t WHERE t.id = key)
     ), gone AS (
       DELETE FROM ${table} x WHERE article_id = $1::uuid AND NOT in_live AND ${column} NOT IN (SELECT key FROM given)
     ), changed AS (
       UPDATE ${table} x SET in_draft = (${column} IN (SELECT key FROM given))
       WHERE article_id = $1::uuid AND in_live AND in_draft <> (${column} IN (SELECT key FROM given))
     ), placed AS (
       UPDATE ${table} x SET position = g.place + $3 FROM given g
       WHERE x.article_id = $1::uuid AND NOT x.in_live AND x.${column} = g.key AND x.position <> g.place + $3
     )
     INSERT INTO ${table} (article_id, ${column}, position, in_live, in_draft)
     SELECT $1::uuid, g.key, g.place + $3, false, true FROM given g
     WHERE NOT EXISTS (SELECT FROM ${table} x WHERE x.article_id = $1::uuid AND x.${column} = g.key)`,
    articleId,
    keys,
    BEHIND,
  );
}

/** What the draft adds comes behind all that is live. */
const BEHIND = 1_000;

async function setLinks(db: Db, articleId: string, links: readonly Link[]): Promise<void> {
  const given = [...new Map(links.map(({ kind, href }) => [`${kind} ${href}`, { kind, href }])).values()];
  await db.$executeRawUnsafe(
    `WITH given AS (
       SELECT kind, href FROM jsonb_to_recordset($2::jsonb) AS g(kind text, href text)
     ), gone AS (
       DELETE FROM article_links x WHERE article_id = $1::uuid AND NOT in_live
         AND NOT EXISTS (SELECT FROM given g WHERE (g.kind, g.href) = (x.kind, x.href))
     ), changed AS (
       UPDATE article_links x SET in_draft = NOT in_draft WHERE article_id = $1::uuid AND in_live
         AND in_draft <> EXISTS (SELECT FROM given g WHERE (g.kind, g.href) = (x.kind, x.href))
     )
     INSERT INTO article_links (article_id, kind, href, in_live, in_draft)
     SELECT $1::uuid, g.kind, g.href, false, true FROM given g
     WHERE NOT EXISTS (SELECT FROM article_links x WHERE x.article_id = $1::uuid AND (x.kind, x.href) = (g.kind, g.href))`,
    articleId,
    JSON.stringify(given),
  );
}
