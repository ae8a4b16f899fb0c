import type { PlannedWorkspace } from "../search/plan";
import { queriesFor } from "../search/queries";
import { Vocabulary } from "../search/words";
import type { Contents } from "./workspace";

export const OPERATIONS = [
  "me",
  "articles",
  "filtered",
  "article",
  "categories",
  "word",
  "phrase",
  "prefix",
  "members",
] as const;

export const PAGES = ["home", "category-page", "article-page", "markdown", "results-page"] as const;

export type OperationName = (typeof OPERATIONS)[number] | (typeof PAGES)[number];

/** Different URLs of an operation, fewer than are requested in a round. */
export const MOST = 100;

/** The URLs of each operation. They work on both servers. */
export function addressesOf(workspace: Contents & { workspace: PlannedWorkspace }): Record<OperationName, string[]> {
  const queries = queriesFor(new Vocabulary(), workspace.workspace);
  const at = (path: string) => `/api/external/v2${path}`;
  const search = (texts: readonly string[]) =>
    texts.map((text) => at(`/search?search_term=${encodeURIComponent(text)}`));
  return {
    me: [at("/me")],
    articles: pages().map((page) => at(`/articles?page_number=${page}`)),
    filtered: workspace.categoryIds
      .slice(0, MOST)
      .map((id) => at(`/articles?state=published&sort_by=title&category_id=${id}`)),
    article: workspace.articleIds.slice(0, MOST).map((id) => at(`/articles/${id}`)),
    categories: pages(5).map((page) => at(`/categories?page_number=${page}`)),
    word: search(queries.medium),
    phrase: search(queries.phrase),
    prefix: search(queries["3 letters"]),
    members: [at("/team-members")],
    home: ["/"],
    "category-page": workspace.categorySlugs.map((slug) => `/categories/${slug}`),
    "article-page": workspace.articleSlugs.map((slug) => `/articles/${slug}`),
    markdown: workspace.articleSlugs.map((slug) => `/articles/${slug}.md`),
    "results-page": queries.medium.map((text) => `/search?q=${encodeURIComponent(text)}`),
  };
}

const pages = (count = 20) => Array.from({ length: count }, (_, index) => index + 1);
