import type { Db } from "@/lib/db";
import { fold } from "@/lib/search/words";

/** Unknown ids and the article's own id are skipped. */
export interface Parts {
  /** Names. Missing tags are created. */
  tags: readonly string[];
  relatedIds: readonly string[];
  /** When absent, the current attachments stay. */
  attachmentIds?: readonly string[] | undefined;
  links: readonly { kind: string; href: string }[];
}

/** The new parts of an article. An absent side stays as it is. */
export interface Sides<Part = Parts> {
  articleId: string;
  live?: Part;
  draft?: Part;
  /** It has no parts yet. */
  isNew?: boolean;
}

/** A table whose rows are in the live text of an article, in its draft, or in both. */
interface PartTable {
  table: string;
  key: Record<string, "uuid" | "text">;
  /** The table that the key refers to. */
  target?: string;
}

/** The parts that are published with the text. Links follow from the text. */
const tables = {
  tags: { table: "article_tags", key: { tag_id: "uuid" }, target: "tags" },
  relatedIds: { table: "related_articles", key: { related_id: "uuid" }, target: "articles" },
  attachmentIds: { table: "article_attachments", key: { upload_id: "uuid" }, target: "uploads" },
} satisfies Record<string, PartTable>;
const links: PartTable = { table: "article_links", key: { kind: "text", href: "text" } };
export const partTables = [...Object.values(tables), links].map(({ table }) => table);

export const arePartsEqual = (articleId: string): string =>
  Object.values(tables)
    .map(
      ({ table }) =>
        `NOT EXISTS (SELECT FROM ${table} x WHERE x.article_id = ${articleId} AND x.in_live <> x.in_draft)`,
    )
    .join(" AND ");

/** Writes the parts of locked articles. Unchanged rows are not touched. */
export async function writeParts(db: Db, articles: readonly Sides[]): Promise<void> {
  const names = articles.flatMap(({ live, draft }) => [...(live?.tags ?? []), ...(draft?.tags ?? [])]);
  const ids = await idsOfTags(db, names);
  const tagsOf = ({ tags }: Parts) => tags.map((name) => ({ tag_id: ids.get(fold(name)) }));
  await writeRows(db, tables.tags, articles.map(eachSide(tagsOf)));
  await writeRelated(db, articles);
  const kept = await attachmentsThatStay(db, articles);
  const attachmentsOf = ({ attachmentIds }: Parts, side: Side, articleId: string) =>
    (attachmentIds ?? kept.get(`${side} ${articleId}`) ?? []).map((id) => ({ upload_id: id }));
  await writeRows(db, tables.attachmentIds, articles.map(eachSide(attachmentsOf)));
  await writeRows(db, links, articles.map(eachSide(({ links }) => links.map(({ kind, href }) => ({ kind, href })))));
}

export async function writeRelated(
  db: Db,
  articles: readonly Sides<{ relatedIds: readonly string[] }>[],
): Promise<void> {
  const relatedOf = ({ relatedIds }: { relatedIds: readonly string[] }, _: Side, articleId: string) =>
    relatedIds.filter((id) => id !== articleId).map((id) => ({ related_id: id }));
  await writeRows(db, tables.relatedIds, articles.map(eachSide(relatedOf)));
}

type Side = "live" | "draft";

const eachSide =
  <Part, Key extends object>(keysOf: (part: Part, side: Side, articleId: string) => Key[]) =>
  ({ articleId, live, draft, isNew = false }: Sides<Part>): Sides<Key[]> => ({
    articleId,
    isNew,
    ...(live && { live: keysOf(live, "live", articleId) }),
    ...(draft && { draft: keysOf(draft, "draft", articleId) }),
  });

/** Positions of additions that only the draft has: after everything live. */
const BEHIND = 1_000;

async function writeRows(
  db: Db,
  { table, key, target }: PartTable,
  articles: readonly Sides<object[]>[],
): Promise<void> {
  const rows = articles.flatMap(rowsOf);
  const areNew = articles.every(({ isNew }) => isNew);
  if (rows.length === 0 && areNew) return;
  const columns = Object.keys(key);
  const sameKey = (one: string, other: string) =>
    columns.map((column) => `${one}.${column} = ${other}.${column}`).join(" AND ");
  const isOrdered = target !== undefined;
  const placed = (sql: string) => (isOrdered ? sql : "");
  // An update of a live row's flag or position makes readers' pages again. A change of the draft's flag must not do that.
  const stays = isOrdered ? "n.position = x.position" : "true";
  const givenRows = `jsonb_to_recordset($1::jsonb) AS g(article_id uuid, in_live boolean, in_draft boolean,
    position integer, ${columns.map((column) => `${column} ${key[column]}`).join(", ")})
    ${target ? `WHERE EXISTS (SELECT FROM ${target} t WHERE t.id = g.${columns[0]})` : ""}`;
  const inserting = `INSERT INTO ${table} (article_id, ${columns.join(", ")}, in_live, in_draft ${placed(", position")})
    SELECT g.article_id, ${columns.map((column) => `g.${column}`).join(", ")}, g.in_live, g.in_draft ${placed(", g.position")}`;
  if (areNew) {
    await db.$executeRawUnsafe(`${inserting} FROM ${givenRows}`, JSON.stringify(rows));
    return;
  }
  const sides = articles.map(({ articleId, live, draft }) => ({
    article_id: articleId,
    live: live !== undefined,
    draft: draft !== undefined,
  }));
  await db.$executeRawUnsafe(
    `WITH sides AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS s(article_id uuid, live boolean, draft boolean)
     ), given AS (
       SELECT * FROM ${givenRows}
     ), next AS (
       SELECT x.id, CASE WHEN s.live THEN g.in_live IS TRUE ELSE x.in_live END AS in_live,
         CASE WHEN s.draft THEN g.in_draft IS TRUE ELSE x.in_draft END AS in_draft
         ${placed(`, CASE WHEN g.position IS NULL OR (x.in_live AND NOT s.live) OR (x.in_draft AND NOT s.draft)
           THEN x.position ELSE g.position END AS position`)}
       FROM ${table} x JOIN sides s ON s.article_id = x.article_id
       LEFT JOIN given g ON g.article_id = x.article_id AND ${sameKey("g", "x")}
       WHERE x.article_id = ANY($3::uuid[])
     ), gone AS (
       DELETE FROM ${table} x USING next n WHERE x.id = n.id AND NOT n.in_live AND NOT n.in_draft
     ), flagged AS (
       UPDATE ${table} x SET in_draft = n.in_draft FROM next n
       WHERE x.id = n.id AND n.in_live = x.in_live AND n.in_draft <> x.in_draft AND (n.in_live OR n.in_draft) AND ${stays}
     ), changed AS (
       UPDATE ${table} x SET in_live = n.in_live, in_draft = n.in_draft ${placed(", position = n.position")} FROM next n
       WHERE x.id = n.id AND (n.in_live OR n.in_draft) AND NOT (n.in_live = x.in_live AND ${stays})
     )
     ${inserting} FROM given g
     WHERE NOT EXISTS (SELECT FROM ${table} x WHERE x.article_id = g.article_id AND ${sameKey("g", "x")})`,
    JSON.stringify(rows),
    JSON.stringify(sides),
    articles.map(({ articleId }) => articleId),
  );
}

