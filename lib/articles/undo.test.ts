import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { DraftText } from "@/lib/articles/article-text";
import { moveArticles, tagArticles } from "@/lib/articles/changes";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles } from "@/lib/articles/removal";
import { saveDraft } from "@/lib/articles/save-draft";
import { schedulePublishing } from "@/lib/articles/schedule";
import { deleteTag } from "@/lib/articles/tags";
import { type BulkAction, canUndo, listUndoable, undoably, undoBulkAction } from "@/lib/articles/undo";
import { removeCategory } from "@/lib/categories/removal";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember } from "@/lib/members/members";
import type { Permission } from "@/lib/members/roles";
import { publishedArticle } from "@/lib/reader/published-articles";
import { searchArticles } from "@/lib/search/search";
import { purgeTrash } from "@/lib/trash/trash";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

const seenBy = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (snapshot) => publishedArticle(snapshot, slug));
const found = async (workspace: TestWorkspace, word: string) =>
  (await readWorkspace(workspace.id, (read) => searchArticles(read, workspace.id, word, { limit: 5, offset: 0 })))
    .total;
const opened = async (workspace: TestWorkspace, id: string) => {
  const article = await readWorkspace(workspace.id, (read) => openDraft(read, id));
  if (!article) throw new Error("No such article.");
  return article;
};

async function write(workspace: TestWorkspace, id: string, text: Partial<DraftText>): Promise<void> {
  const now = await opened(workspace, id);
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
}

const undo = (workspace: TestWorkspace, batch: string, permissions: Permission[] = ["articles.publish"]) =>
  undoBulkAction(workspace.id, batch, workspace.actor, permissions);

async function doing(workspace: TestWorkspace, action: BulkAction, ids: string[], work: (db: Db) => Promise<unknown>) {
  const batch = randomUUID();
  await inWorkspace(workspace.id, (db) => undoably(db, { batch, action, actor: workspace.actor }, ids, () => work(db)));
  return batch;
}

/** An article's rows but for what every change counts up. */
async function rowsOf(id: string): Promise<unknown[]> {
  const tables = ["article_live", "article_drafts", "article_tags", "article_attachments", "related_articles"];
  const rows = [
    await acrossWorkspaces.query("SELECT to_jsonb(a) - 'revision' FROM articles a WHERE id = $1::uuid", [id]),
  ];
  for (const table of [...tables, "article_links"]) {
    const column = /_(live|drafts)$/.test(table) ? "id" : "article_id";
    rows.push(
      await acrossWorkspaces.query(`SELECT * FROM ${table} x WHERE ${column} = $1::uuid ORDER BY x::text`, [id]),
    );
  }
  return rows;
}

async function someArticles() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const live = await anArticle(workspace, {
    ...{ category, title: "Refunds", html: "<p>Formerword</p>", tags: ["Money"] },
  });
  const related = await anArticle(workspace, { category, title: "Invoices" });
  await write(workspace, live.id, { html: "<p>Laterword</p>", tags: ["Cash"], relatedIds: [related.id] });
  const draft = await anArticle(workspace, { category, title: "Bills", state: "draft", source: null });
  return { workspace, category, live, draft, related };
}

test("publishing many is undone: drafts are drafts again, and readers see what they saw before", async () => {
  const { workspace, live, draft } = await someArticles();
  const at = new Date(Date.now() + 3_600_000);
  await inWorkspace(workspace.id, (db) => schedulePublishing(db, draft.id, at, workspace.actor));
  const before = await Promise.all([live.id, draft.id].map(rowsOf));
  const batch = randomUUID();
  await publishArticles(workspace.id, [live.id, draft.id], workspace.actor, { undo: batch });
  expect([await found(workspace, "laterword"), (await seenBy(workspace, "bills"))?.id]).toEqual([1, draft.id]);
  const { undone, left } = await undo(workspace, batch);
  expect([undone.map(({ id }) => id).sort(), left]).toEqual([[live.id, draft.id].sort(), 0]);
  expect(await Promise.all([live.id, draft.id].map(rowsOf))).toEqual(before);
  expect([await found(workspace, "laterword"), await found(workspace, "formerword")]).toEqual([0, 1]);
  expect([await seenBy(workspace, "bills"), (await opened(workspace, draft.id)).publishAt]).toEqual([null, at]);
  await expect(undo(workspace, batch)).rejects.toThrow(NotFoundError);
});

test("unpublishing is undone, and articles changed since are reported as unchanged", async () => {
  const { workspace, live, related } = await someArticles();
  const before = await rowsOf(live.id);
  const batch = randomUUID();
  await unpublishArticles(workspace.id, [live.id, related.id], workspace.actor, { undo: batch });
  await write(workspace, related.id, { title: "Invoices and bills" });
  const { undone, left } = await undo(workspace, batch);
  expect([undone, left]).toEqual([[{ id: live.id, title: "Refunds" }], 1]);
  expect(await rowsOf(live.id)).toEqual(before);
  expect(await opened(workspace, related.id)).toMatchObject({ state: "draft", text: { title: "Invoices and bills" } });
});

