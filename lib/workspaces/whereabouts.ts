import { acrossWorkspaces } from "@/lib/db";
import { isMailbox } from "@/lib/env";
import { envelope, NO_WORKSPACE } from "@/lib/jobs";
import type { Workspace } from "@/lib/workspaces";

/** The most workspaces that one mail lists. */
const MOST = 50;

/** The workspaces where an e-mail address, in whatever case, is that of an active member: by name, at most 50. */
export function workspacesOf(email: string): Promise<Pick<Workspace, "name" | "subdomain">[]> {
  return acrossWorkspaces.query(
    `SELECT w.name, w.subdomain FROM members m JOIN workspaces w ON w.id = m.workspace_id
     WHERE m.email_folded = lower($1) AND m.active AND w.delete_after IS NULL ORDER BY w.name, w.subdomain LIMIT ${MOST}`,
    [email],
  );
}

/**
 * Has a mail sent to an address, with the workspaces where it is a member's; none when it is nobody's. Which of the two is
 * found out later, so that neither answer nor time tells who is known here.
 */
export async function mailWorkspacesOf(email: string): Promise<void> {
  // To what is no mailbox nothing can be sent, whoever has it.
  if (!isMailbox(email)) return;
  const task = "workspaces_of_address";
  await acrossWorkspaces.query("SELECT graphile_worker.add_job($1, $2::json)", [
    task,
    envelope(task, NO_WORKSPACE, { address: email }),
  ]);
}
