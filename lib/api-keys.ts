import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { hashOfKey, newKeyText } from "@/lib/key-format";
import { type Permission, permissions } from "@/lib/roles";

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  permission: "read" | "read_write";
  /** By the database's clock, as requests are judged. */
  state: "works" | "expired" | "revoked";
  /** The e-mail address of the member who made it; null when an operator did, without being a member. */
  createdBy: string | null;
  /** Their name, as it is now. */
  createdByName: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The last use is noted at most every five minutes (lib/api/keys.ts). */
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  /** The operation, such as "GET /v2/articles/{article_id}". */
  lastUsedRoute: string | null;
}

/**
 * What somebody must be permitted, besides keys.manage, to make a key of each kind, or a successor of one: a key that
 * writes can give any role to any member, so it may do all that any role may.
 */
export const keyMay: Record<ApiKey["permission"], readonly Permission[]> = { read: [], read_write: permissions };

const columns = `k.id, k.name, k.last_four AS "lastFour", k.permission,
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'works' END AS state,
  m.email AS "createdBy", m.first_name || ' ' || m.last_name AS "createdByName", k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt", k.last_used_ip AS "lastUsedIp", k.last_used_route AS "lastUsedRoute"`;
const source = "api_keys k LEFT JOIN members m ON m.workspace_id = k.workspace_id AND m.id = k.created_by";

/**
 * Makes a key. Its text is in this answer and nowhere else: only a hash is kept.
 * @param expiresAt when it stops working, by the database's clock; never when absent
 * @throws InvalidError for a name of no use, or an expiry that has passed
 */
export async function createApiKey(
  db: Db,
  given: { name: string; permission: "read" | "read_write"; expiresAt?: Date; createdBy?: string },
  actor: Actor,
): Promise<{ id: string; text: string }> {
  const name = given.name.trim().normalize("NFC");
  const code =
    name === "" ? "required" : name.length > 100 ? "too_long" : /[\p{Cc}\p{Cs}]/u.test(name) ? "invalid" : null;
  if (code) {
    const message = "A key has a name of 1 to 100 characters on one line, such as the program that uses it.";
    throw new InvalidError([{ field: "name", code, message }]);
  }
  if (given.expiresAt) {
    const [row] = await db.$queryRaw<{ past: boolean }[]>`SELECT ${given.expiresAt} <= now() AS past`;
    if (row?.past) {
      throw new InvalidError([{ field: "expiresAt", code: "invalid", message: "A key must expire in the future." }]);
    }
  }
  const text = newKeyText();
  const { id } = await db.apiKey.create({
    data: {
      name,
      ...storedOf(text),
      permission: given.permission,
      expiresAt: given.expiresAt,
      createdBy: given.createdBy,
    },
    select: { id: true },
  });
  await recordAudit(db, actor, "api_key.created", { kind: "api_key", id, name }, { permission: given.permission });
  return { id, text };
}

