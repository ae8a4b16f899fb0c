import { beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { GET as unknownPath } from "../[...path]/route";
import { refusal } from "./testing.operations";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// The order of checks: a request that breaks every rule is fixed rule by rule, and each time the next check answers.

let ours: TestWorkspace;
let reader: string;
const missing = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

beforeAll(async () => {
  ours = await aWorkspace();
  reader = await inWorkspace(
    ours.id,
    async (db) =>
      (await createApiKey(db, { name: "reader", scopes: ["content.read", "members.read"] }, ours.actor)).text,
  );
});

/** Next itself answers what a handler never sees. Only a front door can keep these rows (docs/contract.md). */
const isFrontDoor = process.env.CONTRACT_TARGET !== "next";
const atTheFrontDoor: typeof test = isFrontDoor ? test : ((() => {}) as unknown as typeof test);

describe.each([
  ["v1", "/api/external/v1/team_members", v1["/team_members/{team_member_id}"], v1["/team_members"]],
  ["v2", "/api/external/v2/team-members", v2["/team-members/{team_member_id}"], v2["/team-members"]],
] as [string, string, Handler, Handler][])("%s", (_, path, member, members) => {
  test("the checks come in the contract's order", async () => {
    const wrong = {
      workspace: { ...ours, subdomain: "nobody-here" },
      handler: unknownPath,
      path: `${path}/${missing}/nothing`,
      method: "PUT",
      key: null as string | null,
      accept: "text/html",
      type: "text/plain",
      body: "x".repeat(65 * 1024),
      idempotencyKey: "two words",
      match: '"never"',
    };
    const statusOf = async () => {
      const { workspace, handler, method, key, body, accept, match } = wrong;
      const headers = {
        accept,
        "content-type": wrong.type,
        "if-match": match,
        "idempotency-key": wrong.idempotencyKey,
      };
      return (await call(handler, workspace, wrong.path, { method, key, headers, body })).status;
    };
    const statuses = [await statusOf()];
    const fix = async (change: Partial<typeof wrong>) => {
      Object.assign(wrong, change);
      statuses.push(await statusOf());
    };
    await fix({ workspace: ours });
    await fix({ handler: member, path: `${path}/${missing}` });
    await fix({ method: "PATCH" });
    await fix({ key: reader });
    await fix({ key: ours.key.text });
    await fix({ accept: "application/json" });
    await fix({ type: "application/json" });
    await fix({ body: "{" });
    await fix({ body: '{"time_zone":"nowhere"}' });
    await fix({ idempotencyKey: path });
    await fix({ body: '{"organization_role":"nobody"}' });
    await fix({ body: "{}" });
    await fix({ path: `${path}/${ours.admin.id}` });
    await fix({ match: "*" });
    expect(statuses).toEqual([404, 404, 405, 401, 403, 406, 415, 413, 400, 400, 422, 422, 404, 412, 200]);
  });

  test("an answer with a malformed id names what only the database finds wrong with a body too", async () => {
    const named = async (body: object) => {
      const answer = await call(member, ours, `${path}/nobody`, { method: "PATCH", body });
      return [answer.status, ...(answer.body.details ?? []).map(({ field }: { field: string }) => field)];
    };
    expect(await named({ organization_role: "Nobody" })).toEqual([422, "organization_role"]);
    expect(await named({ organization_role: "Nobody", last_name: "" })).toEqual([
      422,
      "last_name",
      "organization_role",
    ]);
    expect(await named({ organization_role: "Admin", email: "new@example.com" })).toEqual([404]);
  });

  test("an answer with a malformed id and a field of no use speaks of the field", async () => {
    const ask = (body: object) => call(member, ours, `${path}/no-uuid`, { method: "PATCH", body });
    expect((await ask({ first_name: "" })).status).toBe(422);
    expect((await ask({ first_name: "A" })).status).toBe(404);
  });

  atTheFrontDoor("an address is looked at before anything else, and its faults are answered in JSON", async () => {
    const nowhere = { ...ours, subdomain: "nobody-here" };
    const ask = (query: string) => call(members, nowhere, `${path}?${query}`, { key: null });
    const long = await ask(`email=${"a".repeat(8 * 1024)}`);
    expect([long.status, long.body]).toEqual([
      414,
      refusal(path, "url_too_long", "The URL is over 8 KB. Send a shorter one."),
    ]);
    const short = await call(members, ours, `${path}?email=${"a".repeat(8 * 1024 - 200)}`);
    expect(short.status).toBe(200);
    for (const query of ["email=%zz", "email=%ff", "email=a%00b"]) {
      const answer = await ask(query);
      expect([answer.status, answer.body]).toEqual([
        400,
        refusal(
          `${path}/`,
          "malformed_url",
          "The URL is not properly percent-encoded. Encode it as UTF-8, without NUL characters.",
        ),
      ]);
    }
    const inPath = await call(member, ours, `${path}/%zz`);
    expect([inPath.status, typeof inPath.body.error]).toEqual([400, "string"]);
  });

  test("a page of another site is told nothing that would let it in", async () => {
    const headers = { origin: "https://example.org", "access-control-request-method": "GET" };
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await call(members, ours, path, { method, headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.status).toBe(method === "GET" ? 200 : 204);
    }
  });
});
