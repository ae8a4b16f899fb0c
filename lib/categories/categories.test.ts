import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { changeArticle } from "@/lib/articles/changes";
import { deleteArticles } from "@/lib/articles/removal";
import type { Actor } from "@/lib/audit/audit";
import { createCategory, updateCategory } from "@/lib/categories/changes";
import { placeArticle, placeCategory } from "@/lib/categories/places";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { findCategoryDetails, listCategoryTree, listOrderedArticles } from "@/lib/categories/tree";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { createRole } from "@/lib/members/roles";
import { formerAddress } from "@/lib/reader/former-address";
import { reindexArticlesOf } from "@/lib/search/reindex";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, manyCategories, type TestWorkspace, whileOpen } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

type Input = Parameters<typeof createCategory>[1];
const create = (workspace: TestWorkspace, input: Input) =>
  inWorkspace(workspace.id, (db) => createCategory(db, input, workspace.actor));
const update = (workspace: TestWorkspace, id: string, changes: Parameters<typeof updateCategory>[2], seen?: number) =>
  inWorkspace(workspace.id, (db) => updateCategory(db, id, changes, workspace.actor, seen));
const place = (
  workspace: TestWorkspace,
  id: string,
  to: Parameters<typeof placeCategory>[2],
  from?: { parentId: string | null },
) => inWorkspace(workspace.id, (db) => placeCategory(db, id, to, workspace.actor, from));
const remove = (workspace: TestWorkspace, id: string, into: string | null, as?: "merged") =>
  inWorkspace(workspace.id, (db) => removeCategory(db, id, into, workspace.actor, as));
const restore = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => restoreCategory(db, id, workspace.actor));

/** The tree as text: each level in its order, what is below in brackets. */
async function treeOf(workspace: TestWorkspace): Promise<string> {
  const rows = await readWorkspace(workspace.id, listCategoryTree);
  const level = (parentId: string | null): string =>
    rows
      .filter((row) => row.parentId === parentId)
      .map(({ id, name }) => name + (rows.some((row) => row.parentId === id) ? `(${level(id)})` : ""))
      .join(" ");
  return level(null);
}
const articlesOf = async (workspace: TestWorkspace, id: string) =>
  (await readWorkspace(workspace.id, (read) => listOrderedArticles(read, id, 100))).map(({ title }) => title).join(" ");
const addressAt = (workspace: TestWorkspace, slug: string, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => formerAddress(snapshot, `/categories/${slug}`));
const auditOf = async (workspace: TestWorkspace, id: string) =>
  (
    await acrossWorkspaces.query<{ action: string }>(
      "SELECT action FROM audit_entries WHERE workspace_id = $1 AND subject_id = $2 ORDER BY created_at",
      [workspace.id, id],
    )
  ).map(({ action }) => action);

/** A(B(C)) D at the top, in this order. */
async function aTree() {
  const workspace = await aWorkspace();
  const a = await create(workspace, { name: "A" });
  const b = await create(workspace, { name: "B", parentId: a.id });
  const c = await create(workspace, { name: "C", parentId: b.id });
  const d = await create(workspace, { name: "D" });
  return { workspace, a: a.id, b: b.id, c: c.id, d: d.id };
}

/** Categories below each other, the topmost first. */
async function aBranch(workspace: TestWorkspace, levels: number): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 1; level <= levels; level++) {
    ids.push((await create(workspace, { name: `L${level}`, parentId: ids.at(-1) ?? null })).id);
  }
  return ids;
}

test("a category is created at the end or before another one, and those beside it keep their order", async () => {
  const workspace = await aWorkspace();
  for (const name of ["Zebra", "Ant"]) await aCategory(workspace, { name });
  expect(await treeOf(workspace)).toBe("Ant Zebra");
  await create(workspace, { name: "Bear" });
  expect(await treeOf(workspace)).toBe("Ant Zebra Bear");
  const ant = (await readWorkspace(workspace.id, listCategoryTree))[0]?.id ?? "";
  const made = await create(workspace, {
    name: "Älteste Fragen",
    before: ant,
    visibility: "members",
    description: " Why ",
  });
  expect(made).toEqual({ id: made.id, name: "Älteste Fragen", slug: "alteste-fragen", seen: expect.any(Number) });
  expect(await treeOf(workspace)).toBe("Älteste Fragen Ant Zebra Bear");
  expect(await readWorkspace(workspace.id, (read) => findCategoryDetails(read, made.id))).toEqual({
    ...{ id: made.id, parentId: null, name: "Älteste Fragen", slug: "alteste-fragen", visibility: "members" },
    ...{ description: "Why", published: 0, drafts: 0, seen: made.seen },
  });
  expect(await auditOf(workspace, made.id)).toEqual(["category.created"]);
});

