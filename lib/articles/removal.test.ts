import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { changeArticle } from "@/lib/articles/changes";
import { listDeletedArticles } from "@/lib/articles/deleted";
import { deleteArticles, forgetDeleted, restoreArticles } from "@/lib/articles/removal";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { createDraft } from "@/lib/drafts";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember } from "@/lib/members";
import { publishedArticle } from "@/lib/published-articles";
import { formerAddress } from "@/lib/published-redirects";
import type { GivenTarget } from "@/lib/redirects";
import type { Permission } from "@/lib/roles";
import { searchArticles } from "@/lib/search/search";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/lib/testing";
import { readAs } from "@/lib/visibility";

const home = "http://docs.localhost";

async function twoArticles() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const other = await anArticle(workspace, { category, title: "Invoices" });
  const { id } = await anArticle(workspace, {
    category,
    title: "Refunds",
    html: "<p>Refundword</p>",
    tags: ["Money"],
    relatedIds: [other.id],
  });
  return { workspace, category, id, other };
}

const remove = (workspace: TestWorkspace, ids: string[], to: GivenTarget = { kind: "gone" }) =>
  inWorkspace(workspace.id, (db) => deleteArticles(db, ids, to, home, workspace.actor));
const restore = (
  workspace: TestWorkspace,
  batch: string | string[],
  permissions: readonly Permission[] = ["articles.publish"],
) => inWorkspace(workspace.id, (db) => restoreArticles(db, batch, workspace.actor, permissions));
const seenBy = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (sight) => publishedArticle(sight, slug));
const leads = (workspace: TestWorkspace, path: string) =>
  readAs(workspace, "anyone", (sight) => formerAddress(sight, path));
const foundFor = async (workspace: TestWorkspace, word: string) =>
  (await readWorkspace(workspace.id, (read) => searchArticles(read, workspace.id, word, { limit: 5, offset: 0 })))
    .total;

/** Every row of an article, without what the search made of it. */
async function rowsOf(id: string): Promise<Record<string, unknown>> {
  const tables = [
    "articles",
    "article_live",
    "article_drafts",
    "article_versions",
    "article_tags",
    "article_attachments",
  ];
  const more = ["related_articles", "article_links", "article_views", "article_view_months", "feedback", "redirects"];
  const rows: Record<string, unknown> = {};
  for (const table of [...tables, ...more]) {
    const column = /^article(s|_live|_drafts)$/.test(table) ? "id" : "article_id";
    rows[table] = await acrossWorkspaces.query(`SELECT * FROM ${table} x WHERE ${column} = $1::uuid ORDER BY x::text`, [
      id,
    ]);
  }
  return rows;
}

test("a deleted article is gone for readers, and its addresses say so", async () => {
  const { workspace, id } = await twoArticles();
  await inWorkspace(workspace.id, (db) =>
    db.redirect.create({ data: { fromPath: "/articles/old", kind: "article", articleId: id } }),
  );
  expect(await remove(workspace, [id, randomUUID()])).toMatchObject({ deleted: [{ id, title: "Refunds" }] });
  expect([await seenBy(workspace, "refunds"), await foundFor(workspace, "refundword")]).toEqual([null, 0]);
  expect([await leads(workspace, "/articles/refunds"), await leads(workspace, "/articles/old")]).toEqual([
    "gone",
    "gone",
  ]);
  await expect(remove(workspace, [id])).rejects.toThrow(NotFoundError);
});

test("its addresses lead to what takes its place, which cannot be the article itself", async () => {
  const { workspace, id, other } = await twoArticles();
  await expect(remove(workspace, [id], { kind: "article", id })).rejects.toThrow(InvalidError);
  await remove(workspace, [id], { kind: "article", id: other.id });
  expect(await leads(workspace, "/articles/refunds")).toEqual({ moved: "/articles/invoices" });
});

test("an article that readers never saw leaves no address behind", async () => {
  const { workspace, id } = await twoArticles();
  const draft = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Never seen", authorId: workspace.admin.id }, workspace.actor),
  );
  const { slug } = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id: draft.id } }));
  expect(await remove(workspace, [draft.id, id])).toMatchObject({ deleted: [{}, {}] });
  expect(await leads(workspace, "/articles/refunds")).toBe("gone");
  expect(await leads(workspace, `/articles/${slug}`)).toBeNull();
});

