import type { Node } from "@tiptap/pm/model";
import { headingIds } from "@/lib/content/headings";

/** The headings with the ids that they have on the page. */
export function anchorsIn(document: Node): { id: string; text: string }[] {
  const headings = headingsIn(document).map(({ node }) => node);
  const texts = headings.map(({ textContent }) => textContent);
  const ids = headingIds(
    texts,
    headings.map(({ attrs }) => (attrs.id as string | null) ?? undefined),
  );
  return texts.flatMap((text, index) => (ids[index] ? [{ id: ids[index], text }] : []));
}

export function headingsIn(document: Node): { node: Node; from: number }[] {
  const found: { node: Node; from: number }[] = [];
  document.descendants((node, from) => {
    if (node.type.name === "heading") found.push({ node, from });
    return !node.isTextblock;
  });
  return found;
}
