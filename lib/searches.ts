import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/db";
import { fold } from "@/lib/search/words";
import { flushInTime, WrittenLater } from "@/lib/written-later";

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

/** The most that wait, of searches and of clicks. */
const MOST = 2_000;
/** By when every server has written what it had found when a click came, in milliseconds. */
const CLICK_MS = 3_000;
const LONGEST_TERM = 200;

interface Waiting {
  searches: WrittenLater<Search, Search>;
  clicks: WrittenLater<Click, Click>;
}
const shared = globalThis as typeof globalThis & { lecternSearches?: Waiting };

function waiting(): Waiting {
  if (shared.lecternSearches) return shared.lecternSearches;
  const searches: WrittenLater<Search, Search> = new WrittenLater({
    name: "Searches",
    most: MOST,
    batch: 200,
    rows: (some) => withoutWaysTo(some, (search) => clicks.has(keyOf(search))),
    insert,
    tidy,
  });
  const clicks: WrittenLater<Click, Click> = new WrittenLater({
    name: "Clicks on what searches found",
    most: MOST,
    // One that is early, or of a search that waits itself, would find no row.
    waits: (click) => performance.now() - click.since < CLICK_MS || searches.has(keyOf(click)),
    rows: (some) => some,
    insert: markClicked,
  });
  return (shared.lecternSearches = { searches, clicks });
}

const keyOf = ({ workspaceId, id }: Click) => `${workspaceId} ${id}`;

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
  const search = { id, workspaceId, term: kept, folded: fold(kept), total, since: performance.now() };
  waiting().searches.note(keyOf(search), search);
  return id;
}

/**
 * Remembers that an article was opened from the answer to a search, also before that search is written. An id that
 * noteSearch did not give for this workspace changes nothing.
 */
export function noteSearchClick(workspaceId: string, id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return;
  const click = { id, workspaceId, since: performance.now() };
  waiting().clicks.note(keyOf(click), click);
}

/**
 * Writes whatever waits, as far as two seconds and the database allow: for a server that stops. What could not be
 * written is counted in the log, and given up.
 */
export async function flushSearches(): Promise<void> {
  const { searches, clicks } = waiting();
  await flushInTime(searches, clicks);
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

/** Searches without those that were only typed on the way to a later one ("pa", "pass", "password"), and led nowhere. */
function withoutWaysTo(searches: Search[], isClicked: (search: Search) => boolean): Search[] {
  const isWayTo = ({ folded }: Search, later: Search) => later.folded !== folded && later.folded.startsWith(folded);
  return searches.filter(
    (search, index) => isClicked(search) || !searches.slice(index + 1).some((later) => isWayTo(search, later)),
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
function tidy(db: Db, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM searches WHERE id IN (
      SELECT id FROM searches WHERE created_at < now() - interval '400 days'
      ORDER BY created_at LIMIT ${most} FOR UPDATE SKIP LOCKED)`;
}
