import { z } from "zod";
import type { ArticleInsight } from "@/lib/insights/days";
import type { Reason } from "@/lib/insights/feedback";
import type { SearchTerm } from "@/lib/insights/search-terms";
import type { Urls } from "./urls";

const Article = {
  article_id: z.guid().describe("The article's ID."),
  title: z.string().describe("The article's title."),
  state: z.enum(["draft", "published"]).describe("The article's state now."),
  full_url: z.url().describe("The article's absolute URL."),
};

export const ArticleInsightDetails = z
  .object({
    ...Article,
    views_count: z.int().min(0).describe("How often it was viewed. Each reader counts once a day."),
    helpful_count: z.int().min(0).describe("How many readers found it helpful."),
    not_helpful_count: z.int().min(0).describe("How many readers found it not helpful."),
  })
  .meta({ id: "ArticleInsight", description: "How readers used an article." });

export const SearchInsightDetails = z
  .object({
    term: z.string().describe("The text of the search, as it was last typed."),
    searches_count: z
      .int()
      .min(1)
      .describe("How often it was searched for. Searches that differ only in case or accents count as one."),
    last_searched_at: z.iso.datetime().describe("When it was last searched for."),
    has_results: z.boolean().describe("Whether the last search found anything."),
    opened: z.boolean().describe("Whether a reader opened a result."),
  })
  .meta({ id: "SearchInsight", description: "A search term that readers used." });

export const FeedbackInsightDetails = z
  .object({
    id: z.guid().describe("The ID of the feedback."),
    ...Article,
    helpful: z.boolean().describe("Whether the reader found the article helpful."),
    choice: z
      .enum(["missing", "unclear", "outdated", "other"])
      .nullable()
      .describe(
        "The problem that the reader chose: missing, unclear, or outdated information, or something else. Null if the reader chose none.",
      ),
    reason: z.string().nullable().describe("The reader's comment, or null."),
    created_at: z.iso.datetime().describe("When the reader gave the feedback."),
  })
  .meta({ id: "FeedbackInsight", description: "A reader's feedback on an article." });

const articleOf = (article: { id: string; slug: string; title: string; published: boolean }, urls: Urls) => ({
  article_id: article.id,
  title: article.title,
  state: article.published ? ("published" as const) : ("draft" as const),
  full_url: urls.article(article.slug),
});

export function articleInsightShape(row: ArticleInsight, urls: Urls): z.input<typeof ArticleInsightDetails> {
  return { ...articleOf(row, urls), views_count: row.views, helpful_count: row.yes, not_helpful_count: row.no };
}

export function searchInsightShape(row: SearchTerm): z.input<typeof SearchInsightDetails> {
  return {
    ...{ term: row.term, searches_count: row.times, last_searched_at: row.lastAt.toISOString() },
    ...{ has_results: row.found, opened: row.opened },
  };
}

export function feedbackInsightShape(row: Reason, urls: Urls): z.input<typeof FeedbackInsightDetails> {
  return {
    ...{ id: row.feedbackId, ...articleOf(row, urls) },
    ...{ helpful: row.helpful, choice: row.choice, reason: row.reason, created_at: row.at.toISOString() },
  };
}
