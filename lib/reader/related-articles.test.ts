import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { publishedArticle } from "@/lib/reader/published-articles";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const relatedTo = async (workspace: TestWorkspace, slug: string, viewer: Viewer = "anyone") =>
  (await readAs(workspace, viewer, (snapshot) => publishedArticle(snapshot, slug)))?.related.map((one) => one.slug);

/** Articles in categories of their own, so that nothing but what a test is about relates them. */
async function put(workspace: TestWorkspace, ...articles: Omit<Parameters<typeof anArticle>[1], "category">[]) {
  for (const article of articles)
    await anArticle(workspace, { category: await aCategory(workspace), html: "<p>1</p>", ...article });
}

/** Articles that make the word common. */
async function common(workspace: TestWorkspace, word: string, count = 8) {
  const category = await aCategory(workspace);
  for (let number = 1; number <= count; number++)
    await anArticle(workspace, {
      category,
      slug: `common-${number}`,
      title: `Other ${number}`,
      html: `<p>${word}</p>`,
    });
}

test("a shared rare word relates more than shared common ones, wherever in the article it is", async () => {
  const workspace = await aWorkspace();
  await common(workspace, "account and settings", 24);
  await put(
    workspace,
    { slug: "in-text", title: "Feeding", html: "<p>What the walrus eats.</p>" },
    { slug: "by-title", title: "Walrus settings", metaDescription: "The account.", html: "<p>Text.</p>" },
    {
      slug: "by-description",
      title: "Settings",
      metaDescription: "Every walrus in the account.",
      html: "<p>Text.</p>",
    },
    { slug: "by-heading", title: "Settings account", html: "<h2>Walrus</h2>" },
    { slug: "by-text", title: "Settings account", html: "<p>A walrus.</p>" },
  );
  for (const slug of ["by-title", "by-description", "by-heading", "by-text"]) {
    const related = (await relatedTo(workspace, slug)) ?? [];
    expect([slug, related.length > 3, related.slice(0, 4).includes("in-text")]).toEqual([slug, true, true]);
  }
});

test("links in either direction relate, also by a permalink, and so do tags, rare ones more", async () => {
  const workspace = await aWorkspace();
  await put(workspace, { slug: "target", title: "Alpha" }, { slug: "elsewhere", title: "Omega" });
  const [target] = await inWorkspace(workspace.id, (db) => db.article.findMany({ where: { slug: "target" } }));
  await put(
    workspace,
    { slug: "links", title: "Beta", html: `<p><a href="/articles/${target?.permalink}#part">more</a></p>` },
    { slug: "linked", title: "Gamma", html: '<p><a href="/articles/target?a=b">more</a></p>' },
    { slug: "rare-one", title: "Delta", tags: ["rare", "frequent"] },
    { slug: "rare-two", title: "Epsilon", tags: ["rare"] },
    ...["a", "b", "c", "d"].map((slug) => ({ slug, title: `Zeta ${slug}`, tags: ["frequent"] })),
  );
  expect(await relatedTo(workspace, "links")).toContain("target");
  expect((await relatedTo(workspace, "target"))?.toSorted()).toEqual(["linked", "links"]);
  expect(await relatedTo(workspace, "elsewhere")).toEqual([]);
  expect((await relatedTo(workspace, "rare-one"))?.[0]).toBe("rare-two");
});

test("drafts and unpublished changes relate nothing, and what is for members is related for members alone", async () => {
  const workspace = await aWorkspace();
  const closed = await aCategory(workspace);
  const walrus = { title: "Walrus feeding", tags: ["x"], html: '<p><a href="/articles/open">walrus</a></p>' };
  await put(workspace, {
    slug: "open",
    title: "Walrus",
    tags: ["x"],
    html: '<p><a href="/articles/closed">a</a> <a href="/articles/draft">b</a></p>',
  });
  await put(workspace, { ...walrus, slug: "draft", state: "draft" }, { ...walrus, slug: "alike" });
  await anArticle(workspace, { ...walrus, category: closed, slug: "closed" });
  expect((await relatedTo(workspace, "open"))?.toSorted()).toEqual(["alike", "closed"]);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  expect(await relatedTo(workspace, "open")).toEqual(["alike"]);
  expect((await relatedTo(workspace, "open", "member"))?.toSorted()).toEqual(["alike", "closed"]);
});

