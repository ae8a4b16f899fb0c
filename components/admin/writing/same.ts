import { documentOf } from "@/components/admin/editor/schema/html";
import type { DraftText } from "@/lib/articles/article-text";

/**
 * Whether two texts of an article are equal in everything that is saved. Compares HTML as editor documents, because
 * cleaning changes its spelling (lib/content/schema.ts).
 */
export function saysTheSame(one: DraftText, other: DraftText): boolean {
  const { html: oneHtml, ...oneRest } = inOneOrder(one);
  const { html: otherHtml, ...otherRest } = inOneOrder(other);
  if (JSON.stringify(oneRest) !== JSON.stringify(otherRest)) return false;
  return oneHtml === otherHtml || documentOf(oneHtml).eq(documentOf(otherHtml));
}

/** Puts the fields in a fixed order, because texts from different sources are compared as JSON. */
function inOneOrder(text: DraftText): DraftText {
  const comparable = {
    ...text,
    title: text.title.trim() || "Untitled",
    // The server keeps the case of an existing tag and its own order.
    tags: text.tags.map((tag) => tag.toLowerCase()).sort(),
    relatedIds: [...text.relatedIds].sort(),
    attachmentIds: [...text.attachmentIds].sort(),
  };
  const fields = Object.entries(comparable).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields) as unknown as DraftText;
}
