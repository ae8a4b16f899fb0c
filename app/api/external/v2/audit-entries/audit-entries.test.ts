import { Client } from "pg";
import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { recordAudit } from "@/lib/audit/audit";
import { inWorkspace } from "@/lib/db";
import { createMember, updateMember } from "@/lib/members/members";
import { aWorkspace, call } from "@/testing/workspace";

const unknown = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

interface Entry {
  id: string;
  action: string;
  subject: { name: string };
}

/** A workspace with a key that reads the audit log. */
async function aLog() {
  const workspace = await aWorkspace();
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "SIEM", scopes: ["audit.read"] }, workspace.actor),
  );
  const read = (query: Record<string, string> = {}) =>
    call(paths["/audit-entries"], workspace, `/api/external/v2/audit-entries?${new URLSearchParams(query)}`, {
      key: key.text,
    });
  return {
    ...{ workspace, key, read },
    list: async (query?: Record<string, string>): Promise<{ audit_entries: Entry[]; cursor: string | null }> =>
      (await read(query)).body,
    /** Entries of nobody about things that are not there. */
    write: (at: string, ...names: string[]) =>
      inWorkspace(workspace.id, (db) =>
        db.auditEntry.createMany({
          data: names.map((subjectName) => ({
            ...{ actorKind: "system", actorName: "Test", action: "webhook.tested", subjectKind: "thing", subjectName },
            createdAt: new Date(at),
          })),
        }),
      ),
  };
}

const namesOf = ({ audit_entries }: { audit_entries: Entry[] }) => audit_entries.map(({ subject }) => subject.name);
const actionsOf = ({ audit_entries }: { audit_entries: Entry[] }) => audit_entries.map(({ action }) => action);

test("an entry has who did what to whom, with the names of that time", async () => {
  const { workspace, key, list } = await aLog();
  const { admin, actor } = workspace;
  const { id } = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" },
      { ...actor, ip: "192.0.2.1", requestId: "r-1" },
    ),
  );
  await inWorkspace(workspace.id, (db) =>
    updateMember(db, id, { email: "hopper@example.com" }, { kind: "api_key", id: key.id, name: "SIEM" }),
  );
  const { audit_entries, cursor } = await list({ page_size: "2" });
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(audit_entries).toEqual([
    {
      ...{ id: expect.any(String), created_at: moment, action: "member.updated" },
      actor: { kind: "api_key", id: key.id, name: "SIEM" },
      subject: { kind: "member", id, name: "hopper@example.com" },
      details: { email: "grace@example.com → hopper@example.com" },
      ...{ ip: null, request_id: null },
    },
    {
      ...{ id: expect.any(String), created_at: moment, action: "member.created" },
      actor: { kind: "member", id: admin.id, name: admin.email },
      subject: { kind: "member", id, name: "grace@example.com" },
      details: { role: "Editor" },
      ...{ ip: "192.0.2.1", request_id: "r-1" },
    },
  ]);
  expect(cursor).not.toBeNull();
});

test("paging lists each entry once, also among simultaneous and new ones", async () => {
  const { list, write } = await aLog();
  await write("2020-01-01T00:00:00.123Z", ..."abcdefg");
  await write("2020-01-01T00:00:00.124Z", "later");
  const filter = { action: "webhook.tested", page_size: "3" };
  const whole = namesOf(await list({ action: "webhook.tested" }));
  expect([whole[0], whole.slice(1).sort().join("")]).toEqual(["later", "abcdefg"]);
  const seen: string[] = [];
  const pages: number[] = [];
  for (let before: string | null = null, page = 0; page === 0 || before; page++) {
    const part = await list({ ...filter, ...(before && { before }) });
    seen.push(...namesOf(part));
    pages.push(part.audit_entries.length);
    before = part.cursor;
    await write(new Date().toISOString(), `new ${page}`);
  }
  expect(seen).toEqual(whole);
  expect(pages).toEqual([3, 3, 2]);
  // A last page that is full has no cursor either.
  expect((await list({ action: "webhook.tested", until: "2021-01-01T00:00:00Z", page_size: "8" })).cursor).toBeNull();
});

