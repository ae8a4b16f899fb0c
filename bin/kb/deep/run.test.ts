import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tagArticles } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { deleteArticles } from "@/lib/articles/removal";
import { saveDraft } from "@/lib/articles/save-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { storeUpload } from "@/lib/uploads/uploads";
import { kbWith } from "@/testing/kb";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";
import { checkDeeply } from "./run";

vi.setConfig({ testTimeout: 60_000 });

/** Without foreign keys and triggers, as a broken disk or a hand would write. */
let owner: Client;

beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  await owner.query("SET session_replication_role = replica");
});
afterAll(() => owner.end());

/** A workspace with some of everything: published articles with and without a waiting draft, an unpublished one and a deleted one. */
async function aWorld() {
  const workspace = await aWorkspace();
  const top = await aCategory(workspace, { name: "Guides" });
  const category = await aCategory(workspace, { name: "Money", parentId: top.id });
  const file = { filename: "form.csv", content: Buffer.from("a;b\n"), by: null, kind: "attachment" } as const;
  const upload = await storeUpload(workspace.id, file);
  const plain = await anArticle(workspace, { category, title: "Invoices" });
  const html = '<h2>Refunds</h2><p>See <a href="/articles/invoices">invoices</a>.</p>';
  const rich = { html, tags: ["Cash"], relatedIds: [plain.id], attachmentIds: [upload.id] };
  const full = await anArticle(workspace, { category, title: "Refunds", slug: "former", ...rich });
  await anArticle(workspace, { category, ...full, ...rich, slug: "refunds" });
  const waiting = await anArticle(workspace, { category, title: "Waiting", ...rich });
  const gone = await anArticle(workspace, { category, title: "Gone" });
  const { admin, actor } = workspace;
  const save = async (id: string, text: { html: string }) => {
    const now = await readWorkspace(workspace.id, (read) => openDraft(read, id));
    if (!now) throw new Error("No such article.");
    const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
    await inWorkspace(workspace.id, (db) =>
      saveDraft(db, id, now.revision, draft, { kind: "member", id: admin.id }, true),
    );
  };
  await save(waiting.id, { html: "<p>Newer.</p>" });
  const { id: draft } = await inWorkspace(workspace.id, (db) =>
    createDraft(db, { title: "Draft", authorId: admin.id, categoryId: category.id }, actor),
  );
  await save(draft, { html: "<p>One.</p>" });
  await save(draft, { html: "<p>Two.</p>" });
  await inWorkspace(workspace.id, async (db) => {
    await tagArticles(db, [full.id], "Later", actor);
    await deleteArticles(db, [gone.id], { kind: "gone" }, "", actor);
    await db.articleViewMonth.create({ data: { articleId: full.id, month: new Date("2026-11-01"), views: 2 } });
    await db.article.updateMany({ where: { id: full.id }, data: { uniqueViewsCount: 2 } });
  });
  const ids = {
    plain: plain.id,
    full: full.id,
    waiting: waiting.id,
    gone: gone.id,
    draft,
    top: top.id,
    category: category.id,
  };
  return { workspace, ids: { ...ids, upload: upload.id, workspace: workspace.id } };
}
type World = Awaited<ReturnType<typeof aWorld>>;

/** The checks that found something, with the ids that are ours. */
async function found({ workspace, ids }: World) {
  const names = new Map(Object.entries(ids).map(([name, id]) => [`${workspace.subdomain} ${id}`, name]));
  const findings = await checkDeeply(workspace);
  return Object.fromEntries(
    findings
      .filter(({ count, ids: [first] }) => count > 0 && first?.startsWith(workspace.subdomain))
      .map((finding) => [finding.name, finding.ids.map((id) => names.get(id) ?? "another").sort()]),
  );
}

test("nothing is found in a workspace that only the product has written to", async () => {
  expect(await found(await aWorld())).toEqual({});
});

const search = "search finds every article by its current text";
const derived = "text, headings, and links of articles match their HTML";
const parts =
  "tags, attachments, related articles, and links are live in published articles only, and the same on both sides without a draft";
const numbers = "every article is in the list of changes, with a valid number";
const versions = "versions are numbered without gaps";
const of = "WHERE workspace_id = $workspace";

