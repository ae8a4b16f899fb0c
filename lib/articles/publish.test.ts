import { expect, test } from "vitest";
import type { DraftText } from "@/lib/articles/article-text";
import { findArticle } from "@/lib/articles/articles";
import { changeArticle, moveArticles, tagArticles } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { restoreVersion } from "@/lib/articles/restore-version";
import { saveDraft } from "@/lib/articles/save-draft";
import { findScheduler, publishScheduled, schedulePublishing } from "@/lib/articles/schedule";
import { findVersion, listVersions } from "@/lib/articles/versions";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import type { Payload } from "@/lib/jobs";
import { createMember } from "@/lib/members/members";
import { publishedArticle } from "@/lib/reader/published-articles";
import { searchArticles } from "@/lib/search/search";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

async function opened(workspace: TestWorkspace, id: string) {
  const article = await readWorkspace(workspace.id, (read) => openDraft(read, id));
  if (!article) throw new Error("No such article.");
  return article;
}

async function save(workspace: TestWorkspace, id: string, text: Partial<DraftText>) {
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
  const saved = await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
  if (saved.conflict) throw new Error("Someone else has saved.");
  return saved;
}

async function newDraft(title = "Refunds") {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title, authorId: workspace.admin.id }, workspace.actor),
  );
  return { workspace, category, id };
}

const seenBy = (workspace: TestWorkspace, slug = "refunds") =>
  readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
const foundFor = async (workspace: TestWorkspace, word: string) =>
  (await readWorkspace(workspace.id, (read) => searchArticles(read, workspace.id, word, { limit: 5, offset: 0 })))
    .total;
const publish = (workspace: TestWorkspace, id: string, given = {}) =>
  publishArticles(workspace.id, [id], workspace.actor, given);
const versionsOf = async (workspace: TestWorkspace, id: string) =>
  (await readWorkspace(workspace.id, (read) => listVersions(read, id, { limit: 9, offset: 0 }))).versions;
const deedsOf = (workspace: TestWorkspace, id: string) =>
  readWorkspace(workspace.id, async (read) =>
    (
      await read<{ action: string }>(
        "SELECT action FROM audit_entries WHERE subject_id = $1::uuid ORDER BY created_at, id",
        [id],
      )
    ).map(({ action }) => action),
  );

test("what is published is what readers see, with everything that stands beside it", async () => {
  const { workspace, category, id } = await newDraft();
  const other = await anArticle(workspace, { category, title: "Invoices" });
  const file = { storageKey: "key", filename: "form.pdf", contentType: "application/pdf", byteSize: 1 };
  const upload = await inWorkspace(workspace.id, (db) =>
    db.upload.create({ data: { ...file, sha256: new Uint8Array(32) } }),
  );
  await save(workspace, id, {
    html: '<h2>Before</h2><p>Ask <a href="/articles/invoices">first</a>, refundword.</p><h2>After</h2>',
    ...{ keywords: ["moneyback"], tags: ["Money", "Orders"], relatedIds: [other.id], attachmentIds: [upload.id] },
    ...{ pageTitle: "All refunds", metaDescription: "How to get it back", showTableOfContents: false },
  });
  expect([await seenBy(workspace), await foundFor(workspace, "refundword")]).toEqual([null, 0]);
  const { changed } = await publish(workspace, id);
  expect(changed).toEqual([{ id, title: "Refunds", slug: "refunds" }]);
  expect(await seenBy(workspace)).toMatchObject({
    ...{
      title: "Refunds",
      pageTitle: "All refunds",
      metaDescription: "How to get it back",
      showTableOfContents: false,
    },
    renderedHtml: expect.stringContaining("refundword"),
    headings: [expect.objectContaining({ text: "Before" }), expect.objectContaining({ text: "After" })],
    tags: [{ name: "Money" }, { name: "Orders" }],
    attachments: [{ filename: "form.pdf" }],
    related: [{ title: "Invoices" }],
    author: { name: "Ada Admin" },
  });
  expect([await foundFor(workspace, "refundword"), await foundFor(workspace, "moneyback")]).toEqual([1, 1]);
  const links = await inWorkspace(workspace.id, (db) => db.articleLink.findMany({ where: { articleId: id } }));
  expect(links).toEqual([expect.objectContaining({ href: "/articles/invoices", inLive: true, inDraft: true })]);
  expect(await readWorkspace(workspace.id, (read) => findArticle(read, id))).toMatchObject({
    ...{ state: "published", keywords: ["moneyback"], attachments: [{ filename: "form.pdf" }] },
    previous: { title: "Invoices" },
  });
  expect(await opened(workspace, id)).toMatchObject({ hasDraft: false, publishedAt: expect.any(Date) });
  expect((await versionsOf(workspace, id))[0]).toMatchObject({ kind: "publish", by: "Ada Admin" });
  expect(await deedsOf(workspace, id)).toEqual(["article.created", "article.published"]);
});

