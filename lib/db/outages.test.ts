import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { duringRequest, newRequest } from "@/lib/http/request";
import { aFragileDatabase, type FragileDatabase } from "@/testing/outage";
import { aProxy } from "@/testing/proxy";

// Each wait is long by design: up to ten seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

// Every kind of outage, with a pool of two connections.

let database: FragileDatabase;
let wall: typeof import("@/lib/db");

beforeAll(async () => {
  database = await aFragileDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  // Two of them are for jobs.
  vi.stubEnv("DATABASE_POOL", "4");
  vi.resetModules();
  wall = await import("@/lib/db");
});

afterEach(async () => {
  database.thaw();
  await wall.closeConnections();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

/** Every way to ask the database: by SQL and by Prisma, with the wall and without. */
const faces: Record<string, () => Promise<unknown>> = {
  "a question across workspaces": () => wall.acrossWorkspaces.query("SELECT id FROM workspaces"),
  "a transaction across workspaces": () => wall.acrossWorkspaces.transaction((db) => db.workspace.findMany()),
  "a reading unit": () => wall.readWorkspace(database.ours.id, (read) => read("SELECT id FROM workspaces")),
  "a writing unit": () =>
    wall.inWorkspace(database.ours.id, (db) => db.workspace.updateMany({ data: { name: "Renamed" } })),
};

/** The outcomes of all of them together, more than there are connections. */
async function outcomes(): Promise<Record<string, string>> {
  const outcomesOfAll = Object.entries(faces).map(async ([name, ask]) => {
    const outcome = await ask().then(
      () => "an answer",
      (error: Error) => `${error.name}: ${error.message}`,
    );
    return [name, outcome] as const;
  });
  return Object.fromEntries(await Promise.all(outcomesOfAll));
}

const each = (outcome: string) => Object.fromEntries(Object.keys(faces).map((name) => [name, outcome]));
const answers = each("an answer");
const unavailable = each("UnavailableError: The database is not responding.");

/** All of it works, and every connection there is waits to be used. */
async function expectRecovery() {
  await vi.waitFor(async () => expect(await outcomes()).toEqual(answers), { timeout: 10_000 });
  await vi.waitFor(() => {
    const { total, idle, waiting } = wall.connectionCounts();
    expect({ idle, waiting }).toEqual({ idle: total, waiting: 0 });
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(2);
  }, 10_000);
  await Promise.all([...Array(10)].flatMap(() => Object.values(faces).map((ask) => ask())));
}

describe("a frozen server", () => {
  test("answers no one over open connections while frozen, and everyone when it continues", async () => {
    expect(await outcomes()).toEqual(answers);
    await database.freeze();
    expect(await outcomes()).toEqual(unavailable);
    // The open ones are gone by now, and new ones cannot be made.
    expect(await outcomes()).toEqual(unavailable);
    database.thaw();
    await expectRecovery();
  });

  test("lets no unit that it froze in the middle wait", async () => {
    const frozen = (kind: string) => ({ kind, name: "UnavailableError" });
    const seen: { kind: string; name: string }[] = [];
    const note = (kind: string) => (error: Error) => void seen.push({ kind, name: error.name });
    let freeze = () => {};
    const before = new Promise<void>((resolve) => {
      freeze = resolve;
    });
    let started = 0;
    const units = [
      wall
        .readWorkspace(database.ours.id, async (read) => {
          await read("SELECT 1");
          started++;
          await before;
          return read("SELECT id FROM workspaces");
        })
        .catch(note("reading")),
      wall
        .inWorkspace(
          database.ours.id,
          async (db) => {
            await db.workspace.updateMany({ data: { name: "Never" } });
            started++;
            await before;
            return db.workspace.findMany();
          },
          2,
        )
        .catch(note("writing")),
    ];
    await vi.waitFor(() => expect(started).toBe(2));
    await database.freeze();
    freeze();
    await Promise.all(units);
    expect(seen.sort((a, b) => a.kind.localeCompare(b.kind))).toEqual([frozen("reading"), frozen("writing")]);
    database.thaw();
    await expectRecovery();
    expect((await database.owner.query("SELECT name FROM workspaces WHERE name = 'Never'")).rows).toEqual([]);
  });

  test("is noticed by a unit that is about to commit", async () => {
    const written = wall.inWorkspace(
      database.ours.id,
      async (db) => {
        await db.workspace.updateMany({ data: { name: "Committed" } });
        await database.freeze();
      },
      2,
    );
    await expect(written).rejects.toMatchObject({ name: "UnavailableError" });
    database.thaw();
    await expectRecovery();
  });
});

test("a server that was stopped refuses everybody, and started again answers everybody", async () => {
  expect(await outcomes()).toEqual(answers);
  await database.stop();
  expect(await outcomes()).toEqual(unavailable);
  await database.start();
  await expectRecovery();
});

test("a pool that others hold is waited for only so long", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = 0;
  const hold = () =>
    wall.inWorkspace(
      database.ours.id,
      async () => {
        started++;
        await held;
      },
      60,
    );
  const holders = [hold(), hold()];
  await vi.waitFor(() => expect(started).toBe(2));
  expect(await outcomes()).toEqual(unavailable);
  release();
  await Promise.all(holders);
  await expectRecovery();
});

test("waiting for another transaction's lock is limited, on the server too", async () => {
  await database.owner.query("BEGIN; LOCK TABLE workspaces");
  expect(await outcomes()).toEqual(unavailable);
  // On the server they would wait for as long as the lock is held, each in a process of its own.
  await vi.waitFor(async () => {
    const { rows } = await database.owner.query(
      "SELECT pid FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    expect(rows).toEqual([]);
  }, 10_000);
  await database.owner.query("ROLLBACK");
  await expectRecovery();
});

test("a transaction whose connection ends during the commit is refused like any other", async () => {
  await database.owner.query(`
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON workspaces DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait_at_commit();
    SELECT pg_advisory_lock(1)`);
  const written = wall.inWorkspace(database.ours.id, (db) => db.workspace.updateMany({ data: { name: "Ended" } }));
  const refused = expect(written).rejects.toMatchObject({ name: "UnavailableError" });
  const end =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await database.owner.query(end)).rowCount).toBe(1), 5_000);
  await refused;
  await database.owner.query("SELECT pg_advisory_unlock(1); DROP FUNCTION wait_at_commit CASCADE");
  await expectRecovery();
});

