import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, inWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { log } from "@/lib/log";
import { outsideRequests } from "@/lib/request";
import { fold } from "@/lib/search/words";

// What is searched for and how much was found, for whoever writes the articles: no person, no address, no key.

/** A search that is not written yet. */
interface Search {
  id: string;
  workspaceId: string;
  term: string;
  folded: string;
  total: number;
  /** When it was noted, in milliseconds of this process. */
  since: number;
}

type Click = Pick<Search, "id" | "workspaceId" | "since">;

/** What waits to be written, the oldest first. */
interface Waiting {
  searches: Set<Search>;
  clicks: Set<Click>;
  /** When each workspace was last found to hold nothing that is too old. */
  tidied: Map<string, number>;
  /** How many were given up since that was last told. */
  dropped: number;
  /** Whether the database did not answer when it was last asked. */
  away: boolean;
  timer?: NodeJS.Timeout;
  writing?: Promise<void>;
}

/** How often searches are written, in milliseconds; sooner when so many wait. One statement writes as many. */
const EVERY_MS = 1_000;
const BATCH = 200;
/** The most that wait, of searches and of clicks: beyond it the oldest are dropped, as when the database is away. */
const MOST = 2_000;
/** By when every server has written what it had found when a click came, in milliseconds. */
const CLICK_MS = 3_000;
/** What one transaction may take, in seconds, and the last flush, in milliseconds. */
const SECONDS = 2;
const LAST_MS = 2_000;
const TIDY_MS = 60 * 60_000;
/** How many rows that are too old one statement deletes. */
const TIDY_BATCH = 1_000;
const LONGEST_TERM = 200;

// One for the process: the front door flushes it, pages are bundled apart from it.
const shared = globalThis as typeof globalThis & { lecternSearches?: Waiting };

function waiting(): Waiting {
  shared.lecternSearches ??= {
    searches: new Set(),
    clicks: new Set(),
    tidied: new Map(),
    dropped: 0,
    away: false,
  };
  return shared.lecternSearches;
}

/**
 * Remembers a search whose answer is known, at no cost to it: what was noted is written together, about once a second.
 * A workspace that keeps no log of searches (search_log_enabled) has none from the moment of that decision on. Of terms
 * that come shortly after each other, those that the last begins with are left out: they were typed on the way to it.
 * @param term kept with single blanks, up to 200 characters; one without any is not kept
 * @param total how many articles were found
 * @returns the id by which noteSearchClick knows it
 */
export function noteSearch(workspaceId: string, { term, total }: { term: string; total: number }): string {
  const id = randomUUID();
  const kept = keptTerm(term);
  if (kept === "") return id;
  add(waiting().searches, { id, workspaceId, term: kept, folded: fold(kept), total, since: performance.now() });
  return id;
}

/**
 * Remembers that an article was opened from the answer to a search, also before that search is written. An id that
 * noteSearch did not give for this workspace changes nothing.
 */
export function noteSearchClick(workspaceId: string, id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return;
  add(waiting().clicks, { id, workspaceId, since: performance.now() });
}

/**
 * Writes whatever waits, as far as two seconds and the database allow: for a server that stops. What could not be
 * written is counted in the log, and given up.
 */
export async function flushSearches(): Promise<void> {
  const all = waiting();
  const flush = async () => {
    while (all.writing) await all.writing;
    await write(all, true);
  };
  await Promise.race([flush(), sleep(LAST_MS, undefined, { ref: false })]);
  all.dropped += all.searches.size;
  all.searches.clear();
  all.clicks.clear();
  tellDropped(all);
}

/** Neither control characters nor half letters, which the database refuses. */
function keptTerm(term: string): string {
  const blank = /[\s\p{Cc}\p{Cs}]+/gu;
  return term
    .normalize("NFC")
    .replace(blank, " ")
    .trim()
    .slice(0, LONGEST_TERM)
    .replace(/[\s\p{Cs}]+$/u, "");
}

function add<Item>(items: Set<Item>, item: Item): void {
  const all = waiting();
  items.add(item);
  const [oldest] = items;
  if (oldest && items.size > MOST) {
    items.delete(oldest);
    all.dropped++;
  }
  schedule(all);
}

function schedule(all: Waiting): void {
  if (all.writing || all.searches.size + all.clicks.size === 0) return;
  if (all.searches.size >= BATCH && !all.away) return void write(all);
  all.timer ??= outsideRequests(() => setTimeout(() => void write(all), EVERY_MS).unref());
}

/** Never two at once; whoever noted something meanwhile is served by the next. */
function write(all: Waiting, isLast = false): Promise<void> {
  clearTimeout(all.timer);
  all.timer = undefined;
  all.writing ??= outsideRequests(() => writeAll(all, isLast)).finally(() => {
    all.writing = undefined;
    schedule(all);
  });
  return all.writing;
}

