import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { findArticle } from "@/lib/articles/articles";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { addSnippet, cleanedSnippet } from "@/lib/snippets/snippets";
import { aFolder, contents, importing, rows, write } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, manyCategories, type TestWorkspace } from "@/testing/workspace";

const handbook = {
  "welcome.md": [
    "---",
    "title: Welcome",
    "description: Begin here",
    "keywords: [start]",
    "tags: [First, Second]",
    "sequence: 3",
    "related: [guides/setup.md, deep]",
    "created_at: 2026-01-01",
    "updated_at: 2026-01-02",
    "---",
    "# Welcome",
    "",
    "Read the [guide](guides/setup.md#install) in [Guides](guides).",
    "",
    "[Gone](gone.md), [there](guides/setup.md#nowhere), ![A picture](picture.png) and [a form](form.pdf).",
  ].join("\n"),
  "guides/_category.yml": "name: All guides\ndescription: How to\nsequence: 5\n",
  "guides/setup.md": "# Set up\n\n## Install\n\nBack to [the start](../welcome.md).\n",
  "guides/deep/page.html":
    "---\nslug: deep\nstate: draft\n---\n<h1>Deep</h1><p>Not ready. <a href='..\\setup.md'>Guide</a>",
  "picture.png": "png",
  "form.pdf": "pdf",
};

const slugs = (workspace: TestWorkspace) =>
  readWorkspace(workspace.id, (read) =>
    read<{ slug: string; path: string | null }>("SELECT slug, source_path AS path FROM articles ORDER BY slug"),
  );
const article = (workspace: TestWorkspace, name: string) =>
  readWorkspace(workspace.id, (read) => findArticle(read, name));

test("a folder becomes categories and articles that link to each other", async () => {
  const workspace = await aWorkspace();
  const result = await importing(workspace, await aFolder(handbook));
  expect(result).toEqual({
    isExport: false,
    files: 3,
    created: 3,
    updated: 0,
    unchanged: 0,
    drafts: 1,
    categories: 3,
    uploads: 2,
    problems: [],
    findings: [
      { kind: "broken_link", path: "welcome.md", line: 15, href: "gone.md" },
      { kind: "left_out_image", path: "welcome.md", line: 15, href: "picture.png" },
      { kind: "missing_anchor", path: "welcome.md", line: 15, href: "guides/setup.md#nowhere" },
    ],
    flattened: [],
    gone: [],
    opened: [],
    kept: [],
    interrupted: false,
  });

  const [{ id: form } = { id: "" }] = await readWorkspace(workspace.id, (read) =>
    read<{ id: string }>("SELECT id FROM uploads WHERE filename = 'form.pdf'"),
  );
  const welcome = await article(workspace, "welcome");
  expect(welcome).toMatchObject({
    title: "Welcome",
    state: "published",
    createdAt: new Date("2026-01-01"),
    updatedAt: new Date("2026-01-02"),
    metaDescription: "Begin here",
    keywords: ["start"],
    author: { email: workspace.admin.email },
    // A draft is related too, and shown once it is published.
    related: [{ slug: "set-up" }],
  });
  expect(welcome?.tags.map(({ name }) => name)).toEqual(["First", "Second"]);
  expect(welcome?.html).toBe(
    '<p>Read the <a href="/articles/set-up#install">guide</a> in <a href="/categories/all-guides">Guides</a>.</p>\n' +
      `<p>Gone, <a href="/articles/set-up#nowhere">there</a>, A picture and <a href="/uploads/${form}">a form</a>.</p>`,
  );
  expect(await contents(workspace)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ slug: "deep", state: "draft", category: "deep", published: false }),
      expect.objectContaining({ slug: "welcome", related: ["set-up", "deep"], versions: ["import 1 Welcome"] }),
      {
        ...{ slug: "all-guides", name: "All guides", description: "How to", sequence: 5, visibility: "inherit" },
        ...{ source_path: "guides", parent: null },
      },
      expect.objectContaining({ slug: "deep", name: "deep", source_path: "guides/deep", parent: "all-guides" }),
      expect.objectContaining({ slug: "general", name: "General", source_path: "", parent: null }),
    ]),
  );
});