test("changes of a published article are seen when they are published, and what they take away is gone", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>Firsttext</p>", tags: ["Old", "Both"] });
  await publish(workspace, id);
  await save(workspace, id, { html: "<p>Secondtext</p>", tags: ["Both", "New"] });
  expect(await seenBy(workspace)).toMatchObject({
    renderedHtml: "<p>Firsttext</p>",
    tags: [{ name: "Old" }, { name: "Both" }],
  });
  await publish(workspace, id);
  expect(await seenBy(workspace)).toMatchObject({
    renderedHtml: "<p>Secondtext</p>",
    tags: [{ name: "Both" }, { name: "New" }],
  });
  expect([await foundFor(workspace, "firsttext"), await foundFor(workspace, "secondtext")]).toEqual([0, 1]);
  expect((await publish(workspace, id)).changed).toEqual([]);
});

test("a newer save is not published by a member who has not seen it", async () => {
  const { workspace, id } = await newDraft();
  const { revision } = await save(workspace, id, { html: "<p>Seen</p>" });
  await save(workspace, id, { html: "<p>Unseen</p>" });
  await expect(publish(workspace, id, { revision })).rejects.toThrow(InvalidError);
  expect(await seenBy(workspace)).toBeNull();
  await publish(workspace, id, { revision: revision + 1 });
  expect(await seenBy(workspace)).toMatchObject({ renderedHtml: "<p>Unseen</p>" });
});

test("a save that is under way when an article is published is published too, or stays a draft: never lost", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>One</p>" });
  const { revision, text } = await opened(workspace, id);
  const second = await preparedDraft(workspace.id, { ...text, html: "<p>Two</p>" });
  await whileOpen(
    workspace.id,
    (db) => saveDraft(db, id, revision, second, workspace.actor),
    () => publish(workspace, id),
  );
  expect(await seenBy(workspace)).toMatchObject({ renderedHtml: "<p>Two</p>" });
  expect(await opened(workspace, id)).toMatchObject({ hasDraft: false });
});

test("what moves an article while it is published or unpublished stays: address, place and author", async () => {
  const { workspace, id } = await newDraft();
  const { id: editor } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email: "e@example.com", firstName: "Eve", lastName: "Editor", role: "Editor" }, workspace.actor),
  );
  const closed = await aCategory(workspace, { name: "For members" });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  const change = (changes: Parameters<typeof changeArticle>[2]) => (db: Db) =>
    changeArticle(db, id, changes, workspace.actor);
  await save(workspace, id, { html: "<p>Forus</p>" });
  const moves = { slug: "for-us", categoryId: closed.id, authorId: editor };
  const { changed } = await whileOpen(workspace.id, change(moves), () => publish(workspace, id));
  expect(changed).toEqual([{ id, title: "Refunds", slug: "for-us" }]);
  expect(await opened(workspace, id)).toMatchObject({
    ...{ slug: "for-us", state: "published", sequence: 1 },
    ...{ category: { name: "For members" }, author: { name: "Eve Editor" } },
  });
  expect([await seenBy(workspace), await seenBy(workspace, "for-us")]).toEqual([null, null]);
  const asMember = await readAs(workspace, "member", (sight) => publishedArticle(sight, "for-us"));
  expect(asMember).toMatchObject({ renderedHtml: "<p>Forus</p>" });
  await whileOpen(workspace.id, change({ slug: "ours" }), () => unpublishArticles(workspace.id, [id], workspace.actor));
  expect(await opened(workspace, id)).toMatchObject({ slug: "ours", state: "draft", text: { html: "<p>Forus</p>" } });
});