test("a slug that is made of a name is nobody else's, now or before; one that is asked for is refused when it is taken", async () => {
  const workspace = await aWorkspace();
  const first = await create(workspace, { name: "Start" });
  expect((await create(workspace, { name: "Start" })).slug).toBe("start-2");
  await update(workspace, first.id, { slug: "begin" });
  expect((await create(workspace, { name: "Start" })).slug).toBe("start-3");
  await expect(create(workspace, { name: "Other", slug: "Begin" })).rejects.toThrow("Another category has this slug");
  // The former URL leads to it.
  expect((await create(workspace, { name: "Other", slug: "/categories/Start" })).slug).toBe("start");
});

test("fields that cannot be are named, and nothing is stored", async () => {
  const workspace = await aWorkspace();
  const refusedFields = async (input: Input) =>
    create(workspace, input).then(
      () => [],
      (error: { fields: { field: string }[] }) => error.fields.map(({ field }) => field),
    );
  expect(await refusedFields({ name: " " })).toEqual(["name"]);
  expect(await refusedFields({ name: "x".repeat(201), slug: "!!!", visibility: "nobody" as "everyone" })).toEqual([
    "name",
    "slug",
    "visibility",
  ]);
  expect(await refusedFields({ name: "a\nb", description: "x".repeat(5_001) })).toEqual(["name", "description"]);
  expect(await refusedFields({ name: "A", parentId: randomUUID() })).toEqual(["parent"]);
  expect(await treeOf(workspace)).toBe("");
});

test("a renamed category is found immediately, and its former URL redirects to it", async () => {
  const workspace = await aWorkspace();
  const made = await create(workspace, { name: "Billing" });
  await anArticle(workspace, { category: { id: made.id, name: "Billing" }, title: "Invoices" });
  const words = async () =>
    (
      await acrossWorkspaces.query<{ words: string }>(
        "SELECT words::text FROM search_documents WHERE workspace_id = $1",
        [workspace.id],
      )
    )[0]?.words ?? "";
  expect(await words()).toContain("billing");
  const after = await update(workspace, made.id, { name: "Payments", slug: "" });
  expect(after).toEqual({ id: made.id, name: "Payments", slug: "payments", seen: expect.any(Number) });
  expect(await words()).toContain("payment");
  expect(await words()).not.toContain("billing");
  expect(await addressAt(workspace, "billing")).toEqual({ moved: "/categories/payments" });
  await update(workspace, made.id, { slug: "money" });
  expect(await addressAt(workspace, "billing")).toEqual({ moved: "/categories/money" });
  expect(await addressAt(workspace, "payments")).toEqual({ moved: "/categories/money" });
  // Renamed back, its URL is its own again.
  await update(workspace, made.id, { slug: "billing" });
  expect(await addressAt(workspace, "money")).toEqual({ moved: "/categories/billing" });
  expect(await auditOf(workspace, made.id)).toEqual(["category.created", ...Array<string>(3).fill("category.updated")]);
});

test("of two who change a category that both have seen, the second is refused and told so", async () => {
  const workspace = await aWorkspace();
  const { id, seen } = await create(workspace, { name: "Billing" });
  const after = await update(workspace, id, { name: "Payments" }, seen);
  await expect(update(workspace, id, { name: "Money" }, seen)).rejects.toThrow("Someone else changed “Payments.”");
  await update(workspace, id, { name: "Money" }, after.seen);
  expect(await treeOf(workspace)).toBe("Money");
  // The same values change nothing.
  expect((await update(workspace, id, { name: "Money" })).seen).toBeGreaterThan(after.seen);
  expect(await auditOf(workspace, id)).toHaveLength(3);
});

