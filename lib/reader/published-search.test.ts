import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { searchedText, searchPublished } from "@/lib/reader/published-search";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const search = (workspace: TestWorkspace, text: string, viewer: Viewer = "anyone", offset = 0) =>
  readAs(workspace, viewer, (snapshot) => searchPublished(snapshot, workspace.id, text, { limit: 2, offset }));
const slugs = async (...args: Parameters<typeof search>) => (await search(...args)).articles.map(({ slug }) => slug);
const forMembers = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => db.category.updateMany({ where: { id }, data: { visibility: "members" } }));

test("a result has its title and best place with marks, and the way to it", async () => {
  const workspace = await aWorkspace();
  const top = await aCategory(workspace, { name: "Account", slug: "account" });
  const below = await aCategory(workspace, { name: "Sign-in & more", slug: "sign-in", parentId: top.id });
  await anArticle(workspace, {
    category: below,
    slug: "reset",
    title: "Reset <it> now",
    html: "<p>How to reset a password &amp; more of it.</p>",
  });
  const path = [
    { slug: "account", name: "Account" },
    { slug: "sign-in", name: "Sign-in & more" },
  ];
  expect(await search(workspace, " reset ")).toEqual({
    text: "reset",
    articles: [
      {
        slug: "reset",
        title: "Reset <it> now",
        titleHtml: "<mark>Reset</mark> &lt;it&gt; now",
        sectionHtml: null,
        url: "/articles/reset",
        excerptHtml: "How to <mark>reset</mark> a password &amp; more of it.",
        path,
      },
    ],
    total: 1,
    correctedTerm: null,
  });
  // Found by its category, it shows how its text begins.
  expect((await search(workspace, "sign")).articles).toMatchObject([
    { titleHtml: "Reset &lt;it&gt; now", excerptHtml: "How to reset a password &amp; more of it.", path },
  ]);
  expect(await search(workspace, "pasword")).toMatchObject({ correctedTerm: "password", total: 1 });
});

test("a result opens the section that says more than the title", async () => {
  const workspace = await aWorkspace();
  const html = "<p>Before.</p><h2>Lost & <i>found</i></h2><p>Ask for a new password.</p>";
  await anArticle(workspace, { category: await aCategory(workspace), slug: "reset", title: "Reset", html });
  const [article] = (await search(workspace, "reset lost password")).articles;
  expect(article).toMatchObject({ sectionHtml: "<mark>Lost</mark> &amp; found", url: "/articles/reset#lost--found" });
  const [whole] = (await search(workspace, "reset")).articles;
  expect(whole).toMatchObject({ sectionHtml: null, url: "/articles/reset" });
});

test("neither another workspace's articles nor drafts are found, nor what is for members by anybody else", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const open = await aCategory(workspace);
  const closed = await aCategory(workspace);
  const below = await aCategory(workspace, { parentId: closed.id });
  await anArticle(other, { category: await aCategory(other), slug: "foreign", title: "Walrus" });
  await anArticle(workspace, { category: open, slug: "draft", title: "Walrus", state: "draft" });
  await anArticle(workspace, { category: open, slug: "open", title: "Walrus" });
  await anArticle(workspace, { category: below, slug: "secret", title: "Walrus secretly" });
  await forMembers(workspace, closed.id);
  expect(await slugs(workspace, "walrus")).toEqual(["open"]);
  expect(await slugs(workspace, "walrus", "member")).toEqual(["open", "secret"]);
  expect(await slugs(other, "walrus")).toEqual(["foreign"]);
  // Not even as the right spelling of something.
  expect(await search(workspace, "secretli")).toMatchObject({ total: 0, correctedTerm: null });
  expect(await search(workspace, "secretli", "member")).toMatchObject({ total: 1, correctedTerm: "secretly" });
});

test("page by page everything is found once, and beyond the end nothing", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  for (const slug of ["a", "b", "c"]) await anArticle(workspace, { category, slug, title: "Walrus" });
  const pages = await Promise.all([0, 2, 4, 99_980].map((offset) => search(workspace, "walrus", "anyone", offset)));
  expect(pages.map(({ articles }) => articles.length)).toEqual([2, 1, 0, 0]);
  expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
  expect(new Set(pages.flatMap(({ articles }) => articles.map(({ slug }) => slug))).size).toBe(3);
});

test("whatever is typed can be searched, 200 characters of it", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace), slug: "walrus", title: "Walrus" });
  expect(searchedText(" a\0b \t\n c\ud800 ")).toBe("a b c");
  expect(searchedText("🎉".repeat(300))).toBe("🎉".repeat(200));
  expect(searchedText(`${"x".repeat(199)} y`)).toBe("x".repeat(199));
  for (const text of ["", " ", "\0", "\ud800", "'", "\\", "%_", "<mark>", "&!:*()|", "a".repeat(5_000)]) {
    expect([text, await slugs(workspace, text)]).toEqual([text, []]);
  }
  expect(await slugs(workspace, "\0walrus\0")).toEqual(["walrus"]);
});

test("a word that only hidden articles have is corrected as one that nobody has", async () => {
  const [workspace, without] = await Promise.all([aWorkspace(), aWorkspace()]);
  for (const each of [workspace, without]) {
    const [open, closed] = [await aCategory(each), await aCategory(each)];
    await forMembers(each, closed.id);
    await anArticle(each, { category: open, slug: "open", title: "Walrus" });
    if (each === workspace) await anArticle(each, { category: closed, slug: "secret", title: "Xqlrus" });
  }
  const seen = await Promise.all([workspace, without].map((each) => search(each, "xqlrus")));
  for (const found of seen) expect(found).toMatchObject({ total: 1, correctedTerm: "walrus" });
  expect(await slugs(workspace, "xqlrus", "member")).toContain("secret");
});
