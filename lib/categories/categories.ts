import type { CategoryVisibility } from "@/lib/categories/fields";
import { keptByVersion, type Read } from "@/lib/db";
import { everything, type Seen } from "@/lib/visibility";

/** Counts only published articles and categories (contract 47). */
export interface Category {
  id: string;
  parentId: string | null;
  name: string;
  description: string | null;
  slug: string;
  sequence: number | null;
  /** Its own setting. A members-only parent can still restrict it. */
  visibility: CategoryVisibility;
  /** 0 for a root (contract 48). */
  depth: number;
  articlesCount: number;
  categoriesCount: number;
  totalArticlesCount: number;
  /** Root first, without the category itself (contract 49). */
  ancestors: { id: string; name: string; slug: string }[];
  /** In tree order (contract 6). */
  subcategories: Category[];
  articles: NestedArticle[];
}

export interface NestedArticle {
  id: string;
  slug: string;
  title: string;
  createdAt: Date;
  excerpt: string;
}

type Row = Pick<
  Category,
  "id" | "parentId" | "name" | "description" | "slug" | "sequence" | "visibility" | "articlesCount"
>;

const columns = `c.id, c.parent_id AS "parentId", c.name, c.description, c.slug, c.sequence, c.visibility,
  (SELECT count(*)::int FROM articles a
   WHERE a.workspace_id = c.workspace_id AND a.category_id = c.id AND a.state = 'published') AS "articlesCount"`;
const treeOrder = "c.sequence NULLS LAST, c.name, c.id";

/** One page of the roots, each with its whole subtree (contract 50). Visitors get no categories without articles. */
export async function listRootCategories(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
  seen: Seen = everything,
): Promise<{ categories: Category[]; total: number }> {
  const roots = await rootsFor(read, seen);
  const categories = roots.slice(offset, offset + limit);
  await addArticles(read, categories.flatMap(withDescendants));
  return { categories, total: roots.length };
}

/** One page, parents before children, and the number of all. `subcategories` hold no articles (contract 50). */
export async function listAllCategories(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
  seen: Seen = everything,
): Promise<{ categories: Category[]; total: number }> {
  const all = (await rootsFor(read, seen)).flatMap(withDescendants);
  const categories = all.slice(offset, offset + limit);
  await addArticles(read, categories);
  return { categories, total: all.length };
}

async function rootsFor(read: Read, seen: Seen): Promise<Category[]> {
  const rows = await read<Row>(
    `SELECT ${columns} FROM categories c WHERE c.id <> ALL($1::uuid[]) ORDER BY ${treeOrder}`,
    [seen.hidden],
  );
  return treeOf(rows, [], seen);
}

/** In bytes. */
const MOST_KEPT = 16 * 2 ** 20;

const keptCategory = keptByVersion(MOST_KEPT, sizeOf);

/** In bytes, with the JSON of up to three answers of the API (keptCategoryShape), and more than the rest of each object takes. */
function sizeOf({ description, articles, subcategories }: Category): number {
  const own = articles.reduce((sum, { title, excerpt }) => sum + 1_500 + 8 * (title.length + excerpt.length), 4_500);
  return subcategories.reduce((sum, child) => sum + sizeOf(child), own + 8 * (description?.length ?? 0));
}

/**
 * Nobody may change what this returns, because it is kept for further callers.
 * @param nested false leaves out articles (contract 51)
 */
export async function findCategory(
  read: Read,
  id: string,
  nested = true,
  seen: Seen = everything,
): Promise<Category | null> {
  return keptCategory(read, "content", `${id} ${nested} ${seen.viewer}`, () => readCategory(read, id, nested, seen));
}

