import { keptByVersion, type Read } from "@/lib/db";
import { type Summarized, summarized, summaryColumns } from "@/lib/reader/summary";
import type { Snapshot } from "@/lib/visibility";

export interface NavCategory {
  slug: string;
  name: string;
  /** Articles in it and below. */
  count: number;
  /** Categories below it, on all levels. */
  below: number;
  /** Whether it is the current category or an ancestor. Other categories have no children or articles here. */
  open: boolean;
  children: NavCategory[];
  /** Only in the current category: the articles around the current one, else the first ones. */
  articles: { slug: string; title: string }[];
  /** The number of articles directly in it, listed here or not. */
  own: number;
  /** Whether this is the last category shown of a level that has more. */
  cut: boolean;
}

const PAGE_OF_ARTICLES = 100;
const PAGE_OF_CATEGORIES = 60;
const NAV_ARTICLES = 30;

export interface Breadcrumb {
  slug: string;
  name: string;
}

export interface PublishedCategory {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  ancestors: Breadcrumb[];
  /** Articles in it and below. */
  count: number;
  subcategories: CategoryCard[];
  articles: { slug: string; title: string; summary: string }[];
  page: number;
  pages: number;
}

export interface CategoryCard {
  slug: string;
  name: string;
  description: string | null;
  count: number;
}

export interface ArticleTeaser {
  slug: string;
  title: string;
  category: Breadcrumb;
}

export interface Home {
  /** The first root categories. */
  categories: CategoryCard[];
  cut: boolean;
  total: number;
  popular: ArticleTeaser[];
  recent: (ArticleTeaser & { publishedAt: Date })[];
}

const HOME_TEASERS = 6;
const HOME_ROOTS = 24;

export interface TreeCategory {
  id: string;
  parentId: string | null;
  slug: string;
  name: string;
  description: string | null;
  own: number;
  /** Articles in it and below. */
  count: number;
  /** Categories below it, on all levels. */
  below: number;
  children: TreeCategory[];
}

/** The maps are in tree order, each category before its children. */
interface Tree {
  roots: TreeCategory[];
  bySlug: Map<string, TreeCategory>;
  byId: Map<string, TreeCategory>;
}

/** In bytes. */
const MOST_KEPT = 32 * 2 ** 20;

/** Almost every page needs one. */
const keptTree = keptByVersion<Tree>(MOST_KEPT, ({ byId }) =>
  [...byId.values()].reduce((sum, { description }) => sum + 600 + 2 * (description?.length ?? 0), 0),
);

export function publishedTree({ read, viewer, hidden }: Snapshot): Promise<Tree> {
  return keptTree(read, "content", `tree ${viewer}`, () => findTree(read, hidden));
}

async function findTree(read: Read, hidden: readonly string[]): Promise<Tree> {
  const rows = await read<Omit<TreeCategory, "count" | "below" | "children">>(
    `SELECT c.id, c.parent_id AS "parentId", c.slug, c.name, c.description, coalesce(n.own, 0) AS own
     FROM categories c
     LEFT JOIN (
       SELECT category_id, count(*)::int AS own FROM articles WHERE state = 'published' GROUP BY category_id
     ) n ON n.category_id = c.id
     WHERE c.id <> ALL($1::uuid[])
     ORDER BY c.sequence NULLS LAST, c.name, c.id`,
    [hidden],
  );
  const all = new Map(rows.map((row) => [row.id, { ...row, count: 0, below: 0, children: [] as TreeCategory[] }]));
  for (const node of all.values()) if (node.parentId) all.get(node.parentId)?.children.push(node);
  const count = (node: TreeCategory): number => {
    node.count = node.children.reduce((sum, child) => sum + count(child), node.own);
    node.children = node.children.filter((child) => child.count > 0);
    node.below = node.children.reduce((sum, child) => sum + 1 + child.below, 0);
    return node.count;
  };
  const roots = [...all.values()].filter(({ parentId }) => parentId === null).filter((root) => count(root) > 0);
  const shown = roots.flatMap(withDescendants);
  return {
    roots,
    bySlug: new Map(shown.map((node) => [node.slug, node])),
    byId: new Map(shown.map((node) => [node.id, node])),
  };
}

