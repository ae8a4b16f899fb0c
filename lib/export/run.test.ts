import { randomBytes, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openPromise } from "yauzl";
import { emptyText } from "@/lib/articles/article-text";
import type { ArticleToStore } from "@/lib/articles/store";
import { storeArticles } from "@/lib/articles/store";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { exportWorkspace } from "@/lib/export/run";
import { createMember } from "@/lib/members/members";
import { publishedArticle } from "@/lib/reader/published-articles";
import { addSnippet, changeSnippet } from "@/lib/snippets/snippets";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { storeUpload, uploadFor } from "@/lib/uploads/uploads";
import { readAs } from "@/lib/visibility";
import { importing } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

let folder: string;
const secret = "one installation's own";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-export-"));
  vi.stubEnv("DATA_DIR", folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function exported(workspace: TestWorkspace) {
  const file = join(folder, `${randomUUID()}.zip`);
  const result = await exportWorkspace({ workspace, secret }, createWriteStream(file));
  return { file, result, bytes: await readFile(file) };
}

/** Every file of an archive, as text. */
async function filesIn(file: string): Promise<Record<string, string>> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    files[entry.fileName] = entry.fileName.startsWith("_files/") ? bytes.toString("hex") : bytes.toString();
  }
  zip.close();
  return files;
}

const photo = (background: string) =>
  sharp({
    create: { width: 64, height: 40, channels: 3, background, noise: { type: "gaussian", mean: 90, sigma: 40 } },
  });

const noise = (length: number) => randomBytes(length).toString("base64").slice(0, length);

