import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { Prisma, PrismaClient } from "@/lib/generated/prisma/client";
import { noteOfRequest } from "@/lib/http/request";
import { awaitWithinPatience, withinPatience } from "./db/patience";
import { BoundedPool, CONNECTION_MS, endWhenLost } from "./db/pool";
import { isReplicaError, Replica, type Snapshot } from "./db/replica";
import { inShare } from "./db/share";
import { logSlowQueries } from "./db/slow";
import { isUnavailable } from "./db/unavailable";
import { noteSnapshot, type Read, type Versions } from "./db/versions";

export { batched, MOST_TOGETHER } from "./db/batch";
export { REPLICA_IS_CURRENT } from "./db/replica";
export { inTurns } from "./db/turns";
export { keptByVersion, type Read, type Versions, versionsOf } from "./db/versions";
export { awaitWithinPatience, endWhenLost, withinPatience };

/** Prisma's client inside the wall. */
export type Db = Prisma.TransactionClient;

interface Connections {
  pool: BoundedPool;
  /** Created on first use, because it takes 20 MB and reads don't need it. */
  prisma?: PrismaClient;
  replica: Replica | null;
}

// One pool per process: Next bundles pages separately, and reloads modules in development.
const shared = globalThis as typeof globalThis & { lecternConnections?: Connections };

/** Connections reserved for background jobs (server/jobs/worker.ts): one listens, one queries. */
export const JOB_CONNECTIONS = 2;

const READ_SECONDS = 2;
const WRITE_SECONDS = 10;

function connections(): Connections {
  if (shared.lecternConnections) return shared.lecternConnections;
  const { databaseUrl, directUrl, replicaUrl, databasePool, slowQueryMs } = env();
  if (!databaseUrl)
    throw new Error("DATABASE_URL is not set. Start with `npm start`, or set it to the URL of a PostgreSQL database.");
  const poolOf = (connectionString: string, isPooled: boolean, facts: Record<string, string> = {}) => {
    const pool = new BoundedPool({
      connectionString,
      application_name: "lectern",
      isPooled,
      max: databasePool - JOB_CONNECTIONS,
      idleTimeoutMillis: 30_000,
      // Sends each statement without waiting for the previous one's result.
      pipeline: true,
    });
    if (slowQueryMs > 0) pool.on("connect", (client) => logSlowQueries(client, slowQueryMs, facts));
    return pool;
  };
  const pool = poolOf(databaseUrl, directUrl !== databaseUrl);
  shared.lecternConnections = {
    pool,
    // The replica may be behind a pooler too.
    replica: replicaUrl ? new Replica(poolOf(replicaUrl, true, { database: "replica" })) : null,
  };
  return shared.lecternConnections;
}

function withPrisma(open: Connections) {
  open.prisma ??= new PrismaClient({
    adapter: new PrismaPg(open.pool, { disposeExternalPool: false, statementNameGenerator: nameOfPrismas }),
  });
  return { ...open, prisma: open.prisma };
}

/** The database without the wall, for questions across workspaces. Lint allows it to few files (ARCHITECTURE.md). */
export const acrossWorkspaces = {
  query<Row extends object>(sql: string, values: readonly unknown[] = [], seconds = READ_SECONDS): Promise<Row[]> {
    return unit(seconds, null, async (ms) => {
      const client = await connections().pool.take(ms);
      try {
        return (await client.query<Row>(prepared(sql, values))).rows;
      } finally {
        client.release();
      }
    });
  },

  transaction<T>(work: (db: Db) => Promise<T>, seconds = WRITE_SECONDS): Promise<T> {
    return transaction(null, work, seconds);
  },
};

/**
 * The wall, for writes: one transaction that PostgreSQL confines to one workspace. It holds a connection, so only
 * queries belong inside.
 * @param seconds the limit, waits included. A request's remaining patience may be shorter (contract 61)
 * @throws UnavailableError when the database is away, its pool exhausted or a statement too slow
 */
export function inWorkspace<T>(workspaceId: string, work: (db: Db) => Promise<T>, seconds = WRITE_SECONDS): Promise<T> {
  return transaction(workspaceId, work, seconds);
}

