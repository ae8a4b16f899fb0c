import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { reindexArticles } from "@/lib/search/reindex";
import { ask, personsBrowser, type TestWorkspace, test } from "./kit";
import { publish, putCategory, putKey } from "./library";

// The test changes the database from another process, as another server would. Everything that the tested server has
// cached must be current on the next request. Unpublished and never published content must not appear in any form.

const browser = { "user-agent": personsBrowser };

/** Every page that shows articles to readers. */
const LISTS = ["/", "/categories/handbook", "/search?q=zebrafinch", "/search/suggestions?q=zebrafinch", "/sitemaps/1.xml", "/feed.xml", "/llms.txt", "/categories/handbook.md"]; // biome-ignore format: one list

/** The ways of requesting a URL. */
const FORMS: Record<string, string>[] = [
  {},
  { rsc: "1" },
  { rsc: "1", "next-router-prefetch": "1" },
  { accept: "text/markdown" },
  { purpose: "prefetch", "x-middleware-subrequest": "middleware" },
  { "x-middleware-rewrite": "/sites/other", "x-forwarded-host": "localhost", "x-nextjs-data": "1" },
];

async function get(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  return ask(new URL(workspace.url).host, path, { headers: { ...browser, ...headers } });
}

async function aLibrary(aWorkspace: (input: { name: string; subdomain: string }) => Promise<TestWorkspace>) {
  const workspace = await aWorkspace({ name: "Fresh", subdomain: "fresh" });
  const handbook = await putCategory(workspace, "Handbook");
  const article = await publish(workspace, handbook, { title: "Zebrafinch care", html: "<p>Feed the zebrafinch.</p>" });
  await publish(workspace, handbook, { title: "Something else", html: "<p>Nothing of it.</p>" });
  return { workspace, handbook, article };
}

test("what is renamed, unpublished and deleted is so with the next request, everywhere", async ({ aWorkspace }) => {
  const { workspace, article } = await aLibrary(aWorkspace);
  const key = await putKey(workspace);
  const shown = async (text: string) => {
    const seen: string[] = [];
    for (const path of LISTS) if ((await get(workspace, path)).body.includes(text)) seen.push(path);
    const api = await get(workspace, "/api/external/v2/search?search_term=zebrafinch", { "x-api-key": key });
    return api.body.includes(text) ? [...seen, "api"] : seen;
  };
  const slugs = [...LISTS.filter((path) => !path.startsWith("/search?")), "/search?q=zebrafinch", "api"].sort();
  // Twice, so that the second answers come from the cache.
  for (let time = 0; time < 2; time++) expect((await shown("zebrafinch-care")).sort()).toEqual(slugs);

  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({
      where: { id: article.id },
      data: { title: "Zebrafinch keeping", slug: "zebrafinch-keeping" },
    });
    await db.articleLive.updateMany({ where: { id: article.id }, data: { title: "Zebrafinch keeping" } });
    await db.redirect.create({
      data: { fromPath: "/articles/zebrafinch-care", kind: "article", articleId: article.id },
    });
    await reindexArticles(db, [article.id]);
  });
  expect((await shown("zebrafinch-keeping")).sort()).toEqual(slugs);
  expect(await shown("zebrafinch-care")).toEqual([]);
  const moved = await get(workspace, "/articles/zebrafinch-care");
  expect([moved.status, moved.headers.location]).toEqual([301, "/articles/zebrafinch-keeping"]);
  expect((await get(workspace, "/articles/zebrafinch-keeping")).body).toContain("Zebrafinch keeping</h1>");

  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: article.id }, data: { state: "draft", publishedAt: null } });
    await db.articleLive.deleteMany({ where: { id: article.id } });
    await reindexArticles(db, [article.id]);
  });
  expect(await shown("zebrafinch-keeping")).toEqual([]);
  for (const path of ["/articles/zebrafinch-keeping", "/articles/zebrafinch-care", "/articles/zebrafinch-keeping.md"])
    expect([path, (await get(workspace, path)).status]).toEqual([path, 404]);

  await inWorkspace(workspace.id, async (db) => {
    await db.article.deleteMany({ where: { id: article.id } });
    await db.redirect.create({ data: { fromPath: "/articles/zebrafinch-keeping", kind: "gone" } });
  });
  for (const path of ["/articles/zebrafinch-keeping", "/articles/zebrafinch-keeping.md"])
    expect([path, (await get(workspace, path)).status]).toEqual([path, 410]);
});

