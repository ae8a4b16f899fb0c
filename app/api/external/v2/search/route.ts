import { z } from "zod";
import { noteSearch } from "@/lib/analytics/search-log";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { env } from "@/lib/env";
import { vectorOf } from "@/lib/search/embeddings";
import { searchArticles } from "@/lib/search/search";
import { aMatch, aPage } from "../_shapes/examples";
import { matchShape, SearchMatch } from "../_shapes/match";
import { SearchTerm } from "../_shapes/search-term";
import { urlsOf } from "../_shapes/urls";
import { visibilities } from "../_shapes/visibility";

const search = readOperation({
  operationId: "searchArticles",
  tag: "Search",
  summary: "Search published articles",
  description: [
    "Finds published articles, best match first. A key without the `content.read` scope finds only those that visitors see. Articles with all words of the search usually come first. A match in the title counts most, followed by matches in the description, the text, the slug, the category name, and the keywords. If at most 60 articles have all words, articles with some of the words follow, ordered by the weight of those words, up to 100 articles in total. These partial matches are left out if the search has at least 3 words and an article contains exactly that text. They are also left out if an article has all words in its title and no stop words were ignored. If the installation has an embedding model, articles that are close in meaning are also included.",
    "Words match from their beginning, ignoring case and accents. In Korean, and in scripts without spaces between words, such as Chinese, Japanese, and Thai, they match from any character. Search also uses the synonyms of the workspace. Stop words of the workspace's language, such as `how`, `do`, and `I`, are ignored unless there are no other words, or the search is exactly a title. Only the first 10 different words count, not including stop words. A search without letters or digits finds nothing.",
    "If few articles are found, misspelled words are corrected to words from the published articles. Corrected matches come after matches with the words as typed, and `corrected_term` has the corrected spelling.",
  ].join("\n\n"),
  returns: "One page of matches, best first.",
  example: { matches: [aMatch], corrected_term: null, pagination: aPage },
  invalid: { field: "search_term", code: "required", message: "Search term is required" },
  scope: "public",
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
        description: "The text to search for, at most 200 characters. You can also send it as `query` or `q`.",
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
          "The corrected text that was also searched, such as `reset password` for `reset pasword`. Words without a correction are unchanged. Null if nothing was corrected.",
        )
        .meta({ examples: ["reset password"] }),
      pagination: Pagination,
    })
    .meta({ id: "SearchResults", description: "One page of matches." }),
  // Article vectors are computed after the article is saved, so a kept answer could miss them.
  keeps: () => !env().embeddings,
  after({ pagination: { current_page_number: page, total_records: total } }, { search_term: term }) {
    return ({ workspaceId, isHead }) => {
      // Turning pages is not another search.
      if (page === 1 && !isHead) noteSearch(workspaceId, { term, total });
    };
  },
  prepare: ({ query }) => vectorOf(query.search_term),
  async handle({ read, seen, query, workspace, prepared: vector }) {
    const urls = urlsOf(workspace);
    const { hidden } = seen;
    const found = await searchArticles(read, workspace.id, query.search_term, { ...windowOf(query), vector, hidden });
    const visibilityOf = await visibilities(read, workspace, seen);
    return {
      matches: found.matches.map((match) => matchShape(match, urls, visibilityOf)),
      corrected_term: found.correctedTerm,
      pagination: paginationOf(query, found.total),
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: search });