function rowsOf({ articleId, live, draft }: Sides<object[]>): object[] {
  const [inLive, inDraft] = [keysOf(live), keysOf(draft)];
  const isLive = new Set(inLive);
  const isDraft = new Set(inDraft);
  return merged(inLive, inDraft).map((key, index) => ({
    ...(JSON.parse(key) as object),
    article_id: articleId,
    in_live: isLive.has(key),
    in_draft: isDraft.has(key),
    position: live ? index : BEHIND + index,
  }));
}

const keysOf = (keys: readonly object[] = []) => unique(keys.map((key) => JSON.stringify(key)));

/** Merges two lists. Each keeps its order as far as they agree. */
function merged(live: readonly string[], draft: readonly string[]): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const key of live) {
    const there = draft.indexOf(key, at);
    if (there >= 0) {
      result.push(...draft.slice(at, there).filter((other) => !live.includes(other)));
      at = there + 1;
    }
    result.push(key);
  }
  return unique([...result, ...draft.slice(at)]);
}

/** The current attachments, by side and article, where none are given. A draft written with its live text has all of them. */
async function attachmentsThatStay(db: Db, articles: readonly Sides[]): Promise<Map<string, string[]>> {
  const silent = articles.filter(({ live, draft }) => [live, draft].some((side) => side && !side.attachmentIds));
  const kept = new Map<string, string[]>();
  if (silent.length === 0) return kept;
  const rows = await db.articleAttachment.findMany({
    where: { articleId: { in: silent.map(({ articleId }) => articleId) } },
    orderBy: [{ position: "asc" }, { uploadId: "asc" }],
  });
  const isBoth = new Set(silent.filter(({ live, draft }) => live && draft).map(({ articleId }) => articleId));
  for (const { articleId, uploadId, inLive } of rows) {
    for (const side of ["live", "draft"]) {
      if (side === "live" && !inLive && !isBoth.has(articleId)) continue;
      kept.set(`${side} ${articleId}`, [...(kept.get(`${side} ${articleId}`) ?? []), uploadId]);
    }
  }
  return kept;
}

/** Resets the draft's parts to the live ones. */
export async function dropDraftParts(db: Db, articleId: string): Promise<void> {
  for (const table of partTables) {
    await db.$executeRawUnsafe(`DELETE FROM ${table} WHERE article_id = $1::uuid AND NOT in_live`, articleId);
    await db.$executeRawUnsafe(
      `UPDATE ${table} SET in_draft = true WHERE article_id = $1::uuid AND NOT in_draft`,
      articleId,
    );
  }
}

/** The parts of a draft without unknown ids. */
export async function existingParts(
  db: Db,
  articleId: string,
  { relatedIds, attachmentIds }: { relatedIds: readonly string[]; attachmentIds: readonly string[] },
): Promise<{ relatedIds: string[]; attachmentIds: string[] }> {
  const select = { id: true };
  const related = await db.article.findMany({ where: { id: { in: [...relatedIds], not: articleId } }, select });
  const attachments = await db.upload.findMany({ where: { id: { in: [...attachmentIds] } }, select });
  return { relatedIds: related.map(({ id }) => id), attachmentIds: attachments.map(({ id }) => id) };
}

/** The ids of tags by their folded names. Missing tags are created. The first spelling wins. */
export async function idsOfTags(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const wanted = new Map(names.map((name) => [fold(name), name] as const).reverse());
  const known = async () => {
    const tags = await db.tag.findMany({
      where: { nameFolded: { in: [...wanted.keys()] } },
      select: { id: true, nameFolded: true },
    });
    return new Map(tags.map((tag) => [tag.nameFolded, tag.id]));
  };
  const tags = await known();
  if (tags.size === wanted.size) return tags;
  // Sorted, so that two transactions that create the same tags do not deadlock.
  const rows = [...wanted].sort(([one], [other]) => (one < other ? -1 : 1));
  await db.$executeRaw`
    INSERT INTO tags (name, name_folded)
    SELECT * FROM unnest(${rows.map(([, name]) => name)}::text[], ${rows.map(([folded]) => folded)}::text[])
    ON CONFLICT (workspace_id, name_folded) DO NOTHING`;
  return known();
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