test("undone, everything is as it was: texts, versions, tags, views, feedback and addresses", async () => {
  const { workspace, id, other } = await twoArticles();
  await inWorkspace(workspace.id, async (db) => {
    const viewerHash = new Uint8Array([1, 2, 3]);
    const day = new Date("2026-11-22");
    await db.articleDraft.create({
      data: { id, title: "Next", html: "<p>Next</p>", text: "Next", updatedBy: workspace.admin.id },
    });
    await db.articleView.create({ data: { articleId: id, day, viewerHash } });
    await db.articleViewMonth.create({ data: { articleId: id, month: new Date("2026-11-01"), views: 1 } });
    await db.feedback.create({ data: { articleId: id, day, viewerHash, helpful: false, reason: "Too short" } });
    await db.redirect.create({ data: { fromPath: "/articles/old", kind: "article", articleId: id } });
    await db.articleLink.create({ data: { articleId: id, kind: "link", href: "/x", inLive: true, inDraft: true } });
    await db.relatedArticle.create({ data: { articleId: other.id, relatedId: id, inLive: true, inDraft: true } });
  });
  const before = await rowsOf(id);
  const pointing = await rowsOf(other.id);
  const empty = Object.keys(before).filter((table) => (before[table] as unknown[]).length === 0);
  expect(empty).toEqual(["article_attachments"]);
  const { batch } = await remove(workspace, [id]);
  expect((await rowsOf(other.id)).related_articles).toEqual([]);
  expect(await restore(workspace, batch)).toEqual([{ id, title: "Refunds" }]);
  expect(await rowsOf(id)).toEqual(before);
  expect(await rowsOf(other.id)).toEqual(pointing);
  expect([await leads(workspace, "/articles/old"), await foundFor(workspace, "refundword")]).toEqual([
    { moved: "/articles/refunds" },
    1,
  ]);
  await expect(restore(workspace, batch)).rejects.toThrow(NotFoundError);
});

test("several come back together, also to another address and category where theirs are not free any more", async () => {
  const { workspace, category, id, other } = await twoArticles();
  const { batch } = await remove(workspace, [id, other.id]);
  const first = await aCategory(workspace, { name: "First" });
  await anArticle(workspace, { category: first, title: "Another", slug: "refunds" });
  await inWorkspace(workspace.id, (db) => db.category.deleteMany({ where: { id: category.id } }));
  await restore(workspace, batch);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ title: "Another" });
  expect(await seenBy(workspace, "refunds-2")).toMatchObject({
    title: "Refunds",
    categoryId: first.id,
    related: [{ id: other.id }],
  });
});

test("who may not publish brings back drafts, and nothing that readers would see", async () => {
  const { workspace, id } = await twoArticles();
  const draft = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Draft", authorId: workspace.admin.id }, workspace.actor),
  );
  const { batch } = await remove(workspace, [id, draft.id]);
  await expect(restore(workspace, batch, ["articles.write"])).rejects.toThrow("Readers would see “Refunds” again");
  expect(await seenBy(workspace, "refunds")).toBeNull();
  expect(await restore(workspace, batch)).toHaveLength(2);
  const { batch: drafts } = await remove(workspace, [draft.id]);
  expect(await restore(workspace, drafts, ["articles.write"])).toEqual([{ id: draft.id, title: "Draft" }]);
});

test("what leads elsewhere from its former address since goes on doing so", async () => {
  const { workspace, id } = await twoArticles();
  const draft = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Offers", authorId: workspace.admin.id }, workspace.actor),
  );
  const { batch } = await remove(workspace, [id, draft.id]);
  const to = { kind: "url", url: "https://shop.example.com/", categoryId: null, byHand: true };
  await inWorkspace(workspace.id, async (db) => {
    await db.redirect.create({ data: { fromPath: "/articles/offers", ...to } });
    await db.redirect.updateMany({ where: { fromPath: "/articles/refunds" }, data: to });
  });
  await restore(workspace, batch);
  for (const path of ["/articles/refunds", "/articles/offers"])
    expect(await leads(workspace, path)).toEqual({ moved: "https://shop.example.com/" });
  expect(await seenBy(workspace, "refunds-2")).toMatchObject({ title: "Refunds" });
});

