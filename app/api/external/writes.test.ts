import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { inWorkspace } from "@/lib/db";
import { plantCanary } from "@/testing/canary";
import { type Planted, snapshot } from "@/testing/wall";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { listed, requestFor } from "./testing.operations";

// We send every operation that changes something, with every id of another workspace. None of its rows may change.

/** A change of every field that any operation accepts. Add new fields here. */
const changes: Record<string, unknown> = {
  email: "taken@example.com",
  first_name: "Taken",
  last_name: "Taken",
  time_zone: "Europe/Berlin",
  organization_role: "Admin",
  active: true,
};

let owner: Client;
let ours: TestWorkspace;

beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  ours = await aWorkspace();
});
afterAll(() => owner.end());

describe.each(listed.filter(({ method }) => method !== "GET"))("$name", (operation) => {
  const fields = Object.keys(operation.spec.body?.shape ?? {});
  const whole = () => Object.fromEntries(fields.map((name) => [name, changes[name]]));
  const named = (id = "") => Object.fromEntries(Object.keys(operation.spec.params.shape).map((name) => [name, id]));
  let canary: Planted;
  let theirs: Pick<TestWorkspace, "subdomain" | "key">;

  beforeAll(async () => {
    canary = await plantCanary(owner);
    const key = await inWorkspace(canary.id, (db) =>
      createApiKey(db, { name: canary.word, scopes: everyScope }, ours.actor),
    );
    theirs = { subdomain: canary.word, key };
  });

  const send = (workspace: typeof theirs, values: Record<string, string>, body: object, key = workspace.key.text) => {
    const { address, request } = requestFor(operation, values, canary.word);
    return call(operation.handler, workspace, address, { ...request, body, key });
  };

  test("changes no row of another workspace, whatever it is sent for", async () => {
    expect(fields.filter((name) => !(name in changes))).toEqual([]);
    const before = await snapshot(owner, canary.id);
    for (const id of [...Object.values(canary.ids), canary.id]) {
      expect([id, (await send(ours, named(id), { ...whole(), workspace_id: canary.id })).status]).toEqual([id, 404]);
      expect([id, (await send(ours, named(id), whole(), theirs.key.text)).status]).toEqual([id, 401]);
    }
    // Our own ids, with every field pointing at theirs.
    const words = await owner.query<{ email: string; role: string }>(
      "SELECT m.email, r.name AS role FROM members m JOIN roles r ON r.id = m.role_id WHERE m.workspace_id = $1",
      [canary.id],
    );
    for (const value of [...Object.values(words.rows[0] ?? {}), canary.ids.members, canary.ids.roles]) {
      for (const name of fields) {
        const { status } = await send(ours, named(ours.admin.id), { [name]: value, workspace_id: canary.id });
        expect([200, 422]).toContain(status);
      }
    }
    expect(await snapshot(owner, canary.id)).toBe(before);
  });

  test("changes rows of the workspace that sends it for its own", async () => {
    const before = await snapshot(owner, canary.id);
    const role = await owner.query<{ name: string }>("SELECT name FROM roles WHERE workspace_id = $1", [canary.id]);
    const body = { ...whole(), organization_role: role.rows[0]?.name };
    const statuses: number[] = [];
    for (const id of new Set(Object.values(canary.ids))) statuses.push((await send(theirs, named(id), body)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await snapshot(owner, canary.id)).not.toBe(before);
  });
});
