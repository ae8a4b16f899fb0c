import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// Contract 65: a change is in every answer of the next request.

let ours: TestWorkspace;

beforeAll(async () => {
  ours = await aWorkspace();
});

describe.each([
  ["v1", v1],
  ["v2", v2],
] as [string, Record<string, Handler>][])("%s", (version, paths) => {
  const get = (template: string, path = template) =>
    call(paths[template] as Handler, ours, `/api/external/${version}${path}`);
  const article = (name: string) => get("/articles/{article_id}", `/articles/${name}`);
  const found = async (term: string) =>
    (await get("/search", `/search?search_term=${term}`)).body.matches.map(({ id }: { id: string }) => id);

  test("a new slug, category, text and state are in every answer of the next request", async () => {
    const [from, to] = [await aCategory(ours), await aCategory(ours)];
    const id = randomUUID();
    const word = `quince${version}`;
    await anArticle(ours, { id, category: from, title: "First", slug: `first-${version}`, html: `<p>${word}</p>` });
    const before = await article(`first-${version}`);
    expect([before.body.article.category.id, await found(word)]).toEqual([from.id, [id]]);

    const moved = { id, category: to, title: "Second", slug: `second-${version}`, html: "<p>medlar</p>" };
    await anArticle(ours, moved);
    const after = await article(`second-${version}`);
    expect([after.body.article.category.id, after.body.article.content]).toEqual([to.id, "medlar"]);
    expect((await article(`first-${version}`)).body).toEqual(after.body);
    expect(await found(word)).toEqual([]);
    const { categories } = (await get("/categories")).body;
    const counts = (wanted: string) =>
      categories.find(({ id: each }: { id: string }) => each === wanted)?.articles_count as number;
    expect([counts(from.id), counts(to.id)]).toEqual([0, 1]);

    const again = await call(
      paths["/articles/{article_id}"] as Handler,
      ours,
      `/api/external/${version}/articles/${id}`,
      {
        headers: { "if-none-match": before.headers.get("etag") ?? "" },
      },
    );
    expect(again.status).toBe(200);

    await anArticle(ours, { ...moved, state: "draft" });
    expect((await article(id)).body.article.state).toBe("draft");
    expect(await found("medlar")).toEqual([]);
  });
});
