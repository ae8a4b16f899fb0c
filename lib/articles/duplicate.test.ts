import { expect, test } from "vitest";
import { duplicateArticle } from "@/lib/articles/duplicate";
import { openDraft } from "@/lib/articles/open-draft";
import { publishArticles } from "@/lib/articles/publish";
import { readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { searchArticles } from "@/lib/search/search";
import { storeUpload } from "@/lib/uploads/uploads";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const opened = (workspace: TestWorkspace, id: string) => readWorkspace(workspace.id, (read) => openDraft(read, id));
const duplicate = (workspace: TestWorkspace, id: string) =>
  duplicateArticle(workspace.id, id, { ...workspace.actor, id: workspace.admin.id });

test("a duplicate is a draft in the same category with everything but the URL, and the original stays", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace, { sequence: 1 });
  const category = await aCategory(workspace, { name: "Guides", sequence: 2 });
  const file = { filename: "form.csv", content: Buffer.from("a;b\n"), by: null, kind: "attachment" } as const;
  const { id: uploadId } = await storeUpload(workspace.id, file);
  const related = await anArticle(workspace, { category, title: "Invoices" });
  const article = await anArticle(workspace, {
    ...{ category, title: "Refunds", html: "<h2>Bordeaux</h2><p>Money back.</p>", tags: ["Money"], keywords: ["cash"] },
    ...{ metaDescription: "How to get money back.", relatedIds: [related.id], attachmentIds: [uploadId], sequence: 4 },
  });
  const before = await opened(workspace, article.id);
  const copy = await duplicate(workspace, article.id);
  expect(copy.title).toBe("Copy of Refunds");
  expect(await opened(workspace, copy.id)).toMatchObject({
    ...{ state: "draft", slug: "copy-of-refunds", category: { id: category.id }, sequence: 5 },
    ...{ author: { id: workspace.admin.id }, savedBy: { id: workspace.admin.id }, publishedAt: null },
    text: { ...before?.text, title: "Copy of Refunds" },
  });
  expect(await opened(workspace, article.id)).toEqual(before);

  await publishArticles(workspace.id, [copy.id], workspace.actor);
  const found = await readWorkspace(workspace.id, (read) =>
    searchArticles(read, workspace.id, "bordeaux", { limit: 5, offset: 0 }),
  );
  expect(found.total).toBe(2);
});

test("a second duplicate has a number, and no title gets too long", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const article = await anArticle(workspace, { category, title: "Refunds" });
  const titles = [await duplicate(workspace, article.id), await duplicate(workspace, article.id)];
  expect(titles.map(({ title }) => title)).toEqual(["Copy of Refunds", "Copy 2 of Refunds"]);
  const long = await anArticle(workspace, { category, title: "x".repeat(299), slug: "long" });
  expect((await duplicate(workspace, long.id)).title).toBe(`Copy of ${"x".repeat(292)}`);
  await expect(duplicate(await aWorkspace(), article.id)).rejects.toThrow(NotFoundError);
});

test("a new article that starts from another has its text, and its own title and category", async () => {
  const workspace = await aWorkspace();
  const [category, other] = [await aCategory(workspace), await aCategory(workspace, { name: "Other" })];
  const template = await anArticle(workspace, {
    ...{ category, title: "How-to template", html: "<h2>Before you start</h2>", tags: ["How-to"] },
    metaDescription: "A template.",
  });
  const start = (title: string, categoryId?: string) =>
    duplicateArticle(workspace.id, template.id, { ...workspace.actor, id: workspace.admin.id }, { title, categoryId });
  const { id } = await start(" Close an account ", other.id);
  expect(await opened(workspace, id)).toMatchObject({
    ...{ state: "draft", slug: "close-an-account", category: { id: other.id } },
    text: { title: "Close an account", tags: ["How-to"], metaDescription: null, pageTitle: null },
  });
  expect((await opened(workspace, id))?.text.html).toContain("Before you start</h2>");
  const { id: same } = await start("Open an account");
  expect((await opened(workspace, same))?.category.id).toBe(category.id);
  await expect(start("")).rejects.toThrow("Enter a title.");
  await expect(start("Open an account")).rejects.toThrow("already exists");
});
