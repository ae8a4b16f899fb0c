import { Client } from "pg";
import { expect, test } from "vitest";
import {
  type BulkRequest,
  cancelBulkAction,
  findBulkAction,
  listRunningBulk,
  startBulkAction,
  startUndo,
  tryBulkAction,
  workBulkAction,
} from "@/lib/articles/bulk";
import { moveArticles } from "@/lib/articles/changes";
import { findWrittenIds } from "@/lib/articles/list";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles } from "@/lib/articles/publish";
import { saveDraft } from "@/lib/articles/save-draft";
import { listUndoable } from "@/lib/articles/undo";
import type { Actor } from "@/lib/audit/audit";
import { listAuditEntries, listAuditItems } from "@/lib/audit/audit-log";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember } from "@/lib/members/members";
import type { Permission } from "@/lib/members/roles";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const never = new AbortController().signal;
const all: Permission[] = ["articles.write", "articles.publish"];

async function someArticles(count: number) {
  const workspace = await aWorkspace();
  const [setup, start, guides] = [
    await aCategory(workspace, { name: "Setup" }),
    await aCategory(workspace, { name: "Start" }),
    await aCategory(workspace, { name: "Guides" }),
  ];
  const ids: string[] = [];
  await inWorkspace(
    workspace.id,
    async (db) => {
      for (let number = 1; number <= count; number++) {
        const title = `Article ${String(number).padStart(3, "0")}`;
        ids.push((await anArticle(workspace, { category: setup, title, sequence: number }, db)).id);
      }
    },
    30,
  );
  return { workspace, setup, start, guides, ids };
}

const begin = (workspace: TestWorkspace, request: BulkRequest, ids: string[], actor: Actor = workspace.actor) =>
  startBulkAction(workspace.id, request, ids, actor, all);
const work = (workspace: TestWorkspace, id: string) => workBulkAction(workspace.id, id, never);
const report = (workspace: TestWorkspace, id: string) =>
  readWorkspace(workspace.id, (read) => findBulkAction(read, id, workspace.admin.id));
const undoing = async (workspace: TestWorkspace, batch: string) => {
  const id = await startUndo(workspace.id, batch, workspace.actor, all);
  await work(workspace, id);
  return report(workspace, id);
};
const placesOf = (workspace: TestWorkspace) =>
  readWorkspace(workspace.id, (read) =>
    read("SELECT id, category_id, sequence, title, state FROM articles ORDER BY id"),
  );
const countIn = async (workspace: TestWorkspace, category: { id: string }) =>
  (
    await readWorkspace(workspace.id, (read) =>
      findWrittenIds(read, workspace.id, { categoryId: category.id }, { limit: 100 }),
    )
  ).length;
const auditOf = async (workspace: TestWorkspace) =>
  (
    await readWorkspace(workspace.id, (read) =>
      listAuditEntries(read, { timeZone: "UTC", subject: "article" }, { limit: 100 }),
    )
  ).entries;

test("60 articles move in order, one entry of the audit log says from where, and all of them move back", async () => {
  const { workspace, setup, guides, ids } = await someArticles(60);
  const before = await placesOf(workspace);
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  expect(await readWorkspace(workspace.id, (read) => listRunningBulk(read, workspace.admin.id))).toMatchObject([
    { id, action: "moved", state: "running", done: 0, total: 60, details: { from: "Setup", to: "Guides" } },
  ]);
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({ state: "done", done: 60, changed: 60, hasUndo: true });
  const sorted = { sort: "title", limit: 100 } as const;
  expect(await readWorkspace(workspace.id, (read) => findWrittenIds(read, workspace.id, {}, sorted))).toEqual(ids);
  const moved = await readWorkspace(workspace.id, (read) =>
    read<{ id: string }>("SELECT id FROM articles WHERE category_id = $1 ORDER BY sequence", [guides.id]),
  );
  expect(moved.map((one) => one.id)).toEqual(ids);

  const [entry, ...others] = await auditOf(workspace);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    ...{ id, action: "articles.moved", subject: { name: "60 articles", there: false } },
    details: { articles: 60, from: "Setup", to: "Guides" },
  });
  const items = await readWorkspace(workspace.id, (read) => listAuditItems(read, id, { limit: 2, offset: 1 }));
  expect(items).toEqual({
    total: 60,
    items: ["002", "003"].map((number, index) => ({
      ...{ id: ids[index + 1], name: `Article ${number}`, there: true, details: { category: "Setup → Guides" } },
    })),
  });

  const recent = await readWorkspace(workspace.id, (read) => listUndoable(read, workspace.admin.id));
  expect(recent).toMatchObject([{ batch: id, action: "moved", articles: 60, to: "Guides" }]);
  expect(await undoing(workspace, id)).toMatchObject({ action: "undone", state: "done", changed: 60, hasUndo: false });
  expect(await placesOf(workspace)).toEqual(before);
  expect(await countIn(workspace, setup)).toBe(60);
  expect((await auditOf(workspace)).map(({ action, details }) => [action, details])).toEqual([
    ["articles.undone", { articles: 60, from: "Setup", to: "Guides", undoes: "moved" }],
    ["articles.moved", { articles: 60, from: "Setup", to: "Guides" }],
  ]);
  await expect(startUndo(workspace.id, id, workspace.actor, all)).rejects.toThrow(NotFoundError);
});

