import { access, constants, mkdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { createCluster, ensureServing, SUPERUSER, stopServing, superuserClient } from "@/server/postgres/cluster";
import { withLock } from "@/server/postgres/lock";
import { findPlace, type Place, rememberPort } from "@/server/postgres/place";
import { requireSameDatabase, waitForDatabase } from "@/server/postgres/wait";

const DATABASE = "lectern";
const JOIN_MS = 150_000;
const LEAVE_MS = 5_000;

/** An advisory lock in the database "postgres", shared by every process that uses the embedded server. */
const PRESENCE = 1_702_060_385;

export interface OpenDatabase {
  /** Contains the password. */
  url: string;
  /** For what needs a session of its own: migrations, background jobs, backups. Differs from `url` behind a connection pooler. */
  directUrl: string;
  /** `url` over the Unix socket of the embedded server, if it has one. */
  nearUrl: string;
  /** False if the server was already running. */
  started: boolean;
  /** Leaves the server, and stops it if nobody else uses it. Idempotent. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Created if missing. */
  dataDir: string;
  /** Whether commits must survive a crash of the machine. False makes tests faster. */
  durable?: boolean;
  log?: (line: string) => void;
}

/**
 * The database at `databaseUrl`, or else the embedded PostgreSQL of `dataDir`.
 * @param options.directUrl the same database without a connection pooler. `databaseUrl` when absent
 * @throws a sentence with its remedy
 */
export async function openDatabase(
  options: EmbeddedOptions & { databaseUrl?: string; directUrl?: string },
): Promise<OpenDatabase> {
  if (!options.databaseUrl) return startPostgres(options);
  const url = withLibpqModes(options.databaseUrl);
  const directUrl = withLibpqModes(options.directUrl ?? options.databaseUrl);
  await waitForDatabase(directUrl, {
    setting: url === directUrl ? "DATABASE_URL" : "DATABASE_DIRECT_URL",
    needsSession: true,
  });
  if (url !== directUrl) {
    await waitForDatabase(url);
    await requireSameDatabase(url, directUrl);
  }
  return { url, directUrl, nearUrl: url, started: false, release: async () => {} };
}

/** Gives `sslmode` the meaning that it has for PostgreSQL's own tools, where "require" does not check the certificate. */
export function withLibpqModes(databaseUrl: string): string {
  if (!/[?&]sslmode=/.test(databaseUrl) || databaseUrl.includes("uselibpqcompat=")) return databaseUrl;
  return `${databaseUrl}&uselibpqcompat=true`;
}

interface Attached {
  place: Place;
  port: number;
  started: boolean;
  presence: Client;
}

/**
 * Starts or joins the embedded PostgreSQL of `dataDir`, on 127.0.0.1 only, and creates the database "lectern". Several
 * programs share this process: the last one to `release` stops it, and it is restarted if it dies in use.
 * @throws a sentence with its remedy, after at most two and a half minutes
 */
export async function startPostgres({ dataDir, durable = true, log }: EmbeddedOptions): Promise<OpenDatabase> {
  const folder = resolve(dataDir);
  await makeWritable(folder);
  const options = { log: join(folder, "postgres.log"), durable };

  const attach = (fixedPort?: number): Promise<Attached> =>
    withLock(lockOf(folder), JOIN_MS, async () => {
      const place = await findPlace(folder);
      if (await isMissing(place.cluster)) {
        log?.(`Creating an empty database in ${place.cluster}.`);
        await createCluster(place, options);
      }
      const { port, started } = await ensureServing(place, { ...options, fixedPort });
      await rememberPort(folder, port);
      return { place, port, started, presence: await enter(place, port) };
    });

  let current = await attach();
  const { place, port, started } = current;
  let released = false;
  let reattaching: Promise<void> | undefined;

  const reattach = async () => {
    log?.("The embedded PostgreSQL stopped. Restarting it.");
    for (let pause = 200; !released; pause = Math.min(pause * 2, 5_000)) {
      try {
        current = await attach(port);
        log?.("The embedded PostgreSQL is back.");
        return watch();
      } catch (error) {
        log?.(`The embedded PostgreSQL can't be restarted yet. ${(error as Error).message}`);
        await sleep(pause);
      }
    }
  };
  const watch = () => {
    current.presence.once("end", () => {
      if (!released) reattaching = reattach();
    });
  };
  watch();

  const url = `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/${DATABASE}`;
  return {
    url,
    directUrl: url,
    nearUrl: await nearUrlOf(url, current),
    started,
    async release() {
      if (released) return;
      released = true;
      await Promise.race([reattaching, sleep(LEAVE_MS, undefined, { ref: false })]);
      await leave(folder, current);
    },
  };
}

const lockOf = (folder: string) => join(folder, "postgres.lock");

async function enter(place: Place, port: number): Promise<Client> {
  const client = superuserClient(place, port, "postgres");
  // A lost connection also ends, and we watch the presence for that.
  client.on("error", () => {});
  await client.connect();
  await client.query("SELECT pg_advisory_lock_shared($1)", [PRESENCE]);
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  return client;
}

async function nearUrlOf(url: string, { presence }: Attached): Promise<string> {
  const { rows } = await presence.query<{ unix_socket_directories: string }>("SHOW unix_socket_directories");
  const folder = rows[0]?.unix_socket_directories;
  return folder ? `${url}?host=${encodeURIComponent(folder)}` : url;
}

/** Under the lock, so nobody joins between the check that we are the last and the stop. */
async function leave(folder: string, { place, presence }: Attached): Promise<void> {
  try {
    await withLock(lockOf(folder), LEAVE_MS, async () => {
      const last = await isLast(presence);
      await presence.end();
      if (last) await stopServing(place);
    });
  } catch {
    // A process that holds the lock this long is starting the server, and uses it.
    await presence.end().catch(() => {});
  }
}

async function isLast(presence: Client): Promise<boolean> {
  try {
    await presence.query("SELECT pg_advisory_unlock_shared($1)", [PRESENCE]);
    const { rows } = await presence.query<{ last: boolean }>("SELECT pg_try_advisory_lock($1) AS last", [PRESENCE]);
    return rows[0]?.last === true;
  } catch {
    return false;
  }
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `Lectern can't write to ${folder} (${(error as NodeJS.ErrnoException).code}). Give this user write permission, or choose another folder with DATA_DIR=/some/folder.`,
    );
  }
}

const isMissing = (path: string) =>
  stat(path).then(
    () => false,
    () => true,
  );