test("what became due meanwhile waits where whoever brings it back may not publish", async () => {
  const { workspace } = await twoArticles();
  const { id: writer } = await inWorkspace(workspace.id, (db) =>
    createMember(db, { email: "w@example.com", firstName: "W", lastName: "W", role: "Collaborator" }, workspace.actor),
  );
  const ids = await inWorkspace(workspace.id, async (db) => {
    const made: string[] = [];
    for (const title of ["Due", "Later"]) {
      const { id } = await createDraft(db, { title, authorId: workspace.admin.id }, workspace.actor);
      const publishAt = new Date(Date.now() + (title === "Due" ? -1_000 : 3_600_000));
      await db.article.updateMany({ where: { id }, data: { publishAt } });
      made.push(id);
    }
    return made;
  });
  const { batch } = await remove(workspace, ids);
  const actor = { kind: "member", id: writer, name: "w@example.com" } as const;
  await inWorkspace(workspace.id, (db) => restoreArticles(db, batch, actor, ["articles.write"]));
  const held = await inWorkspace(workspace.id, (db) => db.article.findMany({ where: { id: { in: ids } } }));
  expect(Object.fromEntries(held.map(({ title, publishHeld }) => [title, publishHeld]))).toEqual({
    Due: true,
    Later: false,
  });
});

