import { expect, test } from "vitest";
import { listAuthors, listWrittenArticles, type WrittenFilter } from "@/lib/articles/list";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { schedulePublishing } from "@/lib/articles/schedule";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

async function several() {
  const workspace = await aWorkspace();
  const top = await aCategory(workspace, { name: "Top" });
  const below = await aCategory(workspace, { name: "Below", parentId: top.id });
  const read = await anArticle(workspace, {
    category: top,
    title: "Read",
    tags: ["Money"],
    html: "<p>Bordeaux</p>",
    updatedAt: new Date("2026-01-03"),
  });
  const unread = await anArticle(workspace, { category: below, title: "Unread", updatedAt: new Date("2026-01-02") });
  const draft = await anArticle(workspace, {
    category: below,
    title: "Draft",
    state: "draft",
    html: "<p>Bordeaux too</p>",
    updatedAt: new Date("2026-01-01"),
  });
  await inWorkspace(workspace.id, async (db) => {
    await db.article.updateMany({ where: { id: read.id }, data: { uniqueViewsCount: 4 } });
    const viewerHash = new Uint8Array([1]);
    await db.feedback.create({ data: { articleId: read.id, day: new Date(), viewerHash, helpful: true } });
  });
  /** @param total of all matches, by default the number of those in the answer */
  const list = async (filter: WrittenFilter, page = {}, total?: number) => {
    const answer = await readWorkspace(workspace.id, (one) =>
      listWrittenArticles(one, workspace.id, filter, { limit: 9, offset: 0, ...page }),
    );
    expect(answer.total).toBe(total ?? answer.articles.length);
    return answer.articles.map(({ title }) => title);
  };
  return { workspace, top, below, read, unread, draft, list };
}

test("articles are listed by what is asked of them", async () => {
  const { workspace, top, below, list } = await several();
  expect(await list({})).toEqual(["Read", "Unread", "Draft"]);
  expect(await list({ state: "draft" })).toEqual(["Draft"]);
  expect(await list({ state: "published" })).toEqual(["Read", "Unread"]);
  expect(await list({ categoryId: top.id })).toEqual(["Read", "Unread", "Draft"]);
  expect(await list({ categoryId: below.id })).toEqual(["Unread", "Draft"]);
  expect(await list({ authorId: workspace.admin.id, state: "published" })).toEqual(["Read", "Unread"]);
  expect(await list({ authorId: workspace.id })).toEqual([]);
  expect(await list({ without: "views" })).toEqual(["Unread"]);
  expect(await list({ without: "feedback" })).toEqual(["Unread"]);
  expect(await list({ search: "bordeaux" })).toEqual(["Read", "Draft"]);
  expect(await list({ search: "bordeaux", state: "draft" })).toEqual(["Draft"]);
  expect(await list({ search: "?!" })).toEqual([]);
  expect(await list({ categoryId: "none" })).toEqual([]);
  const tag = await inWorkspace(workspace.id, (db) => db.tag.findFirstOrThrow());
  expect(await list({ tagId: tag.id })).toEqual(["Read"]);
  expect((await readWorkspace(workspace.id, listAuthors)).map(({ name }) => name)).toEqual(["Ada Admin"]);
});

test("in the order that is asked for, a page at a time", async () => {
  const { list } = await several();
  expect(await list({}, { sort: "title" })).toEqual(["Draft", "Read", "Unread"]);
  expect(await list({}, { sort: "title", backwards: true })).toEqual(["Unread", "Read", "Draft"]);
  expect((await list({}, { sort: "views" }))[0]).toBe("Read");
  expect(await list({}, { sort: "title", limit: 1, offset: 1 }, 3)).toEqual(["Read"]);
  expect(await list({ state: "published" }, { limit: 1 }, 2)).toEqual(["Read"]);
  expect(await list({ search: "bordeaux" }, { limit: 1, offset: 1 }, 2)).toEqual(["Draft"]);
});

test("what waits for publishing is told, and comes first as the last that was changed", async () => {
  const { workspace, unread, list } = await several();
  await inWorkspace(workspace.id, async (db) => {
    const now = await openDraft((sql, values = []) => db.$queryRawUnsafe(sql, ...values), unread.id);
    if (now)
      await saveDraft(
        db,
        unread.id,
        now.revision,
        await preparedDraft(workspace.id, { ...now.text, html: "<p>New</p>" }),
        workspace.actor,
      );
    await schedulePublishing(db, unread.id, new Date(Date.now() + 60_000), workspace.actor);
  });
  expect(await list({})).toEqual(["Unread", "Read", "Draft"]);
  expect([await list({ state: "changed" }), await list({ state: "scheduled" })]).toEqual([["Unread"], ["Unread"]]);
  const { articles } = await readWorkspace(workspace.id, (read) =>
    listWrittenArticles(read, workspace.id, { state: "changed" }, { limit: 1, offset: 0 }),
  );
  expect(articles[0]).toMatchObject({ author: "Ada Admin", editor: "Ada Admin" });
  await inWorkspace(workspace.id, (db) =>
    db.article.updateMany({ where: { id: unread.id }, data: { publishHeld: true } }),
  );
  expect([await list({ state: "held" }), await list({ state: "scheduled" })]).toEqual([["Unread"], []]);
});
