import { z } from "zod";
import type { SearchMatch as Match } from "@/lib/search/search";
import type { Addresses } from "./addresses";

const matched = (field: string) =>
  z
    .string()
    .nullable()
    .describe(`The ${field} as HTML, each matching word in a span of class article-matched-tag; null without one.`);

export const SearchMatch = z.object({
  id: z.guid().describe("The article's id."),
  url: z.url(),
  title: z.string(),
  category: z.string(),
  category_url: z.url(),
  matched_title: matched("title"),
  matched_content: matched("best piece of the content"),
  matched_category: matched("category name"),
});

export function matchShape(match: Match, addresses: Addresses): z.input<typeof SearchMatch> {
  return {
    id: match.id,
    url: addresses.article(match.slug),
    title: match.title,
    category: match.category.name,
    category_url: addresses.category(match.category.slug),
    matched_title: match.matchedTitle,
    matched_content: match.matchedContent,
    matched_category: match.matchedCategory,
  };
}