test("articles go back to their places, but for those whose category or that themselves are gone", async () => {
  const { workspace, category, live, draft, related } = await someArticles();
  const other = await aCategory(workspace);
  const lost = await aCategory(workspace);
  const fourth = await anArticle(workspace, { category: lost, sequence: 5 });
  const ids = [live.id, draft.id, related.id, fourth.id];
  const [before] = await rowsOf(live.id);
  const batch = await doing(workspace, "moved", ids, (db) => moveArticles(db, ids, other.id, workspace.actor));
  const recent = (memberId: string) => readWorkspace(workspace.id, (read) => listUndoable(read, memberId));
  expect(await recent(workspace.admin.id)).toEqual([
    { batch, action: "moved", articles: 4, at: expect.any(Date), to: null },
  ]);
  expect(await recent(live.id)).toEqual([]);
  await inWorkspace(workspace.id, async (db) => {
    await deleteArticles(db, [related.id], { kind: "gone" }, "http://docs.localhost", workspace.actor);
    await db.category.deleteMany({ where: { id: lost.id } });
  });
  const { undone, left } = await undo(workspace, batch);
  expect([undone.map(({ id }) => id).sort(), left]).toEqual([[live.id, draft.id].sort(), 2]);
  expect(await recent(workspace.admin.id)).toMatchObject([{ action: "deleted", articles: 1 }]);
  expect((await rowsOf(live.id))[0]).toEqual(before);
  expect((await opened(workspace, draft.id)).category.id).toBe(category.id);
  expect((await opened(workspace, fourth.id)).category.id).toBe(other.id);
});

test("a tag is taken from those that did not have it, and goes where it was made for them", async () => {
  const { workspace, live, draft, related } = await someArticles();
  const namesOf = async () =>
    (await inWorkspace(workspace.id, (db) => db.tag.findMany())).map(({ name }) => name).sort();
  const tag = (ids: string[], name: string) =>
    doing(workspace, "tagged", ids, (db) => tagArticles(db, ids, name, workspace.actor));
  const before = [await rowsOf(live.id), await rowsOf(related.id), await namesOf()];
  await undo(workspace, await tag([live.id, draft.id], "Urgent"));
  expect((await undo(workspace, await tag([live.id, related.id], "Cash"))).undone).toHaveLength(2);
  expect([await rowsOf(live.id), await rowsOf(related.id), await namesOf()]).toEqual(before);
  await tag([draft.id], "Urgent");
  // It has it, so nothing is done and nothing is to be undone.
  await expect(undo(workspace, await tag([draft.id], "urgent"))).rejects.toThrow(NotFoundError);
});

test("who may not publish undoes nothing that readers see; nobody undoes another workspace's, nor after an hour", async () => {
  const { workspace, live, draft } = await someArticles();
  const other = await aCategory(workspace);
  const move = (ids: string[]) =>
    doing(workspace, "moved", ids, (db) => moveArticles(db, ids, other.id, workspace.actor));
  const seen = await move([live.id]);
  await expect(undo(workspace, seen, ["articles.write"])).rejects.toThrow(InvalidError);
  await expect(undo(await aWorkspace(), seen)).rejects.toThrow(NotFoundError);
  const unseen = await move([draft.id]);
  expect((await undo(workspace, unseen, ["articles.write"])).undone).toHaveLength(1);
  await purgeTrash(workspace.id);
  const age = "UPDATE trash SET until = until - interval '66 minutes' WHERE batch = $1::uuid RETURNING id";
  expect(await acrossWorkspaces.query(age, [seen])).toHaveLength(1);
  await expect(undo(workspace, seen)).rejects.toThrow(NotFoundError);
  await purgeTrash(workspace.id);
  expect(await inWorkspace(workspace.id, (db) => db.trash.count())).toBe(0);
});

test("without the right to publish, neither publishing nor unpublishing is undone", async () => {
  const { workspace, live, draft } = await someArticles();
  const [published, unpublished] = [randomUUID(), randomUUID()];
  await publishArticles(workspace.id, [draft.id], workspace.actor, { undo: published });
  await unpublishArticles(workspace.id, [live.id], workspace.actor, { undo: unpublished });
  for (const batch of [published, unpublished])
    await expect(undo(workspace, batch, ["articles.write"])).rejects.toThrow(InvalidError);
  expect([(await opened(workspace, draft.id)).state, (await opened(workspace, live.id)).state]).toEqual([
    "published",
    "draft",
  ]);
});

