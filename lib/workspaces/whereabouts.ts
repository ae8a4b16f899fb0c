import { acrossWorkspaces } from "@/lib/db";
import { isMailbox } from "@/lib/env";
import { envelope, NO_WORKSPACE } from "@/lib/jobs";
import type { Workspace } from "@/lib/workspaces/workspaces";

const MOST = 50;

export function workspacesOf(email: string): Promise<Pick<Workspace, "name" | "subdomain">[]> {
  return acrossWorkspaces.query(
    `SELECT w.name, w.subdomain FROM members m JOIN workspaces w ON w.id = m.workspace_id
     WHERE m.email_folded = lower($1) AND m.active AND w.delete_after IS NULL ORDER BY w.name, w.subdomain LIMIT ${MOST}`,
    [email],
  );
}

/** The job finds out whether the email has workspaces, so neither answer nor time reveals it. */
export async function mailWorkspacesOf(email: string): Promise<void> {
  if (!isMailbox(email)) return;
  const task = "workspaces_of_address";
  await acrossWorkspaces.query("SELECT graphile_worker.add_job($1, $2::json)", [
    task,
    envelope(task, NO_WORKSPACE, { address: email }),
  ]);
}
