import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { endSessions } from "@/lib/members/member-sessions";
import { actorForMail, findMember, mayMail } from "@/lib/members/members";
import { digitsOf, hashOfCode, lockTwoStep, secretOf, stepOf } from "@/lib/members/two-step-codes";
import { encrypt } from "@/lib/secrets";

interface Person {
  id: string;
  email: string;
}

export const RECOVERY_CODES = 10;
/** Without letters that look alike. There are 32, so that random bytes choose each equally often. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** Creates a new key for an authenticator app. It takes effect once a code confirms it. */
export async function prepareTwoStep(db: Db, { id, sessionId }: { id: string; sessionId: string }): Promise<void> {
  const secret = encrypt(new Secret({ size: 20 }).base32, "two_step", id);
  await db.$executeRaw`
    INSERT INTO two_step (id, secret, made_in) VALUES (${id}::uuid, ${secret}, ${sessionId}::uuid)
    ON CONFLICT (workspace_id, id) DO UPDATE SET secret = excluded.secret, made_in = excluded.made_in
    WHERE two_step.on_since IS NULL`;
}

/**
 * The key that was made in this session and that no code has confirmed yet, or null. Someone else may have made one in
 * another session, and would know it.
 * @param issuer the name that the authenticator app shows
 */
export async function preparedKey(
  read: Read,
  member: Person & { sessionId: string },
  issuer: string,
): Promise<{ secret: string; url: string } | null> {
  const [row] = await read<{ secret: Uint8Array }>(
    "SELECT secret FROM two_step WHERE id = $1::uuid AND made_in = $2::uuid AND on_since IS NULL",
    [member.id, member.sessionId],
  );
  const secret = row && secretOf(row.secret, member.id);
  if (!secret) return null;
  return { secret, url: new TOTP({ issuer, label: member.email, secret }).toString() };
}

/**
 * Turns on two-step verification with a code for the prepared key, and ends the member's other sessions, which no code began.
 * @returns the recovery codes, which cannot be read again
 * @throws InvalidError for `code`
 */
export async function turnOnTwoStep(
  db: Db,
  member: Person & { sessionId: string },
  code: string,
  actor: Actor,
): Promise<string[]> {
  const [row] = await lockTwoStep(db, member.id);
  if (row?.isOn) throw new InvalidError([], "Two-step verification is already on.");
  const secret = row && secretOf(row.secret, member.id);
  const step = secret ? stepOf(secret, digitsOf(code)) : null;
  if (step === null) {
    const message = "Incorrect code. Check that your phone's clock is right, then enter the latest code.";
    throw new InvalidError([{ field: "code", code: "invalid", message }]);
  }
  await db.$executeRaw`UPDATE two_step SET on_since = now(), made_in = NULL, last_step = ${step} WHERE id = ${member.id}::uuid`;
  await recordAudit(db, actor, "member.two_step_on", subjectOf(member));
  await endSessions(db, member, member.sessionId, actor);
  await tell(db, member, "on", actor);
  return makeCodes(db, member.id);
}

/** Replaces all recovery codes. @returns the new ones, which cannot be read again */
export async function renewRecoveryCodes(db: Db, member: Person, actor: Actor): Promise<string[]> {
  const [row] = await lockTwoStep(db, member.id);
  if (!row?.isOn) throw new NotFoundError("Two-step verification is off.");
  await recordAudit(db, actor, "member.recovery_codes_renewed", subjectOf(member));
  await tell(db, member, "codes", actor);
  return makeCodes(db, member.id);
}

/** @throws NotFoundError if it is off */
export async function turnOffTwoStep(db: Db, member: Person, actor: Actor): Promise<void> {
  await remove(db, member);
  await recordAudit(db, actor, "member.two_step_off", subjectOf(member));
  await tell(db, member, "off", actor);
}

/**
 * For a member who lost their phone and their recovery codes.
 * @throws NotFoundError if it is off
 */
export async function resetTwoStep(db: Db, member: Person, actor: Actor): Promise<void> {
  await remove(db, member);
  await recordAudit(db, actor, "member.two_step_reset", subjectOf(member));
  await tell(db, member, "reset", actor);
}

async function remove(db: Db, { id }: Person): Promise<void> {
  const { count } = await db.twoStep.deleteMany({ where: { id, onSince: { not: null } } });
  if (count === 0) throw new NotFoundError("Two-step verification is off.");
  await db.recoveryCode.deleteMany({ where: { memberId: id } });
}

async function makeCodes(db: Db, memberId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(10), (byte) => LETTERS[byte % LETTERS.length]).join("");
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
  await db.recoveryCode.deleteMany({ where: { memberId } });
  await db.recoveryCode.createMany({ data: codes.map((code) => ({ memberId, codeHash: hashOfCode(memberId, code) })) });
  return codes;
}

const subjectOf = ({ id, email }: Person) => ({ kind: "member", id, name: email });

async function tell(db: Db, { id }: Person, change: "on" | "off" | "reset" | "codes", actor: Actor): Promise<void> {
  const read = readingOf(db);
  const member = await findMember(read, id);
  if (!member || !(await mayMail(read, id))) return;
  const { email, firstName, lastName } = member;
  const by = actor.kind === "command_line" ? "An operator" : await actorForMail(db, actor);
  await enqueue(db, "two_step_changed", { email, memberName: `${firstName} ${lastName}`, change, by });
}