/** The connections of open transactions. A statement that goes there directly costs much less than one through Prisma. */
const connectionOf = new WeakMap<Db, pg.PoolClient>();

/** Sends changes in SQL directly. */
function withConnection(db: Db, client: pg.PoolClient): Db {
  const execute = async (sql: string, ...values: unknown[]) => (await client.query(named(sql, values))).rowCount ?? 0;
  const direct: Partial<Record<string | symbol, unknown>> = {
    $executeRawUnsafe: execute,
    $executeRaw: (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const sql = "raw" in query ? Prisma.sql(query, ...values) : query;
      return execute(sql.text, ...sql.values);
    },
  };
  const wrapped: Db = new Proxy(db, {
    get: (prisma, name): unknown => (connectionOf.has(wrapped) && direct[name]) || Reflect.get(prisma, name),
  });
  connectionOf.set(wrapped, client);
  return wrapped;
}

function transaction<T>(workspaceId: string | null, work: (db: Db) => Promise<T>, seconds: number): Promise<T> {
  return unit(seconds, workspaceId, (ms) => {
    const { pool, prisma } = withPrisma(connections());
    // The pool cuts the connection in time. Prisma must not roll back before that: statements sent directly would run after it.
    const options = { maxWait: Math.min(ms, CONNECTION_MS), timeout: ms + CONNECTION_MS };
    const inside = async (prisma: Db) => {
      const db = withConnection(prisma, pool.lent());
      try {
        // The first statements of `work` don't have to wait. PostgreSQL runs them after this one, or refuses them if it fails.
        const [, result] = await inOneGo([begin(db, workspaceId, ms), (async () => work(db))()]);
        return result;
      } finally {
        connectionOf.delete(db);
      }
    };
    return pool.within(ms, () => prisma.$transaction(inside, options));
  });
}

/** The role comes first, so the policies bind even a superuser. */
const WALL = "set_config('role', 'kb_tenant', true), set_config('app.workspace_id', $1, true)";

/** Puts the wall around the rest of an open transaction. */
export async function enterWorkspace(db: Db, workspaceId: string): Promise<void> {
  await readingOf(db)(`SELECT ${WALL}`, [workspaceId]);
}

/** Limits each statement and each pause between two, because a stopped process or a lost connection must not keep its locks. */
async function begin(db: Db, workspaceId: string | null, ms: number): Promise<void> {
  const limits = (value: string) =>
    `set_config('statement_timeout', ${value}, true), set_config('idle_in_transaction_session_timeout', ${value}, true)`;
  if (workspaceId === null) await readingOf(db)(`SELECT ${limits("$1")}`, [String(ms)]);
  else await readingOf(db)(`SELECT ${WALL}, ${limits("$2")}`, [workspaceId, String(ms)]);
}

/**
 * The wall, for hot reads: a read-only snapshot, six to eight times cheaper than Prisma's transaction.
 * @param since the content versions that the primary had. A replica that has reached them may answer. If a statement fails there,
 * `work` runs again on the primary
 */
export function readWorkspace<T>(
  workspaceId: string,
  work: (read: Read) => Promise<T>,
  seconds = READ_SECONDS,
  since?: Versions,
): Promise<T> {
  const alone = async (ms: number) => {
    const { read, end } = await openSnapshot(workspaceId, ms, since && (() => [since]));
    try {
      return await work(read);
    } finally {
      end();
    }
  };
  return unit(seconds, null, (ms) => inShare(workspaceId, ms, alone, true)).catch((error: unknown) => {
    if (isReplicaError(error)) return readWorkspace(workspaceId, work, seconds);
    throw error;
  });
}

/** @param since the versions that a snapshot of the replica must have reached. Without it, the primary answers */
async function openSnapshot(workspaceId: string, ms: number, since?: () => readonly Versions[]): Promise<Snapshot> {
  const { pool, replica } = connections();
  const start = performance.now();
  if (replica && since) {
    // Leaves the other half of the time for the primary.
    const open = () => beginSnapshot(replica.pool, workspaceId, Math.ceil(ms / 2));
    const snapshot = await replica.snapshot(workspaceId, since, open);
    if (snapshot) {
      noteSnapshot(snapshot.read, workspaceId, snapshot.versions);
      return snapshot;
    }
  }
  return beginSnapshot(pool, workspaceId, Math.max(1, Math.ceil(ms - (performance.now() - start))));
}

