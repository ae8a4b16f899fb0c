import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { createCluster, ensureServing, SUPERUSER, stopServing } from "@/server/postgres/cluster";
import { findPlace } from "@/server/postgres/place";
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
}

/** Creates a PostgreSQL for one test. */
async function aFragileServer(): Promise<FragileServer> {
  const folder = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-outage-"));
  await chmod(folder, 0o755);
  const place = await findPlace(folder);
  const options = { log: join(folder, "postgres.log"), durable: false };
  await createCluster(place, options);
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
  };
}

/** A migrated database of such a server. */
export interface FragileDatabase extends FragileServer {
  /** A workspace of it. */
  ours: Planted;
  /** A client of the tables' owner. It is replaced when the server starts again. */
  owner: Client;
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
  };
  return database;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It had already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
