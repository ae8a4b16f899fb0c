import type { Actor } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { changeWorkspace, type WorkspaceSettings } from "@/lib/settings/change-workspace";

export interface ReaderOptions {
  /** Applies to categories without a visibility of their own (lib/visibility.ts). */
  visibility: "everyone" | "members";
  feedbackEnabled: boolean;
  searchLogEnabled: boolean;
}

const columns = `visibility, feedback_enabled AS "feedbackEnabled", search_log_enabled AS "searchLogEnabled"`;

export async function readerOptions(read: Read): Promise<ReaderOptions & { open: number; closed: number }> {
  const [found] = await read<ReaderOptions & { open: number; closed: number }>(
    `SELECT ${columns},
       (SELECT count(*)::int FROM categories c WHERE c.workspace_id = w.id AND c.visibility = 'everyone') AS open,
       (SELECT count(*)::int FROM categories c WHERE c.workspace_id = w.id AND c.visibility = 'members') AS closed
     FROM workspaces w`,
  );
  if (!found) throw new Error("The wall shows no workspace.");
  return found;
}

/** Returns the options before, or `seen` when nothing changes: a form sent twice gets the same answer twice. */
export async function changeReaderOptions(
  db: Db,
  options: ReaderOptions,
  seen: ReaderOptions,
  actor: Actor,
): Promise<ReaderOptions> {
  const names = ["visibility", "feedbackEnabled", "searchLogEnabled"] as const;
  const differs = (before: ReaderOptions, after: ReaderOptions) => names.some((name) => before[name] !== after[name]);
  const check = (before: WorkspaceSettings) => {
    if (!differs(before, seen)) return;
    const message = "Not saved. Someone else changed these settings. Reload the page and try again.";
    throw new InvalidError([{ field: "visibility", code: "not_allowed", message }]);
  };
  const previous = await changeWorkspace(db, pick(options), actor, { check });
  return differs(previous, options) ? pick(previous) : seen;
}

function pick({ visibility, feedbackEnabled, searchLogEnabled }: ReaderOptions): ReaderOptions {
  return { visibility, feedbackEnabled, searchLogEnabled };
}
