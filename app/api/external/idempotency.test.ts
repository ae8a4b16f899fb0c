import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { snapshot } from "@/testing/wall";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { changing } from "./testing.changes";
import { refusal, requestFor, writes } from "./testing.operations";

// A request can be repeated without a second effect (contract 67).

let owner: Client;
let ours: TestWorkspace;

beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
});
beforeEach(async () => {
  ours = await aWorkspace();
});
afterAll(() => owner.end());

describe.each(writes)("$name", (operation) => {
  const { path, spec, handler } = operation;

  /** Sends a change whose text is `word`. */
  const send = async (
    word: string,
    idempotencyKey: string | undefined,
    { key, body, workspace = ours }: { key?: string; body?: object; workspace?: TestWorkspace } = {},
  ) => {
    const sent = await changing[spec.operationId]?.(workspace, word);
    if (!sent) throw new Error(`Add a request of ${spec.operationId} to testing.changes.ts.`);
    const { address, request } = requestFor(operation, sent.values, word);
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    return call(handler, workspace, address, { ...request, body: body ?? (request.body && sent.body), key, headers });
  };
  const isReplayed = ({ headers }: Awaited<ReturnType<typeof send>>) => headers.get("idempotency-replayed") === "true";
  const ok = spec.creates === "always" ? 201 : 200;

  test("answers a repeated request with its first answer, and changes nothing again", async () => {
    const first = await send("Grace", "order-1");
    expect([first.status, isReplayed(first)]).toEqual([ok, false]);
    const between = await send("Linus", "order-2");
    expect(between.status).toBe(ok);
    const before = await snapshot(owner, ours.id);
    const again = await send("Grace", "order-1");
    expect([again.status, again.text, again.headers.get("location"), isReplayed(again)]).toEqual([
      first.status,
      first.text,
      first.headers.get("location"),
      true,
    ]);
    expect(await snapshot(owner, ours.id)).toBe(before);
  });

  test("refuses another request with the same key, and changes nothing", async () => {
    await send("Grace", "order-1");
    await changing[spec.operationId]?.(ours, "Linus");
    const before = await snapshot(owner, ours.id);
    const other = await send("Linus", "order-1");
    expect([other.status, other.body]).toEqual([
      422,
      {
        ...refusal(
          path,
          "idempotency_key_reused",
          "This Idempotency-Key was already used for another request. Send a new one.",
        ),
        details: [
          {
            field: "Idempotency-Key",
            code: "taken",
            message: "This Idempotency-Key was already used for another request. Send a new one.",
          },
        ],
      },
    ]);
    expect(await snapshot(owner, ours.id)).toBe(before);
  });

  test("has one effect, however many send it at the same time", async () => {
    const entries = async () =>
      (await acrossWorkspaces.query("SELECT FROM audit_entries WHERE workspace_id = $1", [ours.id])).length;
    const before = await entries();
    // A busy server refuses some with 503, and programs repeat those.
    const sendUntilAnswered = async () => {
      for (;;) {
        const answer = await send("Grace", "order-1");
        if (answer.status !== 503) return answer;
        // Each try counts against the limit of writes.
        await setTimeout(100);
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, sendUntilAnswered));
    expect(answers.filter((answer) => answer.status === ok && !isReplayed(answer))).toHaveLength(1);
    const others = answers.filter((answer) => answer.status !== ok || isReplayed(answer));
    for (const other of others) expect(isReplayed(other) ? other.status : 409).toBe(other.status);
    expect(await entries()).toBe(before + 1);
    expect(isReplayed(await send("Grace", "order-1"))).toBe(true);
  });

  test("keeps the keys of each API key and each workspace apart", async () => {
    const theirs = await aWorkspace();
    const other = await inWorkspace(ours.id, (db) =>
      createApiKey(db, { name: "other", scopes: everyScope }, ours.actor),
    );
    await send("Grace", "order-1");
    for (const options of [{ key: other.text }, { workspace: theirs }]) {
      const answer = await send("Linus", "order-1", options);
      expect([answer.status, isReplayed(answer)]).toEqual([ok, false]);
    }
  });

  test("repeats nothing for a key that has lost its scope", async () => {
    await send("Grace", "order-1");
    await inWorkspace(ours.id, (db) =>
      db.apiKey.updateMany({ where: { id: ours.key.id }, data: { scopes: ["content.read"] } }),
    );
    const { status, body } = await send("Grace", "order-1");
    // The items of a bulk request need scopes of their own.
    expect(spec.scope === null ? body.results[0].status : status).toBe(403);
  });

  test("takes a key of 1 to 255 visible characters, and says so to any other", async () => {
    for (const key of ["", "two words", "x".repeat(256), "clé"]) {
      const answer = await send("Grace", key);
      expect([key, answer.status, answer.body]).toEqual([
        key,
        400,
        refusal(
          path,
          "invalid_idempotency_key",
          "Idempotency-Key must have 1 to 255 visible ASCII characters, without spaces. Send a new one, such as a UUID.",
        ),
      ]);
    }
    for (const key of ["!", '"quoted"', "x".repeat(255)]) {
      expect((await send(`Grace ${key.length}`, key)).status).toBe(ok);
    }
  });
});

