import { z } from "zod";
import { noteSearch } from "@/lib/analytics/search-log";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { searchArticles } from "@/lib/search/search";
import { aMatch, aPage } from "../_shapes/examples";
import { matchShape, SearchMatch } from "../_shapes/match";
import { SearchTerm } from "../_shapes/search-term";
import { urlsOf } from "../_shapes/urls";

const search = readOperation({
  operationId: "searchArticles",
  tag: "Search",
  summary: "Search published articles",
  description: [
    "Finds published articles, the best match first. Articles with all words come first: a word in the title counts most, then in the description, the text, the slug, the name of the category and the keywords. Where at most 30 articles have all words, articles with some of the words follow, by the weight of those words, 100 in all.",
    "Words match from their start, whatever their case and accents. In scripts without blanks between words, such as Chinese, Japanese and Thai, and in Korean, they match from any character. What the synonyms of the workspace say is found as well. Small words of the workspace's language, such as `how do I`, do not count unless there are no others. At most 10 words count; a text without letters or digits finds nothing.",
    "Where few articles are found, misspelt words are corrected to words of the published articles. What is found by them comes after all that has the words as asked, and `corrected_term` says how they are spelt.",
  ].join("\n\n"),
  returns: "One page of matches, the best first.",
  example: { matches: [aMatch], corrected_term: null, pagination: aPage },
  invalid: { field: "search_term", code: "required", message: "Search term is required" },
  permission: "read",
  search: true,
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
        description:
          "The words to find, at most 200 characters. `query` and `q` are other names for it, read when it is absent.",
        examples: ["password"],
        override: { minLength: 1, maxLength: 200 },
      }),
  }),
  response: z
    .object({
      matches: z.array(SearchMatch).describe("The matches of this page."),
      corrected_term: z
        .string()
        .nullable()
        .describe(
          "The text in the spelling that was searched as well: `reset password` for `reset pasword`. Words that were not corrected stand as they were asked. Null when nothing was corrected.",
        )
        .meta({ examples: ["reset password"] }),
      pagination: Pagination,
    })
    .meta({ id: "SearchResults", description: "One page of matches." }),
  async handle({ read, query, workspace, isHead }) {
    const urls = urlsOf(workspace);
    const found = await searchArticles(read, workspace.id, query.search_term, windowOf(query));
    // Turning pages is not another search.
    if (query.page_number === 1 && !isHead) noteSearch(workspace.id, { term: query.search_term, total: found.total });
    return {
      matches: found.matches.map((match) => matchShape(match, urls)),
      corrected_term: found.correctedTerm,
      pagination: paginationOf(query, found.total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: search });
