import { putBack, rowsAsJson } from "@/lib/articles/rows";
import { type Actor, recordAudits } from "@/lib/audit";
import { type Db, inWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { holdSchedules } from "@/lib/publishing/hold";
import type { Permission } from "@/lib/roles";
import { reindexArticles } from "@/lib/search/reindex";

/** For how long what was done with many articles at once can be undone, in minutes: less than unused uploads are kept. */
const UNDO_MINUTES = 60;
/** How long an undo may take, in seconds: of a whole page of a list. */
const SECONDS = 20;
/** How much text of articles is remembered of one deed, in bytes: a page of a list of usual ones has a tenth. */
const MOST_BYTES = 20_000_000;

/** What was done with many articles at once. A deletion is undone by lib/articles/removal.ts. */
export type Deed = "published" | "unpublished" | "moved" | "tagged";

/** Of all that is done with many articles together. */
export interface Undoable {
  /** What it is undone by: a new id. */
  batch: string;
  deed: Deed;
}

const tags = { article_tags: ["article_id"] };
const texts = {
  ...{ article_live: ["id"], article_drafts: ["id"], ...tags, article_attachments: ["article_id"] },
  ...{ related_articles: ["article_id"], article_links: ["article_id"] },
};
/** What of an article a deed changes, beside its own row, and by which column it is the article's. */
const changedBy: Record<Deed, Record<string, readonly string[]>> = {
  ...{ published: texts, unpublished: texts },
  ...{ moved: {}, tagged: tags },
};

/** The columns of what a deed changes that may be long. */
const long: Record<string, readonly string[]> = {
  article_live: ["html", "rendered_html", "text", "markdown"],
  article_drafts: ["html", "text"],
};

/** SQL of what tells whether somebody has changed an article: every save of it, and every change at once, is seen in its row. */
const print = "md5((to_jsonb(a) - '{unique_views_count,previews_ended}'::text[])::text)";

/**
 * Does something with articles, and remembers for an hour what they were before, unless that is more than fits: canUndo
 * says so. Within a transaction.
 * @param work changes some of them, or all
 * @returns what `work` gives
 */
export async function undoably<T>(
  db: Db,
  { batch, deed }: Undoable,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  await db.$queryRaw`SELECT id FROM articles WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
  if (await isTooMuch(db, deed, ids)) return work();
  await db.$executeRawUnsafe(
    `INSERT INTO article_undos (batch, article_id, deed, rows, print)
     SELECT $1::uuid, a.id, $2, ${rowsAsJson({ articles: ["id"], ...changedBy[deed] }, "a.id")}, ${print}
     FROM articles a WHERE a.id = ANY($3::uuid[])`,
    ...[batch, deed, ids],
  );
  const result = await work();
  const ofBatch = "a.id = u.article_id AND u.batch = $1::uuid";
  await db.$executeRawUnsafe(
    `DELETE FROM article_undos u USING articles a WHERE ${ofBatch} AND u.print = ${print}`,
    batch,
  );
  await db.$executeRawUnsafe(`UPDATE article_undos u SET print = ${print} FROM articles a WHERE ${ofBatch}`, batch);
  await enqueue(db, "forget_undos", {}, new Date(Date.now() + (UNDO_MINUTES + 1) * 60_000));
  return result;
}

async function isTooMuch(db: Db, deed: Deed, ids: readonly string[]): Promise<boolean> {
  const sizes = Object.entries(changedBy[deed]).flatMap(([table, [column]]) => {
    const bytes = long[table]?.map((name) => `octet_length(x.${name})`).join(" + ");
    return bytes ? [`(SELECT coalesce(sum(${bytes}), 0) FROM ${table} x WHERE x.${column} = ANY($1::uuid[]))`] : [];
  });
  if (sizes.length === 0) return false;
  const [row] = await readingOf(db)<{ isMore: boolean }>(`SELECT ${sizes.join(" + ")} > ${MOST_BYTES} AS "isMore"`, [
    ids,
  ]);
  return row?.isMore ?? false;
}

/** Whether there is anything of what was done that can be undone: it changed something, and that was not too much. */
export async function canUndo(read: Read, batch: string): Promise<boolean> {
  return (await read("SELECT FROM article_undos WHERE batch = $1::uuid LIMIT 1", [batch])).length > 0;
}

/**
 * Undoes what was done with articles within the last hour. What somebody has changed since stays as it is: so does what
 * was deleted, and what was in a category or had a tag that is not there any more.
 * @param batch as of undoably
 * @param permissions of whoever undoes it
 * @returns those that are as they were, and how many are not
 * @throws InvalidError when that changes what readers see and the permissions do not let publish
 * @throws NotFoundError when it is undone already, or an hour is over
 */
export function undoDeed(
  workspaceId: string,
  batch: string,
  actor: Actor,
  permissions: readonly Permission[],
): Promise<{ undone: { id: string; title: string }[]; left: number }> {
  return inWorkspace(workspaceId, (db) => undo(db, batch, actor, permissions), SECONDS);
}

interface Kept {
  id: string;
  title: string;
  deed: Deed;
  isSeen: boolean;
}

async function undo(db: Db, batch: string, actor: Actor, permissions: readonly Permission[]) {
  const read = readingOf(db);
  const all = await read<{ id: string; categoryId: string }>(
    `SELECT article_id::text AS id, rows->'articles'->0->>'category_id' AS "categoryId" FROM article_undos
     WHERE batch = $1::uuid AND made_at > now() - make_interval(mins => ${UNDO_MINUTES}) FOR UPDATE`,
    [batch],
  );
  if (all.length === 0) throw new NotFoundError("There is nothing to undo: it is undone already, or an hour is over.");
  const asked = all.map(({ id }) => id);
  // Categories first, as who removes one: else each could wait for the other. Then articles, then tags, as everybody.
  const categories = await read<{ id: string }>(
    "SELECT id::text FROM categories WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE",
    [all.map(({ categoryId }) => categoryId)],
  );
  await read("SELECT FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE", [asked]);
  const tagsOf = "jsonb_array_elements(u.rows->'article_tags') x";
  await read(
    `SELECT FROM tags WHERE id IN (SELECT (x->>'tag_id')::uuid FROM article_undos u, ${tagsOf} WHERE u.batch = $1::uuid)
     ORDER BY id FOR KEY SHARE`,
    [batch],
  );
  const articles = await read<Kept>(
    `SELECT a.id::text, a.title, u.deed,
       'published' IN (a.state, u.rows->'articles'->0->>'state') AS "isSeen"
     FROM article_undos u JOIN articles a ON a.id = u.article_id AND u.print = ${print}
     WHERE u.batch = $1::uuid AND u.rows->'articles'->0->>'category_id' = ANY($2::text[])
       AND NOT EXISTS (SELECT FROM ${tagsOf} WHERE NOT EXISTS (SELECT FROM tags t WHERE t.id = (x->>'tag_id')::uuid))
     ORDER BY a.id`,
    [batch, categories.map(({ id }) => id)],
  );
  if (!permissions.includes("articles.publish") && articles.some(({ isSeen }) => isSeen)) {
    const message = "Readers would see it, which your role may not decide: ask somebody who may publish.";
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  const ids = articles.map(({ id }) => id);
  if (articles[0]) await restore(db, batch, articles[0].deed, ids);
  await holdSchedules(db, ids, actor.kind === "member" ? actor.id : null);
  await reindexArticles(db, ids);
  await db.articleUndo.deleteMany({ where: { batch } });
  const changes = articles.map(({ id, title, deed }) => ({
    subject: { kind: "article", id, name: title },
    details: { deed },
  }));
  await recordAudits(db, actor, "article.undone", changes);
  return { undone: articles.map(({ id, title }) => ({ id, title })), left: all.length - articles.length };
}

async function restore(db: Db, batch: string, deed: Deed, ids: readonly string[]): Promise<void> {
  // What has become due meanwhile waits for somebody to look at it.
  await db.$executeRaw`
    UPDATE articles a SET state = r.state, title = r.title, category_id = r.category_id, sequence = r.sequence,
      publish_at = r.publish_at, publish_held = r.publish_held OR coalesce(r.publish_at <= now(), false),
      published_at = r.published_at, updated_at = r.updated_at, revision = a.revision + 1
    FROM article_undos u CROSS JOIN LATERAL jsonb_populate_record(NULL::articles, u.rows->'articles'->0) r
    WHERE u.batch = ${batch}::uuid AND a.id = u.article_id AND a.id = ANY(${ids}::uuid[])`;
  const kept = "(SELECT * FROM article_undos u WHERE u.batch = $1::uuid AND u.article_id = ANY($2::uuid[])) d";
  for (const [table, [column]] of Object.entries(changedBy[deed])) {
    await db.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[])`, ids);
    await putBack(db, table, kept, batch, ids);
  }
  if (deed !== "tagged") return;
  // A tag that was made for it, in the same transaction, and that nothing else has: locked by a statement of its own, so that
  // who is just giving it to another article is waited for, and then seen.
  const made = await readingOf(db)<{ id: string }>(
    `SELECT id::text FROM tags WHERE created_at IN (SELECT made_at FROM article_undos u WHERE u.batch = $1::uuid)
     ORDER BY id FOR UPDATE`,
    [batch],
  );
  await db.$executeRaw`
    DELETE FROM tags t WHERE t.id = ANY(${made.map(({ id }) => id)}::uuid[])
      AND NOT EXISTS (SELECT FROM article_tags x WHERE x.tag_id = t.id)`;
}

/** Forgets what cannot be undone any more. */
export async function forgetUndos(db: Db): Promise<void> {
  await db.$executeRawUnsafe(
    `DELETE FROM article_undos WHERE made_at < now() - make_interval(mins => ${UNDO_MINUTES})`,
  );
}
