import { acrossWorkspaces } from "@/lib/db";
import { hashOfKey, isKeyText } from "@/lib/key-format";
import { HttpError, unauthorized } from "./errors";

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

/**
 * The workspace at a subdomain, looked up before any key is read (contract 22).
 * @throws HttpError 404 when there is none, or it is about to be deleted
 */
export async function workspaceOfSubdomain(subdomain: string | undefined): Promise<ApiWorkspace> {
  const found = subdomain
    ? await acrossWorkspaces.query<ApiWorkspace>(
        "SELECT id, name, subdomain FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL",
        [subdomain],
      )
    : [];
  if (!found[0]) throw new HttpError(404, "Workspace not found: check the subdomain in the address.");
  return found[0];
}

/**
 * The key door: proves that a program may speak for this workspace. Expiry is by the database's clock, a revoked key
 * is refused on the next request.
 * @param text the X-Api-Key header, null when there was none
 * @throws HttpError 401, the same for every reason (contract 53)
 */
export async function authenticate(workspace: ApiWorkspace, text: string | null): Promise<ApiKey> {
  if (!text || !isKeyText(text)) throw unauthorized();
  const [key] = await acrossWorkspaces.query<ApiKey>(
    `SELECT id, name, last_four AS "lastFour", permission, created_at AS "createdAt", expires_at AS "expiresAt",
       last_used_at AS "lastUsedAt"
     FROM api_keys
     WHERE workspace_id = $1 AND key_hash = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [workspace.id, hashOfKey(text)],
  );
  if (!key) throw unauthorized();
  if (!key.lastUsedAt || Date.now() - key.lastUsedAt.getTime() > NOTED_EVERY_MS) noteUse(workspace.id, key.id);
  return key;
}

/** Noted at most this often: the time is for people, not for accounting. */
const NOTED_EVERY_MS = 5 * 60 * 1000;

/** Off the request's path. */
function noteUse(workspaceId: string, keyId: string): void {
  acrossWorkspaces
    .query(
      `UPDATE api_keys SET last_used_at = now()
       WHERE workspace_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '5 minutes')`,
      [workspaceId, keyId],
    )
    .catch(() => {});
}
