import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { refusal } from "./testing.operations";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// Contract 61. lib/db tests the database layer without PostgreSQL.

let ours: TestWorkspace;
let other: Client;

beforeAll(async () => {
  ours = await aWorkspace();
  other = new Client({ connectionString: process.env.DATABASE_URL });
  await other.connect();
});

afterAll(() => other.end());

describe.each([
  ["v1", "team_members", v1["/team_members/{team_member_id}"]],
  ["v2", "team-members", v2["/team-members/{team_member_id}"]],
] as [string, string, Handler][])("%s", (version, path, handler) => {
  const address = () => `/api/external/${version}/${path}/${ours.admin.id}`;
  const patch = (name: string) => call(handler, ours, address(), { method: "PATCH", body: { first_name: name } });

  test("a change blocked by another one is refused with a time to retry, and then succeeds", async () => {
    await other.query("BEGIN");
    await other.query("SELECT 1 FROM members WHERE id = $1 FOR UPDATE", [ours.admin.id]);
    const held = await patch("Held");
    expect([held.status, held.headers.get("retry-after"), held.body]).toEqual([
      503,
      "2",
      refusal(address(), "unavailable", "The service is busy or restarting. Try again in a moment."),
    ]);
    expect((await call(handler, ours, address())).body.team_member.first_name).not.toBe("Held");
    await other.query("ROLLBACK");
    const answer = await patch(`After ${version}`);
    expect([answer.status, answer.body.team_member.first_name]).toEqual([200, `After ${version}`]);
  });
});
