import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue, type Payload } from "@/lib/jobs";
import { endSessions } from "@/lib/members/member-sessions";
import { actorForMail, findMember, mayMail } from "@/lib/members/members";
import { looksLikeLink } from "@/lib/members/names";
import {
  answerOf,
  bytesOf,
  CHALLENGE_MINUTES,
  clientDataOf,
  placeOf,
  spendChallenge,
} from "@/lib/members/passkey-answers";
import { deletePasskeys } from "@/lib/members/remove-passkeys";

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface NewPasskey {
  credentialId: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
}

export const MOST_PASSKEYS = 10;
export const LONGEST_PASSKEY_NAME = 50;
/** ES256 and RS256. Every authenticator has one of them. */
const ALGORITHMS = [-7, -257];

const LONGEST_ANSWER = 32_000;
const LONGEST_CREDENTIAL_ID = 1023;
const LONGEST_PUBLIC_KEY = 2000;

const short = z.base64url().min(1).max(2000);

const Created = z.object({
  id: short,
  rawId: short,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: short,
    attestationObject: z.base64url().min(1).max(16_000),
    /** Browsers ignore those that they don't know. */
    transports: z.string().max(20).array().max(10).catch([]),
  }),
});

export function listPasskeys(read: Read, memberId: string): Promise<Passkey[]> {
  return read<Passkey>(
    `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM passkeys
     WHERE member_id = $1::uuid ORDER BY created_at, id`,
    [memberId],
  );
}

/**
 * What the browser needs to create a passkey.
 * @throws InvalidError if the member has too many
 */