function withDescendants(node: TreeCategory): TreeCategory[] {
  return [node, ...node.children.flatMap(withDescendants)];
}

function pathTo(tree: Tree, node: TreeCategory): TreeCategory[] {
  const above = node.parentId && tree.byId.get(node.parentId);
  return above ? [...pathTo(tree, above), node] : [node];
}

/** The category tree, open down to the current category. An unknown slug opens nothing. */
export async function publishedNav(
  snapshot: Snapshot,
  { category, article }: { category?: string; article?: string } = {},
): Promise<NavCategory[]> {
  const tree = await publishedTree(snapshot);
  const current = category === undefined ? undefined : tree.bySlug.get(category);
  const path = new Set(current ? pathTo(tree, current) : []);
  const articles = current?.own ? await articlesAround(snapshot, current.id, article) : [];
  const level = (nodes: TreeCategory[]): NavCategory[] => {
    const first = nodes.slice(0, PAGE_OF_CATEGORIES);
    const open = nodes.find((node) => path.has(node));
    if (open && !first.includes(open)) first.splice(-1, 1, open);
    return first.map((node, index) => ({
      slug: node.slug,
      name: node.name,
      count: node.count,
      below: node.below,
      open: path.has(node),
      children: path.has(node) ? level(node.children) : [],
      articles: node === current ? articles : [],
      own: node.own,
      cut: first.length < nodes.length && index === first.length - 1,
    }));
  };
  return level(tree.roots);
}

/** What is directly in a category. */
export interface Branch {
  categories: Breadcrumb[];
  /** The first ones. */
  articles: NavCategory["articles"];
  /** The number of articles. */
  own: number;
  /** Whether it has more categories than these. */
  cut: boolean;
}

/** Null when the viewer may not see the category, or it is empty. */
export async function publishedBranch(snapshot: Snapshot, slug: string): Promise<Branch | null> {
  const node = (await publishedTree(snapshot)).bySlug.get(slug);
  if (!node) return null;
  return {
    categories: node.children.slice(0, PAGE_OF_CATEGORIES).map(breadcrumb),
    articles: node.own > 0 ? await articlesAround(snapshot, node.id) : [],
    own: node.own,
    cut: node.children.length > PAGE_OF_CATEGORIES,
  };
}

export interface CategoryName extends Breadcrumb {
  /** The names of the categories above it. */
  above: string;
}

/** All categories, in tree order. */
export async function publishedNames(snapshot: Snapshot): Promise<CategoryName[]> {
  const tree = await publishedTree(snapshot);
  return [...tree.bySlug.values()].map((node) => {
    const path = pathTo(tree, node).slice(0, -1);
    return { ...breadcrumb(node), above: path.map(({ name }) => name).join(" › ") };
  });
}

async function articlesAround({ read }: Snapshot, categoryId: string, slug = ""): Promise<NavCategory["articles"]> {
  const side = (comparison: "<" | ">=") => {
    const order = comparison === "<" ? "DESC" : "ASC";
    return `(SELECT a.slug, a.title, a.sequence, a.id, ${comparison === "<"} AS before FROM articles a
      WHERE a.category_id = $1 AND a.state = 'published'
        AND coalesce((a.sequence, a.title, a.id) ${comparison} (SELECT h.sequence, h.title, h.id FROM here h), ${comparison === ">="})
      ORDER BY a.sequence ${order}, a.title ${order}, a.id ${order} LIMIT ${NAV_ARTICLES})`;
  };
  const rows = await read<{ slug: string; title: string; before: boolean }>(
    `WITH here AS (SELECT sequence, title, id FROM articles WHERE slug = $2 AND category_id = $1)
     SELECT slug, title, before FROM (${side("<")} UNION ALL ${side(">=")}) around ORDER BY sequence, title, id`,
    [categoryId, slug],
  );
  const before = rows.filter((row) => row.before).length;
  const after = rows.length - before;
  // Half of them before and half after. If one side has fewer, the other side gets the room.
  const skipped = Math.max(0, before - Math.max(NAV_ARTICLES / 2, NAV_ARTICLES - after));
  return rows.slice(skipped, skipped + NAV_ARTICLES).map(({ slug: at, title }) => ({ slug: at, title }));
}

