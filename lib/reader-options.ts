import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";

/** What a workspace decides about its readers. */
export interface ReaderOptions {
  /** Who may read what its category does not say it of (lib/visibility.ts). */
  visibility: "everyone" | "members";
  /** Whether articles ask if they helped. */
  feedbackEnabled: boolean;
  /** Whether what is searched for is kept. */
  searchLogEnabled: boolean;
}

const columns = `visibility, feedback_enabled AS "feedbackEnabled", search_log_enabled AS "searchLogEnabled"`;

/** The options as they are, and how many categories are for everyone or for members whatever the workspace says. */
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

/**
 * Changes what is decided about readers: for every request that comes after it. What readers said and searched for before
 * stays.
 * @param seen as they were when it was decided
 * @returns the options as they were seen: what is stored already, by a form that was sent twice, is saved once and told alike
 * @throws InvalidError when somebody has changed them since they were seen, to something else than what is wanted
 */
export async function changeReaderOptions(
  db: Db,
  given: ReaderOptions,
  seen: ReaderOptions,
  actor: Actor,
): Promise<ReaderOptions> {
  const [found] = await readingOf(db)<ReaderOptions & { id: string; name: string }>(
    `SELECT id, name, ${columns} FROM workspaces FOR NO KEY UPDATE`,
  );
  if (!found) throw new Error("The wall shows no workspace.");
  const { id, name, ...before } = found;
  const { visibility, feedbackEnabled, searchLogEnabled } = given;
  const after = { visibility, feedbackEnabled, searchLogEnabled };
  const changed = (Object.keys(after) as (keyof ReaderOptions)[]).filter((key) => after[key] !== before[key]);
  if (changed.length === 0) return seen;
  if ((Object.keys(after) as (keyof ReaderOptions)[]).some((key) => seen[key] !== before[key])) {
    const message = "Somebody has changed these meanwhile, so nothing is saved: look at them as they are now.";
    throw new InvalidError([{ field: "visibility", code: "not_allowed", message }]);
  }
  await db.workspace.updateMany({ data: { ...after, updatedAt: new Date() } });
  const details = Object.fromEntries(changed.map((key) => [key, `${before[key]} → ${after[key]}`]));
  await recordAudit(db, actor, "workspace.updated", { kind: "workspace", id, name }, details);
  return before;
}
