import { type Actor, recordAudit } from "@/lib/audit/audit";
import { acrossWorkspaces, type Db, enterWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { actorForMail, mailAdministrators } from "@/lib/members/members";
import { removeAllUploads } from "@/lib/uploads/clean-up";

export const DAYS_TO_TAKE_BACK = 7;

const SECONDS = 30;
const BATCH = 2_000;

/** Large tables, emptied in batches. Only rows that go with them refer to them. */
const bulky = [
  "article_views",
  "search_opens",
  "searches",
  "search_words",
  "article_versions",
  "audit_entries",
  "webhook_deliveries",
  "articles",
];

/**
 * Closes a workspace and mails all administrators. A second call does not move the deletion's time. Throws InvalidError when
 * the typed name is wrong.
 */
export async function scheduleDeletion(workspaceId: string, typedName: string, actor: Actor): Promise<Date> {
  return acrossWorkspaces.transaction(async (db) => {
    const { name, deleteAfter } = await lockRow(db, workspaceId);
    if (typedName.trim().normalize("NFC") !== name) {
      const message = `Type the name exactly as shown: ${name}.`;
      throw new InvalidError([{ field: "name", code: typedName.trim() === "" ? "required" : "invalid", message }]);
    }
    if (deleteAfter) return deleteAfter;
    const [closed] = await db.$queryRaw<{ at: Date }[]>`
      UPDATE workspaces SET delete_after = now() + make_interval(days => ${DAYS_TO_TAKE_BACK}), updated_at = now()
      WHERE id = ${workspaceId}::uuid RETURNING delete_after AS at`;
    const { at } = closed as { at: Date };
    await enterWorkspace(db, workspaceId);
    const by = await actorForMail(db, actor);
    await mailAdministrators(db, "deletion_scheduled", { by, at: at.toISOString() });
    const subject = { kind: "workspace", id: workspaceId, name };
    await recordAudit(db, actor, "workspace.deletion_scheduled", subject, { at: at.toISOString() });
    return at;
  });
}

export async function takeBackDeletion(workspaceId: string, actor: Actor): Promise<void> {
  await acrossWorkspaces.transaction(async (db) => {
    const { name } = await lockRow(db, workspaceId);
    const opened = await db.$executeRaw`
      UPDATE workspaces SET delete_after = NULL, updated_at = now()
      WHERE id = ${workspaceId}::uuid AND delete_after > now()`;
    if (opened === 0) throw new NotFoundError("The workspace can't be restored.");
    await enterWorkspace(db, workspaceId);
    await recordAudit(db, actor, "workspace.deletion_taken_back", { kind: "workspace", id: workspaceId, name });
  });
}

/** Deletes files first and the row last, so an interrupted deletion starts again. False when it is not due. */
export async function deleteWorkspace(workspaceId: string): Promise<boolean> {
  const [due] = await acrossWorkspaces.query("SELECT FROM workspaces WHERE id = $1 AND delete_after <= now()", [
    workspaceId,
  ]);
  if (!due) return false;
  await removeAllUploads(workspaceId);
  for (const table of bulky) await deleteRows(table, workspaceId);
  await acrossWorkspaces.query(
    "DELETE FROM workspaces WHERE id = $1 AND delete_after <= now()",
    [workspaceId],
    SECONDS,
  );
  // Uploads that arrived meanwhile.
  await removeAllUploads(workspaceId);
  return true;
}

async function deleteRows(table: string, workspaceId: string): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH; ) {
    const rows = await acrossWorkspaces.query(
      `DELETE FROM ${table} WHERE workspace_id = $1
         AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1 LIMIT ${BATCH})) RETURNING 1`,
      [workspaceId],
      SECONDS,
    );
    deleted = rows.length;
  }
}

async function lockRow(db: Db, workspaceId: string): Promise<{ name: string; deleteAfter: Date | null }> {
  const [workspace] = await db.$queryRaw<{ name: string; deleteAfter: Date | null }[]>`
    SELECT name, delete_after AS "deleteAfter" FROM workspaces WHERE id = ${workspaceId}::uuid FOR UPDATE`;
  if (!workspace) throw new NotFoundError("This workspace doesn't exist.");
  return workspace;
}
