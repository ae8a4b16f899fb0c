import type { Synonym } from "@/lib/synonyms/synonyms";

const either = new Intl.ListFormat("en", { type: "disjunction" });

/** The effect of a synonym, as a sentence. */
export function effectOf({ term, replacements, twoWay }: Pick<Synonym, "term" | "replacements" | "twoWay">): string {
  const others = either.format(replacements.map((word) => `“${word}”`));
  const oneWay = `Searches for “${term}” also find ${others}`;
  return twoWay ? `${oneWay}, and vice versa.` : `${oneWay}.`;
}

export const ways = [
  { value: "both", name: "Two-way" },
  { value: "one", name: "One-way" },
];

export const waysHint = "With one-way, a search for a synonym doesn't find the term.";
