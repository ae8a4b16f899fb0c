import { expect, test } from "vitest";
import type { DraftText } from "@/lib/articles/article-text";
import { changedArticles, DAYS_LISTED, isCursor } from "@/lib/articles/changed-articles";
import { createDraft } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { saveDraft } from "@/lib/articles/save-draft";
import { renameTag } from "@/lib/articles/tags";
import { updateCategory } from "@/lib/categories/changes";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { permissions } from "@/lib/members/roles";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const pageOf = (workspace: TestWorkspace, after: string | undefined, viewer: Viewer = "member", limit = 2) =>
  readAs(workspace, viewer, (snapshot) =>
    changedArticles(snapshot.read, snapshot, { workspaceId: workspace.id, after, limit }),
  );

const GONE = { kind: "gone" } as const;

/** What changed since the call before: ids, those that are gone with a minus. */
function follow(workspace: TestWorkspace, viewer?: Viewer) {
  let after: string | undefined;
  return async () => {
    const found: string[] = [];
    for (;;) {
      const page = await pageOf(workspace, after, viewer);
      if (!page) throw new Error("The cursor is too old.");
      after = page.cursor;
      found.push(...page.changes.map(({ id, removed }) => (removed ? `-${id}` : id)));
      if (!page.more) return found;
    }
  };
}

async function save(workspace: TestWorkspace, id: string, text: Partial<DraftText>) {
  const now = await readWorkspace(workspace.id, (read) => openDraft(read, id));
  const draft = await preparedDraft(workspace.id, { ...now!.text, ...text });
  await inWorkspace(workspace.id, (db) => saveDraft(db, id, now!.revision, draft, workspace.actor));
}

test("what shows on an article is a change of it, told once and in the order of the changes", async () => {
  const workspace = await aWorkspace();
  const [category, other] = [await aCategory(workspace), await aCategory(workspace)];
  const within = await aCategory(workspace, { parentId: category.id });
  const { id: one } = await anArticle(workspace, { category });
  const { id: two } = await anArticle(workspace, { category: within });
  const { id: three } = await anArticle(workspace, { category: other });
  const changed = follow(workspace);
  const visible = follow(workspace, "anyone");
  const both = async () => {
    const found = await changed();
    expect(await visible()).toEqual(found);
    return found;
  };
  const act = <T>(work: (db: Db) => Promise<T>) => inWorkspace(workspace.id, work);
  const { actor } = workspace;
  expect(await both()).toEqual([one, two, three]);
  expect(await both()).toEqual([]);

  // Drafts of published articles do not show.
  await save(workspace, two, { title: "Later" });
  await act((db) => db.article.updateMany({ where: { id: one }, data: { uniqueViewsCount: 5 } }));
  expect(await both()).toEqual([]);
  await publishArticles(workspace.id, [two], actor);
  await act((db) => db.article.updateMany({ where: { id: one }, data: { updatedAt: new Date() } }));
  expect(await both()).toEqual([two, one]);

  await act((db) => updateCategory(db, category.id, { name: "Renamed" }, actor));
  expect((await both()).sort()).toEqual([one, two].sort());
  await act((db) => updateCategory(db, category.id, { description: "Which readers do not see there" }, actor));
  expect(await both()).toEqual([]);

  const { batch } = await act((db) => deleteArticles(db, [two], GONE, "http://x.localhost:3000", actor));
  expect(await both()).toEqual([`-${two}`]);
  await act((db) => restoreArticles(db, batch, actor, permissions));
  expect(await both()).toEqual([two]);
});

test("people without drafts hear of articles that were ever published, and of no others", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const [changed, visible] = [follow(workspace), follow(workspace, "anyone")];
  const { id } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Refunds", authorId: workspace.admin.id }, workspace.actor),
  );
  expect([await changed(), await visible()]).toEqual([[id], []]);
  await save(workspace, id, { title: "All refunds" });
  expect([await changed(), await visible()]).toEqual([[id], []]);
  await publishArticles(workspace.id, [id], workspace.actor);
  expect([await changed(), await visible()]).toEqual([[id], [id]]);
  await unpublishArticles(workspace.id, [id], workspace.actor);
  expect([await changed(), await visible()]).toEqual([[id], [`-${id}`]]);
  await publishArticles(workspace.id, [id], workspace.actor);
  const { id: inOther } = await anArticle(workspace, { category });
  expect([await changed(), await visible()]).toEqual([
    [id, inOther],
    [id, inOther],
  ]);
  await inWorkspace(workspace.id, (db) => updateCategory(db, category.id, { visibility: "members" }, workspace.actor));
  const seen = await visible();
  expect(seen).toContain(`-${inOther}`);
  expect(await changed()).toContain(inOther);
});

