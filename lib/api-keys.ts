import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import type { Db, Read } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { hashOfKey, newKeyText } from "@/lib/key-format";

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  permission: "read" | "read_write";
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/**
 * Makes a key. Its text is in this answer and nowhere else: only a hash is kept.
 * @param expiresAt when it stops working; never when absent
 * @throws InvalidError for a name of no use, or an expiry that has passed
 */
export async function createApiKey(
  db: Db,
  given: { name: string; permission: "read" | "read_write"; expiresAt?: Date; createdBy?: string },
  actor: Actor,
): Promise<{ id: string; text: string }> {
  const name = given.name.trim().normalize("NFC");
  if (name === "" || name.length > 100) {
    throw new InvalidError([
      {
        field: "name",
        code: name === "" ? "required" : "too_long",
        message: "A key has a name of 1 to 100 characters, such as the program that uses it.",
      },
    ]);
  }
  if (given.expiresAt && given.expiresAt <= new Date()) {
    throw new InvalidError([{ field: "expiresAt", code: "invalid", message: "A key must expire in the future." }]);
  }
  const text = newKeyText();
  const { id } = await db.apiKey.create({
    data: {
      name,
      keyHash: new Uint8Array(hashOfKey(text)),
      lastFour: text.slice(-4),
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
    `SELECT id, name, last_four AS "lastFour", permission, created_at AS "createdAt", expires_at AS "expiresAt",
       revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
     FROM api_keys ORDER BY created_at DESC, id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  const [count] = await read<{ total: number }>("SELECT count(*)::int AS total FROM api_keys");
  return { keys, total: count?.total ?? 0 };
}

/**
 * Revokes a key: its next request is refused. A key that was revoked before stays so.
 * @throws NotFoundError when there is no such key
 */
export async function revokeApiKey(db: Db, id: string, actor: Actor): Promise<void> {
  const key = z.guid().safeParse(id).success ? await db.apiKey.findFirst({ where: { id } }) : null;
  if (!key) throw new NotFoundError("There is no key with this id: list the keys for theirs.");
  if (key.revokedAt) return;
  await db.apiKey.updateMany({ where: { id }, data: { revokedAt: new Date() } });
  await recordAudit(db, actor, "api_key.revoked", { kind: "api_key", id, name: key.name });
}
