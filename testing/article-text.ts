import fc from "fast-check";
import { type DraftText, emptyDraft, textFieldList } from "@/lib/articles/article-text";
import { checkedFields } from "@/lib/articles/prepare-draft";
import { contentFromHtml } from "@/lib/content/content";
import { fold } from "@/lib/search/words";

/** Every part of a draft: the declared fields of its text, and its parts. */
export const draftFields = Object.keys(emptyDraft) as (keyof DraftText)[];
const PARTS = ["tags", "relatedIds", "attachmentIds"];

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });

function valueOf(
  name: keyof DraftText,
  choices: Pick<DraftText, "relatedIds" | "attachmentIds">,
): fc.Arbitrary<unknown> {
  if (name === "relatedIds" || name === "attachmentIds") return fc.subarray(choices[name]);
  if (name === "html") return words.map((text) => `<p>${text.replace(/[&<>]/g, "")}</p>`);
  const kind = textFieldList.find(([field]) => field === name)?.[1].kind ?? "list";
  return { text: words, optional: fc.option(words), list: fc.array(words, { maxLength: 3 }), flag: fc.boolean() }[kind];
}

/** Whether two drafts have equal values in a field. The order of parts and the spelling of tags don't count. */
export function isSameField(name: keyof DraftText, one: DraftText, other: DraftText): boolean {
  const comparable = (draft: DraftText) =>
    JSON.stringify(PARTS.includes(name) ? (draft[name] as string[]).map(fold).sort() : draft[name]);
  return comparable(one) === comparable(other);
}

/** Drafts, clean as stored, that each differ from another in one field. */
export function differingIn(
  name: keyof DraftText,
  base: DraftText,
  choices: Pick<DraftText, "relatedIds" | "attachmentIds">,
): fc.Arbitrary<DraftText> {
  return valueOf(name, choices)
    .map((value) => checkedFields({ ...base, [name]: value }))
    .map((draft) => ({ ...draft, html: contentFromHtml(draft.html).html }))
    .filter((draft) => !isSameField(name, draft, base));
}
