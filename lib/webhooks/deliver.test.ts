import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { openLog } from "@/lib/log";
import { deliverWebhooks, MOST_WAITING } from "@/lib/webhooks/deliver";
import { findDelivery, listDeliveries, resendDelivery, resendFailed } from "@/lib/webhooks/deliveries";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  rotateSecret,
  sendPing,
  switchEndpoint,
} from "@/lib/webhooks/endpoints";
import type { Outcome, post } from "@/lib/webhooks/send";
import { aReceiver } from "@/testing/receiver";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const never = new AbortController().signal;
const deliver = (workspace: TestWorkspace, send?: typeof post) => deliverWebhooks(workspace.id, never, send);
const within = <T>({ id }: TestWorkspace, work: (db: Db) => Promise<T>) => inWorkspace(id, work);
const sql = (workspace: TestWorkspace, text: string, ...values: unknown[]) =>
  within(workspace, (db) => db.$executeRawUnsafe(text, ...values));

async function anEndpoint(workspace: TestWorkspace, url = "https://hooks.example.com/in") {
  const fields = { url, description: "Search index", events: ["article.published"] };
  return within(workspace, (db) => createEndpoint(db, workspace.id, fields, workspace.actor));
}

/** Stores deliveries as an event does. */
const store = (workspace: TestWorkspace, endpointId: string, count = 1) =>
  sql(
    workspace,
    `INSERT INTO webhook_deliveries (endpoint_id, event, body)
     SELECT $1::uuid, 'article.published', '{"type":"article.published","n":' || n || '}' FROM generate_series(1, $2::int) n`,
    ...[endpointId, count],
  );

const whole = async ({ id }: TestWorkspace, endpointId: string) => {
  const { deliveries } = await readWorkspace(id, (read) => listDeliveries(read, endpointId, { limit: 100, offset: 0 }));
  return deliveries;
};
const endpointOf = async (workspace: TestWorkspace, id: string) => {
  const endpoint = await readWorkspace(workspace.id, (read) => findEndpoint(read, id));
  if (!endpoint) throw new Error("No such endpoint.");
  return endpoint;
};

const outcome = (status: number | null, given: Partial<Outcome> = {}): Outcome => ({
  ...{ status, response: "", problem: null, tookMs: 1, retryAfter: undefined },
  ...given,
});
const answering =
  (...answers: Outcome[]): typeof post =>
  async () =>
    answers.shift() ?? outcome(500);

/** Jobs of a workspace, which no worker runs here. */
const jobsOf = (workspace: TestWorkspace) =>
  acrossWorkspaces.query<{ task: string; payload: Record<string, unknown> }>(
    `SELECT t.identifier AS task, j.payload->'payload' AS payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.payload->>'workspace_id' = $1 ORDER BY j.id`,
    [workspace.id],
  );

