import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { AuthOptions } from "next-auth";
import { decode, encode, getToken } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { beginTry, forgetTries, forgiveTry, type Tried, type Wait } from "@/lib/delays";
import { env } from "@/lib/env";
import { siteOfHost } from "@/lib/host";
import { networkOf } from "@/lib/network";
import { verifyPassword } from "@/lib/passwords";
import { currentRequest, outsideRequests } from "@/lib/request";
import { returnPath, signInPath } from "@/lib/return-path";
import type { Permission } from "@/lib/roles";
import { BROWSER_COOKIE, SESSION_COOKIE } from "@/lib/session/cookie";
import {
  anyWorkspace,
  findClosedWorkspace,
  findPublicWorkspace,
  type PublicWorkspace,
  publicWorkspace,
  requestedSite,
} from "@/lib/site";
import { deviceOf } from "@/lib/user-agents";
import { readAs, type Sight } from "@/lib/visibility";

/** Who is signed in, as of this request. */
export interface CurrentMember {
  id: string;
  sessionId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** An IANA name: times are shown to them in it. */
  timeZone: string;
  /** The upload that is their picture. */
  pictureUploadId: string | null;
  role: string;
  permissions: Permission[];
}

/** What next-auth's token carries: which row of `sessions`, and no word about the person. */
const Token = z.object({ session: z.uuid(), workspace: z.uuid() });
type Token = z.output<typeof Token>;

/** How long a sign-in lasts, in seconds. */
const LIFETIME = 30 * 24 * 60 * 60;

/** In the browser of somebody who has signed in: that it was this member's, and which one of theirs. */
const Known = z.object({ workspace: z.uuid(), member: z.uuid(), browser: z.uuid() });
type Known = z.output<typeof Known>;

/** How long a browser stays known after a sign-in, in seconds. */
const KNOWN = 365 * 24 * 60 * 60;

/** How somebody proved to be who they are. */
export type Proof = "password" | "link" | "password_reset" | "invitation";

/** Why nobody was signed in. */
export interface Refusal {
  /** Whether the password was not even looked at. */
  isEarly: boolean;
  /** Until it can be tried again; 0 for at once. */
  seconds: number;
}

