import { expect, test } from "vitest";
import { changeArticle } from "@/lib/articles/changes";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { placeArticle } from "@/lib/categories/places";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { listCategoryTree, listOrderedArticles } from "@/lib/categories/tree";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { aFolder, importing, write } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

// How an import treats existing content: from an earlier import, and from people.

/** An export's file, which identifies its format. */
const DATA = JSON.stringify({ format: "lectern", version: 1 });

const categories = (workspace: TestWorkspace) => readWorkspace(workspace.id, listCategoryTree);
const idOf = async (workspace: TestWorkspace, slug: string) =>
  (await categories(workspace)).find((category) => category.slug === slug)?.id ?? "";
/** Where every article is, in the order of each category. */
const places = async (workspace: TestWorkspace) => {
  const found: Record<string, string> = {};
  for (const { id, slug } of await categories(workspace)) {
    const articles = await readWorkspace(workspace.id, (read) => listOrderedArticles(read, id, 100));
    found[slug] = articles.map(({ title, state }) => (state === "draft" ? `(${title})` : title)).join(" ");
  }
  return found;
};
const merge = async (workspace: TestWorkspace, from: string, into: string) => {
  const [id, target] = [await idOf(workspace, from), await idOf(workspace, into)];
  await inWorkspace(workspace.id, (db) => removeCategory(db, id, target, workspace.actor, "merged"));
};
const articlesBy = (workspace: TestWorkspace, column: "permalink" | "id") =>
  readWorkspace(workspace.id, (read) =>
    read<{ key: string; title: string; path: string | null }>(
      `SELECT ${column}::text AS key, title, source_path AS path FROM articles ORDER BY title`,
    ),
  );
const readText = async (workspace: TestWorkspace, slug: string) => {
  const [row] = await readWorkspace(workspace.id, (read) =>
    read<{ text: string }>("SELECT l.text FROM article_live l JOIN articles a ON a.id = l.id WHERE a.slug = $1", [
      slug,
    ]),
  );
  return row ?? { text: "" };
};
const entries = (workspace: TestWorkspace, action: string) =>
  readWorkspace(workspace.id, (read) =>
    read<{ name: string; details: object }>(
      "SELECT subject_name AS name, details FROM audit_entries WHERE action = $1 ORDER BY created_at, subject_name",
      [action],
    ),
  );

test("files that changed their names with each other stay the articles that they are", async () => {
  const workspace = await aWorkspace();
  const text = (name: string, permalink: string) => `---\ntitle: ${name}\npermalink: ${permalink}\n---\n${name}`;
  const [one, two] = [text("One", "a-00000001"), text("Two", "a-00000002")];
  const folder = await aFolder({ "a/one.md": one, "a/two.md": two });
  await importing(workspace, folder);
  const before = await articlesBy(workspace, "id");
  expect(before.map(({ path }) => path)).toEqual(["a/one.md", "a/two.md"]);

  await write(folder, { "a/one.md": `${two} again`, "a/two.md": `${one} again` });
  expect(await importing(workspace, folder)).toMatchObject({ created: 0, updated: 2, problems: [], gone: [] });
  const after = await articlesBy(workspace, "id");
  expect(after).toEqual([
    { ...before[0], path: "a/two.md" },
    { ...before[1], path: "a/one.md" },
  ]);
});

test("a file that moved by its permalink and one that came to its place are two articles", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/one.md": "---\npermalink: a-00000001\ntitle: One\n---\nOne" });
  await importing(workspace, folder);
  await write(folder, {
    "a/first.md": "---\npermalink: a-00000001\ntitle: One\n---\nOne, longer",
    "a/one.md": "# New\n\nAnother",
    "a/copy.md": "---\npermalink: a-00000001\ntitle: Copy\n---\nOne",
  });
  expect(await importing(workspace, folder)).toMatchObject({ created: 2, updated: 1, problems: [] });
  expect(await articlesBy(workspace, "permalink")).toEqual([
    // If two files claim the same permalink, the first one keeps it, and the other gets a new one.
    { key: "a-00000001", title: "Copy", path: "a/copy.md" },
    { key: expect.stringMatching(/^a-/), title: "New", path: "a/one.md" },
    { key: expect.not.stringMatching("a-00000001"), title: "One", path: "a/first.md" },
  ]);
});

