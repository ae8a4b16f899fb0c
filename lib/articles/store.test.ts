import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { emptyText } from "@/lib/articles/article-text";
import { type ArticleToStore, storeArticles } from "@/lib/articles/store";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { aCategory, aWorkspace, type TestWorkspace } from "@/testing/workspace";

/** An article of a workspace that can be stored again and again, each time a little different. */
async function anArticleToStore() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides" });
  const base = {
    ...emptyText,
    id: randomUUID(),
    slug: "printer",
    state: "published" as const,
    category,
    sequence: 1,
    authorId: workspace.admin.id,
    title: "Printer",
    keywords: ["ink"],
    tags: ["Hardware", "hardware", "Office"],
    relatedIds: [],
    createdAt: null,
    updatedAt: new Date("2026-01-01"),
    source: null,
  };
  type Changes = Partial<Omit<ArticleToStore, "body">> & { html: string };
  const storeAll = async (all: readonly Changes[]): Promise<void> => {
    const articles = await Promise.all(
      all.map(async ({ html, ...rest }) => ({ ...base, body: await derivedText(contentFromHtml(html)), ...rest })),
    );
    await inWorkspace(workspace.id, (db) => storeArticles(db, articles));
  };
  const store = (changes: Changes) => storeAll([changes]);
  /** Edits the article as a member does. */
  const edit = (html: string) =>
    inWorkspace(workspace.id, (db) =>
      db.articleDraft.create({
        data: { id: base.id, title: "Mine", html, text: html, updatedBy: workspace.admin.id },
      }),
    );
  return { workspace, id: base.id, store, storeAll, edit };
}

async function state({ id }: TestWorkspace, articleId: string) {
  return readWorkspace(id, async (read) => {
    const [row] = await read<Record<string, unknown>>(
      `SELECT a.state, a.title, a.revision, l.html AS live, d.html AS draft, s.published AS found, s.words::text AS words,
         a.published_at IS NOT NULL AS was_published,
         ARRAY(SELECT g.name || CASE WHEN x.in_live THEN ' live' ELSE '' END || CASE WHEN x.in_draft THEN ' draft' ELSE '' END
           FROM article_tags x JOIN tags g ON g.id = x.tag_id WHERE x.article_id = a.id ORDER BY x.position) AS tags,
         ARRAY(SELECT k.href || CASE WHEN k.in_live THEN ' live' ELSE '' END || CASE WHEN k.in_draft THEN ' draft' ELSE '' END
           FROM article_links k WHERE k.article_id = a.id ORDER BY 1) AS links,
         ARRAY(SELECT v.number || ' ' || v.kind || ' ' || v.html FROM article_versions v WHERE v.article_id = a.id
           ORDER BY v.number) AS versions
       FROM articles a LEFT JOIN article_live l ON l.id = a.id LEFT JOIN article_drafts d ON d.id = a.id
       LEFT JOIN search_documents s ON s.id = a.id WHERE a.id = $1`,
      [articleId],
    );
    return row;
  });
}

test("a published article has live text and no draft", async () => {
  const { workspace, id, store } = await anArticleToStore();
  await store({ html: '<p>See <a href="/x">x</a></p>' });
  expect(await state(workspace, id)).toEqual({
    state: "published",
    title: "Printer",
    revision: 1,
    live: '<p>See <a href="/x">x</a></p>',
    draft: null,
    found: true,
    words: expect.stringContaining("wsee'"),
    was_published: true,
    tags: ["Hardware live draft", "Office live draft"],
    links: ["/x live draft"],
    versions: ['1 import <p>See <a href="/x">x</a></p>'],
  });
});

test("storing the same again adds no version, and a change does", async () => {
  const { workspace, id, store } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  await store({ html: "<p>One</p>" });
  expect(await state(workspace, id)).toMatchObject({ revision: 2, versions: ["1 import <p>One</p>"] });
  await store({ html: "<p>One</p>", tags: ["Other"] });
  await store({ html: "<p>Two</p>", tags: ["Other"] });
  expect(await state(workspace, id)).toMatchObject({
    tags: ["Other live draft"],
    versions: ["1 import <p>One</p>", "2 import <p>One</p>", "3 import <p>Two</p>"],
  });
});

test("an article becomes a draft, and published again", async () => {
  const { workspace, id, store } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  await store({ html: "<p>Two</p>", state: "draft" });
  expect(await state(workspace, id)).toMatchObject({
    ...{ state: "draft", live: null, draft: "<p>Two</p>", found: false, was_published: false },
    tags: ["Hardware draft", "Office draft"],
  });
  await store({ html: "<p>Three</p>" });
  expect(await state(workspace, id)).toMatchObject({
    ...{ state: "published", live: "<p>Three</p>", draft: null, found: true, was_published: true },
    tags: ["Hardware live draft", "Office live draft"],
  });
});