async function writeAll(all: Waiting, isLast: boolean): Promise<void> {
  try {
    do {
      const workspaceIds = new Set([...all.searches, ...all.clicks].map(({ workspaceId }) => workspaceId));
      for (const workspaceId of workspaceIds) await writeWorkspace(all, workspaceId, isLast);
    } while (all.searches.size >= (isLast ? 1 : BATCH));
    if (all.away) log().info("Searches are written again: the database is back.");
    all.away = false;
    tellDropped(all);
  } catch {
    // They wait for the next time.
    if (!all.away) log().warn("Searches wait to be written: the database does not answer.");
    all.away = true;
  }
}

/** @throws UnavailableError, and nothing else */
async function writeWorkspace(all: Waiting, workspaceId: string, isLast: boolean): Promise<void> {
  const ofThis = (one: Click) => one.workspaceId === workspaceId;
  const now = performance.now();
  const waits = [...all.searches].filter(ofThis);
  const searches = waits.slice(0, BATCH);
  const clicks = [...all.clicks].filter(ofThis);
  // One that is early, or of a search that has to wait itself, would find no row.
  const due = waits.length > searches.length ? [] : clicks.filter(({ since }) => isLast || now - since >= CLICK_MS);
  if (searches.length + due.length === 0) return;
  const isTidy = now - (all.tidied.get(workspaceId) ?? -TIDY_MS) < TIDY_MS;
  try {
    const deleted = await inWorkspace(
      workspaceId,
      async (db) => {
        await insert(db, withoutWaysTo(searches, new Set(clicks.map(({ id }) => id))));
        await markClicked(db, due);
        return isTidy ? 0 : tidy(db);
      },
      SECONDS,
    );
    if (all.tidied.size >= MOST) all.tidied.clear();
    if (!isTidy && deleted < TIDY_BATCH) all.tidied.set(workspaceId, now);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    // Tried again it would fail again, and hold up everybody else's. The error's other fields may hold the terms.
    log().error(`Searches of a workspace could not be written: ${(error as Error).message}`);
    all.dropped += searches.length;
  }
  for (const search of searches) all.searches.delete(search);
  for (const click of due) all.clicks.delete(click);
}

/** Searches without those that were only typed on the way to a later one ("pa", "pass", "password"), and led nowhere. */
function withoutWaysTo(searches: Search[], clicked: Set<string>): Search[] {
  return searches.filter(
    ({ id, folded }, index) =>
      clicked.has(id) ||
      !searches.slice(index + 1).some((later) => later.folded !== folded && later.folded.startsWith(folded)),
  );
}

/** Whether the workspace keeps searches is read by the same statement. A repetition of one that did arrive adds nothing. */
async function insert(db: Db, searches: Search[]): Promise<void> {
  if (searches.length === 0) return;
  const now = performance.now();
  const rows = searches.map(({ since, workspaceId: _, ...row }) => ({ ...row, age: (now - since) / 1000 }));
  await db.$executeRaw`
    INSERT INTO searches (id, term, term_folded, results_count, created_at)
    SELECT row.id, row.term, row.folded, row.total, now() - make_interval(secs => row.age)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row (id uuid, term text, folded text, total integer, age double precision)
    JOIN workspaces ON workspaces.search_log_enabled
    ON CONFLICT (workspace_id, id) DO NOTHING`;
}

async function markClicked(db: Db, clicks: Click[]): Promise<void> {
  if (clicks.length === 0) return;
  const ids = clicks.map(({ id }) => id);
  await db.$executeRaw`UPDATE searches SET clicked = true WHERE id = ANY(${ids}::uuid[]) AND NOT clicked`;
}

/**
 * Searches are kept for 400 days: a year to compare with, and time to do so. They are deleted by those that come after
 * them, at most once an hour for each server and workspace, or with every write while there are more than one statement
 * takes: without a job, and without a look at workspaces where nothing happens. So the last searches of a workspace in
 * which nobody searches any more stay until somebody does, or until the workspace goes.
 * @returns how many there were
 */
function tidy(db: Db): Promise<number> {
  return db.$executeRaw`
    DELETE FROM searches WHERE id IN (
      SELECT id FROM searches WHERE created_at < now() - interval '400 days'
      ORDER BY created_at LIMIT ${TIDY_BATCH} FOR UPDATE SKIP LOCKED)`;
}

function tellDropped(all: Waiting): void {
  if (all.dropped > 0) log().warn({ dropped: all.dropped }, "Searches are lost: they could not be written.");
  all.dropped = 0;
}
