import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { AuthOptions } from "next-auth";
import { encode, getToken } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { z } from "zod";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { siteOfHost } from "@/lib/host";
import { verifyPassword } from "@/lib/passwords";
import type { Permission } from "@/lib/roles";
import { SESSION_COOKIE } from "@/lib/session/cookie";
import { findPublicWorkspace, type PublicWorkspace, publicWorkspace } from "@/lib/site";
import { readAs, type Sight } from "@/lib/visibility";

/** Who is signed in, as of this request. */
export interface CurrentMember {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  permissions: Permission[];
}

/** What next-auth's token carries: which row of `sessions`, and no word about the person. */
const Token = z.object({ session: z.uuid(), workspace: z.uuid() });
type Token = z.output<typeof Token>;

/** How long a sign-in lasts, in seconds. */
const LIFETIME = 30 * 24 * 60 * 60;

/** Without a Domain, a cookie belongs to one host; on https the prefix makes the browser insist on that. */
function sessionCookie() {
  const secure = env().baseUrl.startsWith("https:");
  return {
    name: secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

function secret(): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set: start through `npm start` or `npm run dev`.");
  return authSecret;
}

/** The signed-in member of a workspace, or null. Asked once a request. */
export const currentMember = cache(async (subdomain: string): Promise<CurrentMember | null> => {
  const workspace = await publicWorkspace(subdomain);
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
 * Who is not signed in is led to the sign-in of the same host; who lacks the permission finds nothing (404).
 */
export async function requireMember(subdomain: string, permission?: Permission): Promise<CurrentMember> {
  const member = await currentMember(subdomain);
  if (!member) redirect("/admin/sign-in");
  if (permission && !member.permissions.includes(permission)) notFound();
  return member;
}

/**
 * Signs a person in at a workspace: makes the session's row and gives the browser its cookie. For actions.
 * @returns false when address and password do not belong together, the person is unknown here or deactivated
 */
export async function signIn(subdomain: string, email: string, password: string): Promise<boolean> {
  const token = await openSession(subdomain, email, password, await headers());
  if (!token) return false;
  const { name, options } = sessionCookie();
  const value = await encode({ token: { ...token }, secret: secret(), maxAge: LIFETIME });
  (await cookies()).set(name, value, { ...options, maxAge: LIFETIME });
  return true;
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
          const token = await openSession(site.subdomain, credentials.email, credentials.password, given);
          return token && { id: token.session, workspace: token.workspace };
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
    read<CurrentMember>(
      `SELECT m.id, m.email, m.first_name AS "firstName", m.last_name AS "lastName", r.name AS role, r.permissions
       FROM sessions s
       JOIN members m ON m.workspace_id = s.workspace_id AND m.id = s.member_id
       JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
       WHERE s.workspace_id = $1 AND s.id = $2 AND s.expires_at > now() AND m.active`,
      [token.workspace, token.session],
    ),
  );
  return member ?? null;
}

async function openSession(subdomain: string, email: string, password: string, given: Headers): Promise<Token | null> {
  const workspace = await findPublicWorkspace(subdomain);
  const address = z.email().safeParse(String(email).trim().normalize("NFC"));
  if (!workspace) return null;
  const [member] = await readWorkspace(workspace.id, (read) =>
    read<{ id: string; email: string; passwordHash: string | null }>(
      `SELECT id, email, password_hash AS "passwordHash" FROM members
       WHERE workspace_id = $1 AND email_folded = lower($2) AND active`,
      [workspace.id, address.data ?? ""],
    ),
  );
  // Outside the wall, which would hold a connection meanwhile.
  if (!(await verifyPassword(String(password), member?.passwordHash ?? null)) || !member) return null;
  const ip = given.get("x-forwarded-for");
  const userAgent = given.get("user-agent")?.slice(0, 500);
  const sessions = await inWorkspace(
    workspace.id,
    // Who was deactivated, or changed address or password, since it was read has no session made any more. Locked, so
    // that a change under way is waited for, and the sessions it ends are all there are.
    (db) => db.$queryRaw<{ id: string }[]>`
      INSERT INTO sessions (member_id, ip, user_agent, expires_at)
      SELECT id, ${ip}, ${userAgent}, now() + make_interval(secs => ${LIFETIME}) FROM (
        SELECT id FROM members
        WHERE id = ${member.id}::uuid AND active AND password_hash = ${member.passwordHash} AND email = ${member.email}
        FOR SHARE
      ) unchanged
      RETURNING id`,
  );
  return sessions[0] ? { session: sessions[0].id, workspace: workspace.id } : null;
}

async function closeSession(token: Token): Promise<void> {
  await inWorkspace(token.workspace, (db) => db.session.deleteMany({ where: { id: token.session } }));
}
