import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { encode } from "next-auth/jwt";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, readingOf } from "@/lib/db";
import { currentRequest } from "@/lib/http/request";
import { deviceOf } from "@/lib/http/user-agents";
import { findTwoStep, spendCode, type UsedCode } from "@/lib/members/two-step-codes";
import { authSecret } from "@/lib/secrets";
import { requestOrigin } from "@/lib/session";
import { requestToken, type SessionToken, sessionCookie } from "@/lib/session/token";
import type { Refusal } from "@/lib/sign-in/attempts";
import { proveCode } from "@/lib/sign-in/code";
import { type KnownBrowser, knownBrowser, rememberBrowser } from "@/lib/sign-in/known-browser";
import { isKnownBrowser, provePassword } from "@/lib/sign-in/password";
import {
  forgetSecondStep,
  insertSecondStep,
  type Proof,
  pendingSecondStep,
  rememberSecondStep,
  spendSecondStep,
} from "@/lib/sign-in/second-step";
import { findClosedWorkspace, findPublicWorkspace } from "@/lib/site";

const SESSION_SECONDS = 30 * 24 * 60 * 60;

/** A new session, or with two-step verification the token that waits for a code. */
type Started = { session: string; member: string } | { token: string; proof: Exclude<Proof, "passkey"> };

/** Whether the member is signed in, or a code is needed first. */
export type Outcome = "signed_in" | "code_needed";

/** A member signed in with a browser that they have not used before. */
export interface NewBrowser {
  memberId: string;
  by: "password" | "identity_provider" | "passkey";
  device: string;
  ip: string | null;
}

export type Tell = (db: Db, browser: NewBrowser) => Promise<void>;

/**
 * Signs in by password and sets the cookies. For actions.
 * @param tell runs in the transaction that creates the session
 */
export async function signIn(
  subdomain: string,
  email: string,
  password: string,
  tell: Tell,
): Promise<Outcome | Refusal> {
  const workspace = (await findPublicWorkspace(subdomain)) ?? (await findClosedWorkspace(subdomain));
  if (!workspace) return { isEarly: false, seconds: 0 };
  const started = await startSession(workspace, email, password, await headers(), await knownBrowser(), tell);
  if ("seconds" in started) return started;
  return setCookies(workspace.id, started);
}

/**
 * Signs in a member who proved their identity without a password. For actions.
 * @param prove returns the member's id, and uses up the proof in the transaction that creates the session. Null refuses
 * @param tell as for signIn
 * @param authenticatedAt when they did, or null if that is not known: a provider may sign in a browser without asking
 * @returns null if the proof is refused or the member is deactivated
 */
export async function signInBy(
  workspace: { id: string },
  proof: Proof,
  prove: (db: Db) => Promise<string | null>,
  tell: Tell = async () => {},
  authenticatedAt: Date | null = new Date(),
): Promise<Outcome | null> {
  const [requestHeaders, browser] = [await headers(), await knownBrowser()];
  const started = await inWorkspace(workspace.id, async (db) => {
    const id = await prove(db);
    const [member] = await db.$queryRaw<{ id: string; email: string }[]>`
      SELECT id, email FROM members WHERE id = ${id}::uuid AND active FOR SHARE`;
    if (!member) return null;
    const start = await insertStart(db, member, proof, requestHeaders, authenticatedAt);
    if ("session" in start && isTold(proof) && !isKnownBrowser(browser, workspace.id, member.id))
      await tell(db, browserOf(member.id, proof, requestHeaders));
    return start;
  });
  return started && setCookies(workspace.id, started);
}

/**
 * The second step: signs in with a code, after the first step set its cookie. For actions.
 * @param tell as for signIn
 * @returns null if the first step is too long ago
 */
