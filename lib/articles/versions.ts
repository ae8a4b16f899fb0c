import { z } from "zod";
import {
  type ArticleText,
  type DraftText,
  textAsJson,
  textColumns,
  textRecord,
  textRow,
} from "@/lib/articles/article-text";
import { keyId, memberId, type Writer } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";

export interface Version {
  number: number;
  kind: "publish" | "autosave" | "import";
  title: string;
  at: Date;
  /** The member's name, or the key's. Null for files and former members. */
  by: string | null;
  via: "web" | "api" | "import" | "schedule";
  summary: string | null;
}

export interface VersionText extends Version {
  text: ArticleText & { tags: string[] };
}

export interface VersionMade {
  kind: Version["kind"];
  by: Writer;
  /** Derived from the kind and the writer by default. */
  via?: Version["via"] | undefined;
  summary?: string | null;
}

/** The newest autosaves of an article that are kept. Those by programs stay for at least a day, published versions permanently. */
export const MOST_POINTS = 50;
/** Minutes between two autosaves of one member. */
const MINUTES = 5;

/** SQL of a writer's name, from the rows of a member and a key. */
export const writerName = (member: string, key: string): string =>
  `coalesce(nullif(concat_ws(' ', ${member}.first_name, ${member}.last_name), ''), 'API key “' || ${key}.name || '”')`;

const columns = `v.number, v.kind, v.title, v.created_at AS at, v.created_via AS via, v.summary, ${writerName("m", "k")} AS by`;
const source = `article_versions v LEFT JOIN members m ON m.workspace_id = v.workspace_id AND m.id = v.created_by
  LEFT JOIN api_keys k ON k.workspace_id = v.workspace_id AND k.id = v.created_by_key`;

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
const adding = (texts: string, when: string, writer: { member: string; key: string }, via: string, summary: string) => `
  INSERT INTO article_versions (article_id, number, kind, ${textColumns()}, tags, created_by, created_by_key, created_via, summary)
  SELECT t.id, coalesce(last.number, 0) + 1, $2, ${textColumns("t")}, t.tags, ${writer.member}, ${writer.key}, ${via}, ${summary}
  FROM ${texts} LEFT JOIN LATERAL (
    SELECT * FROM article_versions v WHERE v.article_id = t.id ORDER BY v.number DESC LIMIT 1
  ) last ON true WHERE ${when}`;

const newTexts = `jsonb_to_recordset($1::jsonb) AS t(id uuid, ${textRecord}, tags text[])`;
const isChanged = `(${textColumns("last")}, last.tags) IS DISTINCT FROM (${textColumns("t")}, t.tags)`;
const given = { member: "$3::uuid", key: "$4::uuid" };
const addingNew = (when: string) => adding(newTexts, when, given, "$5", "$6::text");

const sql = {
  changed: addingNew(`${isChanged} OR ($2 = 'publish' AND (last.kind <> 'publish' OR $6::text IS NOT NULL))`),
  always: addingNew("true"),
  first: `
    INSERT INTO article_versions (article_id, number, kind, ${textColumns()}, tags, created_by, created_by_key, created_via, summary)
    SELECT t.id, 1, $2, ${textColumns("t")}, t.tags, ${given.member}, ${given.key}, $5, $6::text FROM ${newTexts}`,
  point: adding(
    `(SELECT d.id, ${textColumns("d")}, d.updated_by, d.updated_by_key,
        ARRAY(SELECT g.name FROM article_tags x JOIN tags g ON g.id = x.tag_id
          WHERE x.article_id = d.id AND x.in_draft ORDER BY x.position, g.name) AS tags
      FROM article_drafts d WHERE d.id = $1::uuid) t`,
    `${isChanged} AND ($3 OR NOT EXISTS (SELECT FROM article_versions v WHERE v.article_id = t.id AND v.kind = 'autosave'
       AND v.created_by IS NOT DISTINCT FROM t.updated_by AND v.created_by_key IS NOT DISTINCT FROM t.updated_by_key
       AND v.created_at > now() - interval '${MINUTES} minutes'))`,
    { member: "t.updated_by", key: "t.updated_by_key" },
    "CASE WHEN t.updated_by_key IS NULL THEN 'web' ELSE 'api' END",
    "NULL",
  ),
};

/**
 * Adds a version of each changed article. Publishing always adds one, unless the last one was published with the same text and
 * there is no new note.
 */
export async function addVersions(
  db: Db,
  articles: readonly { id: string; text: ArticleText; tags: readonly string[]; isNew: boolean }[],
  { kind, by, via, summary = null }: VersionMade,
): Promise<void> {
  const rows = articles.map(({ id, text, tags }) => ({ id, ...textRow(text), tags }));
  const made = via ?? (kind === "import" ? "import" : by.kind === "api_key" ? "api" : "web");
  const statement = articles.every(({ isNew }) => isNew) ? sql.first : sql.changed;
  await db.$executeRawUnsafe(statement, JSON.stringify(rows), kind, memberId(by), keyId(by), made, summary);
}

/**
 * Keeps the stored draft as a version by its last writer, unless it equals the last one. "now and then" is every five minutes
 * per writer. The transaction must have locked the article.
 */
export async function keepPoint(db: Db, articleId: string, when: "always" | "now and then"): Promise<void> {
  const added = await db.$executeRawUnsafe(sql.point, articleId, "autosave", when === "always");
  if (added > 0) await forgetOldPoints(db, articleId);
}

/** Keeps a text that was refused because someone else had saved meanwhile. */
export async function keepText(db: Db, articleId: string, text: DraftText, by: Writer): Promise<void> {
  const locked = await db.$queryRaw<object[]>`SELECT id FROM articles WHERE id = ${articleId}::uuid FOR UPDATE`;
  if (locked.length === 0) return;
  const row = { id: articleId, ...textRow(text), tags: text.tags };
  const via = by.kind === "api_key" ? "api" : "web";
  await db.$executeRawUnsafe(sql.always, JSON.stringify([row]), "autosave", memberId(by), keyId(by), via, null);
  await forgetOldPoints(db, articleId);
}

/** Counted separately, so that a program that writes often does not push out people's versions. */
async function forgetOldPoints(db: Db, articleId: string): Promise<void> {
  for (const [whose, age] of [
    ["IS NULL", "0"],
    ["IS NOT NULL", "1 day"],
  ]) {
    await db.$executeRawUnsafe(
      `DELETE FROM article_versions WHERE article_id = $1::uuid AND kind = 'autosave' AND created_by_key ${whose}
         AND created_at <= now() - interval '${age}' AND number < (
           SELECT min(number) FROM (
             SELECT number FROM article_versions WHERE article_id = $1::uuid AND kind = 'autosave' AND created_by_key ${whose}
             ORDER BY number DESC LIMIT ${MOST_POINTS}
           ) kept)`,
      articleId,
    );
  }
}
