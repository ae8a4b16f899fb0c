import { isDeepStrictEqual } from "node:util";
import { acrossWorkspaces, type Read, readWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { outdatedDocuments } from "@/lib/search/reindex";
import { fold } from "@/lib/search/words";
import { inThread } from "@/lib/threads/pool";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

/** Checks that SQL alone can't make. Each reads a part of a workspace at a time, and yields the ids of wrong rows. */
export interface Check {
  name: string;
  remedy: string;
  wrong: (workspaceId: string) => AsyncIterable<string>;
}

/** Articles have up to two megabytes of text. */
const FEW = 20;
const MANY = 500;
const SECONDS = 60;

/** All rows, in the order of their ids. `sql` selects those after $1, at most $2. */
async function* rowsOf<Row extends { id: string }>(workspaceId: string, sql: string, most: number) {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await readWorkspace(workspaceId, (read) => read<Row>(sql, [after, most]), SECONDS);
    if (rows.length > 0) yield rows;
    if (rows.length < most) return;
    after = rows.at(-1)?.id ?? after;
  }
}

const idsOf = (table: string) => `SELECT id::text FROM ${table} WHERE id > $1::uuid ORDER BY id LIMIT $2`;

export const contentChecks: Check[] = [
  {
    name: "search finds every article by its current text",
    remedy: 'Run "npm run kb -- reindex --all".',
    async *wrong(workspaceId) {
      for await (const rows of rowsOf(workspaceId, idsOf("articles"), FEW)) {
        const find = (ids: string[]) =>
          readWorkspace(workspaceId, (read) => outdatedDocuments(read, workspaceId, ids), SECONDS);
        const found = await find(rows.map(({ id }) => id));
        if (found.length === 0) continue;
        // Renaming a category leaves its articles to a job. Jobs are read first, because one may end in between.
        const waiting = await categoriesToIndex(workspaceId);
        const still = await find(found);
        yield* await readWorkspace(workspaceId, async (read) => {
          const sql = "SELECT id::text FROM articles WHERE id = ANY($1::uuid[]) AND category_id <> ALL($2::uuid[])";
          return (await read<{ id: string }>(sql, [still, waiting])).map(({ id }) => id);
        });
      }
    },
  },
  {
    name: "text, headings, and links of articles match their HTML",
    remedy: "Open the articles, change something, and publish or save them.",
    async *wrong(workspaceId) {
      for await (const rows of rowsOf(workspaceId, idsOf("articles"), FEW)) {
        for (const { id } of rows) if (!(await areDerived(workspaceId, id))) yield id;
      }
    },
  },
  {
    name: "tags are found by their names",
    remedy: "Rename these tags.",
    async *wrong(workspaceId) {
      const sql = `SELECT id::text, name, name_folded AS folded FROM tags WHERE id > $1::uuid ORDER BY id LIMIT $2`;
      for await (const rows of rowsOf<{ id: string; name: string; folded: string }>(workspaceId, sql, MANY))
        for (const { id, name, folded } of rows) if (fold(name) !== folded) yield id;
    },
  },
  {
    name: "every upload has its whole file",
    remedy: "Restore the files from a backup.",
    async *wrong(workspaceId) {
      const sql = `SELECT id::text, storage_key AS key, byte_size::float8 AS size FROM uploads WHERE id > $1::uuid ORDER BY id LIMIT $2`;
      for await (const rows of rowsOf<{ id: string; key: string; size: number }>(workspaceId, sql, MANY)) {
        for (const { id, key, size } of rows) {
          if (await isWhole(key, size)) continue;
          // It may have been deleted since.
          const there = await readWorkspace(workspaceId, (read) =>
            read("SELECT FROM uploads WHERE id = $1::uuid", [id]),
          );
          if (there.length > 0) yield id;
        }
      }
    },
  },
];

async function categoriesToIndex(workspaceId: string): Promise<string[]> {
  const rows = await acrossWorkspaces.query<{ id: string }>(
    `SELECT j.payload->'payload'->>'categoryId' AS id
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'reindex_category' AND j.payload->>'workspace_id' = $1`,
    [workspaceId],
    SECONDS,
  );
  return rows.map(({ id }) => id);
}

interface Side {
  side: "live" | "draft";
  html: string;
  /** Text and headings of this HTML are stored: with snippets, if readers see any. */
  shown: string;
  text: string;
  headings: unknown;
  links: [string, string][];
}

async function sidesOf(read: Read, id: string): Promise<Side[]> {
  const side = (name: string, table: string, shown: string) => `
    SELECT '${name}' AS side, t.html, ${shown} AS shown, t.text, t.headings, coalesce((SELECT jsonb_agg(jsonb_build_array(l.kind, l.href))
      FROM article_links l WHERE l.workspace_id = t.workspace_id AND l.article_id = t.id AND l.kind <> 'snippet' AND l.in_${name}), '[]') AS links
    FROM ${table} t WHERE t.id = $1::uuid`;
  return read(
    `${side("live", "article_live", "coalesce(t.shown_html, t.html)")} UNION ALL ${side("draft", "article_drafts", "t.html")}`,
    [id],
  );
}

async function areDerived(workspaceId: string, id: string): Promise<boolean> {
  for (const { html, shown, text, headings, links } of await readWorkspace(
    workspaceId,
    (read) => sidesOf(read, id),
    SECONDS,
  )) {
    const made = await inThread(workspaceId, "clean", html);
    const seen = shown === html ? made : await inThread(workspaceId, "clean", shown);
    // Articles published before there were snippets name them without such links.
    const references = made.links.filter(({ kind }) => kind !== "snippet");
    const sorted = (pairs: string[][]) => [...new Set(pairs.map((pair) => JSON.stringify(pair)))].sort();
    const isSame = isDeepStrictEqual(
      [seen.text, seen.headings, sorted(references.map(({ kind, href }) => [kind, href]))],
      [text, headings, sorted(links)],
    );
    if (!isSame) return false;
  }
  return true;
}

/** Whether a stored file has its last byte. */
async function isWhole(key: string, size: number): Promise<boolean> {
  try {
    const stream = await uploadStorage().open(key, { start: size - 1, end: size - 1 });
    if (!stream) return false;
    let length = 0;
    for await (const part of stream) length += part.length;
    return length === 1;
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    return false;
  }
}
