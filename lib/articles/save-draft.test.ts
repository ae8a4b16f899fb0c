import { expect, test } from "vitest";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import { findArticle } from "@/lib/articles/articles";
import { changeArticle } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { dropChanges, lookBeforeSave, saveDraft } from "@/lib/articles/save-draft";
import { schedulePublishing } from "@/lib/articles/schedule";
import { listVersions } from "@/lib/articles/versions";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { publishedArticle } from "@/lib/reader/published-articles";
import { startDocument } from "@/lib/search/documents";
import { reindexArticles } from "@/lib/search/reindex";
import { searchArticles } from "@/lib/search/search";
import { readAs } from "@/lib/visibility";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const blank: DraftText = { ...emptyDraft, title: "Refunds" };

async function opened(workspace: TestWorkspace, id: string) {
  const article = await readWorkspace(workspace.id, (read) => openDraft(read, id));
  if (!article) throw new Error("No such article.");
  return article;
}

/** Saves over what is there, unless a revision is given. */
async function save(workspace: TestWorkspace, id: string, text: Partial<DraftText>, revision?: number) {
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
  return inWorkspace(workspace.id, (db) => saveDraft(db, id, revision ?? now.revision, draft, workspace.actor));
}

async function published(given: { html?: string; title?: string; tags?: string[] } = {}) {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const article = await anArticle(workspace, { category, title: "Refunds", html: "<p>Livetext</p>", ...given });
  return { workspace, category, id: article.id };
}

const seenBy = (workspace: TestWorkspace, slug = "refunds") =>
  readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
const foundFor = async (workspace: TestWorkspace, word: string) =>
  (await readWorkspace(workspace.id, (read) => searchArticles(read, workspace.id, word, { limit: 5, offset: 0 })))
    .total;

test("of 20 concurrent saves of the same revision, one succeeds and 19 are refused with the current text", async () => {
  const { workspace, id } = await published();
  const { revision } = await opened(workspace, id);
  const texts = Array.from({ length: 20 }, (_, index) => `<p>Writer ${index}</p>`);
  const answers = await Promise.all(texts.map((html) => save(workspace, id, { html }, revision)));
  const [taken, refused] = [answers.filter((one) => !one.conflict), answers.filter((one) => one.conflict)];
  expect([taken.length, refused.length]).toEqual([1, 19]);
  const now = await opened(workspace, id);
  expect(now.revision).toBe(revision + 1);
  expect(now.text.html).toBe(texts[answers.findIndex((one) => !one.conflict)]);
  for (const { conflict } of refused) expect(conflict?.text).toEqual(now.text);
});

test("readers, search and the API see nothing of what is being written beside a published text", async () => {
  const { workspace, category, id } = await published({ tags: ["Money"] });
  const other = await anArticle(workspace, { category });
  const file = { storageKey: "key", filename: "form.pdf", contentType: "application/pdf", byteSize: 1 };
  const upload = await inWorkspace(workspace.id, (db) =>
    db.upload.create({ data: { ...file, sha256: new Uint8Array(32) } }),
  );
  const [before, version] = [await seenBy(workspace), await contentVersionOf(workspace.subdomain)];
  await save(workspace, id, { title: "Chargebacks", html: "<p>Secretword</p>" });
  expect((await opened(workspace, id)).text).toMatchObject({ title: "Chargebacks", html: "<p>Secretword</p>" });
  await save(workspace, id, { tags: ["New"], relatedIds: [other.id], attachmentIds: [upload.id] });
  expect((await opened(workspace, id)).text).toMatchObject({ tags: ["New"], relatedIds: [other.id] });
  await save(workspace, id, { tags: ["Newer", "New"], relatedIds: [], attachmentIds: [] });
  expect((await opened(workspace, id)).text.tags.sort()).toEqual(["New", "Newer"]);
  // No page for readers is rendered again.
  expect(await contentVersionOf(workspace.subdomain)).toEqual(version);
  expect(await seenBy(workspace)).toEqual(before);
  expect(before?.tags.map(({ name }) => name)).toEqual(["Money"]);
  expect([await foundFor(workspace, "secretword"), await foundFor(workspace, "livetext")]).toEqual([0, 1]);
  const asked = await readWorkspace(workspace.id, (read) => findArticle(read, id));
  expect(asked).toMatchObject({ title: "Refunds", text: "Livetext" });
  expect(asked?.tags.map(({ name }) => name)).toEqual(["Money"]);
});