test("of two folders, one there by its address and one by its path, neither takes the other's category", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    "lectern.json": DATA,
    "guides/_category.yml": "name: Guides\nslug: guides\n",
    "guides/a.md": "---\ntitle: A\nslug: a\npermalink: a-00000001\n---\nA",
    "news/_category.yml": "name: News\nslug: news\n",
    "news/b.md": "---\ntitle: B\nslug: b\npermalink: a-00000002\n---\nB",
  });
  await importing(workspace, folder);
  const ids = [await idOf(workspace, "guides"), await idOf(workspace, "news")];
  await write(folder, {
    "guides/_category.yml": "name: News\nslug: news\n",
    "news/_category.yml": "name: Guides\nslug: guides\n",
    "guides/a.md": null,
    "news/b.md": null,
    "news/a.md": "---\ntitle: A\nslug: a\npermalink: a-00000001\n---\nA",
    "guides/b.md": "---\ntitle: B\nslug: b\npermalink: a-00000002\n---\nB",
  });
  expect(await importing(workspace, folder)).toMatchObject({ created: 0, categories: 0, problems: [] });
  expect([await idOf(workspace, "guides"), await idOf(workspace, "news")]).toEqual(ids);
  expect(await places(workspace)).toEqual({ guides: "A", news: "B" });
});

test("a folder that was renamed is the category whose slug its file names", async () => {
  const workspace = await aWorkspace();
  const file = "---\ntitle: A\nslug: a\npermalink: a-00000001\n---\nA";
  const folder = await aFolder({ "x/_category.yml": "name: X\nslug: x\n", "x/a.md": file });
  await importing(workspace, folder);
  const id = await idOf(workspace, "x");
  await write(folder, {
    "x/_category.yml": null,
    "x/a.md": null,
    "y/_category.yml": "name: Y\nslug: x\n",
    "y/a.md": file,
  });
  expect(await importing(workspace, folder)).toMatchObject({ categories: 0, problems: [] });
  expect(await places(workspace)).toEqual({ x: "A" });
  expect(await idOf(workspace, "x")).toBe(id);
});

test("what people merged, moved and put in order stays when files and folders change", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    "guides/_category.yml": "name: Guides\nsequence: 1\n",
    "guides/a.md": "# A\n\nA",
    "guides/b.md": "---\nsequence: 2\n---\n# B\n\nB",
    "news/c.md": "# C\n\nC",
    "other/d.md": "# D\n\nD",
  });
  await importing(workspace, folder);
  await merge(workspace, "guides", "news");
  const [news, other] = [await idOf(workspace, "news"), await idOf(workspace, "other")];
  const ids = Object.fromEntries((await articlesBy(workspace, "id")).map(({ title, key }) => [title, key]));
  await inWorkspace(workspace.id, async (db) => {
    await placeArticle(db, news, ids.B ?? "", { position: 1 }, workspace.actor);
    await db.article.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id: ids.D ?? "" } },
      data: { categoryId: news, sequence: 9 },
    });
  });
  const order = { news: "B C A D", other: "" };
  expect(await places(workspace)).toEqual(order);

  await write(folder, {
    "guides/_category.yml": "name: All guides\nsequence: 3\n",
    "guides/a.md": "# A\n\nA again",
    "guides/b.md": "---\nsequence: 2\n---\n# B\n\nB again",
    "guides/deep/f.md": "# F\n\nF",
    "guides/e.md": "# E\n\nE",
    "other/d.md": "# D\n\nD again",
  });
  const result = await importing(workspace, folder);
  expect(result).toMatchObject({ created: 2, updated: 3, categories: 2, flattened: [], opened: [] });
  expect(result.kept).toEqual(
    ["guides/a.md", "guides/b.md", "other/d.md"].map((path) => ({
      path,
      message: expect.stringContaining("was not moved"),
    })),
  );
  // New files of the folder make its category again.
  expect(await places(workspace)).toEqual({ news: "B C A D", "all-guides": "E", deep: "F", other: "" });
  expect((await categories(workspace)).find(({ id }) => id === news)?.name).toBe("news");
  expect(other).toBe(await idOf(workspace, "other"));
  expect((await readText(workspace, "b")).text).toBe("B again");

  // An order that people made stays, whatever the file says.
  await write(folder, { "guides/b.md": "---\nsequence: 7\n---\n# B\n\nB again" });
  expect((await importing(workspace, folder)).kept.map(({ path }) => path)).toEqual(["guides/b.md"]);
  expect(await places(workspace)).toMatchObject({ news: "B C A D" });
});

