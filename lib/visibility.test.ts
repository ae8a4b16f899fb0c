import { describe, expect, test } from "vitest";
import { acrossWorkspaces, type Db, inWorkspace, readingOf, versionsOf } from "@/lib/db";
import { closedCategories, readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

async function hiddenFrom(viewer: Viewer, workspace: TestWorkspace): Promise<string[]> {
  return readAs(workspace, viewer, async ({ hidden }) => [...hidden].sort());
}

function ids(...categories: { id: string }[]): string[] {
  return categories.map(({ id }) => id).sort();
}

describe("what a reader may see", () => {
  test("is everything, where nobody says otherwise", async () => {
    const workspace = await aWorkspace();
    const top = await aCategory(workspace);
    await aCategory(workspace, { parentId: top.id });
    expect(await hiddenFrom("anyone", workspace)).toEqual([]);
  });

  test("leaves out categories for members and all below them, but not for members", async () => {
    const workspace = await aWorkspace();
    const [open, closed] = [await aCategory(workspace), await aCategory(workspace)];
    const below = await aCategory(workspace, { parentId: closed.id });
    const opened = await aCategory(workspace, { parentId: below.id });
    const within = await aCategory(workspace, { parentId: open.id });
    await inWorkspace(workspace.id, async (db) => {
      await db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } });
      await db.category.updateMany({ where: { id: opened.id }, data: { visibility: "everyone" } });
    });
    expect(await hiddenFrom("anyone", workspace)).toEqual(ids(closed, below, opened));
    expect(await hiddenFrom("member", workspace)).toEqual([]);
    await inWorkspace(workspace.id, (db) =>
      db.category.updateMany({ where: { id: within.id }, data: { visibility: "members" } }),
    );
    expect(await hiddenFrom("anyone", workspace)).toEqual(ids(closed, below, opened, within));
  });

  test("is nothing of a workspace for members, but for the categories that are for everyone", async () => {
    const workspace = await aWorkspace();
    const [one, open] = [await aCategory(workspace), await aCategory(workspace)];
    await aCategory(workspace, { parentId: open.id });
    const other = await aWorkspace();
    await aCategory(other);
    await inWorkspace(workspace.id, async (db) => {
      await db.workspace.updateMany({ data: { visibility: "members" } });
      await db.category.updateMany({ where: { id: open.id }, data: { visibility: "everyone" } });
    });
    expect(await hiddenFrom("anyone", workspace)).toEqual(ids(one));
    expect(await hiddenFrom("member", workspace)).toEqual([]);
    expect(await hiddenFrom("anyone", other)).toEqual([]);
  });

  test("is known to a transaction that changes it, and to others once it has committed", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const closedIn = async (db: Db) => [...(await closedCategories(readingOf(db), workspace.id))];
    await inWorkspace(workspace.id, async (db) => {
      expect(await hiddenFrom("anyone", workspace)).toEqual([]);
      expect(await closedIn(db)).toEqual([]);
      await db.category.updateMany({ where: { id: category.id }, data: { visibility: "members" } });
      expect(await closedIn(db)).toEqual([category.id]);
      expect(await hiddenFrom("anyone", workspace)).toEqual([]);
    });
    expect(await hiddenFrom("anyone", workspace)).toEqual([category.id]);
    const undone = inWorkspace(workspace.id, async (db) => {
      await db.category.updateMany({ where: { id: category.id }, data: { visibility: "everyone" } });
      expect(await closedIn(db)).toEqual([]);
      throw new Error("It changed its mind.");
    });
    await expect(undone).rejects.toThrow("It changed its mind.");
    expect(await hiddenFrom("anyone", workspace)).toEqual([category.id]);
  });

  test("is kept separately for workspaces at the same version", async () => {
    const [closed, open] = [await aWorkspace(), await aWorkspace()];
    const category = await aCategory(closed);
    await aCategory(open);
    await inWorkspace(closed.id, (db) => db.category.updateMany({ data: { visibility: "members" } }));
    await inWorkspace(open.id, (db) => db.category.updateMany({ data: { description: "Otherwise" } }));
    const seenIn = (workspace: TestWorkspace) =>
      readAs(workspace, "anyone", async ({ read, hidden }) => ({ hidden, version: (await versionsOf(read))?.content }));
    const [first, second] = [await seenIn(closed), await seenIn(open)];
    expect(second.version).toBe(first.version);
    expect([first.hidden, second.hidden]).toEqual([[category.id], []]);
    // The second time, it is what was kept.
    const [again, other] = [await seenIn(closed), await seenIn(open)];
    expect(again).toEqual(first);
    expect(again.hidden).toBe(first.hidden);
    expect(other.hidden).toBe(second.hidden);
  });
});

