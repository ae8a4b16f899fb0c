import type { Actor } from "@/lib/audit/audit";
import { closeConnections, inWorkspace } from "@/lib/db";
import { type Env, readEnv } from "@/lib/env";
import { findWorkspace, type Workspace } from "@/lib/workspaces/workspaces";
import { migrate } from "@/server/migrate";
import { openDatabase } from "@/server/postgres";
import { note } from "./output";

/** A request that cannot be done. Only its message is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

export const commandLine: Actor = { kind: "command_line", id: null, name: "Command line" };

/**
 * Runs one command with an open, migrated database, with or without a running server beside it.
 */
export async function withDatabase(work: (env: Env) => Promise<void>): Promise<void> {
  const env = readEnv(process.env);
  const database = await openDatabase({ ...env, log: note });
  try {
    process.env.DATABASE_URL = database.url;
    process.env.DATABASE_DIRECT_URL = database.directUrl;
    process.env.BASE_URL = env.baseUrl;
    await migrate(database.directUrl, { log: note, setting: env.directSetting });
    await work(env);
  } finally {
    await closeConnections();
    await database.release();
  }
}

/** Finds the workspace that a command names. */
export async function workspaceNamed(subdomain: string): Promise<Workspace> {
  const workspace = await findWorkspace(subdomain);
  if (workspace) return workspace;
  throw new CommandError(
    `There is no workspace ${subdomain}. List the workspaces with "npm run kb -- workspace list", or create it with "npm run kb -- workspace create --subdomain ${subdomain} --name …".`,
  );
}

/** Runs work in the workspace that a command names. */
export async function inNamedWorkspace<T>(
  subdomain: string,
  work: Parameters<typeof inWorkspace<T>>[1],
): Promise<{ workspace: Workspace; result: T }> {
  const workspace = await workspaceNamed(subdomain);
  return { workspace, result: await inWorkspace(workspace.id, work) };
}
