import { expect, test } from "vitest";
import { findArticle, listArticles } from "@/lib/articles/articles";
import { findCategory } from "@/lib/categories/categories";
import { type Db, inWorkspace, readTogether } from "@/lib/db";
import { everything, readAs, type Seen, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

type Filter = Omit<Parameters<typeof listArticles>[1], "workspaceId" | "limit" | "offset">;

test("a list's total follows every change, for members and visitors", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const one = await anArticle(workspace, { category, tags: ["fruit"], html: "<p>pear</p>" });
  await anArticle(workspace, { category, tags: ["fruit"], html: "<p>pear</p>" });
  const draft = await anArticle(workspace, { category, state: "draft" });
  /** On the second page of one, which a list without an article has, too. */
  const total = async (viewer: Viewer, filter: Filter) => {
    const page = { workspaceId: workspace.id, ...filter, limit: 1, offset: 1 };
    return (await readAs(workspace, viewer, (seen) => listArticles(seen.read, page, seen))).total;
  };
  const email = workspace.admin.email;
  const cases: [Viewer, Filter, before: number, change: (db: Db) => Promise<unknown>, after: number][] = [
    ["member", { state: "draft" }, 1, (db) => db.article.updateMany({ where: { id: draft.id }, data: { state: "published" } }), 0],
    ["anyone", { authorEmail: email }, 3, (db) => db.member.updateMany({ data: { email: "new@example.com" } }), 0],
    ["anyone", { tag: "fruit" }, 2, (db) => db.articleTag.deleteMany({ where: { articleId: one.id } }), 1],
    ["member", { externalId: "one" }, 0, (db) => db.article.updateMany({ where: { id: one.id }, data: { externalId: "one", updatedAt: new Date() } }), 1],
    ["member", { hasDraft: true }, 1, (db) => db.articleDraft.deleteMany(), 0],
    ["anyone", {}, 3, (db) => db.category.updateMany({ data: { visibility: "members" } }), 0],
    ["member", {}, 3, (db) => db.article.deleteMany({ where: { id: one.id } }), 2],
  ]; // biome-ignore format: a line each
  for (const [viewer, filter, before, change, after] of cases) {
    // The second time, it is what was kept.
    expect([filter, await total(viewer, filter), await total(viewer, filter)]).toEqual([filter, before, before]);
    await inWorkspace(workspace.id, change);
    expect([filter, await total(viewer, filter)]).toEqual([filter, after]);
  }
});

test("a category is kept separately for members and visitors", async () => {
  const workspace = await aWorkspace();
  const top = await aCategory(workspace);
  const [open, closed] = [
    await aCategory(workspace, { parentId: top.id }),
    await aCategory(workspace, { parentId: top.id }),
  ];
  for (const category of [open, closed]) await anArticle(workspace, { category });
  const below = (viewer: Viewer) =>
    readAs(workspace, viewer, async (seen) =>
      (await findCategory(seen.read, top.id, true, seen))?.subcategories.map(({ id }) => id).sort(),
    );
  const all = [open.id, closed.id].sort();
  for (const viewer of ["member", "anyone", "member"] as const) expect(await below(viewer)).toEqual(all);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  expect([await below("member"), await below("anyone"), await below("member")]).toEqual([all, [open.id], all]);
});

test("reads that share a statement each see only what their reader may see", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const draft = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  const published = await anArticle(workspace, { category, title: "Published" });
  const visitor: Seen = { viewer: "anyone", hidden: [] };
  const without: Seen = { viewer: "anyone", hidden: [category.id] };
  const wishes: [string, Seen][] = [
    [draft.id, everything],
    [draft.id, visitor],
    [published.id.toUpperCase(), visitor],
    [published.id, without],
    [published.id, visitor],
  ];
  const titles = await readTogether(workspace.id, (read) =>
    Promise.all(wishes.map(async ([id, seen]) => (await findArticle(read, id, seen))?.title ?? null)),
  );
  expect(titles).toEqual(["Draft", null, "Published", null, "Published"]);
});
