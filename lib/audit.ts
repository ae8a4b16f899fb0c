import { z } from "zod";
import type { Db, Read } from "@/lib/db";

/** Who does something: what an audit entry remembers, with the name as it was then. */
export interface Actor {
  kind: "member" | "api_key" | "command_line" | "system";
  id: string | null;
  name: string;
  ip?: string;
  requestId?: string;
}

export interface AuditSubject {
  kind: string;
  id: string;
  name: string;
}

export type AuditDetails = Record<string, string | number | boolean | null>;

/**
 * Writes who changed what, in the transaction of the change itself.
 * @param action a word of the product, such as "member.updated"
 * @param details what changed, without secrets
 */
export async function recordAudit(
  db: Db,
  actor: Actor,
  action: string,
  subject: AuditSubject,
  details: AuditDetails = {},
): Promise<void> {
  await recordAudits(db, actor, action, [{ subject, details }]);
}

/** The same for many things that one step changes. */
export async function recordAudits(
  db: Db,
  actor: Actor,
  action: string,
  changes: readonly { subject: AuditSubject; details: AuditDetails }[],
): Promise<void> {
  await db.auditEntry.createMany({
    data: changes.map(({ subject, details }) => ({
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      ip: actor.ip,
      requestId: actor.requestId,
      action,
      subjectKind: subject.kind,
      subjectId: subject.id,
      subjectName: subject.name,
      details,
    })),
  });
}

/**
 * What was written of something when it was removed, within the last day: enough to bring it back. Null when it was not.
 * @param action such as "synonym.removed"
 */
export async function findRemoved(
  read: Read,
  action: string,
  id: string,
): Promise<{ name: string; details: AuditDetails } | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [removed] = await read<{ name: string; details: AuditDetails }>(
    `SELECT subject_name AS name, details FROM audit_entries
     WHERE action = $1 AND subject_id = $2::uuid AND created_at > now() - interval '1 day'
     ORDER BY created_at DESC, id LIMIT 1`,
    [action, id],
  );
  return removed ?? null;
}
