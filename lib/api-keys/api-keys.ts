import { z } from "zod";
import { hashOfKey, newKeyText } from "@/lib/api-keys/key-format";
import { everyScope, type Scope, sayScopes } from "@/lib/api-keys/scopes";
import { type Actor, memberId, recordAudit } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { auditEvent, everyEvent } from "@/lib/events/events";
import { actorForMail, mailAdministrators } from "@/lib/members/members";
import { listRoles, type Permission, permissions } from "@/lib/members/roles";
import { webhookMay } from "@/lib/webhooks/endpoints";

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  /** In the order of lib/api-keys/scopes.ts. */
  scopes: Scope[];
  /** By the database's clock. */
  state: "works" | "expired" | "revoked";
  createdBy: string | null;
  createdByName: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To five minutes (lib/api/keys.ts). */
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  lastUsedRoute: string | null;
}

/** What a scope lets a key do, in the permissions of members. A key that changes members can give any role to any member. */
const amountsTo: Record<Scope, readonly Permission[]> = {
  public: [],
  "content.read": ["articles.write", "insights.read"],
  "content.draft": ["articles.write", "insights.read"],
  "content.publish": ["articles.write", "articles.publish", "categories.manage", "insights.read"],
  "content.delete": ["articles.write", "articles.publish", "insights.read"],
  categories: ["articles.write", "categories.manage", "insights.read"],
  files: ["articles.write"],
  redirects: ["settings.manage"],
  synonyms: ["settings.manage"],
  webhooks: webhookMay(everyEvent.filter((event) => event !== auditEvent)),
  "members.read": ["members.manage"],
  "members.write": permissions,
  "insights.read": ["insights.read"],
  "audit.read": ["settings.manage"],
};

/**
 * @returns the permissions that a member needs besides keys.manage to create or rotate a key with these scopes, because a
 * key must not exceed its creator's role
 */
export function keyMay(scopes: readonly Scope[]): Permission[] {
  return permissions.filter((permission) => scopes.some((scope) => amountsTo[scope].includes(permission)));
}

/**
 * @returns a function that says why a key can't give a role, or null if it can. The creator may have lost permissions since.
 * A key from the command line can give every role
 */
export async function reachOfKey(read: Read, id: string): Promise<(role: string) => InvalidField | null> {
  const [creator] = await read<{ permissions: Permission[] | null }>(
    `SELECT CASE WHEN k.created_by IS NULL THEN NULL WHEN m.active THEN r.permissions ELSE '{}' END AS permissions
     FROM api_keys k LEFT JOIN members m ON m.workspace_id = k.workspace_id AND m.id = k.created_by
     LEFT JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id WHERE k.id = $1::uuid`,
    [id],
  );
  const own = creator?.permissions ?? permissions;
  const roles = await listRoles(read);
  return (name) => {
    const wanted = roles.find((role) => role.name === name)?.permissions ?? [];
    const missing = wanted.filter((permission) => !own.includes(permission));
    if (missing.length === 0) return null;
    const message = `The role ${name} has permissions that the creator of this key doesn't have: ${missing.join(", ")}. Ask a member who has them to rotate the key.`;
    return { field: "role", code: "not_allowed", message };
  };
}

const columns = `k.id, k.name, k.last_four AS "lastFour", k.scopes,
  CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' ELSE 'works' END AS state,
  m.email AS "createdBy", m.first_name || ' ' || m.last_name AS "createdByName", k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt", k.last_used_ip AS "lastUsedIp", k.last_used_route AS "lastUsedRoute"`;
const source = "api_keys k LEFT JOIN members m ON m.workspace_id = k.workspace_id AND m.id = k.created_by";

/** @returns the key's text, of which only a hash is stored */
export async function createApiKey(
  db: Db,
  input: { name: string; scopes: readonly Scope[]; expiresAt?: Date; createdBy?: string },
  actor: Actor,
): Promise<{ id: string; text: string }> {
  const name = input.name.trim().normalize("NFC");
  const code =
    name === "" ? "required" : name.length > 100 ? "too_long" : /[\p{Cc}\p{Cs}]/u.test(name) ? "invalid" : null;
  if (code) {
    const message = "Enter a name of 1 to 100 characters on one line, such as the program that uses the key.";
    throw new InvalidError([{ field: "name", code, message }]);
  }
  if (input.expiresAt) {
    const [row] = await db.$queryRaw<{ past: boolean }[]>`SELECT ${input.expiresAt} <= now() AS past`;
    if (row?.past) {
      throw new InvalidError([{ field: "expiresAt", code: "invalid", message: "A key must expire in the future." }]);
    }
  }
  const scopes = everyScope.filter((scope) => input.scopes.includes(scope));
  if (scopes.length === 0) {
    throw new InvalidError([{ field: "scopes", code: "required", message: "Choose what the key can do." }]);
  }
  const text = newKeyText();
  const { id } = await db.apiKey.create({
    data: {
      name,
      ...storedOf(text),
      scopes,
      expiresAt: input.expiresAt,
      createdBy: input.createdBy,
    },
    select: { id: true },
  });
  await recordAudit(db, actor, "api_key.created", { kind: "api_key", id, name }, { scopes: scopes.join(" ") });
  return { id, text };
}