test("another workspace's articles are not related", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  for (const each of [workspace, other])
    await put(each, { slug: `of-${each.subdomain}`, title: "Walrus", tags: ["x"] });
  await put(workspace, { slug: "here", title: "Walrus feeding", tags: ["x"] });
  expect(await relatedTo(workspace, "here")).toEqual([`of-${workspace.subdomain}`]);
});

test("the same article for another country comes after articles about something else", async () => {
  const workspace = await aWorkspace();
  const html = "<p>Reporting tax electronically.</p>";
  await put(
    workspace,
    ...["Danish", "Dutch", "Belgian"].map((country) => ({
      slug: country.toLowerCase(),
      title: `Report electronic tax in the ${country} version`,
      html,
    })),
    { slug: "general", title: "Report tax", html: "<p>Reporting tax electronically.</p>" },
    { slug: "linked", title: "Tax declarations", html: '<p><a href="/articles/danish">See</a></p>' },
  );
  const related = (await relatedTo(workspace, "danish")) ?? [];
  expect(related.slice(0, 2).toSorted()).toEqual(["general", "linked"]);
  expect(related.slice(-2).toSorted()).toEqual(["belgian", "dutch"]);
});

test("related articles that were found before are left out once they can't be seen, and have their current titles", async () => {
  const workspace = await aWorkspace();
  const closed = await aCategory(workspace);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  const category = await aCategory(workspace);
  const beside = await aCategory(workspace);
  await anArticle(workspace, { category: beside, slug: "subject", title: "Subject", html: "<p>harmonium</p>" });
  for (let number = 1; number <= 8; number++)
    await anArticle(workspace, {
      category: beside,
      slug: `beside-${number}`,
      title: `Beside ${number}`,
      html: "<p>1</p>",
    });
  const idOf = new Map<string, string>();
  for (const slug of ["moved", "unpublished", "deleted", "renamed"]) {
    const { id } = await anArticle(workspace, { category, slug, title: slug, html: "<p>harmonium</p>" });
    idOf.set(slug, id);
  }
  const titles = async () => {
    const article = await readAs(workspace, "anyone", (snapshot) => publishedArticle(snapshot, "subject"));
    return article?.related.map(({ title }) => title) ?? [];
  };
  expect(await titles()).toEqual(expect.arrayContaining([...idOf.keys()]));
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: idOf.get("moved")! }, data: { categoryId: closed.id } });
    await db.article.updateMany({
      where: { id: idOf.get("unpublished")! },
      data: { state: "draft", publishedAt: null },
    });
    await db.articleLive.deleteMany({ where: { id: idOf.get("unpublished")! } });
    await db.article.deleteMany({ where: { id: idOf.get("deleted")! } });
    await db.article.updateMany({ where: { id: idOf.get("renamed")! }, data: { title: "A new title" } });
  });
  const now = await titles();
  expect(now).toHaveLength(5);
  expect(now[0]).toBe("A new title");
  for (const slug of ["moved", "unpublished", "deleted"]) expect(now).not.toContain(slug);
});

test("a new article is related immediately where there are few", async () => {
  const workspace = await aWorkspace();
  await put(workspace, { slug: "first", title: "First", html: "<p>harmonium</p>" });
  expect(await relatedTo(workspace, "first")).toEqual([]);
  await put(workspace, { slug: "second", title: "Second", html: "<p>harmonium</p>" });
  expect(await relatedTo(workspace, "first")).toEqual(["second"]);
});

test("words of scripts without blanks relate", async () => {
  const workspace = await aWorkspace();
  await common(workspace, "設定");
  await put(workspace, { slug: "a", title: "請求書を作成する" }, { slug: "b", title: "請求書の取り消し" });
  expect((await relatedTo(workspace, "a"))?.[0]).toBe("b");
});
