import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/audit";
import { acrossWorkspaces, enterWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { checkMember, createMember, type Member } from "@/lib/members";
import { defaultRoles } from "@/lib/roles";
import { FORM, reindexWorkspace } from "@/lib/search/reindex";
import { checkSettings } from "@/lib/settings";
import { unlessTaken } from "@/lib/taken";
import { checkSubdomain, subdomainTaken } from "./workspaces/subdomains";

export interface Workspace {
  id: string;
  subdomain: string;
  name: string;
  createdAt: Date;
}

const columns = `id, subdomain, name, created_at AS "createdAt"`;

/** What a workspace is made of. */
interface NewWorkspace {
  subdomain: string;
  name: string;
  timeZone?: string;
  administrator: { email: string; firstName: string; lastName: string; passwordHash?: string };
}

/**
 * Makes a workspace with its first roles (Admin, Editor, Collaborator) and its first administrator: all of it or nothing.
 * @throws InvalidError naming every field that cannot be: also a subdomain that belongs to somebody, or once did
 */
export async function createWorkspace(
  given: NewWorkspace,
  actor: Actor,
): Promise<Workspace & { administrator: Member }> {
  const { invalid, subdomain, name } = await checkWorkspace(given);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return unlessTaken(
    () => subdomainTaken(subdomain),
    () =>
      acrossWorkspaces.transaction(async (db) => {
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
      }),
  );
}

/**
 * What is wrong with each of the values that a workspace is to be made of, as far as that is known before. Who is first
 * has a subdomain: of two who are told that it is free, one is refused later.
 */
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

/** The workspace at a subdomain, or null. */
export async function findWorkspace(subdomain: string): Promise<Workspace | null> {
  const [found] = await acrossWorkspaces.query<Workspace>(
    `SELECT ${columns} FROM workspaces WHERE subdomain = $1 AND delete_after IS NULL`,
    [subdomain],
  );
  return found ?? null;
}

/** The version of what readers see of the workspace at a subdomain: another one after each change of it. Null for none. */
export async function contentVersionOf(subdomain: string): Promise<{ workspaceId: string; version: string } | null> {
  const [found] = await acrossWorkspaces.query<{ workspaceId: string; version: string }>(
    `SELECT w.id AS "workspaceId", v.version FROM workspaces w JOIN content_versions v ON v.workspace_id = w.id
     WHERE w.subdomain = $1 AND w.delete_after IS NULL`,
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

/** The workspace of an installation that has one, or null. */
export async function onlyWorkspace(): Promise<Workspace | null> {
  const [only, another] = await listWorkspaces({ limit: 2 });
  return only && !another ? only : null;
}

/** How long a workspace whose search documents could not be made anew is left alone, in milliseconds. */
const PAUSE_MS = 5 * 60_000;

/**
 * Makes the search documents anew that an older version of the product stored, workspace by workspace; until then
 * searches do not find their articles. What fails holds up nobody else, and is tried again after a pause. Servers that do
 * it at the same time do it twice, and no harm.
 * @param given.tell hears of each workspace that is done, and of each try that failed, with its error
 * @param given.signal ends it, also within a workspace: a server that stops
 * @param given.pauseMs five minutes when absent
 */
export async function reindexOutdated({
  tell,
  signal,
  pauseMs = PAUSE_MS,
}: {
  tell: (line: string, error?: unknown) => void;
  signal: AbortSignal;
  pauseMs?: number;
}): Promise<void> {
  while (!(await reindexEach(tell, signal)) && !signal.aborted) {
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** @returns whether there is nothing left to do */
async function reindexEach(tell: (line: string, error?: unknown) => void, signal: AbortSignal): Promise<boolean> {
  let isDone = true;
  const isStopped = () => signal.aborted;
  for (let after: string | undefined = ""; after !== undefined && !isStopped(); ) {
    let workspace: Workspace | undefined;
    try {
      [workspace] = await acrossWorkspaces.query<Workspace>(
        `SELECT ${columns} FROM workspaces WHERE search_form < $1 AND subdomain > $2 ORDER BY subdomain LIMIT 1`,
        [FORM, after],
      );
      if (workspace) {
        const articles = await reindexWorkspace(workspace.id, () => {}, signal);
        tell(`The search of ${workspace.subdomain} is in its new form: articles made searchable anew: ${articles}.`);
      }
    } catch (error) {
      if (isStopped()) return false;
      isDone = false;
      const whose = workspace ? `Articles of ${workspace.subdomain}` : "Articles";
      tell(`${whose} cannot be searched yet: they could not be made searchable anew. It is tried again later.`, error);
    }
    after = workspace?.subdomain;
  }
  return isDone;
}

/**
 * The salt with which the viewers of a day are hashed (lib/viewers.ts), the same for all servers.
 * @param day in UTC, such as "2026-11-22"
 */
export async function saltOfDay(day: string): Promise<Buffer> {
  // Whoever is first decides.
  const [found] = await acrossWorkspaces.query<{ salt: Buffer }>(
    `INSERT INTO daily_salts (day, salt) VALUES ($1::date, $2)
     ON CONFLICT (day) DO UPDATE SET salt = daily_salts.salt RETURNING salt`,
    [day, randomBytes(32)],
  );
  if (!found) throw new Error("A day has a salt once it was asked for.");
  return found.salt;
}

/** Deletes the salts of days before `day` for ever. */
export async function forgetSalts(day: string): Promise<void> {
  await acrossWorkspaces.query("DELETE FROM daily_salts WHERE day < $1::date", [day]);
}