/** A workspace that has everything. */
async function aFullWorkspace() {
  const workspace = await aWorkspace();
  const { id } = workspace;
  const upload = (filename: string, content: Uint8Array) =>
    storeUpload(id, { filename, content, by: workspace.admin.id, kind: "attachment" });
  const image = await upload("Bild ö (1).jpg", await photo("red").jpeg().toBuffer());
  const moving = await upload("anim.webp", await photo("blue").webp().toBuffer());
  const form = await upload("read me.md", Buffer.from("# No article\n"));
  const onlyInDraft = await upload("draft.csv", Buffer.from("a;b\n"));

  const top = await aCategory(workspace, { name: "Getting started 🚀", slug: "start", sequence: 2 });
  await inWorkspace(id, (db) =>
    db.category.updateMany({
      where: { id: top.id },
      data: { description: 'Two\nlines: with "quotes" and #\n\n- more' },
    }),
  );
  let level = top;
  const levels = [top];
  for (const name of ["Second", "مستوى ثالث", "Fourth", "Fifth", "Sixth"]) {
    level = await aCategory(workspace, { name, slug: `l-${levels.length + 1}`, parentId: level.id });
    levels.push(level);
  }
  const secret = await aCategory(workspace, { name: "Only us", slug: "a--b", sequence: 1 });
  await inWorkspace(id, (db) => db.category.updateMany({ where: { id: secret.id }, data: { visibility: "members" } }));
  await aCategory(workspace, { name: "Empty", slug: "empty" });

  const make = (
    given: Partial<Omit<ArticleToStore, "body">> & { category: ArticleToStore["category"]; html?: string },
  ) => anArticle(workspace, { source: null, ...given });
  const other = await inWorkspace(id, (db) =>
    createMember(
      db,
      { email: "Other@example.com", firstName: "Övi", lastName: "Other", role: "Editor" },
      workspace.actor,
    ),
  );
  const plain = await make({
    authorId: other.id,
    category: top,
    slug: "plain",
    title: "Plain",
    html: "<h2>Plain</h2><p>Text.</p>",
    sequence: 3,
  });
  await make({
    category: top,
    slug: "-odd--slug",
    title: "true",
    html: `<p>See <a href="/articles/plain#plain">it</a> and <a href="/uploads/${form.id}#x">this</a>, <a href="relative/nowhere">that</a>.</p><p><img src="/uploads/${image.id}" alt="A [picture]"></p>`,
    sequence: -1,
    tags: ["Ünïcode", "with, comma", "2026-01-01"],
    keywords: ["null", "a: b", "- dash"],
    pageTitle: "Title: \"quoted\" — 'both'",
    metaDescription: "First line\nsecond line #3",
    showTableOfContents: false,
    relatedIds: [plain.id],
    attachmentIds: [form.id, moving.id],
    createdAt: new Date("2020-02-03T04:05:06.789Z"),
    updatedAt: new Date("2021-02-03T04:05:06.7Z"),
    publishedAt: new Date("2020-06-01"),
  });
  await make({
    category: level,
    slug: "rtl",
    title: "كيف تبدأ؟ 👩‍👩‍👧 שלום",
    html: '<h2>كيف تبدأ؟</h2><p>مرحبا <strong>بك</strong> 👋🏽</p><pre><code class="language-yaml">---\na: b\n---\n</code></pre>',
  });
  // Content that Markdown cannot express, such as a table in a table cell, and text that looks like its markup.
  await make({
    category: secret,
    slug: "raw",
    title: "Raw <b>HTML</b>",
    html: `<table><caption>C</caption><tr><td colspan="2"><ul><li>x</li></ul></td></tr></table><p>a<kbd>b</kbd>*c* _d_ [e](f) \\ &lt;g&gt; **</p><p>  1. h</p><p>***<em>i</em>j</p><details><summary>S</summary><p>T</p></details>`,
  });
  await make({ category: level, slug: "empty-body", title: "---", html: "" });
  await make({
    category: secret,
    slug: "unpublished",
    title: "Taken back",
    state: "draft",
    publishedAt: new Date("2022-01-01"),
    publishAt: new Date("2099-01-01T10:00:00Z"),
    tags: ["Ünïcode"],
    attachmentIds: [onlyInDraft.id],
  });
  // A published article and what is being written beside it.
  const text = async (html: string) => derivedText(contentFromHtml(html));
  const live = await text(`<p>Live, with <img src="/uploads/${moving.id}" alt="m"></p>`);
  const draftBody = await text(`<p>Being written <a href="/uploads/${onlyInDraft.id}">b</a></p>`);
  await inWorkspace(id, (db) =>
    storeArticles(db, [
      {
        ...emptyText,
        ...{
          id: randomUUID(),
          slug: "both",
          state: "published",
          category: top,
          sequence: 0,
          authorId: workspace.admin.id,
        },
        ...{
          title: "Both",
          body: live,
          tags: ["a", "b", "c"],
          relatedIds: [plain.id],
          attachmentIds: [moving.id, form.id],
        },
        draft: {
          ...{ ...emptyText, title: "Both, soon", body: draftBody, tags: ["z", "a", "y", "c"], relatedIds: [] },
          ...{ attachmentIds: [onlyInDraft.id, form.id], keywords: ["new"], pageTitle: "P" },
          ...{ updatedAt: new Date("2026-03-04T05:06:07Z"), updatedBy: workspace.admin.id },
        },
        ...{ createdAt: null, updatedAt: new Date(), source: null },
      },
    ]),
  );
  const [article, category] = await inWorkspace(id, async (db) => [
    await db.article.findFirstOrThrow({ where: { slug: "plain" } }),
    await db.category.findFirstOrThrow({ where: { slug: "empty" } }),
  ]);
  await inWorkspace(id, (db) =>
    db.redirect.createMany({
      data: [
        { fromPath: "/articles/was-plain", kind: "article", articleId: article.id },
        { fromPath: "/categories/was-empty", kind: "category", categoryId: category.id },
        { fromPath: "/old/ünï", kind: "url", url: "https://example.com/?a=1&b=2" },
        { fromPath: "/articles/gone", kind: "gone" },
      ],
    }),
  );
  await inWorkspace(id, (db) =>
    addSynonym(db, { term: "SSO", replacements: ["single sign on", "Ünïcode"] }, workspace.actor),
  );
  await inWorkspace(id, (db) =>
    addSynonym(db, { term: "pc", replacements: ["computer"], twoWay: false }, workspace.actor),
  );
  return workspace;
}

