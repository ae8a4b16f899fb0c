import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import type { Db, Read } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { deviceOf } from "@/lib/user-agents";

/** A browser in which a member is signed in. */
export interface Session {
  id: string;
  /** As a person calls it, such as "Firefox on Linux". */
  device: string;
  /** The address it signed in from, where that is known. */
  ip: string | null;
  createdAt: Date;
  /** To a few minutes. */
  lastSeenAt: Date;
}

/** The most that are listed. */
export const MOST_SESSIONS = 200;

/** A member's sessions, the last used first: at most MOST_SESSIONS, and one more where there are more. */
export async function listSessions(read: Read, memberId: string): Promise<Session[]> {
  const sessions = await read<Omit<Session, "device"> & { userAgent: string | null }>(
    `SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", last_seen_at AS "lastSeenAt"
     FROM sessions WHERE member_id = $1 AND expires_at > now() ORDER BY last_seen_at DESC, id LIMIT ${MOST_SESSIONS + 1}`,
    [memberId],
  );
  return sessions.map(({ userAgent, ...session }) => ({ ...session, device: deviceOf(userAgent) }));
}

/**
 * Ends one session of a member: its next request lands at the sign-in.
 * @throws NotFoundError when the member has no such session
 */
export async function endSession(db: Db, memberId: string, id: string, actor: Actor): Promise<void> {
  const known = z.guid().safeParse(id).success;
  const ended = known ? await db.session.findMany({ where: { id, memberId }, select: { userAgent: true } }) : [];
  const { count } = known ? await db.session.deleteMany({ where: { id, memberId } }) : { count: 0 };
  if (count === 0) throw new NotFoundError("There is no session with this id.");
  const name = deviceOf(ended[0]?.userAgent ?? null);
  await recordAudit(db, actor, "session.ended", { kind: "session", id, name });
}

/**
 * Ends a member's sessions.
 * @param keep the one that goes on, when one does
 * @returns how many ended
 */
export async function endSessions(
  db: Db,
  member: { id: string; email: string },
  keep: string | null,
  actor: Actor,
): Promise<number> {
  const { count } = await db.session.deleteMany({
    where: { memberId: member.id, ...(keep && { id: { not: keep } }) },
  });
  if (count > 0) {
    const subject = { kind: "member", id: member.id, name: member.email };
    await recordAudit(db, actor, "sessions.ended", subject, { ended: count });
  }
  return count;
}
