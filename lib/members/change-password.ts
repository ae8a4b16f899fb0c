import { type Actor, recordAudit } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { endSessions } from "@/lib/members/member-sessions";
import { deletePasskeys } from "@/lib/members/remove-passkeys";

export async function hasPassword(read: Read, memberId: string): Promise<boolean> {
  const [member] = await read<{ has: boolean }>("SELECT password_hash IS NOT NULL AS has FROM members WHERE id = $1", [
    memberId,
  ]);
  return member?.has ?? false;
}

/**
 * Ends other sessions and mailed links, and mails the member. A password set by mailed link also removes the passkeys, which
 * someone else may have added.
 * @param keep the session in which the member changes the password, or null for a mailed link
 * @throws NotFoundError
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
  // Links stay, marked as used: a repeated job must not make one valid again.
  await db.memberToken.updateMany({
    where: { memberId, purpose: { in: ["sign_in", "password_reset"] }, usedAt: null },
    data: { usedAt: new Date() },
  });
  const { length: passkeys } = keep === null ? await deletePasskeys(db, member, actor) : [];
  const memberName = `${member.firstName} ${member.lastName}`;
  await enqueue(db, "password_changed", { email: member.email, memberName, passkeys });
}