/** Without a Domain, a cookie belongs to one host; on https the prefix makes the browser insist on that. */
function cookieOf(name: string) {
  const secure = env().baseUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${name}` : name,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

const sessionCookie = () => cookieOf(SESSION_COOKIE);
const browserCookie = () => cookieOf(BROWSER_COOKIE);

function secret(): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set: start through `npm start` or `npm run dev`.");
  return authSecret;
}

/** The signed-in member of a workspace, or null. Asked once a request. */
export const currentMember = cache(async (subdomain: string): Promise<CurrentMember | null> => {
  const workspace = await anyWorkspace(subdomain);
  const token = await requestToken();
  // A session of one workspace is none at another's.
  return token?.workspace === workspace.id ? memberOf(token) : null;
});

/**
 * Reads what whoever asks may see: of a member more than of others (lib/visibility.ts). For what readers are shown.
 * @param work reads one snapshot
 */
export async function readAsVisitor<T>(workspace: PublicWorkspace, work: (sight: Sight) => Promise<T>): Promise<T> {
  return readAs(workspace, (await currentMember(workspace.subdomain)) ? "member" : "anyone", work);
}

/**
 * The member's door. Every admin page and every action opens it itself: an action can be called without its page.
 * Who is not signed in is led to the sign-in of the same host, and back afterwards; who lacks the permission finds nothing
 * (404).
 */
export async function requireMember(subdomain: string, permission?: Permission): Promise<CurrentMember> {
  const member = await currentMember(subdomain);
  if (!member) return leadToSignIn();
  if (permission && !member.permissions.includes(permission)) notFound();
  return member;
}

/** Leads whoever asks to the sign-in, and from there back to the page that they asked for. */
export async function leadToSignIn(): Promise<never> {
  redirect(signInPath(returnPath((await headers()).get("x-asked-for"))));
}

/**
 * The member's door as actions open it, which have no path and go by the host of the request.
 * @param find what is done when there is no such workspace: only one action has to do with a closed one
 * @returns with the workspace and the member, who acts, as nouns and the audit log want to know it
 * @throws like requireMember
 */
export async function requireActor(
  permission?: Permission,
  find = publicWorkspace,
): Promise<{ workspace: PublicWorkspace; member: CurrentMember; actor: Actor }> {
  const site = await requestedSite();
  if (site.kind !== "subdomain") notFound();
  const workspace = await find(site.subdomain);
  const member = await requireMember(workspace.subdomain, permission);
  const actor: Actor = { kind: "member", id: member.id, name: member.email, ...(await requestOrigin()) };
  return { workspace, member, actor };
}

/** Where a request comes from, as the audit log wants to know it. */
export async function requestOrigin(): Promise<Pick<Actor, "ip" | "requestId">> {
  return { ip: (await headers()).get("x-forwarded-for") ?? undefined, requestId: currentRequest()?.id };
}

/**
 * Signs a person in by a password: makes the session's row and gives the browser its cookies. For actions.
 * @returns why not, when address and password do not belong together, the person is unknown here or deactivated, or it was
 *   tried too often; null when they are in
 */
export async function signIn(subdomain: string, email: string, password: string): Promise<Refusal | null> {
  const opened = await openSession(subdomain, email, password, await headers(), await knownBrowser());
  if ("seconds" in opened) return opened;
  await giveCookies(opened);
  return null;
}

/**
 * Signs in whoever was proved to be a member by something else than a password. For actions.
 * @param prove the member's id, by what it uses up in the transaction of the new session: both happen or neither
 * @returns false when the member is none any more
 */
export async function signInBy(
  workspace: { id: string },
  proof: Proof,
  prove: (db: Db) => Promise<string>,
): Promise<boolean> {
  const given = await headers();
  const opened = await inWorkspace(workspace.id, async (db) => {
    const member = await prove(db);
    const [found] = await db.$queryRaw<{ id: string; email: string }[]>`
      SELECT id, email FROM members WHERE id = ${member}::uuid AND active FOR SHARE`;
    return found ? addSession(db, found, proof, given) : null;
  });
  if (!opened) return false;
  await giveCookies({ workspace: workspace.id, ...opened });
  return true;
}

/**
 * Whether a member's own password is this one, for what wants to know it again. Counted like a sign-in.
 * @returns why not
 */
export async function checkPassword(
  workspace: { id: string },
  member: { id: string; email: string },
  password: string,
): Promise<Refusal | null> {
  const proved = await provePassword(workspace, member.email, password, await headers(), await knownBrowser());
  if ("seconds" in proved) return proved;
  return proved.id === member.id ? null : { isEarly: false, seconds: 0 };
}

/** Ends the session that the request carries, here and in the database. For actions. */
export async function signOut(): Promise<void> {
  const token = await requestToken();
  if (token) await closeSession(token);
  const { name, options } = sessionCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

/** next-auth's side of the same: its routes read and write the cookie and the rows that the functions above do. */
export function authOptions(): AuthOptions {
  return {
    secret: secret(),
    session: { strategy: "jwt", maxAge: LIFETIME },
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: "/admin/sign-in", error: "/admin/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        async authorize(credentials, request) {
          const given = new Headers(request.headers as Record<string, string>);
          const site = siteOfHost(given.get("host"), env().baseUrl);
          if (site.kind !== "subdomain" || !credentials) return null;
          const opened = await openSession(site.subdomain, credentials.email, credentials.password, given, null);
          return "seconds" in opened ? null : { id: opened.session, workspace: opened.workspace };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user, trigger }) =>
        trigger === "signIn"
          ? { session: user.id, workspace: (user as unknown as { workspace: string }).workspace }
          : token,
      async session({ session, token }) {
        const known = Token.safeParse(token);
        const member = known.success ? await memberOf(known.data) : null;
        if (!member) return {} as typeof session;
        return { ...session, user: { name: `${member.firstName} ${member.lastName}`, email: member.email } };
      },
    },
    events: {
      async signOut({ token }) {
        const known = Token.safeParse(token);
        if (known.success) await closeSession(known.data);
      },
    },
  };
}

async function requestToken(): Promise<Token | null> {
  const { name, options } = sessionCookie();
  const given = Object.fromEntries((await cookies()).getAll().map((cookie) => [cookie.name, cookie.value]));
  const token = await getToken({
    // Without headers: next-auth would also take a token from Authorization, which nobody is meant to send.
    req: { cookies: given, headers: {} } as unknown as Parameters<typeof getToken>[0]["req"],
    cookieName: name,
    secureCookie: options.secure,
    secret: secret(),
  });
  const known = Token.safeParse(token);
  return known.success ? known.data : null;
}

/** The member whose session a token names, as long as its row is there and the member is active. */
async function memberOf(token: Token): Promise<CurrentMember | null> {
  const [member] = await readWorkspace(token.workspace, (read) =>
    read<CurrentMember & { isDue: boolean }>(
      `SELECT m.id, s.id AS "sessionId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", m.time_zone AS "timeZone", m.picture_upload_id AS "pictureUploadId",
         r.name AS role, r.permissions, s.last_seen_at < now() - make_interval(secs => ${SEEN}) AS "isDue"
       FROM sessions s
       JOIN members m ON m.workspace_id = s.workspace_id AND m.id = s.member_id
       JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
       WHERE s.workspace_id = $1 AND s.id = $2 AND s.expires_at > now() AND m.active`,
      [token.workspace, token.session],
    ),
  );
  if (!member) return null;
  const { isDue, ...found } = member;
  if (isDue) noteSeen(token);
  return found;
}

/** How exactly it is known when a session was last used, in seconds: no click waits for it to be written. */
const SEEN = 5 * 60;

function noteSeen(token: Token): void {
  const write = () =>
    inWorkspace(
      token.workspace,
      (db) => db.$executeRaw`
        UPDATE sessions SET last_seen_at = now()
        WHERE id = ${token.session}::uuid AND last_seen_at < now() - make_interval(secs => ${SEEN})`,
    );
  // The next click tries again.
  outsideRequests(() => void write().catch(() => undefined));
}

interface Opened extends Token {
  member: string;
}

async function openSession(
  subdomain: string,
  email: string,
  password: string,
  given: Headers,
  known: Known | null,
): Promise<Opened | Refusal> {
  const workspace = (await findPublicWorkspace(subdomain)) ?? (await findClosedWorkspace(subdomain));
  if (!workspace) return { isEarly: false, seconds: 0 };
  const member = await provePassword(workspace, email, password, given, known);
  if ("seconds" in member) return member;
  const opened = await inWorkspace(workspace.id, async (db) => {
    // Who was deactivated, or changed address or password, since it was read has no session made any more. Locked, so
    // that a change under way is waited for, and the sessions it ends are all there are.
    const unchanged = await db.$queryRaw<object[]>`
      SELECT FROM members
      WHERE id = ${member.id}::uuid AND active AND password_hash = ${member.passwordHash} AND email = ${member.email}
      FOR SHARE`;
    return unchanged.length > 0 ? addSession(db, member, "password", given) : null;
  });
  return opened ? { workspace: workspace.id, ...opened } : { isEarly: false, seconds: 0 };
}

interface Proved {
  id: string;
  email: string;
  passwordHash: string;
}

/** The member to whom an address and a password belong. All of it happens for people who are unknown, too. */
async function provePassword(
  workspace: { id: string },
  email: string,
  password: string,
  given: Headers,
  known: Known | null,
): Promise<Proved | Refusal> {
  const address = z.email().safeParse(String(email).trim().normalize("NFC"));
  const [member] = await readWorkspace(workspace.id, (read) =>
    read<{ id: string; email: string; passwordHash: string | null }>(
      `SELECT id, email, password_hash AS "passwordHash" FROM members
       WHERE workspace_id = $1 AND email_folded = lower($2) AND active`,
      [workspace.id, address.data ?? ""],
    ),
  );
  const isKnown = known !== null && known.workspace === workspace.id && known.member === member?.id;
  const account = [workspace.id, String(email).trim().normalize("NFC").toLowerCase().slice(0, 254)];
  const network = networkOf(given.get("x-forwarded-for"));
  const tried = triedBy({ account, network, browser: isKnown ? known.browser : null });
  const wait = await beginTry(tried);
  if (!wait.allowed) return refusal(wait);
  // Outside the wall, which would hold a connection meanwhile.
  const isRight = await verifyPassword(String(password), member?.passwordHash ?? null);
  if (!isRight || !member?.passwordHash) {
    await forgetTries();
    return refusal(wait);
  }
  await forgiveTry(tried);
  return { ...member, passwordHash: member.passwordHash };
}

const refusal = ({ allowed, seconds }: Wait): Refusal => ({ isEarly: !allowed, seconds });

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * By what tries of passwords are counted. A browser that was the member's before is counted by itself, so that no
 * stranger, of whatever number of networks, keeps a person out of the account there; from elsewhere the link in a mail
 * lets them in. The account as a whole is counted because whoever has many networks would have as many times the tries.
 */
function triedBy(of: { account: string[]; network: string; browser: string | null }): Tried[] {
  const own = { free: 4, longest: 15 * MINUTE, remembered: 24 * HOUR, clears: true };
  if (of.browser) return [{ by: ["browser", ...of.account, of.browser], ...own }];
  return [
    { by: ["account and network", ...of.account, of.network], ...own },
    { by: ["network", of.network], free: 50, longest: MINUTE / 2, remembered: HOUR, clears: false },
    { by: ["account", ...of.account], free: 100, longest: MINUTE, remembered: HOUR, clears: false },
  ];
}

async function addSession(
  db: Db,
  member: { id: string; email: string },
  proof: Proof,
  given: Headers,
): Promise<{ session: string; member: string }> {
  const ip = given.get("x-forwarded-for");
  const userAgent = given.get("user-agent")?.slice(0, 500) ?? null;
  const session = randomUUID();
  await db.$executeRaw`
    INSERT INTO sessions (id, member_id, ip, user_agent, expires_at)
    VALUES (${session}::uuid, ${member.id}::uuid, ${ip}, ${userAgent}, now() + make_interval(secs => ${LIFETIME}))`;
  await recordAudit(
    db,
    { kind: "member", id: member.id, name: member.email, ip: ip ?? undefined, requestId: currentRequest()?.id },
    "session.started",
    { kind: "session", id: session, name: deviceOf(userAgent) },
    { by: proof },
  );
  return { session, member: member.id };
}

async function giveCookies({ session, workspace, member }: Opened): Promise<void> {
  const jar = await cookies();
  const { name, options } = sessionCookie();
  const value = await encode({ token: { session, workspace }, secret: secret(), maxAge: LIFETIME });
  jar.set(name, value, { ...options, maxAge: LIFETIME });
  const before = await knownBrowser();
  const isSame = before?.workspace === workspace && before.member === member;
  const known: Known = { workspace, member, browser: isSame ? before.browser : randomUUID() };
  const browser = browserCookie();
  const secretly = await encode({ token: { ...known }, secret: secret(), salt: browser.name, maxAge: KNOWN });
  jar.set(browser.name, secretly, { ...browser.options, maxAge: KNOWN });
}

async function knownBrowser(): Promise<Known | null> {
  const { name } = browserCookie();
  const given = (await cookies()).get(name)?.value;
  if (!given) return null;
  const token = await decode({ token: given, secret: secret(), salt: name }).catch(() => null);
  const known = Known.safeParse(token);
  return known.success ? known.data : null;
}

async function closeSession(token: Token): Promise<void> {
  const { ip, requestId } = await requestOrigin();
  await inWorkspace(token.workspace, async (db) => {
    const [ended] = await db.$queryRaw<{ memberId: string; email: string; userAgent: string | null }[]>`
      DELETE FROM sessions s USING members m
      WHERE s.id = ${token.session}::uuid AND m.workspace_id = s.workspace_id AND m.id = s.member_id
      RETURNING m.id AS "memberId", m.email, s.user_agent AS "userAgent"`;
    if (!ended) return;
    const actor: Actor = { kind: "member", id: ended.memberId, name: ended.email, ip, requestId };
    const subject = { kind: "session", id: token.session, name: deviceOf(ended.userAgent) };
    await recordAudit(db, actor, "session.ended", subject);
  });
}
