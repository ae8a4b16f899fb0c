import { cookies } from "next/headers";
import { getToken } from "next-auth/jwt";
import { z } from "zod";
import { env } from "@/lib/env";
import { authSecret } from "@/lib/secrets";
import { hostCookie, SESSION_COOKIE } from "@/lib/session/cookie";

export const SessionToken = z.object({ session: z.uuid(), workspace: z.uuid() });
export type SessionToken = z.output<typeof SessionToken>;

export const sessionCookie = () => hostCookie(SESSION_COOKIE, env().baseUrl);

export async function requestToken(): Promise<SessionToken | null> {
  const { name, options } = sessionCookie();
  const sent = Object.fromEntries((await cookies()).getAll().map((cookie) => [cookie.name, cookie.value]));
  const token = await getToken({
    // Given headers, next-auth would also accept a token from Authorization.
    req: { cookies: sent, headers: {} } as unknown as Parameters<typeof getToken>[0]["req"],
    cookieName: name,
    secureCookie: options.secure,
    secret: authSecret(),
  });
  return SessionToken.safeParse(token).data ?? null;
}
