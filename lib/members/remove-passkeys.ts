import { type Actor, recordAudit } from "@/lib/audit/audit";
import type { Db } from "@/lib/db";

/**
 * Removes the member's passkeys, or one of them, without a mail.
 * @returns their names
 */
export async function deletePasskeys(
  db: Db,
  member: { id: string; email: string },
  actor: Actor,
  only: string | null = null,
): Promise<string[]> {
  const removed = await db.$queryRaw<{ name: string }[]>`
    DELETE FROM passkeys WHERE member_id = ${member.id}::uuid AND (${only}::uuid IS NULL OR id = ${only}::uuid)
    RETURNING name`;
  const subject = { kind: "member", id: member.id, name: member.email };
  for (const { name } of removed) await recordAudit(db, actor, "member.passkey_removed", subject, { passkey: name });
  return removed.map(({ name }) => name);
}
