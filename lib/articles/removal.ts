import { unusedSlug } from "@/lib/articles/drafts";
import { holdSchedules } from "@/lib/articles/hold";
import { type Actor, recordArticles, recordAudits } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import type { Permission } from "@/lib/members/roles";
import { type RequestedTarget, targetOf } from "@/lib/redirects/redirects";
import { reindexArticles } from "@/lib/search/reindex";
import { updateRestored } from "@/lib/snippets/snippets";
import { putBack } from "@/lib/trash/rows";
import { isTooMuch, lockTrash, putInTrash, removeFromTrash, type Stored, storedTables } from "@/lib/trash/trash";

/**
 * Moves articles to the trash with everything that belongs to them, except versions, views and feedback, which stay in their
 * tables until the trash is purged. Unknown ids are skipped.
 * @param to the target of redirects from URLs that readers have seen; "gone" answers 410
 * @param home the workspace's own URL, as for addRedirect
 * @param inBatch a batch to add to, by default a new one
 * @returns the batch that restores them
 * @throws InvalidError about `to`, as addRedirect does, and when several articles are too long together
 */
export async function deleteArticles(
  db: Db,
  ids: readonly string[],
  to: RequestedTarget,
  home: string,
  actor: Actor,
  inBatch?: string,
): Promise<{ batch: string; deleted: { id: string; title: string }[] }> {
  // Categories before articles, as an import that renames them locks them. In another order, each could wait for the other.
  await db.$executeRaw`
    SELECT FROM categories WHERE id IN (SELECT category_id FROM articles WHERE id = ANY(${ids}::uuid[])) ORDER BY id FOR KEY SHARE`;
  const articles = await readingOf(db)<{
    id: string;
    title: string;
    slug: string;
    categoryId: string;
    wasSeen: boolean;
  }>(
    `SELECT id::text, title, slug, category_id::text AS "categoryId", state = 'published' OR published_at IS NOT NULL AS "wasSeen"
     FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [ids],
  );
  if (articles.length === 0) throw new NotFoundError("These articles were deleted.");
  const existing = articles.map(({ id }) => id);
  if (articles.length > 1 && (await isTooMuch(readingOf(db), existing))) {
    const message = "These articles are too long to delete together. Select fewer.";
    throw new InvalidError([{ field: "", code: "too_long", message }]);
  }
  const batch = await putInTrash(db, "article", existing, actor, { batch: inBatch });
  for (const article of articles) await leaveRedirects(db, article, to, home, existing);
  await db.article.deleteMany({ where: { id: { in: existing } } });
  const changes = articles.map(({ id, title, slug }) => ({
    subject: { kind: "article", id, name: title },
    details: { slug },
  }));
  await recordAudits(db, actor, "article.deleted", changes);
  return { batch, deleted: articles.map(({ id, title }) => ({ id, title })) };
}

async function leaveRedirects(
  db: Db,
  article: { id: string; slug: string; categoryId: string; wasSeen: boolean },
  to: RequestedTarget,
  home: string,
  without: readonly string[],
): Promise<void> {
  const { id, slug, categoryId, wasSeen } = article;
  const former = await db.redirect.findMany({ where: { articleId: id }, select: { id: true } });
  if (!wasSeen && former.length === 0) return;
  const path = `/articles/${slug}`;
  // The category decides who may learn that the page is gone (lib/reader/former-address.ts).
  const target = await targetOf(db, path, to, home, { categoryId, without });
  await db.redirect.updateMany({ where: { id: { in: former.map((redirect) => redirect.id) } }, data: target });
  if (!wasSeen) return;
  await db.redirect.deleteMany({ where: { fromPath: path } });
  // The time of the transaction tells this redirect from one that someone adds later (restoreArticle).
  await db.$executeRaw`
    INSERT INTO redirects (from_path, kind, article_id, category_id, url, created_at)
    VALUES (${path}, ${target.kind}, ${target.articleId}::uuid, ${target.categoryId}::uuid, ${target.url}, now())`;
}

/** Articles that name the restored ones may have been published, unpublished or edited meanwhile. */
async function relateAgain(db: Db, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE related_articles x SET in_live = false FROM articles a
    WHERE x.related_id = ANY(${ids}::uuid[]) AND a.id = x.article_id AND a.state = 'draft' AND x.in_live`;
  // Otherwise, readers would see what was only in a draft, or what was taken out since.
  await db.$executeRaw`
    DELETE FROM related_articles x USING articles a
    WHERE x.related_id = ANY(${ids}::uuid[]) AND a.id = x.article_id AND CASE WHEN a.state = 'draft' THEN NOT x.in_draft
      ELSE x.in_live <> x.in_draft AND NOT EXISTS (SELECT FROM article_drafts d WHERE d.id = a.id) END`;
}

interface ArticleRow {
  slug: string;
  category_id: string;
  state: string;
  source_path: string | null;
  external_id?: string | null;
}

/**
 * Restores articles as they were. If the URL is taken, the article gets the next free one. If its category is gone, it goes
 * into the first category.
 * @param which the batch of a deletion, or ids of deleted articles
 * @throws InvalidError for a published article without permission to publish
 */
export async function restoreArticles(
  db: Db,
  which: string | readonly string[],
  actor: Actor,
  permissions: readonly Permission[],
): Promise<{ id: string; title: string; slug: string; isNewSlug: boolean }[]> {
  const entries = await lockTrash<ArticleRow>(db, "article", which);
  const ids = entries.map(({ id }) => id);
  // Articles before the workspace, as slug changes lock them. In another order, each could wait for the other.
  await db.$executeRaw`
    SELECT id FROM articles WHERE id IN (
      SELECT unnest(ARRAY[(r->>'article_id')::uuid, (r->>'related_id')::uuid])
      FROM trash t CROSS JOIN LATERAL jsonb_array_elements(t.rows->'related_articles') r WHERE t.id = ANY(${ids}::uuid[])
    ) ORDER BY id FOR SHARE`;
  // Nobody else takes one of the slugs until the transaction ends.
  await lockWorkspace(db);
  const published = entries.find(({ row }) => row.state === "published");
  if (published && !permissions.includes("articles.publish")) {
    const message = `Readers would see “${published.title}” again. Ask someone who can publish to restore it.`;
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  const restored: { id: string; title: string; slug: string; isNewSlug: boolean }[] = [];
  for (const entry of entries) {
    const slug = await restoreArticle(db, entry);
    restored.push({ id: entry.id, title: entry.title, slug, isNewSlug: slug !== entry.row.slug });
  }
  // The deletion changed these redirects. Redirects that a person has changed since stay.
  await db.$executeRaw`
    DELETE FROM redirects r USING trash t CROSS JOIN LATERAL jsonb_populate_recordset(NULL::redirects, t.rows->'redirects') g
    WHERE t.id = ANY(${ids}::uuid[]) AND r.id = g.id AND r.by_hand = g.by_hand`;
  for (const table of storedTables("article")) if (table !== "articles") await putBack(db, table, ids);
  await relateAgain(db, ids);
  await db.$executeRaw`
    DELETE FROM redirects r USING articles a WHERE a.id = ANY(${ids}::uuid[]) AND r.from_path = '/articles/' || a.slug`;
  await removeFromTrash(db, ids);
  // An article that became due meanwhile is put on hold if the person restoring it may not publish.
  const isDue = { publishAt: { lte: new Date() } };
  const due = await db.article.findMany({ where: { id: { in: ids }, ...isDue }, select: { id: true } });
  await holdSchedules(
    db,
    due.map(({ id }) => id),
    actor,
  );
  await reindexArticles(db, ids);
  await updateRestored(db, ids);
  const changes = entries.map(({ id, title }) => ({ subject: { kind: "article", id, name: title }, details: {} }));
  if (entries.length === 1 || actor.within) await recordAudits(db, actor, "article.restored", changes);
  else await recordArticles(db, actor, "articles.restored", changes);
  return restored;
}

/** Whether restoring an article makes it public again. */
export async function isDeletedPublished(read: Read, id: string): Promise<boolean> {
  const deleted = await read(
    `SELECT FROM trash WHERE kind = 'article' AND id = $1::uuid AND rows->'articles'->0->>'state' = 'published'`,
    [id],
  );
  return deleted.length > 0;
}

async function restoreArticle(db: Db, { id, row }: Stored<ArticleRow, object>): Promise<string> {
  const read = readingOf(db);
  const [category] = await read<{ id: string }>(
    `SELECT id::text FROM categories WHERE id = $1::uuid OR parent_id IS NULL
     ORDER BY id = $1::uuid DESC, sequence NULLS LAST, name, id LIMIT 1 FOR KEY SHARE`,
    [row.category_id],
  );
  if (!category) throw new NotFoundError("There is no category to restore the article to. Create one first.");
  const [taken] = await read<object>(
    `SELECT FROM articles WHERE slug = $2
     UNION ALL SELECT FROM redirects r JOIN trash t ON t.id = $1::uuid
       WHERE r.from_path = '/articles/' || $2 AND (r.by_hand OR r.created_at <> t.deleted_at)`,
    [id, row.slug],
  );
  const slug = taken ? await unusedSlug(read, row.slug) : row.slug;
  const [imported] = await read<object>("SELECT FROM articles WHERE source_path = $1", [row.source_path]);
  const source: Record<string, null> = imported ? { source_path: null, source_hash: null } : {};
  const [named] = await read<object>("SELECT FROM articles WHERE external_id = $1", [row.external_id ?? null]);
  const external: Record<string, null> = named ? { external_id: null } : {};
  await putBack(db, "articles", [id], { slug, category_id: category.id, ...source, ...external });
  return slug;
}