/** Null when there is no such page. Pages count from 1. */
export async function publishedRoots(
  snapshot: Snapshot,
  page: number,
): Promise<{ categories: CategoryCard[]; page: number; pages: number } | null> {
  const { roots } = await publishedTree(snapshot);
  const pages = Math.max(1, Math.ceil(roots.length / PAGE_OF_CATEGORIES));
  if (page < 1 || page > pages) return null;
  return { categories: cardsOnPage(roots, page), page, pages };
}

function cardsOnPage(nodes: TreeCategory[], page: number): CategoryCard[] {
  return nodes.slice((page - 1) * PAGE_OF_CATEGORIES, page * PAGE_OF_CATEGORIES).map(card);
}

/** From the root down to the category itself, or empty when the viewer may not see it. */
export async function breadcrumbsTo(snapshot: Snapshot, categoryId: string): Promise<Breadcrumb[]> {
  const tree = await publishedTree(snapshot);
  const node = tree.byId.get(categoryId);
  return node ? pathTo(tree, node).map(breadcrumb) : [];
}

/** Null when the viewer may not see the category, it is empty, or there is no such page. */
export async function publishedCategory(snapshot: Snapshot, slug: string, page = 1): Promise<PublishedCategory | null> {
  const tree = await publishedTree(snapshot);
  const node = tree.bySlug.get(slug);
  if (!node) return null;
  const pages = Math.max(
    1,
    Math.ceil(node.own / PAGE_OF_ARTICLES),
    Math.ceil(node.children.length / PAGE_OF_CATEGORIES),
  );
  if (page < 1 || page > pages) return null;
  const articles = await snapshot.read<Summarized & { slug: string; title: string }>(
    `SELECT a.slug, l.title, ${summaryColumns}
     FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.category_id = $1 AND a.state = 'published'
     ORDER BY a.sequence, a.title, a.id LIMIT ${PAGE_OF_ARTICLES} OFFSET $2`,
    [node.id, (page - 1) * PAGE_OF_ARTICLES],
  );
  return {
    id: node.id,
    ...card(node),
    articles: articles.map(summarized),
    page,
    pages,
    ancestors: pathTo(tree, node).slice(0, -1).map(breadcrumb),
    subcategories: cardsOnPage(node.children, page),
  };
}

export async function homeOf(snapshot: Snapshot): Promise<Home> {
  const tree = await publishedTree(snapshot);
  const popular = await popularArticles(snapshot, HOME_TEASERS);
  const recent = await teasers(snapshot, "true", "coalesce(published_at, created_at) DESC", HOME_TEASERS);
  const categoryOf = (id: string): Breadcrumb => breadcrumb(tree.byId.get(id) as TreeCategory);
  return {
    cut: tree.roots.length > HOME_ROOTS,
    total: tree.roots.reduce((sum, { count }) => sum + count, 0),
    categories: tree.roots.slice(0, HOME_ROOTS).map(card),
    popular: popular.map(({ slug, title, categoryId }) => ({ slug, title, category: categoryOf(categoryId) })),
    recent: recent.map(({ slug, title, categoryId, publishedAt }) => ({
      slug,
      title,
      publishedAt,
      category: categoryOf(categoryId),
    })),
  };
}

interface Teaser {
  slug: string;
  title: string;
  categoryId: string;
  publishedAt: Date;
}

export function popularArticles(snapshot: Snapshot, limit: number): Promise<Teaser[]> {
  return teasers(snapshot, "unique_views_count > 0", "unique_views_count DESC", limit);
}

function teasers({ read, hidden }: Snapshot, condition: string, order: string, limit: number): Promise<Teaser[]> {
  return read(
    `SELECT slug, title, category_id AS "categoryId", coalesce(published_at, created_at) AS "publishedAt"
     FROM articles WHERE state = 'published' AND category_id <> ALL($1::uuid[]) AND ${condition}
     ORDER BY ${order}, id LIMIT $2`,
    [hidden, limit],
  );
}

function breadcrumb({ slug, name }: TreeCategory): Breadcrumb {
  return { slug, name };
}

function card({ slug, name, description, count }: TreeCategory): CategoryCard {
  return { slug, name, description, count };
}
