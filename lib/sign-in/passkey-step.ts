import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { env } from "@/lib/env";
import { CHALLENGE_MINUTES } from "@/lib/members/passkey-answers";
import { authSecret } from "@/lib/secrets";
import { hostCookie, PASSKEY_COOKIE } from "@/lib/session/cookie";

/** A challenge that waits for a passkey's answer. */
const PasskeyStep = z.object({
  workspace: z.uuid(),
  /** The session that adds a passkey, or null for a sign-in. */
  session: z.uuid().nullable(),
  challenge: z.string(),
});
type PasskeyStep = z.output<typeof PasskeyStep>;

const cookie = () => hostCookie(PASSKEY_COOKIE, env().baseUrl);

export async function rememberPasskeyStep(step: PasskeyStep): Promise<void> {
  const { name, options } = cookie();
  const maxAge = CHALLENGE_MINUTES * 60;
  const value = await encode({ token: { ...step }, secret: authSecret(), salt: name, maxAge });
  (await cookies()).set(name, value, { ...options, maxAge });
}

/**
 * Reads the challenge from the cookie and deletes the cookie. Another copy of it is refused once the challenge is spent.
 * @param session the one that adds a passkey, or null for a sign-in
 */
export async function takeChallenge(workspace: string, session: string | null): Promise<string | null> {
  const { name, options } = cookie();
  const jar = await cookies();
  const value = jar.get(name)?.value;
  if (!value) return null;
  jar.set(name, "", { ...options, maxAge: 0 });
  const decoded = await decode({ token: value, secret: authSecret(), salt: name }).catch(() => null);
  const step = PasskeyStep.safeParse(decoded).data;
  return step?.workspace === workspace && step.session === session ? step.challenge : null;
}
