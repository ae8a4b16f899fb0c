import { expect } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { ask, baseUrl, cookieOfMember, type TestWorkspace, test } from "./kit";
import { publish, putCategory } from "./library";

/** Publishes an article in a new category. */
async function anArticle(
  workspace: TestWorkspace,
  slug: string,
  { visibility, title = "Brewing <coffee> & tea" }: { visibility?: "members" | "everyone"; title?: string } = {},
): Promise<{ id: string; category: string }> {
  const category = await putCategory(workspace, `In ${slug}`, { visibility });
  const html = "<p>Grind, <strong>then</strong> pour.</p>";
  const { id } = await publish(workspace, category, { slug, title, html });
  const publishedAt = new Date("2026-01-01T00:00:00Z");
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishedAt } }));
  return { id, category };
}

const hostOf = ({ url }: TestWorkspace) => new URL(url).host;
const expected = "# Brewing \\<coffee> & tea\n\nGrind, **then** pour.\n";

test("an article is there as Markdown under .md, and at its own address for those who prefer it", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "harbour" });
  await anArticle(workspace, "brewing");
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    ask(hostOf(workspace), path, { method, headers });

  const file = await get("/articles/brewing.md");
  expect([file.status, file.body]).toEqual([200, expected]);
  expect(file.headers).toMatchObject({
    "content-type": "text/markdown; charset=utf-8",
    "cache-control": "public, max-age=0, must-revalidate",
    "x-content-type-options": "nosniff",
  });
  const { etag = "" } = file.headers;
  const again = await get("/articles/brewing.md", { "If-None-Match": etag });
  expect([again.status, again.body, again.headers.etag]).toEqual([304, "", etag]);
  const head = await get("/articles/brewing.md", {}, "HEAD");
  expect([head.status, head.body, head.headers.etag]).toEqual([200, "", etag]);

  const preferred = await get("/articles/brewing", { Accept: "text/markdown, text/html;q=0.9" });
  expect([preferred.status, preferred.body]).toEqual([200, expected]);
  const page = await get("/articles/brewing", { Accept: "text/html,text/markdown;q=0.9,*/*;q=0.8" });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  for (const { headers } of [preferred, page]) expect(headers.vary?.toLowerCase()).toMatch(/(^|, )accept(,|$)/);

  const category = await get("/categories/in-brewing.md");
  expect([category.status, category.body]).toEqual([
    200,
    `# In brewing\n\n## Articles\n\n- [Brewing \\<coffee> & tea](${workspace.url}/articles/brewing.md): Grind, then pour.\n`,
  ]);
  expect((await get("/categories/in-brewing", { Accept: "text/markdown" })).body).toBe(category.body);
  const start = await get("/", { Accept: "text/markdown" });
  expect(start.body).toContain(`- [Brewing \\<coffee> & tea](${workspace.url}/articles/brewing.md): Grind, then pour.`);
  expect((await get("/llms.txt")).body).toBe(start.body);
});

test("a former address of Markdown leads to the new one, and of what is gone or unknown says so", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "harbour" });
  const { id: articleId, category: categoryId } = await anArticle(workspace, "brewing");
  await anArticle(workspace, "secret", { visibility: "members" });
  await inWorkspace(workspace.id, async (db) => {
    await db.redirect.create({ data: { fromPath: "/articles/old", kind: "article", articleId } });
    await db.redirect.create({ data: { fromPath: "/articles/ältere 100%", kind: "article", articleId } });
    await db.redirect.create({ data: { fromPath: "/articles/removed", kind: "gone", categoryId } });
  });
  const answers = async (path: string) => {
    const { status, headers, body } = await ask(hostOf(workspace), path);
    return [status, headers["content-type"], headers.location, body.includes("Grind")];
  };
  const plain = "text/plain; charset=utf-8";
  for (const path of ["/articles/old.md", `/articles/${encodeURIComponent("ältere 100%")}.md`]) {
    expect(await answers(path)).toEqual([301, plain, `${workspace.url}/articles/brewing.md`, false]);
  }
  expect(await answers("/articles/removed.md")).toEqual([410, plain, undefined, false]);
  for (const path of [
    "/articles/never.md",
    "/articles/secret.md",
    "/categories/in-secret.md",
    "/categories/in-brewing.md?page=2",
  ]) {
    expect([path, ...(await answers(path))]).toEqual([path, 404, plain, undefined, false]);
  }
});

test("a member reads as Markdown what is for members, and no shared cache may keep it", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "harbour" });
  await anArticle(workspace, "secret", { visibility: "members" });
  await anArticle(workspace, "brewing");
  const Cookie = await cookieOfMember(workspace);
  const answer = await ask(hostOf(workspace), "/articles/secret.md", { headers: { Cookie } });
  expect([answer.status, answer.body, answer.headers["cache-control"]]).toEqual([
    200,
    expected,
    "private, max-age=0, must-revalidate",
  ]);
  for (const path of ["/sitemaps/1.xml", "/feed.xml", "/llms.txt"]) {
    const { status, body } = await ask(hostOf(workspace), path, { headers: { Cookie } });
    const listed = ["brewing", "secret"].filter((slug) => body.includes(`/articles/${slug}`));
    expect([path, status, listed, body.includes("secret")]).toEqual([path, 200, ["brewing"], false]);
  }
});

