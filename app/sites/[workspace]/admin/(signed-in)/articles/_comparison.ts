import type { OtherChange } from "@/components/admin/writing/comparison";
import { type ArticleText, textFieldList } from "@/lib/articles/article-text";
import type { OpenDraft } from "@/lib/articles/open-draft";
import type { ComparedTexts } from "@/lib/content/compare";
import { inThread, TooSlowError } from "@/lib/threads/pool";

/** A text of an article with the names of its parts. Versions have no related articles and attachments. */
export type Comparable = ArticleText & { tags: string[]; related?: string[]; attachments?: string[] };

/** An open article, with the names of what belongs to no version. */
export function comparable({ text, related, attachments }: OpenDraft): Comparable {
  return {
    ...text,
    related: related.map(({ title }) => title),
    attachments: attachments.map(({ filename }) => filename),
  };
}

/** The differences between two texts of an article, as readers see them. */
export async function compareArticles(
  workspaceId: string,
  before: Comparable | null,
  after: Comparable,
): Promise<ComparedTexts & { others: OtherChange[]; isSame: boolean }> {
  const texts = await inThread(workspaceId, "compare", before?.html ?? "", after.html).catch((error: unknown) => {
    if (error instanceof TooSlowError) return tooSlow;
    throw error;
  });
  const [earlier, later] = [beside(before), beside(after)];
  const others = Object.keys(later)
    .map((name) => ({ name, before: earlier[name] ?? "", after: later[name] ?? "" }))
    .filter((change) => change.before !== change.after);
  const isSame = others.length === 0 && !texts.isUnnamed && !texts.lines.some(({ isChanged }) => isChanged);
  return { ...texts, others, isSame };
}

/** Everything except the body, as text, by its label. */
function beside(text: Comparable | null): Record<string, string> {
  const words: Record<string, string> = {};
  if (!text) return words;
  for (const [name, { label }] of textFieldList) if (name !== "html") words[label] = inWords(text[name]);
  const { tags, related = [], attachments = [] } = text;
  return {
    ...words,
    Tags: inWords(tags),
    "Related articles": inWords(related),
    Attachments: inWords(attachments),
  };
}

function inWords(value: ArticleText[keyof ArticleText]): string {
  if (typeof value === "boolean") return value ? "shown" : "not shown";
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

const TOO_SLOW = "Comparing the text takes too long. Open the preview instead.";
const tooSlow: ComparedTexts = {
  lines: [{ isChanged: true, label: TOO_SLOW, pieces: [], notes: [] }],
  isRough: false,
  isUnnamed: false,
};

/** Shown where the comparison is only rough. */
export const ROUGH = "Too many changes to compare word by word. Some paragraphs are shown as removed and added.";
