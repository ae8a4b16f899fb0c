import { expect, test } from "vitest";
import { checkLinks, isTitleTaken } from "@/lib/articles/link-checks";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

test("links are told by what is at their end, and their places by the headings that readers see there", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const category = await aCategory(workspace, { slug: "topic" });
  const theirs = await aCategory(other, { slug: "their-topic" });
  await anArticle(other, { category: theirs, slug: "theirs" });
  const own = await anArticle(workspace, { category, slug: "own" });
  const { id } = await anArticle(workspace, { category, slug: "there", html: "<h2>First step</h2><p>x</p>" });
  await anArticle(workspace, { category, slug: "hidden", state: "draft", html: "<h2>First step</h2>" });
  const { permalink } = await inWorkspace(workspace.id, async (db) => {
    await db.redirect.create({ data: { fromPath: "/articles/former", kind: "article", articleId: id } });
    await db.redirect.create({ data: { fromPath: "/old/page", kind: "url", url: "https://example.com" } });
    await db.redirect.create({ data: { fromPath: "/articles/removed", kind: "gone" } });
    // Readers see what was published.
    const draft = { id, title: "T", html: "", text: "", headings: [{ id: "new-step", level: 2, text: "New step" }] };
    await db.articleDraft.create({ data: draft });
    return db.article.findFirstOrThrow({ where: { id }, select: { permalink: true } });
  });
  const places = ["first-step", "new-step"];
  const expected: Record<string, [leads: string, missing: string[]]> = {
    "/articles/there": ["there", ["new-step"]],
    "/articles/there.md": ["there", ["new-step"]],
    "/articles/former": ["there", ["new-step"]],
    [`/articles/${permalink}`]: ["there", ["new-step"]],
    "/articles/own": ["own", []],
    "/articles/hidden": ["unpublished", []],
    "/articles/removed": ["nowhere", []],
    "/articles/none": ["nowhere", []],
    "/articles/theirs": ["nowhere", []],
    "/categories/topic": ["there", []],
    "/categories/their-topic": ["nowhere", []],
    "/old/page": ["there", []],
    "/search": ["there", []],
    "/uploads/not-an-id": ["nowhere", []],
    "/uploads/00000000-0000-4000-8000-000000000000": ["nowhere", []],
    "/x'; SELECT 1": ["nowhere", []],
  };
  const asked = Object.keys(expected).map((path) => ({ path, places }));
  const answers = await readWorkspace(workspace.id, (read) => checkLinks(read, own.id, asked));
  expect(Object.fromEntries(answers.map(({ path, leads, missing }) => [path, [leads, missing]]))).toEqual(expected);
  expect(await readWorkspace(workspace.id, (read) => checkLinks(read, own.id, []))).toEqual([]);
});

test("a title is taken by another article of the workspace, whatever its case, and not by the article itself", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, title: "Refunds" });
  await anArticle(workspace, { category, title: "Éclairs", state: "draft" });
  await anArticle(other, { category: await aCategory(other), title: "Theirs" });
  const taken = (title: string) => readWorkspace(workspace.id, (read) => isTitleTaken(read, id, title));
  expect(await Promise.all(["éclairs", " Éclairs ", "refunds", "Theirs", " ", "50% of_"].map(taken))).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});
