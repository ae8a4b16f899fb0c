import type { DraftText } from "@/lib/drafts/text";
import { documentOf } from "../editor/html";

/**
 * Whether two texts of an article say the same in everything that is saved. Of the HTML the editor's documents are compared,
 * since the same one is written in other letters before it was cleaned and after (lib/content/schema.ts).
 */
export function saysTheSame(one: DraftText, other: DraftText): boolean {
  const { html: oneHtml, ...oneRest } = inOneOrder(one);
  const { html: otherHtml, ...otherRest } = inOneOrder(other);
  if (JSON.stringify(oneRest) !== JSON.stringify(otherRest)) return false;
  return oneHtml === otherHtml || documentOf(oneHtml).eq(documentOf(otherHtml));
}

/** Written out in one order: a copy that another version of the page left may lack a field, or have one more. */
function inOneOrder(text: DraftText): DraftText {
  const { title, html, keywords, tags, relatedIds, attachmentIds, pageTitle, metaDescription, showTableOfContents } =
    text;
  return {
    title: title.trim() || "Untitled",
    html,
    keywords,
    // Stored are the spelling of a tag that was there, and the order of what was there before.
    tags: tags.map((tag) => tag.toLowerCase()).sort(),
    relatedIds: [...relatedIds].sort(),
    attachmentIds: [...attachmentIds].sort(),
    pageTitle,
    metaDescription,
    showTableOfContents,
  };
}
