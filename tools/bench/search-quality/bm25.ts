import type { Article } from "./articles";

/** Small English words, ignored in a text that has others. */
const SMALL_WORDS = new Set(
  `a about am an and any are as at be by can could did do does for from get has have how i if in into is it its me my no
  not of on or our please should so some that the their them there these they this to was we what when where which who
  why will with would you your`.split(/\s+/),
);

const K1 = 1.2;
const B = 0.75;

/** Ranks articles by Okapi BM25 over any of the words, with all fields in one bag. Shares no code with the product. */
export function bm25(articles: readonly Article[]): (text: string) => string[] {
  const bags = articles.map((article) =>
    tokensOf([article.title, article.description, ...article.keywords, article.text].join("\n")),
  );
  const average = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  const counts = new Map<string, Map<number, number>>();
  for (const [index, bag] of bags.entries()) {
    for (const token of bag) {
      const of = counts.get(token) ?? new Map<number, number>();
      counts.set(token, of.set(index, (of.get(index) ?? 0) + 1));
    }
  }
  return (text) => {
    const tokens = [...new Set(tokensOf(text))];
    const others = tokens.filter((token) => !SMALL_WORDS.has(token));
    const scores = new Map<number, number>();
    for (const token of others.length > 0 ? others : tokens) {
      const found = counts.get(token) ?? new Map<number, number>();
      const rarity = Math.log(1 + (bags.length - found.size + 0.5) / (found.size + 0.5));
      for (const [index, times] of found) {
        const length = (bags[index] as string[]).length / average;
        const weight = (rarity * times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
        scores.set(index, (scores.get(index) ?? 0) + weight);
      }
    }
    const ranked = [...scores].sort(([, left], [, right]) => right - left);
    return ranked.slice(0, 10).map(([index]) => (articles[index] as Article).slug);
  };
}

/** Runs of letters and digits, in lower case and without accents. */
export function tokensOf(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
