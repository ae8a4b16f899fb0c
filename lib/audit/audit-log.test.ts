import { describe, expect, it } from "vitest";
import { recordAudit } from "@/lib/audit/audit";
import { type AuditFilter, type AuditPlace, auditChoices, listAuditEntries } from "@/lib/audit/audit-log";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const list = (
  { id }: TestWorkspace,
  filter: Partial<AuditFilter> = {},
  at: { before?: AuditPlace; after?: AuditPlace; limit?: number } = {},
) => readWorkspace(id, (read) => listAuditEntries(read, { timeZone: "UTC", ...filter }, { limit: 100, ...at }));

/** Entries about things that are not there, at times of their own. */
async function written(workspace: TestWorkspace, ...names: [name: string, at?: string][]): Promise<void> {
  for (const [name, at] of names) {
    await inWorkspace(workspace.id, (db) =>
      db.auditEntry.create({
        data: {
          ...{ actorKind: "system", actorName: "Test", action: "thing.done", subjectKind: "thing", subjectName: name },
          ...(at && { createdAt: new Date(at) }),
        },
      }),
    );
  }
}

const namesOf = ({ entries }: Awaited<ReturnType<typeof list>>) => entries.map(({ subject }) => subject.name);

describe("the audit log", () => {
  it("says who did what to whom, by the names there are now, and whether the thing is there", async () => {
    const workspace = await aWorkspace();
    const { admin, actor, key } = workspace;
    const grace = await inWorkspace(workspace.id, (db) =>
      createMember(
        db,
        { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" },
        { ...actor, ip: "192.0.2.1", requestId: "r-1" },
      ),
    );
    await inWorkspace(workspace.id, (db) =>
      recordAudit(db, { kind: "api_key", id: key.id, name: "test" }, "member.updated", {
        ...{ kind: "member", id: "00000000-0000-4000-8000-000000000000", name: "gone@example.com" },
      }),
    );
    const { entries } = await list(workspace, { subject: "member" });
    const [byKey, added] = entries;
    expect(added).toEqual({
      id: added?.id,
      at: added?.at,
      actor: { kind: "member", id: admin.id, name: admin.email, person: "Ada Admin" },
      action: "member.created",
      subject: { kind: "member", id: grace.id, name: "grace@example.com", person: "Grace Hopper", there: true },
      details: { role: "Editor" },
      ip: "192.0.2.1",
      requestId: "r-1",
    });
    expect(byKey).toMatchObject({
      actor: { kind: "api_key", id: key.id, name: "test", person: null },
      subject: { name: "gone@example.com", person: null, there: false },
      ip: null,
    });
  });

  it("continues from any entry in both directions, even among simultaneous and newer entries", async () => {
    const workspace = await aWorkspace();
    const moment = "2020-01-01T00:00:00.123Z";
    await written(workspace, ...["a", "b", "c", "d", "e"].map((name): [string, string] => [name, moment]));
    const filter = { subject: "thing" };
    const whole = await list(workspace, filter);
    expect(namesOf(whole).sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect([whole.hasNewer, whole.hasOlder]).toEqual([false, false]);
    const order = namesOf(whole);
    const first = await list(workspace, filter, { limit: 2 });
    const second = await list(workspace, filter, { limit: 2, before: first.entries[1] });
    await written(workspace, ["new"]);
    const third = await list(workspace, filter, { limit: 2, before: second.entries[1] });
    expect([first, second, third].flatMap(namesOf)).toEqual(order);
    expect([first, second, third].map(({ hasNewer, hasOlder }) => [hasNewer, hasOlder])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    const back = await list(workspace, filter, { limit: 2, after: third.entries[0] });
    expect([namesOf(back), back.hasNewer, back.hasOlder]).toEqual([namesOf(second), true, true]);
    const newest = await list(workspace, filter, { limit: 5, after: second.entries[0] });
    expect([namesOf(newest), newest.hasNewer]).toEqual([["new", ...namesOf(first)], false]);
  });

  it("is filtered by who, what, and days as they are where the member is", async () => {
    const workspace = await aWorkspace();
    await written(
      workspace,
      ["before", "2026-03-28T22:59:59Z"],
      ["first", "2026-03-28T23:00:00Z"],
      // The clock is put on that day: it has 23 hours.
      ["last", "2026-03-29T21:59:59Z"],
      ["after", "2026-03-29T22:00:00Z"],
    );
    const filter = { subject: "thing", timeZone: "Europe/Berlin" };
    const day = { from: "2026-03-29", to: "2026-03-29" };
    expect(namesOf(await list(workspace, { ...filter, ...day }))).toEqual(["last", "first"]);
    expect(namesOf(await list(workspace, { ...filter, from: "2026-03-29" }))).toEqual(["after", "last", "first"]);
    expect(namesOf(await list(workspace, { ...filter, to: "2026-03-28" }))).toEqual(["before"]);
    expect((await list(workspace, { actor: "system", subject: "thing" })).entries).toHaveLength(4);
    expect((await list(workspace, { actor: "command_line" })).entries).toHaveLength(0);
    await inWorkspace(workspace.id, (db) =>
      recordAudit(db, workspace.actor, "session.started", { kind: "session", id: workspace.id, name: "Firefox" }),
    );
    const byAda = await list(workspace, { actor: workspace.admin.id });
    expect(byAda.entries.map(({ action }) => action)).toEqual(["session.started", "api_key.created"]);
    expect((await list(workspace, { ofPeople: true })).entries.map(({ action }) => action)).toEqual([
      "api_key.created",
    ]);
    expect((await list(workspace, { action: "thing.done" })).entries).toHaveLength(4);
    expect((await list(workspace, { action: "thing" })).entries).toHaveLength(0);
  });

  it("names by what it can be filtered, each once, and nothing of another workspace", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    await written(workspace, ["a"], ["b"]);
    await written(other, ["c"]);
    await inWorkspace(other.id, (db) =>
      db.auditEntry.create({
        data: { actorKind: "system", actorName: "x", action: "foreign.x", subjectKind: "foreign", subjectName: "x" },
      }),
    );
    const choices = await readWorkspace(workspace.id, auditChoices);
    expect(choices.actors).toEqual([
      { value: workspace.admin.id, name: "Ada Admin" },
      { value: "system", name: "Lectern itself" },
    ]);
    expect(choices.subjects).toContain("thing");
    expect(new Set(choices.subjects).size).toBe(choices.subjects.length);
    expect(choices.actions).toEqual(expect.arrayContaining(["api_key.created", "thing.done"]));
    expect(choices.actions).not.toContain("foreign.x");
    expect((await readWorkspace(other.id, auditChoices)).subjects).toContain("foreign");
  });
});