test("a category moves with all below it, to a place or a number, and where it was is told", async () => {
  const { workspace, a, b, c, d } = await aTree();
  expect(await treeOf(workspace)).toBe("A(B(C)) D");
  expect(await place(workspace, b, { parentId: d, before: null })).toEqual({
    ...{ name: "B", back: { parentId: a, before: null }, reach: null },
  });
  expect(await treeOf(workspace)).toBe("A D(B(C))");
  expect(await place(workspace, c, { parentId: null, before: a })).toMatchObject({
    back: { parentId: b, before: null },
  });
  expect(await treeOf(workspace)).toBe("C A D(B)");
  await place(workspace, c, { parentId: null, position: 2 });
  expect(await treeOf(workspace)).toBe("A C D(B)");
  await place(workspace, a, { parentId: null, position: 99 });
  expect(await treeOf(workspace)).toBe("C D(B) A");
  expect(await auditOf(workspace, c)).toEqual(["category.created", "category.moved", "category.moved"]);
});

test("a category goes neither below itself nor below the sixth level, nor where nothing is", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await expect(place(workspace, a, { parentId: c, before: null })).rejects.toThrow(
    "“A” can't be moved into itself or its subcategories.",
  );
  await expect(place(workspace, a, { parentId: a, before: null })).rejects.toThrow(
    "“A” can't be moved into itself or its subcategories.",
  );
  const branch = await aBranch(workspace, 5);
  await place(workspace, d, { parentId: branch[4] ?? "", before: null });
  const tooDeep = "Categories can have up to 6 levels. Choose a category at a higher level.";
  await expect(place(workspace, b, { parentId: branch[4] ?? "", before: null })).rejects.toThrow(tooDeep);
  await expect(create(workspace, { name: "Seventh", parentId: d })).rejects.toThrow(tooDeep);
  const unknown = "The parent category doesn't exist. Choose another one.";
  await expect(place(workspace, b, { parentId: randomUUID(), before: null })).rejects.toThrow(unknown);
  await expect(place(workspace, b, { parentId: null, before: c })).rejects.toThrow("Someone moved or deleted");
  await expect(place(workspace, randomUUID(), { parentId: null, before: null })).rejects.toThrow("was deleted");
});

test("who moves a category from where it no longer is, is told where it is", async () => {
  const { workspace, a, b, d } = await aTree();
  await place(workspace, b, { parentId: d, before: null }, { parentId: a });
  await expect(place(workspace, b, { parentId: null, before: null }, { parentId: a })).rejects.toThrow(
    "Not moved. Someone moved “B,” and it is now in “D.”",
  );
  expect(await treeOf(workspace)).toBe("A D(B(C))");
});

test("of two moves that cross, one waits for the other and is refused", async () => {
  const { workspace, a, d } = await aTree();
  const second = whileOpen(
    workspace.id,
    (db) => placeCategory(db, a, { parentId: d, before: null }, workspace.actor),
    () => place(workspace, d, { parentId: a, before: null }),
  );
  await expect(second).rejects.toThrow("“D” can't be moved into itself or its subcategories.");
  expect(await treeOf(workspace)).toBe("D(A(B(C)))");
});

test("twenty concurrent moves leave a valid tree", async () => {
  const workspace = await aWorkspace();
  const ids: string[] = [];
  for (let number = 0; number < 8; number++) ids.push((await create(workspace, { name: `N${number}` })).id);
  const pick = (number: number) => ids[number % ids.length] ?? "";
  const moves = await Promise.allSettled(
    Array.from({ length: 20 }, (_, turn) =>
      place(workspace, pick(turn * 3), { parentId: turn % 4 === 0 ? null : pick(turn * 5 + 1), before: null }),
    ),
  );
  const ends = moves.map((move) => (move.status === "rejected" ? String(move.reason) : "moved"));
  expect(ends).toEqual(ends.map(() => expect.stringMatching(/^moved$|into itself|up to 6 levels/)));
  // To the top everything may go, whatever the others do.
  expect(ends.filter((_, turn) => turn % 4 === 0)).toEqual(Array(5).fill("moved"));
  const tree = await treeOf(workspace);
  expect(tree.match(/N\d/g)?.sort()).toEqual(ids.map((_, number) => `N${number}`));
  // And of the rest at least the first goes below another one.
  expect(tree).toContain("(");
});