test("a draft, an unpublished article and one for members are shown in no form of any address", async ({
  aWorkspace,
}) => {
  // Some four hundred requests.
  test.setTimeout(120_000);
  const { workspace, handbook } = await aLibrary(aWorkspace);
  const closed = await putCategory(workspace, "Inner circle", { visibility: "members" });
  const secret = "quokkasecret";
  const hidden = [
    await publish(workspace, handbook, {
      title: `Draft ${secret}`,
      slug: "draft-one",
      html: `<p>${secret}</p>`,
      state: "draft",
    }),
    await publish(workspace, handbook, { title: `Was ${secret}`, slug: "was-one", html: `<p>${secret}</p>` }),
    await publish(workspace, closed, {
      title: `Inner ${secret}`,
      slug: "inner-one",
      html: `<p>${secret}</p>`,
      tags: [secret],
    }),
  ];
  // It appears while it is published, so its absence below is meaningful.
  expect((await get(workspace, "/articles/was-one")).body).toContain(secret);
  const [, article] = hidden;
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: article?.id ?? "" }, data: { state: "draft" } });
    await db.articleLive.deleteMany({ where: { id: article?.id ?? "" } });
    await reindexArticles(db, [article?.id ?? ""]);
  });
  const permalinks = await inWorkspace(workspace.id, (db) =>
    db.article.findMany({ where: { id: { in: hidden.map(({ id }) => id) } }, select: { permalink: true } }),
  );
  const names = [
    ...["draft-one", "was-one", "inner-one"],
    ...hidden.map(({ id }) => id),
    ...permalinks.map(({ permalink }) => permalink),
  ];
  const paths = [
    ...LISTS.map((path) => path.replaceAll("zebrafinch", secret.slice(0, 6))),
    ...["/categories/inner-circle", "/categories/inner-circle.md", `/categories/${closed}`],
    ...names.flatMap((name) => [`/articles/${name}`, `/articles/${name}.md`, `/articles/${name}/feedback`]),
    ...names.flatMap((name) => [`/articles/${name}?_rsc=1`, `/articles/${name}/`, `/articles/${name.toUpperCase()}`]),
    ...names.map((name) => `/sites/${workspace.subdomain}/articles/${name}`),
    ...names.map((name) => `/markdown/${workspace.subdomain}/articles/${name}`),
    ...["/sitemap.xml", "/robots.txt", "/developers", "/developers/v2"],
  ];
  for (const path of paths) {
    for (const headers of FORMS) {
      const { status, body } = await get(workspace, path, headers);
      // A page may repeat the search words.
      const seen = body.replaceAll(`q=${secret.slice(0, 6)}`, "");
      const leaks = [secret, "Inner circle"].filter((text) => seen.includes(text));
      expect([path, JSON.stringify(headers), leaks, status >= 500]).toEqual([path, JSON.stringify(headers), [], false]);
    }
  }
  // Images show an article's title, so unpublished articles have none.
  for (const name of ["draft-one", "was-one", "inner-one"])
    expect((await get(workspace, `/og/articles/${name}.png`)).status).toBe(404);
});

test("a draft that a program writes changes no byte that visitors and public keys see", async ({ aWorkspace }) => {
  const { workspace, handbook, article } = await aLibrary(aWorkspace);
  const [writer, visitor] = [await putKey(workspace, ["content.draft"]), await putKey(workspace, ["public"])];
  const api = "/api/external/v2";
  const host = new URL(workspace.url).host;
  const write = (method: string, path: string, body: object) =>
    ask(host, api + path, {
      ...{ method, body: JSON.stringify(body) },
      headers: { "x-api-key": writer, "content-type": "application/json" },
    });
  const pages = [
    ...LISTS,
    "/articles/zebrafinch-care",
    "/articles/zebrafinch-care.md",
    "/og/articles/zebrafinch-care.png",
  ];
  const calls = [
    "/articles?include=content",
    "/articles/zebrafinch-care",
    "/search?search_term=zebrafinch",
    "/changes",
  ];
  const seen = async () => {
    const answers = [
      ...(await Promise.all(pages.map((path) => get(workspace, path)))),
      ...(await Promise.all(calls.map((path) => get(workspace, api + path, { "x-api-key": visitor })))),
    ];
    return answers.map(({ status, headers, body }) => {
      const [, nonce] = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"])) ?? [];
      // A page of results has a new id each time.
      return [status, (nonce ? body.replaceAll(nonce, "") : body).replace(/(data-search\W+)[\da-f-]{36}/g, "$1")];
    });
  };
  const before = await seen();
  expect(before.map(([status]) => status)).toEqual(before.map(() => 200));
  const secret = { title: "Zebrafinch quokkasecret", tags: ["quokkasecret"], keywords: ["quokkasecret"] };
  const text = {
    ...secret,
    markdown_content: "The zebrafinch has a quokkasecret.",
    meta_description: "A quokkasecret.",
  };
  const written = [
    await write("PATCH", `/articles/${article.id}`, text),
    await write("POST", "/articles", { ...text, category_id: handbook }),
    await write("PUT", "/articles/by-external-id/one", { ...text, category_id: handbook }),
    await write("POST", "/articles/bulk", { items: [{ action: "create", ...text, category_id: handbook }] }),
  ];
  expect(written.map(({ status }) => status)).toEqual([200, 201, 201, 200]);
  expect(await seen()).toEqual(before);
});

test("views are counted once a viewer and day, also of a kept page, and neither crawlers nor pages fetched ahead", async ({
  aWorkspace,
}) => {
  const { workspace, article } = await aLibrary(aWorkspace);
  const path = new URL(article.url).pathname;
  const requests: Record<string, string>[] = [
    {},
    {},
    { "user-agent": `${browser["user-agent"]} Edg/149.0` },
    { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" },
    { "user-agent": `${browser["user-agent"]} Ahead/1`, "sec-purpose": "prefetch" },
    { "user-agent": `${browser["user-agent"]} Script/1`, rsc: "1" },
    { "user-agent": `${browser["user-agent"]} Reader/1`, accept: "text/markdown" },
  ];
  for (const headers of requests) expect((await get(workspace, path, headers)).status).toBeLessThan(400);
  const views = () =>
    inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id: article.id } })).then(
      ({ uniqueViewsCount }) => uniqueViewsCount,
    );
  await expect.poll(views).toBe(2);
  // A later view proves that the earlier ones have been written.
  await get(workspace, path, { "user-agent": `${browser["user-agent"]} Firefox/200.0` });
  await expect.poll(views).toBe(3);
});
