import { UNDO_HOURS } from "@/lib/articles/removal";
import type { Read } from "@/lib/db";

/** An article that is deleted, and can still be brought back. */
export interface DeletedArticle {
  id: string;
  title: string;
  deletedAt: Date;
  /** Until when it can be brought back. */
  until: Date;
  /** Who deleted it; null where the audit log does not say. */
  by: string | null;
  /** Readers saw it: who brings it back shows it to them again. */
  wasPublished: boolean;
}

/**
 * Articles that can be brought back (restoreArticles of lib/articles/removal.ts), what was deleted last first.
 * @param search only those that have it in their title, whatever its case
 * @returns one page, and the number of all that fit
 */
export async function listDeletedArticles(
  read: Read,
  { search = "", limit, offset }: { search?: string | undefined; limit: number; offset: number },
): Promise<{ articles: DeletedArticle[]; total: number }> {
  const fits = `FROM deleted_articles d WHERE d.deleted_at > now() - make_interval(hours => ${UNDO_HOURS})
    AND NOT EXISTS (SELECT FROM articles a WHERE a.id = d.id) AND strpos(lower(d.title), lower($1)) > 0`;
  const asked = search.trim();
  const [count] = await read<{ total: number }>(`SELECT count(*)::int AS total ${fits}`, [asked]);
  const articles = await read<DeletedArticle>(
    `SELECT page.id::text, page.title, page.deleted_at AS "deletedAt",
       page.deleted_at + make_interval(hours => ${UNDO_HOURS}) AS until,
       coalesce(m.first_name || ' ' || m.last_name, told.actor_name) AS by,
       page.rows->'articles'->0->>'state' = 'published' AS "wasPublished"
     FROM (SELECT * ${fits} ORDER BY d.deleted_at DESC, d.id LIMIT $2 OFFSET $3) page
     LEFT JOIN (
       SELECT DISTINCT ON (subject_id) subject_id, actor_id, actor_name FROM audit_entries
       WHERE action = 'article.deleted' AND created_at > now() - make_interval(hours => ${UNDO_HOURS + 1})
       ORDER BY subject_id, created_at DESC
     ) told ON told.subject_id = page.id
     LEFT JOIN members m ON m.id = told.actor_id
     ORDER BY page.deleted_at DESC, page.id`,
    [asked, limit, offset],
  );
  return { articles, total: count?.total ?? 0 };
}
