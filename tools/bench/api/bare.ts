import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

// A process of tools/bench/api.ts: the least that can answer the same questions. One prepared statement per request
// builds the JSON, or a page without navigation. Without a wall, limits, validation, ETags, logs and revoked keys.

export interface BareReady {
  port: number;
}

const [url, workspace = "", ...keys] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 8 });
const hashes = new Set(keys.map(hashOf));

const list = (where: string, order: string) => `
  SELECT json_build_object('articles', coalesce(json_agg(r), '[]'), 'total', (SELECT count(*) FROM articles WHERE workspace_id = $1 ${where}))::text AS json
  FROM (SELECT a.id, a.slug, a.title, a.state, a.created_at, a.updated_at, json_build_object('id', c.id, 'name', c.name) AS category
    FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
    WHERE a.workspace_id = $1 ${where} ORDER BY ${order}, a.id LIMIT 30 OFFSET $2) r`;

const statements: Record<
  string,
  { text: string; values: (query: URLSearchParams, id: string, key: Buffer) => unknown[] }
> = {
  me: {
    text: `SELECT json_build_object('id', id, 'name', name, 'scopes', scopes, 'created_at', created_at)::text AS json
      FROM api_keys WHERE workspace_id = $1 AND key_hash = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    values: (_, __, key) => [key],
  },
  articles: { text: list("", "a.created_at DESC"), values: (query) => [offsetOf(query)] },
  filtered: {
    text: list("AND state = 'published' AND category_id = $3", "a.title"),
    values: (query) => [offsetOf(query), query.get("category_id")],
  },
  article: {
    text: `SELECT json_build_object('article', json_build_object('id', a.id, 'slug', a.slug, 'title', a.title, 'state', a.state,
        'created_at', a.created_at, 'html', l.html, 'text', l.text, 'keywords', l.keywords, 'author', m.first_name,
        'category', (SELECT json_build_object('id', c.id, 'name', c.name, 'articles', (
          SELECT json_agg(json_build_object('id', o.id, 'title', o.title, 'slug', o.slug, 'content', ol.excerpt) ORDER BY o.sequence, o.title)
          FROM articles o JOIN article_live ol ON ol.workspace_id = o.workspace_id AND ol.id = o.id
          WHERE o.workspace_id = $1 AND o.category_id = c.id AND o.state = 'published'))
          FROM categories c WHERE c.workspace_id = $1 AND c.id = a.category_id)))::text AS json
      FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
      JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
      WHERE a.workspace_id = $1 AND a.id = $2`,
    values: (_, id) => [id],
  },
  categories: {
    text: `SELECT json_build_object('categories', json_agg(r))::text AS json FROM (
        SELECT c.id, c.name, c.slug, c.parent_id, (SELECT json_agg(json_build_object('id', o.id, 'title', o.title, 'content', ol.excerpt))
          FROM articles o JOIN article_live ol ON ol.workspace_id = o.workspace_id AND ol.id = o.id
          WHERE o.workspace_id = $1 AND o.category_id = c.id AND o.state = 'published') AS articles
        FROM categories c WHERE c.workspace_id = $1 ORDER BY c.sequence, c.name, c.id LIMIT 30 OFFSET $2) r`,
    values: (query) => [offsetOf(query)],
  },
  search: {
    text: `WITH q AS (SELECT to_tsquery('simple', $2) AS query),
        found AS (SELECT d.*, q.query, count(*) OVER () AS total FROM bare_documents d, q WHERE d.words @@ q.query
          ORDER BY ts_rank(d.words, q.query) DESC, d.id LIMIT 30)
      SELECT json_build_object('total', max(total), 'matches', json_agg(json_build_object('id', id, 'title', title,
        'content', ts_headline('simple', left(body, 20000), query))))::text AS json FROM found WHERE $1 <> ''`,
    values: (query) => [termOf(query.get("search_term") ?? "")],
  },
  home: {
    text: `SELECT coalesce(string_agg(link, ''), '') AS page FROM (SELECT '<li><a href="/articles/' || slug || '">' || title || '</a>' AS link
      FROM articles WHERE workspace_id = $1 AND state = 'published' ORDER BY published_at DESC LIMIT 30) r`,
    values: () => [],
  },
  categoryPage: {
    text: `SELECT coalesce(string_agg(link, ''), '') AS page FROM (SELECT '<li><a href="/articles/' || a.slug || '">' || a.title || '</a>' AS link
      FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
      WHERE a.workspace_id = $1 AND c.slug = $2 AND a.state = 'published' ORDER BY a.sequence, a.title LIMIT 100) r`,
    values: (_, slug) => [slug],
  },
  articlePage: {
    text: `SELECT '<title>' || l.title || '</title>' || l.rendered_html AS page
      FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
      WHERE a.workspace_id = $1 AND a.slug = $2 AND a.state = 'published'`,
    values: (_, slug) => [slug],
  },
  markdown: {
    text: `SELECT l.text AS page FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
      WHERE a.workspace_id = $1 AND a.slug = $2 AND a.state = 'published'`,
    values: (_, slug) => [slug.replace(/\.md$/, "")],
  },
  results: {
    text: `WITH q AS (SELECT to_tsquery('simple', $2) AS query)
      SELECT coalesce(string_agg('<li>' || title || '<p>' || ts_headline('simple', left(body, 20000), query), ''), '') AS page
      FROM (SELECT d.*, q.query FROM bare_documents d, q WHERE d.words @@ q.query
        ORDER BY ts_rank(d.words, q.query) DESC, d.id LIMIT 20) found WHERE $1 <> ''`,
    values: (query) => [termOf(query.get("q") ?? "")],
  },
  members: {
    text: `SELECT json_build_object('members', json_agg(r), 'total', max(count))::text AS json FROM (
        SELECT m.id, m.email, m.first_name, m.last_name, m.active, o.name AS role, count(*) OVER () AS count
        FROM members m JOIN roles o ON o.workspace_id = m.workspace_id AND o.id = m.role_id
        WHERE m.workspace_id = $1 ORDER BY m.created_at, m.id LIMIT 30) r`,
    values: () => [],
  },
};

function statementAt(path: string, query: URLSearchParams): string {
  if (!path.startsWith("/api/")) {
    if (path.endsWith(".md")) return "markdown";
    if (path.startsWith("/articles/")) return "articlePage";
    if (path.startsWith("/categories/")) return "categoryPage";
    return path === "/" ? "home" : "results";
  }
  if (path.includes("/articles/")) return "article";
  if (path.endsWith("/articles")) return query.has("category_id") ? "filtered" : "articles";
  return path.endsWith("/team-members") ? "members" : path.slice(path.lastIndexOf("/") + 1);
}

const offsetOf = (query: URLSearchParams) => (Number(query.get("page_number") ?? 1) - 1) * 30;
const termOf = (text: string) =>
  text
    .split(" ")
    .map((word) => `${word}:*`)
    .join(" & ");

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

createServer((request, response) => {
  const [path = "", search] = (request.url ?? "").split("?", 2);
  const query = new URLSearchParams(search);
  const hash = hashOf(String(request.headers["x-api-key"]));
  const name = statementAt(path, query);
  const statement = statements[name];
  if (!statement || !hashes.has(hash)) return void response.writeHead(statement ? 401 : 404).end();
  const values = [
    workspace,
    ...statement.values(query, path.slice(path.lastIndexOf("/") + 1), Buffer.from(hash, "hex")),
  ];
  pool.query<{ json?: string | null; page?: string }>({ name, text: statement.text, values }).then(
    ({ rows }) => {
      const [row] = rows;
      const body = Buffer.from(row?.page === undefined ? (row?.json ?? "null") : `<!doctype html>${row.page}`);
      const type = row?.page === undefined ? "application/json" : "text/html; charset=utf-8";
      response.writeHead(200, { "Content-Type": type, "Content-Length": body.length }).end(body);
    },
    (error: Error) => response.writeHead(500).end(error.message),
  );
}).listen(0, "127.0.0.1", function (this: import("node:net").Server) {
  process.send?.({ port: (this.address() as { port: number }).port } satisfies BareReady);
});
process.once("disconnect", () => process.exit());
