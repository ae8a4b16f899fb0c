import { randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { flushSearches } from "@/lib/analytics/search-log";
import type { Handler } from "@/lib/api/route";
import { createApiKey, revokeApiKey } from "@/lib/api-keys/api-keys";
import { everyScope, type Scope } from "@/lib/api-keys/scopes";
import { type Db, inWorkspace } from "@/lib/db";
import { pinArticle, unpinArticle } from "@/lib/pins/pins";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { listed } from "./testing.operations";
import { paths } from "./v2/_document/operations";

// Kept answers change nothing but the time that an answer takes (contract 65, 67, 68).

const http = process.env.CONTRACT_SERVER;

/** Declares a test only where the handlers are functions, since a running server sends what it sends. */
const asFunctions: typeof test = http ? ((() => {}) as unknown as typeof test) : test;

let ours: TestWorkspace;
let category: { id: string; name: string };
let article: { id: string; slug: string };
let keys: Record<string, string>;

const keyWith = (workspace: TestWorkspace, ...scopes: Scope[]) =>
  inWorkspace(workspace.id, async (db) => (await createApiKey(db, { name: "kept", scopes }, workspace.actor)).text);

/** Another server: it shares only the database, and has kept nothing. */
async function anotherServer(): Promise<Record<string, Handler>> {
  vi.resetModules();
  return (await import("./v2/_document/operations")).paths;
}

beforeAll(async () => {
  ours = await aWorkspace();
  category = await aCategory(ours);
  article = await anArticle(ours, {
    category,
    title: "Quince",
    keywords: ["flowerpot"],
    html: `<h2>Quince</h2><p>${"medlar ".repeat(400)}</p>`,
  });
  keys = {
    public: await keyWith(ours, "public"),
    content: await keyWith(ours, "content.read"),
    members: await keyWith(ours, "public", "members.read"),
    every: await keyWith(ours, ...everyScope),
  };
});

const addresses = (): [handler: Handler, path: string][] => [
  [paths["/categories"], "/categories"],
  [paths["/categories"], "/categories?scope=all"],
  [paths["/categories/{category_id}"], `/categories/${category.id}`],
  [paths["/articles"], "/articles?include=content"],
  [paths["/articles"], "/articles?state=draft&sort_by=title"],
  [paths["/articles/{article_id}"], `/articles/${article.id}`],
  [paths["/articles/{article_id}"], `/articles/${article.slug}?category=summary`],
  [paths["/search"], "/search?search_term=medlar"],
  [paths["/setting"], "/setting"],
];

const get = (handler: Handler, path: string, options: Parameters<typeof call>[3] = {}, workspace = ours) =>
  call(handler, workspace, `/api/external/v2${path}`, options);

test("every operation that keeps its answers may be cached, and those about members and the key are not kept", () => {
  const kept = listed.filter(({ spec }) => "keeps" in spec);
  expect([...new Set(kept.map(({ spec }) => spec.operationId))].sort()).toEqual([
    "getArticle",
    "getCategory",
    "getSetting",
    "listArticles",
    "listCategories",
    "searchArticles",
  ]);
  expect(kept.filter(({ spec }) => spec.noStore)).toEqual([]);
});

test("an answer that was kept has the bytes and headers of the first, and headers of its own request", async () => {
  for (const [handler, path] of addresses()) {
    const ask = (options?: Parameters<typeof call>[3]) => get(handler, path, { key: keys.every, ...options });
    const [first, again, head] = [await ask(), await ask(), await ask({ method: "HEAD" })];
    expect([again.status, again.text]).toEqual([200, first.text]);
    const own = ["x-request-id", "ratelimit", "date"];
    const headersOf = ({ headers }: typeof first) => [...headers].filter(([name]) => !own.includes(name));
    expect(headersOf(again)).toEqual(headersOf(first));
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    const left = ({ headers }: typeof first) => Number(/"key";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect([left(again), left(head)]).toEqual([left(first) - 1, left(first) - 2]);
    expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", first.headers.get("etag")]);
    const known = await ask({ headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([known.status, known.text]).toEqual([304, ""]);
    expect((await ask({ headers: { accept: "text/html" } })).status).toBe(406);
  }
});

test("keys with other scopes never get each other's answers", async () => {
  const expected = new Map<string, string>();
  for (const [name, key] of Object.entries(keys)) {
    const server = await anotherServer();
    for (const [{ operations }, path] of addresses()) {
      const handler = Object.values(server).find((one) => {
        return one.operations.GET?.spec.operationId === operations.GET?.spec.operationId;
      });
      expected.set(`${name} ${path}`, (await get(handler as Handler, path, { key })).text);
    }
  }
  for (let round = 0; round < 2; round++) {
    for (const [handler, path] of addresses()) {
      for (const [name, key] of Object.entries(keys)) {
        expect([name, path, (await get(handler, path, { key })).text]).toEqual([
          name,
          path,
          expected.get(`${name} ${path}`),
        ]);
      }
    }
  }
  const emails = new Set(Object.keys(keys).map((name) => expected.get(`${name} /articles/${article.id}`)));
  expect(emails.size).toBe(4);
});

describe("a change shows in the next answer to every key, also on a server that had kept the former one:", () => {
  let workspace: TestWorkspace;
  let one: { id: string; slug: string };
  let draft: { id: string; slug: string };
  let readers: string[];

  beforeAll(async () => {
    workspace = await aWorkspace();
    const home = await aCategory(workspace);
    one = await anArticle(workspace, { category: home, title: "Pear", html: "<p>pear and apple</p>", tags: ["fruit"] });
    await anArticle(workspace, { category: home, title: "Apple", html: "<p>apple</p>" });
    draft = await anArticle(workspace, {
      category: home,
      title: "Plum",
      state: "draft",
      html: "<p>plum</p>",
      tags: ["stone"],
    });
    readers = [
      await keyWith(workspace, "public"),
      await keyWith(workspace, "content.read", "members.read"),
      await keyWith(workspace, "public", "members.read"),
    ];
  });

  const changes: [name: string, change: (db: Db) => Promise<unknown>, path: () => string, key: number][] = [
    ["the name of the workspace", (db) => db.workspace.updateMany({ data: { name: "Otherwise" } }), () => "/setting", 0],
    ["the description of a category", (db) => db.category.updateMany({ data: { description: "New" } }), () => "/categories", 0],
    ["the name of an author", (db) => db.member.updateMany({ data: { firstName: "Grace" } }), () => `/articles/${one.id}`, 0],
    ["the email of an author", (db) => db.member.updateMany({ data: { email: "new@example.com" } }), () => `/articles/${one.id}`, 1],
    ["the email of an author, to a key without drafts", (db) => db.member.updateMany({ data: { email: "other@example.com" } }), () => `/articles/${one.id}`, 2],
    ["the name of a tag", (db) => db.tag.updateMany({ where: { name: "fruit" }, data: { name: "fruits" } }), () => `/articles/${one.id}`, 0],
    ["the slug of a draft", (db) => db.article.updateMany({ where: { id: draft.id }, data: { slug: "plums" } }), () => "/articles", 1],
    ["the text of a draft", (db) => db.articleDraft.updateMany({ where: { id: draft.id }, data: { text: "plums" } }), () => `/articles/${draft.id}`, 1],
    ["a tag taken off a draft", (db) => db.articleTag.deleteMany({ where: { articleId: draft.id } }), () => `/articles/${draft.id}`, 1],
    ["a related article of a draft", (db) => db.relatedArticle.create({ data: { articleId: draft.id, relatedId: one.id, inLive: false, inDraft: true } }), () => `/articles/${draft.id}`, 1],
    ["a synonym", (db) => addSynonym(db, { term: "malus", replacements: ["apple"] }, workspace.actor), () => "/search?search_term=malus", 0],
    ["a pin", (db) => pinArticle(db, { term: "apple", articleId: one.id }, workspace.actor), () => "/search?search_term=apple", 0],
    ["a pin that is taken off", (db) => unpinArticle(db, { term: "apple", articleId: one.id }, workspace.actor), () => "/search?search_term=apple", 0],
    ["a category that becomes members-only", (db) => db.category.updateMany({ data: { visibility: "members" } }), () => "/articles", 0],
    ["the category of an article that becomes public", (db) => db.category.updateMany({ data: { visibility: "everyone" } }), () => `/articles/${one.id}`, 1],
    ["an article that is deleted", (db) => db.article.deleteMany({ where: { id: draft.id } }), () => "/articles", 1],
  ]; // biome-ignore format: a line each

  test.each(changes)("%s", async (_, change, path, reader) => {
    const handler = Object.entries(paths).find(([template]) => {
      return new RegExp(`^${template.replace(/\{\w+\}/, "[^/]+")}$`).test(path().split("?")[0] as string);
    })?.[1] as Handler;
    const ask = () => get(handler, path(), { key: readers[reader] }, workspace);
    const before = await ask();
    expect((await ask()).text).toBe(before.text);
    await inWorkspace(workspace.id, change);
    const after = await ask();
    expect([path(), after.status, after.text]).not.toEqual([path(), 200, before.text]);
  });
});

test("a search is counted each time, also when its answer was kept, and neither for HEAD nor for further pages", async () => {
  const workspace = await aWorkspace();
  const term = `term${randomUUID().slice(0, 8)}`;
  const search = (query: string, method = "GET") =>
    get(paths["/search"], `/search?search_term=${term}${query}`, { method }, workspace);
  for (const query of ["", "", ""]) await search(query);
  await search("", "HEAD");
  await search("&page_number=2");
  const count = async () => {
    await flushSearches();
    return inWorkspace(workspace.id, (db) => db.search.count({ where: { term } }));
  };
  await expect.poll(count).toBe(3);
});

test("a revoked key is refused on its next request, whatever was kept for it", async () => {
  const key = await inWorkspace(ours.id, (db) => createApiKey(db, { name: "short", scopes: ["public"] }, ours.actor));
  const ask = async () => (await get(paths["/articles"], "/articles", { key: key.text })).status;
  expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([200, 200, 200, 200]);
  await inWorkspace(ours.id, (db) => revokeApiKey(db, key.id, ours.actor));
  expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([401, 401, 401, 401]);
});

asFunctions("long answers are compressed as the client prefers, and short ones are not", async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  const handler = paths["/articles/{article_id}"];
  const bytes = async (accept: string, path = `/articles/${article.id}`, of: Handler = handler) => {
    const url = `http://${ours.subdomain}.localhost:3000/api/external/v2${path}`;
    const headers = new Headers({
      host: new URL(url).host,
      "x-api-key": keys.every as string,
      "accept-encoding": accept,
    });
    const answer = await of.answer({ method: "GET", url, headers, body: null }, { article_id: article.id });
    return { headers: new Headers([...answer.headers]), body: Buffer.from((answer.body ?? "") as string) };
  };
  const plain = await bytes("");
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("vary")).toBe("X-Api-Key, Accept-Encoding");
  for (const [accept, encoding] of [
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0.1, gzip;q=0.9", "gzip"],
  ] as const) {
    for (let time = 0; time < 2; time++) {
      const packed = await bytes(accept);
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(packed.headers.get("vary")).toBe("X-Api-Key, Accept-Encoding");
      expect(packed.headers.get("etag")).toBe(plain.headers.get("etag"));
      expect(packed.body.length).toBeLessThan(plain.body.length / 2);
      expect(unpack[encoding](packed.body).equals(plain.body)).toBe(true);
    }
  }
  expect((await bytes("br;q=0, gzip;q=0")).headers.get("content-encoding")).toBeNull();
  expect((await bytes("br", "/setting", paths["/setting"])).headers.get("content-encoding")).toBeNull();
});
