import type { Read } from "@/lib/db";
import type { Sight } from "@/lib/visibility";

/** A category in the tree beside a page. */
export interface NavCategory {
  slug: string;
  name: string;
  /** Articles in it and everywhere below. */
  count: number;
  /** Whether it is the current category, or one above it. Only such a one brings children or articles. */
  open: boolean;
  children: NavCategory[];
  /** Of the current category alone, in reading order: those around the current article, else the first. */
  articles: { slug: string; title: string }[];
  /** Articles of its own, however many of them are there. */
  own: number;
  /** Whether others of its level are left out: it is the last that is shown then. */
  cut: boolean;
}

/** How many articles and categories a page of them shows at most. */
const PAGE_OF_ARTICLES = 100;
const PAGE_OF_CATEGORIES = 60;

/** How many articles the tree shows at most: it stands beside each of them. */
const NAV_ARTICLES = 30;

/** A category on the way to something, root first. */
export interface Breadcrumb {
  slug: string;
  name: string;
}

/** A category as a page of its own shows it. */
export interface PublishedCategory {
  slug: string;
  name: string;
  description: string | null;
  /** Root first, without itself. */
  ancestors: Breadcrumb[];
  /** Articles in it and everywhere below. */
  count: number;
  /** One page of them. */
  subcategories: CategoryCard[];
  /** One page of its own articles, in reading order. */
  articles: { slug: string; title: string; excerpt: string }[];
  page: number;
  /** At least 1. */
  pages: number;
}

/** A category as it is offered for reading. */
export interface CategoryCard {
  slug: string;
  name: string;
  description: string | null;
  count: number;
}

/** An article as it is offered for reading. */
export interface ArticleTeaser {
  slug: string;
  title: string;
  category: Breadcrumb;
}

/** What the start page shows. */
export interface Home {
  /** The first roots. Where they are few, each with its first articles, and with those below it while there is room. */
  categories: (CategoryCard & { articles: { slug: string; title: string }[]; children: Breadcrumb[] })[];
  /** Whether there are more roots than these. */
  cut: boolean;
  /** All articles, in whatever category. */
  total: number;
  /** The most viewed first; none that nobody viewed. */
  popular: ArticleTeaser[];
  /** The newest first. */
  recent: (ArticleTeaser & { publishedAt: Date })[];
}

/** How many articles the start page offers: of each category, and in each of its lists. */
const FEW = 5;
const SOME = 6;

/** With more roots than these the start page says of each what it is, and no more. */
const ROOTS_WITH_CONTENTS = 12;

/** How many roots the start page names at most. */
const ROOTS = 24;

interface Node {
  id: string;
  parentId: string | null;
  slug: string;
  name: string;
  description: string | null;
  /** Articles of its own. */
  own: number;
  /** Those and everything below. */
  count: number;
  children: Node[];
}

interface Tree {
  roots: Node[];
  bySlug: Map<string, Node>;
  byId: Map<string, Node>;
}

/** A snapshot does not change, so the parts of a page share what one of them has read. */
const trees = new WeakMap<Read, Tree>();

/** Every category that the viewer may see and that has something to read, in tree order, with its counts. One statement. */
async function treeOf({ read, hidden }: Sight): Promise<Tree> {
  const known = trees.get(read);
  if (known) return known;
  const rows = await read<Omit<Node, "count" | "children">>(
    `SELECT c.id, c.parent_id AS "parentId", c.slug, c.name, c.description, coalesce(n.own, 0) AS own
     FROM categories c
     LEFT JOIN (
       SELECT category_id, count(*)::int AS own FROM articles WHERE state = 'published' GROUP BY category_id
     ) n ON n.category_id = c.id
     WHERE c.id <> ALL($1::uuid[])
     ORDER BY c.sequence NULLS LAST, c.name, c.id`,
    [hidden],
  );
  const all = new Map(rows.map((row) => [row.id, { ...row, count: 0, children: [] as Node[] }]));
  for (const node of all.values()) if (node.parentId) all.get(node.parentId)?.children.push(node);
  const count = (node: Node): number => {
    node.count = node.children.reduce((sum, child) => sum + count(child), node.own);
    node.children = node.children.filter((child) => child.count > 0);
    return node.count;
  };
  const roots = [...all.values()].filter(({ parentId }) => parentId === null).filter((root) => count(root) > 0);
  const shown = roots.flatMap(withDescendants);
  const tree: Tree = {
    roots,
    bySlug: new Map(shown.map((node) => [node.slug, node])),
    byId: new Map(shown.map((node) => [node.id, node])),
  };
  trees.set(read, tree);
  return tree;
}

function withDescendants(node: Node): Node[] {
  return [node, ...node.children.flatMap(withDescendants)];
}

/** From the root down to a category, itself included. */
function pathTo(tree: Tree, node: Node): Node[] {
  const above = node.parentId && tree.byId.get(node.parentId);
  return above ? [...pathTo(tree, above), node] : [node];
}

/**
 * The tree beside a page: the roots, and along the way to the current category what is below, of each level a bounded
 * number. Categories without a published article below them are left out, as are those that are not for the viewer. Two
 * statements at most.
 * @param category the slug of the current one; one that is not there opens nothing
 * @param article the slug of the current one
 */
export async function publishedNav(
  sight: Sight,
  { category, article }: { category?: string; article?: string } = {},
): Promise<NavCategory[]> {
  const tree = await treeOf(sight);
  const current = category === undefined ? undefined : tree.bySlug.get(category);
  const path = new Set(current ? pathTo(tree, current) : []);
  const articles = current?.own ? await articlesAround(sight, current.id, article) : [];
  const level = (nodes: Node[]): NavCategory[] => {
    const first = nodes.slice(0, PAGE_OF_CATEGORIES);
    const open = nodes.find((node) => path.has(node));
    if (open && !first.includes(open)) first.splice(-1, 1, open);
    return first.map((node, index) => ({
      slug: node.slug,
      name: node.name,
      count: node.count,
      open: path.has(node),
      children: path.has(node) ? level(node.children) : [],
      articles: node === current ? articles : [],
      own: node.own,
      cut: first.length < nodes.length && index === first.length - 1,
    }));
  };
  return level(tree.roots);
}