describe.concurrent.each<[string, string, Record<string, string[]>]>([
  [
    "a published article without live text",
    `DELETE FROM article_live ${of} AND id = $plain`,
    { "published articles have live text, and no others do": ["plain"] },
  ],
  [
    "live text of an unpublished article",
    `UPDATE articles SET state = 'draft' ${of} AND id = $waiting`,
    {
      "published articles have live text, and no others do": ["waiting"],
      [parts]: ["waiting"],
      [search]: ["waiting"],
    },
  ],
  [
    "an unpublished article without a draft",
    `DELETE FROM article_drafts ${of} AND id = $draft`,
    { "unpublished articles have a draft": ["draft"] },
  ],
  [
    "a draft that equals the live text",
    `WITH t AS (UPDATE article_drafts d SET title = l.title, html = l.html, text = l.text, headings = l.headings FROM article_live l
       WHERE l.workspace_id = d.workspace_id AND l.id = d.id AND d.workspace_id = $workspace AND d.id = $waiting)
     UPDATE article_links SET in_live = true, in_draft = true ${of} AND article_id = $waiting`,
    { "drafts of published articles differ from the live text": ["waiting"] },
  ],
  [
    "a title that is not the text's",
    `UPDATE articles SET title = 'Other' ${of} AND id = $draft`,
    { "articles have the same title as their text": ["draft"] },
  ],
  [
    "a tag that only the draft lacks, though there is none",
    `UPDATE article_tags SET in_draft = false ${of} AND article_id = $full AND position = 0`,
    { [parts]: ["full"] },
  ],
  [
    "a tag that is gone",
    `DELETE FROM tags ${of} AND name = 'Later'`,
    { "tags, attachments, and related articles refer to things that exist": ["another"] },
  ],
  [
    "a related article that is gone",
    `UPDATE related_articles SET related_id = $gone ${of} AND article_id = $full`,
    { "tags, attachments, and related articles refer to things that exist": ["another"] },
  ],
  [
    "a lost version",
    `DELETE FROM article_versions ${of} AND article_id = $draft AND number = 1`,
    { [versions]: ["draft"] },
  ],
  [
    "a lost version after fifty autosaves, of which the oldest were deleted",
    `DELETE FROM article_versions ${of} AND article_id = $draft;
     INSERT INTO article_versions (workspace_id, article_id, number, kind, title, html)
     SELECT $workspace, $draft, n, CASE WHEN n IN (1, 15) THEN 'publish' ELSE 'autosave' END, '', '' FROM generate_series(1, 62) n
     WHERE n = 1 OR n BETWEEN 11 AND 62 AND n <> 15`,
    { [versions]: ["draft"] },
  ],
  [
    "live text that no version has",
    `UPDATE article_versions SET html = '' ${of} AND article_id = $plain`,
    { "every live text is kept as a version": ["plain"] },
  ],
  [
    "versions of an article that is no longer in the trash",
    `DELETE FROM trash ${of} AND id = $gone`,
    { "versions, views, and feedback belong to an article or to the trash": ["gone"] },
  ],
  [
    "an article in the trash and in use",
    `INSERT INTO trash (workspace_id, id, kind, batch, title, rows, deleted_by_name, until)
     VALUES ($workspace, $plain, 'article', $plain, 'x', '{}', 'x', now())`,
    { "nothing is both in the trash and in use": ["plain"] },
  ],
  [
    "two categories below each other",
    `UPDATE categories SET parent_id = $category ${of} AND id = $top`,
    { "categories form a tree of at most 6 levels": ["category", "top"] },
  ],
  [
    "a category that is gone",
    `DELETE FROM categories ${of} AND id = $top`,
    { "categories form a tree of at most 6 levels": ["category"] },
  ],
  [
    "an article of a category that is gone",
    `UPDATE articles SET category_id = $gone ${of} AND id = $plain`,
    { "articles are in a category and have an author": ["plain"] },
  ],
  [
    "a change without a number",
    `UPDATE article_changes SET number = NULL ${of} AND id = $plain`,
    { [numbers]: ["plain"] },
  ],
  [
    "a change with a number that was never given",
    `UPDATE article_changes SET number = 1000 ${of} AND id = $full`,
    { [numbers]: ["full"] },
  ],
  [
    "an article that the list of changes lacks",
    `DELETE FROM article_changes ${of} AND id = $plain`,
    { [numbers]: ["plain"] },
  ],
  [
    "an article that the list of changes calls deleted",
    `UPDATE article_changes SET deleted = true ${of} AND id = $plain`,
    { [numbers]: ["plain"] },
  ],
  [
    "a deleted article that the list of changes calls present",
    `UPDATE article_changes SET deleted = false ${of} AND id = $gone`,
    { [numbers]: ["gone"] },
  ],
  [
    "a workspace that counts no changes",
    `UPDATE content_versions SET workspace_id = gen_random_uuid() ${of}`,
    { [numbers]: expect.any(Array), "every workspace counts its changes": ["workspace"] },
  ],
  [
    "a redirect to an article that is gone",
    `UPDATE redirects SET article_id = $gone ${of} AND from_path = '/articles/former'`,
    { "redirects to articles and categories have a destination that exists": ["another"] },
  ],
  [
    "a redirect from the URL of a published article",
    `UPDATE redirects SET from_path = '/articles/refunds' ${of} AND from_path = '/articles/former'`,
    { "no redirect hides a page": ["another"] },
  ],
  [
    "views that were not added up",
    `UPDATE articles SET unique_views_count = 1 ${of} AND id = $full`,
    { "view counts are complete": ["full"] },
  ],
  [
    "a day's views that the month lacks",
    `INSERT INTO article_views (workspace_id, article_id, day, viewer_hash) VALUES ($workspace, $plain, current_date, '\\x01')`,
    { "view counts are complete": ["plain"] },
  ],
  [
    "a bulk action that ended before its end",
    `INSERT INTO bulk_actions (workspace_id, id, action, state, ids, done, created_by_name)
     VALUES ($workspace, $plain, 'moved', 'done', ARRAY[$plain], 0, 'x')`,
    { "bulk actions, imports, and exports report no more progress than they have items": ["plain"] },
  ],
  ["a missing search document", `DELETE FROM search_documents ${of} AND id = $plain`, { [search]: ["plain"] }],
  [
    "a search document of a former text",
    `UPDATE search_documents d SET words = o.words FROM search_documents o
     WHERE d.workspace_id = $workspace AND d.id = $draft AND o.workspace_id = $workspace AND o.id = $plain`,
    { [search]: ["draft"] },
  ],
  ["a word that corrections lack", `DELETE FROM search_words ${of} AND word = 'waiting'`, { [search]: ["waiting"] }],
  ["a lost link", `DELETE FROM article_links ${of} AND article_id = $full`, { [derived]: ["full"] }],
  [
    "a text that is not the HTML's",
    `UPDATE article_drafts SET html = '<p>Three.</p>' ${of} AND id = $draft`,
    { [derived]: ["draft"] },
  ],
  [
    "a tag that is not found by its name",
    `UPDATE tags SET name_folded = 'x' ${of} AND name = 'Cash'`,
    { "tags are found by their names": ["another"] },
  ],
])("%s", (_, sql, expected) => {
  test("is found, and nothing else", async () => {
    const world = await aWorld();
    const ids: Record<string, string> = world.ids;
    await owner.query(sql.replace(/\$([a-z]+)/g, (_, name: string) => `'${ids[name]}'::uuid`));
    const inOrder = Object.entries(expected).map(([name, wrong]) => [
      name,
      Array.isArray(wrong) ? [...wrong].sort() : wrong,
    ]);
    expect(await found(world)).toEqual(Object.fromEntries(inOrder));
  });
});

