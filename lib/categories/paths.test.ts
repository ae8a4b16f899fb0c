import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { categoryAt } from "@/lib/categories/paths";
import { inWorkspace } from "@/lib/db";
import { aCategory, aWorkspace } from "@/testing/workspace";

test("a category is found by its names from the top, and the missing part is made only when asked", async () => {
  const workspace = await aWorkspace();
  const guides = await aCategory(workspace, { name: "Guides" });
  const at = (path: string[], create = false) =>
    inWorkspace(workspace.id, (db) => categoryAt(db, { path, create }, workspace.actor));
  expect(await at([" Guides "])).toEqual({ id: guides.id, name: "Guides" });
  for (const path of [["Billing"], ["Guides", "Billing"]]) {
    expect(await at(path).catch((error: unknown) => error)).toMatchObject({
      fields: [{ field: "categoryPath", code: "not_found" }],
    });
  }
  const path = ["Guides", "Billing", "Refunds"];
  const [one, two] = await Promise.all([at(path, true), at(path, true)]);
  expect(one).toEqual(two);
  expect(await inWorkspace(workspace.id, (db) => db.category.count())).toBe(3);
  // Another branch has a category of that name too.
  const other = await aCategory(workspace, { name: "Guides", slug: "more-guides" });
  const taxes = await aCategory(workspace, { name: "Taxes", parentId: other.id });
  expect(await at(["Guides", "Taxes"])).toEqual({ id: taxes.id, name: "Taxes" });
});

test("a name is matched exactly first, then regardless of case, and none is created that differs only in case", async () => {
  const workspace = await aWorkspace();
  const guides = await aCategory(workspace, { name: "Guides" });
  const upper = await aCategory(workspace, { name: "SIGN-IN Ü", slug: "upper", parentId: guides.id, sequence: 1 });
  const at = (path: string[], create = false) =>
    inWorkspace(workspace.id, (db) => categoryAt(db, { path, create }, workspace.actor));
  expect(await at(["guides", "Sign-in ü"], true)).toEqual({ id: upper.id, name: "SIGN-IN Ü" });
  expect(await inWorkspace(workspace.id, (db) => db.category.count())).toBe(2);
  const exact = await aCategory(workspace, { name: "Sign-in ü", slug: "exact", parentId: guides.id, sequence: 2 });
  expect(await at(["GUIDES", "Sign-in ü"])).toEqual({ id: exact.id, name: "Sign-in ü" });
  expect((await at(["Guides", "sign-in ü"])).id).toBe(upper.id);
  // The exact branch ends before the other one does.
  const shouted = await aCategory(workspace, { name: "GUIDES", slug: "shouted" });
  const taxes = await aCategory(workspace, { name: "Taxes", parentId: shouted.id });
  expect((await at(["Guides", "Taxes"])).id).toBe(taxes.id);
  expect((await at(["Guides"])).id).toBe(guides.id);
});

test("a category that is deleted at the same moment is missing", async () => {
  const workspace = await aWorkspace();
  const guides = await aCategory(workspace, { name: "Guides" });
  let finding: Promise<unknown> = Promise.resolve();
  await inWorkspace(workspace.id, async (db) => {
    await db.category.deleteMany({ where: { id: guides.id } });
    finding = inWorkspace(workspace.id, (other) =>
      categoryAt(other, { path: ["Guides"], create: false }, workspace.actor),
    ).catch((error: unknown) => error);
    await sleep(300);
  });
  expect(await finding).toMatchObject({ fields: [{ field: "categoryPath", code: "not_found" }] });
});
