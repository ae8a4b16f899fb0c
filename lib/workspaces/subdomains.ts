import { type Actor, recordAudit } from "@/lib/audit";
import { acrossWorkspaces, enterWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { isSubdomain, reservedSubdomains } from "@/lib/host";
import { unlessTaken } from "@/lib/taken";

/** The most subdomains that a workspace has had and that lead to it: nobody collects names by changing theirs. */
const MOST_FORMER = 20;

/**
 * Whether a text can be the subdomain of a workspace: it is one, and neither is nor was another workspace's.
 * @param workspaceId whose it is to be; null for a new one
 * @returns it as it is stored, and what is wrong with it
 */
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
    return refuse("not_allowed", `The subdomain ${subdomain} is kept for the installation: choose another.`);
  }
  if (!isSubdomain(subdomain)) {
    return refuse(
      subdomain === "" ? "required" : "invalid",
      "A subdomain has 1 to 63 lowercase letters, digits and hyphens, and neither begins nor ends with a hyphen.",
    );
  }
  const held = await acrossWorkspaces.query(
    `SELECT FROM workspaces WHERE subdomain = $1 AND id IS DISTINCT FROM $2::uuid
     UNION ALL SELECT FROM former_subdomains WHERE subdomain = $1 AND workspace_id IS DISTINCT FROM $2::uuid`,
    [subdomain, workspaceId],
  );
  return { subdomain, invalid: held.length > 0 ? subdomainTaken(subdomain).fields : [] };
}

/**
 * Gives a workspace another subdomain. The one it had leads to it from then on, and is nobody else's for as long as the
 * workspace is there; it may have it again.
 * @returns the subdomain as it is stored
 * @throws InvalidError when the subdomain cannot be one, is or was another workspace's, or there were too many
 * @throws NotFoundError when the workspace is gone or about to be
 */
export async function changeSubdomain(workspaceId: string, text: string, actor: Actor): Promise<string> {
  const { subdomain, invalid } = await checkSubdomain(text, workspaceId);
  if (invalid.length > 0) throw new InvalidError(invalid);
  await unlessTaken(
    () => subdomainTaken(subdomain),
    () =>
      acrossWorkspaces.transaction(async (db) => {
        const [workspace] = await db.$queryRaw<{ name: string; subdomain: string }[]>`
        SELECT name, subdomain FROM workspaces WHERE id = ${workspaceId}::uuid AND delete_after IS NULL FOR UPDATE`;
        if (!workspace) throw new NotFoundError("There is no such workspace.");
        const { name, subdomain: before } = workspace;
        if (before === subdomain) return;
        const former = await db.formerSubdomain.findMany({ where: { workspaceId }, select: { subdomain: true } });
        const isBack = former.some((one) => one.subdomain === subdomain);
        if (former.length >= MOST_FORMER && !isBack) {
          const message = `This workspace has had ${MOST_FORMER} other addresses, which lead to it for ever: choose one of those, such as ${former[0]?.subdomain}.`;
          throw new InvalidError([{ field: "subdomain", code: "not_allowed", message }]);
        }
        // What it had becomes a former one by a trigger.
        await db.workspace.updateMany({ where: { id: workspaceId }, data: { subdomain, updatedAt: new Date() } });
        await enterWorkspace(db, workspaceId);
        const subject = { kind: "workspace", id: workspaceId, name };
        await recordAudit(db, actor, "workspace.updated", subject, { subdomain: `${before} → ${subdomain}` });
      }),
  );
  return subdomain;
}

/** Somebody else has it, or had it. */
export function subdomainTaken(subdomain: string): InvalidError {
  return new InvalidError([
    { field: "subdomain", code: "taken", message: `The subdomain ${subdomain} is taken: choose another.` },
  ]);
}
