import type { Heading } from "@/lib/content/headings";
import type { Read } from "@/lib/db";
import { textQuery } from "@/lib/search/query";

export type ArticleState = "draft" | "published";
export type ArticleSort = "created_at" | "updated_at" | "title" | "unique_views_count";

export interface ArticleListItem {
  id: string;
  slug: string;
  title: string;
  state: ArticleState;
  uniqueViewsCount: number;
  category: { id: string; name: string };
}

/** Another article, as links to it need it. */
export interface ArticleLink {
  id: string;
  title: string;
  slug: string;
}

/** An article whole: the live text of a published one, else the draft's (contract 41a). */
export interface Article {
  id: string;
  slug: string;
  title: string;
  state: ArticleState;
  createdAt: Date;
  updatedAt: Date;
  html: string;
  text: string;
  headings: Heading[];
  showTableOfContents: boolean;
  keywords: string[];
  pageTitle: string | null;
  metaDescription: string | null;
  categoryId: string;
  author: { id: string; firstName: string; lastName: string; email: string; pictureUploadId: string | null };
  tags: { id: string; name: string }[];
  attachments: { id: string; filename: string; contentType: string; byteSize: number; createdAt: string }[];
  related: ArticleLink[];
  next: ArticleLink | null;
  previous: ArticleLink | null;
}

const orders: Record<ArticleSort, string> = {
  created_at: "a.created_at",
  updated_at: "a.updated_at",
  title: "a.title",
  unique_views_count: "a.unique_views_count",
};

/**
 * Articles of both states, the newest first unless asked otherwise (contract 4, 8, 15 to 18).
 * @param category that category alone, not those below it
 * @param searchText words that must each begin a word of the title or text
 * @returns one page and the number of all that fit
 */
export async function listArticles(
  read: Read,
  {
    workspaceId,
    category,
    state,
    searchText,
    sort = "created_at",
    direction,
    limit,
    offset,
  }: {
    workspaceId: string;
    category?: string;
    state?: ArticleState;
    searchText?: string;
    sort?: ArticleSort;
    direction?: "ASC" | "DESC";
    limit: number;
    offset: number;
  },
): Promise<{ articles: ArticleListItem[]; total: number }> {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const where = (condition: (place: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (category) where((place) => `a.category_id = ${place}`, category);
  if (state) where((place) => `a.state = ${place}`, state);
  if (searchText) {
    const query = textQuery(workspaceId, searchText);
    if (!query) return { articles: [], total: 0 };
    where((place) => `a.id IN (SELECT search_filter(${place}::tsquery))`, query);
  }
  const filter = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const articles = await read<ArticleListItem>(
    `SELECT a.id, a.slug, a.title, a.state, a.unique_views_count AS "uniqueViewsCount",
       json_build_object('id', c.id, 'name', c.name) AS category
     FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     ${filter} ORDER BY ${orders[sort]} ${direction ?? (sort === "title" ? "ASC" : "DESC")}, a.id
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  );
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total FROM articles a ${filter}`, values);
  return { articles, total: count?.total ?? 0 };
}

const link = (alias: string) => `json_build_object('id', ${alias}.id, 'title', ${alias}.title, 'slug', ${alias}.slug)`;

/** The neighbour in reading order among the published articles of the same category (contract 41). */
const neighbour = (comparison: "<" | ">") => `(
  SELECT ${link("n")} FROM articles n
  WHERE n.workspace_id = a.workspace_id AND n.category_id = a.category_id AND n.state = 'published'
    AND (n.sequence, n.title, n.id) ${comparison} (a.sequence, a.title, a.id)
  ORDER BY ${["n.sequence", "n.title", "n.id"].map((column) => `${column} ${comparison === ">" ? "ASC" : "DESC"}`).join(", ")}
  LIMIT 1)`;

/** Tags, attachments and chosen related articles count for the state that is shown. */
const shown = (alias: string) => `(CASE WHEN a.state = 'published' THEN ${alias}.in_live ELSE ${alias}.in_draft END)`;

const detail = `
  SELECT a.id, a.slug, a.state, a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.category_id AS "categoryId",
    t.title, t.html, t.text, t.headings, t.show_table_of_contents AS "showTableOfContents", t.keywords,
    t.page_title AS "pageTitle", t.meta_description AS "metaDescription",
    json_build_object('id', m.id, 'firstName', m.first_name, 'lastName', m.last_name, 'email', m.email,
      'pictureUploadId', m.picture_upload_id) AS author,
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY x.position, g.name), '[]')
     FROM article_tags x JOIN tags g ON g.workspace_id = x.workspace_id AND g.id = x.tag_id
     WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND ${shown("x")}) AS tags,
    (SELECT coalesce(json_agg(json_build_object('id', u.id, 'filename', u.filename, 'contentType', u.content_type,
       'byteSize', u.byte_size, 'createdAt', u.created_at) ORDER BY x.position, u.id), '[]')
     FROM article_attachments x JOIN uploads u ON u.workspace_id = x.workspace_id AND u.id = x.upload_id
     WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND ${shown("x")}) AS attachments,
    (SELECT coalesce(json_agg(${link("r")} ORDER BY r.position), '[]')
     FROM (
       SELECT r.id, r.title, r.slug, x.position
       FROM related_articles x JOIN articles r ON r.workspace_id = x.workspace_id AND r.id = x.related_id
       WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND r.state = 'published' AND ${shown("x")}
       ORDER BY x.position LIMIT 10
     ) r) AS related,
    ${neighbour(">")} AS next,
    ${neighbour("<")} AS previous
  FROM articles a
  JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
  CROSS JOIN LATERAL (
    SELECT title, html, text, headings, show_table_of_contents, keywords, page_title, meta_description
    FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
    UNION ALL
    SELECT title, html, text, headings, show_table_of_contents, keywords, page_title, meta_description
    FROM article_drafts d WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'
  ) t`;

/**
 * The article that an address names: a uuid is an id, `a-` and 8 hex digits a permalink, anything else a slug, then a
 * former slug (contract 45).
 */
export async function findArticle(read: Read, name: string): Promise<Article | null> {
  const column = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)
    ? "id"
    : /^a-[0-9a-f]{8}$/.test(name)
      ? "permalink"
      : "slug";
  const [article] = await read<Article>(`${detail} WHERE a.${column} = $1`, [name]);
  if (article) return withRelated(read, article);
  if (column !== "slug") return null;
  const [former] = await read<Article>(
    `${detail} WHERE a.id = (SELECT article_id FROM redirects WHERE from_path = $1 AND kind = 'article')`,
    [`/articles/${name}`],
  );
  return former ? withRelated(read, former) : null;
}

/** Where nobody chose related articles, those that share the most tags are taken, then neighbours in the category. */
async function withRelated(read: Read, article: Article): Promise<Article> {
  if (article.related.length > 0) return article;
  const related = await read<ArticleLink>(
    `SELECT r.id, r.title, r.slug FROM articles r
     LEFT JOIN (
       SELECT workspace_id, article_id, count(*) AS shared FROM article_tags
       WHERE tag_id = ANY($1::uuid[]) AND in_live GROUP BY workspace_id, article_id
     ) s ON s.workspace_id = r.workspace_id AND s.article_id = r.id
     WHERE r.state = 'published' AND r.id <> $2 AND (s.shared > 0 OR r.category_id = $3)
     ORDER BY coalesce(s.shared, 0) DESC, (r.category_id = $3) DESC, r.sequence, r.title, r.id LIMIT 5`,
    [article.tags.map(({ id }) => id), article.id, article.categoryId],
  );
  return { ...article, related };
}
