import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { endWhenLost } from "@/lib/db";
import { migrateJobs } from "@/server/migrate/jobs";
import { type Login, loginOf, serverGrants } from "@/server/migrate/login";
import { runScript, ScriptError } from "@/server/migrate/script";

/** The lock that `prisma migrate` takes, so that the two never run at the same time. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_WAIT_MS = 60_000;
const TABLE_LOCK_TRIES = 5;
const INSUFFICIENT_PRIVILEGE = "42501";

export interface MigrateOptions {
  /** The folder with `migrations` and `functions`. `prisma` of the current folder when absent. */
  directory?: string;
  /** The name of the setting that the URL comes from. */
  setting?: string;
  /** For another process that is migrating. */
  lockWaitMs?: number;
  /** Receives a line for each applied file. */
  log?: (line: string) => void;
}

interface Script {
  name: string;
  file: string;
  sql: string;
  checksum: string;
}

/**
 * Applies missing migrations in the format of `prisma migrate deploy`, then functions whose file changed, then the migrations of
 * background jobs, then the grants of the server's login. Each file is one transaction, waits at most two seconds for a table and
 * leaves nothing when it fails. For a login that does not own the tables, it only checks that nothing is missing.
 * @param databaseUrl a direct connection (a pooler in transaction mode would lose the lock)
 * @returns the names of the migrations that were applied, in order
 * @throws a sentence that names the file (and the line where there is one) and the remedy
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const directory = options.directory ?? join(process.cwd(), "prisma");
  const migrations = await readScripts(join(directory, "migrations"), /^(.+)$/, "migration.sql");
  const functions = await readScripts(join(directory, "functions"), /^(.+)\.sql$/);
  const client = new Client({ connectionString: databaseUrl, application_name: "lectern migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    // The server then notices within a second that this process was killed, and releases the lock.
    await client.query("SET client_connection_check_interval = '1s'");
    // And within a minute that its machine is gone.
    endWhenLost(client);
    await client.query("SET client_min_messages = warning");
    await takeLock(client, options.lockWaitMs ?? LOCK_WAIT_MS);
    const login = await loginOf(client);
    if (!login.isOwner) {
      await refuseMissing(login, client, databaseUrl, { setting: "DATABASE_URL", ...options, migrations, functions });
      return [];
    }
    await createRecords(client);
    const pending = await pendingMigrations(client, migrations);
    for (const migration of pending) {
      const start = performance.now();
      await apply(client, () => applyMigration(client, migration));
      options.log?.(`Applied ${migration.name} in ${Math.round(performance.now() - start)} ms.`);
    }
    const changed = await changedFunctions(client, functions);
    for (const script of changed) await apply(client, () => applyFunction(client, script));
    if (changed.length > 0) options.log?.(`Applied functions: ${changed.map(({ name }) => name).join(", ")}.`);
    await migrateJobs(databaseUrl);
    await apply(client, () => runScript(client, "server/migrate/login.ts", serverGrants));
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function readScripts(directory: string, pattern: RegExp, inside = ""): Promise<Script[]> {
  const entries = await readdir(directory).catch(() => {
    throw new Error(`${directory} is missing. Start Lectern in its own folder.`);
  });
  const scripts = entries.sort().map(async (entry) => {
    const name = pattern.exec(entry)?.[1];
    if (!name) return [];
    const file = join(directory, entry, inside);
    const bytes = await readFile(file);
    return [{ name, file, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") }];
  });
  return (await Promise.all(scripts)).flat();
}

async function takeLock(client: Client, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    if (performance.now() > deadline) {
      throw new Error(
        `Another process has been migrating this database for too long: ${await holderOfLock(client)}. Wait until it finishes or stop it, then start again.`,
      );
    }
    await sleep(100);
  }
}

async function holderOfLock(client: Client): Promise<string> {
  // Only the owner can see when its connections began.
  const { rows } = await client.query<{ pid: number; name: string; address: string; since: Date | null }>(
    `SELECT pid, application_name AS name, coalesce(host(client_addr), 'this machine') AS address, backend_start AS since
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted
       -- Each database of a server has this lock of its own.
       AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  );
  return rows
    .map(({ name, address, since, pid }) =>
      since
        ? `"${name}" from ${address}, connected since ${since.toISOString()} (backend ${pid})`
        : `"${name}" (backend ${pid})`,
    )
    .join(", ");
}

/** @throws a sentence for a login that is not the owner, if something is missing that only the owner can add */
async function refuseMissing(
  { name, isServer }: Login,
  client: Client,
  databaseUrl: string,
  { setting, migrations, functions }: { setting: string; migrations: Script[]; functions: Script[] },
): Promise<void> {
  if (!isServer) {
    throw new Error(
      `The role ${name} doesn't own Lectern's tables and can't use them. Set ${setting} to the owner's. For a server with a login of its own, follow deploy/server-login.sql as the database's administrator, then "npm run kb -- migrate" as the owner.`,
    );
  }
  const scripts = [...(await pendingMigrations(client, migrations)), ...(await changedFunctions(client, functions))];
  const missing = scripts.map((script) => script.name);
  await migrateJobs(databaseUrl).catch((error: unknown) => {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    missing.push("background jobs");
  });
  if (missing.length === 0) return;
  throw new Error(
    `The role ${name} can't apply the migrations of this version: ${missing.join(", ")}. Run "npm run kb -- migrate" with the owner's ${setting}, then start again.`,
  );
}

