import { expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

/** Open(Closed(Below)) and Exempt at the top, each with an article of the same name that has the word "fern". */
async function aForest(): Promise<TestWorkspace> {
  const workspace = await aWorkspace();
  const open = await aCategory(workspace, { name: "Open" });
  const closed = await aCategory(workspace, { name: "Closed", parentId: open.id });
  const below = await aCategory(workspace, { name: "Below", parentId: closed.id });
  const exempt = await aCategory(workspace, { name: "Exempt" });
  for (const category of [open, closed, below, exempt]) {
    await anArticle(workspace, { category, title: category.name, slug: category.slug, html: "<p>A fern.</p>" });
  }
  await inWorkspace(workspace.id, async (db) => {
    await db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } });
    await db.category.updateMany({ where: { id: exempt.id }, data: { visibility: "everyone" } });
  });
  return workspace;
}

const found = (handler: Handler, workspace: TestWorkspace, path: string, key?: string) =>
  call(handler, workspace, path, { ...(key && { key }) });

/** What every kind of answer says of each name, and whether a key that reads as visitors do gets the article. */
async function said(workspace: TestWorkspace) {
  const get = async (path: keyof typeof v2, query = "", id = "") =>
    (await found(v2[path], workspace, `/api/external/v2${path.replace(/\{\w+\}/, id)}${query}`)).body;
  const visitor = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "visitor", scopes: ["public"] }, workspace.actor),
  );
  const { categories } = await get("/categories", "?scope=all");
  const { articles } = await get("/articles");
  const { matches } = await get("/search", "?search_term=fern");
  const { changes } = await get("/changes");
  const names = ["Open", "Closed", "Below", "Exempt"];
  const rows = names.map(async (name) => {
    const id = name.toLowerCase();
    const { article } = await get("/articles/{article_id}", "", id);
    const named = (item: { name?: string; title?: string }) => (item.name ?? item.title) === name;
    const all = [
      categories.find(named).visibility,
      articles.find(named).visibility,
      matches.find(named).visibility,
      changes.map((change: { article: object }) => change.article).find(named).visibility,
      article.visibility,
      article.category.visibility,
    ];
    const { status } = await found(
      v2["/articles/{article_id}"],
      workspace,
      `/api/external/v2/articles/${id}`,
      visitor.text,
    );
    return [name, ...new Set(all), status];
  });
  return Promise.all(rows);
}

test("categories, articles, matches and changes say who can read them", async () => {
  const workspace = await aForest();
  expect(await said(workspace)).toEqual([
    ["Open", "public", 200],
    ["Closed", "members", 404],
    ["Below", "members", 404],
    ["Exempt", "public", 200],
  ]);
  await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
  expect(await said(workspace)).toEqual([
    ["Open", "members", 404],
    ["Closed", "members", 404],
    ["Below", "members", 404],
    ["Exempt", "public", 200],
  ]);
});

test("v1 answers do not have it", async () => {
  const workspace = await aForest();
  for (const [path, handler] of [
    ["/categories", v1["/categories"]],
    ["/articles", v1["/articles"]],
    ["/articles/below", v1["/articles/{article_id}"]],
    ["/search?search_term=fern", v1["/search"]],
  ] as const) {
    const { status, text } = await found(handler, workspace, `/api/external/v1${path}`);
    expect([path, status, text.includes("Below"), text.includes("visibility")]).toEqual([path, 200, true, false]);
  }
});

test("v1 ignores the filters of v2", async () => {
  const workspace = await aForest();
  const total = async (query = "") =>
    (await call(v1["/articles"], workspace, `/api/external/v1/articles${query}`)).body.pagination.total_records;
  const all = await total();
  expect(all).toBeGreaterThan(0);
  expect(await total("?updated_since=x&tag=x&author_email=x&external_id=x&has_draft=x")).toBe(all);
});
