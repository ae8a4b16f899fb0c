import type { Element, ElementContent, Root } from "hast";
import type { BlockContent, Html, ListItem, Root as MarkdownRoot, PhrasingContent, Table } from "mdast";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { cleanTree, printed } from "@/lib/content/content";
import { headingIds } from "@/lib/content/headings";
import { isTag, textIn } from "@/lib/content/nodes";

const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", rule: "-", listItemIndent: "one" })
  .freeze();

/**
 * Converts an article's HTML to GitHub-flavored Markdown, which contentFromMarkdown converts back to the same clean HTML.
 * Callouts are `> [!NOTE]`, unexpected heading ids are `{#id}`, and merged cells, captions, sizes and the like are raw HTML.
 */
export function markdownFromHtml(html: string): string {
  return markdownFromTree(cleanTree(html).root);
}

/** The same for a clean tree, which stays as it is. */
export function markdownFromTree(root: Root): string {
  const context: Context = { ids: unexpectedIds(root), inTable: false };
  const markdown: MarkdownRoot = { type: "root", children: flow(root.children as ElementContent[], context) };
  return writer.stringify(markdown);
}

export function markdownOf(blocks: BlockContent[]): string {
  return writer.stringify({ type: "root", children: blocks });
}

interface Context {
  ids: Map<Element, string>;
  inTable: boolean;
}