/** Articles of a category in reading order, as many as the tree shows: those around one, else the first. */
async function articlesAround({ read }: Sight, categoryId: string, slug = ""): Promise<NavCategory["articles"]> {
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
  // Half before and half after, and where there are not as many on a side, more on the other.
  const skipped = Math.max(0, before - Math.max(NAV_ARTICLES / 2, NAV_ARTICLES - after));
  return rows.slice(skipped, skipped + NAV_ARTICLES).map(({ slug: at, title }) => ({ slug: at, title }));
}

/**
 * A page of the root categories.
 * @param page from 1
 * @returns null when there is no such page
 */
export async function publishedRoots(
  sight: Sight,
  page: number,
): Promise<{ categories: CategoryCard[]; page: number; pages: number } | null> {
  const { roots } = await treeOf(sight);
  const pages = Math.max(1, Math.ceil(roots.length / PAGE_OF_CATEGORIES));
  if (page < 1 || page > pages) return null;
  return { categories: part(roots, page).map(card), page, pages };
}

function part(nodes: Node[], page: number): Node[] {
  return nodes.slice((page - 1) * PAGE_OF_CATEGORIES, page * PAGE_OF_CATEGORIES);
}

/** The way to a category, itself included; empty where there is none for the viewer. */
export async function breadcrumbsTo(sight: Sight, categoryId: string): Promise<Breadcrumb[]> {
  const tree = await treeOf(sight);
  const node = tree.byId.get(categoryId);
  return node ? pathTo(tree, node).map(breadcrumb) : [];
}

/**
 * A category with what is in it.
 * @param page of its articles and of the categories below it, from 1
 * @returns null when there is none for the viewer under this slug, nothing published below it, or no such page
 */
export async function publishedCategory(sight: Sight, slug: string, page = 1): Promise<PublishedCategory | null> {
  const tree = await treeOf(sight);
  const node = tree.bySlug.get(slug);
  if (!node) return null;
  const pages = Math.max(
    1,
    Math.ceil(node.own / PAGE_OF_ARTICLES),
    Math.ceil(node.children.length / PAGE_OF_CATEGORIES),
  );
  if (page < 1 || page > pages) return null;
  const articles = await sight.read<{ slug: string; title: string; excerpt: string }>(
    `SELECT a.slug, l.title, l.excerpt
     FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.category_id = $1 AND a.state = 'published'
     ORDER BY a.sequence, a.title, a.id LIMIT ${PAGE_OF_ARTICLES} OFFSET $2`,
    [node.id, (page - 1) * PAGE_OF_ARTICLES],
  );
  const { name, description, count } = node;
  return {
    ...{ slug, name, description, count, articles, page, pages },
    ancestors: pathTo(tree, node).slice(0, -1).map(breadcrumb),
    subcategories: part(node.children, page).map(card),
  };
}

/** What the start page shows. Of a new workspace: nothing, in empty lists. */
export async function homeOf(sight: Sight): Promise<Home> {
  const tree = await treeOf(sight);
  const shown = tree.roots.length > ROOTS_WITH_CONTENTS ? [] : tree.roots;
  const firsts = await sight.read<{ categoryId: string; slug: string; title: string }>(
    `SELECT category_id AS "categoryId", slug, title FROM unnest($1::uuid[]) AS root (id)
     CROSS JOIN LATERAL (
       SELECT category_id, slug, title FROM articles WHERE category_id = root.id AND state = 'published'
       ORDER BY sequence, title, id LIMIT ${FEW}
     ) few`,
    [shown.map(({ id }) => id)],
  );
  const teasers = (condition: string, order: string) =>
    sight.read<{ slug: string; title: string; categoryId: string; publishedAt: Date }>(
      `SELECT slug, title, category_id AS "categoryId", coalesce(published_at, created_at) AS "publishedAt"
       FROM articles WHERE state = 'published' AND category_id <> ALL($1::uuid[]) AND ${condition}
       ORDER BY ${order}, id LIMIT ${SOME}`,
      [sight.hidden],
    );
  const popular = await teasers("unique_views_count > 0", "unique_views_count DESC");
  const recent = await teasers("true", "coalesce(published_at, created_at) DESC");
  const categoryOf = (id: string): Breadcrumb => breadcrumb(tree.byId.get(id) as Node);
  return {
    cut: tree.roots.length > ROOTS,
    total: tree.roots.reduce((sum, { count }) => sum + count, 0),
    categories: tree.roots.slice(0, ROOTS).map((root) => {
      const articles = firsts.filter(({ categoryId }) => categoryId === root.id);
      return {
        ...card(root),
        articles: articles.map(({ slug, title }) => ({ slug, title })),
        children: shown.includes(root) ? root.children.slice(0, FEW - articles.length).map(breadcrumb) : [],
      };
    }),
    popular: popular.map(({ slug, title, categoryId }) => ({ slug, title, category: categoryOf(categoryId) })),
    recent: recent.map(({ slug, title, categoryId, publishedAt }) => ({
      ...{ slug, title, publishedAt },
      category: categoryOf(categoryId),
    })),
  };
}

function breadcrumb({ slug, name }: Node): Breadcrumb {
  return { slug, name };
}

function card({ slug, name, description, count }: Node): CategoryCard {
  return { slug, name, description, count };
}
