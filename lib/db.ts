import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { type Prisma, PrismaClient } from "@/lib/generated/prisma/client";

/** Prisma's client inside the wall: every query of it sees and writes one workspace. */
export type Db = Prisma.TransactionClient;

/** Runs one prepared statement inside the wall and gives its rows. */
export type Read = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

interface Connections {
  pool: pg.Pool;
  prisma: PrismaClient;
}

// One pool a process: Next bundles pages apart from the front door, and reloads modules in development.
const shared = globalThis as typeof globalThis & { lecternConnections?: Connections };

/** How long anything may wait for a free connection, in milliseconds; an exhausted pool otherwise waits for ever. */
const CONNECTION_WAIT = 2_500;

function connections(): Connections {
  if (shared.lecternConnections) return shared.lecternConnections;
  const { databaseUrl, databasePool } = env();
  if (!databaseUrl)
    throw new Error("DATABASE_URL is not set: start through `npm start`, or give the address of a PostgreSQL.");
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: databasePool,
    connectionTimeoutMillis: CONNECTION_WAIT,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that the server closes must not end the process; the pool replaces it.
  pool.on("error", () => {});
  // Nor must one that is in use, between two queries: the next query says so.
  pool.on("connect", (client) => client.on("error", () => {}));
  shared.lecternConnections = {
    pool,
    prisma: new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) }),
  };
  return shared.lecternConnections;
}

/**
 * The clients without the wall. Only the doors, lib/workspaces.ts, bin/ and the seed may import this (lint holds it):
 * what they ask is a question across workspaces.
 */
export const acrossWorkspaces = {
  get prisma(): PrismaClient {
    return connections().prisma;
  },
  /** Runs one prepared statement outside every workspace and gives its rows. */
  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return guarded(async () => (await connections().pool.query<Row>(prepared(sql, values))).rows);
  },
};

/**
 * The wall, for writes and for Prisma's model calls: one transaction that PostgreSQL itself confines to one workspace.
 * Nothing slow belongs inside but queries: it holds a connection.
 * @param seconds the most the whole transaction may take
 * @throws UnavailableError when the database is away, its pool exhausted or a statement too slow; what `work` throws
 */
export function inWorkspace<T>(workspaceId: string, work: (db: Db) => Promise<T>, seconds = 10): Promise<T> {
  return guarded(() =>
    connections().prisma.$transaction(
      async (db) => {
        await enterWorkspace(db, workspaceId, seconds);
        return work(db);
      },
      { maxWait: CONNECTION_WAIT, timeout: seconds * 1000 },
    ),
  );
}

/**
 * Puts the wall around the rest of an open transaction: for the one that makes a workspace and its first rows.
 * The role comes first: whoever connects, also a superuser, from here on is bound by the policies.
 * @param seconds the most a statement may take
 */
export async function enterWorkspace(db: Db, workspaceId: string, seconds = 10): Promise<void> {
  await db.$queryRaw`SELECT set_config('role', 'kb_tenant', true), set_config('app.workspace_id', ${workspaceId}, true),
    set_config('statement_timeout', ${String(seconds * 1000)}, true)`;
}

/**
 * The wall, for hot reads: a read-only snapshot of one workspace, by prepared statements, six to eight times cheaper
 * than Prisma's transaction.
 * @throws UnavailableError like inWorkspace; what `work` throws
 */
export async function readWorkspace<T>(workspaceId: string, work: (read: Read) => Promise<T>): Promise<T> {
  if (!/^[0-9a-f-]{36}$/.test(workspaceId)) throw new Error("A workspace id is a uuid.");
  return guarded(async () => {
    const client = await connections().pool.connect();
    let broken: Error | undefined;
    try {
      // One round trip for all of it; the id is a checked uuid, so it may stand in the text.
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('role', 'kb_tenant', true), ` +
          `set_config('app.workspace_id', '${workspaceId}', true), set_config('statement_timeout', '2500', true)`,
      );
      const result = await work(
        async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
          (await client.query<Row>(prepared(sql, values))).rows,
      );
      await client.query("COMMIT");
      return result;
    } catch (error) {
      // A connection that cannot even roll back is not given back to the pool.
      await client.query("ROLLBACK").catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  });
}

/** Reads through an open write transaction, for answers that must show what was just written. */
export function readingOf(db: Db): Read {
  return (sql, values = []) => db.$queryRawUnsafe(sql, ...values);
}

/** Closes every connection of this process. */
export async function closeConnections(): Promise<void> {
  const open = shared.lecternConnections;
  shared.lecternConnections = undefined;
  await open?.prisma.$disconnect();
  await open?.pool.end();
}

const names = new Map<string, string>();

function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  let name = names.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
  }
  return { name, text, values: [...values] };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnavailable(error) ? new UnavailableError("The database does not answer.", { cause: error }) : error;
  }
}

const prismaUnavailable = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2028"]);
const socketUnavailable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
]);

/** Whether an error of the driver or of Prisma says that the database is away, full or too slow (contract 61). */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (
    typeof code === "string" &&
    (prismaUnavailable.has(code) || socketUnavailable.has(code) || isUnavailableState(code))
  )
    return true;
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } }).meta;
  const original = meta?.driverAdapterError?.cause?.originalCode;
  if (original && isUnavailableState(original)) return true;
  return (
    // Neither of these carries a code.
    /^timeout exceeded when trying to connect|^Connection terminated|^Client has encountered a connection error/.test(
      error.message,
    )
  );
}

/** Statement timeout, server going down or coming up, out of resources, connection lost. */
function isUnavailableState(state: string): boolean {
  return /^(57014|57P0[1-4]|53...|08...)$/.test(state);
}
