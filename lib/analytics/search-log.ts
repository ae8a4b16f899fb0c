import { randomUUID } from "node:crypto";
import { flushInTime, WrittenLater } from "@/lib/analytics/written-later";
import type { Db } from "@/lib/db";
import { fold } from "@/lib/search/words";

// Searches and their counts of results, without any trace of the person.

interface Search {
  id: string;
  workspaceId: string;
  term: string;
  folded: string;
  total: number;
  since: number;
}

type Click = Pick<Search, "id" | "workspaceId" | "since">;

const MOST = 2_000;
/** By then every server has written the search that a click refers to. */
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
    waits: (click) => performance.now() - click.since < CLICK_MS || searches.has(keyOf(click)),
    rows: (some) => some,
    insert: markClicked,
  });
  return (shared.lecternSearches = { searches, clicks });
}

const keyOf = ({ workspaceId, id }: Click) => `${workspaceId} ${id}`;

/** Notes a search, to be written a second later. Returns the id for noteSearchClick. */
export function noteSearch(workspaceId: string, { term, total }: { term: string; total: number }): string {
  const id = randomUUID();
  const kept = keptTerm(term);
  if (kept === "") return id;
  const search = { id, workspaceId, term: kept, folded: fold(kept), total, since: performance.now() };
  waiting().searches.note(keyOf(search), search);
  return id;
}

export function noteSearchClick(workspaceId: string, id: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return;
  const click = { id, workspaceId, since: performance.now() };
  waiting().clicks.note(keyOf(click), click);
}

export async function flushSearches(): Promise<void> {
  const { searches, clicks } = waiting();
  await flushInTime(searches, clicks);
}

/** The database refuses control characters and lone surrogates. */
function keptTerm(term: string): string {
  const blank = /[\s\p{Cc}\p{Cs}]+/gu;
  return term
    .normalize("NFC")
    .replace(blank, " ")
    .trim()
    .slice(0, LONGEST_TERM)
    .replace(/[\s\p{Cs}]+$/u, "");
}

/** Drops searches such as "pa" and "pass" before "password", unless a result was clicked. */
function withoutWaysTo(searches: Search[], isClicked: (search: Search) => boolean): Search[] {
  const isWayTo = ({ folded }: Search, later: Search) => later.folded !== folded && later.folded.startsWith(folded);
  return searches.filter(
    (search, index) => isClicked(search) || !searches.slice(index + 1).some((later) => isWayTo(search, later)),
  );
}

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

/** Deletes searches after 400 days. New searches trigger it, so those of an unused workspace stay. */
function tidy(db: Db, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM searches WHERE id = ANY(ARRAY(
      SELECT id FROM searches WHERE created_at < now() - interval '400 days'
      ORDER BY created_at LIMIT ${most} FOR UPDATE SKIP LOCKED))`;
}
