import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { inWorkspace } from "@/lib/db";
import { plantCanary } from "@/testing/canary";
import { type Planted, snapshot } from "@/testing/wall";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { changing } from "./testing.changes";
import { idParametersOf, requestFor, writes } from "./testing.operations";

// We send every operation that changes something, with every id of another workspace. None of its rows may change.

/** A change of every field that any operation accepts. Add new fields here. */
const changes: Record<string, unknown> = {
  email: "taken@example.com",
  first_name: "Taken",
  last_name: "Taken",
  time_zone: "Europe/Berlin",
  organization_role: "Admin",
  role: "Admin",
  active: true,
  title: "Taken",
  html_content: "<p>Taken</p>",
  // Instead of the fields that are absent here, the others say it.
  markdown_content: undefined,
  tags: ["Taken"],
  keywords: ["Taken"],
  page_title: "Taken",
  meta_description: "Taken",
  show_table_of_contents: false,
  related_article_ids: [],
  attachment_ids: [],
  category_id: undefined,
  category_path: ["Taken"],
  create_categories: true,
  slug: "taken",
  author_email: undefined,
  external_id: undefined,
  publish_at: undefined,
  state: "published",
  publish: true,
  revision: undefined,
  on_conflict: "keep_version",
  redirect_to: null,
  items: [{ action: "create", title: "Taken", html_content: "<p>Taken</p>", category_path: ["Taken"] }],
  name: "Taken",
  description: "Taken",
  visibility_setting: "members",
  visibility: undefined,
  sequence: undefined,
  parent_id: null,
  position: 1,
  category_ids: [],
  move_contents_to: null,
  from: "/taken",
  term: "Taken",
  replacements: ["Taken too"],
  two_way: false,
  url: "https://example.com/taken",
  events: ["article.created"],
  to: null,
  into: "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d",
};

let owner: Client;
beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
});
afterAll(() => owner.end());

const isNamed = (operation: (typeof writes)[number]) => idParametersOf(operation).some(({ where }) => where === "path");
const succeeded = (status: number) => status === 200 || status === 201;

describe.each(writes)("$name", (operation) => {
  const fields = Object.keys(operation.spec.body?.shape ?? {});
  const whole = () => Object.fromEntries(fields.map((name) => [name, changes[name]]));
  const named = (id = "") =>
    Object.fromEntries(Object.keys(operation.spec.params.shape).map((name) => [name, name === "number" ? "1" : id]));
  // The limit of writes counts for each key.
  let ours: TestWorkspace;
  let canary: Planted;
  let theirs: Pick<TestWorkspace, "id" | "subdomain" | "key" | "admin">;

  beforeAll(async () => {
    ours = await aWorkspace();
    canary = await plantCanary(owner);
    const key = await inWorkspace(canary.id, (db) =>
      createApiKey(db, { name: canary.word, scopes: everyScope, createdBy: canary.ids.members }, ours.actor),
    );
    const admin = { ...ours.admin, id: canary.ids.members! };
    theirs = { id: canary.id, subdomain: canary.word, key, admin };
  });

  const send = (
    workspace: Pick<typeof theirs, "subdomain" | "key">,
    values: Record<string, string>,
    body: object | string,
    key = workspace.key.text,
  ) => {
    const { address, request } = requestFor(operation, values, canary.word);
    return call(operation.handler, workspace, address, { ...request, body, key });
  };

  test("changes no row of another workspace, whatever it is sent for", async () => {
    expect(fields.filter((name) => !(name in changes))).toEqual([]);
    const before = await snapshot(owner, canary.id);
    // Where no id is in the path, all of these are the same request.
    for (const id of [...Object.values(canary.ids), canary.id].slice(0, isNamed(operation) ? undefined : 3)) {
      const { status } = await send(ours, named(id), whole());
      if (isNamed(operation)) expect([id, status]).toEqual([id, 404]);
      else expect([200, 201, 422]).toContain(status);
      expect([id, (await send(ours, named(id), whole(), theirs.key.text)).status]).toEqual([id, 401]);
    }
    const others = await aWorkspace();
    // Only the changes of members ignore a field that they don't have.
    const stranger = operation.spec.ignored === true && { workspace_id: canary.id };
    // Our own ids, with every field pointing at theirs.
    const words = await owner.query<{ email: string; role: string }>(
      "SELECT m.email, r.name AS role FROM members m JOIN roles r ON r.id = m.role_id WHERE m.workspace_id = $1",
      [canary.id],
    );
    for (const value of [...Object.values(words.rows[0] ?? {}), canary.ids.members, canary.ids.roles]) {
      for (const name of fields) {
        const own = await changing[operation.spec.operationId]?.(others, `${name} ${value}`);
        const { status } = await send(others, own?.values ?? {}, { [name]: value, ...stranger });
        expect([200, 201, 422]).toContain(status);
      }
    }
    expect(await snapshot(owner, canary.id)).toBe(before);
  }, 60_000);

  test("changes rows of the workspace that sends it for its own", async () => {
    const before = await snapshot(owner, canary.id);
    const role = await owner.query<{ name: string }>("SELECT name FROM roles WHERE workspace_id = $1", [canary.id]);
    const body = { ...whole(), organization_role: role.rows[0]?.name };
    const statuses: number[] = [];
    if (!("team_member_id" in named())) {
      const own = await changing[operation.spec.operationId]?.(theirs, "Taken");
      expect(succeeded((await send(theirs, own?.values ?? {}, own?.body ?? {})).status)).toBe(true);
      expect(await snapshot(owner, canary.id)).not.toBe(before);
      return;
    }
    for (const id of new Set(Object.values(canary.ids))) statuses.push((await send(theirs, named(id), body)).status);
    expect(statuses.filter(succeeded)).toHaveLength(1);
    expect(await snapshot(owner, canary.id)).not.toBe(before);
  });
});
