import type { Element, Root, RootContent } from "hast";
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { canonicalBlocks, type Link, type WriteOptions } from "@/lib/content/canonical";
import { type Heading, settleHeadings } from "@/lib/content/headings";
import { isTag } from "@/lib/content/nodes";
import { parseHtml } from "@/lib/content/parse";
import { schema } from "@/lib/content/schema";
import { MOST_NAMES, tokensIn } from "@/lib/content/snippet-names";
import { plainText } from "@/lib/content/text";

export interface Content {
  /** Clean HTML as schema.ts describes it, one top-level block per line. */
  html: string;
  text: string;
  headings: Heading[];
  links: Reference[];
}

/** A link or image, or the name of a snippet. */
export type Reference = Link | { href: string; kind: "snippet" };

export interface CleanTree {
  root: Root;
  headings: Heading[];
  links: Reference[];
}

const guard = unified().use(rehypeSanitize, schema).freeze();
const printer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze();

/** Cleans any HTML. Cleaning the result again changes nothing. Never throws, and takes time in proportion to the length. */
export function contentFromHtml(html: string, options: WriteOptions = {}): Content {
  return contentOf(cleanTree(html, options));
}

export function contentOf({ root, headings, links }: CleanTree): Content {
  return { html: printed(root), text: plainText(root), headings, links };
}

export function cleanTree(html: string, options: WriteOptions = {}): CleanTree {
  const withPositions = options.rewriteLink !== undefined && !options.lineOf;
  const root: Root = { type: "root", children: canonicalBlocks(parseHtml(html, withPositions), options) };
  const headings: Element[] = [];
  const links: Reference[] = [];
  const names = new Set<string>();
  collect(root, headings, links, names);
  for (const name of names) links.push({ href: name, kind: "snippet" });
  const settled = settleHeadings(headings);
  // The tree is clean by construction. The guard is an independent second check.
  return { root: guard.runSync(root), headings: settled, links };
}

export function printed(root: Root): string {
  const children = root.children.flatMap((node, index): RootContent[] =>
    index === 0 ? [node] : [{ type: "text", value: "\n" }, node],
  );
  return printer.stringify({ type: "root", children });
}

function collect(node: Root | Element, headings: Element[], links: Reference[], names: Set<string>): void {
  for (const child of node.children) {
    if (child.type === "text" && !isTag(node, "code"))
      for (const { name } of tokensIn(child.value)) if (names.size < MOST_NAMES) names.add(name);
    if (child.type !== "element") continue;
    const { href, src } = child.properties;
    if (typeof href === "string") links.push({ href, kind: "link" });
    if (typeof src === "string") links.push({ href: src, kind: "image" });
    if (/^h[1-6]$/.test(child.tagName)) headings.push(child);
    collect(child, headings, links, names);
  }
}
