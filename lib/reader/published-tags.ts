import { type Summarized, summarized, summaryColumns } from "@/lib/reader/summary";
import type { Snapshot } from "@/lib/visibility";

const PAGE_SIZE = 100;

export interface PublishedTag {
  name: string;
  articles: { slug: string; title: string; summary: string }[];
  page: number;
  pages: number;
}

/** The articles with a tag, by title. Null when the viewer may see none, or there is no such page. Pages count from 1. */
export async function publishedTag(
  { read, hidden }: Snapshot,
  name: string,
  page: number,
): Promise<PublishedTag | null> {
  if (page < 1) return null;
  const rows = await read<Summarized & { tag: string; slug: string; title: string; total: number }>(
    `SELECT t.name AS tag, a.slug, l.title, ${summaryColumns}, (count(*) OVER ())::int AS total
     FROM tags t
     JOIN article_tags x ON x.workspace_id = t.workspace_id AND x.tag_id = t.id AND x.in_live
     JOIN articles a ON a.workspace_id = x.workspace_id AND a.id = x.article_id
       AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE t.name = $1
     ORDER BY l.title, a.id LIMIT ${PAGE_SIZE} OFFSET $3`,
    [name.replaceAll("\0", ""), hidden, (page - 1) * PAGE_SIZE],
  );
  const [first] = rows;
  if (!first) return null;
  const articles = rows.map(summarized).map(({ slug, title, summary }) => ({ slug, title, summary }));
  return { name: first.tag, articles, page, pages: Math.ceil(first.total / PAGE_SIZE) };
}