describe("a delivery", () => {
  test("is signed so that the library of Standard Webhooks verifies it, with both secrets after a rotation", async () => {
    const workspace = await aWorkspace();
    const { url, received } = await aReceiver(onTestFinished);
    const { id, secret } = await anEndpoint(workspace, url);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await store(workspace, id);
    await deliver(workspace);
    const { secret: next } = await within(workspace, (db) => rotateSecret(db, workspace.id, id, workspace.actor));
    await store(workspace, id);
    await deliver(workspace);
    await sql(workspace, "UPDATE webhook_endpoints SET former_until = now() - interval '1 second'");
    await store(workspace, id);
    await deliver(workspace);
    const verifies = ({ body, headers }: (typeof received)[number], by: string) => {
      try {
        return new Webhook(by).verify(body, headers as Record<string, string>) !== undefined;
      } catch {
        return false;
      }
    };
    expect(received.map((one) => [verifies(one, secret), verifies(one, next)])).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    const [first] = received;
    expect(verifies({ ...first!, body: `${first?.body} ` }, secret)).toBe(false);
    expect(first?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": (await whole(workspace, id)).at(-1)?.id,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
    });
  });

  test("is tried again after 5 seconds, then after longer pauses, with one id, and fails after ten attempts", async () => {
    const workspace = await aWorkspace();
    const { url, received } = await aReceiver(
      onTestFinished,
      (_, response) => void response.writeHead(500).end("Oops"),
    );
    const { id } = await anEndpoint(workspace, url);
    await store(workspace, id);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliver(workspace);
      const [one] = await whole(workspace, id);
      expect(one).toMatchObject({ attempts: attempt, status: 500, state: attempt < 10 ? "waiting" : "failed" });
      if (attempt < 10) pauses.push(Math.round((one!.dueAt.getTime() - one!.attemptedAt!.getTime()) / 1000));
      // It is not due before.
      await deliver(workspace);
      expect(received).toHaveLength(attempt);
      await sql(workspace, "UPDATE webhook_deliveries SET due_at = now() - interval '1 second'");
    }
    const near = (seconds: number) => expect.closeTo(seconds, -1);
    const hours = [2, 5, 10, 14, 20, 24].map((each) => near(each * 3600));
    expect(pauses).toEqual([near(5), near(300), near(1800), ...hours]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(
      (await readWorkspace(workspace.id, (read) => findDelivery(read, id, String(received[0]?.headers["webhook-id"]))))
        ?.response,
    ).toBe("Oops");
    // Three days have not passed, so the endpoint stays on.
    expect((await endpointOf(workspace, id)).active).toBe(true);
  });

  test("only succeeds with 2xx", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    for (const status of [200, 204, 299, 199, 300, 302, 304, 400, 404, 429, 500, null]) {
      await store(workspace, id);
      await deliver(workspace, answering(outcome(status)));
    }
    const states = (await whole(workspace, id)).map(({ status, state }) => [status, state]);
    expect(
      states
        .filter(([, state]) => state === "delivered")
        .map(([status]) => status)
        .sort(),
    ).toEqual([200, 204, 299]);
    expect(states.filter(([, state]) => state === "waiting")).toHaveLength(9);
  });

  test("waits as long as Retry-After asks, but no longer than a day, and no shorter than planned", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const cases: [string, number][] = [
      ["120", 120],
      ["1", 5],
      ["9999999", 86_400],
      [date, 3_600],
      ["soon", 5],
      ["-5", 5],
    ];
    for (const [retryAfter, seconds] of cases) {
      await sql(workspace, "DELETE FROM webhook_deliveries");
      await store(workspace, id);
      await deliver(workspace, answering(outcome(503, { retryAfter })));
      const [one] = await whole(workspace, id);
      const waits = (one!.dueAt.getTime() - one!.attemptedAt!.getTime()) / 1000;
      expect([retryAfter, waits]).toEqual([retryAfter, expect.closeTo(seconds, -1)]);
    }
  });

  test("that a killed server was sending is sent again, once that server had its time", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id);
    const ids: string[] = [];
    const killed = new Error("Killed.");
    const dying: typeof post = async (_, { headers }) => {
      ids.push(headers["webhook-id"] ?? "");
      throw killed;
    };
    await expect(deliver(workspace, dying)).rejects.toThrow(killed);
    await deliver(workspace, dying);
    expect(ids).toHaveLength(1);
    expect((await whole(workspace, id))[0]).toMatchObject({ state: "waiting", attempts: 0 });
    await sql(workspace, "UPDATE webhook_deliveries SET due_at = due_at - interval '46 seconds'");
    await deliver(workspace, async (_, { headers }) => {
      ids.push(headers["webhook-id"] ?? "");
      return outcome(200);
    });
    expect(ids).toEqual([ids[0], ids[0]]);
    expect((await whole(workspace, id))[0]).toMatchObject({ state: "delivered", attempts: 1 });
  });

  test("of an endpoint that hangs delays neither those of others nor another workspace", async () => {
    const [workspace, other] = [await aWorkspace(), await aWorkspace()];
    const { id: hanging } = await anEndpoint(workspace, "https://hangs.example/");
    const { id: quick } = await anEndpoint(workspace, "https://quick.example/");
    const { id: theirs } = await anEndpoint(other, "https://quick.example/");
    await store(workspace, hanging, 500);
    await store(workspace, quick, 10);
    await store(other, theirs, 10);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const started: string[] = [];
    const send: typeof post = async (url) => {
      started.push(new URL(url).host);
      if (url.includes("hangs")) await opened;
      return outcome(url.includes("hangs") ? 500 : 200);
    };
    const turn = deliver(workspace, send);
    await expect
      .poll(async () => (await whole(workspace, quick)).every(({ state }) => state === "delivered"))
      .toBe(true);
    await deliver(other, send);
    expect((await whole(other, theirs)).every(({ state }) => state === "delivered")).toBe(true);
    expect(started.filter((host) => host === "hangs.example")).toHaveLength(4);
    // A second job of the workspace leaves it to the first.
    await deliver(workspace, send);
    open();
    await turn;
    expect(started.filter((host) => host === "hangs.example")).toHaveLength(4);
    expect(await jobsOf(workspace)).toEqual([{ task: "deliver_webhooks", payload: {} }]);
  });
});

