import { z } from "zod";
import {
  type ArticleText,
  type DraftText,
  textAsJson,
  textColumns,
  textRecord,
  textRow,
} from "@/lib/articles/article-text";
import type { Db, Read } from "@/lib/db";

export interface Version {
  number: number;
  kind: "publish" | "autosave" | "import";
  title: string;
  at: Date;
  /** The member's name, or null for files and former members. */
  by: string | null;
  summary: string | null;
}

export interface VersionText extends Version {
  text: ArticleText & { tags: string[] };
}

export interface VersionMade {
  kind: Version["kind"];
  by: string | null;
  summary?: string | null;
}

/** The newest autosaves of an article are kept. Published versions are kept forever. */
const MOST_POINTS = 50;
/** Minutes between two autosaves of one member. */
const MINUTES = 5;

const columns = `v.number, v.kind, v.title, v.created_at AS at, v.summary, nullif(concat_ws(' ', m.first_name, m.last_name), '') AS by`;
const source = `article_versions v LEFT JOIN members m ON m.workspace_id = v.workspace_id AND m.id = v.created_by`;

export async function listVersions(
  read: Read,
  articleId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ versions: Version[]; total: number }> {
  const versions = await read<Version>(
    `SELECT ${columns} FROM ${source} WHERE v.article_id = $1::uuid ORDER BY v.number DESC LIMIT $2 OFFSET $3`,
    [articleId, limit, offset],
  );
  const [count] = await read<{ total: number }>(
    "SELECT count(*)::int AS total FROM article_versions WHERE article_id = $1::uuid",
    [articleId],
  );
  return { versions, total: count?.total ?? 0 };
}

export async function findVersion(read: Read, articleId: string, number: number): Promise<VersionText | null> {
  if (!z.guid().safeParse(articleId).success || !(number >= 1 && number <= 2_147_483_647)) return null;
  const [version] = await read<VersionText>(
    `SELECT ${columns}, ${textAsJson("v", ", 'tags', v.tags")} AS text FROM ${source}
     WHERE v.article_id = $1::uuid AND v.number = $2`,
    [articleId, Math.trunc(number)],
  );
  return version ?? null;
}

/** SQL of adding versions from rows `t`. `when` is SQL that may use the article's `last` version. */
const adding = (texts: string, when: string) => `
  INSERT INTO article_versions (article_id, number, kind, ${textColumns()}, tags, created_by, summary)
  SELECT t.id, coalesce(last.number, 0) + 1, $2, ${textColumns("t")}, t.tags, $3::uuid, $4::text
  FROM ${texts} LEFT JOIN LATERAL (
    SELECT * FROM article_versions v WHERE v.article_id = t.id ORDER BY v.number DESC LIMIT 1
  ) last ON true WHERE ${when}`;

const newTexts = `jsonb_to_recordset($1::jsonb) AS t(id uuid, ${textRecord}, tags text[])`;
const isChanged = `(${textColumns("last")}, last.tags) IS DISTINCT FROM (${textColumns("t")}, t.tags)`;

const sql = {
  changed: adding(newTexts, `${isChanged} OR ($2 = 'publish' AND (last.kind <> 'publish' OR $4::text IS NOT NULL))`),
  always: adding(newTexts, "true"),
  point: adding(
    `(SELECT d.id, ${textColumns("d")}, ARRAY(SELECT g.name FROM article_tags x JOIN tags g ON g.id = x.tag_id
        WHERE x.article_id = d.id AND x.in_draft ORDER BY x.position, g.name) AS tags
      FROM article_drafts d WHERE d.id = $1::uuid) t`,
    `${isChanged} AND ($5 OR NOT EXISTS (SELECT FROM article_versions v WHERE v.article_id = t.id AND v.kind = 'autosave'
       AND v.created_by IS NOT DISTINCT FROM $3::uuid AND v.created_at > now() - interval '${MINUTES} minutes'))`,
  ),
};

/**
 * Adds a version of each changed article. Publishing always adds one, unless the last one was published with the same text and
 * there is no new note.
 */
export async function addVersions(
  db: Db,
  articles: readonly { id: string; text: ArticleText; tags: readonly string[] }[],
  { kind, by, summary = null }: VersionMade,
): Promise<void> {
  const rows = articles.map(({ id, text, tags }) => ({ id, ...textRow(text), tags }));
  await db.$executeRawUnsafe(sql.changed, JSON.stringify(rows), kind, by, summary);
}

/**
 * Keeps the stored draft as a version, unless it equals the last one. "now and then" is every five minutes per member. The
 * transaction must have locked the article.
 */
export async function keepPoint(
  db: Db,
  articleId: string,
  by: string | null,
  when: "always" | "now and then",
): Promise<void> {
  const added = await db.$executeRawUnsafe(sql.point, articleId, "autosave", by, null, when === "always");
  if (added > 0) await forgetOldPoints(db, articleId);
}

/** Keeps a text that was refused because someone else had saved meanwhile. */
export async function keepText(db: Db, articleId: string, text: DraftText, by: string): Promise<void> {
  const locked = await db.$queryRaw<object[]>`SELECT id FROM articles WHERE id = ${articleId}::uuid FOR UPDATE`;
  if (locked.length === 0) return;
  const row = { id: articleId, ...textRow(text), tags: text.tags };
  await db.$executeRawUnsafe(sql.always, JSON.stringify([row]), "autosave", by, null);
  await forgetOldPoints(db, articleId);
}

async function forgetOldPoints(db: Db, articleId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM article_versions WHERE article_id = ${articleId}::uuid AND kind = 'autosave' AND number < (
      SELECT min(number) FROM (
        SELECT number FROM article_versions WHERE article_id = ${articleId}::uuid AND kind = 'autosave'
        ORDER BY number DESC LIMIT ${MOST_POINTS}
      ) kept)`;
}
