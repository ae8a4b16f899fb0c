import type { Blockquote, Definition, Heading, Nodes, Parent, Root, RootContent } from "mdast";
import rehypeStringify from "rehype-stringify";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { WriteOptions } from "@/lib/content/canonical";
import { type Content, cleanTree, contentOf } from "@/lib/content/content";
import { isHtmlElement } from "@/lib/content/html-elements";
import { markdownParts } from "@/lib/content/markdown-tree";
import { attribute } from "@/lib/content/parse";

const MAX_DEPTH = 100;

/** Characters that all link references together may add. */
const MAX_REFERENCED = 4_000_000;

const toHtml = unified()
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze();

/**
 * Converts GitHub-flavored Markdown with raw HTML, footnotes, `> [!NOTE]` and `> **NOTE**` callouts and `## Heading {#id}`.
 * Does not read front matter. The result is cleaned like any HTML. Never throws.
 */
export function contentFromMarkdown(
  markdown: string,
  options: Pick<WriteOptions, "rewriteLink" | "onDropped"> = {},
): Content {
  const root: Root = { type: "root", children: [] };
  for (const { blocks, linesBefore } of markdownParts(markdown)) {
    for (const block of blocks) {
      prepare(block, linesBefore);
      root.children.push(block);
    }
  }
  limitDefinitions(root);
  const html = toHtml.stringify(toHtml.runSync(root));
  const lineOf = (element: Parameters<typeof attribute>[0]) => Number(attribute(element, "data-line")) || undefined;
  return contentOf(cleanTree(html, { ...options, lineOf }));
}

/** Marks what HTML would lose: line numbers of links, heading ids, callout names. */
function prepare(top: RootContent, linesBefore: number): void {
  const open: { node: Nodes; depth: number }[] = [{ node: top, depth: 0 }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node, depth } = entry;
    const line = (node.position?.start.line ?? 0) + linesBefore;
    if (/^(?:link|image)(?:Reference)?$/.test(node.type)) node.data = { hProperties: { dataLine: line } };
    if (node.type === "html") node.value = preparedHtml(node.value, line);
    if (node.type === "heading") takeHeadingId(node);
    if (node.type === "blockquote") markCalloutName(node);
    if (!("children" in node)) continue;
    if (depth === MAX_DEPTH) (node as Parent).children = leavesOf(node);
    for (const child of node.children) open.push({ node: child, depth: depth + 1 });
  }
}

/** Drops long definitions with many references, because every reference repeats the URL. */
function limitDefinitions(root: Root): void {
  let references = 0;
  const definitions: Definition[] = [];
  visit(root, (node) => {
    if (node.type === "linkReference" || node.type === "imageReference") references++;
    if (node.type === "definition") definitions.push(node);
  });
  for (const definition of definitions) {
    const length = definition.url.length + (definition.title?.length ?? 0);
    if (length * references > MAX_REFERENCED) Object.assign(definition, { url: "", title: null });
  }
}

/** Adds line numbers to links in raw HTML, and escapes placeholders such as `<your name>`. */
function preparedHtml(html: string, firstLine: number): string {
  let line = firstLine;
  let counted = 0;
  return html.replace(/<(\/?)([a-z][^\s/>]*)/gi, (tag, slash: string, name: string, offset: number) => {
    for (; counted < offset; counted++) if (html[counted] === "\n") line++;
    if (!isHtmlElement(name)) return `&lt;${slash}${name}`;
    return !slash && /^(?:a|img)$/i.test(name) ? `${tag} data-line="${line}"` : tag;
  });
}

function takeHeadingId(heading: Heading): void {
  const last = heading.children.at(-1);
  const [suffix, id] = (last?.type === "text" && /\{#([^\s{}]+)\}\s*$/.exec(last.value)) || [];
  if (last?.type !== "text" || suffix === undefined) return;
  last.value = last.value.slice(0, -suffix.length);
  heading.data = { hProperties: { id } };
}

/** Adds a line break after the name, because HTML would join it with the text. */
function markCalloutName(quote: Blockquote): void {
  const [first] = quote.children;
  if (first?.type !== "paragraph") return;
  const [name, text] = first.children;
  if (name?.type === "strong" && text?.type === "text" && /^[ \t]*\n/.test(text.value)) {
    first.children.splice(1, 0, { type: "break" });
  }
}

function leavesOf(node: Nodes): RootContent[] {
  const leaves: RootContent[] = [];
  const open: Nodes[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if ("children" in next) open.push(...next.children.toReversed());
    else leaves.push(next);
  }
  return leaves;
}
