import { publishedTree } from "@/lib/reader/published-categories";
import { xmlText } from "@/lib/reader/xml";
import type { Snapshot } from "@/lib/visibility";

/** URLs per sitemap file: a tenth of the protocol's limit, so that each file is made quickly. */
const FILE_SIZE = 5_000;

/** New articles come last, so that earlier files do not change. */
const inOrder = "a.created_at, a.id DESC";
const visible = "a.state = 'published' AND a.category_id <> ALL($1::uuid[])";

interface Page {
  path: string;
  changedAt: Date | null;
}

export async function sitemapIndex(snapshot: Snapshot, home: string): Promise<() => string> {
  const { pages } = await listPages(snapshot);
  const articles = await snapshot.read<{ file: number; changedAt: Date }>(
    `SELECT file, max(updated_at) AS "changedAt" FROM (
       SELECT a.updated_at, ((row_number() OVER (ORDER BY ${inOrder}) - 1 + $2::int) / ${FILE_SIZE})::int AS file
       FROM articles a WHERE ${visible}
     ) placed GROUP BY file ORDER BY file`,
    [snapshot.hidden, pages.length],
  );
  const last = articles.at(-1)?.file ?? Math.floor((pages.length - 1) / FILE_SIZE);
  const files = Array.from({ length: last + 1 }, (_, file) => ({
    path: `/sitemaps/${file + 1}.xml`,
    changedAt: newest([
      ...pages.slice(file * FILE_SIZE, (file + 1) * FILE_SIZE),
      ...articles.filter((article) => article.file === file),
    ]),
  }));
  return () => xmlDocument("sitemapindex", "sitemap", files, home);
}

/** The start page, then categories, then articles. Null when there is no such file, which counts from 1. */
export async function sitemapFile(snapshot: Snapshot, number: number, home: string): Promise<(() => string) | null> {
  const { pages, articleCount } = await listPages(snapshot);
  const here = pages.slice((number - 1) * FILE_SIZE, number * FILE_SIZE);
  const offset = Math.max((number - 1) * FILE_SIZE - pages.length, 0);
  // Skipping rows costs as much as reading them, so an offset past the last article is not tried.
  if (here.length === 0 && offset >= articleCount) return null;
  const articles = await snapshot.read<{ slug: string; changedAt: Date }>(
    `SELECT a.slug, a.updated_at AS "changedAt" FROM articles a WHERE ${visible}
     ORDER BY ${inOrder} LIMIT $2 OFFSET $3`,
    [snapshot.hidden, FILE_SIZE - here.length, offset],
  );
  const all = [...here, ...articles.map(({ slug, changedAt }) => ({ path: `/articles/${slug}`, changedAt }))];
  return () => xmlDocument("urlset", "url", all, home);
}

async function listPages(snapshot: Snapshot): Promise<{ pages: Page[]; articleCount: number }> {
  const { roots, byId } = await publishedTree(snapshot);
  const changes = await snapshot.read<{ categoryId: string; changedAt: Date }>(
    `SELECT a.category_id AS "categoryId", max(a.updated_at) AS "changedAt" FROM articles a WHERE ${visible}
     GROUP BY a.category_id`,
    [snapshot.hidden],
  );
  const changed = new Map(changes.map(({ categoryId, changedAt }) => [categoryId, changedAt]));
  const pages = new Map(
    [...byId.values()].map(({ id, slug }) => [id, { path: `/categories/${slug}`, changedAt: changed.get(id) ?? null }]),
  );
  // Each category comes after its parent, so in reverse order a category is complete before its parent uses it.
  for (const { id, children } of [...byId.values()].reverse()) {
    const page = pages.get(id) as Page;
    page.changedAt = newest([page, ...children.map((child) => pages.get(child.id) as Page)]);
  }
  const all = [...pages.values()];
  return {
    pages: [{ path: "/", changedAt: newest(all) }, ...all],
    articleCount: roots.reduce((sum, { count }) => sum + count, 0),
  };
}

function newest(pages: { changedAt: Date | null }[]): Date | null {
  return pages.reduce<Date | null>(
    (latest, { changedAt }) => (changedAt && (!latest || changedAt > latest) ? changedAt : latest),
    null,
  );
}

function xmlDocument(root: string, entry: string, pages: Page[], home: string): string {
  const entries = pages.map(({ path, changedAt }) => {
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : "";
    return `<${entry}><loc>${xmlText(home + path)}</loc>${changed}</${entry}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</${root}>\n`;
}
