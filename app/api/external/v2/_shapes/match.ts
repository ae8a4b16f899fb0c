import { z } from "zod";
import type { SearchMatch as Match } from "@/lib/search/matches";
import type { Urls } from "./urls";
import { ArticleVisibility, type VisibilityOf } from "./visibility";

const matched = (field: string) =>
  z
    .string()
    .nullable()
    .describe(
      `${field} as escaped HTML with each matching word in \`<span class="article-matched-tag">\`, or null if nothing matched.`,
    );

export const SearchMatch = z
  .object({
    id: z.guid().describe("The article's ID."),
    url: z
      .url()
      .describe("The absolute URL of its page, with the anchor of the section if `matched_heading` is not null."),
    title: z.string().describe("The title, without markup."),
    category: z.string().describe("The name of its category."),
    category_url: z.url().describe("The absolute URL of its category's page."),
    visibility: ArticleVisibility,
    matched_title: matched("The title"),
    matched_heading: z
      .string()
      .nullable()
      .describe(
        'The heading of the best-matching section as escaped HTML with each matching word in `<span class="article-matched-tag">`, or null if no section matches more words than the title.',
      ),
    matched_content: matched("A passage of at most 300 characters, in whole sentences if they fit,"),
    matched_category: matched("The name of the category"),
  })
  .meta({ id: "SearchMatch", description: "A published article found by a search." });

export function matchShape(match: Match, urls: Urls, visibilityOf: VisibilityOf): z.input<typeof SearchMatch> {
  return {
    id: match.id,
    url: urls.article(match.slug, match.heading?.id),
    title: match.title,
    category: match.category.name,
    category_url: urls.category(match.category.slug),
    visibility: visibilityOf(match.category.id),
    matched_title: match.matchedTitle,
    matched_heading: match.heading?.html ?? null,
    matched_content: match.matchedContent,
    matched_category: match.matchedCategory,
  };
}
