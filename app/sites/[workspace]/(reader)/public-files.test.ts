import { randomBytes } from "node:crypto";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { inWorkspace, readingOf } from "@/lib/db";
import { articleMarkdown, categoryMarkdown } from "@/lib/reader/reader-markdown";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { GET as feed } from "./feed.xml/route";
import { GET as llms } from "./llms.txt/route";
import { GET as articleImage } from "./og/articles/[file]/route";
import { GET as homeImage } from "./og.png/route";
import { GET as robots } from "./robots.txt/route";
import { GET as sitemap } from "./sitemap.xml/route";
import { GET as sitemapFile } from "./sitemaps/[file]/route";

type Handler = (request: Request, context: { params: Promise<any> }) => Promise<Response>;

const homeOf = ({ subdomain }: TestWorkspace) => `http://${subdomain}.localhost:3000`;

function ask(handler: Handler, workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  const file = path.split("/").at(-1)?.split("?")[0];
  const context = { params: Promise.resolve({ workspace: workspace.subdomain, file }) };
  return handler(new Request(homeOf(workspace) + path, { headers }), context);
}

const textOf = async (handler: Handler, workspace: TestWorkspace, path: string) =>
  (await ask(handler, workspace, path)).text();

/** The XML as a strict parser reads it. */
function parsed(xml: string): any {
  expect(XMLValidator.validate(xml)).toBe(true);
  const lists = ["sitemap", "url", "entry", "link"];
  return new XMLParser({ ignoreAttributes: false, isArray: (name) => lists.includes(name) }).parse(xml);
}

const hide = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) =>
    db.category.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id } },
      data: { visibility: "members" },
    }),
  );

const closed = (workspace: TestWorkspace) =>
  inWorkspace(workspace.id, (db) =>
    db.workspace.update({ where: { id: workspace.id }, data: { visibility: "members" } }),
  );

/** Everything that programs can read of a workspace without a session, by URL. */
async function everything(workspace: TestWorkspace, slugs: { articles: string[]; categories: string[] }) {
  const all: [string, string | null][] = [
    ["/sitemap.xml", await textOf(sitemap, workspace, "/sitemap.xml")],
    ["/sitemaps/1.xml", await textOf(sitemapFile, workspace, "/sitemaps/1.xml")],
    ["/feed.xml", await textOf(feed, workspace, "/feed.xml")],
    ["/llms.txt", await textOf(llms, workspace, "/llms.txt")],
  ];
  for (const slug of slugs.articles) {
    const make = await readAs(workspace, "anyone", (snapshot) => articleMarkdown(snapshot, slug, homeOf(workspace)));
    all.push([slug, (await make?.()) ?? null]);
    const image = await ask(articleImage, workspace, `/og/articles/${slug}.png`);
    all.push([`${slug}.png`, image.status === 200 ? slug : null]);
  }
  for (const slug of slugs.categories) {
    const make = await readAs(workspace, "anyone", (snapshot) =>
      categoryMarkdown(snapshot, slug, 1, homeOf(workspace)),
    );
    all.push([slug, make?.() ?? null]);
  }
  return all;
}

test("what is a draft, hidden, or another workspace's is in no file for programs, and what is published is in each", async () => {
  const secret = `x${randomBytes(8).toString("hex")}`;
  const seen = `y${randomBytes(8).toString("hex")}`;
  const [ours, others] = [await aWorkspace({ name: seen }), await aWorkspace({ name: secret })];
  const open = await aCategory(ours, { name: `Open ${seen}`, slug: `open-${seen}` });
  const members = await aCategory(ours, { name: `Members ${secret}`, slug: `members-${secret}` });
  const below = await aCategory(ours, { name: `Below ${secret}`, slug: `below-${secret}`, parentId: members.id });
  const empty = await aCategory(ours, { name: `Empty ${secret}`, slug: `empty-${secret}` });
  await hide(ours, members.id);
  const article = await anArticle(ours, { category: open, title: `Seen ${seen}`, html: `<p>Text ${seen}</p>` });
  const hidden: string[] = [];
  for (const [name, category, state] of [
    ["Draft", open, "draft"],
    ["In draft", empty, "draft"],
    ["For members", members, "published"],
    ["Below members", below, "published"],
  ] as const) {
    const made = await anArticle(ours, { category, state, title: `${name} ${secret}`, html: `<p>${secret}</p>` });
    hidden.push(made.slug);
  }
  // A draft of a published article.
  await inWorkspace(ours.id, (db) =>
    readingOf(db)(
      `INSERT INTO article_drafts (id, title, html, text) VALUES ('${article.id}', '${secret}', '<p>${secret}</p>', '${secret}') RETURNING id`,
    ),
  );
  const theirs = await aCategory(others, { name: `Theirs ${secret}`, slug: `theirs-${secret}` });
  hidden.push((await anArticle(others, { category: theirs, title: `Theirs ${secret}` })).slug);

  const slugs = {
    articles: [article.slug, ...hidden],
    categories: [open.slug, members.slug, below.slug, empty.slug, theirs.slug],
  };
  const files = await everything(ours, slugs);
  expect(files.filter(([, text]) => text?.includes(secret))).toEqual([]);
  const withText = files.filter(([, text]) => text?.includes(seen)).map(([path]) => path);
  // The index lists only files.
  expect(withText).toEqual([
    ...["/sitemaps/1.xml", "/feed.xml", "/llms.txt"],
    ...[article.slug, `${article.slug}.png`, open.slug],
  ]);
  // The same check finds them where they should be visible.
  const atHome = await everything(others, { articles: [hidden.at(-1) ?? ""], categories: [theirs.slug] });
  expect(atHome.filter(([path, text]) => path !== "/sitemap.xml" && !text?.includes(secret))).toEqual([]);
});

