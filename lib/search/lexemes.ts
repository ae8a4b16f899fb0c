/** Where a word is found, heaviest first (the order of weights of the specification). */
export const FIELDS = ["title", "content", "slug", "category", "keywords"] as const;
export type Field = (typeof FIELDS)[number];

/**
 * What PostgreSQL's index keeps of a word: the workspace's tag, a mark of the field, the word. `t` is a word of the title,
 * `w` one of title or content; `s`, `c` and `k` are those that only the slug, else only the category's name, else only
 * the keywords have. So which fields hold all of a query's words is known from the index alone: a filter by label would
 * read every document.
 */
export const MARKS: Record<Field, string> = { title: "t", content: "w", slug: "s", category: "c", keywords: "k" };

/**
 * What marks a word once more that title and content do not have, whichever lighter field does: who asks in any field asks
 * for two entries of a word and not for four, and an index takes longer the more entries it merges.
 */
export const BESIDE = "o";

/**
 * What marks the beginnings of words, of one to BEGINNINGS characters, where all that begin with them are too many to
 * collect for each search: of the words of title and content, of those of the title alone, and of those beside both.
 */
export const BEGINNING = { content: "b", title: "a", beside: "e" };
export const BEGINNINGS = 3;

/** What marks two neighbouring words of title or content, by a hash: some other neighbours have the same one. */
const PAIR = "p";

/** The index's form of two neighbouring words. */
export function pairLexeme(tag: string, first: string, second: string): string {
  let hash = 0x811c9dc5;
  for (const unit of `${first} ${second}`) hash = Math.imul(hash ^ (unit.codePointAt(0) as number), 0x01000193);
  // Three characters: short, because a text has hundreds, and of 46,656 kinds.
  return tag + PAIR + ((hash ^ (hash >>> 15)) >>> 0).toString(36).slice(-3).padStart(3, "0");
}

/** What is kept of a word: longer ones are cut, in documents and queries alike. In UTF-16 units. */
const LONGEST_WORD = 100;

/**
 * Two characters of a workspace's own in front of its words: workspaces that share a partition of the index do not
 * share its entries, so that none pays for the size of another. Two workspaces may have the same tag; the search asks
 * for the workspace itself too.
 */
export function tagOf(workspaceId: string): string {
  return (Number.parseInt(workspaceId.slice(0, 8), 16) % 1296).toString(36).padStart(2, "0");
}

/** The index's form of a word in a field. Never half a letter: the database refuses one of two code units alone. */
export function lexeme(tag: string, mark: string, word: string): string {
  return tag + mark + word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, "");
}
