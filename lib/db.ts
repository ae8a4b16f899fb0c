import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { type Prisma, PrismaClient } from "@/lib/generated/prisma/client";
import { noteOfRequest } from "@/lib/request";
import { withinPatience } from "./db/patience";
import { BoundedPool, CONNECTION_MS } from "./db/pool";
import { tellSlowQueries } from "./db/slow";
import { isUnavailable } from "./db/unavailable";

/** Prisma's client inside the wall: every query of it sees and writes one workspace. */
export type Db = Prisma.TransactionClient;

/** Runs one prepared statement inside the wall and gives its rows. */
export type Read = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

interface Connections {
  pool: BoundedPool;
  prisma: PrismaClient;
}

// One pool a process: Next bundles pages apart from the front door, and reloads modules in development.
const shared = globalThis as typeof globalThis & { lecternConnections?: Connections };

/** How many of a process's connections are kept for background jobs (lib/jobs/worker.ts): one listens, one asks. */
export const JOB_CONNECTIONS = 2;

/** The most a unit may take when nobody says otherwise, in seconds. */
const READ_SECONDS = 2;
const WRITE_SECONDS = 10;

function connections(): Connections {
  if (shared.lecternConnections) return shared.lecternConnections;
  const { databaseUrl, databasePool, slowQueryMs } = env();
  if (!databaseUrl)
    throw new Error("DATABASE_URL is not set: start through `npm start`, or give the address of a PostgreSQL.");
  const pool = new BoundedPool({
    connectionString: databaseUrl,
    max: databasePool - JOB_CONNECTIONS,
    idleTimeoutMillis: 30_000,
  });
  if (slowQueryMs > 0) pool.on("connect", (client) => tellSlowQueries(client, slowQueryMs));
  shared.lecternConnections = {
    pool,
    prisma: new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }) }),
  };
  return shared.lecternConnections;
}

/**
 * The database without the wall. Only those whom ARCHITECTURE.md names may import this (lint holds it): what they ask is a
 * question across workspaces. Both throw like inWorkspace.
 */
export const acrossWorkspaces = {
  /**
   * Runs one prepared statement outside every workspace and gives its rows.
   * @param seconds the most it may take, waiting for a connection included
   */
  query<Row extends object>(sql: string, values: readonly unknown[] = [], seconds = READ_SECONDS): Promise<Row[]> {
    return unit(seconds, async (ms) => {
      const client = await connections().pool.take(ms);
      try {
        return (await client.query<Row>(prepared(sql, values))).rows;
      } finally {
        // One that was cut off meanwhile is known to the pool.
        client.release();
      }
    });
  },

  /** Runs Prisma's model calls in one transaction outside every workspace; `enterWorkspace` ends that. */
  transaction<T>(work: (db: Db) => Promise<T>, seconds = WRITE_SECONDS): Promise<T> {
    return transaction((db) => work(db), seconds);
  },
};

/**
 * The wall, for writes and for Prisma's model calls: one transaction that PostgreSQL itself confines to one workspace.
 * Nothing slow belongs inside but queries: it holds a connection.
 * @param seconds the most the whole unit may take, waiting for a connection and for locks included. Within a request
 *   also the most is what is left of its patience (contract 61): what takes longer is no work for a request
 * @throws UnavailableError when the database is away, its pool exhausted or a statement too slow; what `work` throws
 */
export function inWorkspace<T>(workspaceId: string, work: (db: Db) => Promise<T>, seconds = WRITE_SECONDS): Promise<T> {
  return transaction(async (db, ms) => {
    await enterWorkspace(db, workspaceId, ms / 1000);
    return work(db);
  }, seconds);
}

function transaction<T>(work: (db: Db, ms: number) => Promise<T>, seconds: number): Promise<T> {
  return unit(seconds, (ms) => {
    const { pool, prisma } = connections();
    const options = { maxWait: Math.min(ms, CONNECTION_MS), timeout: ms };
    return pool.within(ms, () => prisma.$transaction((db) => work(db, ms), options));
  });
}

/**
 * Puts the wall around the rest of an open transaction: for the one that makes a workspace and its first rows, and others
 * that begin across workspaces. Whoever may not have acrossWorkspaces may not have this.
 * The role comes first: whoever connects, also a superuser, from here on is bound by the policies.
 * @param seconds the most a statement may take, and the longest pause between two: a process that stops in the middle
 *   must not keep its locks
 */
export async function enterWorkspace(db: Db, workspaceId: string, seconds = WRITE_SECONDS): Promise<void> {
  const ms = String(Math.ceil(seconds * 1000));
  await db.$queryRaw`SELECT set_config('role', 'kb_tenant', true), set_config('app.workspace_id', ${workspaceId}, true),
    set_config('statement_timeout', ${ms}, true), set_config('idle_in_transaction_session_timeout', ${ms}, true)`;
}

/**
 * The wall, for hot reads: a read-only snapshot of one workspace, by prepared statements, six to eight times cheaper
 * than Prisma's transaction.
 * @param seconds as of inWorkspace
 * @throws UnavailableError like inWorkspace; what `work` throws
 */
export async function readWorkspace<T>(
  workspaceId: string,
  work: (read: Read) => Promise<T>,
  seconds = READ_SECONDS,
): Promise<T> {
  if (!/^[0-9a-f-]{36}$/.test(workspaceId)) throw new Error("A workspace id is a uuid.");
  return unit(seconds, async (ms) => {
    const client = await connections().pool.take(ms);
    let broken: Error | undefined;
    try {
      // One round trip for all of it; the id is a checked uuid, so it may stand in the text.
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('role', 'kb_tenant', true), ` +
          `set_config('app.workspace_id', '${workspaceId}', true), set_config('statement_timeout', '${ms}', true)`,
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

/** The connections of this process: how many there are, how many of them nobody uses, and who waits for one. */
export function connectionCounts(): { total: number; idle: number; waiting: number } {
  const pool = shared.lecternConnections?.pool;
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
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

/** One wait for the database, from asking for a connection to giving it back: never longer than `seconds`. */
async function unit<T>(seconds: number, work: (ms: number) => Promise<T>): Promise<T> {
  try {
    return await withinPatience(seconds * 1000, work);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    noteOfRequest({ unavailable: true });
    throw new UnavailableError("The database does not answer.", { cause: error });
  }
}
