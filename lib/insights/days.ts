import type { Read } from "@/lib/db";
import type { Part } from "@/lib/insights/views";

/** The first and the last day, in UTC, such as "2026-11-22". */
export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

/** The day so many days later. */
export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The first moment of the days, and the one after their last. */
export function momentsOf({ from, to }: Days): { since: Date; until: Date } {
  return { since: new Date(from), until: new Date(dayAfter(to)) };
}

/** The first days of the whole months within the days, and of the month after them. They are equal if there are none. */
function wholeMonths({ from, to }: Days): { first: string; end: string } {
  const monthOf = (day: string) => `${day.slice(0, 7)}-01`;
  const first = from === monthOf(from) ? from : monthOf(dayAfter(monthOf(from), 31));
  const end = monthOf(dayAfter(to));
  return first < end ? { first, end } : { first: dayAfter(to), end: dayAfter(to) };
}

export interface ArticleInsight {
  id: string;
  slug: string;
  title: string;
  published: boolean;
  views: number;
  yes: number;
  no: number;
}

/** Articles with views or ratings in the days, by views. Whole months have far fewer rows than their days. */
export async function articleInsights(
  read: Read,
  days: Days,
  { limit, offset }: Part,
): Promise<{ rows: ArticleInsight[]; total: number }> {
  const { first, end } = wholeMonths(days);
  const { since, until } = momentsOf(days);
  const rows = await read<ArticleInsight & { total: number }>(
    `WITH counted AS (
       SELECT article_id, views FROM article_view_months WHERE month >= $1::date AND month < $2::date
       UNION ALL
       SELECT article_id, count(*) FROM article_views
       WHERE (day >= $3::date AND day < $1::date) OR (day >= $2::date AND day <= $4::date) GROUP BY article_id
     ), viewed AS (
       SELECT article_id, sum(views)::int AS views FROM counted GROUP BY article_id
     ), rated AS (
       SELECT article_id, (count(*) FILTER (WHERE helpful))::int AS yes, (count(*) FILTER (WHERE NOT helpful))::int AS no
       FROM feedback WHERE created_at >= $5 AND created_at < $6 GROUP BY article_id
     )
     SELECT a.id, a.slug, a.title, a.state = 'published' AS published, coalesce(v.views, 0) AS views,
       coalesce(r.yes, 0) AS yes, coalesce(r.no, 0) AS no, count(*) OVER ()::int AS total
     FROM viewed v FULL JOIN rated r USING (article_id) JOIN articles a ON a.id = article_id
     ORDER BY coalesce(v.views, 0) DESC, a.id LIMIT $7 OFFSET $8`,
    [first, end, days.from, days.to, since, until, limit, offset],
  );
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