/** The heading ids that differ from those made from the texts. */
function unexpectedIds(root: Root): Map<Element, string> {
  const headings: Element[] = [];
  const collect = (node: Root | Element) => {
    for (const child of node.children) {
      if (child.type !== "element") continue;
      if (/^h[2-6]$/.test(child.tagName)) headings.push(child);
      else collect(child);
    }
  };
  collect(root);
  const texts = headings.map(textIn);
  const ids = headings.map(({ properties }) => String(properties.id));
  // A text that ends like {#id} needs its id written out.
  const written = ids.map((id, index) => (/\{#[^\s{}]+\}\s*$/.test(texts[index] as string) ? id : undefined));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [index, id] of headingIds(texts, written).entries()) {
      if (id === ids[index]) continue;
      written[index] = ids[index];
      changed = true;
    }
  }
  return new Map(headings.flatMap((heading, index) => (written[index] ? [[heading, written[index]]] : [])));
}

function flow(nodes: readonly ElementContent[], context: Context): BlockContent[] {
  return nodes.flatMap((node) => (node.type === "element" ? block(node, context) : []));
}

function block(node: Element, context: Context): BlockContent[] {
  const { tagName, children } = node;
  switch (tagName) {
    case "p":
      return [{ type: "paragraph", children: phrasing(children, context) }];
    case "ul":
    case "ol":
      // Markdown reads a checkbox without words beside it as text.
      return [node.children.some(isLoneCheckbox) ? raw(html(node)) : list(node, context)];
    case "blockquote":
      return [{ type: "blockquote", children: flow(children, context) }];
    case "aside":
      return [callout(node, context)];
    case "details": {
      const [summary, ...blocks] = children;
      return [raw(`<details>\n${summary ? html(summary) : ""}`), ...flow(blocks, context), raw("</details>")];
    }
    case "pre": {
      const [code] = children;
      const name = isTag(code, "code") ? String(code.properties.className ?? "").replace(/^language-/, "") : "";
      return [{ type: "code", lang: name || null, value: textIn(node) }];
    }
    case "hr":
      return [{ type: "thematicBreak" }];
    case "table":
      return [isPlain(node) ? table(node, context) : raw(html(node))];
    case "div":
      return [{ type: "paragraph", children: phrasing(children, context) }];
    case "figure":
      return [raw(html(node))];
    default: {
      const depth = Number(tagName[1]) as 2 | 3 | 4 | 5 | 6;
      const id = context.ids.get(node);
      const suffix: PhrasingContent[] = id ? [raw(` {#${id}}`)] : [];
      return [{ type: "heading", depth, children: [...phrasing(children, context), ...suffix] }];
    }
  }
}

/** Whether an item is a task that begins with a block, such as a list or a quote. */
function isLoneCheckbox(item: ElementContent): boolean {
  if (item.type !== "element" || !isTag(item.children[0], "input")) return false;
  const first = item.children[1];
  return first?.type === "element" && first.tagName !== "p" && !inlineTags.has(first.tagName);
}

function list(node: Element, context: Context): BlockContent {
  const items = node.children.map((item) => listItem(item as Element, context));
  const ordered = node.tagName === "ol";
  const start = ordered ? Number(node.properties.start ?? 1) : null;
  return { type: "list", ordered, start, spread: items.some(({ spread }) => spread), children: items };
}

function listItem({ children }: Element, context: Context): ListItem {
  const [checkbox, space, ...others] = children;
  const isTask = isTag(checkbox, "input");
  const content = !isTask ? children : space?.type === "text" ? others : children.slice(1);
  const at = content.findIndex((child) => child.type === "element" && !inlineTags.has(child.tagName));
  const [text, blocks] = at === -1 ? [content, []] : [content.slice(0, at), content.slice(at)];
  const label = phrasing(text, context);
  const paragraph: BlockContent[] = label.length > 0 ? [{ type: "paragraph", children: label }] : [];
  return {
    type: "listItem",
    checked: isTask ? Boolean(checkbox.properties.checked) : null,
    // Only some lists can follow a paragraph without a blank line, and raw HTML would swallow the next lines.
    spread: !blocks.every(
      (child) => isTag(child, "ul") && isTag(child.children[0], "li") && child.children[0].children.length > 0,
    ),
    children: [...paragraph, ...flow(blocks, context)],
  };
}

function callout({ properties, children }: Element, context: Context): BlockContent {
  const kind = String(properties.className).replace(/.*callout-/, "");
  const marker = raw(`[!${kind.toUpperCase()}]`);
  const [first, ...others] = flow(children, context);
  if (first?.type !== "paragraph") {
    return {
      type: "blockquote",
      children: [{ type: "paragraph", children: [marker] }, ...(first ? [first] : []), ...others],
    };
  }
  const lines: PhrasingContent[] = [marker, { type: "text", value: "\n" }, ...first.children];
  return { type: "blockquote", children: [{ type: "paragraph", children: lines }, ...others] };
}

/** Whether Markdown can express the table: one header row, no merged cells or blocks, one alignment per column. */
function isPlain(node: Element): boolean {
  const [head, body, ...others] = node.children as Element[];
  if (head?.tagName !== "thead" || head.children.length !== 1 || others.length > 0) return false;
  const alignments = ((head.children[0] as Element).children as Element[]).map(({ properties }) => properties.align);
  const isPlainCell = (cell: Element, column: number) =>
    cell.properties.align === alignments[column] &&
    cell.properties.colSpan === undefined &&
    cell.properties.rowSpan === undefined &&
    cell.children.every(
      (child) => child.type === "text" || (child.type === "element" && inlineTags.has(child.tagName)),
    );
  const rows = [...head.children, ...(body?.children ?? [])] as Element[];
  return rows.every(
    (row, index) =>
      row.children.length === alignments.length &&
      (row.children as Element[]).every(
        (cell, column) => (index === 0 || cell.tagName === "td") && isPlainCell(cell, column),
      ),
  );
}

function table(node: Element, context: Context): Table {
  const rows = (node.children as Element[]).flatMap(({ children }) => children as Element[]);
  const header = (rows[0]?.children ?? []) as Element[];
  return {
    type: "table",
    align: header.map(({ properties: { align } }) => (align as "left" | "center" | "right" | undefined) ?? null),
    children: rows.map((row) => ({
      type: "tableRow",
      children: (row.children as Element[]).map(({ children }) => ({
        type: "tableCell",
        children: phrasing(children, { ...context, inTable: true }),
      })),
    })),
  };
}

const inlineTags = new Set(["a", "strong", "em", "u", "s", "mark", "sub", "sup", "kbd", "code", "br", "img"]);

function phrasing(nodes: readonly ElementContent[], context: Context): PhrasingContent[] {
  return nodes.flatMap((node): PhrasingContent[] => {
    if (node.type === "text") return [{ type: "text", value: node.value }];
    if (node.type !== "element") return [];
    const { tagName, properties } = node;
    const children = () => phrasing(node.children, context);
    const title = properties.title ? String(properties.title) : null;
    switch (tagName) {
      case "br":
        return [context.inTable ? raw("<br>") : { type: "break" }];
      case "img":
        if (properties.width ?? properties.height ?? properties.className) return [raw(html(node))];
        return [{ type: "image", url: String(properties.src), alt: String(properties.alt), title }];
      case "a":
        return [{ type: "link", url: String(properties.href), title, children: children() }];
      case "strong":
        return [{ type: "strong", children: children() }];
      case "em":
        return [{ type: "emphasis", children: children() }];
      case "s":
        return [{ type: "delete", children: children() }];
      case "code":
        return [{ type: "inlineCode", value: textIn(node) }];
      default:
        return [raw(`<${tagName}>`), ...children(), raw(`</${tagName}>`)];
    }
  });
}

function raw(value: string): Html {
  return { type: "html", value };
}

/** On one line, because a blank line would end raw HTML. */
function html(node: ElementContent): string {
  return printed({ type: "root", children: [node] }).replace(/\n/g, "&#10;");
}
