import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { searchArticles } from "@/lib/search/search";
import { addressesOf } from "../_shapes/addresses";
import { matchShape, SearchMatch } from "../_shapes/match";
import { SearchTerm } from "../_shapes/search-term";

const search = readOperation({
  summary: "Search published articles",
  permission: "read",
  params: z.object({}),
  query: Paging.extend({
    search_term: z
      .string({ error: "Search term is required" })
      .refine((text) => text.trim() !== "", {
        error: "Search term is required",
        params: { code: "required" },
        abort: true,
      })
      .pipe(SearchTerm)
      .meta({
        aliases: ["query", "q"],
        description: "The words to find, each from the start of a word. query and q are read when it is absent.",
      }),
  }),
  response: z.object({
    matches: z.array(SearchMatch),
    corrected_term: z
      .string()
      .nullable()
      .describe("The spelling that was searched instead, null when nothing was corrected."),
    pagination: Pagination,
  }),
  async handle({ read, query, workspace }) {
    const addresses = addressesOf(workspace);
    const { matches, total } = await searchArticles(read, query.search_term, windowOf(query));
    return {
      matches: matches.map((match) => matchShape(match, addresses)),
      corrected_term: null,
      pagination: paginationOf(query, total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: search });