test("a workspace for its members has no files for programs, and robots are told to stay away", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const article = await anArticle(workspace, { category });
  const statuses = async () =>
    Promise.all(
      (
        [
          [sitemap, "/sitemap.xml"],
          [sitemapFile, "/sitemaps/1.xml"],
          [feed, "/feed.xml"],
          [llms, "/llms.txt"],
          [homeImage, "/og.png"],
          [articleImage, `/og/articles/${article.slug}.png`],
        ] as const
      ).map(async ([handler, path]) => (await ask(handler, workspace, path)).status),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await textOf(robots, workspace, "/robots.txt")).toBe(
    `User-agent: *\nDisallow: /admin\nDisallow: /api\nDisallow: /search\n\nSitemap: ${homeOf(workspace)}/sitemap.xml\n`,
  );
  await closed(workspace);
  expect(await statuses()).toEqual([404, 404, 404, 404, 404, 404]);
  expect(await textOf(robots, workspace, "/robots.txt")).toBe("User-agent: *\nDisallow: /\n");
});

test("the sitemap names the start page, categories and articles, each with when it truly changed", async () => {
  const workspace = await aWorkspace();
  const home = homeOf(workspace);
  const above = await aCategory(workspace, { name: "Above", slug: "above", sequence: 1 });
  const below = await aCategory(workspace, { name: "Below", slug: "below", parentId: above.id });
  const other = await aCategory(workspace, { name: "Other", slug: "other", sequence: 2 });
  const made = { createdAt: new Date("2025-01-01T00:00:00Z") };
  await anArticle(workspace, { ...made, category: below, slug: "one", updatedAt: new Date("2026-03-01T10:00:00Z") });
  await anArticle(workspace, {
    category: other,
    slug: "two",
    createdAt: new Date("2025-02-01T00:00:00Z"),
    updatedAt: new Date("2026-02-01T10:00:00Z"),
  });
  expect(parsed(await textOf(sitemap, workspace, "/sitemap.xml")).sitemapindex.sitemap).toEqual([
    { loc: `${home}/sitemaps/1.xml`, lastmod: "2026-03-01T10:00:00.000Z" },
  ]);
  expect(parsed(await textOf(sitemapFile, workspace, "/sitemaps/1.xml")).urlset.url).toEqual([
    { loc: `${home}/`, lastmod: "2026-03-01T10:00:00.000Z" },
    { loc: `${home}/categories/above`, lastmod: "2026-03-01T10:00:00.000Z" },
    { loc: `${home}/categories/below`, lastmod: "2026-03-01T10:00:00.000Z" },
    { loc: `${home}/categories/other`, lastmod: "2026-02-01T10:00:00.000Z" },
    { loc: `${home}/articles/one`, lastmod: "2026-03-01T10:00:00.000Z" },
    { loc: `${home}/articles/two`, lastmod: "2026-02-01T10:00:00.000Z" },
  ]);
  for (const path of ["/sitemaps/2.xml", "/sitemaps/0.xml", "/sitemaps/01.xml", "/sitemaps/x.xml", "/sitemaps/1"]) {
    expect([path, (await ask(sitemapFile, workspace, path)).status]).toEqual([path, 404]);
  }
});