export async function signInByCode(
  workspace: { id: string },
  code: string,
  tell: Tell,
): Promise<UsedCode | Refusal | null> {
  const pending = await pendingSecondStep(workspace.id);
  if (!pending) return null;
  const { member, token, proof } = pending;
  const [requestHeaders, browser] = [await headers(), await knownBrowser()];
  const proved = await proveCode(workspace.id, member, requestHeaders, browser, () =>
    inWorkspace(workspace.id, async (db) => {
      const used = await spendCode(db, member.id, code);
      if (!used) return null;
      if (!(await spendSecondStep(db, token))) return { used, started: null };
      if (isTold(proof) && !isKnownBrowser(browser, workspace.id, member.id))
        await tell(db, browserOf(member.id, proof, requestHeaders));
      return { used, started: await insertSession(db, member, proof, requestHeaders, new Date(), used) };
    }),
  );
  if ("seconds" in proved) return proved;
  await forgetSecondStep();
  if (!proved.started) return null;
  await setCookies(workspace.id, proved.started);
  return proved.used;
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

/** The same for a code of the member's two-step verification, which it uses up. */
export async function checkCode(
  workspace: { id: string },
  member: { id: string; email: string },
  code: string,
): Promise<Refusal | null> {
  const proved = await proveCode(workspace.id, member, await headers(), await knownBrowser(), () =>
    inWorkspace(workspace.id, (db) => spendCode(db, member.id, code)),
  );
  return typeof proved === "string" ? null : proved;
}

export async function signOut(): Promise<void> {
  const token = await requestToken();
  if (token) await endSession(token);
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

async function startSession(
  workspace: { id: string },
  email: string,
  password: string,
  requestHeaders: Headers,
  browser: KnownBrowser | null,
  tell: Tell,
): Promise<Started | Refusal> {
  const member = await provePassword(workspace, email, password, requestHeaders, browser);
  if ("seconds" in member) return member;
  const started = await inWorkspace(workspace.id, async (db) => {
    // The member may have changed meanwhile. The lock waits for such a change, which ends all sessions that exist then.
    const [unchanged] = await db.$queryRaw<{ id: string }[]>`
      SELECT id FROM members
      WHERE id = ${member.id}::uuid AND active AND password_hash = ${member.passwordHash} AND email = ${member.email}
      FOR SHARE`;
    if (!unchanged) return null;
    const start = await insertStart(db, member, "password", requestHeaders, new Date());
    if ("session" in start && !member.isKnown) await tell(db, browserOf(member.id, "password", requestHeaders));
    return start;
  });
  return started ?? { isEarly: false, seconds: 0 };
}

/** Whether a sign-in with a new browser is reported by mail. Other proofs are mails themselves. */
const isTold = (proof: Proof): proof is NewBrowser["by"] =>
  proof === "password" || proof === "identity_provider" || proof === "passkey";

const browserOf = (memberId: string, by: NewBrowser["by"], requestHeaders: Headers): NewBrowser => ({
  memberId,
  by,
  device: deviceOf(requestHeaders.get("user-agent")),
  ip: requestHeaders.get("x-forwarded-for"),
});

async function insertStart(
  db: Db,
  member: { id: string; email: string },
  proof: Proof,
  requestHeaders: Headers,
  authenticatedAt: Date | null,
): Promise<Started> {
  // A passkey is two factors already: the device, and the fingerprint, face or PIN that unlocks it.
  if (proof !== "passkey" && (await findTwoStep(readingOf(db), member.id)).isOn)
    return { token: await insertSecondStep(db, member.id), proof };
  return insertSession(db, member, proof, requestHeaders, authenticatedAt);
}

async function insertSession(
  db: Db,
  member: { id: string; email: string },
  proof: Proof,
  requestHeaders: Headers,
  authenticatedAt: Date | null,
  used?: UsedCode,
): Promise<{ session: string; member: string }> {
  const ip = requestHeaders.get("x-forwarded-for");
  const userAgent = requestHeaders.get("user-agent")?.slice(0, 500) ?? null;
  const session = randomUUID();
  await db.$executeRaw`
    INSERT INTO sessions (id, member_id, ip, user_agent, authenticated_at, by_provider, expires_at)
    VALUES (${session}::uuid, ${member.id}::uuid, ${ip}, ${userAgent}, ${authenticatedAt}::timestamptz,
      ${proof === "identity_provider"}, now() + make_interval(secs => ${SESSION_SECONDS}))`;
  await recordAudit(
    db,
    { kind: "member", id: member.id, name: member.email, ip: ip ?? undefined, requestId: currentRequest()?.id },
    "session.started",
    { kind: "session", id: session, name: deviceOf(userAgent) },
    { by: proof, ...(used && { code: used }) },
  );
  return { session, member: member.id };
}

/** Ends the browser's previous session, which the new session replaces. */
async function setCookies(workspace: string, started: Started): Promise<Outcome> {
  if ("token" in started) {
    await rememberSecondStep({ workspace, ...started });
    return "code_needed";
  }
  const { session, member } = started;
  const former = await requestToken();
  if (former?.workspace === workspace) await endSession(former);
  const { name, options } = sessionCookie();
  const value = await encode({ token: { session, workspace }, secret: authSecret(), maxAge: SESSION_SECONDS });
  (await cookies()).set(name, value, { ...options, maxAge: SESSION_SECONDS });
  await rememberBrowser({ workspace, member });
  return "signed_in";
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