test("moving, merging and deleting report when the audience changes", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await update(workspace, a, { visibility: "members" });
  expect(await place(workspace, b, { parentId: d, before: null })).toMatchObject({ reach: "opened" });
  expect(await place(workspace, b, { parentId: a, before: null })).toMatchObject({ reach: "closed" });
  expect(await place(workspace, c, { parentId: a, before: null })).toMatchObject({ reach: null });
  expect(await remove(workspace, b, d)).toMatchObject({ reach: "opened" });
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  await update(workspace, c, { visibility: "everyone" });
  expect(await place(workspace, c, { parentId: null, before: null })).toMatchObject({ reach: "opened" });
  expect(await place(workspace, c, { parentId: d, before: null })).toMatchObject({ reach: "closed" });
});

test("a merged category leaves its articles, its subcategories and its address to the other, after what is there", async () => {
  const { workspace, a, b, d } = await aTree();
  const into = { id: d, name: "D" };
  await anArticle(workspace, { category: into, title: "d1", sequence: 7 });
  for (const [title, sequence] of [
    ["b2", 2],
    ["b1", 1],
  ] as const) {
    await anArticle(workspace, {
      category: { id: b, name: "B" },
      title,
      sequence,
      state: title === "b2" ? "draft" : "published",
    });
  }
  await update(workspace, b, { slug: "new-b" });
  expect(await remove(workspace, b, d, "merged")).toEqual({ name: "B", articles: 2, categories: 1, reach: null });
  expect(await treeOf(workspace)).toBe("A D(C)");
  expect(await articlesOf(workspace, d)).toBe("d1 b1 b2");
  for (const slug of ["b", "new-b"]) expect(await addressAt(workspace, slug)).toEqual({ moved: "/categories/d" });
  expect((await readWorkspace(workspace.id, listCategoryTree)).find(({ id }) => id === d)).toMatchObject({
    published: 2,
    drafts: 1,
  });
  expect(await auditOf(workspace, b)).toEqual(["category.created", "category.updated", "category.merged"]);
  // A chain of merges leads to the end of it.
  await remove(workspace, d, a, "merged");
  expect(await addressAt(workspace, "b")).toEqual({ moved: "/categories/a" });
  expect(await treeOf(workspace)).toBe("A(C)");
});

test("articles that came with a merge are found by the name of where they are, however many they are", async () => {
  const workspace = await aWorkspace();
  const [from, to] = [await create(workspace, { name: "Invoices" }), await create(workspace, { name: "Payments" })];
  const one = await anArticle(workspace, { category: from, title: "Refunds" });
  await remove(workspace, from.id, to.id);
  const words = async () =>
    (
      await acrossWorkspaces.query<{ words: string }>("SELECT words::text FROM search_documents WHERE id = $1", [
        one.id,
      ])
    )[0]?.words;
  expect(await words()).toContain("payment");
  await acrossWorkspaces.query("UPDATE search_documents SET words = '' WHERE id = $1", [one.id]);
  await reindexArticlesOf(workspace.id, to.id);
  expect(await words()).toContain("payment");
});

test("what is in a category that is deleted goes where it is asked to, and nowhere else", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await expect(remove(workspace, b, null)).rejects.toThrow("“B” is not empty. Choose a category for its contents.");
  await expect(remove(workspace, b, b)).rejects.toThrow("or its subcategories");
  await expect(remove(workspace, b, c)).rejects.toThrow("or its subcategories");
  await expect(remove(workspace, b, randomUUID())).rejects.toThrow("doesn't exist");
  const branch = await aBranch(workspace, 6);
  await expect(remove(workspace, b, branch[5] ?? "")).rejects.toThrow("up to 6 levels");
  expect(await remove(workspace, b, a)).toMatchObject({ categories: 1, articles: 0 });
  expect(await treeOf(workspace)).toBe("A(C) D L1(L2(L3(L4(L5(L6)))))");
  await expect(remove(workspace, b, d)).rejects.toThrow("was deleted");
});