describe("an endpoint is switched off and the administrators are told", () => {
  const told = async (workspace: TestWorkspace) =>
    (await jobsOf(workspace)).filter(({ task }) => task === "webhook_off").map(({ payload }) => payload);

  test("when it answers 410", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id, 9);
    await deliver(workspace, async () => outcome(410));
    expect(await endpointOf(workspace, id)).toMatchObject({ active: false, offBecause: "gone", waiting: 0 });
    expect((await whole(workspace, id)).map(({ state }) => state)).toEqual(Array(9).fill("failed"));
    expect(await told(workspace)).toEqual([
      { email: workspace.admin.email, memberName: "Ada Admin", host: "hooks.example.com", because: "gone" },
    ]);
  });

  test("when it failed for three days, but not if one delivery succeeded meanwhile", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    const lastAttempt = async (failingSince: string) => {
      await sql(workspace, "DELETE FROM webhook_deliveries");
      await store(workspace, id);
      await sql(workspace, "UPDATE webhook_deliveries SET attempts = 9");
      await sql(workspace, `UPDATE webhook_endpoints SET failing_since = now() - interval '${failingSince}'`);
    };
    await lastAttempt("71 hours");
    await deliver(workspace, answering(outcome(500)));
    expect((await endpointOf(workspace, id)).active).toBe(true);
    await lastAttempt("73 hours");
    await deliver(workspace, answering(outcome(200)));
    expect(await endpointOf(workspace, id)).toMatchObject({ active: true, failingSince: null });
    await lastAttempt("73 hours");
    await deliver(workspace, answering(outcome(500)));
    expect(await endpointOf(workspace, id)).toMatchObject({ active: false, offBecause: "failing" });
    expect(await told(workspace)).toMatchObject([{ because: "failing" }]);
    await within(workspace, (db) => switchEndpoint(db, id, true, workspace.actor));
    expect(await endpointOf(workspace, id)).toMatchObject({ active: true, offBecause: null, failingSince: null });
  });

  test("when too many deliveries wait in the workspace", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    const { id: other } = await anEndpoint(workspace, "https://other.example/");
    await store(workspace, id, MOST_WAITING);
    await store(workspace, other, 1);
    await deliver(workspace, async () => outcome(500));
    expect(await endpointOf(workspace, id)).toMatchObject({ active: false, offBecause: "full", waiting: 0 });
    expect((await endpointOf(workspace, other)).active).toBe(true);
    expect(await told(workspace)).toMatchObject([{ because: "full" }]);
  });
});

