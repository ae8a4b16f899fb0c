import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { REPLICA_IS_CURRENT } from "@/lib/db";

const OLDEST = 15;
/** A protocol violation, with which a connection pooler also reports that PostgreSQL refused it. */
const REFUSED = "08P01";
/** How long a notification takes at most, in milliseconds. */
const NOTIFIED_MS = 5_000;
const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;

/**
 * Waits until the server of `url` accepts us, while it is starting.
 * @param options.waitMs in milliseconds
 * @param options.setting the name of the setting that `url` comes from
 * @param options.needsSession refuses a connection pooler that gives each transaction another session
 * @throws a sentence with host, port, reason and remedy, without the password
 */
export async function waitForDatabase(
  url: string,
  { waitMs = 15_000, setting = "DATABASE_URL", needsSession = false } = {},
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const client = connection(url, setting);
    const where = `${client.host}:${client.port}`;
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string; pid: number }>(
        "SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid",
      );
      const { version = "0", pid } = rows[0] ?? {};
      if (Number.parseInt(version, 10) < OLDEST) {
        throw new Error(
          `The database at ${where} is PostgreSQL ${version}, but Lectern needs ${OLDEST} or newer. Upgrade it, or set ${setting} to another server.`,
          { cause: "final" },
        );
      }
      if (!needsSession || pid === idOf(client) || (await hears(client, connection(url, setting)))) return;
      throw new Error(
        `${setting} is the URL of a connection pooler that doesn't keep sessions or pass on notifications, at ${where}. Migrations and background jobs don't work through it. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.`,
        { cause: "final" },
      );
    } catch (error) {
      const { code, message, cause } = error as Error & { code?: string };
      if (cause === "final") throw error;
      // 28: identity; 3D: the database's name; 42: privileges.
      if (/^(28|3D|42)/.test(code ?? "")) {
        throw new Error(
          `The database at ${where} refused the connection: ${message}. Check the user, password, and name in ${setting}.`,
        );
      }
      if (UNTRUSTED.test(code ?? "")) {
        throw new Error(
          `The certificate of the database at ${where} is not trusted (${code}). In ${setting}, use the host name of the certificate and sslmode=verify-full&sslrootcert=/path/to/ca.pem with its authority, or sslmode=require to encrypt without checking it.`,
        );
      }
      if (/does not support SSL/.test(message)) {
        throw new Error(
          `The database at ${where} doesn't accept TLS. Turn it on there, or remove sslmode from ${setting}.`,
        );
      }
      if (performance.now() > deadline) {
        throw new Error(
          code === REFUSED
            ? `The database at ${where} doesn't respond (${message}). Check the pooler's log, and the user, password, and database name in ${setting}.`
            : `The database at ${where} doesn't respond (${code ?? message}). Start it, or check host and port in ${setting}.`,
        );
      }
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(200);
  }
}

/** The process ID that the server told the client. A pooler tells one of its own. */
const idOf = (client: Client) => (client as Client & { processID: number }).processID;

/**
 * Refuses URLs of different databases. Migrations would reach one, and requests the other.
 * @throws a sentence with its remedy
 */
export async function requireSameDatabase(url: string, directUrl: string): Promise<void> {
  const client = connection(directUrl, "DATABASE_DIRECT_URL");
  try {
    await client.connect();
    if (await hears(client, connection(url, "DATABASE_URL"))) return;
  } finally {
    await client.end().catch(() => {});
  }
  throw new Error(
    "DATABASE_URL and DATABASE_DIRECT_URL are different databases. Set both to the same database, with the connection pooler in DATABASE_URL and without it in DATABASE_DIRECT_URL.",
  );
}

/** A pooler accepts connections while its replica is away. */
const REPLICA_MS = 5_000;

export interface ReplicaState {
  /** False after a promotion. */
  isReplica: boolean;
  isConnected: boolean;
  isCurrent: boolean;
  /** The age of the last transaction that it replayed, in seconds, or null if it has replayed all that it received. */
  age: number | null;
}

/**
 * Checks that the replica is one of our database.
 * @returns its state, or why it can't be reached
 * @throws a sentence with its remedy if the URL is another database's
 */
export async function replicaState(replicaUrl: string, directUrl: string): Promise<ReplicaState | { away: string }> {
  const [replica, primary] = [
    connection(replicaUrl, "DATABASE_REPLICA_URL"),
    connection(directUrl, "DATABASE_DIRECT_URL"),
  ];
  const sql = `SELECT system_identifier::text AS system, current_database() AS name,
    pg_is_in_recovery() AS "isReplica", EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isConnected",
    ${REPLICA_IS_CURRENT} AS "isCurrent", CASE WHEN pg_last_wal_replay_lsn() < pg_last_wal_receive_lsn()
      THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::int END AS age
    FROM pg_control_system()`;
  const ask = async (client: Client) => {
    await client.connect();
    const query = { text: sql, query_timeout: REPLICA_MS };
    return (await client.query<ReplicaState & { system: string; name: string }>(query)).rows[0];
  };
  try {
    const theirs = await ask(replica).catch((error: Error & { code?: string }) => error);
    // PostgreSQL's message says more than its code.
    if (theirs instanceof Error)
      return { away: (/^\d/.test(theirs.code ?? "") ? null : theirs.code) ?? theirs.message };
    const ours = await ask(primary);
    if (theirs && theirs.system === ours?.system && theirs.name === ours.name) return theirs;
  } finally {
    for (const client of [replica, primary]) await client.end().catch(() => {});
  }
  throw new Error(
    "DATABASE_REPLICA_URL isn't a streaming replica of the database in DATABASE_URL. Correct DATABASE_REPLICA_URL, or unset it.",
  );
}

/** Whether the client keeps its session, and hears the sender, which is then in the same database. */
async function hears(client: Client, sender: Client): Promise<boolean> {
  const channel = `lectern_${randomBytes(6).toString("hex")}`;
  const heard = once(client, "notification").then(
    () => true,
    () => false,
  );
  try {
    await client.query(`LISTEN ${channel}`);
    await sender.connect();
    await sender.query(`NOTIFY ${channel}`);
    return await Promise.race([heard, sleep(NOTIFIED_MS, false, { ref: false })]);
  } finally {
    await sender.end().catch(() => {});
  }
}

function connection(url: string, setting: string): Client {
  try {
    if (!/^postgres(ql)?:$/.test(new URL(url).protocol)) throw new Error();
    const options = { connectionString: url, connectionTimeoutMillis: 5_000, application_name: "lectern" };
    return new Client(options).on("error", () => {});
  } catch {
    throw new Error(
      `${setting} is not the URL of a PostgreSQL database. Write it as postgresql://user:password@host:5432/name, with special characters in the password percent-encoded.`,
    );
  }
}