test("an empty category is gone at its addresses once it is deleted, and comes back whole", async () => {
  const { workspace, a, b, c } = await aTree();
  await anArticle(workspace, { category: { id: a, name: "A" } });
  await update(workspace, c, { slug: "new-c", description: "Why" });
  const before = await treeOf(workspace);
  await remove(workspace, c, null);
  expect(await treeOf(workspace)).toBe("A(B) D");
  for (const slug of ["c", "new-c"]) expect(await addressAt(workspace, slug)).toBe("gone");
  await restore(workspace, c);
  expect(await treeOf(workspace)).toBe(before);
  expect(await readWorkspace(workspace.id, (read) => findCategoryDetails(read, c))).toMatchObject({
    ...{ slug: "new-c", description: "Why", parentId: b },
  });
  await anArticle(workspace, { category: { id: c, name: "C" } });
  expect(await addressAt(workspace, "c")).toEqual({ moved: "/categories/new-c" });
  await expect(restore(workspace, c)).rejects.toThrow("Nothing to restore.");
  expect(await auditOf(workspace, c)).toEqual([
    "category.created",
    "category.updated",
    "category.deleted",
    "category.restored",
  ]);
});

test("a category whose slug is taken gets the next free one, and one below a deleted category is refused", async () => {
  const { workspace, b, c, d } = await aTree();
  await remove(workspace, c, null);
  await create(workspace, { name: "C", slug: "c" });
  expect(await restore(workspace, c)).toMatchObject({ slug: "c-2", isNewSlug: true });
  await remove(workspace, c, null);
  await remove(workspace, b, null);
  await expect(restore(workspace, c)).rejects.toThrow("Its parent category was deleted. Restore the parent first.");
  await restore(workspace, b);
  expect(await restore(workspace, c)).toMatchObject({ slug: "c-2", isNewSlug: false });
  expect(await treeOf(workspace)).toBe("A(B(C)) D C");
  await expect(restore(workspace, d)).rejects.toThrow("Nothing to restore.");
  await expect(restore(workspace, randomUUID())).rejects.toThrow("Nothing to restore.");
});

test.each(["deleted", "merged"] as const)(
  "a category that was %s comes back with what is still where that put it",
  async (as) => {
    const { workspace, a, b, c, d } = await aTree();
    const [category, into] = [
      { id: b, name: "B" },
      { id: d, name: "D" },
    ];
    for (const title of ["b1", "b2", "b3"]) await anArticle(workspace, { category, title, slug: title });
    await anArticle(workspace, { category: into, title: "d1" });
    const other = await create(workspace, { name: "E", parentId: b });
    await inWorkspace(workspace.id, (db) => removeCategory(db, b, d, workspace.actor, as));
    expect([await treeOf(workspace), await articlesOf(workspace, d)]).toEqual(["A D(C E)", "d1 b1 b2 b3"]);
    expect(await addressAt(workspace, "b")).toEqual({ moved: "/categories/d" });
    // One article and one category have moved on since.
    const article = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { slug: "b2" } }));
    await inWorkspace(workspace.id, (db) =>
      db.article.updateMany({ where: { id: article.id }, data: { categoryId: c } }),
    );
    await place(workspace, other.id, { parentId: null, before: null });
    expect(await restore(workspace, b)).toEqual({
      ...{ id: b, name: "B", slug: "b", isNewSlug: false, elsewhere: [], left: 2 },
    });
    expect(await treeOf(workspace)).toBe("A(B(C)) D E");
    expect([await articlesOf(workspace, b), await articlesOf(workspace, d)]).toEqual(["b1 b3", "d1"]);
    expect(await articlesOf(workspace, c)).toBe("b2");
    expect(await addressAt(workspace, "b")).toBeNull();
    await remove(workspace, b, a);
    expect(await articlesOf(workspace, a)).toBe("b1 b3");
  },
);

