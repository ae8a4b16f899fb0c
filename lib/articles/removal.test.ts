import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { changeArticle } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { listAuditEntries, listAuditItems } from "@/lib/audit/audit-log";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember } from "@/lib/members/members";
import type { Permission } from "@/lib/members/roles";
import { formerAddress } from "@/lib/reader/former-address";
import { publishedArticle } from "@/lib/reader/published-articles";
import type { RequestedTarget } from "@/lib/redirects/redirects";
import { searchArticles } from "@/lib/search/search";
import { listTrash, purgeTrash } from "@/lib/trash/trash";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

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

const remove = (workspace: TestWorkspace, ids: string[], to: RequestedTarget = { kind: "gone" }) =>
  inWorkspace(workspace.id, (db) => deleteArticles(db, ids, to, home, workspace.actor));
const restore = (
  workspace: TestWorkspace,
  batch: string | string[],
  permissions: readonly Permission[] = ["articles.publish"],
) => inWorkspace(workspace.id, (db) => restoreArticles(db, batch, workspace.actor, permissions));
const seenBy = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (snapshot) => publishedArticle(snapshot, slug));
const leads = (workspace: TestWorkspace, path: string) =>
  readAs(workspace, "anyone", (snapshot) => formerAddress(snapshot, path));
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
  expect(await restore(workspace, batch)).toEqual([{ id, title: "Refunds", slug: "refunds", isNewSlug: false }]);
  expect(await rowsOf(id)).toEqual(before);
  expect(await rowsOf(other.id)).toEqual(pointing);
  expect([await leads(workspace, "/articles/old"), await foundFor(workspace, "refundword")]).toEqual([
    { moved: "/articles/refunds" },
    1,
  ]);
  await expect(restore(workspace, batch)).rejects.toThrow(NotFoundError);
});

