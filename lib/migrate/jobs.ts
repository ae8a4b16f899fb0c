import { Logger, runMigrations } from "graphile-worker";
import { Pool } from "pg";

/**
 * Makes the tables of background jobs, or brings them up to date: the schema graphile_worker, by the library's own
 * migrations, each of which is one transaction. The caller holds the lock that lets one process migrate at a time.
 * @throws what the library says when the database was migrated by a newer version of it
 */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    application_name: "lectern migrate",
    // As for our own: nobody queues for long behind a migration that waits for a table.
    lock_timeout: 2_000,
  });
  pool.on("error", () => {});
  try {
    await runMigrations({ pgPool: pool, schema: "graphile_worker", logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}