test("a person's draft of a published article stays, and readers see the new text", async () => {
  const { workspace, id, store, edit } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  await edit("<p>Mine</p>");
  await store({ html: "<p>Two</p>", tags: ["New"] });
  expect(await state(workspace, id)).toMatchObject({
    // The person's next save is one of the draft that is still there.
    ...{ state: "published", title: "Printer", revision: 1, live: "<p>Two</p>", draft: "<p>Mine</p>" },
    words: expect.stringContaining("wtwo'"),
    tags: expect.arrayContaining(["Hardware draft", "Office draft", "New live"]),
  });
});

test("a person's draft of an unpublished article stays, and the given text is a version", async () => {
  const { workspace, id, store, edit } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  await edit("<p>Mine</p>");
  await store({ html: "<p>Two</p>", state: "draft" });
  expect(await state(workspace, id)).toMatchObject({
    ...{ state: "draft", title: "Mine", live: null, draft: "<p>Mine</p>", found: false },
    words: expect.stringContaining("wmine'"),
    tags: ["Hardware draft", "Office draft"],
    versions: ["1 import <p>One</p>", "2 import <p>Two</p>"],
  });
});

test("attachments stay on the sides that the article has", async () => {
  const { workspace, id, store } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  const file = { storageKey: "key", filename: "a.pdf", contentType: "application/pdf", byteSize: 1 };
  await inWorkspace(workspace.id, async (db) => {
    const upload = await db.upload.create({ data: { ...file, sha256: new Uint8Array(32) } });
    await db.articleAttachment.create({ data: { articleId: id, uploadId: upload.id, inLive: true, inDraft: true } });
  });
  const sides = () =>
    inWorkspace(workspace.id, (db) => db.articleAttachment.findMany({ select: { inLive: true, inDraft: true } }));
  await store({ html: "<p>One</p>", state: "draft" });
  expect(await sides()).toEqual([{ inLive: false, inDraft: true }]);
  await store({ html: "<p>One</p>" });
  expect(await sides()).toEqual([{ inLive: true, inDraft: true }]);
});

test("an old address leads to the article, and no longer elsewhere once another has it", async () => {
  const { workspace, id, store } = await anArticleToStore();
  const redirects = () =>
    readWorkspace(workspace.id, (read) =>
      read("SELECT from_path AS path, article_id AS id FROM redirects ORDER BY from_path"),
    );
  await store({ html: "<p>One</p>" });
  await store({ html: "<p>One</p>", slug: "printers" });
  await store({ html: "<p>One</p>", slug: "all-printers" });
  expect(await redirects()).toEqual([
    { path: "/articles/printer", id },
    { path: "/articles/printers", id },
  ]);
  const other = randomUUID();
  await store({ html: "<p>Other</p>", id: other, slug: "printers" });
  expect(await redirects()).toEqual([{ path: "/articles/printer", id }]);
  await store({ html: "<p>One</p>", slug: "printer" });
  expect(await redirects()).toEqual([{ path: "/articles/all-printers", id }]);
});

test("a new article takes the slug that another one gives up in the same call", async () => {
  const { workspace, id, store, storeAll } = await anArticleToStore();
  await store({ html: '<p>One, see <a href="https://one.example/">this</a></p>' });
  const other = randomUUID();
  await storeAll([
    { html: "<p>Two</p>", slug: "plotter", tags: ["Office"] },
    {
      html: '<p>New, see <a href="https://new.example/">this</a></p>',
      id: other,
      title: "New",
      tags: ["Office", "Fresh"],
    },
  ]);
  const slugs = await readWorkspace(workspace.id, (read) => read("SELECT id::text, slug FROM articles ORDER BY slug"));
  expect(slugs).toEqual([
    { id, slug: "plotter" },
    { id: other, slug: "printer" },
  ]);
  expect(await state(workspace, id)).toMatchObject({
    title: "Printer",
    live: "<p>Two</p>",
    tags: ["Office live draft"],
    links: [],
    versions: [expect.stringMatching(/^1 import <p>One/), "2 import <p>Two</p>"],
  });
  expect(await state(workspace, other)).toMatchObject({
    title: "New",
    found: true,
    tags: ["Office live draft", "Fresh live draft"],
    links: ["https://new.example/ live draft"],
    versions: [expect.stringMatching(/^1 import <p>New/)],
  });
});

test("two articles never share a slug", async () => {
  const { workspace, id, store } = await anArticleToStore();
  await store({ html: "<p>One</p>" });
  await expect(store({ html: "<p>Two</p>", id: randomUUID() })).rejects.toThrow(/23505|nique/);
  expect(await state(workspace, id)).toMatchObject({ live: "<p>One</p>" });
});
