import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { migrateJobs } from "@/lib/migrate/jobs";
import { runScript, ScriptError } from "@/lib/migrate/script";

/** The lock that `prisma migrate` takes, so that the two never run at once. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_WAIT_MS = 60_000;
const TABLE_LOCK_TRIES = 5;

export interface MigrateOptions {
  /** The folder with one folder per migration; `prisma/migrations` of the current folder when not given. */
  directory?: string;
  /** How long to wait for another process that is migrating, in milliseconds. */
  lockWaitMs?: number;
  /** Hears of each migration that was applied. */
  log?: (line: string) => void;
}

interface Migration {
  name: string;
  file: string;
  sql: string;
  checksum: string;
}

/**
 * Brings a database up to date, as `prisma migrate deploy` would, whose records it keeps: `prisma migrate status`
 * agrees with it afterwards. Each migration is one transaction together with its record, so one that fails, or whose
 * process is killed, leaves nothing. No migration waits longer than two seconds for a table while others queue
 * behind it. The tables of background jobs follow, which their library migrates itself.
 *
 * @param databaseUrl a direct connection (not through a pooler in transaction mode, which loses the lock)
 * @returns the names of the migrations that were applied, in order
 * @throws a sentence that names the migration (and the line where there is one) and the remedy
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.directory ?? join(process.cwd(), "prisma/migrations"));
  const client = new Client({ connectionString: databaseUrl, application_name: "lectern migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    // The server then notices within a second that this process was killed, and lets go of the lock.
    await client.query("SET client_connection_check_interval = '1s'");
    await client.query("SET client_min_messages = warning");
    await takeLock(client, options.lockWaitMs ?? LOCK_WAIT_MS);
    const pending = await findPending(client, migrations);
    for (const migration of pending) {
      const start = performance.now();
      await apply(client, migration);
      options.log?.(`Applied ${migration.name} in ${Math.round(performance.now() - start)} ms.`);
    }
    await migrateJobs(databaseUrl);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new Error(`There are no migrations in ${directory}. Start Lectern in its own folder.`);
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = join(directory, name, "migration.sql");
      const bytes = await readFile(file);
      return { name, file, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
}

async function takeLock(client: Client, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [MIGRATION_LOCK]);
    if (rows[0]?.mine) return;
    if (Date.now() > deadline) {
      throw new Error(
        `Another process has been migrating this database for too long: ${await holderOfLock(client)}. Wait until it is done, or end it, and start again.`,
      );
    }
    await sleep(100);
  }
}

async function holderOfLock(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string; since: Date }>(
    `SELECT pid, application_name AS name, coalesce(host(client_addr), 'this machine') AS address, backend_start AS since
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND objsubid = 1 AND granted
       -- Each database of a server has this lock of its own.
       AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [MIGRATION_LOCK],
  );
  return rows
    .map((row) => `"${row.name}" from ${row.address}, connected since ${row.since.toISOString()} (backend ${row.pid})`)
    .join(", ");
}

async function findPending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  // Prisma's own definition.
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
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const ours = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, finished } of rows) {
    const migration = ours.get(name);
    if (!migration) {
      throw new Error(
        `This database is newer than this Lectern: it has the migration ${name}, which is not in the folder. Start the version that made it, or a later one.`,
      );
    }
    if (!finished) {
      throw new Error(
        `The migration ${name} was begun by another tool and did not finish. Finish or undo it by hand, then tell with prisma migrate resolve which it was.`,
      );
    }
    if (checksum !== migration.checksum) {
      throw new Error(
        `The migration ${name} was changed after it had been applied to this database. Put ${migration.file} back as it was, and write the change as a new migration.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

/** Tries again when a table is in use for longer than two seconds: the server in front is still at work. */
async function apply(client: Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(client, migration);
    } catch (error) {
      if (!(error instanceof ScriptError && error.tableInUse) || attempt === TABLE_LOCK_TRIES) throw error;
      await sleep(500 * attempt);
    }
  }
}

async function applyOnce(client: Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '2s'");
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
        `${migration.file} ends the transaction it runs in, so it may be applied in part. Leave COMMIT and ROLLBACK out of it, and restore the database.`,
      );
    }
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}