test("an article that was published again here follows its file, and a slug that was chosen here stays", async () => {
  const workspace = await aWorkspace();
  const file = (body: string, sequence = 2) => `---\nslug: said\nsequence: ${sequence}\n---\n# A\n\n${body}`;
  const folder = await aFolder({ "guides/a.md": file("One"), "guides/b.md": "---\nsequence: 5\n---\n# B\n\nB" });
  await importing(workspace, folder);
  const id = (await articlesBy(workspace, "id"))[0]?.key ?? "";
  for (const verb of [unpublishArticles, publishArticles]) await verb(workspace.id, [id], workspace.actor);
  const article = () =>
    readWorkspace(workspace.id, (read) => read("SELECT slug, sequence FROM articles WHERE id = $1::uuid", [id]));
  await write(folder, { "guides/a.md": file("Two", 3) });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 1, kept: [] });
  expect(await article()).toEqual([{ slug: "said", sequence: 3 }]);
  await inWorkspace(workspace.id, (db) => changeArticle(db, id, { slug: "chosen" }, workspace.actor));
  await write(folder, { "guides/a.md": file("Three", 7) });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 1, kept: [{ path: "guides/a.md" }] });
  expect(await article()).toEqual([{ slug: "chosen", sequence: 3 }]);
  expect((await readText(workspace, "chosen")).text).toBe("Three");
});

test("an article whose text was edited here is left and named, until it is as the import stored it again", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/one.md": "# One\n\nText", "a/two.md": "# Two\n\nText" });
  await importing(workspace, folder);
  const [{ id } = { id: "" }] = await readWorkspace(workspace.id, (read) =>
    read<{ id: string }>("SELECT id FROM articles WHERE slug = 'one'"),
  );
  const keywords = (words: string[]) =>
    inWorkspace(workspace.id, (db) => db.articleLive.updateMany({ where: { id }, data: { keywords: words } }));
  await keywords(["ours"]);
  expect(await importing(workspace, folder)).toMatchObject({ unchanged: 2, kept: [] });
  await write(folder, { "a/one.md": "# One\n\nNew", "a/two.md": "# Two\n\nNew" });
  const kept = [{ path: "a/one.md", message: expect.stringContaining("was edited in Lectern since the last import") }];
  expect(await importing(workspace, folder, { dryRun: true })).toMatchObject({ updated: 1, unchanged: 1, kept });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 1, unchanged: 1, kept });
  expect([(await readText(workspace, "one")).text, (await readText(workspace, "two")).text]).toEqual(["Text", "New"]);
  await keywords([]);
  expect(await importing(workspace, folder)).toMatchObject({ updated: 1, unchanged: 1, kept: [] });
  expect((await readText(workspace, "one")).text).toBe("New");
});

test("a category that was edited here is left and named, and its order follows the file until people change that", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/_category.yml": "name: A\nsequence: 1\n", "a/one.md": "# One" });
  await importing(workspace, folder);
  const category = () =>
    inWorkspace(workspace.id, async (db) => {
      const { name, sequence } = await db.category.findFirstOrThrow();
      return [name, sequence];
    });
  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { name: "Ours" } }));
  await write(folder, { "a/_category.yml": "name: Theirs\nsequence: 2\n" });
  expect((await importing(workspace, folder)).kept.map(({ path }) => path)).toEqual(["a/_category.yml"]);
  expect(await category()).toEqual(["Ours", 2]);
  await write(folder, { "a/_category.yml": "name: Theirs\nsequence: 3\n" });
  await importing(workspace, folder);
  expect(await category()).toEqual(["Ours", 3]);
  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { sequence: 9 } }));
  await write(folder, { "a/_category.yml": "name: Theirs\nsequence: 4\n" });
  await importing(workspace, folder);
  expect(await category()).toEqual(["Ours", 9]);
});