async function beginSnapshot(pool: BoundedPool, workspaceId: string, ms: number): Promise<Snapshot> {
  if (!/^[0-9a-f-]{36}$/.test(workspaceId)) throw new Error("A workspace ID must be a UUID.");
  const client = await pool.take(ms);
  // `BEGIN` is sent together with the first statement.
  const opened = client.query(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT set_config('role', 'kb_tenant', true), ` +
      `set_config('app.workspace_id', '${workspaceId}', true), set_config('statement_timeout', '${ms}', true), ` +
      // A lost connection must not keep its snapshot and locks.
      `set_config('idle_in_transaction_session_timeout', '${ms}', true)`,
  );
  // Reported by the reads.
  opened.catch(() => {});
  let ended = false;
  const read: Read = async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    if (ended) throw new Error("This unit has ended.");
    // The result is used only if `BEGIN` succeeded, so it comes from behind the wall.
    const [, { rows }] = await Promise.all([opened, client.query<Row>(prepared(sql, values))]);
    return rows;
  };
  noteSnapshot(read, workspaceId);
  return {
    read,
    end: () => {
      ended = true;
      // No need to wait for the commit. The connection runs its next statement afterward, unless it could not commit.
      client.query("COMMIT").catch((error: Error) => client.connection.stream.destroy(error));
      client.release();
    },
  };
}

interface Gathering {
  started: number;
  members: number;
  /** The versions that a replica must have reached for all members. */
  since: Versions[];
  opening: Promise<Snapshot>;
}

/** Snapshots that wait for their turn and their connection, by workspace and whether a replica may answer. */
const gatherings = new Map<string, Gathering>();
const MOST_MEMBERS = 16;
/** How much less time a read may have than another one of its snapshot, in milliseconds. */
const FRESH_MS = 100;

/**
 * `readWorkspace` for quick reads. Those that wait for a connection at the same time share a snapshot. It is taken after all of
 * them asked, so their data is as fresh as from snapshots of their own. Their statements run one after another.
 * @param work runs again if a statement of another read failed, because that ends the snapshot
 * @param since lets a replica answer, as in `readWorkspace`
 */
export function readTogether<T>(workspaceId: string, work: (read: Read) => Promise<T>, since?: Versions): Promise<T> {
  const reading = unit(READ_SECONDS, null, (ms) => {
    if (ms < READ_SECONDS * 1000 - FRESH_MS) return readWorkspace(workspaceId, work, READ_SECONDS, since);
    const name = since && connections().replica ? `${workspaceId} on a replica` : workspaceId;
    const known = gatherings.get(name);
    const joins = known && known.members < MOST_MEMBERS && performance.now() - known.started < FRESH_MS;
    const gathering = joins ? known : gather(name, workspaceId, ms, since !== undefined);
    if (since) gathering.since.push(since);
    return readIn(gathering, work);
  });
  return reading.catch((error: unknown) => {
    if (isReplicaError(error) || isConsequence(error)) return readWorkspace(workspaceId, work);
    throw error;
  });
}

/** Takes one of the workspace's turns until all members have ended. */
function gather(name: string, workspaceId: string, ms: number, mayUseReplica: boolean): Gathering {
  const since: Versions[] = [];
  const close = () => {
    if (gatherings.get(name) === gathering) gatherings.delete(name);
  };
  const membersSince = () => {
    // A member that joins later could need newer versions.
    close();
    return since;
  };
  const opening = new Promise<Snapshot>((resolve, reject) => {
    const open = async (ms: number) => {
      const { read, end } = await openSnapshot(workspaceId, ms, mayUseReplica ? membersSince : undefined);
      await new Promise<void>((ended) => {
        resolve({
          read,
          end: () => {
            end();
            ended();
          },
        });
      });
    };
    inShare(workspaceId, ms, open).catch(reject);
  });
  const gathering: Gathering = { started: performance.now(), members: 0, since, opening };
  gatherings.set(name, gathering);
  opening.then(close, close);
  return gathering;
}

async function readIn<T>(gathering: Gathering, work: (read: Read) => Promise<T>): Promise<T> {
  gathering.members++;
  const { read, end } = await gathering.opening;
  try {
    return await work(read);
  } finally {
    gathering.members--;
    if (gathering.members === 0) end();
  }
}

/** Locks the workspace's row until the transaction ends, so that a second such transaction sees the changes of the first. */
export async function lockWorkspace(db: Db): Promise<void> {
  await readingOf(db)("SELECT FROM workspaces FOR NO KEY UPDATE");
}

const IN_FAILED_TRANSACTION = "25P02";
/** pg sends a named statement's text once. If PostgreSQL refuses it, repeats that were already sent fail with this code. */
const NO_SUCH_STATEMENT = "26000";

/** Whether a statement failed only because an earlier one in its transaction did. Handles Prisma's errors too. */
function isConsequence(error: unknown): boolean {
  const { code, meta } = error as {
    code?: string;
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  const state = meta?.driverAdapterError?.cause?.originalCode ?? code;
  return state === IN_FAILED_TRANSACTION || state === NO_SUCH_STATEMENT;
}

/**
 * Waits for statements that were sent together. PostgreSQL runs them in the order they were sent.
 * @throws the error of the first statement that failed, after all have ended, so that none runs after the transaction
 */
export async function inOneGo<T extends readonly unknown[] | []>(
  statements: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  const results = await Promise.allSettled(statements);
  const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
  // After a statement has failed, PostgreSQL refuses the rest of the transaction. That error isn't the cause.
  const cause = errors.find((error) => !isConsequence(error)) ?? errors[0];
  if (cause) throw cause;
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}

export function readingOf(db: Db): Read {
  return async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    const client = connectionOf.get(db);
    if (!client) return db.$queryRawUnsafe<Row[]>(sql, ...values);
    return (await client.query<Row>(named(sql, values))).rows;
  };
}

export function connectionCounts(
  pool: BoundedPool | undefined = shared.lecternConnections?.pool,
): Record<"total" | "idle" | "waiting", number> {
  return { total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
}

/** Counts connections to the replica, and snapshots by the database that opened them. Null without a replica. */
export function replicaCounts(): {
  connections: ReturnType<typeof connectionCounts>;
  opened: Replica["opened"];
} | null {
  const replica = shared.lecternConnections?.replica;
  return replica ? { connections: connectionCounts(replica.pool), opened: replica.opened } : null;
}

export async function closeConnections(): Promise<void> {
  const open = shared.lecternConnections;
  shared.lecternConnections = undefined;
  await open?.prisma?.$disconnect();
  await Promise.all([open?.pool.end(), open?.replica?.pool.end()]);
}

const names = new Map<string, string>();

function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  return { name: nameOfPrismas({ sql: text }), text, values: [...values] };
}

function prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
  return { name: nameOf(text), text, values: [...values] };
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
  }
  return name;
}

/** Every connection keeps every named statement. */
const MOST_NAMED = 1_000;
/** Without a table to read, PostgreSQL has only one plan, however long the list is. Our SQL joins tables by JOIN, not by commas. */
const readsTable = /\bJOIN\b|\b(?:FROM|UPDATE)\s+(?!\s|jsonb_to_recordset\(|unnest\(|\(|SET\b)/i;
/** PostgreSQL plans these each time, because a plan for a few rows takes minutes for thousands. */
const isOfMany = (sql: string) =>
  /\$31\b/.test(sql) || (/jsonb_to_recordset|unnest\(/.test(sql) && readsTable.test(sql));

/** The name under which PostgreSQL keeps the plan of a statement of Prisma's, or "" for a statement that it plans each time. */
function nameOfPrismas({ sql }: { sql: string }): string {
  return names.has(sql) || (names.size < MOST_NAMED && !isOfMany(sql)) ? nameOf(sql) : "";
}

async function unit<T>(seconds: number, workspaceId: string | null, work: (ms: number) => Promise<T>): Promise<T> {
  try {
    return await withinPatience(seconds * 1000, (ms) => (workspaceId ? inShare(workspaceId, ms, work) : work(ms)));
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    noteOfRequest({ unavailable: true });
    throw new UnavailableError("The database is not responding.", { cause: error });
  }
}
