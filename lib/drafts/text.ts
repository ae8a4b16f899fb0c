import type { Link } from "@/lib/content/canonical";
import { type Content, contentFromHtml } from "@/lib/content/content";
import type { Heading } from "@/lib/content/headings";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { fold } from "@/lib/search/words";

/** All of an article that waits for publishing. */
export interface DraftText {
  /** What is empty is called "Untitled" when it is saved. */
  title: string;
  html: string;
  keywords: string[];
  /** By their names, in order. */
  tags: string[];
  /** Articles, in order. */
  relatedIds: string[];
  /** Uploads, in order. */
  attachmentIds: string[];
  pageTitle: string | null;
  metaDescription: string | null;
  showTableOfContents: boolean;
}

/** A draft as it is stored, with what is derived from its body. */
export interface PreparedDraft extends DraftText {
  text: string;
  headings: Heading[];
  links: Link[];
}

/** The most of each: characters, or things of a list. */
export const MOST = {
  title: 300,
  html: 2_000_000,
  /** Cleaning costs by the element: this many a second or less, where half a million take six. */
  elements: 50_000,
  keyword: 200,
  keywords: 100,
  tag: 100,
  tags: 50,
  related: 10,
  attachments: 50,
  pageTitle: 300,
  metaDescription: 5_000,
  /** What whoever publishes says that it changes. */
  summary: 300,
} as const;

/** The most bytes of a draft as JSON: more than one of that size has in any script, where a character has three. */
export const MOST_BYTES = 8_000_000;

const UNTITLED = "Untitled";

/** What a draft lacks without which readers have nothing of it; null when it has both. An image or a video is as good as text. */
export function lackOf({ title, html }: Pick<DraftText, "title" | "html">): "title" | "text" | null {
  return lackIn(title, contentFromHtml(html));
}

/** The same of a text that is clean already. */
export function lackIn(title: string, { text, html }: Pick<Content, "text" | "html">): "title" | "text" | null {
  if (title.trim() === "" || title === UNTITLED) return "title";
  return text.trim() === "" && !/<img |<div class="video"/.test(html) ? "text" : null;
}

/**
 * Cleans a draft and derives what is stored beside it. Takes milliseconds, and up to a second of the longest: call it before a transaction, not inside.
 * @throws InvalidError naming every field that is too long
 */
export function preparedDraft(given: DraftText): PreparedDraft {
  const invalid: InvalidField[] = [];
  const most = (field: keyof DraftText, length: number, limit: number, what: string) => {
    if (length <= limit) return;
    const [name, unit = "characters"] = what.split(": ");
    const message = `${name} can have at most ${limit.toLocaleString("en")} ${unit}; there are ${length.toLocaleString("en")}.`;
    invalid.push({ field, code: "too_long", message });
  };
  const title = oneLine(given.title) || UNTITLED;
  const pageTitle = oneLine(given.pageTitle ?? "") || null;
  const metaDescription = oneLine(given.metaDescription ?? "") || null;
  const keywords = [...new Set(given.keywords.map(oneLine).filter(Boolean))];
  const tags = namesOf(given.tags);
  const relatedIds = [...new Set(given.relatedIds)];
  const attachmentIds = [...new Set(given.attachmentIds)];
  most("title", [...title].length, MOST.title, "The title");
  most("html", given.html.length, MOST.html, "The text: characters of HTML");
  most("html", elementsIn(given.html), MOST.elements, "The text: elements of HTML");
  most("keywords", keywords.length, MOST.keywords, "An article: keywords");
  most("keywords", longest(keywords), MOST.keyword, "A keyword");
  most("tags", tags.length, MOST.tags, "An article: tags");
  most("tags", longest(tags), MOST.tag, "A tag");
  most("relatedIds", relatedIds.length, MOST.related, "An article: related articles");
  most("attachmentIds", attachmentIds.length, MOST.attachments, "An article: attachments");
  most("pageTitle", [...(pageTitle ?? "")].length, MOST.pageTitle, "The title for search engines");
  most("metaDescription", [...(metaDescription ?? "")].length, MOST.metaDescription, "The description");
  if (invalid.length > 0) throw new InvalidError(invalid);
  const { html, text, headings, links } = contentFromHtml(given.html);
  const { showTableOfContents } = given;
  return {
    ...{ title, html, keywords, tags, relatedIds, attachmentIds, pageTitle, metaDescription, showTableOfContents },
    ...{ text, headings, links },
  };
}

/** About how many elements a source has: some end tags make one as well. */
function elementsIn(html: string): number {
  const ends = html.split("</").length - 1;
  return Math.max(ends, html.split(/<[a-z]/i).length - 1);
}

/** Names of tags, each once: of two spellings the first counts. */
function namesOf(tags: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const tag of tags.map(oneLine)) if (tag && !names.has(fold(tag))) names.set(fold(tag), tag);
  return [...names.values()];
}

/** A text without line breaks, control characters and blanks at its ends. */
export function oneLine(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
}

const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((text) => [...text].length));
