import { randomBytes } from "node:crypto";
import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { type Db, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { authSecret, signatureOf } from "@/lib/secrets";
import { hostCookie, SECOND_STEP_COOKIE } from "@/lib/session/cookie";

const SECOND_STEP_MINUTES = 10;

const proofs = ["password", "link", "password_reset", "invitation", "identity_provider"] as const;
export type Proof = (typeof proofs)[number] | "passkey";

/** A member proved who they are, but not yet with a code. */
const SecondStep = z.object({ workspace: z.uuid(), token: z.string(), proof: z.enum(proofs) });
type SecondStep = z.output<typeof SecondStep>;

const cookie = () => hostCookie(SECOND_STEP_COOKIE, env().baseUrl);

const hashOf = (token: string) => new Uint8Array(signatureOf("second_step", token));

/** @returns a token that lets the browser continue with a code */
export async function insertSecondStep(db: Db, memberId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.$executeRaw`
    INSERT INTO member_tokens (member_id, purpose, token_hash, expires_at)
    VALUES (${memberId}::uuid, 'second_step', ${hashOf(token)}, now() + make_interval(mins => ${SECOND_STEP_MINUTES}))`;
  return token;
}

export async function rememberSecondStep(step: SecondStep): Promise<void> {
  const { name, options } = cookie();
  const maxAge = SECOND_STEP_MINUTES * 60;
  const value = await encode({ token: { ...step }, secret: authSecret(), salt: name, maxAge });
  (await cookies()).set(name, value, { ...options, maxAge });
}

export async function forgetSecondStep(): Promise<void> {
  const { name, options } = cookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

/** The sign-in of this browser that waits for a code, or null if it is over. */
export async function pendingSecondStep(
  workspaceId: string,
): Promise<(SecondStep & { member: { id: string; email: string } }) | null> {
  const { name } = cookie();
  const value = (await cookies()).get(name)?.value;
  const decoded = value && (await decode({ token: value, secret: authSecret(), salt: name }).catch(() => null));
  const step = SecondStep.safeParse(decoded).data;
  if (step?.workspace !== workspaceId) return null;
  const [member] = await readWorkspace(workspaceId, (read) =>
    read<{ id: string; email: string }>(
      `SELECT m.id, m.email FROM member_tokens t JOIN members m ON m.workspace_id = t.workspace_id AND m.id = t.member_id
       WHERE t.token_hash = $1 AND t.purpose = 'second_step' AND t.used_at IS NULL AND t.expires_at > now() AND m.active`,
      [Buffer.from(hashOf(step.token))],
    ),
  );
  return member ? { ...step, member } : null;
}

/** @returns whether it was still open. It can be spent once */
export async function spendSecondStep(db: Db, token: string): Promise<boolean> {
  // A change that ends all sessions locks the member first, so it waits and ends this one too.
  await db.$queryRaw`
    SELECT FROM members WHERE id IN (SELECT member_id FROM member_tokens WHERE token_hash = ${hashOf(token)}) FOR SHARE`;
  const spent = await db.$queryRaw<object[]>`
    UPDATE member_tokens t SET used_at = now() FROM members m
    WHERE m.workspace_id = t.workspace_id AND m.id = t.member_id AND m.active AND t.token_hash = ${hashOf(token)}
      AND t.purpose = 'second_step' AND t.used_at IS NULL AND t.expires_at > now()
    RETURNING t.id`;
  return spent.length > 0;
}
