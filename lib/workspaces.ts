import type { Actor } from "@/lib/audit";
import { acrossWorkspaces, enterWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { isSubdomain, reservedSubdomains } from "@/lib/host";
import { createMember, isTimeZone, type Member } from "@/lib/members";
import { defaultRoles } from "@/lib/roles";
import { FORM, reindexWorkspace } from "@/lib/search/reindex";

export interface Workspace {
  id: string;
  subdomain: string;
  name: string;
  createdAt: Date;
}

const columns = `id, subdomain, name, created_at AS "createdAt"`;

/**
 * Makes a workspace with its first roles (Admin, Editor, Collaborator) and its first administrator: all of it or nothing.
 * @throws InvalidError when the subdomain cannot be one or belongs to somebody, or another value is of no use
 */
export async function createWorkspace(
  given: {
    subdomain: string;
    name: string;
    timeZone?: string;
    administrator: { email: string; firstName: string; lastName: string; passwordHash?: string };
  },
  actor: Actor,
): Promise<Workspace & { administrator: Member }> {
  const subdomain = given.subdomain.trim().toLowerCase();
  const name = given.name.trim().normalize("NFC");
  if (reservedSubdomains.has(subdomain)) {
    throw new InvalidError([
      {
        field: "subdomain",
        code: "not_allowed",
        message: `The subdomain ${subdomain} is kept for the installation: choose another.`,
      },
    ]);
  }
  if (!isSubdomain(subdomain)) {
    throw new InvalidError([
      {
        field: "subdomain",
        code: "invalid",
        message:
          "A subdomain has 1 to 63 lowercase letters, digits and hyphens, and neither begins nor ends with a hyphen.",
      },
    ]);
  }
  if (name === "" || name.length > 100) {
    throw new InvalidError([
      {
        field: "name",
        code: name === "" ? "required" : "too_long",
        message: "A workspace has a name of 1 to 100 characters.",
      },
    ]);
  }
  if (given.timeZone !== undefined && !isTimeZone(given.timeZone)) {
    throw new InvalidError([
      { field: "timeZone", code: "invalid", message: "The time zone is not an IANA name such as Europe/Berlin." },
    ]);
  }
  const former = await acrossWorkspaces.query("SELECT 1 FROM former_subdomains WHERE subdomain = $1", [subdomain]);
  if (former.length > 0) throw taken(subdomain);
  try {
    return await acrossWorkspaces.transaction(async (db) => {
      const workspace = await db.workspace.create({
        data: {
          ...{ subdomain, name, searchForm: FORM },
          ...(given.timeZone && { timeZone: given.timeZone }),
          roles: { create: defaultRoles },
        },
        select: { id: true, subdomain: true, name: true, createdAt: true },
      });
      await enterWorkspace(db, workspace.id);
      const administrator = await createMember(
        db,
        { ...given.administrator, role: "Admin", timeZone: given.timeZone },
        actor,
      );
      return { ...workspace, administrator };
    });
  } catch (error) {
    if ((error as { code?: string }).code === "P2002") throw taken(subdomain);
    throw error;
  }
}

/** The workspace at a subdomain, or null. */
export async function findWorkspace(subdomain: string): Promise<Workspace | null> {
  const [found] = await acrossWorkspaces.query<Workspace>(
    `SELECT ${columns} FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL`,
    [subdomain],
  );
  return found ?? null;
}

/** Workspaces by subdomain, one page of at most `limit`, after the subdomain `after`. */
export function listWorkspaces({ after = "", limit }: { after?: string; limit: number }): Promise<Workspace[]> {
  return acrossWorkspaces.query<Workspace>(
    `SELECT ${columns} FROM workspaces WHERE delete_after IS NULL AND subdomain > $1 ORDER BY subdomain LIMIT $2`,
    [after, limit],
  );
}

/**
 * Makes the search documents anew that an older version of the product stored, workspace by workspace; until then
 * searches do not find their articles. Servers that do it at the same time do it twice, and no harm.
 * @param tell hears of each workspace
 */
export async function reindexOutdated(tell: (line: string) => void): Promise<void> {
  for (;;) {
    const [workspace] = await acrossWorkspaces.query<Workspace>(
      `SELECT ${columns} FROM workspaces WHERE search_form < $1 ORDER BY subdomain LIMIT 1`,
      [FORM],
    );
    if (!workspace) return;
    const articles = await reindexWorkspace(workspace.id);
    tell(`The search of ${workspace.subdomain} is in its new form: articles made searchable anew: ${articles}.`);
  }
}

function taken(subdomain: string): InvalidError {
  return new InvalidError([
    { field: "subdomain", code: "taken", message: `The subdomain ${subdomain} is taken: choose another.` },
  ]);
}