describe.each(writes.filter(({ spec }) => spec.operationId === "updateTeamMember"))("$name", (operation) => {
  const patch = (body: object, key: string) => {
    const { address } = requestFor(operation, { team_member_id: ours.admin.id }, "");
    return call(operation.handler, ours, address, { method: "PATCH", body, headers: { "idempotency-key": key } });
  };

  test("a refused request leaves its key free for the corrected one", async () => {
    const key = randomUUID();
    expect((await patch({ first_name: "" }, key)).status).toBe(422);
    expect((await patch({ active: false }, key)).body.details[0].code).toBe("not_allowed");
    const corrected = await patch({ first_name: "Grace" }, key);
    expect([corrected.status, corrected.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  test("a request whose first one is still running is told so, and gets the first answer later", async () => {
    const key = randomUUID();
    await owner.query("BEGIN");
    await owner.query("SELECT 1 FROM members WHERE id = $1 FOR UPDATE", [ours.admin.id]);
    const first = patch({ first_name: "Grace" }, key);
    await expect
      .poll(
        () =>
          acrossWorkspaces.query(
            "SELECT FROM pg_locks WHERE NOT granted AND $1::int = ANY (pg_blocking_pids(pid)) LIMIT 1",
            [(owner as unknown as { processID: number }).processID],
          ),
        { interval: 10 },
      )
      .toHaveLength(1);
    const second = await patch({ first_name: "Grace" }, key);
    expect([second.status, second.body]).toEqual([
      409,
      refusal(
        operation.path,
        "request_in_progress",
        "The first request with this Idempotency-Key is still running. Try again in a moment.",
      ),
    ]);
    await owner.query("ROLLBACK");
    expect((await first).status).toBe(200);
    const third = await patch({ first_name: "Grace" }, key);
    expect([third.text, third.headers.get("idempotency-replayed")]).toEqual([(await first).text, "true"]);
  });

  test("a request that could not be answered in time did nothing, and can be sent again with its key", async () => {
    const key = randomUUID();
    await owner.query("BEGIN");
    await owner.query("SELECT 1 FROM members WHERE id = $1 FOR UPDATE", [ours.admin.id]);
    expect((await patch({ first_name: "Grace" }, key)).status).toBe(503);
    await owner.query("ROLLBACK");
    const again = await patch({ first_name: "Grace" }, key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  test("a repeated request sends no mail again, even when the limit of mails is used up", async () => {
    const key = randomUUID();
    const first = await patch({ email: "grace@example.com" }, key);
    for (const count of [1, 2, 3]) {
      await patch({ email: `other${count}@example.com` }, randomUUID());
      await patch({ email: "grace@example.com" }, randomUUID());
    }
    expect((await patch({ email: "back@example.com" }, randomUUID())).status).toBe(200);
    expect((await patch({ email: "grace@example.com" }, randomUUID())).status).toBe(429);
    const again = await patch({ email: "grace@example.com" }, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });
});
