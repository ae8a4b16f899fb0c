import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import pg from "pg";
import { afterReading } from "@/lib/db/patience";

export const CONNECTION_MS = 2_000;
/** For hearing that PostgreSQL ended the unit, and rolling back. */
const GRACE_MS = 250;

class OverdueError extends Error {
  override name = "OverdueError";
  /** Identifies the error across bundles. */
  readonly code = "ETIMEDOUT";

  constructor() {
    super("The unit's time ran out before the database responded.");
  }
}

/** A pool that lends connections for a limited time, since a frozen server's own timeouts don't help. */
export class BoundedPool extends pg.Pool {
  private readonly timers = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
  private readonly units = new AsyncLocalStorage<{ ms: number; client?: pg.PoolClient }>();

  /** @param config.isPooled whether a connection pooler may give each transaction another session */
  constructor({ isPooled, ...config }: pg.PoolConfig & { isPooled: boolean }) {
    super({ ...config, ...(isPooled && { verify: namesWhereKept }), connectionTimeoutMillis: CONNECTION_MS });
    // A connection closed by the server must not end the process.
    this.on("error", () => {});
    this.on("connect", (client) => {
      client.on("error", () => {});
      // A setting of a session would reach other clients of the pooler.
      if (!isPooled) endWhenLost(client);
      sendTogether(client);
    });
    this.on("release", (_, client) => this.disarm(client));
  }

  /** Lends a connection for `ms` milliseconds, waiting included. Then its queries fail and the pool replaces it. */
  take(ms: number): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      let taken: pg.PoolClient | undefined;
      let late = false;
      const timer = afterReading(ms + GRACE_MS, () => {
        if (taken) return this.cut(taken, timer);
        late = true;
        reject(new OverdueError());
      });
      super.connect((error, client) => {
        if (late) return client?.release();
        if (client) {
          taken = client;
          this.timers.set(client, timer);
          resolve(client);
        }
        if (error) {
          clearTimeout(timer);
          reject(error);
        }
      });
    });
  }

  /** Limits the connection that `work` takes. */
  within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.units.run({ ms }, work);
  }

  /** The connection that the surrounding `within` has taken. */
  lent(): pg.PoolClient {
    const client = this.units.getStore()?.client;
    if (!client) throw new Error("No connection was taken.");
    return client;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | void {
    const unit = this.units.getStore();
    const taking = this.take(unit?.ms ?? CONNECTION_MS);
    if (unit) void taking.then((client) => (unit.client = client)).catch(() => {});
    if (!callback) return taking;
    taking.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  }

  private disarm(client: pg.PoolClient): void {
    clearTimeout(this.timers.get(client));
    this.timers.delete(client);
  }

  private cut(client: pg.PoolClient, timer: NodeJS.Timeout): void {
    if (this.timers.get(client) !== timer) return;
    cancelStatement(client);
    client.connection.stream.destroy(new OverdueError());
  }
}

/**
 * Has PostgreSQL find out within a minute that a connection is lost, and end what it left open. By default, that takes two hours.
 * Sent as a statement, because PgBouncer refuses such parameters of a connection.
 */
export function endWhenLost(client: pg.ClientBase): void {
  const settings = { keepalives_idle: 30, keepalives_interval: 10, keepalives_count: 3, user_timeout: 60_000 };
  const statements = Object.entries(settings).map(([name, value]) => `SET tcp_${name} = ${value}`);
  // If it fails, so does the connection's next statement.
  client.query(statements.join("; ")).catch(() => {});
}

/**
 * Prepares a pooler's connection for named statements. Two clients with the same name collide in one session, so a pooler must
 * give each statement a name of its own, as PgBouncer does since 1.21. Behind other poolers, statements are sent without a name.
 */
const namesWhereKept: pg.PoolConfig["verify"] = (client, done) => {
  asksForNames(client).then((keeps) => {
    if (!keeps) sendWithoutNames(client);
    done();
  }, done);
};

/** True if the pooler renames statements, or if there is no pooler. A pooler gives clients a process ID of its own. */
async function asksForNames(client: pg.PoolClient): Promise<boolean> {
  const name = `lectern_${randomBytes(6).toString("hex")}`;
  const text =
    "SELECT pg_backend_pid() AS pid, EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS unchanged";
  const query = { name, text, values: [name], query_timeout: CONNECTION_MS };
  const [row] = (await client.query<{ pid: number; unchanged: boolean }>(query)).rows;
  return row?.unchanged === false || row?.pid === (client as Session).processID;
}

function sendWithoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((statement: unknown, ...input: unknown[]) => {
    const hasName = typeof statement === "object" && statement !== null && "name" in statement;
    return query(hasName ? { ...statement, name: undefined } : statement, ...input);
  }) as typeof client.query;
}

/** In bytes. Most statements that only read are shorter. */
const MOST_HELD = 2_000;

/** Sends statements issued in the same tick in one write, and long ones immediately. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = client.connection;
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  let holds = false;
  client.query = ((...input: unknown[]) => {
    if (!holds) {
      holds = true;
      stream.cork();
      process.nextTick(() => {
        holds = false;
        stream.uncork();
      });
    }
    const result = query(...input);
    // PostgreSQL begins with these while the rest is being made.
    if (stream.writableLength > MOST_HELD) {
      stream.uncork();
      stream.cork();
    }
    return result;
  }) as typeof client.query;
}

/** What the server told the client about the session, for requests to cancel. */
type Session = pg.PoolClient & { processID: number; secretKey: number };

const CANCEL_MS = 1_000;

/** Otherwise PostgreSQL would not notice the closed connection until the statement ends, and keep its locks. */
function cancelStatement(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as Session;
  const request = Buffer.alloc(16);
  for (const [index, word] of [request.length, 80_877_102, processID, secretKey].entries())
    request.writeInt32BE(word, index * 4);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on("error", () => {}).setTimeout(CANCEL_MS, () => socket.destroy());
  socket.end(request);
}
