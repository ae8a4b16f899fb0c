import type { Read } from "@/lib/db";
import { machinePaths, pagePaths } from "@/lib/insights/links";

/** A path of the site, and the anchors in its page that links name. */
export interface CheckedLink {
  path: string;
  places: string[];
}

export interface LinkAnswer {
  path: string;
  /** "own" is the article itself. */
  leads: "there" | "own" | "unpublished" | "nowhere";
  /** Anchors without a heading in the published text. Empty if there is no published article. */
  missing: string[];
}

/** Checks links before publishing, by the rules of `brokenLinks` (lib/insights/links.ts). The caller bounds their number. */
export async function checkLinks(read: Read, articleId: string, links: readonly CheckedLink[]): Promise<LinkAnswer[]> {
  if (links.length === 0) return [];
  const named = (path: string, kind: string) => (path.startsWith(`/${kind}/`) ? path.slice(kind.length + 2) : null);
  // A page's Markdown has the URL of the page.
  const paths = links.map(({ path }) => path.replace(/\.md$/, ""));
  const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const rows = await read<{
    path: string;
    articleId: string | null;
    state: string | null;
    isElsewhere: boolean;
    headings: string[] | null;
  }>(
    `SELECT asked.path, article.id::text AS "articleId", article.state,
       EXISTS (SELECT FROM categories c WHERE c.slug = asked.category)
         OR EXISTS (SELECT FROM uploads u WHERE u.id = asked.upload)
         OR EXISTS (SELECT FROM redirects r WHERE r.from_path = asked.path AND r.kind IN ('category', 'url'))
         AS "isElsewhere",
       (SELECT array_agg(heading ->> 'id') FROM article_live live, jsonb_array_elements(live.headings) heading
         WHERE live.id = article.id AND asked.has_places) AS headings
     FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::boolean[])
       AS asked (path, article, category, upload, has_places)
     LEFT JOIN LATERAL (
       SELECT a.id, a.state FROM articles a WHERE a.slug = asked.article
       UNION ALL SELECT a.id, a.state FROM articles a WHERE a.permalink = asked.article
       UNION ALL SELECT a.id, a.state FROM redirects r JOIN articles a ON a.id = r.article_id
         WHERE r.from_path = asked.path
       LIMIT 1
     ) article ON true`,
    [
      paths,
      paths.map((path) => named(path, "articles")),
      paths.map((path) => named(path, "categories")),
      paths.map((path) => named(path, "uploads")).map((id) => (id && uuid.test(id) ? id : null)),
      links.map(({ places }) => places.length > 0),
    ],
  );
  const site = new Set([...pagePaths, ...machinePaths]);
  return links.map(({ path, places }, index) => {
    const row = rows.find((one) => one.path === paths[index]);
    const isPublished = row?.state === "published";
    const leads =
      row?.articleId === articleId
        ? "own"
        : row?.isElsewhere || isPublished || site.has(paths[index] ?? "")
          ? "there"
          : row?.articleId
            ? "unpublished"
            : "nowhere";
    const isRead = leads === "there" && isPublished;
    return { path, leads, missing: isRead ? places.filter((place) => !row.headings?.includes(place)) : [] };
  });
}

export async function isTitleTaken(read: Read, articleId: string, title: string): Promise<boolean> {
  if (title.trim() === "") return false;
  const rows = await read("SELECT FROM articles WHERE id <> $1::uuid AND lower(title) = lower($2) LIMIT 1", [
    articleId,
    title.trim(),
  ]);
  return rows.length > 0;
}