test("a draft that says what readers see again is none", async () => {
  const { workspace, id } = await published({ tags: ["Money"] });
  await save(workspace, id, { html: "<p>Other</p>", tags: [] });
  expect((await opened(workspace, id)).hasDraft).toBe(true);
  expect(await save(workspace, id, { html: "<p>Livetext</p>", tags: ["money"] })).toMatchObject({ hasDraft: false });
  expect(await opened(workspace, id)).toMatchObject({ hasDraft: false, text: { tags: ["Money"] } });
});

test("what was saved and never acknowledged is saved once when it comes again", async () => {
  const { workspace, id } = await published();
  const { revision } = await opened(workspace, id);
  const first = await save(workspace, id, { html: "<p>Mine</p>" }, revision);
  const again = await save(workspace, id, { html: "<p>Mine</p>" }, revision);
  expect(again).toMatchObject({ revision: revision + 1 });
  expect(first).toMatchObject({ revision: revision + 1 });
});

test("what comes again is one's own also where a tag has another spelling, and something beside the text is gone", async () => {
  const { workspace, category, id } = await published();
  await anArticle(workspace, { category, tags: ["Foo", "Bar"] });
  const { revision } = await opened(workspace, id);
  const [related, gone] = [await anArticle(workspace, { category }), crypto.randomUUID()];
  const mine = { tags: ["foo", "bar"], relatedIds: [gone, related.id, id], attachmentIds: [gone] };
  await save(workspace, id, mine, revision);
  expect((await opened(workspace, id)).text).toMatchObject({ tags: ["Foo", "Bar"], relatedIds: [related.id] });
  expect(await save(workspace, id, { ...mine, tags: ["bar", "foo"] }, revision)).toMatchObject({
    revision: revision + 1,
  });
  expect(await save(workspace, id, { ...mine, tags: ["bar"] }, revision)).toHaveProperty("conflict");
});

test("a save is refused before its text is looked at where another one has saved, or nothing is there", async () => {
  const { workspace, id } = await published();
  const look = (at: string, revision: number | null, by = workspace.admin.id) =>
    readWorkspace(workspace.id, (read) => lookBeforeSave(read, at, revision, by));
  const { revision } = await opened(workspace, id);
  expect(await look(id, revision)).toEqual({ state: "published" });
  await save(workspace, id, { html: "<p>Mine</p>" });
  // The same member's may be the one whose answer was lost.
  expect(await look(id, revision)).toEqual({ state: "published" });
  const refused = await look(id, revision, crypto.randomUUID());
  expect(refused.conflict).toMatchObject({ revision: revision + 1, text: { html: "<p>Mine</p>" } });
  expect(await look(id, null, crypto.randomUUID())).toEqual({ state: "published" });
  for (const at of [(await published()).id, crypto.randomUUID()]) {
    await expect(look(at, revision)).rejects.toThrow(NotFoundError);
    await expect(look(at, null)).rejects.toThrow(NotFoundError);
  }
});

test("an unpublished article can be found by its writers, and no reader page is rendered again for it", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace);
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Untitled", authorId: workspace.admin.id }, workspace.actor),
  );
  const version = await contentVersionOf(workspace.subdomain);
  await save(workspace, id, { title: "How to cancel", html: "<p>Plain words</p>" });
  expect(await contentVersionOf(workspace.subdomain)).toEqual(version);
  const asked = await readWorkspace(workspace.id, (read) => findArticle(read, "how-to-cancel"));
  expect(asked).toMatchObject({ id, state: "draft", title: "How to cancel", text: "Plain words" });
});

test("a search document that was started before the save equals that of a reindex", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace, { name: "Guides" });
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Untitled", authorId: workspace.admin.id }, workspace.actor),
  );
  const documents = () =>
    readWorkspace(workspace.id, (read) =>
      read("SELECT id, published, updated_at, title, words::text FROM search_documents"),
    );
  const letters = Array.from({ length: 400_000 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000)),
  );
  const draft = await preparedDraft(workspace.id, {
    ...blank,
    title: "Long refunds",
    html: `<p>${letters.join("")}</p>`,
    keywords: ["ink"],
  });
  const started = await startDocument(workspace.id, draft);
  const { revision } = await opened(workspace, id);
  await inWorkspace(workspace.id, async (db) => {
    const saved = await saveDraft(db, id, revision, draft, workspace.actor, false, started);
    expect(saved).toMatchObject({ slug: "long-refunds" });
  });
  const [saved] = await documents();
  await inWorkspace(workspace.id, (db) => reindexArticles(db, [id]));
  expect([saved]).toEqual(await documents());
  expect(saved).toMatchObject({ published: false, title: "long refunds" });
});

