import type { BlockContent, PhrasingContent } from "mdast";
import { withAbsoluteAddresses } from "@/lib/content/absolute";
import { excerpt } from "@/lib/content/text";
import { markdownFromHtml, markdownOf } from "@/lib/content/to-markdown";
import { type OpenCategory, openCategories } from "@/lib/published-addresses";
import { type PublishedCategory, publishedCategory } from "@/lib/published-categories";
import type { Sight } from "@/lib/visibility";

/** Articles that /llms.txt names; of the others it says where they are. */
const MOST_NAMED = 500;
/** Characters that it tells of each. */
const TOLD = 160;

/** Makes a text of what was read before, once the unit that it was read in is over: that may take its time. */
type Make = () => string;

/**
 * A published article as Markdown: its title, then its text. Addresses on the workspace's host are whole.
 * @param home the workspace's address
 * @returns null when the viewer may see no article of this slug
 */
export async function articleMarkdown({ read, hidden }: Sight, slug: string, home: string): Promise<Make | null> {
  const [article] = await read<{ title: string; html: string; markdown: string }>(
    `SELECT l.title, l.html, l.markdown
     FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  if (!article) return null;
  return () => {
    const html = withAbsoluteAddresses(article.html, `${home}/articles/${slug}`, false);
    const body = html === article.html ? article.markdown : markdownFromHtml(html);
    return `${markdownOf([heading(1, article.title)])}\n${body}`;
  };
}

/**
 * A category as Markdown: what it says of itself, and links to the Markdown of what is in it.
 * @param page of its articles, from 1
 * @returns null when there is no such page for the viewer
 */
export async function categoryMarkdown(sight: Sight, slug: string, page: number, home: string): Promise<Make | null> {
  const category = await publishedCategory(sight, slug, page);
  return category && (() => categoryText(category, home));
}

function categoryText(category: PublishedCategory, home: string): string {
  const { page } = category;
  const address = `${home}/categories/${category.slug}.md`;
  const blocks: BlockContent[] = [heading(1, category.name)];
  if (category.description) blocks.push(paragraph(text(category.description)));
  if (category.subcategories.length > 0) {
    blocks.push(
      heading(2, "Subcategories"),
      list(
        category.subcategories.map((below) =>
          entry(below.name, `${home}/categories/${below.slug}.md`, below.description),
        ),
      ),
    );
  }
  if (category.articles.length > 0) {
    blocks.push(
      heading(2, "Articles"),
      list(
        category.articles.map((article) =>
          entry(article.title, `${home}/articles/${article.slug}.md`, article.excerpt),
        ),
      ),
    );
  }
  const turns: PhrasingContent[][] = [];
  if (page > 1) turns.push(link("Previous page", page > 2 ? `${address}?page=${page - 1}` : address));
  if (page < category.pages) turns.push(link("Next page", `${address}?page=${page + 1}`));
  if (category.pages > 1) {
    blocks.push(paragraph([{ type: "text", value: `Page ${page} of ${category.pages}. ` }, ...turns.flatMap(spaced)]));
  }
  return markdownOf(blocks);
}

/**
 * What a language model is told of the workspace (https://llmstxt.org): each root category with links to the Markdown of
 * its articles, as many of each as fit.
 */
export async function llmsText(sight: Sight, workspace: { name: string; home: string }): Promise<Make> {
  const categories = await openCategories(sight);
  const roots = categories.filter(({ parentId }) => parentId === null);
  const named = roots.slice(0, MOST_NAMED);
  const ids = new Set(named.map(({ id }) => id));
  const articles = await articlesByRoot(sight, categories, ids, Math.floor(MOST_NAMED / Math.max(named.length, 1)));
  return () => llmsTextOf(workspace, roots, articles);
}

function llmsTextOf(
  { name, home }: { name: string; home: string },
  roots: OpenCategory[],
  articles: Map<string, Named[]>,
): string {
  const total = roots.reduce((sum, root) => sum + root.totalArticles, 0);
  const summary = `The knowledge base of ${name}: ${total} ${total === 1 ? "article" : "articles"}. Each article and each category is also there as Markdown, under its address with .md at the end.`;
  const blocks: BlockContent[] = [heading(1, name), { type: "blockquote", children: [paragraph(text(summary))] }];
  for (const root of roots.slice(0, MOST_NAMED)) {
    const here = articles.get(root.id) ?? [];
    const entries = here.map((article) =>
      entry(article.title, `${home}/articles/${article.slug}.md`, told(article.excerpt)),
    );
    if (here.length < root.totalArticles) {
      entries.push(entry(`All ${root.totalArticles} of ${root.name}`, `${home}/categories/${root.slug}.md`, null));
    }
    blocks.push(heading(2, root.name));
    if (root.description) blocks.push(paragraph(text(root.description)));
    blocks.push(list(entries));
  }
  if (roots.length > MOST_NAMED) {
    const rest = `${roots.length - MOST_NAMED} more categories are not named here: they are in `;
    blocks.push(
      paragraph([...text(rest), { type: "text", value: " " }, ...link("the sitemap", `${home}/sitemap.xml`)]),
    );
  }
  blocks.push(
    heading(2, "Optional"),
    list([
      entry("Sitemap", `${home}/sitemap.xml`, "the address of every page, with the date of its last change"),
      entry("Feed", `${home}/feed.xml`, "what was published last"),
      entry("API reference", `${home}/developers`, "how programs read and write the articles"),
    ]),
  );
  return markdownOf(blocks);
}

interface Named {
  slug: string;
  title: string;
  excerpt: string;
}

/** The first articles below each of some root categories, in reading order. */
async function articlesByRoot(
  { read }: Sight,
  categories: OpenCategory[],
  roots: ReadonlySet<string>,
  most: number,
): Promise<Map<string, Named[]>> {
  // Each category comes after the one above it, so that one's root is known by then. Of a category as many are read as
  // those before it leave room for.
  const rootOf = new Map<string, string>();
  const room = new Map<string, number>();
  const wanted: { id: string; root: string; count: number }[] = [];
  for (const { id, parentId, articles } of categories) {
    const root = parentId === null ? id : (rootOf.get(parentId) ?? id);
    rootOf.set(id, root);
    const left = room.get(root) ?? most;
    const count = Math.min(left, articles);
    room.set(root, left - count);
    if (count > 0 && roots.has(root)) wanted.push({ id, root, count });
  }
  const rows = await read<Named & { root: string }>(
    `SELECT c.root, a.slug, l.title, coalesce(l.meta_description, l.excerpt) AS excerpt
     FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY AS c (id, root, count, place)
     CROSS JOIN LATERAL (
       SELECT workspace_id, id, slug, sequence, title FROM articles WHERE category_id = c.id AND state = 'published'
       ORDER BY sequence, title, id LIMIT c.count
     ) a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     ORDER BY c.place, a.sequence, a.title, a.id`,
    [wanted.map(({ id }) => id), wanted.map(({ root }) => root), wanted.map(({ count }) => count)],
  );
  const byRoot = new Map<string, Named[]>();
  for (const { root, ...article } of rows) byRoot.set(root, [...(byRoot.get(root) ?? []), article]);
  return byRoot;
}

/** The beginning of a text, which says so where it is not all of it. */
function told(whole: string): string {
  const beginning = excerpt(whole, TOLD);
  return beginning.length < whole.trim().length ? `${beginning}…` : beginning;
}

/** One line: of a text that has several, a heading or an entry would keep only the first. */
function text(value: string): PhrasingContent[] {
  return [{ type: "text", value: value.replace(/\s+/g, " ").trim() }];
}

function heading(depth: 1 | 2, value: string): BlockContent {
  return { type: "heading", depth, children: text(value) };
}

function paragraph(children: PhrasingContent[]): Extract<BlockContent, { type: "paragraph" }> {
  return { type: "paragraph", children };
}

function link(value: string, url: string): PhrasingContent[] {
  return [{ type: "link", url, children: text(value) }];
}

function spaced(parts: PhrasingContent[], index: number): PhrasingContent[] {
  return index === 0 ? parts : [{ type: "text", value: " · " }, ...parts];
}

function entry(name: string, url: string, told: string | null): PhrasingContent[] {
  return [...link(name, url), ...(told?.trim() ? text(`: ${told}`) : [])];
}

function list(entries: PhrasingContent[][]): BlockContent {
  return {
    type: "list",
    spread: false,
    children: entries.map((children) => ({ type: "listItem", spread: false, children: [paragraph(children)] })),
  };
}