test("a zip gives what its folder gives", async () => {
  const [fromFolder, fromZip] = [await aWorkspace({ subdomain: undefined }), await aWorkspace()];
  const folder = await aFolder(handbook);
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(handbook)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  await writeFile(join(folder, ".all.zip"), await buffer(zip.outputStream));
  const results = [await importing(fromFolder, folder), await importing(fromZip, join(folder, ".all.zip"))];
  expect(results[1]).toEqual(results[0]);
  // Every workspace has different upload ids, so the second half of a hash replaces them.
  const comparable = async (workspace: TestWorkspace) =>
    (await contents(workspace)).map((row) =>
      JSON.stringify(row, (key, value: unknown) => (key === "author" || key === "hash" ? undefined : value)).replaceAll(
        /uploads\/[0-9a-f-]{36}/g,
        "uploads/…",
      ),
    );
  expect(await comparable(fromZip)).toEqual(await comparable(fromFolder));
});

test("another run changes nothing, and a run that would store nothing stores nothing", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  const before = await rows(workspace);
  expect(await importing(workspace, folder, { dryRun: true })).toMatchObject({ created: 3, categories: 3 });
  expect(await rows(workspace)).toEqual(before);

  const first = await importing(workspace, folder);
  const after = await rows(workspace);
  expect(after.articles).toHaveLength(3);
  expect(await importing(workspace, folder)).toEqual({
    ...first,
    ...{ created: 0, unchanged: 3, categories: 0, findings: [] },
  });
  expect(await rows(workspace)).toEqual(after);
  // The import checks links of unchanged files only on request.
  expect((await importing(workspace, folder, { recheck: true })).findings).toEqual(first.findings);
  expect(await rows(workspace)).toEqual(after);
});

test("a changed file is updated, and what links to it follows its address", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  await importing(workspace, folder);
  const { permalink } = await inWorkspace(workspace.id, (db) =>
    db.article.findFirstOrThrow({ where: { slug: "set-up" } }),
  );
  await write(folder, { "guides/setup.md": "---\nslug: installation\n---\n# Set up\n\n## Install\n\nNew words.\n" });
  expect(await importing(workspace, folder)).toMatchObject({ created: 0, updated: 3, unchanged: 0 });

  const changed = await article(workspace, "installation");
  expect(changed).toMatchObject({ slug: "installation", text: "Install\nNew words." });
  expect(await article(workspace, permalink)).toEqual(changed);
  expect(await article(workspace, "set-up")).toEqual(changed);
  expect((await article(workspace, "welcome"))?.html).toContain('href="/articles/installation#install"');
  expect(await contents(workspace)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ slug: "installation", versions: ["import 1 Set up", "import 2 Set up"] }),
      { from_path: "/articles/set-up", kind: "article" },
    ]),
  );
  // Only its links changed: it keeps its date.
  expect((await article(workspace, "welcome"))?.updatedAt).toEqual(new Date("2026-01-02"));
  expect(await importing(workspace, folder)).toMatchObject({ updated: 0, unchanged: 3 });
});

test("a broken link points to the file that was added", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  await importing(workspace, folder);
  await write(folder, { "gone.md": "# Here again" });
  expect(await importing(workspace, folder)).toMatchObject({ created: 1, updated: 1, unchanged: 2 });
  expect((await article(workspace, "welcome"))?.html).toContain('<a href="/articles/here-again">Gone</a>');
});

test("a file that is gone keeps its article, and one that was moved stays the same article", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  await importing(workspace, folder);
  const id = (await article(workspace, "set-up"))?.id;
  await write(folder, {
    "guides/setup.md": null,
    "elsewhere/start.md": handbook["guides/setup.md"],
    "guides/deep/page.html": null,
  });
  const result = await importing(workspace, folder);
  expect(result).toMatchObject({ created: 0, gone: ["guides/deep/page.html"] });
  expect(await slugs(workspace)).toEqual([
    { slug: "deep", path: "guides/deep/page.html" },
    { slug: "set-up", path: "elsewhere/start.md" },
    { slug: "welcome", path: "welcome.md" },
  ]);
  expect((await article(workspace, "set-up"))?.id).toBe(id);
});

