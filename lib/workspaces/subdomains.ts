import { type Actor, recordAudit } from "@/lib/audit/audit";
import { acrossWorkspaces, enterWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { isSubdomain, reservedSubdomains } from "@/lib/http/host";
import { workspaceLimits } from "@/lib/limits";
import { unlessTaken } from "@/lib/taken";

/** `workspaceId` is the workspace that may hold the subdomain already, null for a new one. */
export async function checkSubdomain(
  text: string,
  workspaceId: string | null = null,
): Promise<{ subdomain: string; invalid: InvalidField[] }> {
  const subdomain = text.trim().toLowerCase();
  const refuse = (code: InvalidField["code"], message: string) => ({
    subdomain,
    invalid: [{ field: "subdomain", code, message }],
  });
  if (reservedSubdomains.has(subdomain)) {
    return refuse("not_allowed", `The subdomain ${subdomain} is reserved. Choose another one.`);
  }
  if (!isSubdomain(subdomain)) {
    return refuse(
      subdomain === "" ? "required" : "invalid",
      "A subdomain can have up to 63 lowercase letters, digits, and hyphens, and can't begin or end with a hyphen.",
    );
  }
  const held = await acrossWorkspaces.query(
    `SELECT FROM workspaces WHERE subdomain = $1 AND id IS DISTINCT FROM $2::uuid
     UNION ALL SELECT FROM former_subdomains WHERE subdomain = $1 AND workspace_id IS DISTINCT FROM $2::uuid`,
    [subdomain, workspaceId],
  );
  return { subdomain, invalid: held.length > 0 ? subdomainTaken(subdomain).fields : [] };
}

/** The old subdomain redirects and stays reserved for this workspace. */
export async function changeSubdomain(workspaceId: string, text: string, actor: Actor): Promise<string> {
  const { subdomain, invalid } = await checkSubdomain(text, workspaceId);
  if (invalid.length > 0) throw new InvalidError(invalid);
  await unlessTaken(
    () => subdomainTaken(subdomain),
    () =>
      acrossWorkspaces.transaction(async (db) => {
        const [workspace] = await db.$queryRaw<{ name: string; subdomain: string }[]>`
        SELECT name, subdomain FROM workspaces WHERE id = ${workspaceId}::uuid AND delete_after IS NULL FOR UPDATE`;
        if (!workspace) throw new NotFoundError("This workspace doesn't exist.");
        const { name, subdomain: before } = workspace;
        if (before === subdomain) return;
        const former = await db.formerSubdomain.findMany({ where: { workspaceId }, select: { subdomain: true } });
        const isBack = former.some((one) => one.subdomain === subdomain);
        if (former.length >= workspaceLimits.formerSubdomains && !isBack) {
          const message = `This workspace has used ${workspaceLimits.formerSubdomains} other subdomains, which is the maximum. Choose one of those, such as ${former[0]?.subdomain}.`;
          throw new InvalidError([{ field: "subdomain", code: "not_allowed", message }]);
        }
        // A trigger adds the old one to the former ones.
        await db.workspace.updateMany({ where: { id: workspaceId }, data: { subdomain, updatedAt: new Date() } });
        await enterWorkspace(db, workspaceId);
        const subject = { kind: "workspace", id: workspaceId, name };
        await recordAudit(db, actor, "workspace.updated", subject, { subdomain: `${before} → ${subdomain}` });
      }),
  );
  return subdomain;
}

export function subdomainTaken(subdomain: string): InvalidError {
  return new InvalidError([
    { field: "subdomain", code: "taken", message: `The subdomain ${subdomain} is taken. Choose another one.` },
  ]);
}
