import type { Element, Nodes, Properties } from "hast";

declare module "hast" {
  interface ElementData {
    /** The line of the source that a link or image came from. */
    line?: number;
  }
}

/** A new element of the clean tree. */
export function el(tagName: string, properties: Properties, children: Element["children"]): Element {
  return { type: "element", tagName, properties, children };
}

/** Whether this node is an element with one of these names. */
export function isTag(node: Nodes | undefined, ...names: string[]): node is Element {
  return node?.type === "element" && names.includes(node.tagName);
}

/** The text below a node, joined as it stands. */
export function textIn(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textIn).join("") : "";
}
