import type { AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { env } from "@/lib/env";
import { siteOfHost } from "@/lib/http/host";
import { memberOf } from "@/lib/session";
import { authSecret, SessionToken, sessionCookie } from "@/lib/session/token";
import { endSession, SESSION_SECONDS, startSession } from "@/lib/sign-in/sign-in";

/** next-auth's routes use the same cookie and rows as lib/sign-in/sign-in.ts. */
export function authOptions(): AuthOptions {
  return {
    secret: authSecret(),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: "/admin/sign-in", error: "/admin/sign-in" },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        async authorize(credentials, request) {
          const headers = new Headers(request.headers as Record<string, string>);
          const site = siteOfHost(headers.get("host"), env().baseUrl);
          if (site.kind !== "subdomain" || !credentials) return null;
          const started = await startSession(site.subdomain, credentials.email, credentials.password, headers, null);
          return "seconds" in started ? null : { id: started.session, workspace: started.workspace };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user, trigger }) =>
        trigger === "signIn"
          ? { session: user.id, workspace: (user as unknown as { workspace: string }).workspace }
          : token,
      async session({ session, token }) {
        const { data } = SessionToken.safeParse(token);
        const member = data ? await memberOf(data) : null;
        if (!member) return {} as typeof session;
        return { ...session, user: { name: `${member.firstName} ${member.lastName}`, email: member.email } };
      },
    },
    events: {
      async signOut({ token }) {
        const { data } = SessionToken.safeParse(token);
        if (data) await endSession(data);
      },
    },
  };
}
