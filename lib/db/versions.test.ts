import { expect, test } from "vitest";
import { inWorkspace, keptByVersion, type Read, readingOf, readWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

/** Counts categories, and how often it had to. */
function counting(of: "content" | "drafts" = "content") {
  const kept = keptByVersion<{ count: number }>(100, () => 1);
  const counts = { made: 0 };
  const countIn = (read: Read) =>
    kept(read, of, "count", async () => {
      counts.made++;
      const [row] = await read<{ count: number }>("SELECT count(*)::int FROM categories");
      return { count: row?.count ?? 0 };
    });
  const count = ({ id }: TestWorkspace) => readWorkspace(id, async (read) => (await countIn(read)).count);
  return { counts, countIn, count };
}

test("a value is made once while the content stays the same, and again for the next snapshot after a change", async () => {
  const { counts, count } = counting();
  const workspace = await aWorkspace();
  expect([await count(workspace), await count(workspace), counts.made]).toEqual([0, 0, 1]);
  await aCategory(workspace);
  expect([await count(workspace), await count(workspace), counts.made]).toEqual([1, 1, 2]);
});

test("a snapshot from before a change gets no value from after it", async () => {
  const { count, countIn } = counting();
  const workspace = await aWorkspace();
  await readWorkspace(workspace.id, async (read) => {
    // Begins the snapshot.
    await read("SELECT FROM categories");
    await aCategory(workspace);
    expect(await count(workspace)).toBe(1);
    expect(await countIn(read)).toEqual({ count: 0 });
  });
  expect(await count(workspace)).toBe(1);
});

test("a transaction sees its own changes, and leaves nothing behind when it is rolled back", async () => {
  const { count, countIn } = counting();
  const workspace = await aWorkspace();
  expect(await count(workspace)).toBe(0);
  const undone = inWorkspace(workspace.id, async (db) => {
    await db.category.create({ data: { name: "New", slug: "new" } });
    expect(await countIn(readingOf(db))).toEqual({ count: 1 });
    throw new Error("It changed its mind.");
  });
  await expect(undone).rejects.toThrow("It changed its mind.");
  expect(await count(workspace)).toBe(0);
});

test("each workspace has values of its own, also at the same version", async () => {
  const { count } = counting();
  const [one, other] = [await aWorkspace(), await aWorkspace()];
  await aCategory(one);
  await inWorkspace(other.id, (db) => db.workspace.updateMany({ data: { name: "Otherwise" } }));
  expect([await count(one), await count(other), await count(one)]).toEqual([1, 0, 1]);
});

test("drafts matter only to values that depend on them", async () => {
  const [visible, all] = [counting("content"), counting("drafts")];
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const { count } of [visible, all]) await count(workspace);
  await anArticle(workspace, { category, state: "draft" });
  for (const { count } of [visible, all]) await count(workspace);
  expect([visible.counts.made, all.counts.made]).toEqual([1, 2]);
});
