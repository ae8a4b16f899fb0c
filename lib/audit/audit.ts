import type { Db } from "@/lib/db";

/** A person or program. The audit log keeps its name at that time. */
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

export function memberId({ kind, id }: Actor): string | null {
  return kind === "member" ? id : null;
}

/** Records a change in its transaction. @param details must hold no secrets */
export async function recordAudit(
  db: Db,
  actor: Actor,
  action: string,
  subject: AuditSubject,
  details: AuditDetails = {},
): Promise<void> {
  await recordAudits(db, actor, action, [{ subject, details }]);
}

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