test("several are restored together, with another slug and category if theirs are gone", async () => {
  const { workspace, category, id, other } = await twoArticles();
  const { batch } = await remove(workspace, [id, other.id]);
  const first = await aCategory(workspace, { name: "First" });
  await anArticle(workspace, { category: first, title: "Another", slug: "refunds" });
  await inWorkspace(workspace.id, (db) => db.category.deleteMany({ where: { id: category.id } }));
  expect(await restore(workspace, batch)).toEqual(
    expect.arrayContaining([
      { id, title: "Refunds", slug: "refunds-2", isNewSlug: true },
      { id: other.id, title: "Invoices", slug: "invoices", isNewSlug: false },
    ]),
  );
  expect(await seenBy(workspace, "refunds")).toMatchObject({ title: "Another" });
  expect(await seenBy(workspace, "refunds-2")).toMatchObject({
    title: "Refunds",
    categoryId: first.id,
    // The chosen article, then one of the same category.
    related: [{ id: other.id }, { title: "Another" }],
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
  expect(await restore(workspace, drafts, ["articles.write"])).toMatchObject([{ id: draft.id, title: "Draft" }]);
});

test("a newer redirect from its former URL is kept", async () => {
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

test("a schedule that became due in between is on hold if the restoring member can't publish", async () => {
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

test("a concurrent slug change of a related article waits, without a deadlock", async () => {
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
  expect(await back).toMatchObject([{ id, title: "Refunds" }]);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ related: [{ slug: "bills" }] });
});

test("an article that is related to others comes back as these are now", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const related = await anArticle(workspace, { category, title: "Related" });
  const inCategory = { category, relatedIds: [related.id] };
  const draft = await anArticle(workspace, { ...inCategory, title: "Draft", state: "draft" });
  const published = await anArticle(workspace, { ...inCategory, title: "Published" });
  const { batch } = await remove(workspace, [related.id]);
  await publishArticles(workspace.id, [draft.id], workspace.actor);
  await unpublishArticles(workspace.id, [published.id], workspace.actor);
  await restore(workspace, batch);
  // Published without it.
  expect((await rowsOf(draft.id)).related_articles).toEqual([]);
  expect((await rowsOf(published.id)).related_articles).toMatchObject([{ in_live: false, in_draft: true }]);
});

const expire = async (id: string) =>
  expect(
    await acrossWorkspaces.query(
      "UPDATE trash SET until = now() - interval '1 hour' WHERE id = $1::uuid RETURNING id",
      [id],
    ),
  ).toHaveLength(1);

test("a deletion copies no views, versions or feedback, however many there are, and they are purged when its time ends", async () => {
  const { workspace, id, other } = await twoArticles();
  for (const table of ["article_views", "feedback"]) {
    await acrossWorkspaces.query(
      `INSERT INTO ${table} (workspace_id, article_id, day, viewer_hash ${table === "feedback" ? ", helpful" : ""})
       SELECT $1, $2, current_date, decode(md5(n::text), 'hex') ${table === "feedback" ? ", true" : ""} FROM generate_series(1, 6000) n`,
      [workspace.id, id],
      20,
    );
  }
  const kept = async (articleId = id) =>
    acrossWorkspaces.query(
      `SELECT (SELECT count(*)::int FROM article_views WHERE article_id = $1::uuid) AS views,
         (SELECT count(*)::int FROM article_versions WHERE article_id = $1::uuid) AS versions,
         (SELECT count(*)::int FROM feedback WHERE article_id = $1::uuid) AS feedback,
         (SELECT length(rows::text) < 10000 FROM trash WHERE id = $1::uuid) AS "isSmall"`,
      [articleId],
    );
  const { batch } = await remove(workspace, [id]);
  expect(await kept()).toEqual([{ views: 6_000, versions: 1, feedback: 6_000, isSmall: true }]);
  await purgeTrash(workspace.id);
  await restore(workspace, batch);
  expect(await kept()).toEqual([{ views: 6_000, versions: 1, feedback: 6_000, isSmall: null }]);
  await remove(workspace, [id]);
  await remove(workspace, [other.id]);
  await expire(id);
  await purgeTrash(workspace.id);
  expect(await kept()).toEqual([{ views: 0, versions: 0, feedback: 0, isSmall: null }]);
  expect(await kept(other.id)).toEqual([{ views: 0, versions: 1, feedback: 0, isSmall: true }]);
});

test("articles that are too long together are deleted one at a time", async () => {
  const { workspace, id, other } = await twoArticles();
  await acrossWorkspaces.query(
    "UPDATE article_live SET rendered_html = repeat('long ', 4100000) WHERE id = $1::uuid RETURNING id",
    [id],
  );
  await expect(remove(workspace, [id, other.id])).rejects.toThrow("too long to delete together");
  expect(await seenBy(workspace, "refunds")).toMatchObject({ id });
  await remove(workspace, [id]);
  expect((await remove(workspace, [other.id])).deleted).toHaveLength(1);
});

test("after its time a deletion stays one, and nothing is kept of it", async () => {
  const { workspace, id } = await twoArticles();
  const { batch } = await remove(workspace, [id]);
  await expire(id);
  await expect(restore(workspace, batch)).rejects.toThrow(NotFoundError);
  expect(
    (await readWorkspace(workspace.id, (read) => listTrash(read, { kinds: ["article"], limit: 10, offset: 0 }))).total,
  ).toBe(0);
  await purgeTrash(workspace.id);
  expect(await acrossWorkspaces.query("SELECT FROM trash WHERE id = $1::uuid", [id])).toEqual([]);
});

test("another workspace neither deletes an article nor brings one back", async () => {
  const { workspace, id } = await twoArticles();
  const stranger = await aWorkspace();
  await expect(remove(stranger, [id])).rejects.toThrow(NotFoundError);
  const { batch } = await remove(workspace, [id]);
  await expect(restore(stranger, batch)).rejects.toThrow(NotFoundError);
  expect(await restore(workspace, batch)).toHaveLength(1);
});

test("one of several articles that were deleted together is restored alone", async () => {
  const { workspace, id, other } = await twoArticles();
  await remove(workspace, [id, other.id]);
  await expect(restore(workspace, [id], [])).rejects.toThrow(InvalidError);
  expect(await restore(workspace, [id])).toMatchObject([{ id, title: "Refunds" }]);
  expect(await seenBy(workspace, "refunds")).toMatchObject({ id });
  expect(await seenBy(workspace, "invoices")).toBeNull();
  await expect(restore(workspace, [id])).rejects.toThrow(NotFoundError);
  await expect(restore(await aWorkspace(), [other.id])).rejects.toThrow(NotFoundError);
});

test("several articles restored together are one audit entry, with each article as an item", async () => {
  const { workspace, id, other } = await twoArticles();
  await remove(workspace, [id]);
  await remove(workspace, [other.id]);
  await restore(workspace, [id, other.id]);
  const filter = { subject: "article", timeZone: "UTC" };
  const logged = await readWorkspace(workspace.id, (read) => listAuditEntries(read, filter, { limit: 20 }));
  const restored = logged.entries.filter(({ action }) => action.endsWith("restored"));
  expect(restored).toMatchObject([
    { action: "articles.restored", subject: { name: "2 articles" }, details: { articles: 2 } },
  ]);
  const { items } = await readWorkspace(workspace.id, (read) =>
    listAuditItems(read, restored[0]?.id ?? "", { limit: 20, offset: 0 }),
  );
  expect(items.map(({ name, there }) => [name, there])).toEqual([
    ["Invoices", true],
    ["Refunds", true],
  ]);
});