test("an article that was made here keeps its address, and files share one in the order of their paths", async () => {
  const workspace = await aWorkspace();
  const mine = await anArticle(workspace, {
    category: await aCategory(workspace),
    slug: "faq",
    source: null,
    html: "<p>Mine.</p>",
  });
  const folder = await aFolder({ "b/faq.md": "# FAQ\n\nB", "a/faq.md": "# FAQ\n\nA", "c/faq.md": "# FAQ\n\nC" });
  await importing(workspace, folder);
  const expected = [
    { slug: "faq", path: null },
    { slug: "faq-2", path: "a/faq.md" },
    { slug: "faq-3", path: "b/faq.md" },
    { slug: "faq-4", path: "c/faq.md" },
  ];
  expect(await slugs(workspace)).toEqual(expected);
  expect(await article(workspace, "faq")).toMatchObject({ id: mine.id, text: "Mine." });
  await write(folder, { "a/faq.md": "# FAQ\n\nA changed", "aa/faq.md": "# FAQ\n\nNew" });
  await importing(workspace, folder);
  expect(await slugs(workspace)).toEqual([...expected, { slug: "faq-5", path: "aa/faq.md" }]);
});

test("what people changed here stays as long as the file does not change", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  await importing(workspace, folder);
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { slug: "deep" }, data: { slug: "chosen-here" } });
    // Articles that link to it are stored again, and keep their own URLs.
    await db.article.updateMany({ where: { slug: "set-up" }, data: { slug: "chosen-too" } });
    await db.category.updateMany({ where: { slug: "all-guides" }, data: { slug: "handbook", description: "Ours" } });
    await db.category.updateMany({ where: { slug: "deep" }, data: { name: "Renamed" } });
  });
  expect(await importing(workspace, folder)).toMatchObject({ updated: 2, unchanged: 1 });
  expect((await slugs(workspace)).map(({ slug }) => slug)).toEqual(["chosen-here", "chosen-too", "welcome"]);
  const categories = (await contents(workspace)).filter((row) => "parent" in row);
  expect(categories).toEqual([
    expect.objectContaining({ slug: "deep", name: "Renamed" }),
    expect.objectContaining({ slug: "general" }),
    expect.objectContaining({ slug: "handbook", name: "All guides", description: "Ours" }),
  ]);
});

test("a renamed category is found by its new name, and its old address leads to it", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder(handbook);
  await importing(workspace, folder);
  await write(folder, { "guides/_category.yml": "name: Manuals\nslug: manuals\n" });
  await importing(workspace, folder);
  expect(await contents(workspace)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ slug: "set-up", category: "manuals", words: expect.stringContaining("'cmanuals'") }),
      { from_path: "/categories/all-guides", kind: "category" },
    ]),
  );
});

test("a file that cannot be read is reported, and the others are imported", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({
    "good.md": "# Good\n\n[To the bad one](bad.md)",
    "bad.md": "---\ntitle: [A\n---\nText",
    "draft.md": "---\nstate: later\n---\nText",
    "a/b/c/d/e/f/g/h.md": "# Deep",
    "a/_category.yml": "sequence: first",
  });
  await writeFile(join(folder, "latin.md"), Buffer.from("Gr\u00fc\u00dfe", "latin1"));
  const result = await importing(workspace, folder);
  expect(result).toMatchObject({ files: 5, created: 2, flattened: ["a/b/c/d/e/f/g/h.md"], categories: 7 });
  expect(result.findings).toEqual([{ kind: "broken_link", path: "good.md", line: 3, href: "bad.md" }]);
  expect(result.problems).toEqual([
    { path: "a/_category.yml", line: 1, message: "The “sequence” field must be a whole number." },
    { path: "bad.md", line: expect.any(Number), message: expect.stringContaining("This is not valid YAML") },
    { path: "draft.md", line: 2, message: "The “state” field must be draft or published." },
    { path: "latin.md", line: 1, message: "The file is not UTF-8 text. Save it as UTF-8." },
  ]);
  expect((await contents(workspace)).filter((row) => "parent" in row)).toHaveLength(7);
});