/** Keys, the newest first, revoked and expired ones too: one page, and the number of all. */
export async function listApiKeys(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ keys: ApiKey[]; total: number }> {
  const keys = await read<ApiKey>(
    `SELECT ${columns} FROM ${source} ORDER BY k.created_at DESC, k.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  const [count] = await read<{ total: number }>("SELECT count(*)::int AS total FROM api_keys");
  return { keys, total: count?.total ?? 0 };
}

/** The key with this id, or null: also for what is no id. */
export async function findApiKey(read: Read, id: string): Promise<ApiKey | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [key] = await read<ApiKey>(`SELECT ${columns} FROM ${source} WHERE k.id = $1::uuid`, [id]);
  return key ?? null;
}

/** The longest that a key may go on working beside its successor, in hours: 30 days. */
const LONGEST_OVERLAP = 30 * 24;

/**
 * Makes a successor for a key, which itself stops working when the overlap ends, or at its own expiry if that is
 * sooner. The successor has the name, the permission and the whole lifetime that the key was made with, counted from
 * now: a key of 90 days gives way to a key of 90 days. The same last day would leave ever less, and rotating in the
 * last week is what an expiry asks for.
 * @param overlapHours how long both work, in hours, 0 to 720; a day when absent
 * @returns the successor, whose text is here and nowhere else, and until when the key itself works
 * @param agree is shown the key before anything is changed, locked, and may throw
 * @throws NotFoundError when there is no such key; what `agree` throws
 * @throws InvalidError for an overlap of no use, and for a key that is revoked, expired or has a successor
 */
export async function rotateApiKey(
  db: Db,
  id: string,
  { overlapHours = 24 }: { overlapHours?: number },
  actor: Actor,
  agree: (before: ApiKey) => void = () => {},
): Promise<{ key: ApiKey; text: string; oldExpiresAt: Date }> {
  if (!(overlapHours >= 0 && overlapHours <= LONGEST_OVERLAP)) {
    const message = `An overlap has 0 to ${LONGEST_OVERLAP} hours: the old key works that long beside the new one.`;
    throw new InvalidError([{ field: "overlapHours", code: "invalid", message }]);
  }
  const old = await lockApiKey(db, id);
  agree(old);
  if (old.state !== "works") {
    const because = old.state === "revoked" ? "is revoked" : "has expired";
    throw cannotRotate(`The key "${old.name}" ${because}, so it cannot be rotated: make a new key instead.`);
  }
  const successor = await db.apiKey.findFirst({ where: { rotatedFromId: id, revokedAt: null } });
  if (successor) {
    throw cannotRotate(
      `The key "${old.name}" was rotated before: its successor is the key that ends in ${successor.lastFour}. ` +
        "Rotate that one; or, if its text is lost, revoke it and rotate this one again.",
    );
  }
  const text = newKeyText();
  const { keyHash, lastFour } = storedOf(text);
  const createdBy = actor.kind === "member" ? actor.id : null;
  const [made] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO api_keys (name, key_hash, last_four, permission, created_by, rotated_from_id, expires_at)
    SELECT name, ${keyHash}, ${lastFour}, permission, ${createdBy}::uuid, id, now() + (expires_at - created_at)
    FROM api_keys WHERE id = ${id}::uuid RETURNING id`;
  const [ended] = await db.$queryRaw<{ oldExpiresAt: Date }[]>`
    UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(secs => ${overlapHours * 3600}))
    WHERE id = ${id}::uuid RETURNING expires_at AS "oldExpiresAt"`;
  if (!made || !ended) throw new Error("A locked key does not go away.");
  await recordAudit(
    db,
    actor,
    "api_key.rotated",
    { kind: "api_key", id, name: old.name },
    { successor: made.id, works_until: ended.oldExpiresAt.toISOString() },
  );
  return { key: await lockApiKey(db, made.id), text, ...ended };
}

/**
 * Revokes a key: its next request is refused. A key that was revoked before stays so.
 * @throws NotFoundError when there is no such key
 */
export async function revokeApiKey(db: Db, id: string, actor: Actor): Promise<void> {
  const key = await lockApiKey(db, id);
  if (key.state === "revoked") return;
  await db.$executeRaw`UPDATE api_keys SET revoked_at = now() WHERE id = ${id}::uuid`;
  await recordAudit(db, actor, "api_key.revoked", { kind: "api_key", id, name: key.name });
}

/** A key that nobody else can change until the transaction ends: of two who rotate or revoke, one sees it done. */
async function lockApiKey(db: Db, id: string): Promise<ApiKey> {
  const [key] = z.guid().safeParse(id).success
    ? await readingOf(db)<ApiKey>(`SELECT ${columns} FROM ${source} WHERE k.id = $1::uuid FOR NO KEY UPDATE OF k`, [id])
    : [];
  if (!key) throw new NotFoundError("There is no key with this id: list the keys for theirs.");
  return key;
}

/** What is kept of a key's text. */
function storedOf(text: string): { keyHash: Uint8Array<ArrayBuffer>; lastFour: string } {
  return { keyHash: new Uint8Array(hashOfKey(text)), lastFour: text.slice(-4) };
}

function cannotRotate(message: string): InvalidError {
  return new InvalidError([{ field: "id", code: "not_allowed", message }]);
}
