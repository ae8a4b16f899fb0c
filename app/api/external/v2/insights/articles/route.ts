import { z } from "zod";
import { Pagination, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { articleInsights } from "@/lib/insights/days";
import { anArticleInsight, aPage } from "../../_shapes/examples";
import { ArticleInsightDetails, articleInsightShape } from "../../_shapes/insights";
import { urlsOf } from "../../_shapes/urls";
import { aWrongDay, daysOf, InsightQuery, pageOf } from "../_days";

const listOperation = readOperation({
  operationId: "listArticleInsights",
  tag: "Insights",
  summary: "List the most-read articles",
  description:
    "Lists the articles that readers viewed or rated in a date range, most viewed first, including members-only articles and articles that have since been unpublished.",
  returns: "One page of articles.",
  example: { articles: [anArticleInsight], pagination: aPage },
  invalid: aWrongDay,
  scope: "insights.read",
  noStore: true,
  isSlow: () => true,
  params: z.object({}),
  query: InsightQuery,
  response: z
    .object({ articles: z.array(ArticleInsightDetails).describe("The articles of this page."), pagination: Pagination })
    .meta({ id: "ArticleInsightList", description: "One page of articles." }),
  async handle({ read, query, workspace }) {
    const days = daysOf(query);
    const urls = urlsOf(workspace);
    const { rows, total } = await pageOf((part) => articleInsights(read, days, part), windowOf(query));
    return { articles: rows.map((row) => articleInsightShape(row, urls)), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
