import type { BlockContent, PhrasingContent } from "mdast";
import { withAbsoluteUrls } from "@/lib/content/absolute";
import { excerpt } from "@/lib/content/text";
import { markdownOf } from "@/lib/content/to-markdown";
import {
  type PublishedCategory,
  publishedCategory,
  publishedTree,
  type TreeCategory,
} from "@/lib/reader/published-categories";
import { type Summarized, summarized, summaryColumns } from "@/lib/reader/summary";
import { inThread } from "@/lib/threads/pool";
import type { Snapshot } from "@/lib/visibility";

/** Categories listed in /llms.txt, and articles. */
const MAX_LISTED = 500;
const EXCERPT_LENGTH = 160;

/** Makes the text, to be called after the transaction because it can be slow. */
type Make = () => string;

/**
 * A published article as Markdown: its title, then its text with absolute URLs.
 * @param home the workspace's URL
 * @returns null when the viewer may not see the article
 */
export async function articleMarkdown(
  { read, hidden }: Snapshot,
  slug: string,
  home: string,
): Promise<(() => Promise<string>) | null> {
  const [article] = await read<{ workspaceId: string; title: string; html: string; markdown: string }>(
    `SELECT l.workspace_id AS "workspaceId", l.title, coalesce(l.shown_html, l.html) AS html, l.markdown
     FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.slug = $1 AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])`,
    [slug, hidden],
  );
  if (!article) return null;
  return async () => {
    const html = withAbsoluteUrls(article.html, `${home}/articles/${slug}`, false);
    const body = html === article.html ? article.markdown : await inThread(article.workspaceId, "markdown", html);
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

/** The workspace for language models (https://llmstxt.org): the category tree, with links to the Markdown of its articles. */
export async function llmsText(snapshot: Snapshot, workspace: { name: string; home: string }): Promise<Make> {
  const { roots } = await publishedTree(snapshot);
  const listed = uppermost(roots);
  const articles = await articlesOf(snapshot, [...listed]);
  return () => llmsTextOf(workspace, roots, listed, articles);
}

function llmsTextOf(
  { name, home }: { name: string; home: string },
  roots: TreeCategory[],
  listed: Set<TreeCategory>,
  articles: Map<string, Listed[]>,
): string {
  const total = roots.reduce((sum, { count }) => sum + count, 0);
  const summary = `${name}: ${total.toLocaleString("en")} ${total === 1 ? "article" : "articles"}. Append .md to any article or category URL for Markdown.`;
  const blocks: BlockContent[] = [heading(1, name), { type: "blockquote", children: [paragraph(text(summary))] }];
  const branch = (node: TreeCategory): BlockContent => {
    const own = articles.get(node.id) ?? [];
    const below = node.children.filter((child) => listed.has(child));
    const address = `${home}/categories/${node.slug}.md`;
    const rest = own.length < node.own || below.length < node.children.length;
    return list([
      ...own.map(({ title, slug, summary }) => entry(title, `${home}/articles/${slug}.md`, beginning(summary))),
      ...below.map((child): Entry => {
        const head = entry(child.name, `${home}/categories/${child.slug}.md`, child.description);
        return { head, below: branch(child) };
      }),
      ...(rest ? [entry(`All ${node.count.toLocaleString("en")} articles in ${node.name}`, address, null)] : []),
    ]);
  };
  const shown = roots.filter((root) => listed.has(root));
  for (const root of shown) {
    blocks.push(heading(2, root.name));
    if (root.description) blocks.push(paragraph(text(root.description)));
    blocks.push(branch(root));
  }
  if (roots.length > shown.length) {
    const rest = `${roots.length - shown.length} more categories are not listed here. Find them in `;
    blocks.push(
      paragraph([...text(rest), { type: "text", value: " " }, ...link("the sitemap", `${home}/sitemap.xml`)]),
    );
  }
  blocks.push(
    heading(2, "Optional"),
    list([
      entry("Sitemap", `${home}/sitemap.xml`, "the URL of every page, with the date of its last change"),
      entry("Feed", `${home}/feed.xml`, "the latest articles"),
      entry("API reference", `${home}/developers`, "how programs read and search articles"),
    ]),
  );
  return markdownOf(blocks);
}

/** The first MAX_LISTED categories, upper levels first. */
function uppermost(roots: TreeCategory[]): Set<TreeCategory> {
  const listed = new Set<TreeCategory>();
  for (let level = roots; level.length > 0; level = level.flatMap(({ children }) => children)) {
    for (const node of level) if (listed.size < MAX_LISTED) listed.add(node);
  }
  return listed;
}

interface Listed {
  slug: string;
  title: string;
  summary: string;
}

/** The first articles of each category, in their order. Together at most MAX_LISTED, shared evenly. */
async function articlesOf({ read }: Snapshot, categories: TreeCategory[]): Promise<Map<string, Listed[]>> {
  const within = (most: number) => categories.reduce((sum, { own }) => sum + Math.min(own, most), 0) <= MAX_LISTED;
  let share = 0;
  while (share < MAX_LISTED && within(share + 1)) share++;
  const rows = await read<Summarized & { category: string; slug: string; title: string }>(
    `SELECT c.id AS category, a.slug, l.title, ${summaryColumns}
     FROM unnest($1::uuid[]) AS c (id)
     CROSS JOIN LATERAL (
       SELECT workspace_id, id, slug, sequence, title FROM articles WHERE category_id = c.id AND state = 'published'
       ORDER BY sequence, title, id LIMIT $2
     ) a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     ORDER BY a.sequence, a.title, a.id`,
    [categories.filter(({ own }) => own > 0).map(({ id }) => id), share],
  );
  const byCategory = new Map<string, Listed[]>();
  for (const { category, ...article } of rows.map(summarized)) {
    byCategory.set(category, [...(byCategory.get(category) ?? []), article]);
  }
  return byCategory;
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

/** An entry of a list, with a list below it. */
interface Entry {
  head: PhrasingContent[];
  below: BlockContent;
}

function list(entries: (PhrasingContent[] | Entry)[]): BlockContent {
  return {
    type: "list",
    spread: false,
    children: entries.map((one) => {
      const { head, below } = Array.isArray(one) ? { head: one, below: null } : one;
      return { type: "listItem", spread: false, children: [paragraph(head), ...(below ? [below] : [])] };
    }),
  };
}
