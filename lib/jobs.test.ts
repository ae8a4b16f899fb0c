import { createServer, connect as dial, type Socket } from "node:net";
import type { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Payload } from "@/lib/jobs";
import { type Handlers, type Job, startWorker } from "@/server/jobs/worker";
import { aProxy } from "@/testing/proxy";
import { plant } from "@/testing/wall";
import { aDatabase, type TestDatabase, testServers } from "@/testing/workspace";

vi.setConfig({ testTimeout: 90_000 });

/** Does nothing for whatever is no test's own. */
const idle: Handlers = {
  email_changed: async () => {},
  bulk_action: async () => {},
  clean_uploads: async () => {},
  delete_workspace: async () => {},
  deletion_scheduled: async () => {},
  invitation: async () => {},
  workspaces_of_address: async () => {},
  member_link: async () => {},
  email_confirmation: async () => {},
  password_changed: async () => {},
  two_step_changed: async () => {},
  passkeys_changed: async () => {},
  new_sign_in: async () => {},
  key_created: async () => {},
  identity_provider_changed: async () => {},
  reindex_category: async () => {},
  update_snippets: async () => {},
  publish_scheduled: async () => {},
  publish_due: async () => {},
  purge_trash: async () => {},
  backup: async () => {},
  embed_article: async () => {},
  transfer: async () => {},
  webhooks_stored: async () => {},
  deliver_webhooks: async () => {},
  webhook_off: async () => {},
};

// How jobs wait and are done. Each test enqueues jobs of one task, whose handler is the test's own.

