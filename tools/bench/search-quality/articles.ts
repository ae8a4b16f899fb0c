import { readWorkspace } from "@/lib/db";

export interface Article {
  slug: string;
  title: string;
  description: string;
  keywords: string[];
  text: string;
}

/** The published articles of a workspace by slug. */
export function publishedArticles(workspaceId: string): Promise<Article[]> {
  return readWorkspace(
    workspaceId,
    (read) =>
      read<Article>(
        `SELECT a.slug, l.title, coalesce(l.meta_description, '') AS description, l.keywords, l.text
         FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
         WHERE a.state = 'published' ORDER BY a.slug COLLATE "C"`,
      ),
    60,
  );
}
