import { randomBytes } from "node:crypto";
import type { Actor } from "@/lib/audit/audit";
import { acrossWorkspaces, enterWorkspace, inTurns } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { checkMember, createMember, type Member } from "@/lib/members/members";
import { defaultRoles } from "@/lib/members/roles";
import { checkSettings } from "@/lib/settings/settings";
import { unlessTaken } from "@/lib/taken";
import { checkSubdomain, subdomainTaken } from "./subdomains";

export interface Workspace {
  id: string;
  subdomain: string;
  name: string;
  createdAt: Date;
}

const columns = `id, subdomain, name, created_at AS "createdAt"`;

interface NewWorkspace {
  subdomain: string;
  name: string;
  timeZone?: string;
  administrator: { email: string; firstName: string; lastName: string; passwordHash?: string };
}

export async function createWorkspace(
  input: NewWorkspace,
  actor: Actor,
): Promise<Workspace & { administrator: Member }> {
  const { invalid, subdomain, name } = await checkWorkspace(input);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return unlessTaken(
    () => subdomainTaken(subdomain),
    () =>
      acrossWorkspaces.transaction(async (db) => {
        const workspace = await db.workspace.create({
          data: {
            subdomain,
            name,
            ...(input.timeZone && { timeZone: input.timeZone }),
            roles: { create: defaultRoles },
          },
          select: { id: true, subdomain: true, name: true, createdAt: true },
        });
        await enterWorkspace(db, workspace.id);
        const administrator = await createMember(
          db,
          { ...input.administrator, role: "Admin", timeZone: input.timeZone },
          actor,
        );
        return { ...workspace, administrator };
      }),
  );
}

/** A free subdomain may still be taken before createWorkspace. */
export async function checkWorkspace({
  subdomain: text,
  administrator: { email, firstName, lastName },
  ...settings
}: NewWorkspace): Promise<{ invalid: InvalidField[]; subdomain: string; name: string }> {
  const { subdomain, invalid } = await checkSubdomain(text);
  const { checked, invalid: inSettings } = checkSettings(settings);
  const { invalid: inMember } = checkMember({ email, firstName, lastName });
  return { invalid: [...inSettings, ...invalid, ...inMember], subdomain, name: checked.name };
}

export async function findWorkspace(subdomain: string): Promise<Workspace | null> {
  const [found] = await acrossWorkspaces.query<Workspace>(
    `SELECT ${columns} FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL`,
    [subdomain],
  );
  return found ?? null;
}

/** Changes with everything that readers see. Requests that arrive together share one statement. */
export const contentVersionOf = inTurns(
  async (subdomains: readonly string[]): Promise<({ workspaceId: string; version: string } | null)[]> => {
    const found = await acrossWorkspaces.query<{ subdomain: string; workspaceId: string; version: string }>(
      `SELECT w.subdomain, w.id AS "workspaceId", v.version FROM workspaces w JOIN content_versions v ON v.workspace_id = w.id
       WHERE w.subdomain = ANY($1::text[]) AND w.delete_after IS NULL`,
      [[...new Set(subdomains)]],
    );
    const versions = new Map(found.map(({ subdomain, ...version }) => [subdomain, version]));
    return subdomains.map((subdomain) => versions.get(subdomain) ?? null);
  },
);

export function listWorkspaces({ after = "", limit }: { after?: string; limit: number }): Promise<Workspace[]> {
  return acrossWorkspaces.query<Workspace>(
    `SELECT ${columns} FROM workspaces WHERE delete_after IS NULL AND subdomain > $1 ORDER BY subdomain LIMIT $2`,
    [after, limit],
  );
}

export async function onlyWorkspace(): Promise<Workspace | null> {
  const [only, another] = await listWorkspaces({ limit: 2 });
  return only && !another ? only : null;
}

/** The salt for viewer hashes on all servers (lib/analytics/viewers.ts). `day` is in UTC, such as "2026-11-22". */
export async function saltOfDay(day: string): Promise<Buffer> {
  const [found] = await acrossWorkspaces.query<{ salt: Buffer }>(
    `INSERT INTO daily_salts (day, salt) VALUES ($1::date, $2)
     ON CONFLICT (day) DO UPDATE SET salt = daily_salts.salt RETURNING salt`,
    [day, randomBytes(32)],
  );
  if (!found) throw new Error("A day has a salt once one was requested.");
  return found.salt;
}

export async function forgetSalts(day: string): Promise<void> {
  await acrossWorkspaces.query("DELETE FROM daily_salts WHERE day < $1::date", [day]);
}