test("entries are filtered by time, action and actor, alone and together", async () => {
  const { workspace, list, write } = await aLog();
  await write("2026-01-01T00:00:00.000Z", "first");
  await write("2026-01-31T23:59:59.999Z", "last");
  await write("2026-02-01T00:00:00.000Z", "after");
  const thing = { action: "webhook.tested" };
  expect(namesOf(await list({ ...thing, since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" }))).toEqual([
    "last",
    "first",
  ]);
  expect(namesOf(await list({ ...thing, since: "2026-02-01T01:00:00.000+01:00" }))).toEqual(["after"]);
  expect(namesOf(await list({ ...thing, since: "2026-02-01T00:00:00.001Z" }))).toEqual([]);
  expect(namesOf(await list({ until: "2026-01-01T00:00:00.001Z" }))).toEqual(["first"]);
  await inWorkspace(workspace.id, (db) =>
    recordAudit(db, workspace.actor, "webhook.tested", { kind: "thing", id: workspace.id, name: "by Ada" }),
  );
  const ada = { actor_id: workspace.admin.id };
  expect(actionsOf(await list(ada))).toEqual(["webhook.tested", "api_key.created", "api_key.created"]);
  expect(namesOf(await list({ ...ada, ...thing }))).toEqual(["by Ada"]);
  expect(namesOf(await list({ ...ada, ...thing, until: "2026-02-01T00:00:00Z" }))).toEqual([]);
  expect(namesOf(await list({ actor_id: unknown }))).toEqual([]);
});

test("every parameter that was refused is named", async () => {
  const { read } = await aLog();
  for (const [query, ...named] of [
    [{ since: "yesterday", until: "2026-01-01" }, "since", "until"],
    [{ since: "2026-01-01T00:00:00" }, "since"],
    [{ actor_id: "ada" }, "actor_id"],
    [{ before: "x" }, "before"],
    [{ before: Buffer.from(JSON.stringify([9e15, unknown])).toString("base64url") }, "before"],
    [{ before: Buffer.from(JSON.stringify([1.5, unknown])).toString("base64url") }, "before"],
    [{ page_size: "0" }, "page_size"],
    [{ action: "thing.done" }, "action"],
  ] as [Record<string, string>, ...string[]][]) {
    const { status, body } = await read(query);
    expect([query, status, body.details.map(({ field }: { field: string }) => field)]).toEqual([query, 422, named]);
  }
  for (const since of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
    expect([since, (await read({ since })).status]).toEqual([since, 200]);
});

test("an action that doesn't exist is refused with those that are near, or all", async () => {
  const { read } = await aLog();
  const said = async (action: string) => (await read({ action })).body.error;
  expect(await said("article.publish")).toMatch(
    /^Unknown action\. Did you mean article\.published, [a-z._]+, or [a-z._]+\?$/,
  );
  expect(await said("xyz")).toMatch(/^action must be one of api_key.created, .*workspace.updated\.$/);
});

test("the cursor of a deleted entry still works", async () => {
  const { workspace, list, write } = await aLog();
  await write("2020-01-03T00:00:00Z", "newest");
  await write("2020-01-02T00:00:00Z", "deleted");
  await write("2020-01-01T00:00:00Z", "oldest");
  const filter = { action: "webhook.tested" };
  const { cursor } = await list({ ...filter, page_size: "2" });
  const rest = { ...filter, before: String(cursor) };
  expect(namesOf(await list(rest))).toEqual(["oldest"]);
  // The wall lets no request delete an entry.
  const owner = new Client({ connectionString: String(process.env.DATABASE_URL) });
  await owner.connect();
  await owner
    .query("DELETE FROM audit_entries WHERE workspace_id = $1 AND subject_name = 'deleted'", [workspace.id])
    .finally(() => owner.end());
  expect(namesOf(await list(filter))).toEqual(["newest", "oldest"]);
  expect(namesOf(await list(rest))).toEqual(["oldest"]);
});
