import type { Element, ElementContent, Root } from "hast";
import { printed } from "@/lib/content/content";
import { videoAt } from "@/lib/content/embeds";
import { highlighted } from "@/lib/content/highlight";
import { el, isTag, textIn } from "@/lib/content/nodes";

/** Characters of code to highlight per article, about 0.3 seconds. */
const MAX_HIGHLIGHTED = 60_000;

/**
 * The HTML for the reader page, made when an article is saved. Nothing of a video's provider is loaded before a click.
 * @param root a clean tree, which stays as it is
 * @param onPlain is called with the HTML before its code is highlighted, if it has code
 */
export async function renderedHtml(root: Root, onPlain?: (html: string) => void): Promise<string> {
  const code: Element[] = [];
  const rendered: Root = { type: "root", children: decorated(root.children as ElementContent[], code) };
  if (code.length > 0) onPlain?.(printed(rendered));
  let left = MAX_HIGHLIGHTED;
  for (const element of code) {
    const text = textIn(element);
    left -= text.length;
    const language = String(element.properties.className ?? "").replace(/^language-/, "");
    if (language && left >= 0) element.children = (await highlighted(text, language)) ?? element.children;
  }
  return printed(rendered);
}

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

/** Puts a task's checkbox and text into one label, so that the checkbox has a name. */
function labelled(children: ElementContent[]): ElementContent[] {
  const [box, first, ...others] = children;
  if (!isTag(box, "input")) return children;
  if (isTag(first, "p")) return [el("p", {}, [el("label", {}, [box, ...first.children])]), ...others];
  const at = children.findIndex((child) => isTag(child, "ul", "ol"));
  return [el("label", {}, children.slice(0, at === -1 ? undefined : at)), ...(at === -1 ? [] : children.slice(at))];
}
