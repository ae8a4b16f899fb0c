import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { moveArticles, tagArticles } from "@/lib/articles/changes";
import { deleteArticles, forgetDeleted } from "@/lib/articles/removal";
import { type Deed, undoably, undoDeed } from "@/lib/articles/undo";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { openDraft } from "@/lib/drafts/open";
import { saveDraft } from "@/lib/drafts/save";
import { type DraftText, preparedDraft } from "@/lib/drafts/text";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { publishedArticle } from "@/lib/published-articles";
import { publishArticles, unpublishArticles } from "@/lib/publishing/publish";
import { schedulePublishing } from "@/lib/publishing/schedule";
import type { Permission } from "@/lib/roles";
import { searchArticles } from "@/lib/search/search";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/lib/testing";
import { readAs } from "@/lib/visibility";

const seenBy = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
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
  const draft = preparedDraft({ ...now.text, ...text });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.admin.id));
}

const undo = (workspace: TestWorkspace, batch: string, permissions: Permission[] = ["articles.publish"]) =>
  undoDeed(workspace.id, batch, workspace.actor, permissions);

async function doing(workspace: TestWorkspace, deed: Deed, ids: string[], work: (db: Db) => Promise<unknown>) {
  const batch = randomUUID();
  await inWorkspace(workspace.id, (db) => undoably(db, { batch, deed }, ids, () => work(db)));
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

test("unpublishing is undone, and of what somebody has changed since it is said that it stays", async () => {
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
  await inWorkspace(workspace.id, async (db) => {
    await deleteArticles(db, [related.id], { kind: "gone" }, "http://docs.localhost", workspace.actor);
    await db.category.deleteMany({ where: { id: lost.id } });
  });
  const { undone, left } = await undo(workspace, batch);
  expect([undone.map(({ id }) => id).sort(), left]).toEqual([[live.id, draft.id].sort(), 2]);
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
  await forgetDeleted(workspace.id);
  const age = "UPDATE article_undos SET made_at = made_at - interval '61 minutes' WHERE batch = $1::uuid RETURNING id";
  expect(await acrossWorkspaces.query(age, [seen])).toHaveLength(1);
  await expect(undo(workspace, seen)).rejects.toThrow(NotFoundError);
  await forgetDeleted(workspace.id);
  expect(await inWorkspace(workspace.id, (db) => db.articleUndo.count())).toBe(0);
});