test("a subcategory above which its former category would come to stand stays where it is", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await remove(workspace, b, d);
  expect(await treeOf(workspace)).toBe("A D(C)");
  await place(workspace, a, { parentId: c, before: null });
  expect(await restore(workspace, b)).toMatchObject({ left: 1 });
  expect(await treeOf(workspace)).toBe("D(C(A(B)))");
});

test("a category comes back as it was last: with its folder, and with what leads to it by hand, blanks and all", async () => {
  const { workspace, c } = await aTree();
  await inWorkspace(workspace.id, (db) =>
    db.redirect.createMany({
      data: ["/old page", "/other"].map((fromPath) => ({ fromPath, kind: "category", categoryId: c, byHand: true })),
    }),
  );
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: c }, data: { sourcePath: "a/c", sourceState: "s" } }),
  );
  await remove(workspace, c, null);
  await restore(workspace, c);
  await update(workspace, c, { name: "Newest", slug: "newest" });
  await remove(workspace, c, null);
  // Someone points one of its redirects elsewhere.
  await inWorkspace(workspace.id, async (db) => {
    await db.redirect.deleteMany({ where: { fromPath: "/other" } });
    await db.redirect.create({ data: { fromPath: "/other", kind: "url", url: "https://example.com", byHand: true } });
  });
  expect(await restore(workspace, c)).toEqual({
    ...{ id: c, name: "Newest", slug: "newest", isNewSlug: false, elsewhere: ["/other"], left: 0 },
  });
  const leading = await readWorkspace(workspace.id, (read) =>
    read(`SELECT from_path AS path, kind, by_hand AS "byHand" FROM redirects ORDER BY from_path`),
  );
  expect(leading).toEqual([
    { path: "/categories/c", kind: "category", byHand: false },
    { path: "/old page", kind: "category", byHand: true },
    { path: "/other", kind: "url", byHand: true },
  ]);
  const [stored] = await readWorkspace(workspace.id, (read) =>
    read("SELECT slug, source_path AS path, source_state AS state FROM categories WHERE id = $1", [c]),
  );
  expect(stored).toEqual({ slug: "newest", path: "a/c", state: "s" });
});

test("a category leaves its URL to a redirect that someone has made there since", async () => {
  const { workspace, a, c } = await aTree();
  await anArticle(workspace, { category: { id: a, name: "A" } });
  await remove(workspace, c, null);
  await inWorkspace(workspace.id, async (db) => {
    await db.redirect.deleteMany({ where: { fromPath: "/categories/c" } });
    await db.redirect.create({ data: { fromPath: "/categories/c", kind: "category", categoryId: a, byHand: true } });
  });
  expect(await restore(workspace, c)).toMatchObject({ slug: "c-2", isNewSlug: true });
  expect(await addressAt(workspace, "c", "member")).toEqual({ moved: "/categories/a" });
});

test("what a category's redirects came to lead to after a merge, and a person chose since, stays", async () => {
  const { workspace, a, c, d } = await aTree();
  await anArticle(workspace, { category: { id: a, name: "A" } });
  await update(workspace, c, { slug: "new-c" });
  await inWorkspace(workspace.id, (db) =>
    db.redirect.createMany({
      data: ["/hand", "/changed"].map((fromPath) => ({ fromPath, kind: "category", categoryId: c, byHand: true })),
    }),
  );
  await remove(workspace, c, a, "merged");
  await inWorkspace(workspace.id, (db) =>
    db.redirect.updateMany({ where: { fromPath: "/changed" }, data: { categoryId: d } }),
  );
  expect(await restore(workspace, c)).toMatchObject({ elsewhere: ["/changed"] });
  const rows = await readWorkspace(workspace.id, (read) =>
    read(`SELECT from_path AS path, category_id::text AS to FROM redirects ORDER BY path`),
  );
  expect(rows).toEqual([
    { path: "/categories/c", to: c },
    { path: "/changed", to: d },
    { path: "/hand", to: c },
  ]);
});

