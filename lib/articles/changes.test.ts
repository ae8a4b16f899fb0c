import { expect, test } from "vitest";
import { authorCalled, changeArticle, moveArticles, refusePublished, tagArticles } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember, updateMember } from "@/lib/members/members";
import { formerAddress } from "@/lib/reader/former-address";
import { publishedArticle } from "@/lib/reader/published-articles";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function anyArticle() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "From" });
  const { id } = await anArticle(workspace, { category, title: "Refunds" });
  return { workspace, category, id };
}

const change = (workspace: TestWorkspace, id: string, changes: Parameters<typeof changeArticle>[2]) =>
  inWorkspace(workspace.id, (db) => changeArticle(db, id, changes, workspace.actor));
const opened = (workspace: TestWorkspace, id: string) => readWorkspace(workspace.id, (read) => openDraft(read, id));
const seenBy = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
const leads = (workspace: TestWorkspace, path: string) =>
  readAs(workspace, "anyone", (sight) => formerAddress(sight, path));

test("a changed slug applies immediately, the former one redirects to it, and changing it back creates no loop", async () => {
  const { workspace, id } = await anyArticle();
  expect(await change(workspace, id, { slug: "http://docs.localhost/articles/Get your Money" })).toMatchObject({
    slug: "get-your-money",
  });
  expect(await seenBy(workspace, "get-your-money")).toMatchObject({ id });
  expect(await leads(workspace, "/articles/refunds")).toEqual({ moved: "/articles/get-your-money" });
  await change(workspace, id, { slug: "refunds" });
  expect(await leads(workspace, "/articles/get-your-money")).toEqual({ moved: "/articles/refunds" });
  expect(await leads(workspace, "/articles/refunds")).toBeNull();
});

test("of an article that readers never saw no former address is kept", async () => {
  const { workspace, id: published } = await anyArticle();
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "New", authorId: workspace.admin.id }, workspace.actor),
  );
  const kept = () => inWorkspace(workspace.id, (db) => db.redirect.count());
  expect(await change(workspace, id, { slug: "newer" })).toMatchObject({ slug: "newer" });
  expect(await kept()).toBe(0);
  await change(workspace, published, { slug: "newest" });
  expect(await kept()).toBe(1);
});

test("an address is one article's, and has a letter or a digit", async () => {
  const { workspace, category, id } = await anyArticle();
  await anArticle(workspace, { category, title: "Invoices" });
  await expect(change(workspace, id, { slug: "invoices" })).rejects.toThrow("The article “Invoices” has this slug");
  for (const slug of ["", " ", "!!"]) await expect(change(workspace, id, { slug })).rejects.toThrow(InvalidError);
  expect((await opened(workspace, id))?.slug).toBe("refunds");
});

test("a URL that redirects readers elsewhere keeps its redirect, and the URL of a deleted page can be taken", async () => {
  const { workspace, category, id } = await anyArticle();
  const invoices = await anArticle(workspace, { category, title: "Invoices" });
  await change(workspace, invoices.id, { slug: "bills" });
  await inWorkspace(workspace.id, (db) =>
    db.redirect.createMany({
      data: [
        { fromPath: "/articles/shop", kind: "url", url: "https://shop.example.com/", byHand: true },
        { fromPath: "/articles/past", kind: "gone" },
      ],
    }),
  );
  for (const slug of ["invoices", "shop"]) {
    await expect(change(workspace, id, { slug })).rejects.toThrow("already redirects to another page");
  }
  expect([await leads(workspace, "/articles/invoices"), await leads(workspace, "/articles/shop")]).toEqual([
    { moved: "/articles/bills" },
    { moved: "https://shop.example.com/" },
  ]);
  expect(await change(workspace, id, { slug: "past" })).toMatchObject({ slug: "past" });
  expect(await seenBy(workspace, "past")).toMatchObject({ id });
});

test("in another category an article comes last, and its author is a member of the workspace", async () => {
  const { workspace, id } = await anyArticle();
  const to = await aCategory(workspace, { name: "To" });
  await anArticle(workspace, { category: to, sequence: 7 });
  const stranger = await aWorkspace();
  const theirs = await aCategory(stranger);
  await change(workspace, id, { categoryId: to.id });
  expect(await opened(workspace, id)).toMatchObject({ category: { name: "To" }, sequence: 8 });
  await expect(change(workspace, id, { categoryId: theirs.id })).rejects.toThrow(InvalidError);
  await expect(change(workspace, id, { authorId: stranger.admin.id })).rejects.toThrow(InvalidError);
  await expect(change(stranger, id, { slug: "x" })).rejects.toThrow(NotFoundError);
});

