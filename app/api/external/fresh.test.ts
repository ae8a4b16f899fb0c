import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Handler } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
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

test("neither of two servers ever answers with the state before a change, however many read and write meanwhile", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const id = randomUUID();
  const write = (number: number) =>
    anArticle(workspace, { id, category, slug: "number", title: `Number ${number}`, html: `<p>word${number}</p>` });
  await write(0);
  vi.resetModules();
  // It shares only the database.
  const other = (await import("./v2/_document/operations")).paths as Record<string, Handler>;
  const read = async (paths: Record<string, Handler>, template: string, path: string, key: string) =>
    (await call(paths[template] as Handler, workspace, `/api/external/v2${path}`, { key })).body;
  const titleFrom = {
    list: async (paths: Record<string, Handler>, key: string) =>
      (await read(paths, "/articles", "/articles", key)).articles[0].title,
    article: async (paths: Record<string, Handler>, key: string) =>
      (await read(paths, "/articles/{article_id}", "/articles/number", key)).article.title,
    tree: async (paths: Record<string, Handler>, key: string) =>
      (await read(paths, "/categories", "/categories", key)).categories[0].articles[0].title,
  };
  /** The last change that is over. */
  let written = 0;
  let isDone = false;
  let [answers, stale] = [0, 0];
  const reader = async (paths: Record<string, Handler>, name: keyof typeof titleFrom, key: string) => {
    // The limit of a key is 600.
    for (let count = 0; count < 500 && !isDone; count++) {
      const least = written;
      const title = await titleFrom[name](paths, key);
      answers++;
      if (Number(/\d+/.exec(title)?.[0]) < least) stale++;
    }
  };
  const keys = await Promise.all(
    Array.from({ length: 6 }, () =>
      inWorkspace(workspace.id, (db) => createApiKey(db, { name: "r", scopes: ["public"] }, workspace.actor)),
    ),
  );
  const readers = [v2 as Record<string, Handler>, other].flatMap((paths) =>
    (["list", "article", "tree"] as const).map((name) => reader(paths, name, keys.pop()?.text as string)),
  );
  for (let number = 1; number <= 12; number++) {
    await write(number);
    written = number;
  }
  isDone = true;
  await Promise.all(readers);
  expect(answers).toBeGreaterThan(20);
  expect(stale).toBe(0);
}, 60_000);
