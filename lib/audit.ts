import type { Db } from "@/lib/db";

/** Who does something: what an audit entry remembers, with the name as it was then. */
export interface Actor {
  kind: "member" | "api_key" | "command_line" | "system";
  id: string | null;
  name: string;
  ip?: string;
  requestId?: string;
}

/**
 * Writes who changed what, in the transaction of the change itself.
 * @param action a word of the product, such as "member.updated"
 * @param details what changed, without secrets
 */
export async function recordAudit(
  db: Db,
  actor: Actor,
  action: string,
  subject: { kind: string; id: string; name: string },
  details: Record<string, string | number | boolean | null> = {},
): Promise<void> {
  await db.auditEntry.create({
    data: {
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
    },
  });
}