test("articles are moved together, in their order", async () => {
  const { workspace, category, id } = await anyArticle();
  const second = await anArticle(workspace, { category, title: "Second" });
  const to = await aCategory(workspace, { name: "To" });
  const move = (ids: string[]) => inWorkspace(workspace.id, (db) => moveArticles(db, ids, to.id, workspace.actor));
  expect(await move([second.id, id])).toEqual({
    category: "To",
    moved: [
      { id: second.id, title: "Second" },
      { id, title: "Refunds" },
    ],
  });
  expect([(await opened(workspace, second.id))?.sequence, (await opened(workspace, id))?.sequence]).toEqual([1, 2]);
  expect((await move([id])).moved).toEqual([]);
  const entry = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.findFirst({ where: { subjectId: second.id, action: "article.updated" } }),
  );
  expect(entry?.details).toEqual({ category: "From → To" });
});

test("a tag is added immediately and once, and an open editor gets a conflict on its next save", async () => {
  const { workspace, id } = await anyArticle();
  const before = await opened(workspace, id);
  const tag = (name: string) => inWorkspace(workspace.id, (db) => tagArticles(db, [id], name, workspace.actor));
  expect((await tag("Money ")).tagged).toEqual([{ id, title: "Refunds" }]);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ tags: [{ name: "Money" }] });
  expect((await opened(workspace, id))?.revision).toBe((before?.revision ?? 0) + 1);
  expect((await tag("money")).tagged).toEqual([]);
  await expect(tag("  ")).rejects.toThrow("Enter a name.");
});

test("a member who can't publish changes nothing that readers see, but can change the rest", async () => {
  const { workspace, id } = await anyArticle();
  const draft = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "New", authorId: workspace.admin.id }, workspace.actor),
  );
  const refuse = (ids: string[], ...permissions: Parameters<typeof refusePublished>[2][number][]) =>
    inWorkspace(workspace.id, (db) => refusePublished(db, ids, permissions));
  await expect(refuse([draft.id, id], "articles.write")).rejects.toThrow("“Refunds” is published");
  await refuse([draft.id], "articles.write");
  await refuse([draft.id, id], "articles.write", "articles.publish");
});

test("who is not among the choices is made the author by their name, a part of it, or their address", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const add = (of: TestWorkspace, firstName: string, lastName: string, email: string) =>
    inWorkspace(of.id, (db) => createMember(db, { firstName, lastName, email, role: "Editor" }, of.actor));
  const grace = await add(workspace, "Grace", "Hopper", "hopper@example.com");
  const second = await add(workspace, "Grace", "Hopperton", "second@example.com");
  const twin = await add(workspace, "Alan", "Kay", "kay@example.com");
  await add(workspace, "Alan", "Kay", "other-kay@example.com");
  const gone = await add(workspace, "Former", "Colleague", "gone@example.com");
  await inWorkspace(workspace.id, (db) => updateMember(db, gone.id, { active: false }, workspace.actor));
  await add(other, "Barbara", "Liskov", "liskov@example.com");
  const called = (typed: string) => readWorkspace(workspace.id, (read) => authorCalled(read, typed));
  expect(await called(" grace  hopper ")).toBe(grace.id);
  expect(await called("Hopperton")).toBe(second.id);
  expect(await called("KAY@example.com")).toBe(twin.id);
  await expect(called("Alan Kay")).rejects.toThrow(
    "Several members match: Alan Kay, Alan Kay. Enter the full name or the email.",
  );
  await expect(called("hopp")).rejects.toThrow("Several members match: Grace Hopper, Grace Hopperton. Enter");
  for (const typed of ["Former Colleague", "Liskov", "example.com", "nobody", "%"]) {
    await expect(called(typed)).rejects.toThrow("No active member has this name");
  }
});

test("nobody publishes a draft between the check that it is one and the change", async () => {
  const { workspace, category } = await anyArticle();
  const { id } = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  const free = () =>
    inWorkspace(
      workspace.id,
      (db) => db.$queryRaw`SELECT id::text FROM articles WHERE id = ${id}::uuid FOR UPDATE SKIP LOCKED`,
    );
  expect(await free()).toEqual([{ id }]);
  await inWorkspace(workspace.id, async (db) => {
    await refusePublished(db, [id], ["articles.write"]);
    expect(await free()).toEqual([]);
  });
});