test("the address of a new article follows its title until one was chosen", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace);
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "First", authorId: workspace.admin.id }, workspace.actor),
  );
  expect(await save(workspace, id, { title: "Second" })).toMatchObject({ slug: "second" });
  await inWorkspace(workspace.id, (db) => changeArticle(db, id, { slug: "Chosen" }, workspace.actor));
  expect(await save(workspace, id, { title: "Third" })).toMatchObject({ slug: "chosen" });
  // Also one that reads as if it had been made of the title, and a number behind one that is taken.
  await inWorkspace(workspace.id, (db) => changeArticle(db, id, { slug: "third-2026" }, workspace.actor));
  expect(await save(workspace, id, { title: "Fourth" })).toMatchObject({ slug: "third-2026" });
});

test("the number of an address that was taken goes when the title changes, and what a file says stays", async () => {
  const { workspace, category } = await published();
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Refunds", authorId: workspace.admin.id }, workspace.actor),
  );
  expect((await opened(workspace, id)).slug).toBe("refunds-2");
  expect(await save(workspace, id, { title: "Money back" })).toMatchObject({ slug: "money-back" });
  const file = await anArticle(workspace, { category, title: "Report", slug: "report-2026", state: "draft" });
  expect(await save(workspace, file.id, { title: "Annual report" })).toMatchObject({ slug: "report-2026" });
});

test("an empty title is saved with its text, and what is too long is refused with a sentence", async () => {
  const { workspace, id } = await published();
  await save(workspace, id, { title: " \n ", html: "<p>Kept</p>" });
  expect((await opened(workspace, id)).text).toMatchObject({ title: "Untitled", html: "<p>Kept</p>" });
  const tooLong = { ...blank, title: "x".repeat(301), tags: ["y".repeat(101)] };
  await expect(preparedDraft(workspace.id, tooLong)).rejects.toThrow(
    "The title can have up to 300 characters but has 301. A tag can have up to 100 characters but has 101.",
  );
  await expect(preparedDraft(workspace.id, { ...blank, html: "<p>x".repeat(50_001) })).rejects.toThrow(
    "The text can have up to 50,000 elements of HTML but has 50,001.",
  );
});

test("what is no article, or another workspace's, is not found", async () => {
  const { workspace } = await published();
  const other = await published();
  const mine = await preparedDraft(workspace.id, { ...blank, html: "<p>Mine</p>" });
  const saved = inWorkspace(workspace.id, (db) => saveDraft(db, other.id, 1, mine, workspace.actor));
  await expect(saved).rejects.toThrow(NotFoundError);
  expect((await opened(other.workspace, other.id)).text.html).toBe("<p>Livetext</p>");
});

test("discarded changes are no longer published on schedule", async () => {
  const { workspace, id } = await published();
  await save(workspace, id, { html: "<p>Changed</p>" });
  await inWorkspace(workspace.id, (db) =>
    schedulePublishing(db, id, new Date(Date.now() + 3_600_000), workspace.actor),
  );
  const { revision } = await opened(workspace, id);
  await inWorkspace(workspace.id, (db) => dropChanges(db, id, revision, workspace.actor));
  expect(await opened(workspace, id)).toMatchObject({ hasDraft: false, publishAt: null });
});

test("dropped changes are kept as a version, and tags are what readers see again", async () => {
  const { workspace, id } = await published({ tags: ["Money"] });
  await save(workspace, id, { html: "<p>Unwanted</p>", tags: ["New"] });
  const { revision } = await opened(workspace, id);
  const stale = await inWorkspace(workspace.id, (db) => dropChanges(db, id, revision - 1, workspace.actor));
  expect(stale).toMatchObject({ conflict: { revision } });
  const { versions: before } = await readWorkspace(workspace.id, (read) =>
    listVersions(read, id, { limit: 9, offset: 0 }),
  );
  await inWorkspace(workspace.id, (db) => dropChanges(db, id, revision, workspace.actor));
  expect(await opened(workspace, id)).toMatchObject({
    ...{ hasDraft: false, revision: revision + 1 },
    text: { html: "<p>Livetext</p>", tags: ["Money"] },
  });
  expect(before.map(({ kind }) => kind)).toEqual(["autosave", "import"]);
});
