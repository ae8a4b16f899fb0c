import { type Actor, type AuditDetails, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace } from "@/lib/db";
import type { TwoStepRule } from "@/lib/members/two-step-rule";
import type { HeaderLink } from "@/lib/settings/site-fields";

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
  homeHeadline: true,
  homeText: true,
  contact: true,
  headerLinks: true,
  twoStepRule: true,
  auditDays: true,
  auditIpDays: true,
} as const;

export type WorkspaceSettings = Awaited<ReturnType<typeof readLocked>>;

interface Options {
  check?: (previous: WorkspaceSettings) => void;
  /** Details for the audit log instead of the previous and new values. */
  details?: (previous: WorkspaceSettings) => AuditDetails;
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
    (key) => changes[key] !== undefined && JSON.stringify(changes[key]) !== JSON.stringify(previous[key]),
  );
  if (changed.length === 0) return previous;
  check?.(previous);
  const data = Object.fromEntries(changed.map((key) => [key, changes[key]]));
  await db.workspace.updateMany({ data: { ...data, updatedAt: new Date() } });
  const subject = { kind: "workspace", id: previous.id, name: changes.name ?? previous.name };
  const values = changed.map((key) => [key, `${shown(previous[key])} → ${shown(changes[key])}`] as const);
  await recordAudit(db, actor, "workspace.updated", subject, details?.(previous) ?? Object.fromEntries(values));
  return previous;
}

/** A value in the audit log. */
function shown(value: WorkspaceSettings[keyof WorkspaceSettings] | undefined): string {
  if (!Array.isArray(value)) return String(value ?? "none");
  return value.map(({ label }) => label).join(", ") || "none";
}

async function readLocked(db: Db) {
  await lockWorkspace(db);
  const { visibility, headerLinks, twoStepRule, ...others } = await db.workspace.findFirstOrThrow({ select });
  // A plain copy, because the database does not keep the order of keys.
  const links = (headerLinks as unknown as HeaderLink[]).map(({ label, url }) => ({ label, url }));
  return {
    ...{ ...others, headerLinks: links },
    ...{ visibility: visibility as "everyone" | "members", twoStepRule: twoStepRule as TwoStepRule },
  };
}
