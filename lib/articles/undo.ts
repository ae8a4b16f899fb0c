import { holdSchedules } from "@/lib/articles/hold";
import { type Actor, recordAudits } from "@/lib/audit/audit";
import { type Db, inWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import type { Permission } from "@/lib/members/roles";
import { reindexArticles } from "@/lib/search/reindex";
import { updateRestored } from "@/lib/snippets/snippets";
import { type Parts, putBack } from "@/lib/trash/rows";
import { isTooMuch, removeFromTrash, storeForUndo, UNDO_MINUTES } from "@/lib/trash/trash";

/** Longest time for a bulk action, which indexes each article again. */
export const BULK_SECONDS = 20;

export type BulkAction = "published" | "unpublished" | "moved" | "tagged";

export interface Undoable {
  /** A new id, which undoes the action later. */
  batch: string;
  action: BulkAction;
  actor: Actor;
}

const tags = { article_tags: ["article_id"] };
const texts = {
  article_live: ["id"],
  article_drafts: ["id"],
  ...tags,
  article_attachments: ["article_id"],
  related_articles: ["article_id"],
  article_links: ["article_id"],
};
/** Besides the row in `articles`. */
const changedBy: Record<BulkAction, Parts> = { published: texts, unpublished: texts, moved: {}, tagged: tags };

/** SQL of an article's row without the columns that change on their own. */
const own = (row: string) => `(${row} - '{unique_views_count,previews_ended}'::text[])`;
const stored = "t.rows->'articles'->0";
const sameArticle = `a.id = (${stored}->>'id')::uuid`;
const fingerprint = `md5(${own("to_jsonb(a)")}::text)`;

/** Stores the articles as they are, then runs `work`. Texts that are too long together are not stored (see canUndo). */
export async function undoably<T>(
  db: Db,
  { batch, action, actor }: Undoable,
  ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  await db.$queryRaw`SELECT id FROM articles WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`;
  if (changedBy[action] === texts && (await isTooMuch(readingOf(db), ids))) return work();
  await storeForUndo(db, batch, { articles: ["id"], ...changedBy[action] }, ids, actor, { action });
  const result = await work();
  // A batch can have articles of earlier transactions, which others may have changed since.
  const ofBatch = `t.batch = $1::uuid AND t.deleted_at = now()::timestamptz(3) AND ${sameArticle}`;
  await db.$executeRawUnsafe(
    `DELETE FROM trash t USING articles a WHERE ${ofBatch} AND ${own(`(${stored})`)} = ${own("to_jsonb(a)")}`,
    batch,
  );
  await db.$executeRawUnsafe(
    `UPDATE trash t SET details = t.details || jsonb_build_object('fingerprint', ${fingerprint}) FROM articles a WHERE ${ofBatch}`,
    batch,
  );
  return result;
}

export async function canUndo(read: Read, batch: string): Promise<boolean> {
  return (await read("SELECT FROM trash WHERE batch = $1::uuid AND kind = 'undo' LIMIT 1", [batch])).length > 0;
}

export interface RecentAction {
  batch: string;
  action: BulkAction | "deleted";
  articles: number;
  at: Date;
  /** The category that articles were moved to, or the tag they got. Null for a change made on an article's page. */
  to: string | null;
}

/** The ended bulk actions and deletions of a member's last hour that can still be undone, newest first. */
export function listUndoable(read: Read, memberId: string): Promise<RecentAction[]> {
  return read(
    `SELECT t.*, coalesce(b.details->>'to', b.details->>'tag') AS to FROM (
       SELECT batch::text, CASE min(kind) WHEN 'undo' THEN min(details->>'action') ELSE 'deleted' END AS action,
         count(*)::int AS articles, max(deleted_at) AS at
       FROM trash WHERE kind IN ('undo', 'article') AND until > now() AND deleted_by = $1::uuid
         AND (kind = 'undo' OR deleted_at > now() - make_interval(mins => ${UNDO_MINUTES}))
       GROUP BY batch
     ) t
     LEFT JOIN bulk_actions b ON b.id = t.batch::uuid
     WHERE b.id IS NULL OR b.state NOT IN ('running', 'stopping')
     ORDER BY at DESC LIMIT 5`,
    [memberId],
  );
}

/**
 * Undoes a bulk action. Articles that were changed or deleted since stay as they are, and so do those whose former category or
 * tag is gone.
 * @param only entries of the trash, by default all of the batch. Those stored last must come first, because the first ones tell
 *   which tag the action created
 * @returns the restored articles, and how many were left
 * @throws InvalidError when readers would see a change and the permissions exclude publishing
 * @throws NotFoundError after an earlier undo, or after an hour
 */
export function undoBulkAction(
  workspaceId: string,
  batch: string,
  actor: Actor,
  permissions: readonly Permission[],
  only: readonly string[] | null = null,
): Promise<{ undone: { id: string; title: string }[]; left: number }> {
  return inWorkspace(workspaceId, (db) => undo(db, { batch, only }, actor, permissions), BULK_SECONDS);
}

interface Undone {
  id: string;
  entryId: string;
  title: string;
  action: BulkAction;
  isSeen: boolean;
}

async function undo(
  db: Db,
  { batch, only }: { batch: string; only: readonly string[] | null },
  actor: Actor,
  permissions: readonly Permission[],
) {
  const read = readingOf(db);
  const entries = await read<{ id: string; articleId: string; categoryId: string }>(
    `SELECT id::text, ${stored}->>'id' AS "articleId", ${stored}->>'category_id' AS "categoryId" FROM trash t
     WHERE batch = $1::uuid AND kind = 'undo' AND until > now() AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) FOR UPDATE`,
    [batch, only],
  );
  const entryIds = entries.map(({ id }) => id);
  if (entries.length === 0)
    throw new NotFoundError("Can't undo. It was already undone, or more than an hour has passed.");
  // Categories first, as an import that renames them locks them, then articles, then tags. In another order, each could wait for
  // the other.
  const categories = await read<{ id: string }>(
    "SELECT id::text FROM categories WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE",
    [entries.map(({ categoryId }) => categoryId)],
  );
  await read("SELECT FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE", [
    entries.map(({ articleId }) => articleId),
  ]);
  const storedTags = "jsonb_array_elements(t.rows->'article_tags') x";
  await read(
    `SELECT FROM tags WHERE id IN (SELECT (x->>'tag_id')::uuid FROM trash t, ${storedTags} WHERE t.id = ANY($1::uuid[]))
     ORDER BY id FOR KEY SHARE`,
    [entryIds],
  );
  const articles = await read<Undone>(
    `SELECT a.id::text, t.id::text AS "entryId", a.title, t.details->>'action' AS action,
       'published' IN (a.state, ${stored}->>'state') AS "isSeen"
     FROM trash t JOIN articles a ON ${sameArticle} AND t.details->>'fingerprint' = ${fingerprint}
     WHERE t.id = ANY($1::uuid[]) AND ${stored}->>'category_id' = ANY($2::text[])
       AND NOT EXISTS (SELECT FROM ${storedTags} WHERE NOT EXISTS (SELECT FROM tags g WHERE g.id = (x->>'tag_id')::uuid))
     ORDER BY a.id`,
    [entryIds, categories.map(({ id }) => id)],
  );
  if (!permissions.includes("articles.publish") && articles.some(({ isSeen }) => isSeen)) {
    const message = "This would make an article public again. Ask someone who can publish.";
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  await restore(db, entryIds, articles);
  const ids = articles.map(({ id }) => id);
  await holdSchedules(db, ids, actor);
  await reindexArticles(db, ids);
  await updateRestored(db, ids);
  await removeFromTrash(db, entryIds);
  const changes = articles.map(({ id, title, action }) => ({
    subject: { kind: "article", id, name: title },
    details: { action },
  }));
  await recordAudits(db, actor, "article.undone", changes);
  return { undone: articles.map(({ id, title }) => ({ id, title })), left: entries.length - articles.length };
}

async function restore(db: Db, all: readonly string[], articles: readonly Undone[]): Promise<void> {
  const [first] = articles;
  if (!first) return;
  const ids = articles.map(({ id }) => id);
  const entryIds = articles.map(({ entryId }) => entryId);
  // An article that became due meanwhile is put on hold.
  await db.$executeRaw`
    UPDATE articles a SET state = r.state, title = r.title, category_id = r.category_id, sequence = r.sequence,
      publish_at = r.publish_at, publish_held = r.publish_held OR coalesce(r.publish_at <= now(), false),
      published_at = r.published_at, updated_at = r.updated_at, revision = a.revision + 1
    FROM trash t CROSS JOIN LATERAL jsonb_populate_record(NULL::articles, t.rows->'articles'->0) r
    WHERE t.id = ANY(${entryIds}::uuid[]) AND a.id = r.id`;
  for (const [table, [column]] of Object.entries(changedBy[first.action])) {
    await db.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[])`, ids);
    await putBack(db, table, entryIds);
  }
  if (first.action !== "tagged") return;
  // Deletes tags that the action created unless another article has them. They are locked in a statement of their own, so that
  // the next one sees an article that is getting the tag at the same time.
  const created = await readingOf(db)<{ id: string }>(
    `SELECT id::text FROM tags WHERE created_at IN (SELECT deleted_at FROM trash t WHERE t.id = ANY($1::uuid[]))
     ORDER BY id FOR UPDATE`,
    [all],
  );
  await db.$executeRaw`
    DELETE FROM tags t WHERE t.id = ANY(${created.map(({ id }) => id)}::uuid[])
      AND NOT EXISTS (SELECT FROM article_tags x WHERE x.tag_id = t.id)`;
}
