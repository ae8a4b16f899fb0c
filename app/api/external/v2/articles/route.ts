import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { listArticles as list } from "@/lib/articles";
import { ArticleItem, ArticleState, articleItemShape } from "../_shapes/article";
import { SearchTerm } from "../_shapes/search-term";

const listArticles = readOperation({
  summary: "List articles",
  permission: "read",
  params: z.object({}),
  query: Paging.extend({
    category_id: z
      .guid({ error: "category_id must be the id of a category, a uuid." })
      .optional()
      .describe("Only articles of this category, not of those below it."),
    state: ArticleState.optional().describe("Both states when left out."),
    search_term: SearchTerm.optional().describe(
      "Only articles whose title or text has words that begin with each of these.",
    ),
    sort_by: z
      .enum(["created_at", "updated_at", "title", "unique_views_count"], {
        error: "sort_by must be created_at, updated_at, title or unique_views_count.",
      })
      .optional(),
    order_by: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["ASC", "DESC"], { error: "order_by must be ASC or DESC." }))
      .optional(),
  }),
  response: z.object({ articles: z.array(ArticleItem), pagination: Pagination }),
  async handle({ read, query }) {
    const { articles, total } = await list(read, {
      category: query.category_id,
      state: query.state,
      searchText: query.search_term,
      sort: query.sort_by,
      direction: query.order_by,
      ...windowOf(query),
    });
    return { articles: articles.map(articleItemShape), pagination: paginationOf(query, total) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listArticles });
