import { randomUUID } from "node:crypto";
import { columnsOf, putBack, rowsAsJson } from "@/lib/articles/rows";
import { type Actor, recordAudits } from "@/lib/audit";
import { type Db, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { unusedSlug } from "@/lib/drafts";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { holdSchedules } from "@/lib/publishing/hold";
import { type GivenTarget, targetOf } from "@/lib/redirects";
import type { Permission } from "@/lib/roles";
import { reindexArticles } from "@/lib/search/reindex";

/** For how long a deletion can be undone, in hours; what it used in uploads is kept for as long (lib/uploads/clean-up.ts). */
export const UNDO_HOURS = 24;

/** How long what cannot be brought back any more is kept, in minutes: somebody may just be bringing it back. */
const GRACE_MINUTES = 5;
/** How many rows are forgotten at once. */
const BATCH = 5_000;

/**
 * What there can be very much of: it stays where it is meanwhile, which nobody looks at without the article, and is
 * forgotten when the rest is.
 */
const bulky = ["article_versions", "article_views"] as const;

/** What else belongs to an article, in the order in which it is brought back, and by which of its columns. */
const parts = {
  articles: ["id"],
  article_live: ["id"],
  article_drafts: ["id"],
  article_tags: ["article_id"],
  article_attachments: ["article_id"],
  related_articles: ["article_id", "related_id"],
  article_links: ["article_id"],
  article_view_months: ["article_id"],
  feedback: ["article_id"],
  redirects: ["article_id"],
} as const;

/** The servers of before took what is bulky with them, and some of their deletions can still be undone. */
const broughtBack = [...(Object.keys(parts) as (keyof typeof parts)[]), ...bulky];

/**
 * Deletes articles with all that belongs to them. For a day that can be undone. What was their address, and what led to it,
 * leads elsewhere or is gone (410); of what readers never saw, nothing is left.
 * @param to where their addresses lead: "gone" unless one thing takes their place
 * @param home the workspace's own address, as of addRedirect
 * @returns what the deletion is undone by, and the titles; ids that are no articles are passed over
 * @throws InvalidError about `to`, as of addRedirect, and when it is one of the articles
 * @throws NotFoundError when none of the articles is there
 */
export async function deleteArticles(
  db: Db,
  ids: readonly string[],
  to: GivenTarget,
  home: string,
  actor: Actor,
): Promise<{ batch: string; deleted: { id: string; title: string }[] }> {
  const read = readingOf(db);
  const articles = await read<{ id: string; title: string; slug: string; categoryId: string; wasSeen: boolean }>(
    `SELECT id::text, title, slug, category_id::text AS "categoryId", state = 'published' OR published_at IS NOT NULL AS "wasSeen"
     FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  if (articles.length === 0)
    throw new NotFoundError("These articles are not there any more: somebody has deleted them.");
  const there = articles.map(({ id }) => id);
  const batch = randomUUID();
  // One that was deleted, brought back and is deleted again within the day.
  await db.deletedArticle.deleteMany({ where: { id: { in: there } } });
  await db.$executeRawUnsafe(
    `INSERT INTO deleted_articles (id, batch, title, rows)
     SELECT a.id, $2::uuid, a.title, ${rowsAsJson(parts, "a.id")} FROM articles a WHERE a.id = ANY($1::uuid[])`,
    there,
    batch,
  );
  for (const article of articles) await leaveAddresses(db, article, to, home, there);
  await db.article.deleteMany({ where: { id: { in: there } } });
  await enqueue(db, "forget_deleted", {}, new Date(Date.now() + (UNDO_HOURS * 60 + 2 * GRACE_MINUTES) * 60_000));
  const changes = articles.map(({ id, title, slug }) => ({
    subject: { kind: "article", id, name: title },
    details: { slug },
  }));
  await recordAudits(db, actor, "article.deleted", changes);
  return { batch, deleted: articles.map(({ id, title }) => ({ id, title })) };
}

/** Where an article was, and what led there, leads to what takes its place. */
async function leaveAddresses(
  db: Db,
  article: { id: string; slug: string; categoryId: string; wasSeen: boolean },
  to: GivenTarget,
  home: string,
  without: readonly string[],
): Promise<void> {
  const { id, slug, categoryId, wasSeen } = article;
  const former = await db.redirect.findMany({ where: { articleId: id }, select: { id: true } });
  if (!wasSeen && former.length === 0) return;
  const path = `/articles/${slug}`;
  // To whom it may be told that it is gone is decided by where it was (lib/published-redirects.ts).
  const target = await targetOf(db, path, to, home, { categoryId, without });
  await db.redirect.updateMany({ where: { id: { in: former.map((one) => one.id) } }, data: target });
  if (!wasSeen) return;
  await db.redirect.deleteMany({ where: { fromPath: path } });
  // The very time of the deletion tells this one from what somebody makes of the address later (bringBackArticle).
  await db.$executeRaw`
    INSERT INTO redirects (from_path, kind, article_id, category_id, url, created_at)
    VALUES (${path}, ${target.kind}, ${target.articleId}::uuid, ${target.categoryId}::uuid, ${target.url}, now())`;
}

/**
 * Brings back articles that were deleted within the last day: as they were, at their addresses. Where those are
 * others' by now, at others; where their category is gone, in the first one.
 * @param which what deleteArticles gave, or the ids of articles that were deleted
 * @param permissions of whoever brings them back: readers see at once what was published, as if it were published now
 * @throws InvalidError when one of them was published and the permissions do not let publish
 * @throws NotFoundError when nothing was, or it was brought back already, or there is no category any more
 */
export async function restoreArticles(
  db: Db,
  which: string | readonly string[],
  actor: Actor,
  permissions: readonly Permission[],
): Promise<{ id: string; title: string }[]> {
  const [batch, asked] = typeof which === "string" ? [which, []] : [null, which];
  // Articles before the workspace, as those do who change an address: else each could wait for the other.
  await db.$executeRaw`
    SELECT id FROM articles WHERE id IN (
      SELECT unnest(ARRAY[(r->>'article_id')::uuid, (r->>'related_id')::uuid])
      FROM deleted_articles d CROSS JOIN LATERAL jsonb_array_elements(d.rows->'related_articles') r
      WHERE d.batch = ${batch}::uuid OR d.id = ANY(${asked}::uuid[])
    ) ORDER BY id FOR KEY SHARE`;
  // Held to the end of the transaction: of two who bring back the same, or take the same address, one sees the other's.
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  const read = readingOf(db);
  const articles = await read<Deleted>(
    `SELECT id::text, title, rows->'articles'->0->>'slug' AS slug, rows->'articles'->0->>'category_id' AS "categoryId",
       rows->'articles'->0->>'state' = 'published' AS "isPublished"
     FROM deleted_articles d WHERE (batch = $1::uuid OR id = ANY($2::uuid[])) AND deleted_at > now() - make_interval(hours => ${UNDO_HOURS})
       AND NOT EXISTS (SELECT FROM articles a WHERE a.id = d.id) ORDER BY id`,
    [batch, asked],
  );
  if (articles.length === 0)
    throw new NotFoundError("There is nothing to bring back: it is back already, or a day is over.");
  const seen = articles.find(({ isPublished }) => isPublished);
  if (seen && !permissions.includes("articles.publish")) {
    const message = `Readers would see “${seen.title}” again, which your role may not decide: ask somebody who may publish.`;
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  for (const article of articles) await bringBackArticle(db, article);
  const ids = articles.map(({ id }) => id);
  // Deleting led them elsewhere; what a person has changed since stays.
  await db.$executeRaw`
    DELETE FROM redirects r USING deleted_articles d CROSS JOIN LATERAL jsonb_populate_recordset(NULL::redirects, d.rows->'redirects') g
    WHERE d.id = ANY(${ids}::uuid[]) AND r.id = g.id AND r.by_hand = g.by_hand`;
  const kept = "(SELECT * FROM deleted_articles d WHERE d.id = ANY($1::uuid[])) d";
  for (const table of broughtBack) if (table !== "articles") await putBack(db, table, kept, ids);
  await db.$executeRaw`
    DELETE FROM redirects r USING articles a WHERE a.id = ANY(${ids}::uuid[]) AND r.from_path = '/articles/' || a.slug`;
  await db.deletedArticle.deleteMany({ where: { id: { in: ids } } });
  // What became due meanwhile is published by whoever may, as if it had never been away, or waits for them.
  const isDue = { publishAt: { lte: new Date() } };
  const due = await db.article.findMany({ where: { id: { in: ids }, ...isDue }, select: { id: true } });
  await holdSchedules(
    db,
    due.map(({ id }) => id),
    actor.kind === "member" ? actor.id : null,
  );
  await reindexArticles(db, ids);
  const changes = articles.map(({ id, title }) => ({ subject: { kind: "article", id, name: title }, details: {} }));
  await recordAudits(db, actor, "article.restored", changes);
  return articles.map(({ id, title }) => ({ id, title }));
}

interface Deleted {
  id: string;
  title: string;
  slug: string;
  categoryId: string;
  isPublished: boolean;
}

/** An article's own row, as far as it fits what has become of the rest meanwhile. */
async function bringBackArticle(db: Db, article: Deleted): Promise<void> {
  const read = readingOf(db);
  const [category] = await read<{ id: string }>(
    `SELECT id::text FROM categories WHERE id = $1::uuid OR parent_id IS NULL
     ORDER BY id = $1::uuid DESC, sequence NULLS LAST, name, id LIMIT 1 FOR KEY SHARE`,
    [article.categoryId],
  );
  if (!category) throw new NotFoundError("There is no category to bring it back into: make one first.");
  // By another article, or by what somebody has made its address lead to since. Deletions that took the versions with them
  // left a redirect by the clock of their server, and not at the very time.
  const [taken] = await read<object>(
    `SELECT FROM articles WHERE slug = $2
     UNION ALL SELECT FROM redirects r JOIN deleted_articles d ON d.id = $1::uuid
       WHERE r.from_path = '/articles/' || $2 AND (r.by_hand OR abs(extract(epoch FROM r.created_at - d.deleted_at)) > CASE WHEN d.rows ? 'article_versions' THEN 30 ELSE 0 END)`,
    [article.id, article.slug],
  );
  const slug = taken ? await unusedSlug(read, article.slug) : article.slug;
  const columns = await columnsOf(db, "articles");
  await db.$executeRawUnsafe(
    `INSERT INTO articles (${columns}) SELECT ${columns} FROM (
       SELECT r.* FROM deleted_articles d
       CROSS JOIN LATERAL jsonb_populate_record(NULL::articles, '{"publish_held": false, "slug_chosen": false, "previews_ended": 0}'::jsonb || (d.rows->'articles'->0) || $2::jsonb || CASE
         WHEN EXISTS (SELECT FROM articles a WHERE a.source_path = d.rows->'articles'->0->>'source_path')
         THEN '{"source_path": null, "source_hash": null}'::jsonb ELSE '{}' END) r
       WHERE d.id = $1::uuid
     ) r`,
    article.id,
    JSON.stringify({ slug, category_id: category.id }),
  );
}

/**
 * Forgets articles that cannot be brought back any more, some of what belonged to them at a time; also what was left by
 * servers of before, which deleted an article without it.
 */
export async function forgetDeleted(workspaceId: string): Promise<void> {
  const over = await readWorkspace(workspaceId, (read) =>
    read<{ id: string }>(
      `SELECT id::text FROM deleted_articles d
       WHERE deleted_at < now() - make_interval(hours => ${UNDO_HOURS}, mins => ${GRACE_MINUTES})
         AND NOT EXISTS (SELECT FROM articles a WHERE a.id = d.id)`,
    ),
  );
  for (const { id } of over) {
    for (const table of bulky) await forgetRows(workspaceId, table, id);
    // Last, so that whoever is stopped meanwhile finds it again.
    await inWorkspace(workspaceId, (db) => db.deletedArticle.deleteMany({ where: { id } }));
  }
  for (const table of bulky) {
    for (const id of await withoutArticle(workspaceId, table)) await forgetRows(workspaceId, table, id);
  }
}

type Bulky = (typeof bulky)[number];

async function forgetRows(workspaceId: string, table: Bulky, articleId: string): Promise<void> {
  const forget = (db: Db) =>
    db.$executeRawUnsafe(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE article_id = $1::uuid LIMIT ${BATCH})`,
      articleId,
    );
  while ((await inWorkspace(workspaceId, forget)) === BATCH);
}

/** The ids of articles that are neither there nor deleted, and still have rows: found by one step of the index for each article. */
async function withoutArticle(workspaceId: string, table: Bulky): Promise<string[]> {
  const rows = await readWorkspace(workspaceId, (read) =>
    read<{ id: string }>(
      `WITH RECURSIVE found AS (
         (SELECT article_id FROM ${table} ORDER BY article_id LIMIT 1)
         UNION ALL
         SELECT (SELECT x.article_id FROM ${table} x WHERE x.article_id > f.article_id ORDER BY x.article_id LIMIT 1)
         FROM found f WHERE f.article_id IS NOT NULL
       )
       SELECT article_id::text AS id FROM found f WHERE article_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM articles a WHERE a.id = f.article_id)
         AND NOT EXISTS (SELECT FROM deleted_articles d WHERE d.id = f.article_id) LIMIT ${BATCH}`,
    ),
  );
  return rows.map(({ id }) => id);
}
