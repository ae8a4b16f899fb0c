import type { Synonym } from "@/lib/synonyms/synonyms";

/** The effect of a synonym, as a sentence. */
export function effectOf({ term, replacements, twoWay }: Pick<Synonym, "term" | "replacements" | "twoWay">): string {
  const others = orOf(replacements.map((word) => `“${word}”`));
  const oneWay = `Searches for “${term}” also find ${others}`;
  return twoWay ? `${oneWay}, and vice versa.` : `${oneWay}.`;
}

export const ways = [
  { value: "both", name: "Two-way" },
  { value: "one", name: "One-way" },
];

export const waysHint = "One-way: a search for a synonym doesn't find the term.";

function orOf(words: string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "");
}