test("somebody who changes the address of a related article meanwhile waits for it, and not both for each other", async () => {
  const { workspace, id, other } = await twoArticles();
  const { batch } = await remove(workspace, [id]);
  const { back } = await inWorkspace(workspace.id, async (db) => {
    await db.$queryRaw`SELECT id FROM articles WHERE id = ${other.id}::uuid FOR UPDATE`;
    const restoring = restore(workspace, batch);
    restoring.catch(() => {});
    const waiting = () => db.$queryRaw<object[]>`
      SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    while ((await waiting()).length === 0);
    await changeArticle(db, other.id, { slug: "bills" }, workspace.actor);
    return { back: restoring };
  });
  expect(await back).toEqual([{ id, title: "Refunds" }]);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ related: [{ slug: "bills" }] });
});

test("however many views and versions there are, a deletion copies none of them, and they are forgotten after a day", async () => {
  const { workspace, id } = await twoArticles();
  await acrossWorkspaces.query(
    `INSERT INTO article_views (workspace_id, article_id, day, viewer_hash)
     SELECT $1, $2, current_date, decode(md5(n::text), 'hex') FROM generate_series(1, 12000) n`,
    [workspace.id, id],
    20,
  );
  const kept = async () =>
    acrossWorkspaces.query(
      `SELECT (SELECT count(*)::int FROM article_views WHERE article_id = $1::uuid) AS views,
         (SELECT count(*)::int FROM article_versions WHERE article_id = $1::uuid) AS versions,
         (SELECT length(rows::text) < 10000 FROM deleted_articles WHERE id = $1::uuid) AS "isSmall"`,
      [id],
    );
  const { batch } = await remove(workspace, [id]);
  expect(await kept()).toEqual([{ views: 12_000, versions: 1, isSmall: true }]);
  await forgetDeleted(workspace.id);
  await restore(workspace, batch);
  expect(await kept()).toEqual([{ views: 12_000, versions: 1, isSmall: null }]);
  await remove(workspace, [id]);
  await acrossWorkspaces.query(
    "UPDATE deleted_articles SET deleted_at = now() - interval '25 hours' WHERE id = $1::uuid",
    [id],
  );
  await forgetDeleted(workspace.id);
  expect(await kept()).toEqual([{ views: 0, versions: 0, isSmall: null }]);
});

test("what a server of before deleted comes back with its versions and views, at its address", async () => {
  const { workspace, id } = await twoArticles();
  await inWorkspace(workspace.id, (db) =>
    db.articleView.create({ data: { articleId: id, day: new Date("2026-11-22"), viewerHash: new Uint8Array([1]) } }),
  );
  const before = await rowsOf(id);
  const { batch } = await remove(workspace, [id]);
  for (const table of ["article_versions", "article_views"]) {
    await acrossWorkspaces.query(
      `UPDATE deleted_articles SET rows = rows || jsonb_build_object('${table}', (SELECT jsonb_agg(to_jsonb(x)) FROM ${table} x WHERE article_id = $1::uuid))
       WHERE id = $1::uuid`,
      [id],
    );
    await acrossWorkspaces.query(`DELETE FROM ${table} WHERE article_id = $1::uuid`, [id]);
  }
  // By the clock of the server, not at the time of the deletion.
  await acrossWorkspaces.query(
    "UPDATE redirects SET created_at = created_at + interval '1.2 seconds' WHERE workspace_id = $1 AND from_path = '/articles/refunds'",
    [workspace.id],
  );
  await restore(workspace, batch);
  expect(await rowsOf(id)).toEqual(before);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ title: "Refunds" });
});

test("rows that a server of before left of an article it deleted are forgotten, and no others", async () => {
  const { workspace, id, other } = await twoArticles();
  await remove(workspace, [other.id]);
  const gone = randomUUID();
  for (const articleId of [gone, id, other.id]) {
    await acrossWorkspaces.query(
      `INSERT INTO article_views (workspace_id, article_id, day, viewer_hash)
       SELECT $1, $2, current_date, decode(md5(n::text), 'hex') FROM generate_series(1, 6000) n`,
      [workspace.id, articleId],
      20,
    );
    await acrossWorkspaces.query(
      "INSERT INTO article_versions (workspace_id, article_id, number, kind, title, html) VALUES ($1, $2, 7, 'publish', 'x', 'x')",
      [workspace.id, articleId],
    );
  }
  await forgetDeleted(workspace.id);
  const left = await acrossWorkspaces.query(
    `SELECT article_id AS id, (SELECT count(*)::int FROM article_views w WHERE w.article_id = v.article_id) AS views
     FROM article_versions v WHERE workspace_id = $1 AND number = 7`,
    [workspace.id],
  );
  expect(left).toHaveLength(2);
  expect(left).toEqual(expect.arrayContaining([id, other.id].map((one) => ({ id: one, views: 6_000 }))));
});

test("after a day a deletion stays one, and nothing is kept of it", async () => {
  const { workspace, id } = await twoArticles();
  const { batch } = await remove(workspace, [id]);
  await acrossWorkspaces.query(
    "UPDATE deleted_articles SET deleted_at = now() - interval '25 hours' WHERE id = $1::uuid",
    [id],
  );
  await expect(restore(workspace, batch)).rejects.toThrow(NotFoundError);
  await forgetDeleted(workspace.id);
  expect(await acrossWorkspaces.query("SELECT FROM deleted_articles WHERE id = $1::uuid", [id])).toEqual([]);
});

test("another workspace neither deletes an article nor brings one back", async () => {
  const { workspace, id } = await twoArticles();
  const stranger = await aWorkspace();
  await expect(remove(stranger, [id])).rejects.toThrow(NotFoundError);
  const { batch } = await remove(workspace, [id]);
  await expect(restore(stranger, batch)).rejects.toThrow(NotFoundError);
  expect(await restore(workspace, batch)).toHaveLength(1);
});

test("what is deleted is listed with who deleted it and until when, and one of many is brought back alone", async () => {
  const { workspace, id, other } = await twoArticles();
  const listed = (search?: string) =>
    readWorkspace(workspace.id, (read) => listDeletedArticles(read, { search, limit: 10, offset: 0 }));
  expect(await listed()).toEqual({ articles: [], total: 0 });
  await remove(workspace, [id, other.id]);
  const { articles, total } = await listed();
  expect(articles.map(({ title, by, wasPublished }) => ({ title, by, wasPublished }))).toEqual(
    expect.arrayContaining([
      { title: "Refunds", by: "Ada Admin", wasPublished: true },
      { title: "Invoices", by: "Ada Admin", wasPublished: true },
    ]),
  );
  expect([total, (await listed("refu")).articles.map((one) => one.title)]).toEqual([2, ["Refunds"]]);
  for (const { deletedAt, until } of articles) expect(until.getTime() - deletedAt.getTime()).toBe(86_400_000);
  await expect(restore(workspace, [id], [])).rejects.toThrow(InvalidError);
  expect(await restore(workspace, [id])).toEqual([{ id, title: "Refunds" }]);
  expect((await listed()).articles.map((one) => one.id)).toEqual([other.id]);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ id });
  await expect(restore(workspace, [id])).rejects.toThrow(NotFoundError);
  await expect(restore(await aWorkspace(), [other.id])).rejects.toThrow(NotFoundError);
});

test("after a day nothing is listed any more", async () => {
  const { workspace, id } = await twoArticles();
  await remove(workspace, [id]);
  await acrossWorkspaces.query(
    "UPDATE deleted_articles SET deleted_at = deleted_at - interval '25 hours' WHERE id = $1::uuid RETURNING id",
    [id],
  );
  expect((await readWorkspace(workspace.id, (read) => listDeletedArticles(read, { limit: 10, offset: 0 }))).total).toBe(
    0,
  );
});
