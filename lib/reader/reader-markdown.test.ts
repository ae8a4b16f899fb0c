import { expect, test } from "vitest";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { inWorkspace } from "@/lib/db";
import { articleMarkdown, categoryMarkdown, llmsText } from "@/lib/reader/reader-markdown";
import { readAs, type Snapshot } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const home = "https://docs.example.com";

/** Reads a page, and then makes its Markdown. */
async function made<Make extends (() => string | Promise<string>) | null>(
  workspace: TestWorkspace,
  find: (snapshot: Snapshot) => Promise<Make>,
) {
  const make = await readAs(workspace, "anyone", find);
  return (make && (await make())) as Make extends null ? null : string;
}

const article = (workspace: TestWorkspace, slug: string) =>
  made(workspace, (snapshot) => articleMarkdown(snapshot, slug, home));
const category = (workspace: TestWorkspace, slug: string, page = 1) =>
  made(workspace, (snapshot) => categoryMarkdown(snapshot, slug, page, home));

/** Articles in the category of another, after it. */
const manyLike = (workspace: TestWorkspace, id: string, count: number) =>
  inWorkspace(workspace.id, async (db) => {
    await db.$executeRawUnsafe(
      `INSERT INTO articles (permalink, slug, category_id, sequence, author_id, state, title)
       SELECT 'a-' || lpad(to_hex(n), 8, '0'), 'more-' || n, category_id, 1, author_id, 'published', 'More ' || n
       FROM articles, generate_series(1, ${count}) n WHERE id = '${id}'`,
    );
    await db.$executeRawUnsafe(
      `INSERT INTO article_live (id, title, html, rendered_html, text, excerpt, markdown)
       SELECT id, title, '', '', '', '', '' FROM articles WHERE slug LIKE 'more-%'`,
    );
  });

test("an article's Markdown is its title and what was stored, letter by letter, where no address is of this host", async () => {
  const workspace = await aWorkspace();
  const html = `<h2>Steps</h2><p>Go to <a href="https://example.com/">there</a>, <code>a*b</code> &amp; 1 * 2 * 3.</p><ol><li>One</li></ol>`;
  await anArticle(workspace, { category: await aCategory(workspace), slug: "steps", title: "All *the* steps", html });
  const [stored] = await inWorkspace(workspace.id, (db) => db.articleLive.findMany({ select: { markdown: true } }));
  expect(await article(workspace, "steps")).toBe(`# All \\*the\\* steps\n\n${stored?.markdown}`);
});

test("addresses of this host are whole in Markdown, and places within the text stay", async () => {
  const workspace = await aWorkspace();
  const html = `<p><a href="/articles/other#part">Other</a> <a href="#part">Part</a> <a href="mailto:a@example.com">Mail</a> <img src="/uploads/1" alt="Picture"></p><h2 id="part">Part</h2>`;
  await anArticle(workspace, { category: await aCategory(workspace), slug: "links", title: "Links", html });
  expect(await article(workspace, "links")).toBe(
    `# Links\n\n[Other](${home}/articles/other#part) [Part](#part) [Mail](mailto:a@example.com) ![Picture](${home}/uploads/1)\n\n## Part\n`,
  );
  expect(await article(workspace, "nothing")).toBeNull();
});