describe("a member", () => {
  test("resends as many at a time as may wait, so that the webhook stays on", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id, MOST_WAITING + 2);
    await sql(workspace, "UPDATE webhook_deliveries SET state = 'failed'");
    const again = () => within(workspace, (db) => resendFailed(db, id, new Date(0), workspace.actor));
    expect(await again()).toBe(10_000);
    await expect(again()).rejects.toThrow(/are already waiting/);
    await deliver(workspace, async () => outcome(500));
    expect((await endpointOf(workspace, id)).active).toBe(true);
  });

  test("sends a test, which is tried once", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await within(workspace, (db) => sendPing(db, id, workspace.actor));
    const bodies: unknown[] = [];
    await deliver(workspace, async (_, { body }) => {
      bodies.push(JSON.parse(body));
      return outcome(null, { problem: "The connection was refused." });
    });
    expect(bodies).toEqual([
      {
        ...{ type: "ping", timestamp: expect.any(String) },
        data: { id, actor: { kind: "member", id: workspace.admin.id } },
      },
    ]);
    expect(await whole(workspace, id)).toMatchObject([
      { event: "ping", state: "failed", attempts: 1, problem: "The connection was refused." },
    ]);
    await within(workspace, (db) => switchEndpoint(db, id, false, workspace.actor));
    await expect(within(workspace, (db) => sendPing(db, id, workspace.actor))).rejects.toThrow(/is off/);
  });

  test("resends one, or all failed since a time", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id, 4);
    await sql(workspace, "UPDATE webhook_deliveries SET state = 'failed', attempts = 10");
    const deliveries = await whole(workspace, id);
    const [one, old, done] = deliveries;
    await sql(
      workspace,
      "UPDATE webhook_deliveries SET created_at = now() - interval '2 days' WHERE id = $1::uuid",
      old?.id,
    );
    await sql(workspace, "UPDATE webhook_deliveries SET state = 'delivered' WHERE id = $1::uuid", done?.id);
    await within(workspace, (db) => resendDelivery(db, id, one?.id ?? "", workspace.actor));
    const dayAgo = new Date(Date.now() - 86_400_000);
    expect(await within(workspace, (db) => resendFailed(db, id, dayAgo, workspace.actor))).toBe(1);
    const sent: string[] = [];
    await deliver(workspace, async (_, { headers }) => {
      sent.push(headers["webhook-id"] ?? "");
      return outcome(200);
    });
    expect(sent.sort()).toEqual(
      deliveries
        .map((each) => each.id)
        .filter((each) => each !== old?.id && each !== done?.id)
        .sort(),
    );
    await within(workspace, (db) => resendDelivery(db, id, done?.id ?? "", workspace.actor));
    expect((await whole(workspace, id)).filter(({ state }) => state === "waiting")).toMatchObject([{ id: done?.id }]);
  });

  test("that no longer gets an event has no deliveries of it, waiting or sent", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id, 2);
    await within(workspace, (db) => sendPing(db, id, workspace.actor));
    const fields = {
      url: "https://hooks.example.com/in",
      description: "",
      events: ["article.published", "member.invited"],
    };
    await within(workspace, (db) => changeEndpoint(db, id, fields, workspace.actor));
    expect(await whole(workspace, id)).toHaveLength(3);
    await within(workspace, (db) => changeEndpoint(db, id, { ...fields, events: ["member.invited"] }, workspace.actor));
    expect((await whole(workspace, id)).map(({ event }) => event)).toEqual(["ping"]);
  });

  test("of another workspace neither sees nor resends, changes, rotates or deletes", async () => {
    const [workspace, other] = [await aWorkspace(), await aWorkspace()];
    const { id } = await anEndpoint(workspace);
    await store(workspace, id);
    const [delivery] = await whole(workspace, id);
    expect(await readWorkspace(other.id, listEndpoints)).toEqual([]);
    expect(await readWorkspace(other.id, (read) => findEndpoint(read, id))).toBeNull();
    expect(await readWorkspace(other.id, (read) => findDelivery(read, id, delivery?.id ?? ""))).toBeNull();
    expect(await whole(other, id)).toEqual([]);
    const fields = { url: "https://evil.example/", description: "", events: ["article.published"] };
    const attempts: ((db: Db) => Promise<unknown>)[] = [
      (db) => resendDelivery(db, id, delivery?.id ?? "", other.actor),
      (db) => resendFailed(db, id, new Date(0), other.actor),
      (db) => changeEndpoint(db, id, fields, other.actor),
      (db) => rotateSecret(db, other.id, id, other.actor),
      (db) => switchEndpoint(db, id, false, other.actor),
      (db) => sendPing(db, id, other.actor),
      (db) => deleteEndpoint(db, id, other.actor),
    ];
    for (const attempt of attempts) await expect(within(other, attempt)).rejects.toThrow(NotFoundError);
    const sent: string[] = [];
    await deliver(other, async (url) => {
      sent.push(url);
      return outcome(200);
    });
    expect(sent).toEqual([]);
    expect(await whole(workspace, id)).toEqual([delivery]);
    expect(await endpointOf(workspace, id)).toMatchObject({ active: true, url: "https://hooks.example.com/in" });
  });

  test("gives a URL that is https and public, a few events, and at most 20 webhooks", async () => {
    const workspace = await aWorkspace();
    const create = (url: string, events = ["article.published"]) =>
      within(workspace, (db) => createEndpoint(db, workspace.id, { url, description: "", events }, workspace.actor));
    for (const url of ["", "hooks", "ftp://a.example/", "http://a.example/", "javascript:alert(1)"])
      await expect(create(url)).rejects.toThrow(/Enter a URL/);
    for (const url of ["https://10.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://0xa000001/", "https://2852039166/"])
      await expect(create(url)).rejects.toThrow(/public internet|begins with https/);
    await expect(create("https://user:secret@a.example/")).rejects.toThrow(/without a username/);
    await expect(create(`https://a.example/${"x".repeat(2_000)}`)).rejects.toThrow(/up to 2000/);
    await expect(create("https://a.example/", ["no.such"])).rejects.toThrow(/at least one event/);
    for (let n = 0; n < 20; n++) await create(`https://a.example/${n}#cut`);
    await expect(create("https://a.example/")).rejects.toThrow(/20 webhooks/);
    expect((await readWorkspace(workspace.id, listEndpoints))[0]?.url).toBe("https://a.example/0");
  });
});

