import { randomUUID } from "node:crypto";
import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { env } from "@/lib/env";
import { authSecret } from "@/lib/secrets";
import { BROWSER_COOKIE, hostCookie } from "@/lib/session/cookie";

const KnownBrowser = z.object({ workspace: z.uuid(), member: z.uuid(), browser: z.uuid() });
export type KnownBrowser = z.output<typeof KnownBrowser>;

const KNOWN_SECONDS = 365 * 24 * 60 * 60;

export async function knownBrowser(): Promise<KnownBrowser | null> {
  const { name } = hostCookie(BROWSER_COOKIE, env().baseUrl);
  const value = (await cookies()).get(name)?.value;
  if (!value) return null;
  const token = await decode({ token: value, secret: authSecret(), salt: name }).catch(() => null);
  return KnownBrowser.safeParse(token).data ?? null;
}

/** A browser the member used before keeps its id. */
export async function rememberBrowser({ workspace, member }: Omit<KnownBrowser, "browser">): Promise<void> {
  const previous = await knownBrowser();
  const isSame = previous?.workspace === workspace && previous.member === member;
  const token: KnownBrowser = { workspace, member, browser: isSame ? previous.browser : randomUUID() };
  const { name, options } = hostCookie(BROWSER_COOKIE, env().baseUrl);
  const value = await encode({ token: { ...token }, secret: authSecret(), salt: name, maxAge: KNOWN_SECONDS });
  (await cookies()).set(name, value, { ...options, maxAge: KNOWN_SECONDS });
}
