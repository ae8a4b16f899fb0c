import type { Read } from "@/lib/db";
import { type Compared, firstDay, type Span } from "@/lib/insights/period";

// Views are known by UTC day (lib/analytics/views.ts).

export interface Part {
  limit: number;
  offset: number;
}

export interface ArticleNamed {
  id: string;
  slug: string;
  title: string;
  published: boolean;
}

/** SQL that leaves out rows of deleted articles. */
export const notTrashed = "article_id NOT IN (SELECT id FROM trash WHERE kind = 'article')";

/** Whole months have far fewer rows. Views of deleted articles stay until the trash is purged. */
const sources = {
  day: {
    table: "article_views",
    column: "day",
    count: "count(*)::int",
    isThere: `AND ${notTrashed}`,
  },
  month: { table: "article_view_months", column: "month", count: "sum(views)::int", isThere: "" },
} as const;

export async function viewsOver(read: Read, span: Span): Promise<{ bars: number[]; total: Compared }> {
  const { table, column, count, isThere } = sources[span.bar];
  const rows = await read<{ day: string; views: number }>(
    `SELECT ${column}::text AS day, ${count} AS views FROM ${table} WHERE ${column} >= $1::date ${isThere} GROUP BY ${column}`,
    [span.days[0]],
  );
  const [oldest] = await read<{ day: string | null }>(`SELECT min(${column})::text AS day FROM ${table}`);
  const views = new Map(rows.map((row) => [row.day, row.views]));
  return compared(
    span,
    span.days.map((day) => views.get(day) ?? 0),
    Boolean(oldest?.day && oldest.day <= (span.days[0] as string)),
  );
}

export function compared({ bars }: Span, all: number[], isKnown: boolean): { bars: number[]; total: Compared } {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    bars: all.slice(bars),
    total: { now: sum(all.slice(bars)), before: isKnown ? sum(all.slice(0, bars)) : null },
  };
}

export interface ReadArticle extends ArticleNamed {
  views: number;
}

export async function mostRead(
  read: Read,
  span: Span,
  { limit, offset }: Part,
): Promise<{ rows: ReadArticle[]; total: number }> {
  const { table, column, count, isThere } = sources[span.bar];
  const rows = await read<ReadArticle & { total: number }>(
    `WITH counted AS (
       SELECT article_id, ${count} AS views, count(*) OVER ()::int AS total FROM ${table} WHERE ${column} >= $1::date ${isThere}
       GROUP BY article_id ORDER BY views DESC, article_id LIMIT $2 OFFSET $3
     )
     SELECT a.id, a.slug, a.title, a.state = 'published' AS published, c.views, c.total FROM counted c JOIN articles a ON a.id = c.article_id
     ORDER BY c.views DESC, c.article_id`,
    [firstDay(span), limit, offset],
  );
  return listed(rows);
}

export interface UnreadArticle extends ArticleNamed {
  publishedAt: Date;
  views: number;
}

/** Articles that were published throughout the period without a view, the longest waiting first. */
export async function unreadArticles(
  read: Read,
  span: Span,
  { limit, offset }: Part,
): Promise<{ rows: UnreadArticle[]; total: number }> {
  const { table, column } = sources[span.bar];
  const rows = await read<UnreadArticle & { total: number }>(
    `WITH opened AS MATERIALIZED (SELECT DISTINCT article_id FROM ${table} WHERE ${column} >= $1::date)
     SELECT id, slug, title, true AS published, unique_views_count AS views, coalesce(published_at, created_at) AS "publishedAt",
       count(*) OVER ()::int AS total
     FROM articles
     WHERE state = 'published' AND coalesce(published_at, created_at) < $1::date
       AND NOT EXISTS (SELECT FROM opened WHERE opened.article_id = articles.id)
     ORDER BY coalesce(published_at, created_at), id LIMIT $2 OFFSET $3`,
    [firstDay(span), limit, offset],
  );
  return listed(rows);
}

export function listed<Row extends { total: number }>(rows: Row[]): { rows: Omit<Row, "total">[]; total: number } {
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