/** Runs a job whose server is killed as soon as it has noted this many articles. */
async function workUntil(workspace: TestWorkspace, id: string, done: number): Promise<void> {
  const killed = new AbortController();
  const watch = async () => {
    while (!killed.signal.aborted) {
      const [bulk] = await acrossWorkspaces.query<{ done: number }>(
        "SELECT done FROM bulk_actions WHERE id = $1::uuid",
        [id],
      );
      if ((bulk?.done ?? 0) >= done) killed.abort(new Error("Killed."));
    }
  };
  const watching = watch();
  await expect(workBulkAction(workspace.id, id, killed.signal)).rejects.toThrow("Killed.");
  await watching;
}

test("a job that was killed continues, and changes no article twice", async () => {
  const { workspace, start, guides, ids } = await someArticles(30);
  await inWorkspace(workspace.id, (db) => moveArticles(db, ids.slice(0, 2), start.id, workspace.actor));
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  await workUntil(workspace, id, 25);
  const [first = ""] = ids;
  await inWorkspace(workspace.id, (db) => moveArticles(db, [first], start.id, workspace.actor));
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({ state: "done", done: 30, changed: 30 });
  expect((await auditOf(workspace)).find(({ action }) => action === "articles.moved")?.details).toMatchObject({
    ...{ articles: 30, from: "2 categories" },
  });
  expect(await countIn(workspace, start)).toBe(1);
  expect(await undoing(workspace, id)).toMatchObject({ changed: 29 });
});

test("articles and progress are stored together: without the progress, no article is changed", async () => {
  const { workspace, guides, setup, ids } = await someArticles(3);
  const draft = await anArticle(workspace, { category: setup, title: "Draft", state: "draft", html: "<p>A</p>" });
  const requests: BulkRequest[] = [
    { action: "moved", categoryId: guides.id },
    { action: "tagged", tag: "Urgent" },
    { action: "unpublished" },
    { action: "published" },
    { action: "deleted" },
  ];
  const before = await placesOf(workspace);
  for (const request of requests) {
    const id = await begin(workspace, request, [...ids, draft.id]);
    const owner = new Client({ connectionString: process.env.DATABASE_URL });
    await owner.connect();
    // As if the database went away at the last statement.
    await owner.query(`ALTER TABLE bulk_actions ADD CONSTRAINT away CHECK (id <> '${id}' OR done = 0) NOT VALID`);
    await expect(work(workspace, id)).rejects.toThrow();
    await owner.query("ALTER TABLE bulk_actions DROP CONSTRAINT away");
    await owner.end();
    expect(await placesOf(workspace)).toEqual(before);
    expect(await report(workspace, id)).toMatchObject({ state: "running", done: 0, changed: 0, hasUndo: false });
  }
});

test("two servers with the same bulk action change each article once", async () => {
  const { workspace, guides, ids } = await someArticles(30);
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  await Promise.all([work(workspace, id), work(workspace, id)]);
  expect(await report(workspace, id)).toMatchObject({ state: "done", done: 30, changed: 30 });
  expect(await auditOf(workspace)).toHaveLength(1);
});

test("a draft that was saved after someone chose to publish is not published", async () => {
  const { workspace, ids } = await someArticles(2);
  const [first = ""] = ids;
  const save = async (html: string) => {
    const now = await readWorkspace(workspace.id, (read) => openDraft(read, first));
    if (!now) throw new Error("No such article.");
    const draft = await preparedDraft(workspace.id, { ...now.text, html });
    await inWorkspace(workspace.id, (db) => saveDraft(db, first, now.revision, draft, workspace.actor));
  };
  const live = () =>
    readWorkspace(workspace.id, (read) => read("SELECT text FROM article_live WHERE id = $1::uuid", [first]));
  await save("<p>Whole.</p>");
  const id = await begin(workspace, { action: "published" }, ids);
  await save("<p>Half</p>");
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({ state: "done", changed: 0, details: { newer: 1 } });
  expect(await live()).toEqual([{ text: "Nothing yet." }]);
  const again = await begin(workspace, { action: "published" }, ids);
  await work(workspace, again);
  expect(await report(workspace, again)).toMatchObject({ state: "done", changed: 1 });
  expect(await live()).toEqual([{ text: "Half" }]);
});

test("a small bulk action is done within the request, and its job then finds nothing to do", async () => {
  const { workspace, guides, ids } = await someArticles(3);
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  await tryBulkAction(workspace.id, id);
  const done = await report(workspace, id);
  expect(done).toMatchObject({ state: "done", changed: 3 });
  await work(workspace, id);
  expect(await report(workspace, id)).toEqual(done);
  expect(await auditOf(workspace)).toHaveLength(1);
});

