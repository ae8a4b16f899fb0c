import type { Element, ElementContent, Root } from "hast";
import { type Content, cleanTree, contentFromHtml, printed } from "@/lib/content/content";
import { isTag } from "@/lib/content/nodes";
import { tokensIn } from "@/lib/content/snippet-names";

/** Clean HTML by name. */
export type Snippets = ReadonlyMap<string, string>;

interface Piece {
  blocks: ElementContent[];
  /** The content of a single paragraph. Null for anything else. */
  inline: ElementContent[] | null;
}

/**
 * Replaces the tokens in the text of clean HTML, except in code. A snippet of one paragraph works within a sentence. Any other
 * replaces a paragraph, list item, or cell that contains only its token. Elsewhere, its token stays. Takes time in proportion
 * to the result.
 * @returns null when nothing was replaced
 */
export function withSnippets(html: string, snippets: Snippets): Content | null {
  const pieces = new Map<string, Piece | null>();
  let replacements = 0;
  const pieceOf = (name: string): Piece | null => {
    let piece = pieces.get(name);
    if (piece === undefined) {
      const source = snippets.get(name);
      piece = source === undefined ? null : pieceFrom(source);
      pieces.set(name, piece);
    }
    return piece;
  };
  const alone = (nodes: readonly ElementContent[]): ElementContent[] | null => {
    const [only, ...others] = nodes.filter((node) => !isTag(node, "ul", "ol", "input"));
    if (only?.type !== "text" || others.length > 0) return null;
    const text = only.value.trim();
    const [token] = tokensIn(text);
    if (token?.from !== 0 || token.to !== text.length) return null;
    const piece = pieceOf(token.name);
    return piece && !piece.inline ? piece.blocks : null;
  };
  const inText = (text: string): ElementContent[] => {
    const nodes: ElementContent[] = [];
    let at = 0;
    for (const { name, from, to } of tokensIn(text)) {
      const inline = pieceOf(name)?.inline;
      if (!inline) continue;
      nodes.push({ type: "text", value: text.slice(at, from) }, ...inline);
      at = to;
      replacements++;
    }
    return [...nodes, { type: "text", value: text.slice(at) }];
  };
  const inElement = (element: Element): ElementContent[] => {
    if (element.tagName === "code") return [element];
    const blocks = isTag(element, "p", "li", "td", "th") ? alone(element.children) : null;
    if (blocks) replacements++;
    if (blocks && element.tagName === "p") return blocks;
    const children = element.children.flatMap((child) => (blocks && child.type === "text" ? blocks : inNode(child)));
    return [{ ...element, children }];
  };
  const inNode = (node: ElementContent): ElementContent[] => {
    if (node.type === "text") return inText(node.value);
    return node.type === "element" ? inElement(node) : [node];
  };
  const { root } = cleanTree(html);
  const replaced: Root = { type: "root", children: (root.children as ElementContent[]).flatMap(inNode) };
  return replacements > 0 ? contentFromHtml(printed(replaced)) : null;
}

function pieceFrom(html: string): Piece {
  const blocks = cleanTree(html).root.children as ElementContent[];
  blocks.forEach(dropIds);
  const [only] = blocks;
  return { blocks, inline: blocks.length === 1 && isTag(only, "p") ? only.children : null };
}

/** The article's own headings keep their IDs. Those of snippets get free ones. */
function dropIds(node: ElementContent): void {
  if (node.type !== "element") return;
  delete node.properties.id;
  node.children.forEach(dropIds);
}
