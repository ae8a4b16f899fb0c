import { z } from "zod";
import { Pagination, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { momentsOf } from "@/lib/insights/days";
import { termsSince } from "@/lib/insights/search-terms";
import { aPage, aSearchInsight } from "../../_shapes/examples";
import { SearchInsightDetails, searchInsightShape } from "../../_shapes/insights";
import { aWrongDay, daysOf, InsightQuery, pageOf } from "../_days";

const lists = { no_results: "nothing", no_clicks: "unopened" } as const;

const listOperation = readOperation({
  operationId: "listSearchInsights",
  tag: "Insights",
  summary: "List reader searches",
  description: "Lists what readers searched for in a date range, most frequent first.",
  returns: "One page of searches.",
  example: { searches: [aSearchInsight], pagination: aPage },
  invalid: aWrongDay,
  scope: "insights.read",
  noStore: true,
  isSlow: () => true,
  params: z.object({}),
  query: InsightQuery.extend({
    only: z
      .enum(["no_results", "no_clicks"], { error: "only must be no_results or no_clicks." })
      .optional()
      .meta({
        description:
          "`no_results`: only searches that found nothing the last time someone made them. `no_clicks`: only repeated searches with results that no reader opened.",
        examples: ["no_results"],
      }),
  }),
  response: z
    .object({ searches: z.array(SearchInsightDetails).describe("The searches of this page."), pagination: Pagination })
    .meta({ id: "SearchInsightList", description: "One page of searches." }),
  async handle({ read, query }) {
    const list = query.only ? lists[query.only] : "all";
    const moments = momentsOf(daysOf(query));
    const load = async (part: { limit: number; offset: number }) =>
      (await termsSince(read, [list], moments, part))[list];
    const { rows, total } = await pageOf(load, windowOf(query));
    return { searches: rows.map(searchInsightShape), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation });
