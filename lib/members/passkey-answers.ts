import { z } from "zod";
import type { Db } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { hashOfToken } from "@/lib/members/mailed-tokens";

export const CHALLENGE_MINUTES = 5;

/** What a browser says it answered to, which the passkey signs. */
const ClientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/** The host and origin that a passkey is bound to. */
export function placeOf({ subdomain }: { subdomain: string }): { host: string; origin: string } {
  const { hostname, origin } = new URL(workspaceUrl(subdomain, env().baseUrl));
  return { host: hostname, origin };
}

/** The member's id as a WebAuthn user handle. */
export const handleOf = (memberId: string) => Buffer.from(bytesOf(memberId)).toString("base64url");

export const bytesOf = (id: string) => new Uint8Array(Buffer.from(id.replaceAll("-", ""), "hex"));

/** The JSON of a browser, or undefined if it is too long or has another shape. */
export function answerOf<T>(shape: z.ZodType<T>, answer: string, longest: number): T | undefined {
  if (answer.length > longest) return undefined;
  try {
    return shape.safeParse(JSON.parse(answer)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const clientDataOf = (encoded: string) =>
  answerOf(ClientData, Buffer.from(encoded, "base64url").toString(), 2000);

/**
 * Remembers that a challenge was answered, for longer than the browser's cookie with it lasts.
 * @returns whether this was the first time
 */
export async function spendChallenge(db: Db, memberId: string, challenge: string): Promise<boolean> {
  const spent = await db.$executeRaw`
    INSERT INTO member_tokens (member_id, purpose, token_hash, used_at, expires_at)
    VALUES (${memberId}::uuid, 'passkey', ${hashOfToken(challenge)}, now(), now() + make_interval(mins => ${2 * CHALLENGE_MINUTES}))
    ON CONFLICT (workspace_id, token_hash) DO NOTHING`;
  return spent > 0;
}
