import type { OtherChange } from "@/components/admin/writing/comparison";
import { type ComparedTexts, comparedTexts } from "@/lib/content/compare";
import type { VersionText } from "@/lib/versions";

/** What of two texts of an article is compared. */
export type Comparable = Pick<
  VersionText,
  "title" | "html" | "keywords" | "tags" | "pageTitle" | "metaDescription" | "showTableOfContents"
> & { related?: string[]; attachments?: string[] };

/** What differs between two texts of an article, as readers see it. */
export function compared(
  before: Comparable | null,
  after: Comparable,
): ComparedTexts & { others: OtherChange[]; isSame: boolean } {
  const texts = comparedTexts(before?.html ?? "", after.html);
  const told = (of: Comparable | null): Record<string, string> => ({
    Title: of?.title ?? "",
    Tags: (of?.tags ?? []).join(", "),
    Keywords: (of?.keywords ?? []).join(", "),
    "Related articles": (of?.related ?? []).join(", "),
    Attachments: (of?.attachments ?? []).join(", "),
    "Title for search engines": of?.pageTitle ?? "",
    "Description for search engines": of?.metaDescription ?? "",
    "Table of contents": of ? (of.showTableOfContents ? "shown" : "not shown") : "",
  });
  const [was, is] = [told(before), told(after)];
  const others = Object.keys(is)
    .map((name) => ({ name, before: was[name] ?? "", after: is[name] ?? "" }))
    .filter((change) => change.before !== change.after);
  const isSame = others.length === 0 && !texts.isUnnamed && !texts.lines.some(({ isChanged }) => isChanged);
  return { ...texts, others, isSame };
}

/** What is said of texts that were compared only roughly. */
export const ROUGH =
  "There is too much that differs to compare all of it word by word: some paragraphs stand here whole, as taken away and added.";