test("what was merged into a category for members is read by no more people after another import", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    ...{ "open/a.md": "# A\n\nA", "inside/_category.yml": "visibility: members\n", "inside/z.md": "# Z" },
  });
  await importing(workspace, folder);
  await merge(workspace, "open", "inside");
  await write(folder, { "open/a.md": "# A\n\nA again", "open/b.md": "# B" });
  expect(await importing(workspace, folder)).toMatchObject({ created: 1, updated: 1, opened: [] });
  expect(await places(workspace)).toEqual({ inside: "Z A", "open-2": "B" });

  // A file that moves to a folder for everyone opens nothing, and the report says so.
  await write(folder, {
    ...{ "open/a.md": null, "public/a.md": "# A\n\nA again", "inside/z.md": null, "public/z.md": "# Z" },
  });
  expect(await importing(workspace, folder)).toMatchObject({
    opened: [],
    kept: ["public/a.md", "public/z.md"].map((path) => ({
      path,
      message: expect.stringContaining("was not moved"),
    })),
  });
  expect(await places(workspace)).toEqual({ inside: "Z A", "open-2": "B" });
});

test("what people closed is not opened by a folder that is renamed, or by a file that leaves it", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    ...{ "hr/pay.md": "# Pay", "a/sub/plan.md": "# Plan", "b/_category.yml": "visibility: members\n", "b/z.md": "# Z" },
    "said/_category.yml": "visibility: members\n",
    "said/deep/known.md": "# Known",
  });
  await importing(workspace, folder);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { slug: "hr" }, data: { visibility: "members" } }),
  );
  await merge(workspace, "a", "b");

  await write(folder, { "hr/pay.md": null, "people/pay.md": "# Pay", "a/sub/plan.md": null, "open/plan.md": "# Plan" });
  await write(folder, { "said/deep/known.md": null, "open/known.md": "# Known" });
  const result = await importing(workspace, folder);
  expect(result).toMatchObject({ created: 0, problems: [], opened: [] });
  expect(result.kept).toEqual([
    { path: "open/known.md", message: expect.stringContaining("was not moved") },
    { path: "open/plan.md", message: expect.stringContaining("was not moved") },
    { path: "people/pay.md", message: expect.stringContaining("was not moved") },
  ]);
  expect(await places(workspace)).toEqual({ hr: "Pay", b: "Z", sub: "Plan", said: "", deep: "Known" });
});

test("who may read a category stays as people set it here, else its file counts, and opening is named", async () => {
  const workspace = await aWorkspace();
  const settings = (visibility: string) => `visibility: ${visibility}\n`;
  const folder = await aFolder({
    ...{ "a/_category.yml": settings("everyone"), "a/one.md": "# One" },
    ...{ "b/_category.yml": settings("members"), "b/two.md": "# Two" },
  });
  await importing(workspace, folder);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { slug: "a" }, data: { visibility: "members" } }),
  );
  const visibility = async () => (await categories(workspace)).map((category) => category.visibility);
  await write(folder, { "a/_category.yml": `${settings("everyone")}description: Two\n` });
  expect(await importing(workspace, folder)).toMatchObject({ opened: [], kept: [{ path: "a/_category.yml" }] });
  await write(folder, { "b/_category.yml": settings("everyone") });
  expect((await importing(workspace, folder)).opened).toEqual(["b/_category.yml"]);
  expect(await visibility()).toEqual(["members", "everyone"]);
});

test("an export that says of a closed category that it is for everyone does not open it", async () => {
  const workspace = await aWorkspace();
  const { id } = await aCategory(workspace, { name: "Guides", slug: "guides" });
  const inside = await aCategory(workspace, { name: "Inside", slug: "inside" });
  await inWorkspace(workspace.id, (db) => db.category.updateMany({ data: { visibility: "members" } }));
  const one = await anArticle(workspace, { category: inside, title: "One", source: null, permalink: "a-00000001" });
  const folder = await aFolder({
    "lectern.json": DATA,
    "guides/_category.yml": "name: Guides\nslug: guides\nvisibility: everyone\n",
    "free/_category.yml": "name: Free\nslug: free\n",
    "free/one.md": "---\ntitle: One\nslug: one\npermalink: a-00000001\n---\nOne",
  });
  const result = await importing(workspace, folder);
  expect(result.opened).toEqual([]);
  expect(result.kept.map(({ path }) => path)).toEqual(["guides/_category.yml", "free/one.md"]);
  expect((await categories(workspace)).find((category) => category.id === id)?.visibility).toBe("members");
  expect(await places(workspace)).toMatchObject({ inside: "One" });
  expect((await articlesBy(workspace, "id"))[0]?.key).toBe(one.id);
});

