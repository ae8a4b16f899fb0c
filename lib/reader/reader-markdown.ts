import type { BlockContent, PhrasingContent } from "mdast";
import { withAbsoluteUrls } from "@/lib/content/absolute";
import { excerpt } from "@/lib/content/text";
import { markdownFromHtml, markdownOf } from "@/lib/content/to-markdown";
import {
  type PublishedCategory,
  publishedCategory,
  publishedTree,
  type TreeCategory,
  withDescendants,
} from "@/lib/reader/published-categories";
import { type Summarized, summarized, summaryColumns } from "@/lib/reader/summary";
import type { Snapshot } from "@/lib/visibility";

/** Articles listed in /llms.txt. */
const MAX_LISTED = 500;
const EXCERPT_LENGTH = 160;

/** Makes the text, to be called after the transaction because it can be slow. */
type Make = () => string;

/**
 * A published article as Markdown: its title, then its text with absolute URLs.
 * @param home the workspace's URL
 * @returns null when the viewer may not see the article
 */
export async function articleMarkdown({ read, hidden }: Snapshot, slug: string, home: string): Promise<Make | null> {
  const [article] = await read<{ title: string; html: string; markdown: string }>(
    `SELECT l.title, l.html, l.markdown
     FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  if (!article) return null;
  return () => {
    const html = withAbsoluteUrls(article.html, `${home}/articles/${slug}`, false);
    const body = html === article.html ? article.markdown : markdownFromHtml(html);
    return `${markdownOf([heading(1, article.title)])}\n${body}`;
  };
}

/**
 * A category as Markdown, with links to the Markdown of its contents.
 * @param page from 1
 * @returns null when there is no such page for the viewer
 */
export async function categoryMarkdown(
  snapshot: Snapshot,
  slug: string,
  page: number,
  home: string,
): Promise<Make | null> {
  const category = await publishedCategory(snapshot, slug, page);
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
      list(category.articles.map(({ title, slug, summary }) => entry(title, `${home}/articles/${slug}.md`, summary))),
    );
  }
  const links: PhrasingContent[][] = [];
  if (page > 1) links.push(link("Previous page", page > 2 ? `${address}?page=${page - 1}` : address));
  if (page < category.pages) links.push(link("Next page", `${address}?page=${page + 1}`));
  if (category.pages > 1) {
    blocks.push(paragraph([{ type: "text", value: `Page ${page} of ${category.pages}. ` }, ...links.flatMap(spaced)]));
  }
  return markdownOf(blocks);
}

/** The workspace for language models (https://llmstxt.org): root categories with links to the Markdown of their articles. */
export async function llmsText(snapshot: Snapshot, workspace: { name: string; home: string }): Promise<Make> {
  const { roots } = await publishedTree(snapshot);
  const articles = await articlesByRoot(snapshot, roots.slice(0, MAX_LISTED));
  return () => llmsTextOf(workspace, roots, articles);
}

function llmsTextOf(
  { name, home }: { name: string; home: string },
  roots: TreeCategory[],
  articles: Map<string, Listed[]>,
): string {
  const total = roots.reduce((sum, { count }) => sum + count, 0);
  const summary = `${name}: ${total.toLocaleString("en")} ${total === 1 ? "article" : "articles"}. Append .md to any article or category URL for Markdown.`;
  const blocks: BlockContent[] = [heading(1, name), { type: "blockquote", children: [paragraph(text(summary))] }];
  for (const root of roots.slice(0, MAX_LISTED)) {
    const here = articles.get(root.id) ?? [];
    const entries = here.map((article) =>
      entry(article.title, `${home}/articles/${article.slug}.md`, beginning(article.summary)),
    );
    if (here.length < root.count) {
      entries.push(entry(`All ${root.count} of ${root.name}`, `${home}/categories/${root.slug}.md`, null));
    }
    blocks.push(heading(2, root.name));
    if (root.description) blocks.push(paragraph(text(root.description)));
    blocks.push(list(entries));
  }
  if (roots.length > MAX_LISTED) {
    const rest = `${roots.length - MAX_LISTED} more categories are not listed here. Find them in `;
    blocks.push(
      paragraph([...text(rest), { type: "text", value: " " }, ...link("the sitemap", `${home}/sitemap.xml`)]),
    );
  }
  blocks.push(
    heading(2, "Optional"),
    list([
      entry("Sitemap", `${home}/sitemap.xml`, "the URL of every page, with the date of its last change"),
      entry("Feed", `${home}/feed.xml`, "the latest articles"),
      entry("API reference", `${home}/developers`, "how programs read and write articles"),
    ]),
  );
  return markdownOf(blocks);
}

interface Listed {
  slug: string;
  title: string;
  summary: string;
}

/** The first articles below each root category, in reading order. Every root has an equal share of MAX_LISTED. */
async function articlesByRoot({ read }: Snapshot, roots: TreeCategory[]): Promise<Map<string, Listed[]>> {
  const wanted: { id: string; root: string; count: number }[] = [];
  for (const root of roots) {
    let left = Math.floor(MAX_LISTED / roots.length);
    for (const { id, own } of withDescendants(root)) {
      const count = Math.min(left, own);
      left -= count;
      if (count > 0) wanted.push({ id, root: root.id, count });
    }
  }
  const rows = await read<Summarized & { root: string; slug: string; title: string }>(
    `SELECT c.root, a.slug, l.title, ${summaryColumns}
     FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY AS c (id, root, count, place)
     CROSS JOIN LATERAL (
       SELECT workspace_id, id, slug, sequence, title FROM articles WHERE category_id = c.id AND state = 'published'
       ORDER BY sequence, title, id LIMIT c.count
     ) a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     ORDER BY c.place, a.sequence, a.title, a.id`,
    [wanted.map(({ id }) => id), wanted.map(({ root }) => root), wanted.map(({ count }) => count)],
  );
  const byRoot = new Map<string, Listed[]>();
  for (const { root, ...article } of rows.map(summarized)) byRoot.set(root, [...(byRoot.get(root) ?? []), article]);
  return byRoot;
}

function beginning(whole: string): string {
  const cut = excerpt(whole, EXCERPT_LENGTH);
  return cut.length < whole.trim().length ? `${cut}…` : cut;
}

/** On one line, because headings and list entries keep only the first. */
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

function entry(name: string, url: string, description: string | null): PhrasingContent[] {
  return [...link(name, url), ...(description?.trim() ? text(`: ${description}`) : [])];
}

function list(entries: PhrasingContent[][]): BlockContent {
  return {
    type: "list",
    spread: false,
    children: entries.map((children) => ({ type: "listItem", spread: false, children: [paragraph(children)] })),
  };
}
