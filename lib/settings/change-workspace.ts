import { type Actor, type AuditDetails, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace } from "@/lib/db";

const select = {
  id: true,
  name: true,
  language: true,
  timeZone: true,
  visibility: true,
  feedbackEnabled: true,
  searchLogEnabled: true,
  accentColor: true,
  logoUploadId: true,
} as const;

export type WorkspaceSettings = Awaited<ReturnType<typeof readLocked>>;

interface Options {
  check?: (previous: WorkspaceSettings) => void;
  /** Details for the audit log instead of the previous and new values. */
  details?: AuditDetails;
}

/** Changes settings, and records the change. Absent and equal ones stay. Returns the settings before. */
export async function changeWorkspace(
  db: Db,
  changes: Partial<Omit<WorkspaceSettings, "id">>,
  actor: Actor,
  { check, details }: Options = {},
): Promise<WorkspaceSettings> {
  const previous = await readLocked(db);
  const changed = (Object.keys(changes) as (keyof typeof changes)[]).filter(
    (key) => changes[key] !== undefined && changes[key] !== previous[key],
  );
  if (changed.length === 0) return previous;
  check?.(previous);
  const data = Object.fromEntries(changed.map((key) => [key, changes[key]]));
  await db.workspace.updateMany({ data: { ...data, updatedAt: new Date() } });
  const subject = { kind: "workspace", id: previous.id, name: changes.name ?? previous.name };
  const values = changed.map((key) => [key, `${previous[key] ?? "none"} → ${changes[key] ?? "none"}`] as const);
  await recordAudit(db, actor, "workspace.updated", subject, details ?? Object.fromEntries(values));
  return previous;
}

async function readLocked(db: Db) {
  await lockWorkspace(db);
  const { visibility, ...others } = await db.workspace.findFirstOrThrow({ select });
  return { ...others, visibility: visibility as "everyone" | "members" };
}