describe.each(testServers)("on %s", (_, server) => {
  let wall: typeof import("@/lib/db");
  let jobs: typeof import("@/lib/jobs");
  let made: TestDatabase;
  let login: string;
  let owner: Client;
  const cleanUp: (() => Promise<unknown>)[] = [];
  const workspaceId = "01234567-89ab-4cde-8f01-23456789abcd";
  const said: string[] = [];

  beforeAll(async () => {
    made = await aDatabase(server);
    login = await made.serverLogin();
    vi.stubEnv("DATABASE_URL", login);
    vi.resetModules();
    wall = await import("@/lib/db");
    jobs = await import("@/lib/jobs");
    owner = await made.connect();
  });

  afterEach(async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
    await owner.query("DELETE FROM graphile_worker._private_jobs");
    said.length = 0;
  });

  afterAll(async () => {
    await wall.closeConnections();
    await made.drop();
    vi.unstubAllEnvs();
  });

  const payload = (memberName: string): Payload<"email_changed"> => ({
    tell: "new_address",
    formerAddress: "old@example.com",
    newAddress: "new@example.com",
    memberName,
    actor: { kind: "system", name: "test" },
    administrators: [],
    passkeys: 0,
  });
  /** Enqueues jobs that differ by these names. */
  const enqueue = (...names: string[]) =>
    wall.inWorkspace(workspaceId, async (db) => {
      for (const name of names) await jobs.enqueue(db, "email_changed", payload(name));
    });

  function aWorker(work: (job: Job<"email_changed">) => Promise<void>, databaseUrl = login) {
    const worker = startWorker({
      databaseUrl,
      handlers: { ...idle, email_changed: work },
      log: (line) => said.push(line),
    });
    cleanUp.push(worker.stop);
    return worker;
  }

  const waiting = async () => {
    const { rows } = await owner.query<{ name: string; attempts: number; held: boolean; error: string | null }>(
      `SELECT payload->'payload'->>'memberName' AS name, attempts, locked_at IS NOT NULL AS held, last_error AS error
       FROM graphile_worker._private_jobs ORDER BY id`,
    );
    return rows;
  };
  const untilDone = () => expect.poll(waiting, { timeout: 15_000, interval: 20 }).toEqual([]);

  /** Holds everybody who comes until it is opened. */
  function aGate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const met = vi.fn();
    return {
      met,
      open,
      pass: async () => {
        met();
        await opened;
      },
    };
  }
  const reached = (gate: ReturnType<typeof aGate>) => vi.waitFor(() => expect(gate.met).toHaveBeenCalledOnce(), 10_000);

  test("a job is done with what was enqueued, and by the workspace of the wall", async () => {
    const done: Job<"email_changed">[] = [];
    aWorker(async (job) => void done.push(job));
    await wall.inWorkspace(workspaceId, (db) => {
      // Undeclared fields stay out of the database.
      const input = { ...payload("one"), password: "hunter2" };
      return jobs.enqueue(db, "email_changed", input);
    });
    await untilDone();
    const id = expect.stringMatching(/^\d{8}T\d{9}Z-\d+$/);
    const signal = expect.any(AbortSignal);
    expect(done).toEqual([{ id, workspaceId, payload: payload("one"), signal }]);
    expect(said).toEqual([]);
  });

  test("a job waits for a worker, and leaves no trace of a transaction that is rolled back", async () => {
    await enqueue("kept");
    const failing = wall.inWorkspace(workspaceId, async (db) => {
      await jobs.enqueue(db, "email_changed", payload("lost"));
      throw new Error("The unit fails.");
    });
    await expect(failing).rejects.toThrow("The unit fails.");
    const names: string[] = [];
    aWorker(async (job) => void names.push(job.payload.memberName));
    await untilDone();
    expect(names).toEqual(["kept"]);
  });

  test("outside the wall no job can be enqueued", async () => {
    const outside = wall.acrossWorkspaces.transaction((db) => jobs.enqueue(db, "email_changed", payload("x")));
    await expect(outside).rejects.toThrow(/app\.workspace_id|invalid input syntax for type uuid/);
    expect(await waiting()).toEqual([]);
  });

  test("several concurrent workers run each job once", async () => {
    const names = Array.from({ length: 60 }, (_, number) => String(number));
    const done: string[][] = [[], [], []];
    for (const mine of done) aWorker(async (job) => void mine.push(job.payload.memberName));
    await Promise.all([enqueue(...names.slice(0, 30)), enqueue(...names.slice(30))]);
    await untilDone();
    expect(done.flat().sort()).toEqual(names.sort());
  });

  test("a workspace whose time is over has one job that deletes it, however many servers there are", async () => {
    const deleted: string[] = [];
    const [due, later, open] = [await plant(owner), await plant(owner), await plant(owner)];
    const end = (id: string, when: string) =>
      owner.query(`UPDATE workspaces SET delete_after = now() + $2::interval WHERE id = $1`, [id, when]);
    await end(due.id, "-1 second");
    await end(later.id, "1 hour");
    for (let server = 1; server <= 3; server++) {
      const handlers = {
        ...idle,
        delete_workspace: async (job: { workspaceId: string }) => void deleted.push(job.workspaceId),
      };
      cleanUp.push(startWorker({ databaseUrl: login, handlers, log: (line) => said.push(line) }).stop);
    }
    await vi.waitFor(() => expect(deleted).toContain(due.id), 10_000);
    await expect.poll(async () => (await waiting()).filter(({ held }) => held)).toEqual([]);
    expect([deleted.includes(later.id), deleted.includes(open.id)]).toEqual([false, false]);
    await owner.query("DELETE FROM workspaces WHERE id = ANY($1)", [[due.id, later.id, open.id]]);
  });

  test("each workspace with uploads has one job that cleans them, again and again, however many servers there are", async () => {
    const cleaned: string[] = [];
    const aServer = () => {
      const handlers = {
        ...idle,
        clean_uploads: async ({ workspaceId: id }: { workspaceId: string }) => void cleaned.push(id),
      };
      cleanUp.push(startWorker({ databaseUrl: login, handlers, log: (line) => said.push(line) }).stop);
    };
    const due = async () => {
      const { rows } = await owner.query<{ workspace: string; minutes: number }>(
        `SELECT payload->>'workspace_id' AS workspace, round(extract(epoch FROM run_at - now()) / 60)::int AS minutes
         FROM graphile_worker._private_jobs`,
      );
      return rows;
    };
    const planted = await plant(owner);
    cleanUp.push(() => owner.query("DELETE FROM workspaces WHERE id = $1", [planted.id]));
    for (let servers = 0; servers < 3; servers++) aServer();
    await expect.poll(due).toEqual([{ workspace: planted.id, minutes: 60 }]);

    await owner.query("UPDATE graphile_worker._private_jobs SET run_at = now()");
    await expect.poll(due, { timeout: 15_000 }).toEqual([]);
    expect(cleaned).toEqual([planted.id]);
    aServer();
    await expect.poll(due).toEqual([{ workspace: planted.id, minutes: 60 }]);
    expect(cleaned).toEqual([planted.id]);
  });

  test("imports, invitations and indexing in other workspaces leave a slot for a mail that someone waits for", async () => {
    const bulk = aGate();
    const sent: string[] = [];
    const worker = startWorker({
      databaseUrl: login,
      handlers: {
        ...idle,
        transfer: bulk.pass,
        invitation: bulk.pass,
        reindex_category: bulk.pass,
        update_snippets: bulk.pass,
        embed_article: bulk.pass,
        bulk_action: bulk.pass,
        email_changed: async ({ payload: { memberName } }) => void sent.push(memberName),
      },
      log: (line) => said.push(line),
    });
    cleanUp.push(worker.stop, async () => bulk.open());
    const id = workspaceId;
    for (let n = 0; n < 10; n++) {
      await wall.inWorkspace(id.replace(/^.{8}/, `${n}`.padStart(8, "0")), async (db) => {
        await jobs.enqueue(db, "transfer", { transferId: id });
        await jobs.enqueue(db, "invitation", { invitationId: id, nonce: "n", invitedBy: "Ada" });
        await jobs.enqueue(db, "reindex_category", { categoryId: id });
        await jobs.enqueue(db, "update_snippets", {});
        await jobs.enqueue(db, "embed_article", { articleId: id });
        await jobs.enqueue(db, "bulk_action", { actionId: id });
      });
    }
    await vi.waitFor(() => expect(bulk.met.mock.calls.length).toBe(8), 10_000);
    await enqueue("Waits");
    await expect.poll(() => sent, { timeout: 15_000, interval: 20 }).toEqual(["Waits"]);
    expect(bulk.met).toHaveBeenCalledTimes(8);
  });

  test("a job that fails is reported, and done again after a pause", async () => {
    const ids: string[] = [];
    aWorker(async ({ id }) => {
      if (ids.push(id) === 1) throw new Error("The mail server sleeps.");
    });
    await enqueue("one");
    await vi.waitFor(() => expect(said).toHaveLength(1), 10_000);
    expect(said[0]).toMatch(
      /^The job email_changed \d+ failed, try 1: The mail server sleeps\. It will be retried in 3 seconds\.$/,
    );
    await vi.waitFor(async () => {
      expect(await waiting()).toEqual([{ name: "one", attempts: 1, held: false, error: "The mail server sleeps." }]);
    });
    await untilDone();
    // The same job keeps its id, so a repeated mail can be recognized.
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  test("a job that failed for the last time is reported and kept", async () => {
    await enqueue("one");
    await owner.query("UPDATE graphile_worker._private_jobs SET attempts = 24");
    aWorker(() => Promise.reject(new Error("Never.")));
    await vi.waitFor(
      () => expect(said).toEqual([expect.stringMatching(/try 25: Never\. It will not be retried\.$/)]),
      10_000,
    );
    await vi.waitFor(async () => {
      expect(await waiting()).toEqual([{ name: "one", attempts: 25, held: false, error: "Never." }]);
    });
  });

  test("the job and queue of a killed server are freed, and a job that another server is doing is not", async () => {
    const gate = aGate();
    const invited: string[] = [];
    const handlers: Handlers = {
      ...idle,
      email_changed: gate.pass,
      invitation: async ({ payload: { invitedBy } }) => void invited.push(invitedBy),
    };
    cleanUp.push(async () => gate.open());
    for (let servers = 0; servers < 2; servers++) {
      cleanUp.push(startWorker({ databaseUrl: login, handlers, beatMs: 100, log: (line) => said.push(line) }).stop);
    }
    await enqueue("alive");
    await reached(gate);
    const invite = (invitedBy: string, due?: Date) =>
      wall.inWorkspace(workspaceId, (db) =>
        jobs.enqueue(db, "invitation", { invitationId: workspaceId, nonce: "n", invitedBy }, due),
      );
    await invite("held", new Date(Date.now() + 60_000));
    const hold = "locked_by = 'killed', locked_at = now()";
    await owner.query(`UPDATE graphile_worker._private_job_queues SET ${hold} WHERE queue_name LIKE 'invitation %'`);
    await owner.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now(), ${hold} WHERE payload::text LIKE '%held%'`,
    );
    await invite("behind");
    await expect.poll(() => invited.toSorted(), { timeout: 15_000 }).toEqual(["behind", "held"]);
    expect(gate.met).toHaveBeenCalledOnce();
  });

  test("failed jobs are forgotten after a month", async () => {
    await enqueue("failed long ago", "failed");
    await owner.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 25, run_at = now() - interval '31 days' WHERE payload::text LIKE '%long%'`,
    );
    await owner.query("UPDATE graphile_worker._private_jobs SET attempts = 25 WHERE attempts = 0");
    aWorker(async () => {});
    await expect.poll(waiting).toEqual([{ name: "failed", attempts: 25, held: false, error: null }]);
  });

  test("workers that could not write down how their jobs ended are followed by others", async () => {
    // The library speaks of it in a trace of its own.
    const trace = vi.spyOn(console, "trace").mockImplementation(() => {});
    await owner.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
       CREATE TRIGGER refuse BEFORE DELETE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    const names: string[] = [];
    aWorker(async (job) => void names.push(job.payload.memberName));
    await enqueue("1", "2", "3", "4");
    await vi.waitFor(() => expect(trace).toHaveBeenCalledTimes(4), 10_000);
    await owner.query("DROP FUNCTION refuse CASCADE");
    await enqueue("5");
    await vi.waitFor(() => expect(names.toSorted()).toEqual(["1", "2", "3", "4", "5"]), 10_000);
    trace.mockRestore();
  });

  test("a worker older than the library's tables leaves the jobs to newer ones", async () => {
    const names: string[] = [];
    const worker = aWorker(async (job) => void names.push(job.payload.memberName));
    await enqueue("before");
    await untilDone();
    await owner.query(`SELECT pg_notify('worker:migrate', '{"migrationNumber": 99, "breaking": true}')`);
    await vi.waitFor(() => {
      expect(said).toEqual([
        "Another server updated the job queue to a newer version, so this server stops running jobs.",
      ]);
    }, 10_000);
    // The library sets an exit code for the process.
    process.exitCode = undefined;
    await enqueue("after");
    await worker.stop();
    expect([names, (await waiting()).map(({ name }) => name)]).toEqual([["before"], ["after"]]);
  });

  describe("a worker that is stopped", () => {
    test("waits for the running job", async () => {
      const gate = aGate();
      const worker = aWorker(gate.pass);
      await enqueue("running");
      await reached(gate);
      const stopped = worker.stop();
      gate.open();
      await stopped;
      expect([await waiting(), said]).toEqual([[], []]);
    });

    test("leaves a job that does not end to the next one, within five seconds", async () => {
      const gate = aGate();
      const worker = aWorker(gate.pass);
      await enqueue("slow");
      await reached(gate);
      await worker.stop();
      expect(await waiting()).toEqual([
        { name: "slow", attempts: 1, held: false, error: "The server stopped while it was running." },
      ]);
      const names: string[] = [];
      aWorker(async (job) => void names.push(job.payload.memberName));
      await untilDone();
      expect(names).toEqual(["slow"]);
      gate.open();
    });

    /** The connections of workers to this database. */
    const connections = async () => {
      const sql =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lectern jobs'";
      return (await owner.query(sql)).rowCount;
    };

    test("keeps no connection", async () => {
      const worker = aWorker(async () => {});
      // One listens, one asks.
      await expect.poll(connections, { timeout: 10_000 }).toBe(2);
      await worker.stop();
      await expect.poll(connections).toBe(0);
    });

    test("as soon as it was started, does nothing more", async () => {
      const work = vi.fn(async () => {});
      await aWorker(work).stop();
      await enqueue("later");
      await expect.poll(connections).toBe(0);
      expect(work).not.toHaveBeenCalled();
      aWorker(work);
      await untilDone();
      expect(work).toHaveBeenCalledOnce();
    });
  });

  describe("a database that goes away", () => {
    /** A connection to the database that can be cut, and that counts attempts meanwhile. */
    async function aWay() {
      const to = new URL(login);
      const sockets = new Set<Socket>();
      let isOpen = true;
      const refused = vi.fn();
      const way = createServer((near) => {
        near.on("error", () => {});
        if (!isOpen) {
          refused();
          return void near.destroy();
        }
        const far = dial(Number(to.port), to.hostname);
        far.on("error", () => {});
        for (const [socket, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(socket);
          socket.pipe(other);
          socket.on("close", () => other.destroy());
        }
      });
      await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
      const { port } = way.address() as { port: number };
      const cut = () => {
        isOpen = false;
        for (const socket of sockets) socket.destroy();
        sockets.clear();
      };
      const open = () => {
        isOpen = true;
      };
      cleanUp.push(() => {
        cut();
        return new Promise((resolve) => way.close(resolve));
      });
      return { url: Object.assign(new URL(login), { hostname: "127.0.0.1", port }).href, open, cut, refused };
    }
    const wait = "Jobs are paused because the database is not responding.";
    const goOn = "Jobs have resumed. The database is back.";

    test("is waited for, is said once, and the jobs that came meanwhile are done", async () => {
      const way = await aWay();
      const names: string[] = [];
      aWorker(async (job) => void names.push(job.payload.memberName), way.url);
      await enqueue("before");
      await untilDone();
      way.cut();
      await vi.waitFor(() => expect(said).toEqual([wait]), 15_000);
      await enqueue("meanwhile");
      way.open();
      await untilDone();
      expect(names).toEqual(["before", "meanwhile"]);
      await vi.waitFor(() => expect(said).toEqual([wait, goOn]), 10_000);
    });

    test("is waited for also when it was away at the start", async () => {
      const way = await aWay();
      way.cut();
      const names: string[] = [];
      aWorker(async (job) => void names.push(job.payload.memberName), way.url);
      await enqueue("one");
      await vi.waitFor(() => expect(said).toEqual([wait]), 15_000);
      way.open();
      await untilDone();
      expect(names).toEqual(["one"]);
      await vi.waitFor(() => expect(said).toEqual([wait, goOn]), 10_000);
    });

    test("while a job is done has it not done twice", async () => {
      const way = await aWay();
      const gate = aGate();
      aWorker(gate.pass, way.url);
      await enqueue("one");
      await reached(gate);
      way.cut();
      await vi.waitFor(() => expect(said).toEqual([wait]), 15_000);
      way.refused.mockClear();
      gate.open();
      // The end of the job was to be written down by now.
      await vi.waitFor(() => expect(way.refused.mock.calls.length).toBeGreaterThan(10), 15_000);
      way.open();
      await untilDone();
      expect(gate.met).toHaveBeenCalledOnce();
      await vi.waitFor(() => expect(said).toEqual([wait, goOn]), 10_000);
    });

    test("without a word, as behind a router that lost its connections, is given up", async () => {
      const proxy = await aProxy(() => Number(new URL(login).port));
      cleanUp.push(async () => proxy.close());
      const names: string[] = [];
      const url = Object.assign(new URL(login), { hostname: "127.0.0.1", port: proxy.port }).href;
      aWorker(async (job) => void names.push(job.payload.memberName), url);
      await enqueue("before");
      await untilDone();
      proxy.hold();
      proxy.forget();
      await enqueue("after");
      await expect.poll(waiting, { timeout: 60_000 }).toEqual([]);
      expect(names).toEqual(["before", "after"]);
    });

    test("does not keep a worker from stopping", async () => {
      const way = await aWay();
      const worker = aWorker(async () => {}, way.url);
      await enqueue("one");
      await untilDone();
      way.cut();
      await vi.waitFor(() => expect(said).toEqual([wait]), 15_000);
      await worker.stop();
      expect(said).toEqual([wait]);
    });
  });
});
