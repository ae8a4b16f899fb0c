import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";
import { env } from "@/lib/env";
import { NotFoundError } from "@/lib/errors";
import { deviceOf } from "@/lib/http/user-agents";

export interface Session {
  id: string;
  device: string;
  ip: string | null;
  createdAt: Date;
  /** To a few minutes. */
  lastSeenAt: Date;
}

export const MOST_SESSIONS = 200;

/** Last used first: at most MOST_SESSIONS, and one more where there are more. */
export async function listSessions(read: Read, memberId: string): Promise<Session[]> {
  const sessions = await read<Omit<Session, "device"> & { userAgent: string | null }>(
    `SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", last_seen_at AS "lastSeenAt"
     FROM sessions
     WHERE member_id = $1 AND expires_at > now() AND last_seen_at > now() - make_interval(days => $2)
     ORDER BY last_seen_at DESC, id LIMIT ${MOST_SESSIONS + 1}`,
    [memberId, env().sessionIdleDays],
  );
  return sessions.map(({ userAgent, ...session }) => ({ ...session, device: deviceOf(userAgent) }));
}

export async function endSession(db: Db, memberId: string, id: string, actor: Actor): Promise<void> {
  const known = z.guid().safeParse(id).success;
  const ended = known ? await db.session.findMany({ where: { id, memberId }, select: { userAgent: true } }) : [];
  const { count } = known ? await db.session.deleteMany({ where: { id, memberId } }) : { count: 0 };
  if (count === 0) throw new NotFoundError("There is no session with this ID.");
  const name = deviceOf(ended[0]?.userAgent ?? null);
  await recordAudit(db, actor, "session.ended", { kind: "session", id, name });
}

/** Also ends sign-ins that wait for a code. @returns the number of sessions that ended */
export async function endSessions(
  db: Db,
  member: { id: string; email: string },
  keep: string | null,
  actor: Actor,
): Promise<number> {
  // A sign-in that is under way holds the member, and its session must end too.
  await db.$queryRaw`SELECT FROM members WHERE id = ${member.id}::uuid FOR NO KEY UPDATE`;
  const { count } = await db.session.deleteMany({
    where: { memberId: member.id, ...(keep && { id: { not: keep } }) },
  });
  await db.memberToken.updateMany({
    where: { memberId: member.id, purpose: "second_step", usedAt: null },
    data: { usedAt: new Date() },
  });
  if (count > 0) {
    const subject = { kind: "member", id: member.id, name: member.email };
    await recordAudit(db, actor, "sessions.ended", subject, { ended: count });
  }
  return count;
}

/**
 * Ends the sessions that the workspace's identity provider opened, and all sign-ins that wait for a code.
 * @param keep the session that makes the change
 */
export async function endProviderSessions(
  db: Db,
  provider: { id: string; name: string },
  keep: string | null,
  actor: Actor,
): Promise<void> {
  // Sign-ins that wait for a code end first. This waits for one whose code is being checked, so its session ends too.
  await db.memberToken.updateMany({ where: { purpose: "second_step", usedAt: null }, data: { usedAt: new Date() } });
  const count = await db.$executeRaw`DELETE FROM sessions WHERE by_provider AND id IS DISTINCT FROM ${keep}::uuid`;
  if (count === 0) return;
  const subject = { kind: "identity_provider", id: provider.id, name: provider.name };
  await recordAudit(db, actor, "sessions.ended", subject, { ended: count });
}