describe("the version of what readers see", () => {
  const versionOf = async (workspace: TestWorkspace) => {
    const [row] = await acrossWorkspaces.query<{ version: string }>(
      "SELECT version FROM content_versions WHERE workspace_id = $1",
      [workspace.id],
    );
    return Number(row?.version);
  };

  test("changes once with each transaction that changes it, and not with others", async () => {
    const workspace = await aWorkspace();
    const other = await aWorkspace();
    const [before, theirs] = [await versionOf(workspace), await versionOf(other)];
    const category = await aCategory(workspace);
    expect(await versionOf(workspace)).toBe(before + 1);
    const article = await anArticle(workspace, { category });
    expect(await versionOf(workspace)).toBe(before + 2);
    const changes: Parameters<typeof inWorkspace>[1][] = [
      (db) => db.workspace.updateMany({ data: { name: "Otherwise" } }),
      (db) => db.member.updateMany({ data: { firstName: "Otherwise" } }),
      (db) => db.category.updateMany({ data: { description: "Otherwise" } }),
      (db) => db.article.updateMany({ where: { id: article.id }, data: { state: "draft" } }),
      (db) => db.articleLive.updateMany({ data: { title: "Otherwise" } }),
      (db) => db.tag.create({ data: { name: "Tag", nameFolded: "tag", articleTags: { create: { articleId: article.id, inLive: true, inDraft: true } } } }),
      (db) => db.tag.updateMany({ data: { name: "Otherwise" } }),
      (db) => db.redirect.create({ data: { fromPath: "/gone", kind: "gone" } }),
      (db) => db.article.deleteMany({ where: { id: article.id } }),
    ]; // biome-ignore format: a line each
    let version = await versionOf(workspace);
    for (const change of changes) {
      await inWorkspace(workspace.id, change);
      expect([String(change), await versionOf(workspace)]).toEqual([String(change), ++version]);
    }
    const silent: Parameters<typeof inWorkspace>[1][] = [
      (db) => db.member.updateMany({ data: { lastSeenAt: new Date() } }),
      (db) => db.workspace.updateMany({ data: { searchLogEnabled: false } }),
      (db) => db.search.create({ data: { term: "one", termFolded: "one", resultsCount: 0 } }),
    ];
    const another = await anArticle(workspace, { category });
    silent.push((db) => db.article.updateMany({ where: { id: another.id }, data: { uniqueViewsCount: 7 } }));
    version = await versionOf(workspace);
    for (const change of silent) {
      await inWorkspace(workspace.id, change);
      expect([String(change), await versionOf(workspace)]).toEqual([String(change), version]);
    }
    expect(await versionOf(other)).toBe(theirs);
  });

  test("is none that a transaction leaves behind which is rolled back, and holds nobody up before the end", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const other = await aCategory(workspace);
    const before = await versionOf(workspace);
    const rename = (id: string, then: () => Promise<unknown>) =>
      inWorkspace(workspace.id, async (db) => {
        await db.category.updateMany({ where: { id }, data: { name: `Renamed ${id}` } });
        await then();
      });
    await expect(rename(category.id, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await versionOf(workspace)).toBe(before);
    // The inner one ends while the outer one is open and has changed something too.
    await rename(category.id, () => rename(other.id, async () => {}));
    expect(await versionOf(workspace)).toBe(before + 2);
  });
});