test("no title or description becomes anything but text in Markdown", async () => {
  const workspace = await aWorkspace();
  const odd = "# [a](javascript:x) <script>alert(1)</script> ```\n- `b` | *c*";
  const top = await aCategory(workspace, { name: odd, slug: "odd", description: odd });
  await anArticle(workspace, { category: top, slug: "odd", title: odd, html: "<p>Text</p>" });
  const line = odd.replace("\n", " ");
  for (const [markdown, texts] of [
    [await article(workspace, "odd"), [line, "Text"]],
    [await category(workspace, "odd"), [line, line, "Articles", `${line}: Text`]],
  ] as const) {
    const { text, html } = contentFromMarkdown(markdown ?? "");
    expect(text.split("\n").filter(Boolean)).toEqual(texts);
    expect(html).not.toMatch(/<script|javascript:x"|<em>|<code>/);
  }
});

test("a category's Markdown leads to what is in it, a page of articles at a time", async () => {
  const workspace = await aWorkspace();
  const top = await aCategory(workspace, { name: "Top", slug: "top", description: "What is\nhere" });
  const below = await aCategory(workspace, { name: "Below", slug: "below", parentId: top.id });
  await anArticle(workspace, { category: below, title: "Deep", slug: "deep", html: "<p>Deep text</p>" });
  const first = await anArticle(workspace, {
    category: top,
    title: "First",
    slug: "first",
    html: "<p>One</p><p>Two</p>",
  });
  expect(await category(workspace, "top")).toBe(
    [
      ...["# Top", "", "What is here", "", "## Subcategories", "", `- [Below](${home}/categories/below.md)`, ""],
      ...["## Articles", "", `- [First](${home}/articles/first.md): One`, ""],
    ].join("\n"),
  );
  await manyLike(workspace, first.id, 100);
  const [one, second] = [await category(workspace, "top"), await category(workspace, "top", 2)];
  expect(one).toContain(`Page 1 of 2. [Next page](${home}/categories/top.md?page=2)\n`);
  expect(second).toContain(`Page 2 of 2. [Previous page](${home}/categories/top.md)\n`);
  const slugs = [...`${one}${second}`.matchAll(/\/articles\/([\w-]+)\.md/g)].map(([, slug]) => slug);
  expect(slugs.sort()).toEqual(["first", ...Array.from({ length: 100 }, (_, number) => `more-${number + 1}`)].sort());
  expect(await category(workspace, "top", 3)).toBeNull();
});

test("llms.txt lists the category tree with its articles in order, and links to the rest where there are many", async () => {
  const workspace = await aWorkspace();
  const one = await aCategory(workspace, { name: "One", slug: "one", sequence: 1, description: "The first" });
  const below = await aCategory(workspace, { name: "Below", slug: "below", parentId: one.id });
  const two = await aCategory(workspace, { name: "Two", slug: "two", sequence: 2 });
  await aCategory(workspace, { name: "Empty", slug: "empty", sequence: 3 });
  await anArticle(workspace, { category: below, title: "Deep", slug: "deep", html: "<p>Deep text</p>" });
  await anArticle(workspace, { category: one, title: "Top", slug: "top", html: "<p>Top text</p>" });
  const { id } = await anArticle(workspace, { category: two, title: "Many", slug: "many" });
  const llms = () => made(workspace, (snapshot) => llmsText(snapshot, { name: "Docs", home }));
  const text = await llms();
  expect(text.split("\n## Optional")[0]).toBe(
    [
      ...["# Docs", ""],
      "> Docs: 3 articles. Append .md to any article or category URL for Markdown.",
      ...["", "## One", "", "The first", ""],
      `- [Top](${home}/articles/top.md): Top text`,
      `- [Below](${home}/categories/below.md)`,
      `  - [Deep](${home}/articles/deep.md): Deep text`,
      ...["", "## Two", "", `- [Many](${home}/articles/many.md): Nothing yet.`, ""],
    ].join("\n"),
  );
  await manyLike(workspace, id, 600);
  const many = await llms();
  expect([...many.matchAll(/\/articles\//g)]).toHaveLength(500);
  expect(many).toContain(`  - [Deep](${home}/articles/deep.md): Deep text`);
  expect(many).toContain(`- [All 601 articles in Two](${home}/categories/two.md)`);
});

test("llms.txt says that there are more categories than it names", async () => {
  const workspace = await aWorkspace();
  const first = await aCategory(workspace, { name: "First", slug: "first", sequence: 1 });
  const { id } = await anArticle(workspace, { category: first, title: "Here", slug: "here" });
  await manyLike(workspace, id, 501);
  await inWorkspace(workspace.id, async (db) => {
    await db.$executeRawUnsafe(
      "INSERT INTO categories (name, slug) SELECT 'C ' || n, 'c-' || n FROM generate_series(1, 501) n",
    );
    await db.$executeRawUnsafe(
      "UPDATE articles SET category_id = c.id FROM categories c WHERE articles.slug = replace(c.slug, 'c-', 'more-')",
    );
  });
  const text = await made(workspace, (snapshot) => llmsText(snapshot, { name: "Docs", home }));
  expect([...text.matchAll(/\/articles\//g)]).toHaveLength(500);
  expect(text).toContain(`\n2 more categories are not listed here. Find them in [the sitemap](${home}/sitemap.xml)\n`);
});

test("llms.txt tells what an article says of itself, and marks what it cuts", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const long = `<p>${"word ".repeat(100)}</p>`;
  await anArticle(workspace, { category, title: "Told", slug: "told", html: long, metaDescription: "What it is for" });
  await anArticle(workspace, { category, title: "Long", slug: "long", html: long });
  const text = await made(workspace, (snapshot) => llmsText(snapshot, { name: "Docs", home }));
  expect(text).toContain(`- [Told](${home}/articles/told.md): What it is for\n`);
  expect(text).toMatch(/long\.md\): (word )+word…\n/);
});
