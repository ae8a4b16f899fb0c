import { hashOfKey, isKeyText } from "@/lib/api-keys/key-format";
import type { Scope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces } from "@/lib/db";
import { logSecurity } from "@/lib/log";
import { HttpError, unauthorized } from "./errors";
import { countRefusedKey } from "./rate-limit";

export interface ApiWorkspace {
  id: string;
  name: string;
  subdomain: string;
}

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const namedBy = "SELECT id, name, subdomain FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL";
const formerlyNamedBy = `SELECT w.id, w.name, w.subdomain FROM former_subdomains f JOIN workspaces w ON w.id = f.workspace_id
  WHERE f.subdomain = $1 AND w.delete_after IS NULL`;

/** Former subdomains work too (contract 22): programs would not follow a redirect, or would send their key along. */
export async function workspaceOfSubdomain(subdomain: string | undefined): Promise<ApiWorkspace> {
  const find = (sql: string) => acrossWorkspaces.query<ApiWorkspace>(sql, [subdomain]);
  let found = subdomain ? await find(namedBy) : [];
  if (subdomain && found.length === 0) found = await find(formerlyNamedBy);
  if (!found[0]) throw new HttpError(404, "Workspace not found. Check the subdomain in the URL.");
  return found[0];
}

interface Use {
  ip: string | null;
  /** Such as "GET /v2/articles/{article_id}". */
  route: string;
}

/** Throws the same 401 for every reason (contract 53), and 429 after too many from one address. */
export async function authenticate(workspace: ApiWorkspace, text: string | null, use: Use): Promise<ApiKey> {
  const found = text && isKeyText(text) ? await findKey(workspace, text) : null;
  if (!found) {
    logSecurity("key.refused", { workspace_id: workspace.id, client: use.ip, route: use.route });
    await countRefusedKey(use.ip);
    throw unauthorized();
  }
  const { unnoted: due, ...key } = found;
  if (due) void noteUse(workspace.id, key.id, use);
  return key;
}

async function findKey(workspace: ApiWorkspace, text: string): Promise<(ApiKey & { unnoted: boolean }) | null> {
  const [key] = await acrossWorkspaces.query<ApiKey & { unnoted: boolean }>(
    `SELECT id, name, last_four AS "lastFour", scopes, created_at AS "createdAt", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt", ${unnoted} AS unnoted
     FROM api_keys
     WHERE workspace_id = $1 AND key_hash = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [workspace.id, hashOfKey(text)],
  );
  return key ?? null;
}

const unnoted = "(last_used_at IS NULL OR last_used_at <= now() - interval '5 minutes')";

/** Notes a key's last use. Requests do not wait for it. If the row is locked, a later request notes its own use. */
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