test.each([
  ["missing", (path: string) => rm(path)],
  ["cut off", async (path: string) => (await import("node:fs/promises")).truncate(path, 3)],
])("an upload whose file is %s is found", async (_, spoil) => {
  const world = await aWorld();
  const { rows } = await owner.query<{ key: string }>("SELECT storage_key AS key FROM uploads WHERE id = $1", [
    world.ids.upload,
  ]);
  await spoil(join(env().dataDir, "uploads", String(rows[0]?.key)));
  expect(await found(world)).toEqual({ "every upload has its whole file": ["upload"] });
});

test("a running bulk action without a job, and a waiting job about nothing, are found", async () => {
  const { workspace, ids } = await aWorld();
  await owner.query(
    `INSERT INTO bulk_actions (workspace_id, id, action, state, ids, created_by_name) VALUES ($1, $2, 'moved', 'running', ARRAY[$2::uuid], 'x')`,
    [workspace.id, ids.plain],
  );
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id::text FROM graphile_worker.add_job('bulk_action', json_build_object('workspace_id', $1::text, 'payload', json_build_object('actionId', $2::text)),
       run_at := now() - interval '1 hour')`,
    [workspace.id, ids.gone],
  );
  // Other tests have jobs, too.
  const findings = new Map((await checkDeeply(workspace)).map(({ name, ids }) => [name, ids]));
  expect(findings.get("running bulk actions, imports, and exports have a job")).toContain(ids.plain);
  expect(findings.get("waiting jobs refer to things that exist")).toContain(rows[0]?.id);
});

test("the command says how many, which and what to do, and ends with 1", async () => {
  const { workspace, ids } = await aWorld();
  await owner.query("DELETE FROM search_documents WHERE workspace_id = $1 AND id = $2", [workspace.id, ids.plain]);
  const { out, code } = await kbWith(
    { DATABASE_URL: String(process.env.DATABASE_URL), DATA_DIR: String(process.env.DATA_DIR) },
    ...["doctor", "--deep", "--workspace", workspace.subdomain],
  );
  expect(out).toContain("ok       every live text is kept as a version\n");
  expect(out).toContain(
    `problem  ${search}: 1 (${workspace.subdomain} ${ids.plain}). Run "npm run kb -- reindex --all".\n`,
  );
  expect(code).toBe(1);
});
