import { createHash } from "node:crypto";
import { type ArticleParts, articlesWhere, parts, relatedOrSimilar } from "@/lib/articles/article-parts";
import { type ArticleText, selectText, textColumns } from "@/lib/articles/article-text";
import { findTagCalled } from "@/lib/articles/tags";
import type { Heading } from "@/lib/content/headings";
import { batched, inOneGo, keptByVersion, MOST_TOGETHER, type Read, versionsOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textQuery } from "@/lib/search/query";
import { everything, type Seen } from "@/lib/visibility";

export type ArticleState = "draft" | "published";
export type ArticleSort = "created_at" | "updated_at" | "title" | "unique_views_count";

export interface ArticleListItem {
  id: string;
  slug: string;
  title: string;
  state: ArticleState;
  /** 0 for visitors, who do not see it. */
  uniqueViewsCount: number;
  category: { id: string; name: string };
  createdAt: Date;
  updatedAt: Date;
  /** Only when asked for: the live text of a published article with its snippets, otherwise the draft's. */
  html?: string;
  text?: string;
}

/** The live text of a published article with its snippets, otherwise the draft's (contract 41a). */
export interface Article extends ArticleParts, ArticleText {
  id: string;
  slug: string;
  state: ArticleState;
  createdAt: Date;
  updatedAt: Date;
  text: string;
  headings: Heading[];
  categoryId: string;
  revision: number;
  hasDraft: boolean;
  externalId: string | null;
}

const orders: Record<ArticleSort, string> = {
  created_at: "a.created_at",
  updated_at: "a.updated_at",
  title: "a.title",
  unique_views_count: "a.unique_views_count",
};

/**
 * Lists articles of both states, by default the newest first (contract 4, 8, 15 to 18).
 * @param ids these articles alone
 * @param withText also reads the texts
 * @param category that category alone, without its subcategories
 * @param searchText words that must each begin a word of the title or text
 * @param tag the name of a tag of the text that is listed, ignoring case
 * @throws InvalidError when a visitor's list is to be sorted by views
 */
