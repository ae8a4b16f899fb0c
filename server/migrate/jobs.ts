import { Logger, runMigrations } from "graphile-worker";
import { Pool } from "pg";

/** Creates or updates the schema graphile_worker. The caller holds the migration lock. */
export async function migrateJobs(databaseUrl: string): Promise<void> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    application_name: "lectern migrate",
  });
  // As for our own migrations, nothing may queue for long behind a migration that waits for a table. Poolers refuse this as a
  // startup parameter.
  pool.on("connect", (client) => void client.query("SET lock_timeout = '2s'").catch(() => {}));
  pool.on("error", () => {});
  try {
    await runMigrations({ pgPool: pool, schema: "graphile_worker", logger: new Logger(() => () => {}) });
  } finally {
    await pool.end();
  }
}
