import { prefixOf } from "./documents";
import { wordsOf } from "./words";

/** The most words of a search that count (contract 2). */
const MOST_WORDS = 10;

/** The words of a search, each once, in order. */
export function queryWords(text: string): string[] {
  return [...new Set(wordsOf(text))].slice(0, MOST_WORDS);
}

/**
 * A tsquery that wants every word, as a prefix, in fields with one of these labels.
 * @param labels of A title, B content, C slug, D category name and keywords; any field when empty
 */
export function allWords(words: readonly string[], labels = ""): string {
  return words.map((word) => prefixOf(word, labels)).join(" & ");
}

/** The tsquery for title and text alone (contract 18); null for a text without a letter or digit. */
export function textQuery(text: string): string | null {
  const words = queryWords(text);
  return words.length > 0 ? allWords(words, "AB") : null;
}
