import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { encode } from "next-auth/jwt";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace } from "@/lib/db";
import { currentRequest } from "@/lib/http/request";
import { deviceOf } from "@/lib/http/user-agents";
import { requestOrigin } from "@/lib/session";
import { authSecret, requestToken, type SessionToken, sessionCookie } from "@/lib/session/token";
import { type KnownBrowser, knownBrowser, rememberBrowser } from "@/lib/sign-in/known-browser";
import { provePassword, type Refusal } from "@/lib/sign-in/password";
import { findClosedWorkspace, findPublicWorkspace } from "@/lib/site";

const SESSION_SECONDS = 30 * 24 * 60 * 60;

export type Proof = "password" | "link" | "password_reset" | "invitation";

interface StartedSession extends SessionToken {
  member: string;
}

/** A password was used in a browser that the member has not used before. */
export interface NewBrowser {
  memberId: string;
  device: string;
  ip: string | null;
}

/**
 * Signs in by password and sets the cookies. For actions.
 * @param tell runs in the transaction that creates the session
 * @returns null on success
 */
export async function signIn(
  subdomain: string,
  email: string,
  password: string,
  tell: (db: Db, browser: NewBrowser) => Promise<void>,
): Promise<Refusal | null> {
  const started = await startSession(subdomain, email, password, await headers(), await knownBrowser(), tell);
  if ("seconds" in started) return started;
  await setCookies(started);
  return null;
}

/**
 * Signs in a member who proved their identity without a password. For actions.
 * @param prove returns the member's id, and uses up the proof in the transaction that creates the session
 */
export async function signInBy(
  workspace: { id: string },
  proof: Proof,
  prove: (db: Db) => Promise<string>,
): Promise<boolean> {
  const requestHeaders = await headers();
  const started = await inWorkspace(workspace.id, async (db) => {
    const id = await prove(db);
    const [member] = await db.$queryRaw<{ id: string; email: string }[]>`
      SELECT id, email FROM members WHERE id = ${id}::uuid AND active FOR SHARE`;
    return member ? insertSession(db, member, proof, requestHeaders) : null;
  });
  if (!started) return false;
  await setCookies({ workspace: workspace.id, ...started });
  return true;
}

/** Checks the member's own password before a sensitive change. Counted like a sign-in. */
export async function checkPassword(
  workspace: { id: string },
  member: { id: string; email: string },
  password: string,
): Promise<Refusal | null> {
  const proved = await provePassword(workspace, member.email, password, await headers(), await knownBrowser());
  if ("seconds" in proved) return proved;
  return proved.id === member.id ? null : { isEarly: false, seconds: 0 };
}

export async function signOut(): Promise<void> {
  const token = await requestToken();
  if (token) await endSession(token);
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

async function startSession(
  subdomain: string,
  email: string,
  password: string,
  requestHeaders: Headers,
  browser: KnownBrowser | null,
  tell: (db: Db, browser: NewBrowser) => Promise<void>,
): Promise<StartedSession | Refusal> {
  const workspace = (await findPublicWorkspace(subdomain)) ?? (await findClosedWorkspace(subdomain));
  if (!workspace) return { isEarly: false, seconds: 0 };
  const member = await provePassword(workspace, email, password, requestHeaders, browser);
  if ("seconds" in member) return member;
  const started = await inWorkspace(workspace.id, async (db) => {
    // The member may have changed meanwhile. The lock waits for such a change, which ends all sessions that exist then.
    const [unchanged] = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM members
      WHERE id = ${member.id}::uuid AND active AND password_hash = ${member.passwordHash} AND email = ${member.email}
      FOR SHARE`;
    if (!unchanged) return null;
    if (!member.isKnown) {
      const device = deviceOf(requestHeaders.get("user-agent"));
      await tell(db, { memberId: member.id, device, ip: requestHeaders.get("x-forwarded-for") });
    }
    return insertSession(db, member, "password", requestHeaders);
  });
  return started ? { workspace: workspace.id, ...started } : { isEarly: false, seconds: 0 };
}

async function insertSession(
  db: Db,
  member: { id: string; email: string },
  proof: Proof,
  requestHeaders: Headers,
): Promise<{ session: string; member: string }> {
  const ip = requestHeaders.get("x-forwarded-for");
  const userAgent = requestHeaders.get("user-agent")?.slice(0, 500) ?? null;
  const session = randomUUID();
  await db.$executeRaw`
    INSERT INTO sessions (id, member_id, ip, user_agent, expires_at)
    VALUES (${session}::uuid, ${member.id}::uuid, ${ip}, ${userAgent}, now() + make_interval(secs => ${SESSION_SECONDS}))`;
  await recordAudit(
    db,
    { kind: "member", id: member.id, name: member.email, ip: ip ?? undefined, requestId: currentRequest()?.id },
    "session.started",
    { kind: "session", id: session, name: deviceOf(userAgent) },
    { by: proof },
  );
  return { session, member: member.id };
}

/** Ends the browser's previous session, which the new session replaces. */
async function setCookies({ session, workspace, member }: StartedSession): Promise<void> {
  const former = await requestToken();
  if (former?.workspace === workspace) await endSession(former);
  const { name, options } = sessionCookie();
  const value = await encode({ token: { session, workspace }, secret: authSecret(), maxAge: SESSION_SECONDS });
  (await cookies()).set(name, value, { ...options, maxAge: SESSION_SECONDS });
  await rememberBrowser({ workspace, member });
}

async function endSession(token: SessionToken): Promise<void> {
  const origin = await requestOrigin();
  await inWorkspace(token.workspace, async (db) => {
    const [ended] = await db.$queryRaw<{ memberId: string; email: string; userAgent: string | null }[]>`
      DELETE FROM sessions s USING members m
      WHERE s.id = ${token.session}::uuid AND m.workspace_id = s.workspace_id AND m.id = s.member_id
      RETURNING m.id AS "memberId", m.email, s.user_agent AS "userAgent"`;
    if (!ended) return;
    const actor: Actor = { kind: "member", id: ended.memberId, name: ended.email, ...origin };
    const subject = { kind: "session", id: token.session, name: deviceOf(ended.userAgent) };
    await recordAudit(db, actor, "session.ended", subject);
  });
}
