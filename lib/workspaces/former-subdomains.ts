import { acrossWorkspaces } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";

/** Includes workspaces that wait for deletion: their pages say so. */
export async function addressNow(formerSubdomain: string): Promise<string | null> {
  const [now] = await acrossWorkspaces.query<{ subdomain: string }>(
    `SELECT w.subdomain FROM former_subdomains f JOIN workspaces w ON w.id = f.workspace_id
     WHERE f.subdomain = $1 AND (w.delete_after IS NULL OR w.delete_after > now())`,
    [formerSubdomain],
  );
  return now ? workspaceUrl(now.subdomain, env().baseUrl) : null;
}