test("an article that people unpublished stays a draft, and one that they published is not overwritten by a draft", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    "a/shown.md": "# Shown\n\nText",
    "a/draft.md": "---\nstate: draft\n---\n# Draft\n\nText",
  });
  await importing(workspace, folder);
  const published = await inWorkspace(workspace.id, async (db) => {
    const set = (slug: string, state: string) => db.article.updateMany({ where: { slug }, data: { state } });
    const text = await db.articleLive.findFirstOrThrow({ where: { title: "Shown" } });
    await set("shown", "draft");
    await db.articleLive.deleteMany({ where: { title: "Shown" } });
    await db.articleDraft.create({ data: { id: text.id, title: "Shown", html: text.html, text: text.text } });
    const { id } = await db.article.findFirstOrThrow({ where: { slug: "draft" } });
    await set("draft", "published");
    return id;
  });
  await write(folder, {
    "a/shown.md": "# Shown\n\nOther text",
    "a/draft.md": "---\nstate: draft\n---\n# Draft\n\nNot for readers",
  });
  const result = await importing(workspace, folder);
  expect(result).toMatchObject({ updated: 0, unchanged: 2, opened: [] });
  expect(result.kept).toEqual(
    ["a/draft.md", "a/shown.md"].map((path) => ({ path, message: expect.stringContaining("was not changed") })),
  );
  const states = () =>
    readWorkspace(workspace.id, (read) =>
      read<{ slug: string; state: string }>("SELECT slug, state FROM articles ORDER BY slug"),
    );
  expect(await states()).toEqual([
    { slug: "draft", state: "published" },
    { slug: "shown", state: "draft" },
  ]);
  expect((await articlesBy(workspace, "id")).find(({ title }) => title === "Draft")?.key).toBe(published);
  // Publishing at the source publishes the article here, and the report says so.
  await write(folder, { "a/new.md": "---\nstate: draft\n---\n# New" });
  await importing(workspace, folder);
  await write(folder, { "a/new.md": "# New" });
  expect((await importing(workspace, folder)).opened).toEqual(["a/new.md"]);
  expect(await states()).toContainEqual({ slug: "new", state: "published" });
});

test("a draft is not stored over an article that is published during the import", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/one.md": "---\nstate: draft\n---\n# One\n\nText", "a/two.md": "# Two" });
  await importing(workspace, folder);
  await write(folder, { "a/one.md": "---\nstate: draft\n---\n# One\n\nNot for readers", "a/two.md": "# Two\n\nText" });
  let resolve = () => {};
  const planned = new Promise<void>((done) => {
    resolve = done;
  });
  const imported = await inWorkspace(workspace.id, async (db) => {
    // An import that tries to store the article now waits for this transaction.
    await db.$queryRaw`SELECT id FROM articles WHERE slug = 'one' FOR UPDATE`;
    const importingNow = importing(workspace, folder, {
      onProgress: ({ phase, done, total }) => phase === "reading" && done === total && resolve(),
    });
    await planned;
    const { id, title, html, text } = await db.articleDraft.findFirstOrThrow({ where: { title: "One" } });
    await db.articleDraft.deleteMany({ where: { id } });
    const rendered = { renderedHtml: html, excerpt: text, markdown: text };
    await db.articleLive.create({ data: { id, title, html, text, ...rendered } });
    await db.article.updateMany({ where: { id }, data: { state: "published" } });
    return { importingNow };
  });
  const result = await imported.importingNow;
  expect(result).toMatchObject({ updated: 1, problems: [], opened: [] });
  expect(result.kept).toEqual([{ path: "a/one.md", message: expect.stringContaining("was not changed") }]);
  expect(await places(workspace)).toEqual({ a: "One Two" });
  const shown = await readWorkspace(workspace.id, (read) =>
    read("SELECT title, text FROM article_live ORDER BY title"),
  );
  expect(shown).toMatchObject([{ text: expect.stringContaining("Text") }, { text: expect.stringContaining("Text") }]);
});

test("an empty category that people deleted is made again while its folder says something", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/_category.yml": "name: A", "b/one.md": "# One" });
  await importing(workspace, folder);
  const id = await idOf(workspace, "a");
  await inWorkspace(workspace.id, (db) => removeCategory(db, id, null, workspace.actor));
  expect(await importing(workspace, folder)).toMatchObject({ categories: 1 });
  expect(await places(workspace)).toEqual({ a: "", b: "One" });
});

