import { type Actor, recordAudit } from "@/lib/audit";
import type { Db, Read } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { endSessions } from "@/lib/sessions";

/** Whether a member has a password: who was never given one signs in by links in mails. */
export async function hasPassword(read: Read, memberId: string): Promise<boolean> {
  const [member] = await read<{ has: boolean }>("SELECT password_hash IS NOT NULL AS has FROM members WHERE id = $1", [
    memberId,
  ]);
  return member?.has ?? false;
}

/**
 * Gives a member another password. All other sessions end, and so do links by which somebody might get in; the member is
 * told by mail.
 * @param passwordHash of lib/passwords.ts; made before, since that takes its time
 * @param keep the session that goes on, when one does
 * @throws NotFoundError when there is no such active member
 */
export async function setPassword(
  db: Db,
  memberId: string,
  passwordHash: string,
  keep: string | null,
  actor: Actor,
): Promise<void> {
  const [member] = await db.$queryRaw<{ id: string; email: string; firstName: string; lastName: string }[]>`
    UPDATE members SET password_hash = ${passwordHash}, updated_at = now() WHERE id = ${memberId}::uuid AND active
    RETURNING id, email, first_name AS "firstName", last_name AS "lastName"`;
  if (!member) throw new NotFoundError("No such member.");
  await recordAudit(db, actor, "member.password_changed", { kind: "member", id: member.id, name: member.email });
  await endSessions(db, member, keep, actor);
  // Kept as used: a job that is done again must not make a link good once more.
  await db.memberToken.updateMany({
    where: { memberId, purpose: { in: ["sign_in", "password_reset"] }, usedAt: null },
    data: { usedAt: new Date() },
  });
  await enqueue(db, "password_changed", { email: member.email, memberName: `${member.firstName} ${member.lastName}` });
}
