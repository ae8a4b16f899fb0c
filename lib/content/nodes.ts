import type { Element, Nodes, Properties } from "hast";

export function el(tagName: string, properties: Properties, children: Element["children"]): Element {
  return { type: "element", tagName, properties, children };
}

export function isTag(node: Nodes | undefined, ...names: string[]): node is Element {
  return node?.type === "element" && names.includes(node.tagName);
}

export function textIn(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textIn).join("") : "";
}
