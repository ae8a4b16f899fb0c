import type { Read } from "@/lib/db";
import { type ArticleNamed, listed, type Part } from "@/lib/insights/views";

export interface BrokenLink extends ArticleNamed {
  linkId: string;
  kind: "link" | "image";
  href: string;
}

/** Pages besides articles, categories, files and redirects. */
export const pagePaths = ["/search", "/categories", "/developers", "/developers/v1", "/developers/v2"];
export const machinePaths = ["/feed.xml", "/llms.txt", "/sitemap.xml", "/robots.txt", "/og.png", "/admin"];

/** Links and images in published articles that point to no page of this site. Ignores other sites and anchors. */
export async function brokenLinks(
  read: Read,
  origin: string,
  { limit, offset }: Part,
): Promise<{ rows: BrokenLink[]; total: number }> {
  // "0" follows "/", so the range holds what starts with the path. Each target is looked up once.
  const rows = await read<BrokenLink & { total: number }>(
    `WITH known AS MATERIALIZED (
       SELECT unnest($2::text[]) AS path
       UNION ALL SELECT '/articles/' || slug FROM articles WHERE state = 'published'
       UNION ALL SELECT '/articles/' || permalink FROM articles WHERE state = 'published'
       UNION ALL SELECT '/categories/' || slug FROM categories
       UNION ALL SELECT '/uploads/' || id FROM uploads
       UNION ALL SELECT r.from_path FROM redirects r LEFT JOIN articles a ON a.id = r.article_id
         WHERE r.kind IN ('category', 'url') OR a.state = 'published'
     ), here AS MATERIALIZED (
       SELECT DISTINCT target, target AS path FROM article_links
       WHERE in_live AND target >= '/' AND target < '0' AND NOT starts_with(target, '//')
       UNION ALL
       SELECT DISTINCT target, substr(target, length($1) + 1) FROM article_links
       WHERE in_live AND target > $1 || '/' AND target < $1 || '0'
     ), nowhere AS MATERIALIZED (
       SELECT target FROM here WHERE NOT EXISTS (
         SELECT FROM known
         WHERE known.path COLLATE "C" = CASE right(here.path, 3) WHEN '.md' THEN left(here.path, -3) ELSE here.path END
       )
     )
     SELECT l.id AS "linkId", l.kind, l.href, a.id, a.slug, a.title, true AS published, count(*) OVER ()::int AS total
     FROM article_links l JOIN articles a ON a.id = l.article_id
     WHERE l.in_live AND l.target IN (SELECT target FROM nowhere) AND a.state = 'published'
     ORDER BY a.title, a.id, l.href, l.id LIMIT $3 OFFSET $4`,
    [origin, [...pagePaths, ...machinePaths], limit, offset],
  );
  return listed(rows);
}
