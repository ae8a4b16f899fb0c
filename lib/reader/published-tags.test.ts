import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { publishedTag } from "@/lib/reader/published-tags";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const see = (workspace: TestWorkspace, name: string, page = 1, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => publishedTag(snapshot, name, page));

test("a tag has its published articles by title, as far as the visitor may see them", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides", slug: "guides" });
  const secret = await aCategory(workspace, { name: "Secret", slug: "secret" });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: secret.id }, data: { visibility: "members" } }),
  );
  const tags = ["Set up"];
  await anArticle(workspace, { category, title: "Second", slug: "second", tags, html: "<h2>No</h2><p>Yes.</p>" });
  await anArticle(workspace, { category, title: "First", slug: "first", tags, metaDescription: "Described." });
  await anArticle(workspace, { category, title: "Draft", slug: "draft", tags, state: "draft" });
  await anArticle(workspace, { category: secret, title: "Plan", slug: "plan", tags: [...tags, "Hidden"] });
  expect(await see(workspace, "Set up")).toEqual({
    name: "Set up",
    articles: [
      { slug: "first", title: "First", summary: "Described." },
      { slug: "second", title: "Second", summary: "Yes." },
    ],
    page: 1,
    pages: 1,
  });
  expect((await see(workspace, "Set up", 1, "member"))?.articles).toHaveLength(3);
  for (const [name, page] of [
    ["Hidden", 1],
    ["Set up", 2],
    ["Set up", 0],
    ["Nothing", 1],
  ] as const) {
    expect([name, page, await see(workspace, name, page)]).toEqual([name, page, null]);
  }
});
