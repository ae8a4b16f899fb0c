import { acrossWorkspaces } from "@/lib/db";
import { hashOfKey, isKeyText } from "@/lib/key-format";
import { HttpError, unauthorized } from "./errors";
import { countRefusedKey } from "./limits";

/** The workspace that a host names, as every answer needs it. */
export interface ApiWorkspace {
  id: string;
  name: string;
  subdomain: string;
}

/** The key that a request carries, after it was found good. */
export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  permission: "read" | "read_write";
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const namedBy = "SELECT id, name, subdomain FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL";
const formerlyNamedBy = `SELECT w.id, w.name, w.subdomain FROM former_subdomains f JOIN workspaces w ON w.id = f.workspace_id
  WHERE f.subdomain = $1 AND w.delete_after IS NULL`;

/**
 * The workspace at a subdomain, looked up before any key is read (contract 22). One that it once had names it as well: a
 * program would not follow a redirect, or would send its key along.
 * @throws HttpError 404 when there is none, or it is about to be deleted
 */
export async function workspaceOfSubdomain(subdomain: string | undefined): Promise<ApiWorkspace> {
  const find = (sql: string) => acrossWorkspaces.query<ApiWorkspace>(sql, [subdomain]);
  let found = subdomain ? await find(namedBy) : [];
  if (subdomain && found.length === 0) found = await find(formerlyNamedBy);
  if (!found[0]) throw new HttpError(404, "Workspace not found: check the subdomain in the address.");
  return found[0];
}

/** What is remembered of a key's last use. */
interface Use {
  /** The client's address, as the front door settled it; null where none stands in front. */
  ip: string | null;
  /** The operation, such as "GET /v2/articles/{article_id}". */
  route: string;
}

/**
 * The key door: proves that a program may speak for this workspace. Expiry is by the database's clock, a revoked key
 * is refused on the next request.
 * @param text the X-Api-Key header, null when there was none
 * @throws HttpError 401, the same for every reason (contract 53); 429 when there were too many of these from one address
 */
export async function authenticate(workspace: ApiWorkspace, text: string | null, use: Use): Promise<ApiKey> {
  const found = text && isKeyText(text) ? await findKey(workspace, text) : null;
  if (!found) {
    await countRefusedKey(use.ip);
    throw unauthorized();
  }
  const { unnoted: due, ...key } = found;
  if (due) void noteUse(workspace.id, key.id, use);
  return key;
}

async function findKey(workspace: ApiWorkspace, text: string): Promise<(ApiKey & { unnoted: boolean }) | null> {
  const [key] = await acrossWorkspaces.query<ApiKey & { unnoted: boolean }>(
    `SELECT id, name, last_four AS "lastFour", permission, created_at AS "createdAt", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt", ${unnoted} AS unnoted
     FROM api_keys
     WHERE workspace_id = $1 AND key_hash = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [workspace.id, hashOfKey(text)],
  );
  return key ?? null;
}

/** Noted at most this often: the last use is for people, not for accounting. */
const unnoted = "(last_used_at IS NULL OR last_used_at <= now() - interval '5 minutes')";

/**
 * Remembers when, from where and for what a key was used, unless that was done less than five minutes ago. Requests do
 * not wait for it, and it waits for nobody: where the row is locked, a later request will note its own use.
 */
export async function noteUse(workspaceId: string, keyId: string, { ip, route }: Use): Promise<void> {
  await acrossWorkspaces
    .query(
      `UPDATE api_keys SET last_used_at = now(), last_used_ip = $3, last_used_route = $4
       WHERE workspace_id = $1 AND id IN (
         SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2 AND ${unnoted} FOR NO KEY UPDATE SKIP LOCKED)`,
      [workspaceId, keyId, ip, route],
    )
    .catch(() => {});
}
