import { wordsOf } from "./words";

/** What search keeps of an article: literals for the columns of search_documents. */
export interface SearchDocument {
  title: string;
  words: string;
  categoryWords: string;
}

/** What PostgreSQL keeps of a word: longer ones are cut, in documents and queries alike. */
const LONGEST_WORD = 100;
/** The last position a tsvector can hold, and the most positions of one word. */
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 255;

/**
 * The search document of an article. Weights in order: title A, content B, slug C, category name and keywords D.
 * A field's words are set far apart from the next field's, so that closeness is never counted across fields.
 */
export function searchDocument(article: {
  title: string;
  text: string;
  slug: string;
  categoryName: string;
  keywords: readonly string[];
}): SearchDocument {
  const title = wordsOf(article.title);
  const category = wordsOf(article.categoryName);
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const [label, words] of [
    ["A", title],
    ["C", wordsOf(article.slug)],
    ["D", category],
    ["D", wordsOf(article.keywords.join(" ; "))],
    ["B", wordsOf(article.text)],
  ] as const) {
    for (const word of words) {
      position = Math.min(position + 1, LAST_POSITION);
      const key = kept(word);
      const known = positions.get(key);
      if (!known) positions.set(key, [`${position}${label}`]);
      else if (known.length < MOST_POSITIONS && known.at(-1) !== `${position}${label}`)
        known.push(`${position}${label}`);
    }
    position = Math.min(position + 50, LAST_POSITION);
  }
  return {
    title: title.join(" "),
    words: [...positions].map(([word, places]) => `'${word}':${places.join(",")}`).join(" "),
    categoryWords: [...new Set(category)].map((word) => `'${kept(word)}'`).join(" "),
  };
}

/** One word of a query, in a tsquery's own syntax: everything that begins with it. Words hold letters and digits only. */
export function prefixOf(word: string, labels = ""): string {
  return `'${kept(word)}':*${labels}`;
}

/** Never half a letter: one outside the basic plane is two code units, and the database refuses one of them alone. */
function kept(word: string): string {
  return word.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, "");
}
