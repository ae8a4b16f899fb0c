import { expect, test } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { changeRetention, findRetention, lossesOf, type Retention } from "@/lib/settings/retention";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const aged = ({ id }: TestWorkspace, days: number[]) =>
  inWorkspace(id, (db) =>
    db.auditEntry.createMany({
      data: days.map((age) => ({
        ...{ actorKind: "system", actorName: "Test", action: "thing.done", subjectKind: "thing", subjectName: "x" },
        ...{ ip: "192.0.2.1", createdAt: new Date(Date.now() - age * 86_400_000) },
      })),
    }),
  );

test("a workspace keeps entries forever and IP addresses for 180 days, until it says otherwise", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const { id, actor } = workspace;
  const rule = (of = workspace) => readWorkspace(of.id, findRetention);
  const change = (to: Retention) => inWorkspace(id, (db) => changeRetention(db, to, actor));
  expect(await rule()).toEqual({ entries: null, ips: 180 });
  await change({ entries: 730, ips: 180 });
  await change({ entries: 365, ips: 30 });
  await change({ entries: 365, ips: 30 });
  expect([await rule(), await rule(other)]).toEqual([
    { entries: 365, ips: 30 },
    { entries: null, ips: 180 },
  ]);
  const changes = await inWorkspace(id, (db) =>
    db.auditEntry.findMany({ where: { action: "workspace.updated" }, orderBy: { createdAt: "asc" } }),
  );
  expect(changes.map(({ details }) => details)).toEqual([
    { auditDays: "forever → 2 years" },
    { auditDays: "2 years → 1 year", auditIpDays: "180 days → 30 days" },
  ]);
});

test("a shorter time says what it deletes, in this workspace only", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const losses = (entries: Retention["entries"], ips: Retention["ips"]) =>
    readWorkspace(workspace.id, (read) => lossesOf(read, { entries, ips }));
  await aged(other, [40, 400, 2_000]);
  expect(await losses(90, 30)).toEqual([]);
  await aged(workspace, [10, 40, 100, 400, 400]);
  expect(await losses(null, 365)).toEqual([]);
  expect(await losses(365, 180)).toEqual(["2 entries are older than 1 year and will be deleted."]);
  expect(await losses(1825, 180)).toEqual([]);
  expect(await losses(90, 30)).toEqual([
    "3 entries are older than 90 days and will be deleted.",
    "The IP address of 1 entry will be deleted.",
  ]);
  expect(await losses(null, 30)).toEqual(["The IP addresses of 4 entries will be deleted."]);
  await inWorkspace(workspace.id, (db) => changeRetention(db, { entries: 90, ips: 30 }, workspace.actor));
  expect(await losses(90, 30)).toEqual([]);
  expect(await losses(null, 365)).toEqual([]);
});

test("two changes at the same time are recorded as one after the other", async () => {
  const { id, actor } = await aWorkspace();
  const change = (entries: Retention["entries"]) =>
    inWorkspace(id, (db) => changeRetention(db, { entries, ips: 180 }, actor));
  await Promise.all([change(365), change(90), change(1825), change(730)]);
  const changes = await inWorkspace(id, (db) => db.auditEntry.findMany({ where: { action: "workspace.updated" } }));
  const steps = changes.map(({ details }) => String((details as { auditDays: string }).auditDays).split(" → "));
  expect(new Set(steps.map(([from]) => from)).size).toBe(4);
});