test("the author is who the file names, who the run names, or the first administrator", async () => {
  const workspace = await aWorkspace();
  await inWorkspace(workspace.id, async (db) => {
    const { roleId } = await db.member.findFirstOrThrow({ where: { id: workspace.admin.id } });
    for (const email of ["Writer@example.com", "other@example.com"]) {
      await db.member.create({ data: { email, firstName: "A", lastName: "B", roleId } });
    }
  });
  const folder = await aFolder({
    "a.md": "---\nauthor: writer@EXAMPLE.com\n---\nA",
    "b.md": "---\nauthor: nobody@example.com\n---\nB",
  });
  const { findings } = await importing(workspace, folder, { author: "other@example.com" });
  expect(findings).toEqual([{ kind: "unknown_author", path: "b.md", href: "nobody@example.com" }]);
  expect((await article(workspace, "a"))?.author.email).toBe("Writer@example.com");
  expect((await article(workspace, "b"))?.author.email).toBe("other@example.com");
  await expect(importing(workspace, folder, { author: "nobody@example.com" })).rejects.toThrow(
    "No member of this workspace has the email nobody@example.com",
  );
});

test("another workspace's files, authors and addresses are not there", async () => {
  const [mine, other] = [await aWorkspace(), await aWorkspace()];
  const folder = await aFolder(handbook);
  await importing(other, folder);
  const before = await rows(other);
  expect(await importing(mine, folder)).toMatchObject({ created: 3, updated: 0 });
  await expect(importing(mine, folder, { author: other.admin.email })).rejects.toThrow("No member of this workspace");
  expect(await rows(other)).toEqual(before);
  expect(await slugs(mine)).toEqual(await slugs(other));
});

test("files over the limit of 10,000 categories are reported before and after, and imported once there is room", async () => {
  const workspace = await aWorkspace();
  await manyCategories(workspace, 9_998);
  const folder = await aFolder({
    "a/_category.yml": "name: First",
    "a/one.md": "# One\n\nSee [two](../b/two.md) and [three](../c/below/three.md).",
    "b/two.md": "# Two",
    "c/below/three.md": "# Three",
    "d/_category.yml": "name: Last",
  });
  const message = expect.stringMatching(/^Not imported. There would be more than 10,000 categories/) as string;
  const told = {
    ...{ files: 3, created: 2, categories: 2 },
    problems: ["c/below/three.md", "d/_category.yml"].map((path) => ({ path, message })),
    findings: [expect.objectContaining({ kind: "broken_link", href: "../c/below/three.md" })],
  };
  expect(await importing(workspace, folder, { dryRun: true })).toMatchObject(told);
  expect(await importing(workspace, folder)).toMatchObject(told);
  expect((await slugs(workspace)).map(({ slug }) => slug)).toEqual(["one", "two"]);
  await inWorkspace(workspace.id, (db) =>
    db.category.deleteMany({ where: { name: { in: ["Of many 1", "Of many 2", "Of many 3"] } } }),
  );
  expect(await importing(workspace, folder)).toMatchObject({
    created: 1,
    updated: 1,
    categories: 3,
    problems: [],
    findings: [],
  });
  expect((await article(workspace, "one"))?.html).toContain('<a href="/articles/three">three</a>');
}, 60_000);

test("a file that is too long with its snippets is reported, and the others are imported", async () => {
  const workspace = await aWorkspace();
  const content = await cleanedSnippet(workspace.id, "x".repeat(19_000), "");
  await inWorkspace(workspace.id, (db) => addSnippet(db, { name: "long", content }, workspace.actor));
  const folder = await aFolder({ "a.md": `# Long\n\n${"{{long}} ".repeat(110)}`, "b.md": "# Short\n\n{{long}}" });
  expect(await importing(workspace, folder)).toMatchObject({
    created: 1,
    problems: [
      { path: "a.md", message: expect.stringMatching(/^With its snippets, the text can have up to 2,000,000 /) },
    ],
  });
});