test("nobody reaches the Markdown but by the addresses of pages", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "harbour" });
  const other = await aWorkspace({ name: "Other", subdomain: "other" });
  await anArticle(workspace, "brewing");
  const inside = `/markdown/${workspace.subdomain}/articles/brewing`;
  const paths = [
    ...[
      inside,
      `/%6darkdown${inside.slice(9)}`,
      `/sites/${workspace.subdomain}/articles/brewing`,
      `/markdown/articles/brewing`,
    ],
    ...[
      `/_next/..${inside}`,
      `/api/..${inside}`,
      `/_next/%2e%2e${inside}`,
      `/icon.svg/..${inside}`,
      `/.${inside}`,
      `/${inside}`,
    ],
    `/articles/../..${inside}.md`,
    ...["/articles/%2e%2e.md", "/categories/%2e.md", "/categories/%2E%2e.md"],
  ];
  for (const host of [hostOf(workspace), hostOf(other), new URL(baseUrl).host]) {
    for (const path of paths) {
      for (const headers of [
        {},
        { Accept: "text/markdown" },
        { "x-middleware-subrequest": "middleware:middleware" },
      ] as Record<string, string>[]) {
        const { status, body } = await ask(host, path, { headers });
        expect([host, path, headers, status < 300, body.includes("Grind")]).toEqual([
          host,
          path,
          headers,
          false,
          false,
        ]);
      }
    }
  }
  expect((await ask(hostOf(workspace), "/articles/brewing.md")).body).toContain("Grind");
});

test("pages name their address, their forms and their picture, and no policy is broken by it", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbour </script>", subdomain: "harbour" });
  await anArticle(workspace, "brewing", { title: `Brew </script><script>alert(1)</script> "it"` });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  const seen = () =>
    page.evaluate(() => {
      const content = (selector: string, name: string) => document.querySelector(selector)?.getAttribute(name);
      const things = [...document.querySelectorAll('script[type="application/ld+json"]')];
      return {
        canonical: content('link[rel="canonical"]', "href"),
        feed: content('link[type="application/atom+xml"]', "href"),
        markdown: content('link[type="text/markdown"]', "href"),
        image: content('meta[property="og:image"]', "content") ?? "",
        card: content('meta[name="twitter:card"]', "content"),
        things: things.map((thing) => JSON.parse(thing.textContent) as Record<string, any>),
      };
    });
  const feed = `${workspace.url}/feed.xml`;

  await page.goto(`${workspace.url}/articles/brewing?from=mail`);
  const article = await seen();
  expect(article).toMatchObject({
    canonical: `${workspace.url}/articles/brewing`,
    feed,
    markdown: `${workspace.url}/articles/brewing.md`,
    card: "summary_large_image",
  });
  expect(article.things).toHaveLength(1);
  expect(article.things[0]?.["@graph"].map((thing: any) => [thing["@type"], thing.headline])).toEqual([
    ["Article", `Brew </script><script>alert(1)</script> "it"`],
    ["BreadcrumbList", undefined],
  ]);

  await page.goto(`${workspace.url}/categories/in-brewing`);
  const category = await seen();
  expect([category.canonical, category.markdown]).toEqual([
    `${workspace.url}/categories/in-brewing`,
    `${workspace.url}/categories/in-brewing.md`,
  ]);
  expect(category.things.map((thing) => thing["@type"])).toEqual(["BreadcrumbList"]);

  await page.goto(workspace.url);
  const start = await seen();
  expect([start.canonical, start.feed]).toEqual([`${workspace.url}/`, feed]);
  expect(start.things.map((thing) => [thing["@type"], thing.potentialAction["@type"]])).toEqual([
    ["WebSite", "SearchAction"],
  ]);

  expect(new Set([article.image, category.image, start.image]).size).toBe(2);
  for (const image of [article.image, start.image]) {
    const drawn = await page.evaluate(async (address) => {
      const answer = await fetch(address);
      const kept = answer.headers.get("cache-control");
      const { width, height } = await createImageBitmap(await answer.blob());
      return [answer.status, answer.headers.get("content-type"), kept, width, height];
    }, image);
    expect(drawn).toEqual([200, "image/png", "private, max-age=86400, must-revalidate", 1200, 630]);
  }
  expect(complaints).toEqual([]);
});

test("the files for programs are at the workspace's host, each of its kind", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Harbour", subdomain: "harbour" });
  await anArticle(workspace, "brewing");
  for (const [path, type, text] of [
    ["/sitemap.xml", "application/xml; charset=utf-8", `<loc>${workspace.url}/sitemaps/1.xml</loc>`],
    ["/sitemaps/1.xml", "application/xml; charset=utf-8", `<loc>${workspace.url}/articles/brewing</loc>`],
    ["/feed.xml", "application/atom+xml; charset=utf-8", `href="${workspace.url}/articles/brewing"`],
    ["/robots.txt", "text/plain; charset=utf-8", `Sitemap: ${workspace.url}/sitemap.xml`],
    ["/llms.txt", "text/markdown; charset=utf-8", `${workspace.url}/articles/brewing.md`],
  ] as const) {
    const headers = { "X-Forwarded-Host": "evil.example" };
    const { status, headers: sent, body } = await ask(hostOf(workspace), path, { headers });
    expect([path, status, sent["content-type"], sent["cache-control"], sent["x-content-type-options"]]).toEqual([
      ...[path, 200, type, "public, max-age=0, must-revalidate", "nosniff"],
    ]);
    expect(body).toContain(text);
    expect(body).not.toContain("evil");
    const again = await ask(hostOf(workspace), path, { headers: { "If-None-Match": sent.etag ?? "" } });
    expect([path, again.status, again.body]).toEqual([path, 304, ""]);
    const head = await ask(hostOf(workspace), path, { method: "HEAD" });
    expect([path, head.status, head.body, head.headers.etag]).toEqual([path, 200, "", sent.etag]);
    expect((await ask(new URL(baseUrl).host, path)).status).toBe(404);
  }
});