describe("a lost connection", () => {
  /** lib/db through a proxy that can lose connections. */
  async function throughProxy(onTestFinished: (undo: () => Promise<void>) => void) {
    const proxy = await aProxy(() => Number(new URL(database.url).port));
    vi.stubEnv("DATABASE_URL", Object.assign(new URL(database.url), { port: proxy.port }).href);
    vi.resetModules();
    const lost = await import("@/lib/db");
    onTestFinished(async () => {
      vi.stubEnv("DATABASE_URL", database.url);
      proxy.close();
      await lost.closeConnections();
    });
    return { proxy, ...lost };
  }

  /** How many rows of workspaces and snapshots of units are held. */
  const held = async () => {
    const { rows: free } = await database.owner.query("SELECT FROM workspaces FOR UPDATE SKIP LOCKED");
    const { rows: open } = await database.owner.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
    );
    return { rows: 1 - free.length, units: open.length };
  };

  type Ask = () => Promise<unknown>;
  const lock = "SELECT FROM workspaces FOR UPDATE";
  const units: [string, (db: typeof wall, lost: (ask: Ask) => Promise<unknown>) => Promise<unknown>, number][] = [
    ["a reading unit", (db, lost) => db.readWorkspace(database.ours.id, (read) => lost(() => read("SELECT 1"))), 0],
    [
      "a writing unit",
      (db, lost) => db.inWorkspace(database.ours.id, (tx) => lost(() => tx.$executeRawUnsafe(lock)), 2),
      1,
    ],
    [
      "a transaction across workspaces",
      (db, lost) => db.acrossWorkspaces.transaction((tx) => lost(() => tx.$executeRawUnsafe(lock)), 2),
      1,
    ],
  ];

  test.each(units)("of %s keeps neither its locks nor its snapshot", async (_, unit, rows) => {
    const { proxy, ...lossy } = await throughProxy(onTestFinished);
    const lost = async (ask: Ask) => {
      await ask();
      proxy.hold();
      expect(await held()).toEqual({ rows, units: 1 });
      return ask();
    };
    await expect(unit(lossy, lost)).rejects.toMatchObject({ name: "UnavailableError" });
    // Neither end of the connection hears that it is lost.
    proxy.forget();
    await vi.waitFor(async () => expect(await held()).toEqual({ rows: 0, units: 0 }), 10_000);
    expect(await lossy.acrossWorkspaces.query("SELECT 1")).toHaveLength(1);
  });

  test("is noticed by PostgreSQL within a minute, because it asks whether the other end is still there", async () => {
    const names = ["tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count"];
    const [row] = await wall.acrossWorkspaces.query<{ values: number[] }>(
      "SELECT ARRAY(SELECT current_setting(name)::int FROM unnest($1::text[]) name) AS values",
      [names],
    );
    const [idle = 0, interval = 0, count = 0] = row?.values ?? [];
    expect(idle + interval * count).toBe(60);
  });
});