/** Mails every administrator about a key created in the browser, in case the session was stolen. */
export async function reportNewKey(
  db: Db,
  key: { name: string; scopes: readonly Scope[]; text: string },
  actor: Actor,
): Promise<void> {
  await mailAdministrators(db, "key_created", {
    by: await actorForMail(db, actor),
    keyName: key.name,
    access: sayScopes(key.scopes),
    lastFour: key.text.slice(-4),
  });
}

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

export async function findApiKey(read: Read, id: string): Promise<ApiKey | null> {
  if (!z.guid().safeParse(id).success) return null;
  const [key] = await read<ApiKey>(`SELECT ${columns} FROM ${source} WHERE k.id = $1::uuid`, [id]);
  return key ?? null;
}

const LONGEST_OVERLAP = 30 * 24;

/**
 * Makes a successor with the same name, scopes and lifetime. The old key works until the overlap ends or it
 * expires.
 * @param agree sees the locked key before the change, and may throw
 * @throws NotFoundError, or InvalidError for a key that is revoked, expired or has a successor
 */
export async function rotateApiKey(
  db: Db,
  id: string,
  { overlapHours = 24 }: { overlapHours?: number },
  actor: Actor,
  agree: (before: ApiKey) => void = () => {},
): Promise<{ key: ApiKey; text: string; oldExpiresAt: Date }> {
  if (!(overlapHours >= 0 && overlapHours <= LONGEST_OVERLAP)) {
    const message = `The grace period can be 0 to ${LONGEST_OVERLAP} hours. Choose a period in this range.`;
    throw new InvalidError([{ field: "overlapHours", code: "invalid", message }]);
  }
  const old = await lockApiKey(db, id);
  agree(old);
  if (old.state !== "works") {
    const because = old.state === "revoked" ? "is revoked" : "has expired";
    throw cannotRotate(`The key "${old.name}" ${because}, so it can't be rotated. Create a new key instead.`);
  }
  const successor = await db.apiKey.findFirst({ where: { rotatedFromId: id, revokedAt: null } });
  if (successor) {
    throw cannotRotate(
      `The key "${old.name}" was already rotated. Its replacement ends in ${successor.lastFour}. ` +
        "Rotate that key instead. If you lost it, revoke it and rotate this key again.",
    );
  }
  const text = newKeyText();
  const { keyHash, lastFour } = storedOf(text);
  const createdBy = memberId(actor);
  const [made] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO api_keys (name, key_hash, last_four, scopes, created_by, rotated_from_id, expires_at)
    SELECT name, ${keyHash}, ${lastFour}, scopes, ${createdBy}::uuid, id, now() + (expires_at - created_at)
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

export async function revokeApiKey(db: Db, id: string, actor: Actor): Promise<ApiKey> {
  const key = await lockApiKey(db, id);
  if (key.state === "revoked") return key;
  await db.$executeRaw`UPDATE api_keys SET revoked_at = now() WHERE id = ${id}::uuid`;
  await recordAudit(db, actor, "api_key.revoked", { kind: "api_key", id, name: key.name });
  return key;
}

/** When two members rotate or revoke a key, the second sees it done. */
async function lockApiKey(db: Db, id: string): Promise<ApiKey> {
  const [key] = z.guid().safeParse(id).success
    ? await readingOf(db)<ApiKey>(`SELECT ${columns} FROM ${source} WHERE k.id = $1::uuid FOR NO KEY UPDATE OF k`, [id])
    : [];
  if (!key) throw new NotFoundError("There is no key with this ID. List the keys to find it.");
  return key;
}

function storedOf(text: string): { keyHash: Uint8Array<ArrayBuffer>; lastFour: string } {
  return { keyHash: new Uint8Array(hashOfKey(text)), lastFour: text.slice(-4) };
}

function cannotRotate(message: string): InvalidError {
  return new InvalidError([{ field: "id", code: "not_allowed", message }]);
}