test("a change that commits later is listed later, also when it began earlier", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const [slow, quick] = [await anArticle(workspace, { category }), await anArticle(workspace, { category })];
  const changed = follow(workspace);
  await changed();
  const touch = (db: Db, id: string) => db.article.updateMany({ where: { id }, data: { updatedAt: new Date() } });
  await inWorkspace(workspace.id, async (db) => {
    await touch(db, slow.id);
    await inWorkspace(workspace.id, (second) => touch(second, quick.id));
    expect(await changed()).toEqual([quick.id]);
  });
  expect(await changed()).toEqual([slow.id]);
});

test("a cursor ends after 90 days and in another copy of the workspace, and a text that is none is refused", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const { cursor } = (await pageOf(workspace, undefined))!;
  // Programs that ask again get the same answer, so that If-None-Match helps.
  expect((await pageOf(workspace, cursor))?.cursor).toBe(cursor);
  expect([isCursor(cursor), isCursor("x"), isCursor(""), isCursor(cursor.slice(4))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const [of, number, id, made] = JSON.parse(Buffer.from(cursor, "base64url").toString());
  const remade = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString("base64url");
  expect((await pageOf(workspace, remade(of, number, id, made - DAYS_LISTED)))?.changes).toEqual([]);
  expect(await pageOf(workspace, remade(of, number, id, made - DAYS_LISTED - 1))).toBeNull();
  expect(await pageOf(workspace, remade(of, number + 1, id, made))).toBeNull();
  await acrossWorkspaces.query("UPDATE content_versions SET changes_of = gen_random_uuid() WHERE workspace_id = $1", [
    workspace.id,
  ]);
  expect(await pageOf(workspace, cursor)).toBeNull();
});

test("a renamed tag is a change of its articles", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, tags: ["billing"] });
  await anArticle(workspace, { category });
  const changed = follow(workspace);
  await changed();
  await inWorkspace(workspace.id, async (db) => {
    const tag = await db.tag.findFirstOrThrow({ where: { name: "billing" } });
    await renameTag(db, tag.id, "Invoices", workspace.actor);
  });
  expect(await changed()).toEqual([id]);
});

test("visitors are told about members-only articles only if they were public before", async () => {
  const workspace = await aWorkspace();
  const closed = await aCategory(workspace);
  const below = await aCategory(workspace, { parentId: closed.id });
  const [changed, visible] = [follow(workspace), follow(workspace, "anyone")];
  const show = (id: string, visibility: "members" | "everyone") =>
    inWorkspace(workspace.id, (db) => updateCategory(db, id, { visibility }, workspace.actor));
  await show(closed.id, "members");
  await show(below.id, "everyone");
  const { id: one } = await anArticle(workspace, { category: closed });
  const { id: two } = await anArticle(workspace, { category: below });
  await save(workspace, one, { title: "Salaries" });
  await publishArticles(workspace.id, [one], workspace.actor);
  expect([await changed(), await visible()]).toEqual([[two, one], []]);
  await inWorkspace(workspace.id, (db) => deleteArticles(db, [two], GONE, "http://x.localhost:3000", workspace.actor));
  expect([await changed(), await visible()]).toEqual([[`-${two}`], []]);

  await show(closed.id, "everyone");
  expect(await visible()).toEqual([one]);
  await show(closed.id, "members");
  expect(await visible()).toEqual([`-${one}`]);
  const closing = (visibility: string) =>
    acrossWorkspaces.query("UPDATE workspaces SET visibility = $2 WHERE id = $1", [workspace.id, visibility]);
  await closing("members");
  const { id: three } = await anArticle(workspace, { category: await aCategory(workspace) });
  expect(await visible()).not.toContain(`-${three}`);
  await closing("everyone");
  expect(await visible()).toContain(three);
});
