import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { categoryAt } from "@/lib/categories/paths";
import { listCategoryTree, MOST_LEVELS } from "@/lib/categories/tree";
import { inWorkspace, readWorkspace } from "@/lib/db";
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

test("a missing path goes to the end of its level with its own slugs, and each category is in the audit log", async () => {
  const workspace = await aWorkspace();
  const at = (path: string[]) =>
    inWorkspace(workspace.id, (db) => categoryAt(db, { path, create: true }, workspace.actor));
  // Imports can leave categories without a sequence. They come after those that have one.
  await aCategory(workspace, { name: "Guides", slug: "guides", sequence: 3 });
  for (const name of ["Zebra", "Ape"]) await aCategory(workspace, { name, slug: name.toLowerCase() });
  await at(["Guides", "News", " news "]);
  await at(["News", "Guides"]);
  const tree = await readWorkspace(workspace.id, listCategoryTree);
  const slugs = (parentId: string | null) => tree.filter((one) => one.parentId === parentId).map(({ slug }) => slug);
  const idOf = (wanted: string) => tree.find(({ slug }) => slug === wanted)?.id ?? "";
  expect(slugs(null)).toEqual(["guides", "ape", "zebra", "news-3"]);
  expect(slugs(idOf("guides"))).toEqual(["news"]);
  expect(slugs(idOf("news"))).toEqual(["news-2"]);
  expect(slugs(idOf("news-3"))).toEqual(["guides-2"]);
  const entries = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.findMany({ where: { action: "category.created" } }),
  );
  const details = entries
    .map((entry) => entry.details)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(details).toEqual([
    { slug: "guides-2", parent: "News", visibility: "inherit" },
    { slug: "news", parent: "Guides", visibility: "inherit" },
    { slug: "news-2", parent: "News", visibility: "inherit" },
    { slug: "news-3", parent: "the top", visibility: "inherit" },
  ]);
});

test("a path of too many levels or a bad name creates nothing", async () => {
  const workspace = await aWorkspace();
  const failure = (path: string[]) =>
    inWorkspace(workspace.id, async (db) => {
      const error = await categoryAt(db, { path, create: true }, workspace.actor).catch((error: unknown) => error);
      expect(await db.category.count()).toBe(0);
      return error;
    });
  expect(await failure(Array.from({ length: MOST_LEVELS + 1 }, (_, index) => `Level ${index}`))).toMatchObject({
    fields: [{ field: "parent", code: "not_allowed" }],
  });
  expect(await failure(["Fine", "x".repeat(201)])).toMatchObject({ fields: [{ field: "name", code: "too_long" }] });
});

test("a path continues an existing one down to the last level, and no further", async () => {
  const workspace = await aWorkspace();
  const at = (path: string[]) =>
    inWorkspace(workspace.id, (db) => categoryAt(db, { path, create: true }, workspace.actor));
  const levels = Array.from({ length: MOST_LEVELS }, (_, index) => `Level ${index + 1}`);
  await at(levels.slice(0, -1));
  await expect(at([...levels, "One more"])).rejects.toMatchObject({ fields: [{ field: "parent" }] });
  expect((await at(levels)).name).toBe(levels.at(-1));
  expect(await inWorkspace(workspace.id, (db) => db.category.count())).toBe(MOST_LEVELS);
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