describe("a secret", () => {
  afterEach(() => openLog({ level: "error", format: "text", write: () => {} }));

  test("is in no row and no job, and in no line of the log", async () => {
    const workspace = await aWorkspace();
    const lines: string[] = [];
    openLog({ level: "trace", format: "json", write: (line) => lines.push(line) });
    const { id, secret } = await anEndpoint(workspace);
    const { secret: next } = await within(workspace, (db) => rotateSecret(db, workspace.id, id, workspace.actor));
    await store(workspace, id);
    const { log } = await import("@/lib/log");
    log().error({ secret, err: new Error(`It failed with ${next}`) }, `Secret ${secret}`);
    await deliver(workspace, answering(outcome(410)));
    const tables = await acrossWorkspaces.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition`,
    );
    const dump: string[] = [];
    for (const { name } of tables) {
      const rows = await acrossWorkspaces.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} t WHERE workspace_id = $1`,
        [workspace.id],
      );
      dump.push(...rows.map(({ row }) => row));
    }
    dump.push(JSON.stringify(await jobsOf(workspace)));
    expect(dump.length).toBeGreaterThan(5);
    expect(lines.length).toBeGreaterThan(0);
    const everything = [...dump, ...lines].join("\n");
    for (const one of [secret, next]) {
      const key = Buffer.from(one.slice("whsec_".length), "base64");
      // As text, and as the bytes of a bytea: of the text and of the key.
      for (const form of [one.slice(6), Buffer.from(one).toString("hex"), key.toString("hex")])
        expect(everything).not.toContain(form);
    }
  });

  test("that AUTH_SECRET no longer opens is not needed after a rotation", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await sql(workspace, "UPDATE webhook_endpoints SET secret = '\\x00'");
    await within(workspace, (db) => rotateSecret(db, workspace.id, id, workspace.actor));
    await store(workspace, id);
    await deliver(workspace, answering(outcome(200)));
    expect(await whole(workspace, id)).toMatchObject([{ state: "delivered", problem: null }]);
  });

  test("that AUTH_SECRET no longer opens makes deliveries fail with the remedy", async () => {
    const workspace = await aWorkspace();
    const { id } = await anEndpoint(workspace);
    await store(workspace, id);
    await sql(workspace, "UPDATE webhook_endpoints SET secret = '\\x00'");
    await deliver(workspace, answering(outcome(200)));
    expect(await whole(workspace, id)).toMatchObject([
      { state: "waiting", problem: expect.stringMatching(/Rotate the secret/) },
    ]);
  });
});
