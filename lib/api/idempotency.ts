import { createHash } from "node:crypto";
import { type Db, type Read, readingOf } from "@/lib/db";
import { decrypt, encrypt } from "@/lib/secrets";
import type { ApiRequest } from "./answer";
import { HttpError } from "./errors";

/** A request that can be repeated without a second effect (contract 67). */
export interface Repeatable {
  apiKeyId: string;
  /** The Idempotency-Key. */
  key: string;
  /** A hash of method, path, query and body, in hex. */
  hash: string;
  /** Whether the answer contains a secret, so that it is kept encrypted. */
  isSecret: boolean;
}

/** The answer of a change. */
export interface Answered {
  status: number;
  /** The Location header. */
  location: string | null;
  body: string;
}

export const invalidKey = () =>
  new HttpError(
    "invalid_idempotency_key",
    "Idempotency-Key must have 1 to 255 visible ASCII characters, without spaces. Send a new one, such as a UUID.",
  );

export const keyReused = () => {
  const message = "This Idempotency-Key was already used for another request. Send a new one.";
  const details = [{ field: "Idempotency-Key", code: "taken" as const, message }];
  return new HttpError("idempotency_key_reused", message, { details });
};

export const stillRunning = () =>
  new HttpError(
    "request_in_progress",
    "The first request with this Idempotency-Key is still running. Try again in a moment.",
  );

/** Null without an Idempotency-Key. Throws 400 if the key is malformed. */
export function repeatableOf(
  request: ApiRequest,
  apiKeyId: string,
  { body = [], isSecret = false }: { body?: readonly Buffer[] | undefined; isSecret?: boolean | undefined },
): Repeatable | null {
  const key = request.headers.get("idempotency-key");
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalidKey();
  const { pathname, search } = new URL(request.url);
  const hash = createHash("sha256").update(`${request.method} ${pathname}${search}\n`);
  for (const part of body) hash.update(part);
  return { apiKeyId, key, hash: hash.digest("hex"), isSecret };
}

/** The first answer to the same request, or null. Throws 422 if the key was used for another request. */
export async function firstAnswer(read: Read, repeatable: Repeatable): Promise<Answered | null> {
  const { apiKeyId, key, hash, isSecret } = repeatable;
  const [found] = await read<Answered & { hash: string }>(
    `SELECT status, location, body, encode(request_hash, 'hex') AS hash FROM idempotency_keys
     WHERE api_key_id = $1::uuid AND key = $2`,
    [apiKeyId, key],
  );
  if (!found) return null;
  if (found.hash !== hash) throw keyReused();
  return isSecret ? { ...found, body: decrypt(Buffer.from(found.body, "base64"), ...purposeOf(repeatable)) } : found;
}

const running = new Set<string>();

/**
 * Runs a request with an Idempotency-Key. Throws 409 if this process is already running a request with that key, before the operation's
 * own limit counts it.
 */
export async function aloneWithKey<T>(repeatable: Repeatable | null, work: () => Promise<T>): Promise<T> {
  if (!repeatable) return work();
  const name = lockOf(repeatable);
  if (running.has(name)) throw stillRunning();
  running.add(name);
  return work().finally(() => running.delete(name));
}

/**
 * Reserves a key until the transaction ends. Throws 409 if another transaction has it, so that a program that repeats a
 * request does not wait for the first one.
 * @returns the first answer, if it exists by now
 */
export async function reserve(db: Db, repeatable: Repeatable): Promise<Answered | null> {
  const [lock] = await db.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${lockOf(repeatable)}, 0)) AS taken`;
  if (!lock?.taken) throw stillRunning();
  // A new statement sees what the previous holder of the lock committed.
  return firstAnswer(readingOf(db), repeatable);
}

/** The key of one of several changes that a request makes, each with an answer of its own. */
export function itemKey({ key }: Repeatable, index: number): string {
  return `item-${createHash("sha256").update(key).digest("base64url")}-${index}`;
}

/** Reserves keys like `reserve`. Throws if a transaction has one of them, or an answer exists. */
export async function reserveNew(db: Db, repeatables: readonly Repeatable[]): Promise<void> {
  if (repeatables.length === 0) return;
  const names = repeatables.map(lockOf);
  const [locks] = await db.$queryRaw<{ taken: boolean }[]>`
    SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended(name, 0))) AS taken FROM unnest(${names}::text[]) name`;
  if (!locks?.taken || new Set(names).size < names.length) throw stillRunning();
  const used = await db.idempotencyKey.count({
    where: { OR: repeatables.map(({ apiKeyId, key }) => ({ apiKeyId, key })) },
  });
  if (used > 0) throw stillRunning();
}

/** Keeps answers in the transaction of their changes, for 24 hours (server/jobs/worker.ts). */
export async function keepAnswers(
  db: Db,
  answers: readonly { repeatable: Repeatable; answer: Answered }[],
): Promise<void> {
  if (answers.length === 0) return;
  const data = answers.map(({ repeatable, answer }) => {
    const { apiKeyId, key, hash, isSecret } = repeatable;
    const secret = isSecret && Buffer.from(encrypt(answer.body, ...purposeOf(repeatable))).toString("base64");
    return {
      apiKeyId,
      key,
      requestHash: new Uint8Array(Buffer.from(hash, "hex")),
      ...answer,
      body: secret || answer.body,
    };
  });
  await db.idempotencyKey.createMany({ data });
}

const lockOf = ({ apiKeyId, key }: Repeatable) => `idempotency ${apiKeyId} ${key}`;
const purposeOf = ({ apiKeyId, key }: Repeatable) => ["answer", apiKeyId, key];