test("the archive is Markdown where that says everything, HTML where it does not, and each file is where one looks for it", async () => {
  const files = await filesIn((await exported(await aFullWorkspace())).file);
  const names = Object.keys(files).map((name) => name.replace(/^_files\/[0-9a-f]{16}/, "_files/…"));
  expect(names).toEqual([
    "a--b/_category.yml",
    "empty/_category.yml",
    "start/_category.yml",
    "start/l-2/_category.yml",
    "start/l-2/l-3/_category.yml",
    "start/l-2/l-3/l-4/_category.yml",
    "start/l-2/l-3/l-4/l-5/_category.yml",
    "start/l-2/l-3/l-4/l-5/l-6/_category.yml",
    expect.stringMatching(/^a--b\/raw\.(md|html)$/),
    "a--b/unpublished.md",
    "start/-odd--slug.md",
    "start/both.md",
    "start/both.draft.md",
    "start/l-2/l-3/l-4/l-5/l-6/empty-body.md",
    "start/l-2/l-3/l-4/l-5/l-6/rtl.md",
    "start/plain.md",
    expect.stringContaining("_files/…"),
    expect.stringContaining("_files/…"),
    expect.stringContaining("_files/…"),
    expect.stringContaining("_files/…"),
    "lectern.json",
  ]);
  expect(files["start/_category.yml"]).toContain("name: Getting started 🚀\nslug: start\n");
  expect(files["start/-odd--slug.md"]).toMatch(
    /!\[A .{0,2}picture.{0,2}\]\(\.\.\/_files\/[0-9a-f]{16}\/Bild%20%C3%B6%20/,
  );
  expect(files["start/both.draft.md"]).toContain("title: Both, soon\n");
  expect(Object.values(files).join()).not.toMatch(/\/uploads\//);
});

test("export, import into an empty workspace, export: the archives are equal, byte for byte", async () => {
  const from = await aFullWorkspace();
  const first = await exported(from);
  expect(first.result).toEqual({
    articles: 7,
    drafts: 2,
    categories: 8,
    files: 4,
    missing: [],
    moved: [],
    skipped: [],
  });
  const to = await aWorkspace();
  const result = await importing(to, first.file, { secret });
  expect(result).toMatchObject({
    created: 7,
    updated: 0,
    categories: 8,
    uploads: 4,
    drafts: 2,
    problems: [],
    findings: [],
  });
  const second = await exported(to);
  expect(await filesIn(second.file)).toEqual(await filesIn(first.file));
  expect(second.bytes.equals(first.bytes)).toBe(true);
  // The authors are known, but cannot sign in.
  const people = await readWorkspace(to.id, (read) =>
    read("SELECT email, active, first_name AS name FROM members WHERE id <> $1 ORDER BY email", [to.admin.id]),
  );
  expect(people).toHaveLength(2);
  expect(people).toContainEqual({ email: "Other@example.com", active: false, name: "Övi" });
  expect(people).toContainEqual({ email: from.admin.email, active: false, name: "Ada" });
  // And again: nothing is left to do.
  expect(await importing(to, first.file, { secret })).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 7,
    problems: [],
  });
  expect((await exported(to)).bytes.equals(first.bytes)).toBe(true);
});

test("an article that was put into another category meanwhile is left out, and told", async () => {
  const workspace = await aWorkspace();
  const [open, inside] = [await aCategory(workspace, { slug: "open" }), await aCategory(workspace, { slug: "within" })];
  await anArticle(workspace, { category: open, slug: "a" });
  const moved = await anArticle(workspace, { category: open, slug: "b" });
  // So much comes before the articles that nothing more is read until it is written.
  const fill = Array.from({ length: 60 }, (_, n) => ({ name: `${n}`, slug: `c${n}`, description: noise(4_900) }));
  await inWorkspace(workspace.id, (db) => db.category.createMany({ data: fill }));
  const chunks: Buffer[] = [];
  let isMoved = false;
  const move = async () => {
    await inWorkspace(workspace.id, (db) =>
      db.article.updateMany({ where: { id: moved.id }, data: { categoryId: inside.id } }),
    );
    isMoved = true;
  };
  const out = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      if (isMoved) done();
      else move().then(() => done(), done);
    },
  });
  const result = await exportWorkspace({ workspace, secret }, out);
  expect(result).toMatchObject({ articles: 1, moved: ["open/b"], missing: [] });
  const file = join(folder, "moved.zip");
  await writeFile(file, Buffer.concat(chunks));
  const names = Object.keys(await filesIn(file));
  expect(names).toContain("open/a.md");
  expect(names.filter((name) => name.includes("b.md"))).toEqual([]);
});

