import { execFile } from "node:child_process";
import { appendFile, chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { createCluster, ensureServing, SUPERUSER, stopServing } from "@/server/postgres/cluster";
import { findPlace, type Place } from "@/server/postgres/place";
import { type Planted, plant } from "@/testing/wall";
import { aDatabase } from "@/testing/workspace";

/** A PostgreSQL that one test may freeze and stop. */
interface FragileServer {
  /** The URL of its database "postgres", with its superuser. */
  url: string;
  /** Suspends all of its processes: connections stay open, and nothing ever answers. */
  freeze(): Promise<void>;
  thaw(): void;
  stop(): Promise<void>;
  /** Starts it again at the same URL. */
  start(): Promise<void>;
  /** Ends it and removes its files, in any state. */
  drop(): Promise<void>;
  /**
   * Creates a streaming replica of it while it is stopped.
   * @param follows whether the replica connects to it
   */
  copy(follows: boolean): Promise<FragileServer>;
}

/** Creates a PostgreSQL for one test. */
async function aFragileServer(): Promise<FragileServer> {
  const folder = await aFolder();
  const place = await findPlace(folder);
  await createCluster(place, optionsIn(folder));
  return serve(folder, place);
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-outage-"));
  await chmod(folder, 0o755);
  return folder;
}

const optionsIn = (folder: string) => ({ log: join(folder, "postgres.log"), durable: false });

async function serve(folder: string, place: Place): Promise<FragileServer> {
  const options = optionsIn(folder);
  const { port } = await ensureServing(place, options);
  const url = `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/postgres`;
  let frozen: number[] = [];

  const thaw = () => {
    for (const pid of frozen.splice(0)) signal(pid, "SIGCONT");
  };
  return {
    url,
    async freeze() {
      const postmaster = Number.parseInt(await readFile(join(place.cluster, "postmaster.pid"), "utf8"), 10);
      const client = new Client({ connectionString: url });
      await client.connect();
      // First, so that it starts no processes after we list them.
      frozen = [postmaster];
      signal(postmaster, "SIGSTOP");
      const { rows } = await client.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
      );
      await client.end();
      for (const { pid } of rows) {
        signal(pid, "SIGSTOP");
        frozen.push(pid);
      }
    },
    thaw,
    stop: () => stopServing(place),
    async start() {
      await ensureServing(place, { ...options, fixedPort: port });
    },
    async drop() {
      thaw();
      await stopServing(place);
      await rm(folder, { recursive: true, force: true });
    },
    copy: (follows) => aCopy(place, port, follows),
  };
}

/**
 * Copies a stopped PostgreSQL, and starts the copy as its streaming replica.
 * @param port the primary's
 * @param follows whether the replica connects to the primary
 */
export async function aCopy(place: Place, port: number, follows = true): Promise<FragileServer> {
  const home = await aFolder();
  const cluster = join(home, "postgres");
  // With -a, the files keep their owner.
  await promisify(execFile)("cp", ["-a", place.cluster, cluster]);
  const settings = [
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${SUPERUSER} password=${place.password}'`,
    "wal_retrieve_retry_interval = 100",
    "max_standby_streaming_delay = 0",
  ];
  if (follows) await appendFile(join(cluster, "postgresql.auto.conf"), `${settings.join("\n")}\n`);
  // PostgreSQL only checks that the file exists.
  await promisify(execFile)("cp", ["-a", join(cluster, "PG_VERSION"), join(cluster, "standby.signal")]);
  return serve(home, { ...place, home, cluster, port: undefined });
}

/** A migrated database of such a server. */
export interface FragileDatabase extends FragileServer {
  /** A workspace of it. */
  ours: Planted;
  /** A client of the tables' owner. It is replaced when the server starts again. */
  owner: Client;
  /** Creates a streaming replica. The server restarts for it. */
  replica(options?: { follows: boolean }): Promise<FragileReplica>;
}

export interface FragileReplica extends FragileServer {
  /** Waits until it has what was committed before. */
  catchUp(): Promise<void>;
  /** Stops applying what it receives, or continues. */
  replay(action: "pause" | "resume"): Promise<void>;
}

/** Creates a PostgreSQL for one test, and a database with one workspace. */
export async function aFragileDatabase(): Promise<FragileDatabase> {
  const server = await aFragileServer();
  const { url, connect } = await aDatabase(server.url);
  const connected = async () => (await connect()).on("error", () => {});
  const owner = await connected();
  const database: FragileDatabase = {
    ...server,
    url,
    ours: await plant(owner),
    owner,
    async stop() {
      await database.owner.end();
      await server.stop();
    },
    async start() {
      await server.start();
      database.owner = await connected();
    },
    async drop() {
      server.thaw();
      await database.owner.end();
      await server.drop();
    },
    async replica({ follows } = { follows: true }) {
      await database.stop();
      const copy = await server.copy(follows);
      await database.start();
      const replicaUrl = Object.assign(new URL(url), { port: new URL(copy.url).port }).href;
      return {
        ...copy,
        url: replicaUrl,
        async catchUp() {
          // Also flushes what was committed without waiting.
          const [{ lsn = "" } = {}] = await queryAt<{ lsn: string }>(url, "SELECT pg_switch_wal()::text AS lsn");
          for (let isThere = false; !isThere; await sleep(20)) {
            const sql = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS "isThere"`;
            isThere = (await queryAt<{ isThere: boolean }>(replicaUrl, sql))[0]?.isThere ?? false;
          }
        },
        async replay(action) {
          await queryAt(replicaUrl, `SELECT pg_wal_replay_${action}()`);
        },
      };
    },
  };
  return database;
}

async function queryAt<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It had already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
