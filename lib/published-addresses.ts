import type { Sight } from "@/lib/visibility";
import { xmlText } from "@/lib/xml";

/** A category in which there is something to read, here or below. */
export interface OpenCategory {
  id: string;
  parentId: string | null;
  name: string;
  slug: string;
  description: string | null;
  /** Published articles in it, without those below. */
  articles: number;
  totalArticles: number;
  /** When the text of any of them last changed. */
  changedAt: Date;
}

/** Addresses in one file of the sitemap: a tenth of what the protocol allows, so that each is made quickly. */
const ADDRESSES = 5_000;

/** Articles in the order of their addresses: new ones come last, so that the files before stay as they are. */
const inOrder = "a.created_at, a.id DESC";
const visible = "a.state = 'published' AND a.category_id <> ALL($1::uuid[])";

/** The categories that hold something to read, each before those below it, in tree order. */
export async function openCategories({ read, hidden }: Sight): Promise<OpenCategory[]> {
  const rows = await read<Omit<OpenCategory, "totalArticles" | "changedAt"> & { changedAt: Date | null }>(
    `SELECT c.id, c.parent_id AS "parentId", c.name, c.slug, c.description, coalesce(s.articles, 0) AS articles,
       s.changed_at AS "changedAt"
     FROM categories c
     LEFT JOIN (
       SELECT a.category_id, count(*)::int AS articles, max(a.updated_at) AS changed_at
       FROM articles a WHERE ${visible} GROUP BY a.category_id
     ) s ON s.category_id = c.id
     WHERE c.id <> ALL($1::uuid[]) ORDER BY c.sequence NULLS LAST, c.name, c.id`,
    [hidden],
  );
  const below = new Map<string | null, typeof rows>();
  for (const row of rows) {
    const children = below.get(row.parentId);
    if (children) children.push(row);
    else below.set(row.parentId, [row]);
  }
  const withThoseBelow = (row: (typeof rows)[number]): OpenCategory[] => {
    const inside = (below.get(row.id) ?? []).map(withThoseBelow);
    const children = inside.flatMap(([child]) => child ?? []);
    const totalArticles = children.reduce((sum, child) => sum + child.totalArticles, row.articles);
    const changedAt = newest([row.changedAt, ...children.map((child) => child.changedAt)]);
    return changedAt ? [{ ...row, totalArticles, changedAt }, ...inside.flat()] : [];
  };
  return (below.get(null) ?? []).flatMap(withThoseBelow);
}

/**
 * The index of the sitemap, which names its files.
 * @param home the workspace's address
 * @returns what makes its text, once the unit that it was read in is over
 */
export async function sitemapIndex(sight: Sight, home: string): Promise<() => string> {
  const { pages } = await pageAddresses(sight);
  const articles = await sight.read<{ file: number; changedAt: Date }>(
    `SELECT file, max(updated_at) AS "changedAt" FROM (
       SELECT a.updated_at, ((row_number() OVER (ORDER BY ${inOrder}) - 1 + $2::int) / ${ADDRESSES})::int AS file
       FROM articles a WHERE ${visible}
     ) placed GROUP BY file ORDER BY file`,
    [sight.hidden, pages.length],
  );
  const last = articles.at(-1)?.file ?? Math.floor((pages.length - 1) / ADDRESSES);
  const files = Array.from({ length: last + 1 }, (_, file) => ({
    path: `/sitemaps/${file + 1}.xml`,
    changedAt: newest([
      ...part(pages, file).map(({ changedAt }) => changedAt),
      articles.find((article) => article.file === file)?.changedAt ?? null,
    ]),
  }));
  return () => document("sitemapindex", "sitemap", files, home);
}

/**
 * One file of the sitemap: the start page, then categories, then articles.
 * @param number counted from 1
 * @returns what makes its text, once the unit that it was read in is over; null when there is no such file
 */
export async function sitemapFile(sight: Sight, number: number, home: string): Promise<(() => string) | null> {
  const { pages, articles: total } = await pageAddresses(sight);
  const here = part(pages, number - 1);
  const offset = Math.max((number - 1) * ADDRESSES - pages.length, 0);
  // Skipping costs as much as reading: what lies behind the last article is not looked for.
  if (here.length === 0 && offset >= total) return null;
  const articles = await sight.read<{ slug: string; changedAt: Date }>(
    `SELECT a.slug, a.updated_at AS "changedAt" FROM articles a WHERE ${visible}
     ORDER BY ${inOrder} LIMIT $2 OFFSET $3`,
    [sight.hidden, ADDRESSES - here.length, offset],
  );
  const all = [...here, ...articles.map(({ slug, changedAt }) => ({ path: `/articles/${slug}`, changedAt }))];
  return all.length > 0 ? () => document("urlset", "url", all, home) : null;
}

interface Address {
  path: string;
  changedAt: Date | null;
}

/** The start page and the categories: each lists articles, so it changed when one of those did. And how many articles there are. */
async function pageAddresses(sight: Sight): Promise<{ pages: Address[]; articles: number }> {
  const categories = await openCategories(sight);
  const changedAt = newest(categories.map((category) => category.changedAt));
  return {
    pages: [
      { path: "/", changedAt },
      ...categories.map(({ slug, changedAt: at }) => ({ path: `/categories/${slug}`, changedAt: at })),
    ],
    articles: categories.reduce((sum, category) => sum + category.articles, 0),
  };
}

const part = (pages: Address[], file: number) => pages.slice(file * ADDRESSES, (file + 1) * ADDRESSES);

function newest(dates: (Date | null)[]): Date | null {
  return dates.reduce((latest, date) => (date && (!latest || date > latest) ? date : latest), null);
}

function document(root: string, entry: string, addresses: Address[], home: string): string {
  const entries = addresses.map(({ path, changedAt }) => {
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : "";
    return `<${entry}><loc>${xmlText(home + path)}</loc>${changed}</${entry}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</${root}>\n`;
}