test("into the same workspace it changes nothing but where the texts came from", async () => {
  const workspace = await aFullWorkspace();
  const { file, bytes } = await exported(workspace);
  // One has a draft that a person is writing.
  const kept = [{ path: "start/both.md", message: expect.stringContaining("because it has a draft") }];
  expect(await importing(workspace, file, { secret })).toMatchObject({ created: 0, updated: 6, categories: 0, kept });
  expect((await exported(workspace)).bytes.equals(bytes)).toBe(true);
});

test("without this installation's seal an image is re-encoded, and nothing else differs", async () => {
  const { file } = await exported(await aFullWorkspace());
  const to = await aWorkspace();
  expect(await importing(to, file, { secret: "another installation's" })).toMatchObject({ uploads: 4, problems: [] });
  const [before, after] = [await filesIn(file), await filesIn((await exported(to)).file)];
  const texts = (files: Record<string, string>) =>
    Object.entries(files)
      .filter(([name]) => /\.(md|html|yml)$/.test(name) && !name.startsWith("_files/"))
      .map(([name, text]) => [name, text.replaceAll(/_files\/[0-9a-f]{16}/g, "_files/…")]);
  expect(texts(after)).toEqual(texts(before));
  expect(Object.keys(after).filter((name) => name in before).length).toBeLessThan(Object.keys(before).length);
});

test("a schedule is in the archive, unless it is on hold", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { slug: "notes" });
  const draft = { category, state: "draft", publishAt: new Date(Date.now() + 86_400_000) } as const;
  await anArticle(workspace, { ...draft, title: "Due" });
  const { id } = await anArticle(workspace, { ...draft, title: "Held" });
  await inWorkspace(workspace.id, (db) => db.article.updateMany({ where: { id }, data: { publishHeld: true } }));
  const files = await filesIn((await exported(workspace)).file);
  const texts = Object.entries(files).filter(([path]) => /(due|held)\./.test(path));
  expect(texts.map(([path, text]) => [/due|held/.exec(path)?.[0], text.includes("publish_at")])).toEqual([
    ["due", true],
    ["held", false],
  ]);
});

test("an archive has snippets with their files, and an import derives its articles with them", async () => {
  const from = await aWorkspace();
  const file = { filename: "seal.csv", content: Buffer.from("a;b\n"), by: from.admin.id };
  const upload = await storeUpload(from.id, { ...file, kind: "attachment" });
  const content = contentFromHtml(`<p>our <a href="${upload.path}">list</a></p>`);
  await inWorkspace(from.id, (db) => addSnippet(db, { name: "list", content }, from.actor));
  await anArticle(from, { category: await aCategory(from), slug: "lists", html: "<p>See {{list}}.</p>" });
  const first = await exported(from);
  const data = (await filesIn(first.file))["lectern.json"] ?? "";
  expect(JSON.parse(data)).toMatchObject({
    snippets: [
      { name: "list", html: expect.stringMatching(/^<p>our <a href="_files\/[0-9a-f]{16}\/seal.csv">list<\/a><\/p>$/) },
    ],
  });

  const to = await aWorkspace();
  expect(await importing(to, first.file, { secret })).toMatchObject({ created: 1, problems: [], findings: [] });
  const article = await readAs(to, "anyone", (sight) => publishedArticle(sight, "lists"));
  const [, id] = /^<p>See our <a href="\/uploads\/([^"]+)">list<\/a>.<\/p>$/.exec(article?.renderedHtml ?? "") ?? [];
  expect(await uploadFor(to, "anyone", id ?? "")).toMatchObject({ filename: "seal.csv" });
  const second = await exported(to);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  // One that is there stays.
  const other = contentFromHtml("<p>other</p>");
  await inWorkspace(to.id, async (db) => {
    const snippet = await db.snippet.findFirstOrThrow();
    await changeSnippet(db, snippet.id, other, to.actor);
  });
  expect((await importing(to, first.file, { secret })).problems).toEqual([]);
  expect(await inWorkspace(to.id, (db) => db.snippet.findMany({ select: { html: true } }))).toEqual([
    { html: other.html },
  ]);
});

test("another workspace's articles, files and words are not in an archive", async () => {
  await aFullWorkspace();
  const files = await filesIn((await exported(await aWorkspace())).file);
  expect(Object.keys(files)).toEqual(["lectern.json"]);
  expect(JSON.parse(files["lectern.json"] ?? "")).toEqual({
    ...{ format: "lectern", version: 1, authors: [], files: [], redirects: [], synonyms: [], snippets: [] },
  });
});
