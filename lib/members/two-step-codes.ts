import { TOTP } from "otpauth";
import type { Db, Read } from "@/lib/db";
import { log } from "@/lib/log";
import { decrypt, signatureOf } from "@/lib/secrets";

export interface TwoStep {
  isOn: boolean;
  /** Unused recovery codes. */
  codesLeft: number;
}

export type UsedCode = "app" | "recovery_code";

/** Seconds. */
const PERIOD = 30;
/** Codes of this many periods before and after now count, for clocks that are a little off. */
const WINDOW = 1;

export async function findTwoStep(read: Read, memberId: string): Promise<TwoStep> {
  const [found] = await read<TwoStep>(
    `SELECT EXISTS (SELECT FROM two_step WHERE id = $1::uuid AND on_since IS NOT NULL) AS "isOn",
       (SELECT count(*)::int FROM recovery_codes WHERE member_id = $1::uuid AND used_at IS NULL) AS "codesLeft"`,
    [memberId],
  );
  return found ?? { isOn: false, codesLeft: 0 };
}

/**
 * Uses a code of the authenticator app, which must be newer than the last one, or a recovery code, which works once.
 * @returns the kind of code, or null if it is wrong
 */
export async function spendCode(db: Db, memberId: string, typed: string): Promise<UsedCode | null> {
  const [row] = await lockTwoStep(db, memberId);
  if (!row?.isOn) return null;
  const digits = digitsOf(typed);
  if (digits.length === 6) {
    const secret = secretOf(row.secret, memberId);
    const step = secret ? stepOf(secret, digits) : null;
    if (step === null || step <= row.lastStep) return null;
    await db.$executeRaw`UPDATE two_step SET last_step = ${step} WHERE id = ${memberId}::uuid`;
    return "app";
  }
  const { count } = await db.recoveryCode.updateMany({
    where: { memberId, codeHash: hashOfCode(memberId, typed), usedAt: null },
    data: { usedAt: new Date() },
  });
  return count > 0 ? "recovery_code" : null;
}

/** The lock lets one of two simultaneous uses of a code see the other. */
export function lockTwoStep(
  db: Db,
  memberId: string,
): Promise<{ secret: Uint8Array; lastStep: number; isOn: boolean }[]> {
  return db.$queryRaw`
    SELECT secret, last_step AS "lastStep", on_since IS NOT NULL AS "isOn" FROM two_step
    WHERE id = ${memberId}::uuid FOR UPDATE`;
}

/** Null if it was encrypted with another AUTH_SECRET. */
export function secretOf(stored: Uint8Array, memberId: string): string | null {
  try {
    return decrypt(stored, "two_step", memberId);
  } catch {
    log().error(
      { member_id: memberId },
      "A member's two-step verification can't be read with this AUTH_SECRET. Restore the former AUTH_SECRET, or run `npm run kb -- member reset-two-step` for this member.",
    );
    return null;
  }
}

export function stepOf(secret: string, digits: string): number | null {
  const now = Date.now();
  const off = new TOTP({ secret }).validate({ token: digits, timestamp: now, window: WINDOW });
  return off === null ? null : Math.floor(now / 1000 / PERIOD) + off;
}

/** Apps show codes in two groups. */
export const digitsOf = (typed: string) => (/^[\d\s]+$/.test(typed) ? typed.replace(/\s/g, "") : "");

export function hashOfCode(memberId: string, typed: string): Uint8Array<ArrayBuffer> {
  const letters = typed
    .toLowerCase()
    .replace(/[^a-z\d]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return new Uint8Array(signatureOf("recovery_code", memberId, letters));
}
