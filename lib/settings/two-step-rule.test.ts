import { expect, test } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { permissions } from "@/lib/members/roles";
import { changeTwoStepRule, findTwoStepRule } from "@/lib/settings/two-step-rule";
import { aWorkspace } from "@/testing/workspace";

test("members can't require it of themselves before they use it", async () => {
  const workspace = await aWorkspace();
  const { id, admin, actor } = workspace;
  const change = (rule: "nobody" | "administrators" | "everyone", own: readonly (typeof permissions)[number][]) =>
    inWorkspace(id, (db) => changeTwoStepRule(db, rule, { id: admin.id, permissions: own }, actor));
  const rule = async () => readWorkspace(id, findTwoStepRule);
  for (const refused of ["administrators", "everyone"] as const)
    await expect(change(refused, permissions)).rejects.toMatchObject({ fields: [{ field: "rule" }] });
  expect(await rule()).toEqual({ rule: "nobody", members: 1, using: 0 });
  await change("administrators", ["settings.manage"]);
  expect(await rule()).toEqual({ rule: "administrators", members: 1, using: 0 });
  await inWorkspace(id, (db) =>
    db.twoStep.create({ data: { id: admin.id, secret: new Uint8Array(20), onSince: new Date() } }),
  );
  await change("everyone", permissions);
  expect(await rule()).toEqual({ rule: "everyone", members: 1, using: 1 });
  await change("nobody", permissions);
  const changes = await inWorkspace(id, (db) =>
    db.auditEntry.findMany({ where: { action: "workspace.updated" }, orderBy: { createdAt: "asc" } }),
  );
  expect(changes.map(({ details }) => details)).toEqual([
    { twoStepRule: "nobody → administrators" },
    { twoStepRule: "administrators → everyone" },
    { twoStepRule: "everyone → nobody" },
  ]);
});
