import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
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

function taken(subdomain: string): InvalidError {
  return new InvalidError([
    { field: "subdomain", code: "taken", message: `The subdomain ${subdomain} is taken: choose another.` },
  ]);
}
