import type { Read } from "@/lib/db";
import { type Compared, firstDay, type Span } from "@/lib/insights/period";

// What is read, and what is not. Views are known by the day in UTC, and nothing finer (lib/views.ts).

/** Which part of a list is asked for. */
export interface Part {
  limit: number;
  offset: number;
}

/** An article as lists of insights name it. */
export interface ArticleNamed {
  id: string;
  slug: string;
  title: string;
  /** Whether readers find it at its slug. */
  published: boolean;
}

/**
 * Where the views of a span are counted: by day, or for whole months by month, which are far fewer rows. Those of deleted
 * articles stay in the first one for a day (lib/articles/removal.ts).
 */
const sources = {
  day: {
    ...{ table: "article_views", column: "day", count: "count(*)::int" },
    isThere: "AND article_id NOT IN (SELECT id FROM deleted_articles)",
  },
  month: { table: "article_view_months", column: "month", count: "sum(views)::int", isThere: "" },
} as const;

/**
 * How often articles were read.
 * @param span in UTC
 * @returns how many views each bar of the period has, and all of them beside those of the period before
 */
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

/**
 * Takes the bars of two periods apart.
 * @param isKnown whether there are numbers of all of the first one
 */
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

/**
 * Articles that were read in a period, the most read first.
 * @param span in UTC
 */
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
  /** Of all time. */
  views: number;
}

/**
 * Articles that were there for readers all through a period, and that nobody opened in it; those that wait longest first.
 * @param span in UTC
 */
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

/** One part of a list whose rows say how many there are in all of it. */
export function listed<Row extends { total: number }>(rows: Row[]): { rows: Omit<Row, "total">[]; total: number } {
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