test("unpublished is gone for readers and searches, and what was being written stays", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>Livetext</p>", tags: ["Money"] });
  await publish(workspace, id);
  const { publishedAt } = await opened(workspace, id);
  await save(workspace, id, { html: "<p>Nexttext</p>" });
  await unpublishArticles(workspace.id, [id], workspace.actor);
  expect([await seenBy(workspace), await foundFor(workspace, "livetext")]).toEqual([null, 0]);
  expect(await opened(workspace, id)).toMatchObject({
    ...{ state: "draft", publishedAt },
    text: { html: "<p>Nexttext</p>", tags: ["Money"] },
  });
  expect((await unpublishArticles(workspace.id, [id], workspace.actor)).changed).toEqual([]);
  await publish(workspace, id);
  await unpublishArticles(workspace.id, [id], workspace.actor);
  expect((await opened(workspace, id)).text).toMatchObject({ html: "<p>Nexttext</p>", tags: ["Money"] });
});

test("many are published together, and ids of another workspace are ignored", async () => {
  const { workspace, id } = await newDraft();
  const theirs = await newDraft();
  const { id: second } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Second", authorId: workspace.admin.id }, workspace.actor),
  );
  const { changed } = await publishArticles(workspace.id, [id, second, theirs.id], workspace.actor);
  expect(changed.map(({ title }) => title)).toEqual(["Refunds", "Second"]);
  await expect(publish(workspace, theirs.id)).rejects.toThrow(NotFoundError);
  expect((await opened(theirs.workspace, theirs.id)).state).toBe("draft");
});

test("the release note is kept with the version, both for publishing now and for a schedule", async () => {
  const { workspace, id } = await newDraft();
  const saysOf = async () => (await versionsOf(workspace, id)).map(({ kind, summary }) => [kind, summary]);
  const publish = (summary: string) => publishArticles(workspace.id, [id], workspace.actor, { summary });
  await expect(publish("x".repeat(301))).rejects.toThrow("up to 300 characters");
  await publish(" The first\nof all ");
  expect(await saysOf()).toEqual([["publish", "The first of all"]]);
  await save(workspace, id, { html: "<p>Later</p>" });
  const at = new Date(Date.now() + 3_600_000);
  const given = { summary: "Says how long" };
  await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor, given));
  expect(await readWorkspace(workspace.id, (read) => findScheduler(read, id))).toEqual({
    ...{ name: "Ada Admin", summary: "Says how long" },
  });
  const [job] = await acrossWorkspaces.query<{ payload: Payload<"publish_scheduled"> }>(
    "SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs WHERE payload->'payload'->>'articleId' = $1",
    [id],
  );
  if (!job) throw new Error("No job.");
  await publishScheduled(workspace.id, job.payload);
  expect((await saysOf())[0]).toEqual(["publish", "Says how long"]);
});

test("of many, those without a title or text are left out where that is wanted; an image is as good as text", async () => {
  const { workspace, id } = await newDraft();
  const made = async (title: string) =>
    (await inWorkspace(workspace.id, (db) => createDraft(db, { title, authorId: workspace.admin.id }, workspace.actor)))
      .id;
  const [untitled, drawn, written] = [await made("Untitled"), await made("Drawn"), await made("Written")];
  for (const one of [untitled, written]) await save(workspace, one, { html: "<p>Words</p>" });
  await save(workspace, drawn, { html: '<p><img src="https://example.com/a.png" alt="A drawing"></p>' });
  const ids = [id, untitled, drawn, written];
  expect(await publishArticles(workspace.id, ids, workspace.actor, { leaveEmpty: true })).toMatchObject({
    ...{ changed: [{ title: "Drawn" }, { title: "Written" }], unchanged: 0 },
    lacking: [
      { id, lack: "text" },
      { id: untitled, lack: "title" },
    ],
  });
  expect([await seenBy(workspace), (await seenBy(workspace, "written"))?.id]).toEqual([null, written]);
  // One by one it is said, and done.
  expect((await publishArticles(workspace.id, [id], workspace.actor)).changed).toHaveLength(1);
});

