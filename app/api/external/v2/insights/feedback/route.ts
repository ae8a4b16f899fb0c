import { z } from "zod";
import { Pagination, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { momentsOf } from "@/lib/insights/days";
import { reasonsSince } from "@/lib/insights/feedback";
import { aFeedbackInsight, aPage } from "../../_shapes/examples";
import { FeedbackInsightDetails, feedbackInsightShape } from "../../_shapes/insights";
import { urlsOf } from "../../_shapes/urls";
import { aWrongDay, daysOf, InsightQuery, pageOf } from "../_days";

const listOperation = readOperation({
  operationId: "listFeedbackInsights",
  tag: "Insights",
  summary: "List reader feedback",
  description:
    "Lists anonymous feedback that names a problem or has a comment, newest first, for a date range. Votes without either are counted only in `GET /insights/articles`.",
  returns: "One page of feedback.",
  example: { feedback: [aFeedbackInsight], pagination: aPage },
  invalid: aWrongDay,
  scope: "insights.read",
  noStore: true,
  isSlow: () => true,
  params: z.object({}),
  query: InsightQuery,
  response: z
    .object({
      feedback: z.array(FeedbackInsightDetails).describe("The feedback of this page."),
      pagination: Pagination,
    })
    .meta({ id: "FeedbackInsightList", description: "One page of feedback." }),
  async handle({ read, query, workspace }) {
    const moments = momentsOf(daysOf(query));
    const urls = urlsOf(workspace);
    const { rows, total } = await pageOf((part) => reasonsSince(read, moments, part), windowOf(query));
    return { feedback: rows.map((row) => feedbackInsightShape(row, urls)), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
