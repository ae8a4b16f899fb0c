import { z } from "zod";
import type { Read } from "@/lib/db";
import type { Seen } from "@/lib/visibility";

/** How long deleted articles stay listed, in days. */
export const DAYS_LISTED = 90;

export interface ChangedArticle {
  id: string;
  changedAt: Date;
  /** It was deleted, or the viewer may no longer see it. */
  removed: boolean;
}

export interface Changes {
  changes: ChangedArticle[];
  /** Continues after these changes. */
  cursor: string;
  more: boolean;
}

/**
 * Which count of changes, the last change's number and article, and the day when the cursor was made. Not the second, so that
 * programs that have everything get the same response all day.
 */
const Cursor = z.tuple([z.guid(), z.int().min(0), z.guid(), z.int().min(0)]);
type Position = z.infer<typeof Cursor>;

const NOWHERE = "00000000-0000-0000-0000-000000000000";

/**
 * Lists the articles that changed after a cursor, each once, in the order of their last changes. Without a cursor it lists
 * all articles. Visitors are only told about articles that were public once. An article changed when anything changed that
 * the API shows, except views, neighbors and names of people.
 * Changes are numbered as their transactions end, so that no cursor skips one that is committed later.
 * @param after a cursor of an earlier call
 * @returns null if the cursor is more than 90 days old or of another copy of the workspace, such as before a restore
 * @throws TypeError for a text that is no cursor (see isCursor)
 */
export async function changedArticles(
  read: Read,
  { hidden, viewer }: Seen,
  { workspaceId, after, limit }: { workspaceId: string; after?: string | undefined; limit: number },
): Promise<Changes | null> {
  const withDrafts = viewer === "member";
  const [count] = await read<{ of: string; number: string; today: number }>(
    `SELECT changes_of AS of, changes AS number, floor(extract(epoch FROM now()) / 86400)::int AS today
     FROM content_versions WHERE workspace_id = $1`,
    [workspaceId],
  );
  const { of, number, today } = count!;
  const [place, from, last, made] = after ? positionOf(after) : ([of, 0, NOWHERE, today] satisfies Position);
  if (place !== of || from > Number(number) || made < today - DAYS_LISTED) return null;
  const rows = await read<ChangedArticle & { number: string }>(
    `SELECT c.id, c.number, c.changed_at AS "changedAt", a.id IS NULL AS removed
     FROM article_changes c
     LEFT JOIN articles a ON a.workspace_id = $1 AND a.id = c.id AND ($2 OR a.state = 'published')
       AND a.category_id <> ALL($3::uuid[])
     WHERE c.workspace_id = $1 AND (c.number, c.id) > ($4::bigint, $5::uuid) AND ($2 OR c.was_public)
     ORDER BY c.number, c.id LIMIT $6`,
    [workspaceId, withDrafts, hidden, from, last, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const end = shown.at(-1);
  const next: Position = end ? [of, Number(end.number), end.id, today] : [of, from, last, today];
  return {
    changes: shown.map(({ number: _, ...change }) => change),
    cursor: Buffer.from(JSON.stringify(next)).toString("base64url"),
    more: rows.length > limit,
  };
}

export function isCursor(text: string): boolean {
  try {
    positionOf(text);
    return true;
  } catch {
    return false;
  }
}

function positionOf(text: string): Position {
  const position = Cursor.safeParse(JSON.parse(Buffer.from(text, "base64url").toString()));
  if (!position.success) throw new TypeError("This text is not a cursor.");
  return position.data;
}
