import { AsyncLocalStorage } from "node:async_hooks";
import { connect } from "node:net";
import pg from "pg";

/** How long anything may wait for a free connection, in milliseconds; an exhausted pool otherwise waits for ever. */
export const CONNECTION_MS = 2_000;
/** What is left, after a unit's time, to hear that PostgreSQL itself has ended it and to roll back, in milliseconds. */
const GRACE_MS = 250;

/** A unit took longer than it may, whatever it was waiting for. */
class OverdueError extends Error {
  override name = "OverdueError";
  /** By which it is known in whatever bundle it is caught. */
  readonly code = "ETIMEDOUT";

  constructor() {
    super("The unit is overdue: its time was over before the database had answered.");
  }
}

/**
 * A pool whose connections are taken for a time and cut off from whoever is overdue. The server's own timeouts are not
 * enough: one that is frozen, or behind a broken network, keeps none of them.
 */
export class BoundedPool extends pg.Pool {
  private readonly timers = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
  private readonly times = new AsyncLocalStorage<number>();

  constructor(config: pg.PoolConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECTION_MS });
    // An idle connection that the server closes must not end the process; the pool replaces it.
    this.on("error", () => {});
    // Nor must one that is in use, between two queries: the next query says so.
    this.on("connect", (client) => client.on("error", () => {}));
    this.on("release", (_, client) => this.disarm(client));
  }

  /**
   * A connection, waited for and then held for at most `ms` milliseconds: later, what it is asked fails, and the pool
   * makes another in its place. Release it like every connection.
   * @throws OverdueError when none was free in time; what the connecting fails with
   */
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

  /** Runs work whose connections, which it takes itself as Prisma does, are taken for at most `ms` milliseconds. */
  within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.times.run(ms, work);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | void {
    const taking = this.take(this.times.getStore() ?? CONNECTION_MS);
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

/** A timer that lets a process which was too busy to listen first read what has arrived meanwhile. */
function afterReading(ms: number, work: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), ms);
}

/** How long PostgreSQL may take to accept that a statement is no longer wanted, in milliseconds. */
const CANCEL_MS = 1_000;

/**
 * Tells PostgreSQL that nobody waits for a connection's statement any more; by a closed connection alone it would not
 * notice before it is done, and keep its locks until then, or wait for those of others.
 */
function cancelStatement(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as pg.PoolClient & { processID: number; secretKey: number };
  const request = Buffer.alloc(16);
  for (const [index, word] of [request.length, 80_877_102, processID, secretKey].entries())
    request.writeInt32BE(word, index * 4);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on("error", () => {}).setTimeout(CANCEL_MS, () => socket.destroy());
  socket.end(request);
}