test("at the time that was chosen an article is published once, and not at one that was chosen before", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>Later</p>" });
  const [first, second] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
  for (const at of [first, second])
    await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor));
  const by = { id: workspace.admin.id, name: "Ada" };
  const due = (at: Date) => publishScheduled(workspace.id, { articleId: id, at: at.toISOString(), by });
  await due(first);
  expect(await seenBy(workspace)).toBeNull();
  // Two servers publish, because one had seemed dead.
  await Promise.all([due(second), due(second)]);
  expect(await seenBy(workspace)).toMatchObject({ renderedHtml: "<p>Later</p>" });
  expect(await opened(workspace, id)).toMatchObject({ state: "published", publishAt: null });
  expect((await deedsOf(workspace, id)).filter((deed) => deed === "article.published")).toHaveLength(1);
  await due(second);
});

test("the job of a scheduled article waits for its time, and ending the schedule leaves it nothing to do", async () => {
  const { workspace, id } = await newDraft();
  const at = new Date(Date.now() + 3_600_000);
  const schedule = (when: Date | null) =>
    inWorkspace(workspace.id, (db) => schedulePublishing(db, id, when, workspace.actor));
  await schedule(at);
  const jobs = await acrossWorkspaces.query<{ run_at: Date; carries: object }>(
    `SELECT run_at, payload->'payload' AS carries FROM graphile_worker._private_jobs WHERE payload->>'workspace_id' = $1`,
    [workspace.id],
  );
  const by = { id: workspace.admin.id, name: workspace.actor.name };
  expect(jobs).toEqual([{ run_at: at, carries: { articleId: id, at: at.toISOString(), by } }]);
  await schedule(null);
  expect((await opened(workspace, id)).publishAt).toBeNull();
  await publishScheduled(workspace.id, { articleId: id, at: at.toISOString(), by });
  expect(await seenBy(workspace)).toBeNull();
  await expect(schedule(new Date(Date.now() - 1_000))).rejects.toThrow("This time has passed");
  await publish(workspace, id);
  await expect(schedule(at)).rejects.toThrow("There are no changes to publish");
});

test("a change by someone who can't publish puts the schedule on hold until it is reviewed", async () => {
  const { workspace, id } = await newDraft();
  const elsewhere = await aCategory(workspace, { name: "Elsewhere" });
  const { id: writer } = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: "w@example.com", firstName: "Will", lastName: "Writer", role: "Collaborator" },
      workspace.actor,
    ),
  );
  const at = new Date(Date.now() + 3_600_000);
  const by = { id: workspace.admin.id, name: "Ada" };
  const due = () => publishScheduled(workspace.id, { articleId: id, at: at.toISOString(), by });
  const standing = async () => {
    const { state, publishAt, publishHeld } = await opened(workspace, id);
    return [state, publishAt?.getTime(), publishHeld];
  };
  const schedule = () => inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor));
  const saveAs = async (member: string, html: string) => {
    const now = await opened(workspace, id);
    const draft = await preparedDraft(workspace.id, { ...now.text, html });
    await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, { kind: "member", id: member }));
  };
  const will = { kind: "member", id: writer, name: "w@example.com" } as const;
  const changes: ((db: Db) => Promise<unknown>)[] = [
    (db) => changeArticle(db, id, { slug: "other" }, will),
    (db) => moveArticles(db, [id], elsewhere.id, will),
    (db) => tagArticles(db, [id], "Wrong", will),
  ];
  await saveAs(writer, "<p>Before</p>");
  await schedule();
  await saveAs(by.id, "<p>Mine</p>");
  expect(await standing()).toEqual(["draft", at.getTime(), false]);
  for (const change of changes) {
    await inWorkspace(workspace.id, change);
    expect(await standing()).toEqual(["draft", at.getTime(), true]);
    await schedule();
    expect(await standing()).toEqual(["draft", at.getTime(), false]);
  }
  await saveAs(writer, "<p>Unseen</p>");
  await due();
  // A member with publishing rights who edits the draft has not confirmed the schedule.
  await saveAs(by.id, "<p>Seen</p>");
  await due();
  expect(await standing()).toEqual(["draft", at.getTime(), true]);
  await schedule();
  await due();
  expect(await standing()).toEqual(["published", undefined, false]);
  expect(await seenBy(workspace, "other")).toMatchObject({ renderedHtml: "<p>Seen</p>" });
});

