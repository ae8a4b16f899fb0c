import { type Client, DAY_MS, dayOf, isCrawler, viewHash } from "@/lib/analytics/viewers";
import { flushInTime, WrittenLater } from "@/lib/analytics/written-later";
import type { Db } from "@/lib/db";

interface View extends Client {
  workspaceId: string;
  slug: string;
  day: string;
}

interface Row {
  slug: string;
  day: string;
  hash: string;
}

const shared = globalThis as typeof globalThis & { lecternViews?: WrittenLater<View, Row> };

function waiting(): WrittenLater<View, Row> {
  shared.lecternViews ??= new WrittenLater<View, Row>({
    name: "Views",
    most: 5_000,
    batch: 500,
    // Without the old salt a viewer could count twice.
    isTooOld: ({ day }) => day < dayOf(new Date(Date.now() - DAY_MS)),
    rows: (views, workspaceId) =>
      Promise.all(
        views.map(async ({ slug, day, ip, userAgent }) => {
          const hash = await viewHash(workspaceId, { ip, userAgent }, day);
          return { slug, day, hash: hash.toString("hex") };
        }),
      ),
    insert,
    tidy,
  });
  return shared.lecternViews;
}

/** Notes a view, to be written a second later. Each viewer counts once per article and day. */
export function noteView({ workspaceId, slug, ...client }: Omit<View, "day">, now = new Date()): void {
  if (!/^[a-z0-9-]{1,100}$/.test(slug) || isCrawler(client)) return;
  const { ip } = client;
  const view = { workspaceId, slug, ip, userAgent: client.userAgent?.slice(0, 500) ?? null, day: dayOf(now) };
  waiting().note(JSON.stringify(view), view);
}

export async function flushViews(): Promise<void> {
  await flushInTime(waiting());
}

/** Locks the articles in one order, so that servers do not deadlock. */
async function insert(db: Db, rows: Row[]): Promise<void> {
  await db.$executeRaw`
    WITH viewed AS MATERIALIZED (
      SELECT id, slug FROM articles
      WHERE state = 'published' AND slug = ANY(${[...new Set(rows.map(({ slug }) => slug))]}::text[])
      ORDER BY id FOR NO KEY UPDATE
    ), added AS (
      INSERT INTO article_views (article_id, day, viewer_hash)
      SELECT viewed.id, row.day, decode(row.hash, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (slug text, day date, hash text)
      JOIN viewed ON viewed.slug = row.slug
      ON CONFLICT (workspace_id, article_id, day, viewer_hash) DO NOTHING
      RETURNING article_id, day
    ), months AS (
      INSERT INTO article_view_months AS known (article_id, month, views)
      SELECT article_id, date_trunc('month', day)::date, count(*) FROM added GROUP BY 1, 2
      ON CONFLICT (workspace_id, article_id, month) DO UPDATE SET views = known.views + EXCLUDED.views
    )
    UPDATE articles SET unique_views_count = unique_views_count + fresh.count
    FROM (SELECT article_id, count(*)::int AS count FROM added GROUP BY article_id) fresh
    WHERE articles.id = fresh.article_id`;
}

/** Deletes views after 400 days. Counts per month stay two years. */
function tidy(db: Db, most: number): Promise<number> {
  return db.$executeRaw`
    WITH months AS (
      DELETE FROM article_view_months WHERE month < date_trunc('month', current_date) - interval '24 months'
    )
    DELETE FROM article_views WHERE id = ANY(ARRAY(
      SELECT id FROM article_views WHERE day < current_date - 400 ORDER BY day LIMIT ${most}))`;
}
