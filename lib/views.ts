import { setTimeout as sleep } from "node:timers/promises";
import { type Db, inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { log } from "@/lib/log";
import { outsideRequests } from "@/lib/request";
import { type Client, DAY_MS, dayOf, isCrawler, viewHash } from "@/lib/viewers";

// How many people read an article: each once a day, counted without a cookie and after they have their page.

/** A view that is not written yet. */
interface View extends Client {
  workspaceId: string;
  slug: string;
  day: string;
}

/** What waits to be written, the oldest first. */
interface Waiting {
  /** By what makes two of them the same. */
  views: Map<string, View>;
  /** When each workspace was last found to hold nothing that is too old. */
  tidied: Map<string, number>;
  /** How many were given up since that was last told. */
  dropped: number;
  /** Whether the database did not answer when it was last asked. */
  away: boolean;
  timer?: NodeJS.Timeout;
  writing?: Promise<void>;
}

/** How often views are written, and how long the last flush may take, in milliseconds. */
const EVERY_MS = 1_000;
const LAST_MS = 2_000;
/** The most that wait: beyond it the oldest are dropped, as when the database is away. */
const MOST = 5_000;
/** What one transaction may take, in seconds. */
const SECONDS = 2;
const TIDY_MS = 60 * 60_000;
/** How many rows that are too old one statement deletes. */
const TIDY_BATCH = 1_000;

// One for the process: the front door notes and flushes, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternViews?: Waiting };

function waiting(): Waiting {
  shared.lecternViews ??= { views: new Map(), tidied: new Map(), dropped: 0, away: false };
  return shared.lecternViews;
}

/**
 * Remembers that somebody was shown an article, at no cost to the page: what was noted is written together, about once a
 * second. Of one viewer, article and day one view counts, and of one network about twenty (viewHash); crawlers never do,
 * nor what is no published article by then.
 * @param slug of the article, as it stands in the address
 * @param now when that was
 */
export function noteView({ workspaceId, slug, ...client }: Omit<View, "day">, now = new Date()): void {
  if (!/^[a-z0-9-]{1,100}$/.test(slug) || isCrawler(client)) return;
  const all = waiting();
  const { ip } = client;
  const view = { workspaceId, slug, ip, userAgent: client.userAgent?.slice(0, 500) ?? null, day: dayOf(now) };
  all.views.set(JSON.stringify(view), view);
  const [oldest] = all.views.keys();
  if (oldest !== undefined && all.views.size > MOST) {
    all.views.delete(oldest);
    all.dropped++;
  }
  schedule(all);
}

/**
 * Writes whatever waits, as far as two seconds and the database allow: for a server that stops. What could not be
 * written is counted in the log.
 */
export async function flushViews(): Promise<void> {
  const all = waiting();
  const flush = async () => {
    while (all.writing) await all.writing;
    await write(all);
  };
  await Promise.race([flush(), sleep(LAST_MS, undefined, { ref: false })]);
  tellDropped(all, all.views.size);
}

function schedule(all: Waiting): void {
  if (all.writing || all.views.size === 0) return;
  all.timer ??= outsideRequests(() => setTimeout(() => void write(all), EVERY_MS).unref());
}

/** Never two at once; whoever noted something meanwhile is served by the next. */
function write(all: Waiting): Promise<void> {
  clearTimeout(all.timer);
  all.timer = undefined;
  all.writing ??= outsideRequests(() => writeAll(all)).finally(() => {
    all.writing = undefined;
    schedule(all);
  });
  return all.writing;
}

async function writeAll(all: Waiting): Promise<void> {
  try {
    for (const workspaceId of new Set([...all.views.values()].map((view) => view.workspaceId)))
      await writeWorkspace(all, workspaceId);
    if (all.away) log().info("Views are written again: the database is back.");
    all.away = false;
    tellDropped(all);
  } catch {
    // They wait for the next time.
    if (!all.away) log().warn("Views wait to be written: the database does not answer.");
    all.away = true;
  }
}

/** @throws UnavailableError, and nothing else */
async function writeWorkspace(all: Waiting, workspaceId: string): Promise<void> {
  // A day whose salt is gone gets none again: nothing would tell who was counted already.
  const oldest = dayOf(new Date(Date.now() - DAY_MS));
  for (const [key, { day }] of all.views) {
    if (day >= oldest) continue;
    all.views.delete(key);
    all.dropped++;
  }
  const due = [...all.views].filter(([, view]) => view.workspaceId === workspaceId);
  if (due.length === 0) return;
  const now = performance.now();
  const isTidy = now - (all.tidied.get(workspaceId) ?? -TIDY_MS) < TIDY_MS;
  try {
    const rows = await Promise.all(
      due.map(async ([, { slug, day, ...client }]) => {
        const hash = await viewHash(workspaceId, client, day);
        return { slug, day, hash: hash.toString("hex") };
      }),
    );
    const deleted = await inWorkspace(
      workspaceId,
      async (db) => {
        await insert(db, rows);
        return isTidy ? 0 : tidy(db);
      },
      SECONDS,
    );
    if (all.tidied.size >= MOST) all.tidied.clear();
    if (!isTidy && deleted < TIDY_BATCH) all.tidied.set(workspaceId, now);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    // Tried again it would fail again, and hold up everybody else's. The error's other fields may hold addresses.
    log().error(`Views of a workspace could not be written: ${(error as Error).message}`);
    all.dropped += due.length;
  }
  for (const [key] of due) all.views.delete(key);
}

/**
 * A repetition adds nothing, whichever server brings it. The articles are locked in one order first, so that servers
 * which write the same ones at once wait for each other instead of for ever.
 */
async function insert(db: Db, rows: { slug: string; day: string; hash: string }[]): Promise<void> {
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
      RETURNING article_id
    )
    UPDATE articles SET unique_views_count = unique_views_count + fresh.count
    FROM (SELECT article_id, count(*)::int AS count FROM added GROUP BY article_id) fresh
    WHERE articles.id = fresh.article_id`;
}

/**
 * Views are kept by day for 400 days, like searches (lib/searches.ts), and go the same way; the article's own count stays.
 * @returns how many there were
 */
function tidy(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM article_views WHERE id IN (
      SELECT id FROM article_views WHERE day < current_date - 400 ORDER BY day LIMIT ${TIDY_BATCH})`;
}

function tellDropped(all: Waiting, waits = 0): void {
  const dropped = all.dropped + waits;
  if (dropped > 0) log().warn({ dropped }, "Views are lost: they could not be written.");
  all.dropped = 0;
}
