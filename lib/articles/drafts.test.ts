import { expect, test } from "vitest";
import { findArticle } from "@/lib/articles/articles";
import { createDraft, discardDraft } from "@/lib/articles/drafts";
import { listOrderedArticles } from "@/lib/categories/tree";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const draft = (workspace: TestWorkspace, title: string) =>
  inWorkspace(workspace.id, (db) => createDraft(db, { title, authorId: workspace.admin.id }, workspace.actor));
const found = ({ id }: TestWorkspace, name: string) => readWorkspace(id, (read) => findArticle(read, name));

test("a title becomes a draft in the first category, written by its creator", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace, { name: "Second", sequence: 2 });
  const first = await aCategory(workspace, { name: "First", sequence: 1 });
  const { id, category } = await draft(workspace, "  how do I \n cancel ");
  expect(category).toBe("First");
  expect(await found(workspace, id)).toMatchObject({
    title: "how do I cancel",
    slug: "how-do-i-cancel",
    state: "draft",
    html: "",
    categoryId: first.id,
    author: { id: workspace.admin.id },
  });
});

test("it comes after what people put in order", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const [title, sequence] of [
    ["Zebra", 1],
    ["Ant", 2],
  ] as const)
    await anArticle(workspace, { category, title, sequence });
  await draft(workspace, "First");
  await draft(workspace, "Another");
  const order = await readWorkspace(workspace.id, (read) => listOrderedArticles(read, category.id, 10));
  expect(order.map(({ title }) => title)).toEqual(["Zebra", "Ant", "First", "Another"]);
});

test("its slug is no article's and no former address's", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, slug: "refunds" });
  await inWorkspace(workspace.id, (db) =>
    db.redirect.create({ data: { fromPath: "/articles/refunds-2", kind: "article", articleId: id } }),
  );
  const made = await draft(workspace, "Refunds!");
  expect((await found(workspace, made.id))?.slug).toBe("refunds-3");
  expect((await found(workspace, "refunds-2"))?.id).toBe(id);
});

test("an empty title, a second draft of a title and a workspace without categories are refused", async () => {
  const workspace = await aWorkspace();
  await expect(draft(workspace, "Refunds")).rejects.toMatchObject({ fields: [{ code: "not_allowed" }] });
  await aCategory(workspace);
  await draft(workspace, "Refunds");
  await expect(draft(workspace, " Refunds ")).rejects.toMatchObject({ fields: [{ code: "taken" }] });
  await expect(draft(workspace, " \n ")).rejects.toMatchObject({ fields: [{ code: "required" }] });
  await expect(draft(workspace, "x".repeat(301))).rejects.toMatchObject({ fields: [{ code: "too_long" }] });
});

test("of two members who create the same draft, one is told that it exists", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace);
  const make = (db: Parameters<typeof createDraft>[0]) =>
    createDraft(db, { title: "Refunds", authorId: workspace.admin.id }, workspace.actor);
  const second = whileOpen(workspace.id, make, () => inWorkspace(workspace.id, make));
  await expect(second).rejects.toMatchObject({ fields: [{ code: "taken" }] });
});

test("a draft is discarded while nothing is written in it, and nothing else ever is", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const discard = (id: string) => inWorkspace(workspace.id, (db) => discardDraft(db, id, workspace.actor));
  const { id } = await draft(workspace, "Refunds");
  await discard(id);
  expect(await found(workspace, id)).toBeNull();
  const kept = [await anArticle(workspace, { category }), await anArticle(workspace, { category, state: "draft" })];
  // Readers saw it once, and then a member emptied it.
  const seen = await anArticle(workspace, { category, state: "draft" });
  kept.push(seen);
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: seen.id }, data: { publishedAt: new Date(), sourcePath: null } });
    await db.articleDraft.upsert({
      where: { workspaceId_id: { workspaceId: workspace.id, id: seen.id } },
      create: { id: seen.id, title: "Emptied", html: "", text: "" },
      update: { html: "", text: "" },
    });
  });
  for (const { id: other } of kept) await expect(discard(other)).rejects.toThrow(NotFoundError);
  for (const { id: other } of kept) expect(await found(workspace, other)).not.toBeNull();
});