test("a newer save is not scheduled by a member who has not seen it", async () => {
  const { workspace, id } = await newDraft();
  const { revision } = await save(workspace, id, { html: "<p>Seen</p>" });
  await save(workspace, id, { html: "<p>Unseen</p>" });
  const at = new Date(Date.now() + 3_600_000);
  const schedule = (seen: number) =>
    inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor, { revision: seen }));
  await expect(schedule(revision)).rejects.toThrow("Someone has saved this article since you opened this page");
  expect((await opened(workspace, id)).publishAt).toBeNull();
  await schedule(revision + 1);
  expect((await opened(workspace, id)).publishAt).toEqual(at);
});

test("a change by someone who can't publish, during scheduled publishing, puts the article on hold", async () => {
  const { workspace, id } = await newDraft();
  const { id: writer } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email: "w@example.com", firstName: "W", lastName: "W", role: "Collaborator" }, workspace.actor),
  );
  const at = new Date(Date.now() + 3_600_000);
  await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, workspace.actor));
  const by = { id: workspace.admin.id, name: "Ada" };
  const actor = { kind: "member", id: writer, name: "w@example.com" } as const;
  await whileOpen(
    workspace.id,
    (db) => changeArticle(db, id, { slug: "moved" }, actor),
    () => publishScheduled(workspace.id, { articleId: id, at: at.toISOString(), by }),
  );
  expect(await opened(workspace, id)).toMatchObject({ state: "draft", publishHeld: true, publishAt: at });
});

test("a version comes back as the draft, what was written is kept, and readers see it when it is published", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>One</p>", tags: ["Old"] });
  await publish(workspace, id);
  await save(workspace, id, { html: "<p>Two</p>", tags: ["New"] });
  await publish(workspace, id);
  await save(workspace, id, { html: "<p>Three</p>" });
  const published = (await versionsOf(workspace, id)).filter(({ kind }) => kind === "publish");
  const number = published.at(-1)?.number ?? 0;
  const { revision } = await opened(workspace, id);
  const restore = (from: number) =>
    restoreVersion(workspace.id, id, number, from, { ...workspace.actor, id: workspace.admin.id });
  expect(await restore(revision - 1)).toMatchObject({ conflict: { revision } });
  await restore(revision);
  expect((await opened(workspace, id)).text).toMatchObject({ html: "<p>One</p>", tags: ["Old"] });
  expect(await seenBy(workspace)).toMatchObject({ renderedHtml: "<p>Two</p>" });
  const kept = await readWorkspace(workspace.id, (read) => findVersion(read, id, published[0]?.number ?? 0));
  expect(kept?.text.html).toBe("<p>Two</p>");
  const texts = await Promise.all(
    (await versionsOf(workspace, id)).map((one) =>
      readWorkspace(workspace.id, (read) => findVersion(read, id, one.number)),
    ),
  );
  expect(texts.map((one) => one?.text.html)).toContain("<p>Three</p>");
  expect(await readWorkspace(workspace.id, (read) => findVersion(read, id, 99))).toBeNull();
});

test("points of writing are bounded, and what was published is kept", async () => {
  const { workspace, id } = await newDraft();
  await save(workspace, id, { html: "<p>Published</p>" });
  await publish(workspace, id);
  for (let point = 0; point < 60; point++) {
    const now = await opened(workspace, id);
    const draft = await preparedDraft(workspace.id, { ...now.text, html: `<p>${point}</p>` });
    await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor, true));
  }
  const { versions, total } = await readWorkspace(workspace.id, (read) =>
    listVersions(read, id, { limit: 99, offset: 0 }),
  );
  expect([total, versions.length]).toEqual([51, 51]);
  expect(versions.filter(({ kind }) => kind === "publish")).toHaveLength(1);
});
