import { DAY_MS, dayOf, openerHash } from "@/lib/analytics/viewers";
import { flushInTime, WrittenLater } from "@/lib/analytics/written-later";
import type { Db } from "@/lib/db";

// Which articles readers open from the results of a search (lib/search/first.ts).

interface Open {
  workspaceId: string;
  /** All words of the search (`parseQuery`). */
  folded: string;
  articleId: string;
  ip: string | null;
  day: string;
}

type Row = Pick<Open, "folded" | "articleId" | "day"> & { hash: string };

const shared = globalThis as typeof globalThis & { lecternSearchOpens?: WrittenLater<Open, Row> };

function waiting(): WrittenLater<Open, Row> {
  shared.lecternSearchOpens ??= new WrittenLater<Open, Row>({
    name: "Articles opened from searches",
    most: 2_000,
    batch: 200,
    // Without the old salt a network could count twice.
    isTooOld: ({ day }) => day < dayOf(new Date(Date.now() - DAY_MS)),
    rows: (opens, workspaceId) =>
      Promise.all(
        opens.map(async ({ folded, articleId, ip, day }) => {
          const hash = await openerHash(workspaceId, ip, folded, day);
          return { folded, articleId, day, hash: hash.toString("hex") };
        }),
      ),
    insert,
    tidy,
  });
  return shared.lecternSearchOpens;
}

/** Notes that a reader opened an article from a search's results, to be written a second later. */
export function noteSearchOpen(open: Omit<Open, "day">, now = new Date()): void {
  if (open.folded === "") return;
  const noted = { ...open, day: dayOf(now) };
  waiting().note(JSON.stringify(noted), noted);
}

export async function flushSearchOpens(): Promise<void> {
  await flushInTime(waiting());
}

async function insert(db: Db, rows: Row[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO search_opens (term_folded, article_id, day, viewer_hash)
    SELECT row.folded, row."articleId", row.day, decode(row.hash, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (folded text, "articleId" uuid, day date, hash text)
    JOIN workspaces ON workspaces.search_log_enabled
    -- In one order, so that servers do not deadlock.
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, term_folded, article_id, day, viewer_hash) DO NOTHING`;
}

/** Deletes what is older than the 90 days that searches look at. */
function tidy(db: Db, most: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM search_opens WHERE id = ANY(ARRAY(
      SELECT id FROM search_opens WHERE day <= current_date - 90 ORDER BY day LIMIT ${most}))`;
}