async function createRecords(client: Client): Promise<void> {
  // Prisma's definition.
  await client.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`);
  await client.query(`CREATE TABLE IF NOT EXISTS _applied_functions (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
}

async function pendingMigrations(client: Client, migrations: Script[]): Promise<Script[]> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const applied = new Set(rows.map(({ name }) => name));
  const [baseline] = migrations;
  if (baseline && rows.length > 0 && !applied.has(baseline.name)) {
    throw new Error(
      `This database was created by an older version of Lectern, without the migration ${baseline.name}. Export its workspaces with that version (npm run kb -- export) and import them here into an empty database.`,
    );
  }
  const onDisk = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finished } of rows) {
    const migration = onDisk.get(name);
    if (!migration) {
      throw new Error(
        `This database is newer than this version of Lectern, which doesn't have the migration ${name}. Start the version that applied it, or a later one.`,
      );
    }
    if (!finished) {
      throw new Error(
        `The migration ${name} was started by another tool and didn't finish. Finish or undo it manually, then record the result with prisma migrate resolve.`,
      );
    }
    if (checksum !== migration.checksum) {
      throw new Error(
        `The migration ${name} was changed after it was applied to this database. Restore ${migration.file}, and write the change as a new migration.`,
      );
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function changedFunctions(client: Client, functions: Script[]): Promise<Script[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "SELECT name, checksum FROM _applied_functions",
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
}

async function applyFunction(client: Client, { name, file, sql, checksum }: Script): Promise<void> {
  await runScript(client, file, sql);
  await client.query(
    `INSERT INTO _applied_functions (name, checksum) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = now()`,
    [name, checksum],
  );
}

async function applyMigration(client: Client, migration: Script): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), migration.checksum, migration.name],
  );
  await runScript(client, migration.file, migration.sql);
  const { rowCount } = await client.query(
    `UPDATE _prisma_migrations SET finished_at = clock_timestamp()
     WHERE migration_name = $1 AND finished_at IS NULL AND xmin = pg_current_xact_id()::xid`,
    [migration.name],
  );
  if (rowCount !== 1) {
    throw new Error(
      `${migration.file} ends its own transaction, so it may be applied in part. Remove COMMIT and ROLLBACK from it, and restore the database.`,
    );
  }
}

/** Runs `work` in a transaction, again when a table was in use for two seconds: the server in front is still running. */
async function apply(client: Client, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN");
      await client.query("SET LOCAL lock_timeout = '2s'");
      await work();
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      if (!(error instanceof ScriptError && error.tableInUse) || attempt === TABLE_LOCK_TRIES) throw error;
      await sleep(500 * attempt);
    }
  }
}