test("a deletion of many is undone in parts: related articles find each other again", async () => {
  const { workspace, setup, ids } = await someArticles(30);
  const [first = ""] = ids;
  const last = await anArticle(workspace, { category: setup, title: "Last", relatedIds: [first] });
  const related = () =>
    readWorkspace(workspace.id, (read) => read("SELECT article_id, related_id FROM related_articles"));
  const before = await related();
  const id = await begin(workspace, { action: "deleted" }, [...ids, last.id]);
  await work(workspace, id);
  expect(await countIn(workspace, setup)).toBe(0);
  const recent = await readWorkspace(workspace.id, (read) => listUndoable(read, workspace.admin.id));
  expect(recent).toMatchObject([{ batch: id, action: "deleted", articles: 31 }]);
  expect(await undoing(workspace, id)).toMatchObject({ action: "restored", changed: 31 });
  expect(await countIn(workspace, setup)).toBe(31);
  expect(await related()).toEqual(before);
  expect(before).toEqual([{ article_id: last.id, related_id: first }]);
});

test("a new tag goes with the last article that the undo takes it from", async () => {
  const { workspace, ids } = await someArticles(30);
  const tags = () => readWorkspace(workspace.id, (read) => read("SELECT name FROM tags"));
  const id = await begin(workspace, { action: "tagged", tag: " Urgent " }, ids);
  await work(workspace, id);
  expect([await tags(), (await report(workspace, id))?.changed]).toEqual([[{ name: "Urgent" }], 30]);
  expect(await undoing(workspace, id)).toMatchObject({ changed: 30 });
  expect(await tags()).toEqual([]);
});

test("publishing counts what was left out, and unpublishing many is undone", async () => {
  const { workspace, setup, ids } = await someArticles(27);
  const empty = await anArticle(workspace, { category: setup, title: "Empty", html: "", state: "draft" });
  const id = await begin(workspace, { action: "unpublished" }, [...ids, empty.id]);
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({ changed: 27, done: 28 });
  const again = await begin(workspace, { action: "published" }, [...ids.slice(0, 2), empty.id]);
  await work(workspace, again);
  expect(await report(workspace, again)).toMatchObject({ changed: 2, details: { withoutText: 1 } });
  await undoing(workspace, again);
  expect(await undoing(workspace, id)).toMatchObject({ changed: 25 });
});

test("a canceled bulk action stops, says what it did, and can be undone", async () => {
  const { workspace, guides, ids } = await someArticles(4);
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  await inWorkspace(workspace.id, (db) => cancelBulkAction(db, id, guides.id));
  expect(await report(workspace, id)).toMatchObject({ state: "running" });
  await inWorkspace(workspace.id, (db) => cancelBulkAction(db, id, workspace.admin.id));
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({ state: "cancelled", done: 0, changed: 0, hasUndo: false });
  expect(await auditOf(workspace)).toEqual([]);
});

test("someone who can't publish changes no published article, not even one published since the start", async () => {
  const { workspace, setup, guides, ids } = await someArticles(1);
  const drafts = [
    await anArticle(workspace, { category: setup, title: "Draft", state: "draft", html: "<p>A</p>" }),
    await anArticle(workspace, { category: setup, title: "Other", state: "draft", html: "<p>B</p>" }),
  ].map((draft) => draft.id);
  const { id: member } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email: "w@example.com", firstName: "W", lastName: "W", role: "Collaborator" }, workspace.actor),
  );
  const writer = { kind: "member", id: member, name: "w@example.com" } as const;
  const start = (request: BulkRequest, which: string[]) =>
    startBulkAction(workspace.id, request, which, writer, ["articles.write"]);
  await expect(start({ action: "deleted" }, ids)).rejects.toThrow(InvalidError);
  await expect(start({ action: "published" }, drafts)).rejects.toThrow(InvalidError);
  const id = await start({ action: "moved", categoryId: guides.id }, drafts);
  await publishArticles(workspace.id, drafts.slice(0, 1), workspace.actor);
  await work(workspace, id);
  const done = await readWorkspace(workspace.id, (read) => findBulkAction(read, id, member));
  expect(done).toMatchObject({ state: "done", changed: 1, title: "Other", details: { refused: 1 } });
  expect(await report(workspace, id)).toBeNull();
  expect(await countIn(workspace, guides)).toBe(1);
});

test("a category that is deleted meanwhile ends the action with the reason", async () => {
  const { workspace, guides, ids } = await someArticles(2);
  const id = await begin(workspace, { action: "moved", categoryId: guides.id }, ids);
  await inWorkspace(workspace.id, (db) => db.category.deleteMany({ where: { id: guides.id } }));
  await work(workspace, id);
  expect(await report(workspace, id)).toMatchObject({
    ...{ state: "failed", changed: 0, problem: "This category was deleted. Choose another one." },
  });
  const other = await aWorkspace();
  await expect(begin(other, { action: "deleted" }, ids)).rejects.toThrow(NotFoundError);
  await expect(begin(workspace, { action: "moved", categoryId: guides.id }, ids)).rejects.toThrow(InvalidError);
});
