import type { Read } from "@/lib/db";
import { beginnings, type Span } from "@/lib/insights/period";
import { type ArticleNamed, listed, notTrashed, type Part } from "@/lib/insights/views";

export async function answersOver(read: Read, span: Span, timeZone: string): Promise<{ yes: number; no: number }> {
  const [counted] = await read<{ yes: number; no: number }>(
    `SELECT (count(*) FILTER (WHERE helpful))::int AS yes, (count(*) FILTER (WHERE NOT helpful))::int AS no
     FROM feedback WHERE created_at >= $1 AND ${notTrashed}`,
    [beginnings(span, timeZone)[span.bars]],
  );
  return counted ?? { yes: 0, no: 0 };
}

export interface RatedArticle extends ArticleNamed {
  yes: number;
  no: number;
}

export async function unhelpfulArticles(
  read: Read,
  span: Span,
  timeZone: string,
  { limit, offset }: Part,
): Promise<{ rows: RatedArticle[]; total: number }> {
  const rows = await read<RatedArticle & { total: number }>(
    `WITH rated AS (
       SELECT article_id, (count(*) FILTER (WHERE helpful))::int AS yes, (count(*) FILTER (WHERE NOT helpful))::int AS no,
         count(*) OVER ()::int AS total
       FROM feedback WHERE created_at >= $1 AND ${notTrashed} GROUP BY article_id HAVING bool_or(NOT helpful)
       ORDER BY no DESC, yes, article_id LIMIT $2 OFFSET $3
     )
     SELECT a.id, a.slug, a.title, a.state = 'published' AS published, r.yes, r.no, r.total FROM rated r JOIN articles a ON a.id = r.article_id
     ORDER BY r.no DESC, r.yes, r.article_id`,
    [beginnings(span, timeZone)[span.bars], limit, offset],
  );
  return listed(rows);
}

export interface Reason extends ArticleNamed {
  feedbackId: string;
  helpful: boolean;
  choice: "missing" | "unclear" | "outdated" | "other" | null;
  reason: string | null;
  at: Date;
}

export async function newestReasons(
  read: Read,
  span: Span,
  timeZone: string,
  part: Part,
): Promise<{ rows: Reason[]; total: number }> {
  return reasonsSince(read, { since: beginnings(span, timeZone)[span.bars] as Date }, part);
}

/** The same from a moment on, until another one if there is one. */
export async function reasonsSince(
  read: Read,
  { since, until }: { since: Date; until?: Date },
  { limit, offset }: Part,
): Promise<{ rows: Reason[]; total: number }> {
  const rows = await read<Reason & { total: number }>(
    `WITH reasons AS (
       SELECT id, article_id, helpful, choice, reason, created_at, count(*) OVER ()::int AS total FROM feedback
       WHERE created_at >= $1 ${until ? "AND created_at < $4" : ""} AND ${notTrashed} AND (reason IS NOT NULL OR choice IS NOT NULL)
       ORDER BY created_at DESC, id LIMIT $2 OFFSET $3
     )
     SELECT f.id AS "feedbackId", a.id, a.slug, a.title, a.state = 'published' AS published, f.helpful, f.choice, f.reason, f.created_at AS at, f.total
     FROM reasons f JOIN articles a ON a.id = f.article_id ORDER BY f.created_at DESC, f.id`,
    [since, limit, offset, ...(until ? [until] : [])],
  );
  return listed(rows);
}
