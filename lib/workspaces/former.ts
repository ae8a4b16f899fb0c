import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";

/**
 * Where the workspace is now that once had a subdomain: its address, without a slash at the end; null when there is none. One
 * that waits for its deletion is led to as well: its own pages say that it is closed, and to administrators how it is kept.
 */
export async function addressNow(formerSubdomain: string): Promise<string | null> {
  const [now] = await acrossWorkspaces.query<{ subdomain: string }>(
    `SELECT w.subdomain FROM former_subdomains f JOIN workspaces w ON w.id = f.workspace_id
     WHERE f.subdomain = $1 AND (w.delete_after IS NULL OR w.delete_after > now())`,
    [formerSubdomain],
  );
  return now ? workspaceUrl(now.subdomain, env().baseUrl) : null;
}