export async function passkeyToCreate(
  read: Read,
  workspace: { subdomain: string; name: string },
  member: { id: string; email: string; firstName: string; lastName: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const existing = await read<{ id: string; transports: string[] }>(
    `SELECT translate(encode(credential_id, 'base64'), E'+/=\\n', '-_') AS id, transports FROM passkeys WHERE member_id = $1::uuid`,
    [member.id],
  );
  checkCount(existing.length);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: workspace.name,
    rpID: placeOf(workspace).host,
    userID: bytesOf(member.id),
    userName: member.email,
    userDisplayName: `${member.firstName} ${member.lastName}`,
    timeout: CHALLENGE_MINUTES * 60_000,
    excludeCredentials: existing,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * The passkey that a browser created for the challenge.
 * @throws InvalidError
 */
export async function passkeyFrom(
  workspace: { subdomain: string },
  answer: string,
  challenge: string,
): Promise<NewPasskey> {
  const { host, origin } = placeOf(workspace);
  const created = answerOf(Created, answer, LONGEST_ANSWER);
  const client = created && clientDataOf(created.response.clientDataJSON);
  if (!client || client.crossOrigin) throw notAdded();
  // Whatever the library throws here, a browser sent it.
  const { registrationInfo } = await verifiedRegistration(created, { challenge, host, origin }).catch(() => {
    throw notAdded();
  });
  if (!registrationInfo) throw notAdded();
  const { id, publicKey, counter } = registrationInfo.credential;
  const credentialId = bytesOfBase64(id);
  if (credentialId.length > LONGEST_CREDENTIAL_ID || publicKey.length > LONGEST_PUBLIC_KEY) throw notAdded();
  return { credentialId, publicKey: new Uint8Array(publicKey), counter, transports: created.response.transports };
}

const bytesOfBase64 = (encoded: string) => new Uint8Array(Buffer.from(encoded, "base64url"));

/** Attestation is dropped, because checking it would request URLs that the browser chose. */
async function verifiedRegistration(
  created: z.output<typeof Created>,
  expected: { challenge: string; host: string; origin: string },
) {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const { clientDataJSON, attestationObject } = created.response;
  const bare = isoCBOR.encode(
    new Map<string, string | Map<string, never> | Uint8Array>([
      ["fmt", "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", decodeAttestationObject(bytesOfBase64(attestationObject)).get("authData")],
    ]),
  );
  return verifyRegistrationResponse({
    response: {
      ...created,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject: Buffer.from(bare).toString("base64url") },
    },
    expectedChallenge: expected.challenge,
    expectedOrigin: expected.origin,
    expectedRPID: expected.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Adds a passkey and mails the member.
 * @param challenge the one that the browser answered
 * @throws InvalidError
 */
export async function addPasskey(
  db: Db,
  member: { id: string; email: string; sessionId: string },
  { passkey, name: typed, challenge }: { passkey: NewPasskey; name: string; challenge: string },
  actor: Actor,
): Promise<void> {
  const name = typed.trim().normalize("NFC");
  const code =
    name === ""
      ? "required"
      : name.length > LONGEST_PASSKEY_NAME
        ? "too_long"
        : /[\p{Cc}\p{Cs}]/u.test(name) || looksLikeLink(name)
          ? "invalid"
          : null;
  if (code) {
    const message = `Enter a name of 1 to ${LONGEST_PASSKEY_NAME} characters on one line, without a URL or @.`;
    throw new InvalidError([{ field: "name", code, message }]);
  }
  // The lock orders simultaneous additions, so that all of them are counted.
  const active = await db.$queryRaw<object[]>`
    SELECT FROM members WHERE id = ${member.id}::uuid AND active FOR NO KEY UPDATE`;
  // A change that ends the session also removes passkeys, so none may follow it.
  const isSignedIn = (await db.session.count({ where: { id: member.sessionId, memberId: member.id } })) > 0;
  if (active.length === 0 || !isSignedIn) throw notAdded();
  if (!(await spendChallenge(db, member.id, challenge))) throw notAdded();
  checkCount(await db.passkey.count({ where: { memberId: member.id } }));
  const { credentialId, publicKey, counter, transports } = passkey;
  const added = await db.$executeRaw`
    INSERT INTO passkeys (member_id, credential_id, public_key, counter, transports, name)
    VALUES (${member.id}::uuid, ${credentialId}, ${publicKey}, ${counter}::bigint, ${transports}, ${name})
    ON CONFLICT (workspace_id, credential_id) DO NOTHING`;
  if (added === 0) throw notAdded();
  const subject = { kind: "member", id: member.id, name: member.email };
  await recordAudit(db, actor, "member.passkey_added", subject, { passkey: name });
  await tell(db, member, { change: "added", passkeys: [name] }, actor);
}

/** Removes one of the member's own passkeys and mails the member. @throws NotFoundError */
export async function removePasskey(
  db: Db,
  member: { id: string; email: string },
  id: string,
  actor: Actor,
): Promise<void> {
  const passkeys = z.guid().safeParse(id).success ? await deletePasskeys(db, member, actor, id) : [];
  if (passkeys.length === 0) throw new NotFoundError("No such passkey.");
  await tell(db, member, { change: "removed", passkeys }, actor);
}

/**
 * For a member who lost a device, or whose account someone else used. Ends the member's sessions too.
 * @returns how many there were
 * @throws NotFoundError if there are none
 */
export async function removePasskeys(db: Db, member: { id: string; email: string }, actor: Actor): Promise<number> {
  await endSessions(db, member, null, actor);
  const passkeys = await deletePasskeys(db, member, actor);
  if (passkeys.length === 0) throw new NotFoundError("This member has no passkeys.");
  await tell(db, member, { change: "removed", passkeys }, actor);
  return passkeys.length;
}

async function tell(
  db: Db,
  { id }: { id: string },
  change: Pick<Payload<"passkeys_changed">, "change" | "passkeys">,
  actor: Actor,
): Promise<void> {
  const read = readingOf(db);
  const member = await findMember(read, id);
  if (!member || !(await mayMail(read, id))) return;
  const { email, firstName, lastName } = member;
  const other = actor.kind === "command_line" ? "An operator" : await actorForMail(db, actor);
  const by = actor.kind === "member" && actor.id === id ? null : other;
  await enqueue(db, "passkeys_changed", { email, memberName: `${firstName} ${lastName}`, by, ...change });
}

function checkCount(count: number): void {
  if (count < MOST_PASSKEYS) return;
  throw new InvalidError([], `You have ${MOST_PASSKEYS} passkeys. Remove one before you add another.`);
}

const notAdded = () => new InvalidError([], "Couldn't add this passkey. Try again.");
