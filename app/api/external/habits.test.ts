import { beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// Requests of existing programs, which must keep working.

let ours: TestWorkspace;
let article: { id: string; slug: string };
let titles: string[];

beforeAll(async () => {
  ours = await aWorkspace();
  const category = await aCategory(ours, { name: "Guides" });
  titles = Array.from({ length: 7 }, (_, index) => `Guide ${index}`);
  for (const title of titles) article = await anArticle(ours, { category, title, html: "<p>Turn the wheel.</p>" });
});

describe.each([
  ["v1", v1],
  ["v2", v2],
] as [string, Record<string, Handler>][])("%s", (version, paths) => {
  const root = `/api/external/${version}`;
  // The reference's own example sends a Content-Type with a GET.
  const get = (path: string, query = "") =>
    call(paths[path] as Handler, ours, `${root}${path}${query}`, { headers: { "content-type": "application/json" } });

  test("a loop over pages ends when the current page is the last, and has seen everything once", async () => {
    const seen: string[] = [];
    for (let page = 1; ; page++) {
      const { articles, pagination } = (await get("/articles", `?page_number=${page}&page_size=3`)).body;
      seen.push(...articles.map(({ title }: { title: string }) => title));
      expect(pagination.current_page_number).toBe(page);
      if (pagination.current_page_number >= pagination.total_pages) break;
    }
    expect(seen.sort()).toEqual(titles);
    const past = await get("/articles", "?page_number=9&page_size=3");
    expect([past.status, past.body]).toEqual([
      200,
      { articles: [], pagination: { total_records: 7, total_pages: 3, current_page_number: 9, page_size: 3 } },
    ]);
    const empty = await get("/articles", "?search_term=nowhere");
    expect(empty.body.pagination).toEqual({ total_records: 0, total_pages: 0, current_page_number: 1, page_size: 30 });
  });

  test("parameters that nobody declared are ignored", async () => {
    for (const path of ["/articles", "/categories", "/setting", "/me"]) {
      expect([path, (await get(path, "?per_page=5&locale=en&utm_source=x")).status]).toEqual([path, 200]);
    }
  });

  test("lists are sorted and searched by the parameters that are known for it", async () => {
    const sorted = await get("/articles", "?sort_by=title&order_by=desc&search_term=guide");
    expect(sorted.body.articles.map(({ title }: { title: string }) => title)).toEqual(titles.toReversed());
    const found = await get("/search", "?search_term=whe");
    expect(found.body.pagination.total_records).toBe(7);
  });

  test("an article is found by id, slug and permalink", async () => {
    const byId = await call(paths["/articles/{article_id}"] as Handler, ours, `${root}/articles/${article.id}`);
    const bySlug = await call(paths["/articles/{article_id}"] as Handler, ours, `${root}/articles/${article.slug}`);
    expect([byId.status, bySlug.status, bySlug.body]).toEqual([200, 200, byId.body]);
    expect(byId.body.article.id).toBe(article.id);
  });

  test("the error of every refusal is a string that can be shown", async () => {
    const refused = [
      await call(paths["/setting"] as Handler, ours, `${root}/setting`, { key: "nonsense" }),
      await get("/search"),
      await get("/articles", "?page_size=none"),
      await call(paths["/articles/{article_id}"] as Handler, ours, `${root}/articles/nowhere`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 422, 422, 404]);
    for (const { body } of refused) expect(body.error).toMatch(/^\S.{10,}/);
    expect(refused[1]?.body.error).toBe("Search term is required");
  });
});