test("nobody who may not read where something was learns that it is gone", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await anArticle(workspace, { category: { id: a, name: "A" } });
  await update(workspace, b, { visibility: "members" });
  // Below a category for members, only members learn that it is gone.
  await remove(workspace, c, null);
  expect(await addressAt(workspace, "c")).toBeNull();
  expect(await addressAt(workspace, "c", "member")).toBe("gone");
  // A category for members below one for everyone: nobody learns that it or its former contents are gone.
  await remove(workspace, b, null);
  for (const slug of ["b", "c"]) {
    expect(await addressAt(workspace, slug)).toBeNull();
    expect(await addressAt(workspace, slug, "member")).toBeNull();
  }
  // A category for everyone: everyone learns it.
  await remove(workspace, d, null);
  expect(await addressAt(workspace, "d")).toBe("gone");
});

test("a deleted top category for everyone is gone for visitors, although the workspace has one for members", async () => {
  const { workspace, a, b, c, d } = await aTree();
  await update(workspace, a, { visibility: "members" });
  const { id } = await anArticle(workspace, { category: { id: d, name: "D" }, slug: "retired" });
  const moving = await anArticle(workspace, { category: { id: d, name: "D" } });
  await inWorkspace(workspace.id, async (db) => {
    await changeArticle(db, moving.id, { categoryId: c }, workspace.actor);
    await deleteArticles(db, [id], { kind: "gone" }, "http://docs.localhost", workspace.actor);
  });
  await remove(workspace, d, null);
  const retired = (viewer: Viewer) =>
    readAs(workspace, viewer, (snapshot) => formerAddress(snapshot, "/articles/retired"));
  for (const viewer of ["anyone", "member"] as const) {
    expect([await addressAt(workspace, "d", viewer), await retired(viewer)]).toEqual(["gone", "gone"]);
  }
  // What was below the category for members stays unknown to visitors.
  await remove(workspace, c, b);
  await remove(workspace, b, a);
  await anArticle(workspace, { category: { id: a, name: "A" } });
  for (const slug of ["b", "c"]) expect(await addressAt(workspace, slug)).toBeNull();
});

test("a deleted category for members stays unknown when its workspace is opened", async () => {
  const { workspace, d } = await aTree();
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  await update(workspace, d, { visibility: "members" });
  await remove(workspace, d, null);
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "everyone" } }));
  expect(await addressAt(workspace, "d")).toBeNull();
});

test("articles are put in order; of two who do, the second sees the order of the first", async () => {
  const workspace = await aWorkspace();
  const category = await create(workspace, { name: "A" });
  const ids: Record<string, string> = {};
  for (const title of ["a", "b", "c", "d"]) ids[title] = (await anArticle(workspace, { category, title })).id;
  const order = (title: string, to: { before: string | null } | { position: number }) =>
    inWorkspace(workspace.id, (db) => placeArticle(db, category.id, ids[title] ?? "", to, workspace.actor));
  expect(await order("d", { before: ids.b ?? "" })).toEqual({ title: "d", back: null });
  expect(await articlesOf(workspace, category.id)).toBe("a d b c");
  expect(await order("a", { before: null })).toEqual({ title: "a", back: ids.d });
  expect(await articlesOf(workspace, category.id)).toBe("d b c a");
  await order("a", { position: 2 });
  expect(await articlesOf(workspace, category.id)).toBe("d a b c");
  await whileOpen(
    workspace.id,
    (db) => placeArticle(db, category.id, ids.c ?? "", { position: 1 }, workspace.actor),
    () => order("b", { before: ids.c ?? "" }),
  );
  expect(await articlesOf(workspace, category.id)).toBe("b c d a");
  await expect(order("a", { before: randomUUID() })).rejects.toThrow("moved or deleted the neighboring article");
  expect(await auditOf(workspace, category.id)).toEqual([
    "category.created",
    ...Array<string>(5).fill("category.articles_ordered"),
  ]);
});