async function readCategory(read: Read, id: string, nested: boolean, seen: Seen): Promise<Category | null> {
  const rows = await read<Row & { above: Category["ancestors"] | null }>(
    `WITH RECURSIVE up AS (
       SELECT c.workspace_id, c.parent_id, 0 AS level FROM categories c WHERE c.id = $1
       UNION ALL
       SELECT c.workspace_id, c.parent_id, level + 1
       FROM up JOIN categories c ON c.workspace_id = up.workspace_id AND c.id = up.parent_id
     ), tree AS (
       SELECT c.workspace_id, c.id FROM categories c WHERE c.id = $1
       UNION ALL
       SELECT c.workspace_id, c.id FROM tree t JOIN categories c ON c.workspace_id = t.workspace_id AND c.parent_id = t.id
     )
     SELECT ${columns}, CASE WHEN c.id = $1 THEN (
         SELECT json_agg(json_build_object('id', a.id, 'name', a.name, 'slug', a.slug) ORDER BY up.level DESC)
         FROM up JOIN categories a ON a.workspace_id = up.workspace_id AND a.id = up.parent_id) END AS above
     FROM tree t JOIN categories c ON c.workspace_id = t.workspace_id AND c.id = t.id
     WHERE c.id <> ALL($2::uuid[]) ORDER BY ${treeOrder}`,
    [id, seen.hidden],
  );
  const above = rows.find((row) => row.id === id)?.above ?? [];
  const [category] = treeOf(
    rows.map(({ above: _, ...row }) => row),
    above,
    seen,
  );
  if (!category) return null;
  if (nested) await addArticles(read, [category, ...category.subcategories]);
  return category;
}

/** Finds categories by a part of their name, ignoring case. Names that begin with it come first. */
export function findCategoriesCalled(
  read: Read,
  text: string,
  limit: number,
): Promise<{ id: string; slug: string; name: string; above: string | null }[]> {
  return read(
    `SELECT c.id, c.slug, c.name, p.name AS above
     FROM categories c LEFT JOIN categories p ON p.workspace_id = c.workspace_id AND p.id = c.parent_id
     WHERE strpos(lower(c.name), lower($1)) > 0
     ORDER BY strpos(lower(c.name), lower($1)) > 1, c.name, c.id LIMIT $2`,
    [text, limit],
  );
}

/** Keeps the order of rows. A row whose parent is missing becomes a root. Visitors see no category without articles. */
function treeOf(rows: Row[], above: Category["ancestors"], { viewer }: Seen): Category[] {
  const present = new Set(rows.map(({ id }) => id));
  const below = grouped(rows, ({ parentId }) => (parentId && present.has(parentId) ? parentId : null));
  const build = (row: Row, ancestors: Category["ancestors"]): Category => {
    const { id, name, slug } = row;
    const subcategories = shown((below.get(id) ?? []).map((child) => build(child, [...ancestors, { id, name, slug }])));
    const totalArticlesCount = subcategories.reduce((sum, child) => sum + child.totalArticlesCount, row.articlesCount);
    return {
      ...row,
      depth: ancestors.length,
      categoriesCount: subcategories.length,
      totalArticlesCount,
      ancestors,
      subcategories,
      articles: [],
    };
  };
  const shown = (categories: Category[]) =>
    viewer === "member" ? categories : categories.filter(({ totalArticlesCount }) => totalArticlesCount > 0);
  return shown((below.get(null) ?? []).map((row) => build(row, above)));
}

function withDescendants(category: Category): Category[] {
  return [category, ...category.subcategories.flatMap(withDescendants)];
}

/** Adds the first 100 published articles of each category, in reading order (contract 46). */
async function addArticles(read: Read, categories: Category[]): Promise<void> {
  const rows = await read<NestedArticle & { categoryId: string }>(
    `SELECT a.category_id AS "categoryId", a.id, a.slug, a.title, a.created_at AS "createdAt", l.excerpt
     FROM unnest($1::uuid[]) c (id) CROSS JOIN LATERAL (
       SELECT * FROM articles WHERE category_id = c.id AND state = 'published' ORDER BY sequence, title, id LIMIT 100
     ) a
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     ORDER BY a.category_id, a.sequence, a.title, a.id`,
    [categories.map(({ id }) => id)],
  );
  const byCategory = grouped(rows, ({ categoryId }) => categoryId);
  for (const category of categories) {
    category.articles = (byCategory.get(category.id) ?? []).map(({ categoryId: _, ...article }) => article);
  }
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
