import { type DraftText, eachField, textFieldList, textFields } from "@/lib/articles/article-text";
import type { Content, Reference } from "@/lib/content/content";
import type { Heading } from "@/lib/content/headings";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { fold } from "@/lib/search/words";
import { inThread } from "@/lib/threads/pool";

export interface PreparedDraft extends DraftText {
  text: string;
  headings: Heading[];
  links: Reference[];
}

/** Characters, or items of a list. */
export const MOST = {
  title: textFields.title.limit,
  html: textFields.html.limit,
  /** Cleaning this many takes a second, and half a million take six. */
  elements: 50_000,
  tag: 100,
  tags: 50,
  related: 10,
  attachments: 50,
  summary: 300,
} as const;

/** Bytes of a draft as JSON: a character takes at most three. */
export const MOST_BYTES = 8_000_000;

const UNTITLED = "Untitled";

/** Names the part that a draft lacks for publishing, or null when it is complete. An image or video counts as text. */
export async function lackOf(
  workspaceId: string,
  { title, html }: Pick<DraftText, "title" | "html">,
): Promise<"title" | "text" | null> {
  return lackIn(title, await inThread(workspaceId, "clean", html));
}

/** The same for clean HTML. */
export function lackIn(title: string, { text, html }: Pick<Content, "text" | "html">): "title" | "text" | null {
  if (title.trim() === "" || title === UNTITLED) return "title";
  return text.trim() === "" && !/<img |<div class="video"/.test(html) ? "text" : null;
}

/**
 * Cleans a draft. The longest text takes a second: call it before a transaction. Throws InvalidError naming every long field,
 * and TooSlowError.
 */
export async function preparedDraft(workspaceId: string, draft: DraftText): Promise<PreparedDraft> {
  const fields = checkedFields(draft);
  const { html, text, headings, links } = await inThread(workspaceId, "clean", draft.html);
  return { ...fields, html, text, headings, links };
}

/** A draft with everything tidied except its HTML. Throws InvalidError naming every long field. */
export function checkedFields(draft: DraftText): DraftText {
  const fields = {
    ...eachField((name, { kind }) => cleaned(kind, draft[name])),
    tags: namesOf(draft.tags),
    relatedIds: [...new Set(draft.relatedIds)],
    attachmentIds: [...new Set(draft.attachmentIds)],
  };
  const title = oneLine(draft.title) || UNTITLED;
  const invalid = excesses({ ...fields, title });
  if (invalid.length > 0) throw new InvalidError(invalid);
  return { ...fields, title };
}

function cleaned(kind: string, value: DraftText[keyof DraftText]): unknown {
  if (kind === "optional") return oneLine((value as string | null) ?? "") || null;
  return kind === "list" ? [...new Set((value as string[]).map(oneLine).filter(Boolean))] : value;
}

function excesses(draft: DraftText): InvalidField[] {
  const invalid: InvalidField[] = [];
  const most = (field: keyof DraftText, length: number, limit: number | undefined, name: string, unit: string) => {
    if (limit === undefined || length <= limit) return;
    const message = `${name} can have up to ${limit.toLocaleString("en")} ${unit} but has ${length.toLocaleString("en")}.`;
    invalid.push({ field, code: "too_long", message });
  };
  for (const [name, { kind, label, limit, items }] of textFieldList) {
    const value = draft[name];
    const words = label.toLowerCase();
    if (name === "html") {
      most(name, draft.html.length, limit, "The text", "characters of HTML");
      most(name, elementsIn(draft.html), MOST.elements, "The text", "elements of HTML");
    } else if (kind === "list") {
      most(name, (value as string[]).length, items, "An article", words);
      most(name, longest(value as string[]), limit, `A ${words.replace(/s$/, "")}`, "characters");
    } else if (typeof value === "string") most(name, [...value].length, limit, `The ${words}`, "characters");
  }
  most("tags", draft.tags.length, MOST.tags, "An article", "tags");
  most("tags", longest(draft.tags), MOST.tag, "A tag", "characters");
  most("relatedIds", draft.relatedIds.length, MOST.related, "An article", "related articles");
  most("attachmentIds", draft.attachmentIds.length, MOST.attachments, "An article", "attachments");
  return invalid;
}

/** An estimate: some end tags create an element too. */
export function elementsIn(html: string): number {
  const ends = html.split("</").length - 1;
  return Math.max(ends, html.split(/<[a-z]/i).length - 1);
}

/** The first spelling wins. */
function namesOf(tags: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const tag of tags.map(oneLine)) if (tag && !names.has(fold(tag))) names.set(fold(tag), tag);
  return [...names.values()];
}

export function oneLine(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
}

const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => [...text].length));