test("a unit that asks for more time gets it", async () => {
  const slow = "SELECT 'done' AS word FROM pg_sleep(3.5)";
  const units = [
    wall.readWorkspace(database.ours.id, (read) => read(slow), 15),
    wall.inWorkspace(database.ours.id, (db) => db.$queryRawUnsafe(slow), 15),
  ];
  expect(await Promise.all(units)).toEqual([[{ word: "done" }], [{ word: "done" }]]);
  expect(await wall.acrossWorkspaces.query(slow, [], 15)).toEqual([{ word: "done" }]);
  await expect(wall.acrossWorkspaces.query(slow)).rejects.toMatchObject({ name: "UnavailableError" });
});

test("a process that was too busy to listen reads what has arrived before it gives up", async () => {
  await wall.acrossWorkspaces.query("SELECT 1");
  const outcomesOfAll = wall.acrossWorkspaces.query("SELECT 'in time' AS word FROM pg_sleep(0.1)");
  // One turn of the loop: the question is sent, and cannot be answered yet.
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  expect(await outcomesOfAll).toEqual([{ word: "in time" }]);
});

describe("within one request", () => {
  const unavailable = "The database is not responding.";
  const request = () => newRequest(null, "page");
  /** The next unit's limit, in milliseconds. */
  const left = async (of = wall) => {
    const sql = "SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'";
    const reading = await of.readWorkspace(database.ours.id, (read) => read<{ ms: number }>(sql));
    const writing = await of.inWorkspace(database.ours.id, (db) => db.$queryRawUnsafe<{ ms: number }[]>(sql));
    return Math.max(...[...reading, ...writing].map(({ ms }) => ms));
  };

  test("waits add up to what one may take alone", async () => {
    expect(await left()).toBe(10_000);
    await duringRequest(request(), async () => {
      expect(await left()).toBeLessThanOrEqual(2_000);
      await wall.acrossWorkspaces.query("SELECT pg_sleep(1.1)");
      expect(await left()).toBeLessThanOrEqual(1_000);
      // Next's bundles have modules of their own.
      vi.resetModules();
      expect(await left(await import("@/lib/db"))).toBeLessThanOrEqual(1_000);
    });
  });

  test("many quick waits are no outage", async () => {
    await duringRequest(request(), async () => {
      for (let unit = 0; unit < 40; unit++) await wall.acrossWorkspaces.query("SELECT pg_sleep(0.06)");
      expect(await left()).toBeGreaterThan(250);
    });
  });

  test("a request that has waited too long asks nothing more, and what runs on after its answer has all its time", async () => {
    const current = request();
    await duringRequest(current, async () => {
      // The second one gets the little that is left.
      for (let unit = 0; unit < 2; unit++)
        await expect(wall.acrossWorkspaces.query("SELECT pg_sleep(10)")).rejects.toThrow(unavailable);
      await expect(wall.acrossWorkspaces.query("SELECT 1")).rejects.toThrow(unavailable);
      current.ended = true;
      expect(await left()).toBe(10_000);
    });
  });

  test("an answer that others need too is waited for as long as one's own", async () => {
    const shared = wall.inTurns(async (questions: readonly number[]) => {
      await wall.acrossWorkspaces.query("SELECT pg_sleep(1.9)");
      return questions;
    });
    await duringRequest(request(), async () => {
      await wall.acrossWorkspaces.query("SELECT pg_sleep(1.1)");
      await expect(shared(1)).rejects.toThrow(unavailable);
    });
    expect(await shared(2)).toBe(2);
  });
});
