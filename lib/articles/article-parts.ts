export interface ArticleLink {
  id: string;
  title: string;
  slug: string;
}

export interface ArticleParts {
  author: { id: string; firstName: string; lastName: string; email: string; pictureUploadId: string | null };
  tags: { id: string; name: string }[];
  attachments: { id: string; filename: string; contentType: string; byteSize: number; createdAt: string }[];
  related: ArticleLink[];
  next: ArticleLink | null;
  previous: ArticleLink | null;
}

/**
 * SQL of the articles that meet a condition, as `a`. PostgreSQL looks them up before it joins other tables. Otherwise it may read
 * all articles of their author, because it assumes that author and workspace are independent.
 */
export const articlesWhere = (condition: string) => `(SELECT * FROM articles a WHERE ${condition} OFFSET 0) a`;

const link = (alias: string) => `json_build_object('id', ${alias}.id, 'title', ${alias}.title, 'slug', ${alias}.slug)`;

/** The neighbor in reading order among the published articles of the same category (contract 41). */
const neighbor = (comparison: "<" | ">") => `(
  SELECT ${link("n")} FROM articles n
  WHERE n.workspace_id = a.workspace_id AND n.category_id = a.category_id AND n.state = 'published'
    AND (n.sequence, n.title, n.id) ${comparison} (a.sequence, a.title, a.id)
  ORDER BY ${["n.sequence", "n.title", "n.id"].map((column) => `${column} ${comparison === ">" ? "ASC" : "DESC"}`).join(", ")}
  LIMIT 1)`;

const shown = (alias: string) => `(CASE WHEN a.state = 'published' THEN ${alias}.in_live ELSE ${alias}.in_draft END)`;

/** SQL of `ArticleParts`, for articles `a` and authors `m`. `hidden` is a placeholder: categories to leave out. */
export const parts = (hidden: string, related = chosenRelated(hidden)) => `
    json_build_object('id', m.id, 'firstName', m.first_name, 'lastName', m.last_name,
      'email', m.email, 'pictureUploadId', m.picture_upload_id) AS author,
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY x.position, g.name), '[]')
     FROM article_tags x JOIN tags g ON g.workspace_id = x.workspace_id AND g.id = x.tag_id
     WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND ${shown("x")}) AS tags,
    (SELECT coalesce(json_agg(json_build_object('id', u.id, 'filename', u.filename, 'contentType', u.content_type,
       'byteSize', u.byte_size, 'createdAt', u.created_at) ORDER BY x.position, u.id), '[]')
     FROM article_attachments x JOIN uploads u ON u.workspace_id = x.workspace_id AND u.id = x.upload_id
     WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND ${shown("x")}) AS attachments,
    coalesce(${related}, '[]') AS related,
    ${neighbor(">")} AS next,
    ${neighbor("<")} AS previous`;

const chosenRelated = (hidden: string) => `
    (SELECT json_agg(${link("r")} ORDER BY r.position)
     FROM (
       SELECT r.id, r.title, r.slug, x.position
       FROM related_articles x JOIN articles r ON r.workspace_id = x.workspace_id AND r.id = x.related_id
       WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id AND r.state = 'published' AND ${shown("x")}
         AND r.category_id <> ALL(${hidden}::uuid[])
       ORDER BY x.position LIMIT 10
     ) r)`;

/** Bounds the work for a tag that nearly all articles have. */
const MOST_OF_A_TAG = 200;

/** The chosen related articles. If there are none, those that share the most tags, then neighbors in the category. */
export const relatedOrSimilar = (hidden: string) => `${chosenRelated(hidden)},
    (SELECT json_agg(${link("r")} ORDER BY r.shared DESC, r.is_near DESC, r.sequence, r.title, r.id)
     FROM (
       SELECT r.id, r.title, r.slug, r.sequence, s.shared, r.category_id = a.category_id AS is_near FROM articles r
       JOIN (
         SELECT article_id, count(*) FILTER (WHERE tagged) AS shared FROM (
           SELECT x.article_id, true AS tagged FROM article_tags g CROSS JOIN LATERAL (
             SELECT article_id FROM article_tags WHERE tag_id = g.tag_id AND in_live LIMIT ${MOST_OF_A_TAG}) x
           WHERE g.article_id = a.id AND ${shown("g")}
           UNION ALL
           (SELECT id, false FROM articles WHERE state = 'published' AND category_id = a.category_id
            ORDER BY sequence, title, id LIMIT 8)
         ) near GROUP BY article_id
       ) s ON s.article_id = r.id
       WHERE r.state = 'published' AND r.id <> a.id AND r.category_id <> ALL(${hidden}::uuid[])
       ORDER BY s.shared DESC, is_near DESC, r.sequence, r.title, r.id LIMIT 5
     ) r)`;