test("a large workspace has several sitemaps, which together name every address once", async () => {
  const workspace = await aWorkspace();
  const home = homeOf(workspace);
  const category = await aCategory(workspace, { slug: "all" });
  const { id } = await anArticle(workspace, { category, slug: "first" });
  await inWorkspace(workspace.id, (db) =>
    db.$executeRawUnsafe(
      `INSERT INTO articles (permalink, slug, category_id, author_id, state, title, created_at, updated_at)
       SELECT 'a-' || lpad(to_hex(n), 8, '0'), 'n-' || n, category_id, author_id, 'published', 'N', created_at + n / 7 * interval '1 second',
         timestamptz '2026-01-01Z' + n * interval '1 second'
       FROM articles, generate_series(1, 10002) n WHERE id = '${id}'`,
    ),
  );
  const index = parsed(await textOf(sitemap, workspace, "/sitemap.xml")).sitemapindex.sitemap as any[];
  expect(index.map(({ loc }) => loc)).toEqual([1, 2, 3].map((number) => `${home}/sitemaps/${number}.xml`));
  const addresses: string[] = [];
  for (const { loc, lastmod } of index) {
    const { url } = parsed(await textOf(sitemapFile, workspace, loc.slice(home.length))).urlset;
    expect(url.length).toBeLessThanOrEqual(5000);
    expect(
      url
        .map((one: any) => one.lastmod)
        .sort()
        .at(-1),
    ).toBe(lastmod);
    addresses.push(...url.map((one: any) => one.loc));
  }
  const articles = ["first", ...Array.from({ length: 10_002 }, (_, n) => `n-${n + 1}`)];
  expect(addresses.sort()).toEqual(
    [`${home}/`, `${home}/categories/all`, ...articles.map((slug) => `${home}/articles/${slug}`)].sort(),
  );
});

test("an unchanged file is not sent again, and a changed one is", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  await anArticle(workspace, { category, slug: "one" });
  const first = await ask(sitemapFile, workspace, "/sitemaps/1.xml");
  expect(first.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
  const headers = { "If-None-Match": `"other", W/${first.headers.get("etag")}` };
  const again = await ask(sitemapFile, workspace, "/sitemaps/1.xml", headers);
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", first.headers.get("etag")]);
  await anArticle(workspace, { category, slug: "two" });
  const changed = await ask(sitemapFile, workspace, "/sitemaps/1.xml", headers);
  expect([changed.status, (await changed.text()).includes("/articles/two")]).toEqual([200, true]);
});

test("the feed holds any title and text, with addresses that hold elsewhere and ids that stay", async () => {
  const workspace = await aWorkspace({ name: `A & <B> "C" 'D'` });
  const home = homeOf(workspace);
  const category = await aCategory(workspace, { name: "R&D ]]>", slug: "rd" });
  const title = `</title>]]> <script>&amp; " ' 🎉 مرحبا \u0007\u202e`;
  const html = `<p>One <a href="/articles/other">two</a> <a href="#here">three</a> <a href="https://example.com/?a=1&amp;b=2">four</a> ]]&gt;</p><p><img src="/uploads/1" alt=""></p>`;
  const dates = { createdAt: new Date("2026-01-01T00:00:00Z"), updatedAt: new Date("2026-05-01T00:00:00Z") };
  const { id } = await anArticle(workspace, { category, slug: "first", title, html, ...dates });
  await anArticle(workspace, {
    category,
    slug: "newer",
    createdAt: new Date("2026-02-01T00:00:00Z"),
    updatedAt: new Date("2026-02-01T00:00:00Z"),
  });
  const { feed: atom } = parsed(await textOf(feed, workspace, "/feed.xml"));
  const decode = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect([decode(atom.title), atom.updated]).toEqual([`A & <B> "C" 'D'`, "2026-05-01T00:00:00.000Z"]);
  expect(atom.entry.map((entry: any) => entry.link[0]["@_href"])).toEqual([
    `${home}/articles/newer`,
    `${home}/articles/first`,
  ]);
  const [, entry] = atom.entry;
  expect(decode(entry.title)).toBe(title.replace("\u0007", ""));
  expect([entry.published, entry.updated, entry.author.name]).toEqual([
    "2026-01-01T00:00:00.000Z",
    "2026-05-01T00:00:00.000Z",
    "Ada Admin",
  ]);
  expect([decode(entry.summary), entry.content]).toEqual(["One two three four ]]>", undefined]);
  await anArticle(workspace, { id, category, slug: "renamed", title: "Another", ...dates });
  const after = parsed(await textOf(feed, workspace, "/feed.xml")).feed.entry[1];
  expect([after.id, after.link[0]["@_href"]]).toEqual([entry.id, `${home}/articles/renamed`]);
});
