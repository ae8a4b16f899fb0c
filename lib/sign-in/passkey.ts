import { createHash } from "node:crypto";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { headers } from "next/headers";
import { z } from "zod";
import { type Db, type Read, readWorkspace } from "@/lib/db";
import { networkOf } from "@/lib/http/network";
import {
  answerOf,
  CHALLENGE_MINUTES,
  clientDataOf,
  handleOf,
  placeOf,
  spendChallenge,
} from "@/lib/members/passkey-answers";
import { attempt, type Refusal } from "@/lib/sign-in/attempts";
import { knownBrowser } from "@/lib/sign-in/known-browser";
import { rememberPasskeyStep, takeChallenge } from "@/lib/sign-in/passkey-step";
import { attemptLimits, isKnownBrowser } from "@/lib/sign-in/password";
import { type Outcome, signInBy, type Tell } from "@/lib/sign-in/sign-in";

interface Workspace {
  id: string;
  subdomain: string;
}

interface StoredPasskey {
  id: string;
  memberId: string;
  email: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
}

/** A passkey that answered, with its counter before and after. */
interface Proved {
  passkey: StoredPasskey;
  challenge: string;
  counter: number;
}

const LONGEST_ANSWER = 8000;

const part = z.base64url().max(2000);
const Answer = z.object({
  id: part.min(1),
  rawId: part,
  type: z.literal("public-key"),
  response: z.object({ authenticatorData: part, signature: part, clientDataJSON: part, userHandle: part }),
});
type Answer = z.output<typeof Answer>;

/** What the browser needs to ask for any passkey of this workspace. Sets a cookie. For actions. */
export async function askForPasskey(workspace: Workspace): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: placeOf(workspace).host,
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: "required",
  });
  await rememberPasskeyStep({ workspace: workspace.id, session: null, challenge: options.challenge });
  return options;
}

/**
 * Signs in with a passkey's answer and sets the cookies. For actions.
 * @param answer JSON from the browser
 * @param tell as for signIn
 */
export async function signInByPasskey(workspace: Workspace, answer: string, tell: Tell): Promise<Outcome | Refusal> {
  const [requestHeaders, browser] = [await headers(), await knownBrowser()];
  const challenge = await takeChallenge(workspace.id, null);
  const sent = answerOf(Answer, answer, LONGEST_ANSWER);
  const passkey = sent && (await readWorkspace(workspace.id, (read) => findPasskey(read, sent.id)));
  const client = requestHeaders.get("x-forwarded-for");
  const known = isKnownBrowser(browser, workspace.id, passkey?.memberId) ? browser.browser : null;
  // Not counted with passwords: someone who mistyped theirs can still sign in with a passkey.
  const account = passkey ? [workspace.id, "passkey", passkey.id] : null;
  const about: { by: string; reason?: string } = { by: "passkey" };
  return attempt<Outcome>(
    {
      workspaceId: workspace.id,
      member: passkey && { id: passkey.memberId, email: passkey.email },
      client,
      limits: attemptLimits({ account, network: networkOf(client), browser: known }),
      event: "sign_in",
      about,
    },
    async () => {
      const proved = await prove(workspace, sent, challenge, passkey);
      if (typeof proved === "string") {
        about.reason = proved;
        return null;
      }
      about.reason = "The answer was used before, or another one came first.";
      return signInBy(workspace, "passkey", (db) => notePasskeyUse(db, proved), tell);
    },
  );
}

async function findPasskey(read: Read, credentialId: string): Promise<StoredPasskey | undefined> {
  const [passkey] = await read<StoredPasskey>(
    `SELECT p.id, p.member_id AS "memberId", m.email, p.public_key AS "publicKey", p.counter::float8 AS counter
     FROM passkeys p JOIN members m ON m.workspace_id = p.workspace_id AND m.id = p.member_id
     WHERE p.credential_id = $1 AND m.active`,
    [Buffer.from(credentialId, "base64url")],
  );
  return passkey;
}

const USER_PRESENT = 1;
const USER_VERIFIED = 4;

/** @returns the reason for the log, if the answer proves nothing */
async function prove(
  workspace: Workspace,
  sent: Answer | undefined,
  challenge: string | null,
  passkey: StoredPasskey | undefined,
): Promise<Proved | string> {
  const client = sent && clientDataOf(sent.response.clientDataJSON);
  const data = Buffer.from(sent?.response.authenticatorData ?? "", "base64url");
  // The shortest has a hash, flags and a counter.
  if (!client || data.length < 37) return "The answer is malformed.";
  if (!challenge) return "No challenge waits in this browser.";
  if (!passkey) return "No active member has this passkey.";
  if (sent.response.userHandle !== handleOf(passkey.memberId)) return "The passkey names another member.";
  const { host, origin } = placeOf(workspace);
  if (client.type !== "webauthn.get") return "The answer is not for a sign-in.";
  if (client.challenge !== challenge) return "The answer is for another challenge.";
  if (client.origin !== origin) return "The answer is for another origin.";
  if (client.crossOrigin) return "The page was in a frame of another site.";
  if (!data.subarray(0, 32).equals(createHash("sha256").update(host).digest()))
    return "The answer is for another host.";
  const flags = data.readUInt8(32);
  if (!(flags & USER_PRESENT && flags & USER_VERIFIED)) return "The device didn't verify the person.";
  const counter = data.readUInt32BE(33);
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) return "The counter didn't rise.";
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const isVerified = await verifyAuthenticationResponse({
    response: { ...sent, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    credential: { id: sent.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
  }).then(
    ({ verified }) => verified,
    () => null,
  );
  // The library throws for what it can't decode.
  if (isVerified === null) return "The answer can't be decoded.";
  return isVerified ? { passkey, challenge, counter } : "The signature is wrong.";
}

/** @returns the member's id, or null if the answer was used before or another one came first */
async function notePasskeyUse(db: Db, { passkey, challenge, counter }: Proved): Promise<string | null> {
  // A change that removes passkeys locks the member first, so it waits for this sign-in or this sign-in sees it.
  await db.$queryRaw`SELECT FROM members WHERE id = ${passkey.memberId}::uuid FOR SHARE`;
  if (!(await spendChallenge(db, passkey.memberId, challenge))) return null;
  const noted = await db.$executeRaw`
    UPDATE passkeys SET counter = ${counter}::bigint, last_used_at = now()
    WHERE id = ${passkey.id}::uuid AND counter = ${passkey.counter}::bigint`;
  return noted > 0 ? passkey.memberId : null;
}