test("another workspace's categories and articles do not exist", async () => {
  const [ours, theirs] = [await aTree(), await aTree()];
  const article = await anArticle(theirs.workspace, { category: { id: theirs.a, name: "A" } });
  const before = await treeOf(theirs.workspace);
  const { workspace } = ours;
  await expect(update(workspace, theirs.a, { name: "X" })).rejects.toThrow("was deleted");
  await expect(place(workspace, theirs.a, { parentId: null, before: null })).rejects.toThrow("was deleted");
  await expect(place(workspace, ours.a, { parentId: theirs.d, before: null })).rejects.toThrow("doesn't exist");
  await expect(place(workspace, ours.a, { parentId: null, before: theirs.d })).rejects.toThrow("moved or deleted");
  await expect(create(workspace, { name: "X", parentId: theirs.d })).rejects.toThrow("doesn't exist");
  await expect(remove(workspace, theirs.c, null)).rejects.toThrow("was deleted");
  await expect(remove(workspace, ours.a, theirs.a)).rejects.toThrow("doesn't exist");
  const order = (category: string) =>
    inWorkspace(workspace.id, (db) => placeArticle(db, category, article.id, { position: 1 }, workspace.actor));
  await expect(order(theirs.a)).rejects.toThrow("was deleted");
  await expect(order(ours.a)).rejects.toThrow("was moved or deleted");
  expect(await readWorkspace(workspace.id, (read) => findCategoryDetails(read, theirs.a))).toBeNull();
  await remove(theirs.workspace, theirs.c, null);
  await expect(restore(workspace, theirs.c)).rejects.toThrow("Nothing to restore.");
  await restore(theirs.workspace, theirs.c);
  expect(await treeOf(theirs.workspace)).toBe(before);
});

test.each([
  ["is put on hold if the member who deletes the category can't publish", true],
  ["does not wait where they may", false],
] as const)("a scheduled article %s", async (_, isHeld) => {
  const { workspace, c, d } = await aTree();
  const publishAt = new Date(Date.now() + 3_600_000);
  const { id } = await anArticle(workspace, { category: { id: c, name: "C" }, state: "draft", publishAt });
  const staying = await anArticle(workspace, { category: { id: d, name: "D" }, state: "draft", publishAt });
  await inWorkspace(workspace.id, async (db) => {
    const given = ["categories.manage" as const, ...(isHeld ? [] : ["articles.publish" as const])];
    const role = await createRole(db, { name: "Librarian", permissions: given }, workspace.actor);
    const member = { email: "l@example.com", firstName: "L", lastName: "L", role: role.name };
    const { id: by } = await createMember(db, member, workspace.actor);
    const actor: Actor = { kind: "member", id: by, name: member.email };
    await removeCategory(db, c, d, actor);
  });
  const articles = await inWorkspace(workspace.id, (db) => db.article.findMany({ where: { categoryId: d } }));
  expect(Object.fromEntries(articles.map((one) => [one.id, one.publishHeld]))).toEqual({
    [id]: isHeld,
    [staying.id]: false,
  });
});

test("a workspace has at most 10,000 categories, and creating or restoring another one is refused with advice", async () => {
  const workspace = await aWorkspace();
  const gone = await create(workspace, { name: "Gone" });
  await remove(workspace, gone.id, null);
  await manyCategories(workspace, 9_999);
  const last = await create(workspace, { name: "Last" });
  const tooMany = "This knowledge base has 10,000 categories, which is the maximum. Delete or merge some first.";
  await expect(create(workspace, { name: "One more" })).rejects.toThrow(tooMany);
  await expect(restore(workspace, gone.id)).rejects.toThrow(tooMany);
  await update(workspace, last.id, { name: "Very last" });
  await remove(workspace, last.id, null);
  expect((await restore(workspace, gone.id)).name).toBe("Gone");
}, 60_000);

test("a category with long texts is renamed at any size, and a job indexes its articles", async () => {
  const workspace = await aWorkspace();
  const [long, short] = [await aCategory(workspace), await aCategory(workspace)];
  await anArticle(workspace, { category: long, html: `<p>${"word ".repeat(70_000)}</p>` });
  await anArticle(workspace, { category: short });
  for (const { id } of [long, short]) await update(workspace, id, { name: `Renamed ${id}` });
  const jobs = await acrossWorkspaces.query<{ id: string }>(
    "SELECT payload->'payload'->>'categoryId' AS id FROM graphile_worker._private_jobs WHERE payload->'payload'->>'categoryId' = ANY($1)",
    [[long.id, short.id]],
  );
  expect(jobs).toEqual([{ id: long.id }]);
});