test("a scheduled draft restored by someone who can't publish is put on hold", async () => {
  const { workspace, draft } = await someArticles();
  const { id } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email: "w@example.com", firstName: "W", lastName: "W", role: "Collaborator" }, workspace.actor),
  );
  const at = new Date(Date.now() + 3_600_000);
  await inWorkspace(workspace.id, (db) => schedulePublishing(db, draft.id, at, workspace.actor));
  const other = await aCategory(workspace);
  const move = () =>
    doing(workspace, "moved", [draft.id], (db) => moveArticles(db, [draft.id], other.id, workspace.actor));
  await undo(workspace, await move());
  expect(await opened(workspace, draft.id)).toMatchObject({ publishAt: at, publishHeld: false });
  const writer = { kind: "member", id, name: "w@example.com" } as const;
  await undoBulkAction(workspace.id, await move(), writer, ["articles.write"]);
  expect(await opened(workspace, draft.id)).toMatchObject({ publishAt: at, publishHeld: true });
});

test("a tag that is being added to another article stays with it", async () => {
  const { workspace, live, related } = await someArticles();
  const batch = await doing(workspace, "tagged", [live.id], (db) =>
    tagArticles(db, [live.id], "Urgent", workspace.actor),
  );
  const { undone } = await whileOpen(
    workspace.id,
    (db) => tagArticles(db, [related.id], "Urgent", workspace.actor),
    () => undo(workspace, batch),
  );
  expect(undone).toHaveLength(1);
  expect((await opened(workspace, related.id)).text.tags).toEqual(["Urgent"]);
});

test("an article whose tag is gone meanwhile stays as it is, and is counted", async () => {
  const { workspace, live, draft } = await someArticles();
  const batch = randomUUID();
  await publishArticles(workspace.id, [live.id, draft.id], workspace.actor, { undo: batch });
  await inWorkspace(workspace.id, async (db) => {
    const { id } = await db.tag.findFirstOrThrow({ where: { name: "Money" } });
    await deleteTag(db, id, workspace.actor);
  });
  expect(await undo(workspace, batch)).toEqual({ undone: [{ id: draft.id, title: "Bills" }], left: 1 });
  expect(await found(workspace, "laterword")).toBe(1);
});

test("who removes the category that articles would go back to is waited for, and not both for each other", async () => {
  const { workspace, category, live, draft } = await someArticles();
  const other = await aCategory(workspace);
  const batch = await doing(workspace, "moved", [live.id], (db) =>
    moveArticles(db, [live.id], other.id, workspace.actor),
  );
  const { undoing } = await inWorkspace(workspace.id, async (db) => {
    await db.$queryRaw`SELECT id FROM categories WHERE id = ${category.id}::uuid FOR UPDATE`;
    const undoing = undo(workspace, batch);
    undoing.catch(() => {});
    const waiting = () => db.$queryRaw<object[]>`
      SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    while ((await waiting()).length === 0);
    // Someone who holds the lock moves the article back meanwhile.
    await db.article.updateMany({ where: { id: live.id }, data: { categoryId: category.id } });
    await removeCategory(db, category.id, other.id, workspace.actor);
    return { undoing };
  });
  expect(await undoing).toEqual({ undone: [], left: 1 });
  for (const { id } of [live, draft]) expect((await opened(workspace, id)).category.id).toBe(other.id);
});

test("what very long articles were is not kept: that they were unpublished cannot be undone, and nobody offers it", async () => {
  const { workspace, live, related } = await someArticles();
  const offers = (batch: string) => readWorkspace(workspace.id, (read) => canUndo(read, batch));
  const [small, large] = [randomUUID(), randomUUID()];
  await unpublishArticles(workspace.id, [related.id], workspace.actor, { undo: small });
  await acrossWorkspaces.query(
    "UPDATE article_live SET rendered_html = repeat('long ', 4100000) WHERE id = $1::uuid RETURNING id",
    [live.id],
  );
  await unpublishArticles(workspace.id, [live.id], workspace.actor, { undo: large });
  expect([await offers(small), await offers(large)]).toEqual([true, false]);
  expect((await opened(workspace, live.id)).state).toBe("draft");
  await expect(undo(workspace, large)).rejects.toThrow(NotFoundError);
});

test("the rows stored for an undo are purged by the same job as the trash", async () => {
  const { workspace, draft } = await someArticles();
  await doing(workspace, "tagged", [draft.id], (db) => tagArticles(db, [draft.id], "Urgent", workspace.actor));
  const jobs = await acrossWorkspaces.query<{ task: string }>(
    `SELECT t.identifier AS task FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE j.payload->>'workspace_id' = $1::text AND t.identifier = 'purge_trash'`,
    [workspace.id],
  );
  expect(jobs).toEqual([{ task: "purge_trash" }]);
});
