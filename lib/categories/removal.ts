import { holdSchedules } from "@/lib/articles/hold";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { freeSlug, pathOf, reindexCategory } from "@/lib/categories/changes";
import { refusal } from "@/lib/categories/fields";
import { lockWithArticles } from "@/lib/categories/locks";
import { putInOrder, subjectOf, tooDeep } from "@/lib/categories/places";
import { CategoryTree, MOST_LEVELS } from "@/lib/categories/tree";
import { type Db, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { putBack } from "@/lib/trash/rows";
import { lockTrash, putInTrash, removeFromTrash } from "@/lib/trash/trash";

/** The most articles that return with their category. If it had more, all stay where the deletion put them. */
const MOST_RETURNING = 10_000;

export interface Removed {
  name: string;
  articles: number;
  categories: number;
  reach: "opened" | "closed" | null;
}

interface Moved {
  into: string | null;
  count: number;
  articles: { id: string; sequence: number }[];
  categories: { id: string; sequence: number | null }[];
}

/**
 * Moves a category to the trash. Its contents go to the end of `into`, and its URL redirects there. Without contents and a
 * replacement, the URL is gone.
 * @throws InvalidError about `into`: missing although there are contents, unknown, below the category, or too deep
 */
export async function removeCategory(
  db: Db,
  id: string,
  into: string | null,
  actor: Actor,
  as: "merged" | "deleted" = "deleted",
): Promise<Removed> {
  const tree = await CategoryTree.lock(db);
  const category = tree.get(id);
  const articles = await lockWithArticles(db, category.id);
  const children = tree.childrenOf(category.id);
  if (into === null && children.length + articles.length > 0) {
    throw refusal("into", "required", `“${category.name}” is not empty. Choose a category for its contents.`);
  }
  const target = into === null ? null : targetFor(tree, category.id, into);
  const moved: Moved = {
    into: target?.id ?? null,
    count: articles.length + children.length,
    articles: articles.length > MOST_RETURNING ? [] : articles,
    categories: children.map((child) => ({ id: child.id, sequence: child.sequence })),
  };
  await putInTrash(db, "category", [category.id], actor, { details: moved });
  const wasClosed = tree.isClosed(category.id);
  const isClosed = target ? tree.isClosed(target.id) : wasClosed;
  if (target) {
    await moveArticles(db, category.id, target.id, articles, actor);
    const ids = children.map((child) => child.id);
    if (ids.length > 0) await db.category.updateMany({ where: { id: { in: ids } }, data: { parentId: target.id } });
    await putInOrder(db, [...tree.childrenOf(target.id).filter((child) => child.id !== category.id), ...children]);
  }
  const heir = target?.id ?? category.parentId;
  // A workspace for members can be opened later, and then decides about redirects without a category.
  const hides = (wasClosed && !tree.isClosed(heir)) || (heir === null && category.visibility === "members");
  await leaveRedirects(db, category, target?.id ?? null, hides);
  await db.category.deleteMany({ where: { id: category.id } });
  if (target && articles.length > 0) await reindexCategory(db, target.id, articles);
  await recordAudit(db, actor, `category.${as}`, subjectOf(category), {
    slug: category.slug,
    ...(target && { into: target.name, articles: articles.length, categories: children.length }),
  });
  return {
    name: category.name,
    articles: articles.length,
    categories: children.length,
    reach: wasClosed === isClosed ? null : isClosed ? "closed" : "opened",
  };
}

function targetFor(tree: CategoryTree, id: string, into: string): { id: string; name: string } {
  const target = tree.find(into);
  if (!target) throw refusal("into", "not_found", "The target category doesn't exist. Choose another one.");
  const path = tree.pathTo(target.id);
  if (path.some((category) => category.id === id)) {
    throw refusal(
      "into",
      "not_allowed",
      `The contents of “${tree.get(id).name}” can't go into “${tree.get(id).name}” or its subcategories. Choose another category.`,
    );
  }
  if (path.length + tree.heightOf(id) - 1 > MOST_LEVELS) throw refusal("into", "not_allowed", tooDeep);
  return target;
}

/** Puts scheduled articles on hold if the person moving them may not publish: other people may read the new category. */
async function moveArticles(
  db: Db,
  from: string,
  to: string,
  articles: readonly { id: string }[],
  actor: Actor,
): Promise<void> {
  await db.$executeRaw`
    UPDATE articles a SET category_id = ${to}::uuid, sequence = last.place + g.place
    FROM (SELECT id, row_number() OVER (ORDER BY sequence, title, id) AS place FROM articles WHERE category_id = ${from}::uuid) g,
      (SELECT least(coalesce(max(sequence), 0), 2000000000) AS place FROM articles WHERE category_id = ${to}::uuid) last
    WHERE a.id = g.id`;
  await hold(db, articles, actor);
}

function hold(db: Db, articles: readonly { id: string }[], actor: Actor): Promise<void> {
  const ids = articles.map(({ id }) => id);
  return holdSchedules(db, ids, actor);
}

/** @param hides the category was for members but its surroundings are not, so nobody may learn that it is gone */
async function leaveRedirects(
  db: Db,
  category: { id: string; slug: string; parentId: string | null },
  into: string | null,
  hides: boolean,
): Promise<void> {
  const { id: categoryId, slug, parentId } = category;
  const fromPath = pathOf(slug);
  if (!hides)
    await db.redirect.updateMany({ where: { categoryId, kind: "gone" }, data: { categoryId: into ?? parentId } });
  await db.redirect.deleteMany({ where: { fromPath } });
  if (into === null && hides) return void (await db.redirect.deleteMany({ where: { categoryId, kind: "category" } }));
  const target = into === null ? { kind: "gone", categoryId: parentId, byHand: false } : { categoryId: into };
  await db.redirect.updateMany({ where: { categoryId, kind: "category" }, data: target });
  // The time of the transaction tells this redirect from one that someone adds later (slugFor).
  await db.$executeRaw`
    INSERT INTO redirects (from_path, kind, category_id, created_at)
    VALUES (${fromPath}, ${into === null ? "gone" : "category"}, ${into ?? parentId}::uuid, now())`;
}

interface CategoryRow {
  slug: string;
  parent_id: string | null;
  source_path: string | null;
}

export interface Restored {
  id: string;
  name: string;
  slug: string;
  isNewSlug: boolean;
  elsewhere: string[];
  /** Articles and subcategories that the deletion moved and restoring did not move back. */
  left: number;
}

/**
 * Restores a category in its position, with the contents that are still where its deletion put them. A taken slug gets a
 * number. Throws InvalidError when its parent is gone or too deep, and above MOST_CATEGORIES.
 */
export async function restoreCategory(db: Db, id: string, actor: Actor): Promise<Restored> {
  const tree = await CategoryTree.lock(db);
  const [entry] = await lockTrash<CategoryRow, Moved>(db, "category", [id]);
  if (!entry) throw new NotFoundError("No such category was deleted.");
  const { title: name, row, details: moved } = entry;
  tree.refuseMore();
  const above = tree.pathTo(row.parent_id);
  if ((row.parent_id !== null && above.length === 0) || above.length >= MOST_LEVELS) {
    throw refusal("parent", "not_found", "Its parent category was deleted. Restore the parent first.");
  }
  const slug = await slugFor(db, entry);
  await putBack(db, "categories", [id], { slug, ...(await freeFolder(db, row.source_path)) });
  const elsewhere = await restoreRedirects(db, id, slug);
  const returning = moved.categories.filter(({ id: child }) => {
    const fits = !above.some((one) => one.id === child) && above.length + 1 + tree.heightOf(child) <= MOST_LEVELS;
    return tree.find(child)?.parentId === moved.into && fits;
  });
  // Before the subcategories are locked. Someone who moves one of the articles to a subcategory could wait for this.
  const articles = await returnArticles(db, id, moved, actor);
  for (const child of returning) {
    await db.category.updateMany({ where: { id: child.id }, data: { parentId: id, sequence: child.sequence } });
  }
  await removeFromTrash(db, [id]);
  const left = moved.count - articles - returning.length;
  const lost = elsewhere.length > 0 && { lead_elsewhere: elsewhere.join(", ") };
  await recordAudit(db, actor, "category.restored", subjectOf({ id, name }), { slug, ...lost });
  return { id, name, slug, isNewSlug: slug !== row.slug, elsewhere, left };
}

/** The next free slug if another category or a later redirect has its URL. */
async function slugFor(db: Db, { id, row: { slug } }: { id: string; row: CategoryRow }): Promise<string> {
  const [taken] = await readingOf(db)<object>(
    `SELECT FROM categories WHERE slug = $2
     UNION ALL SELECT FROM redirects r JOIN trash t ON t.id = $1::uuid
       WHERE r.from_path = '/categories/' || $2 AND (r.by_hand OR r.created_at <> t.deleted_at)`,
    [id, slug],
  );
  return taken ? freeSlug(db, slug, id) : slug;
}

async function freeFolder(db: Db, path: string | null): Promise<Record<string, null>> {
  const isTaken = path !== null && (await db.category.count({ where: { sourcePath: path } })) > 0;
  return isTaken ? { source_path: null, source_hash: null, source_state: null } : {};
}

async function restoreRedirects(db: Db, id: string, slug: string): Promise<string[]> {
  // The deletion changed these redirects. Redirects that a person has changed since stay.
  await db.$executeRaw`
    DELETE FROM redirects r USING trash t CROSS JOIN LATERAL jsonb_populate_recordset(NULL::redirects, t.rows->'redirects') g
    WHERE t.id = ${id}::uuid AND r.id = g.id AND (NOT r.by_hand
      OR g.by_hand AND r.kind = 'category' AND r.category_id = (t.details->>'into')::uuid)`;
  await db.redirect.deleteMany({ where: { fromPath: pathOf(slug) } });
  await putBack(db, "redirects", [id]);
  const elsewhere = await readingOf(db)<{ path: string }>(
    `SELECT g.from_path AS path FROM trash t
     CROSS JOIN LATERAL jsonb_populate_recordset(NULL::redirects, t.rows->'redirects') g
     WHERE t.id = $1::uuid AND NOT EXISTS (SELECT FROM redirects r WHERE r.id = g.id AND r.category_id = $1::uuid) ORDER BY path`,
    [id],
  );
  return elsewhere.map(({ path }) => path);
}

async function returnArticles(db: Db, id: string, { into, articles }: Moved, actor: Actor): Promise<number> {
  if (into === null || articles.length === 0) return 0;
  const ids = articles.map((article) => article.id);
  const returning = await readingOf(db)<{ id: string }>(
    `SELECT id::text FROM articles WHERE id = ANY($1::uuid[]) AND category_id = $2::uuid ORDER BY id FOR NO KEY UPDATE`,
    [ids, into],
  );
  await db.$executeRaw`
    UPDATE articles a SET category_id = ${id}::uuid, sequence = g.sequence
    FROM unnest(${ids}::uuid[], ${articles.map(({ sequence }) => sequence)}::int[]) AS g(id, sequence)
    WHERE a.id = g.id AND a.id = ANY(${returning.map((article) => article.id)}::uuid[])`;
  await hold(db, returning, actor);
  await reindexCategory(db, id);
  return returning.length;
}
