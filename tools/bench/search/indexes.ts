import { Client } from "pg";
import { endsWithUs } from "./interruption";

interface Index {
  name: string;
  definition: string;
  /** The index of the partitioned table that contains this one. */
  parent: string | null;
  table: string;
}

/**
 * Drops the search tables' indexes before filling a database. Building them afterwards takes less
 * time, and gives the smallest indexes.
 * @returns a function that rebuilds them, two at a time
 */
export async function withoutSearchIndexes(url: string): Promise<() => Promise<void>> {
  const indexes = await withClient(url, async (client) => {
    const { rows } = await client.query<Index>(
      `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition,
         h.inhparent::regclass::text AS parent, i.indrelid::regclass::text AS table
       FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'public'::regnamespace
       LEFT JOIN pg_inherits h ON h.inhrelid = i.indexrelid
       WHERE starts_with(t.relname, 'search_') AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    );
    for (const { name, parent } of rows) if (!parent) await client.query(`DROP INDEX ${name}`);
    return rows;
  });
  return async () => {
    const whole = indexes.filter(({ parent }) => !parent);
    const parts = indexes.filter(({ parent }) => parent);
    // The index of a partitioned table is only a frame for the partitions' indexes.
    await eachOf(url, whole, async (client, { definition }) => void (await client.query(definition)));
    await eachOf(url, parts, async (client, { definition, name, parent }) => {
      await client.query(definition);
      await client.query(`ALTER INDEX ${parent} ATTACH PARTITION ${name}`);
    });
  };
}

/** Brings tables to the state of a long-running server: no dead rows, statistics, a visibility map. */
export async function tidyUp(url: string): Promise<void> {
  const tables = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; kind: string }>(
      `SELECT oid::regclass::text AS name, relkind AS kind FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY pg_table_size(oid) DESC`,
    );
    return rows;
  });
  const ofKind = (wanted: string) => tables.filter(({ kind }) => kind === wanted);
  await eachOf(url, ofKind("r"), async (client, { name }) => void (await client.query(`VACUUM (ANALYZE) ${name}`)));
  await eachOf(url, ofKind("p"), async (client, { name }) => void (await client.query(`ANALYZE ONLY ${name}`)));
  await withClient(url, (client) => client.query("CHECKPOINT"));
}

/** Runs work for each item of a list, two at a time, on connections with extra memory. */
async function eachOf<T>(
  url: string,
  list: readonly T[],
  work: (client: Client, one: T) => Promise<void>,
): Promise<void> {
  const waiting = [...list];
  const worker = () =>
    withClient(url, async (client) => {
      await client.query("SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 0");
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(client, one);
    });
  await Promise.all([worker(), worker()]);
}

/** Runs work on its own connection, as the database's owner. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: "lectern bench" });
  // Cutting off the connection makes its queries fail.
  client.on("error", () => {});
  const ended = endsWithUs(() => client.connection.stream.destroy());
  try {
    await client.connect();
    return await work(client);
  } finally {
    ended();
    await client.end().catch(() => {});
  }
}
