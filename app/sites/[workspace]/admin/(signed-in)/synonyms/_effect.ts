import type { Synonym } from "@/lib/synonyms/synonyms";

/** The effect of a synonym, as a sentence. */
export function effectOf({ term, replacements, twoWay }: Pick<Synonym, "term" | "replacements" | "twoWay">): string {
  const others = orOf(replacements.map((word) => `“${word}”`));
  const oneWay = `Readers who search for “${term}” also find articles that say ${others}`;
  return twoWay ? `${oneWay}, and the other way round.` : `${oneWay}, but not the other way round.`;
}

export const ways = [
  { value: "both", name: "Both ways" },
  { value: "one", name: "One way" },
];

export const waysHint =
  "With “pto” for “vacation”: readers who search for “pto” also find “vacation”. Both ways: who searches for “vacation” finds “pto”, too.";

function orOf(words: string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : (words[0] ?? "");
}