export async function listArticles(
  read: Read,
  {
    workspaceId,
    ids,
    withText = false,
    category,
    state,
    searchText,
    updatedSince,
    tag,
    authorEmail,
    externalId,
    hasDraft,
    sort = "created_at",
    direction,
    limit,
    offset,
  }: {
    workspaceId: string;
    ids?: readonly string[];
    withText?: boolean;
    category?: string;
    state?: ArticleState;
    searchText?: string;
    updatedSince?: Date;
    tag?: string;
    authorEmail?: string;
    externalId?: string;
    hasDraft?: boolean;
    sort?: ArticleSort;
    direction?: "ASC" | "DESC";
    limit: number;
    offset: number;
  },
  { viewer, hidden }: Seen = everything,
): Promise<{ articles: ArticleListItem[]; total: number }> {
  const isVisitor = viewer === "anyone";
  if (isVisitor && sort === "unique_views_count") {
    const message = "Visitors don't see views. Sort by another field, or use a key with the content.read scope.";
    throw new InvalidError([{ field: "sort_by", code: "not_allowed", message }]);
  }
  const values: unknown[] = [];
  const conditions: string[] = [];
  const where = (condition: (place: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (ids) where((place) => `a.id = ANY(${place}::uuid[])`, ids);
  if (category) where((place) => `a.category_id = ${place}`, category);
  if (isVisitor) conditions.push("a.state = 'published'");
  if (hidden.length > 0) where((place) => `a.category_id <> ALL(${place}::uuid[])`, hidden);
  if (state) where((place) => `a.state = ${place}`, state);
  if (updatedSince) where((place) => `a.updated_at >= ${place}`, updatedSince);
  if (tag !== undefined) {
    const found = await findTagCalled(read, tag);
    if (!found) return { articles: [], total: 0 };
    where(isTagged, found.id);
  }
  if (authorEmail !== undefined) {
    where((place) => `a.author_id = (SELECT id FROM members WHERE email_folded = lower(${place}))`, authorEmail);
  }
  if (externalId !== undefined) where((place) => `a.external_id = ${place}`, externalId);
  if (hasDraft !== undefined) conditions.push(`${hasDraft ? "" : "NOT "}${hasDraftRow}`);
  if (searchText) {
    const query = textQuery(workspaceId, searchText);
    if (!query) return { articles: [], total: 0 };
    where((place) => `a.id IN (SELECT search_filter(${place}::tsquery))`, query);
  }
  const filter = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const order = `ORDER BY ${orders[sort]} ${direction ?? (sort === "title" ? "ASC" : "DESC")}, a.id`;
  // Limits first, so that articles of earlier pages are not joined.
  const listing = read<ArticleListItem>(
    `SELECT a.id, a.slug, a.title, a.state, ${isVisitor ? "0" : "a.unique_views_count"} AS "uniqueViewsCount",
       json_build_object('id', c.id, 'name', c.name) AS category, a.created_at AS "createdAt", a.updated_at AS "updatedAt"
       ${withText ? `, coalesce(l.shown_html, l.html, d.html) AS html, coalesce(l.text, d.text) AS text` : ""}
     FROM (SELECT * FROM articles a ${filter} ${order} LIMIT $${values.length + 1} OFFSET $${values.length + 2}) a
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     ${withText ? texts : ""}
     ${order}`,
    [...values, limit, offset],
  );
  // The total may need the versions.
  const [articles] = await inOneGo([listing, versionsOf(read)]);
  if (articles.length < limit && (articles.length > 0 || offset === 0))
    return { articles, total: offset + articles.length };
  const ofAll = async () => {
    const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM articles a ${filter}`, values);
    return { total: count?.total ?? 0 };
  };
  // Words of drafts change without a version.
  if (searchText) return { articles, ...(await ofAll()) };
  const isOfVisitors = isVisitor && [authorEmail, externalId, hasDraft].every((one) => one === undefined);
  return { articles, ...(await keptTotal(read, isOfVisitors ? "content" : "drafts", hashOf([filter, values]), ofAll)) };
}

/** Counting reads every row. */
const keptTotal = keptByVersion<{ total: number }>(10_000, () => 1);

const hashOf = (list: unknown) => createHash("sha1").update(JSON.stringify(list)).digest("base64url");

const isTagged = (place: string) => `EXISTS (
  SELECT FROM article_tags x WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id
    AND x.tag_id = ${place}::uuid
    AND CASE WHEN a.state = 'published' THEN x.in_live ELSE x.in_draft END)`;

const hasDraftRow = "EXISTS (SELECT FROM article_drafts x WHERE x.workspace_id = a.workspace_id AND x.id = a.id)";

const texts = `
  LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
  LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'`;

const detail = (condition: string) => `
  SELECT a.id, a.slug, a.state, a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.category_id AS "categoryId",
    a.revision, a.external_id AS "externalId", ${selectText("t")}, coalesce(t.shown_html, t.html) AS html, t.text, t.headings, ${parts("$2", relatedOrSimilar("$2"))},
    EXISTS (SELECT FROM article_drafts d WHERE d.workspace_id = a.workspace_id AND d.id = a.id) AS "hasDraft"
  FROM ${articlesWhere(`${condition} AND a.category_id <> ALL($2::uuid[]) AND (a.state = 'published' OR NOT $3)`)}
  JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
  CROSS JOIN LATERAL (
    SELECT ${textColumns()}, text, headings, shown_html FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
    UNION ALL
    SELECT ${textColumns()}, text, headings, NULL FROM article_drafts d WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'
  ) t`;

/**
 * Finds an article by a UUID (its id), `a-` and 8 hex digits (its permalink), or a slug or former slug (contract 45).
 * Visitors get no keywords, which no page shows.
 */
export async function findArticle(read: Read, name: string, seen: Seen = everything): Promise<Article | null> {
  const column = columnOf(name);
  if (column === "id") return findById[seen.viewer](read, { id: name.toLowerCase(), seen });
  const find = async (condition: string, value: string): Promise<Article | null> => {
    const [article] = await detailsOf(read, condition, value, seen);
    return article ?? null;
  };
  const article = await find(`a.${column} = $1`, name);
  if (article || column !== "slug") return article;
  return find(
    "a.id = (SELECT article_id FROM redirects WHERE from_path = $1 AND kind = 'article')",
    `/articles/${name}`,
  );
}

/** The articles with these ids, as findArticle returns them. */
export async function findArticles(
  read: Read,
  ids: readonly string[],
  seen: Seen = everything,
): Promise<Map<string, Article>> {
  const articles = await detailsOf(read, "a.id = ANY($1::uuid[])", ids, seen);
  return new Map(articles.map((article) => [article.id, article]));
}

interface Asked {
  id: string;
  seen: Seen;
}

const findEach = async (read: Read, asked: readonly Asked[]): Promise<(Article | null)[]> => {
  const found = new Map<readonly string[], Map<string, Article>>();
  for (const { seen } of asked) {
    if (found.has(seen.hidden)) continue;
    const ids = asked.filter((one) => one.seen.hidden === seen.hidden).map(({ id }) => id);
    // Always the same number of parameters, so that PostgreSQL keeps one plan.
    const rest = Array.from({ length: MOST_TOGETHER - 1 }, (_, place) => ids[place + 1] ?? ids[0]);
    const places = rest.map((_, place) => `, $${place + 4}::uuid`).join("");
    const articles = await detailsOf(read, `a.id IN ($1::uuid${places})`, ids[0], seen, rest);
    found.set(seen.hidden, new Map(articles.map((article) => [article.id, article])));
  }
  return asked.map(({ id, seen }) => found.get(seen.hidden)?.get(id) ?? null);
};

/** Callers that ask for the same article at the same time get the same object, so they must not change it. */
const findById = { anyone: batched(findEach), member: batched(findEach) };

/** @param more values of the condition after the first, from $4 on */
async function detailsOf(
  read: Read,
  condition: string,
  value: unknown,
  { viewer, hidden }: Seen,
  more: readonly unknown[] = [],
): Promise<Article[]> {
  const isVisitor = viewer === "anyone";
  const articles = await read<Article>(detail(condition), [value, hidden, isVisitor, ...more]);
  return isVisitor ? articles.map((article) => ({ ...article, keywords: [] })) : articles;
}

/** Like findArticle for members, but only returns the id. */
export async function findArticleId(read: Read, name: string): Promise<string | null> {
  const column = columnOf(name);
  const [article] = await read<{ id: string }>(
    `SELECT id::text FROM articles WHERE ${column} = $1${column === "id" ? "::uuid" : ""} ${
      column === "slug"
        ? `UNION ALL SELECT article_id::text FROM redirects WHERE from_path = '/articles/' || $1 AND kind = 'article' LIMIT 1`
        : ""
    }`,
    [name],
  );
  return article?.id ?? null;
}

function columnOf(name: string): "id" | "permalink" | "slug" {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return "id";
  return /^a-[0-9a-f]{8}$/.test(name) ? "permalink" : "slug";
}
