import { countOf, number } from "@/components/ui/count";
import { MOST_COUNTED, type Why, type WhyWord } from "@/lib/search/explain";
import { FIELDS, type Field } from "@/lib/search/lexemes";

const places: Record<Field, string> = {
  title: "in the title",
  description: "at least one in the description",
  content: "at least one in the text",
  slug: "at least one in the URL",
  category: "at least one in the category",
  keywords: "at least one in the keywords",
};

/** The reason for an article's position, in a few words. */
export function sentenceOfWhy({ first, words, missing }: Why): string {
  if (first?.reason === "pinned") return "Pinned";
  if (first) return `Opened ${countOf(first.readers ?? 0, "time")} from this search`;
  if (words.length === 0) return "Close in meaning";
  const others = words.flatMap(({ word, as }) => (as ? `“${as}” for “${word}”` : []));
  const instead = others.length > 0 ? `, ${others.join(", ")}` : "";
  if (missing.length > 0)
    return `Some words: ${words.map(rarityOf).join(", ")}${instead}. Missing: ${missing.join(", ")}`;
  const lightest = FIELDS.findLast((field) => words.some((word) => word.field === field)) as Field;
  return `All words, ${places[lightest]}${instead}`;
}

function rarityOf({ word, articles }: WhyWord): string {
  return articles >= MOST_COUNTED
    ? `${word} (in ${number(MOST_COUNTED)} articles or more)`
    : `${word} (in ${countOf(articles, "article")})`;
}
