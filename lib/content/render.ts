import type { Element, ElementContent, Root } from "hast";
import { cleanTree, printed } from "@/lib/content/content";
import { videoAt } from "@/lib/content/embeds";
import { highlighted } from "@/lib/content/highlight";
import { el, isTag, textIn } from "@/lib/content/nodes";

/** Characters of code that are highlighted in one article, about a third of a second; what follows stays plain. */
const MAX_HIGHLIGHTED = 60_000;

/**
 * What the reader page prints for an article's HTML, made when it is saved. Beside what clean HTML holds:
 *
 * - code in a known language has spans with the classes of highlight.ts, never styles; pre can be scrolled by keyboard;
 * - a table stands in div.table-scroll; its header cells say what they head;
 * - images are loaded when they come near; a callout is a note to screen readers; a task's text labels its box;
 * - div.video has the player's address in data-player; nothing of the provider is loaded before a click.
 */
export async function renderedHtml(html: string): Promise<string> {
  const { root } = cleanTree(html);
  const code: Element[] = [];
  const rendered: Root = { type: "root", children: decorated(root.children as ElementContent[], code) };
  let left = MAX_HIGHLIGHTED;
  for (const element of code) {
    const text = textIn(element);
    left -= text.length;
    const language = String(element.properties.className ?? "").replace(/^language-/, "");
    if (language && left >= 0) element.children = (await highlighted(text, language)) ?? element.children;
  }
  return printed(rendered);
}

/** The nodes with what the reader page adds; `code` collects the code elements of pre. */
function decorated(nodes: readonly ElementContent[], code: Element[]): ElementContent[] {
  return nodes.map((node) => {
    if (node.type !== "element") return node;
    const { tagName, properties } = node;
    const children = tagName === "li" ? labelled(node.children) : node.children;
    const copy = el(tagName, { ...properties }, decorated(children, code));
    const [first] = copy.children;
    switch (tagName) {
      case "pre":
        if (isTag(first, "code")) code.push(first);
        copy.properties.tabIndex = 0;
        return copy;
      case "table":
        return el("div", { className: ["table-scroll"], tabIndex: 0 }, [copy]);
      case "thead":
      case "tbody":
        setScopes(copy, tagName === "thead" ? "col" : "row");
        return copy;
      case "img":
        Object.assign(copy.properties, { loading: "lazy", decoding: "async" });
        return copy;
      case "aside":
        copy.properties.role = "note";
        return copy;
      case "div":
        if (isTag(first, "a")) copy.properties.dataPlayer = videoAt(String(first.properties.href))?.player;
        return copy;
      default:
        return copy;
    }
  });
}

function setScopes(section: Element, scope: "col" | "row"): void {
  for (const row of section.children) {
    if (row.type !== "element") continue;
    for (const cell of row.children) if (isTag(cell, "th")) cell.properties.scope = scope;
  }
}

/** A task's box and the text beside it become one label, so that the box has a name in the article's language. */
function labelled(children: ElementContent[]): ElementContent[] {
  const [box, first, ...others] = children;
  if (!isTag(box, "input")) return children;
  if (isTag(first, "p")) return [el("p", {}, [el("label", {}, [box, ...first.children])]), ...others];
  const at = children.findIndex((child) => isTag(child, "ul", "ol"));
  return [el("label", {}, children.slice(0, at === -1 ? undefined : at)), ...(at === -1 ? [] : children.slice(at))];
}
