import { createHash } from "node:crypto";
import { cookies } from "next/headers";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { env } from "@/lib/env";
import { authSecret } from "@/lib/secrets";
import { hostCookie, PROVIDER_COOKIE } from "@/lib/session/cookie";

const MINUTES = 10;
/** Bytes of a URL, so that the cookie stays below the 4,096 bytes that browsers keep. */
const LONGEST_TARGET = 1_000;

/** A sign-in that waits for the identity provider's answer. It is encrypted because the verifier is a secret. */
const ProviderStep = z.object({
  workspace: z.uuid(),
  /** A hash, because a URL can be too long for a cookie. */
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The target after sign-in. */
  to: z.string().nullable(),
});
export type ProviderStep = z.output<typeof ProviderStep>;

const cookie = () => hostCookie(PROVIDER_COOKIE, env().baseUrl);

export const hashOfIssuer = ({ issuer }: { issuer: string }) => createHash("sha256").update(issuer).digest("base64url");

export async function rememberProviderStep(step: ProviderStep): Promise<void> {
  const { name, options } = cookie();
  const to = step.to !== null && Buffer.byteLength(step.to) > LONGEST_TARGET ? null : step.to;
  const maxAge = MINUTES * 60;
  const value = await encode({ token: { ...step, to }, secret: authSecret(), salt: name, maxAge });
  (await cookies()).set(name, value, { ...options, maxAge });
}

/** The waiting sign-in of this browser in this workspace, or null. */
export async function pendingProviderStep(workspaceId: string): Promise<ProviderStep | null> {
  const { name } = cookie();
  const value = (await cookies()).get(name)?.value;
  if (!value) return null;
  const decoded = await decode({ token: value, secret: authSecret(), salt: name }).catch(() => null);
  const step = ProviderStep.safeParse(decoded).data;
  return step?.workspace === workspaceId ? step : null;
}

export async function forgetProviderStep(): Promise<void> {
  const { name, options } = cookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