test("a draft that an export brought follows its file until a person saves it", async () => {
  const workspace = await aWorkspace();
  const text = (body: string) => `---\ntitle: One\nslug: one\npermalink: a-00000001\n---\n${body}`;
  const folder = await aFolder({ "lectern.json": DATA, "a/one.md": text("Live"), "a/one.draft.md": text("Draft") });
  await importing(workspace, folder);
  const draft = () => inWorkspace(workspace.id, (db) => db.articleDraft.findFirstOrThrow());
  await write(folder, { "a/one.draft.md": text("Later draft") });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 1, kept: [] });
  expect((await draft()).text).toBe("Later draft");
  await inWorkspace(workspace.id, (db) => db.articleDraft.updateMany({ data: { html: "<p>Mine</p>", text: "Mine" } }));
  await write(folder, { "a/one.draft.md": text("Last draft"), "a/one.md": text("Live again") });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 0, kept: [{ path: "a/one.md" }] });
  expect((await draft()).text).toBe("Mine");
  expect((await readText(workspace, "one")).text).toBe("Live");
});

test("a folder that another category has by now is not given to one whose deletion is undone", async () => {
  const workspace = await aWorkspace();
  const one = "---\ntitle: One\nslug: one\npermalink: a-00000001\n---\nOne";
  const folder = await aFolder({
    "lectern.json": DATA,
    "a/_category.yml": "name: A\nslug: a\n",
    "b/_category.yml": "name: B\nslug: b\n",
    "b/one.md": one,
  });
  await importing(workspace, folder);
  const id = await idOf(workspace, "a");
  await inWorkspace(workspace.id, (db) => removeCategory(db, id, null, workspace.actor));
  await write(folder, {
    ...{ "b/_category.yml": null, "b/one.md": null },
    ...{ "a/_category.yml": "name: B\nslug: b\n", "a/one.md": one },
  });
  await importing(workspace, folder);
  await inWorkspace(workspace.id, (db) => restoreCategory(db, id, workspace.actor));
  expect(await places(workspace)).toEqual({ a: "", b: "One" });
  const paths = await readWorkspace(workspace.id, (read) =>
    read("SELECT slug, source_path AS path FROM categories ORDER BY slug"),
  );
  expect(paths).toEqual([
    { slug: "a", path: null },
    { slug: "b", path: "a" },
  ]);
});

test("what an import changes of a category is written down as by hand, what it makes once for all", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/_category.yml": "name: A\nsequence: 1\n", "a/b/one.md": "# One" });
  await importing(workspace, folder);
  expect(await entries(workspace, "category.created")).toEqual([]);
  expect(await entries(workspace, "category.updated")).toEqual([]);
  expect(await entries(workspace, "articles.imported")).toMatchObject([{ details: { created: 1, categories: 2 } }]);
  await write(folder, { "a/_category.yml": "name: Guides\nslug: guides\nsequence: 4\n" });
  await importing(workspace, folder);
  expect(await entries(workspace, "category.updated")).toEqual([
    { name: "Guides", details: { name: "A → Guides", slug: "a → guides" } },
  ]);
  expect(await entries(workspace, "category.moved")).toEqual([{ name: "Guides", details: { place: 4 } }]);
  await importing(workspace, folder);
  expect(await entries(workspace, "category.updated")).toHaveLength(1);
});

test("a new article comes after those that people put in order, and among its like where nobody did", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a/b.md": "# B", "a/d.md": "# D" });
  await importing(workspace, folder);
  await write(folder, { "a/c.md": "# C" });
  await importing(workspace, folder);
  expect(await places(workspace)).toEqual({ a: "B C D" });
  const id = await idOf(workspace, "a");
  const [{ key } = { key: "" }] = (await articlesBy(workspace, "id")).filter(({ title }) => title === "D");
  await inWorkspace(workspace.id, (db) => placeArticle(db, id, key, { position: 1 }, workspace.actor));
  await write(folder, { "a/a.md": "# A", "a/aa.md": "# AA" });
  await importing(workspace, folder);
  expect(await places(workspace)).toEqual({ a: "D B C A AA" });
});
