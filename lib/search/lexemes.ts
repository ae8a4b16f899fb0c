/** In order of weight, heaviest first. */
export const FIELDS = ["title", "description", "content", "slug", "category", "keywords"] as const;
export type Field = (typeof FIELDS)[number];

/**
 * A lexeme is tag, mark, word. `t` marks words of the title, `w` of title or content, `d` those of the description that the title
 * lacks. `s`, `c`, `k` mark words that only the slug, else the category, else the keywords have. So the index alone knows which
 * fields match. Labels would need every document.
 */
export const MARKS: Record<Field, string> = {
  title: "t",
  description: "d",
  content: "w",
  slug: "s",
  category: "c",
  keywords: "k",
};

/** Marks words outside title and content, so that a search in all fields merges two entries per word and not four. */
export const BESIDE = "o";

/** Marks beginnings of up to BEGINNINGS characters, whose prefix search would collect too many words. */
export const BEGINNING = { content: "b", title: "a", beside: "e" };
export const BEGINNINGS = 3;

/** Marks two neighboring words by a short hash, so unrelated pairs may collide. */
const PAIR = "p";

export function pairLexeme(tag: string, first: string, second: string): string {
  return lexemeOfPair(tag, hashOfPair(first, second));
}

export function lexemeOfPair(tag: string, hash: number): string {
  return tag + PAIR + hash.toString(36).padStart(3, "0");
}

/** Below 36³, so that three characters hold it. */
export function hashOfPair(first: string, second: string): number {
  const hash = mixed(mixed(mixed(0x811c9dc5, first), " "), second);
  return ((hash ^ (hash >>> 15)) >>> 0) % 36 ** 3;
}

function mixed(hash: number, text: string): number {
  let result = hash;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) as number;
    if (point > 0xffff) at++;
    result = Math.imul(result ^ point, 0x01000193);
  }
  return result;
}

/** In UTF-16 units. Documents and queries cut words alike. */
const LONGEST_WORD = 100;

/** Keeps workspaces that share a partition from sharing index entries. Tags collide, so a search also filters by workspace. */
export function tagOf(workspaceId: string): string {
  return (Number.parseInt(workspaceId.slice(0, 8), 16) % 1296).toString(36).padStart(2, "0");
}

/** A cut never leaves half a surrogate pair, which PostgreSQL refuses. */
export function lexeme(tag: string, mark: string, word: string): string {
  const cut = word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, "") : word;
  return tag + mark + cut;
}
