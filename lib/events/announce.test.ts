import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { giveFeedback } from "@/lib/analytics/feedback";
import { startBulkAction, workBulkAction } from "@/lib/articles/bulk";
import { changeArticle, moveArticles, tagArticles } from "@/lib/articles/changes";
import { createDraft, discardDraft } from "@/lib/articles/drafts";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { undoBulkAction } from "@/lib/articles/undo";
import type { Actor } from "@/lib/audit/audit";
import { listAuditEntries } from "@/lib/audit/audit-log";
import { createCategory, updateCategory } from "@/lib/categories/changes";
import { placeArticle, placeCategory } from "@/lib/categories/places";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { listCategoryTree } from "@/lib/categories/tree";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { auditEvent, everyEvent } from "@/lib/events/events";
import { inviteMembers } from "@/lib/members/invitations";
import { createMember, updateMember } from "@/lib/members/members";
import { createRole, permissions } from "@/lib/members/roles";
import { createEndpoint, deleteEndpoint, switchEndpoint } from "@/lib/webhooks/endpoints";
import { aFolder, importing, write } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

/** All events except the entries of the audit log, which accompany nearly every other event. */
const ofThings = everyEvent.filter((event) => event !== auditEvent);

async function anEndpoint(workspace: TestWorkspace, events: readonly string[] = ofThings): Promise<string> {
  const fields = { url: "https://hooks.example.com/in", description: "", events };
  return (await inWorkspace(workspace.id, (db) => createEndpoint(db, workspace.id, fields, workspace.actor))).id;
}

/** The stored webhooks since the last call, and whether a job was queued for them. */
async function sent(workspace: TestWorkspace): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await inWorkspace(
    workspace.id,
    (db) => db.$queryRaw<{ body: string }[]>`
      WITH gone AS (DELETE FROM webhook_deliveries RETURNING body, created_at)
      SELECT body FROM gone ORDER BY created_at`,
  );
  return rows.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> });
}
const typesOf = async (workspace: TestWorkspace) => (await sent(workspace)).map(({ type }) => type).sort();
const within = <T>(workspace: TestWorkspace, work: (db: Db) => Promise<T>) => inWorkspace(workspace.id, work);

test("an article's events say its id, URL, state, category, who did it and where the API has it", async () => {
  const workspace = await aWorkspace();
  const { subdomain, actor, admin } = workspace;
  const category = await aCategory(workspace);
  await anEndpoint(workspace);
  const by = { kind: "member", id: admin.id };
  const home = `http://${subdomain}.localhost:3000`;
  const { id } = await within(workspace, (db) => createDraft(db, { title: "Refunds", authorId: admin.id }, actor));
  const [created, ...others] = await sent(workspace);
  expect(others).toEqual([]);
  const data = {
    ...{ id, slug: "refunds", url: `${home}/articles/refunds`, state: "draft", category_id: category.id },
    ...{ api_url: `${home}/api/external/v2/articles/${id}`, actor: by },
  };
  expect(created).toEqual({
    type: "article.created",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data,
  });
  await publishArticles(workspace.id, [id], actor);
  expect(await sent(workspace)).toMatchObject([{ type: "article.published", data: { ...data, state: "published" } }]);
  await unpublishArticles(workspace.id, [id], actor);
  expect(await sent(workspace)).toMatchObject([{ type: "article.unpublished", data }]);
  await within(workspace, (db) => changeArticle(db, id, { slug: "returns" }, actor));
  expect(await sent(workspace)).toMatchObject([
    { type: "article.updated", data: { slug: "returns", url: `${home}/articles/returns` } },
  ]);
  const key: Actor = { kind: "api_key", id: workspace.key.id, name: "test" };
  await within(workspace, (db) => deleteArticles(db, [id], { kind: "gone" }, home, key));
  expect(await sent(workspace)).toMatchObject([
    {
      type: "article.deleted",
      data: { id, slug: "returns", state: "deleted", category_id: null, actor: { kind: "api_key", id: key.id } },
    },
  ]);
  await within(workspace, (db) => restoreArticles(db, [id], actor, permissions));
  expect(await sent(workspace)).toMatchObject([
    { type: "article.restored", data: { ...data, slug: "returns", url: `${home}/articles/returns` } },
  ]);
});

test("moving and changing are two events, tags change an article, and undoing says what it led to", async () => {
  const workspace = await aWorkspace();
  const { actor, admin } = workspace;
  const [one, other] = [await aCategory(workspace), await aCategory(workspace)];
  const { id } = await anArticle(workspace, { category: one });
  await anEndpoint(workspace);
  const changes = { categoryId: other.id, slug: "elsewhere" };
  await within(workspace, (db) => changeArticle(db, id, changes, actor));
  expect(await typesOf(workspace)).toEqual(["article.moved", "article.updated"]);
  await within(workspace, (db) => moveArticles(db, [id], one.id, actor));
  expect(await typesOf(workspace)).toEqual(["article.moved"]);
  await within(workspace, (db) => tagArticles(db, [id], "new", actor));
  expect(await typesOf(workspace)).toEqual(["article.updated"]);
  const batch = randomUUID();
  await unpublishArticles(workspace.id, [id], actor, { undo: batch });
  expect(await typesOf(workspace)).toEqual(["article.unpublished"]);
  await undoBulkAction(workspace.id, batch, actor, permissions);
  expect(await typesOf(workspace)).toEqual(["article.published"]);
  const draft = await within(workspace, (db) => createDraft(db, { title: "Empty", authorId: admin.id }, actor));
  await within(workspace, (db) => discardDraft(db, draft.id, actor));
  expect(await typesOf(workspace)).toEqual(["article.created", "article.deleted"]);
});

test("a bulk action sends an event for each article, and restoring several too", async () => {
  const workspace = await aWorkspace();
  const { actor } = workspace;
  const category = await aCategory(workspace);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await anArticle(workspace, { category })).id);
  await anEndpoint(workspace);
  const bulk = await startBulkAction(workspace.id, { action: "deleted" }, ids, actor, permissions);
  await workBulkAction(workspace.id, bulk, new AbortController().signal);
  expect(await typesOf(workspace)).toEqual(Array(3).fill("article.deleted"));
  await within(workspace, (db) => restoreArticles(db, bulk, actor, permissions));
  expect(await typesOf(workspace)).toEqual(Array(3).fill("article.restored"));
});

test("categories say their events, and where the contents of a deleted one went", async () => {
  const workspace = await aWorkspace();
  const { actor } = workspace;
  await anEndpoint(workspace);
  const a = await within(workspace, (db) => createCategory(db, { name: "A" }, actor));
  const b = await within(workspace, (db) => createCategory(db, { name: "B" }, actor));
  const [first] = await sent(workspace);
  expect(first).toMatchObject({
    type: "category.created",
    data: { id: a.id, slug: "a", state: "active", parent_id: null, visibility_setting: "inherit" },
  });
  const article = await anArticle(workspace, { category: a });
  await within(workspace, (db) => updateCategory(db, a.id, { name: "C", slug: "c" }, actor));
  await within(workspace, (db) => placeArticle(db, a.id, article.id, { position: 1 }, actor));
  expect(await typesOf(workspace)).toEqual(["category.updated", "category.updated"]);
  await within(workspace, (db) => placeCategory(db, b.id, { parentId: a.id, before: null }, actor));
  expect(await typesOf(workspace)).toEqual(["category.moved"]);
  await within(workspace, (db) => placeCategory(db, b.id, { parentId: null, before: null }, actor));
  await sent(workspace);
  await within(workspace, (db) => removeCategory(db, a.id, b.id, actor, "merged"));
  expect(await sent(workspace)).toMatchObject([
    { type: "category.merged", data: { id: a.id, slug: "c", state: "deleted", contents_moved_to: b.id } },
  ]);
  await within(workspace, (db) => restoreCategory(db, a.id, actor));
  expect(await typesOf(workspace)).toEqual(["category.restored"]);
});

test("members and reader feedback send events, without names and without the reader", async () => {
  const workspace = await aWorkspace();
  const { actor } = workspace;
  await anEndpoint(workspace);
  await within(workspace, (db) => inviteMembers(db, { addresses: ["grace@example.com"], role: "Editor" }, actor));
  expect(await sent(workspace)).toMatchObject([
    {
      type: "member.invited",
      data: {
        email: "grace@example.com",
        state: "invited",
        api_url: expect.stringMatching(/v2\/invitations\/[0-9a-f-]{36}$/),
      },
    },
  ]);
  const fields = { email: "linus@example.com", firstName: "Linus", lastName: "T", role: "Editor" };
  const linus = await within(workspace, (db) => createMember(db, fields, actor));
  const api_url = `http://${workspace.subdomain}.localhost:3000/api/external/v2/team-members/${linus.id}`;
  expect(await sent(workspace)).toEqual([
    {
      type: "member.joined",
      timestamp: expect.any(String),
      data: { id: linus.id, state: "active", api_url, actor: { kind: "member", id: actor.id } },
    },
  ]);
  await within(workspace, (db) => updateMember(db, linus.id, { firstName: "L" }, actor));
  await within(workspace, (db) => updateMember(db, linus.id, { active: false }, actor));
  expect(await typesOf(workspace)).toEqual(["member.deactivated", "member.updated"]);

  const article = await anArticle(workspace, { category: await aCategory(workspace), slug: "guide" });
  const client = { ip: "192.0.2.1", userAgent: "Mozilla/5.0 Firefox/140.0" };
  await giveFeedback(workspace.id, article.id, { helpful: false, choice: "missing", reason: "Price?" }, client);
  const [feedback] = await sent(workspace);
  expect(feedback).toMatchObject({
    type: "feedback.received",
    data: {
      article_id: article.id,
      helpful: false,
      choice: "missing",
      reason: "Price?",
      actor: { kind: "reader", id: null },
    },
  });
});

test("each entry of the audit log is an event, as the API lists it", async () => {
  const workspace = await aWorkspace();
  const { admin } = workspace;
  const category = await aCategory(workspace);
  const articles = [await anArticle(workspace, { category }), await anArticle(workspace, { category })];
  const webhook = await anEndpoint(workspace, [auditEvent]);
  // A collector has the whole log from the entry on that says who set it up.
  expect(await sent(workspace)).toMatchObject([
    { type: auditEvent, data: { action: "webhook.created", subject: { id: webhook } } },
  ]);
  const actor: Actor = { ...workspace.actor, ip: "192.0.2.1", requestId: "r1" };
  await within(workspace, (db) => createRole(db, { name: "Reviewer", permissions: [] }, actor));
  const ids = articles.map(({ id }) => id);
  const bulk = await startBulkAction(workspace.id, { action: "deleted" }, ids, actor, permissions);
  await workBulkAction(workspace.id, bulk, new AbortController().signal);
  const events = await sent(workspace);
  expect(events.map(({ type }) => type)).toEqual(Array(2).fill(auditEvent));
  const { entries } = await readWorkspace(workspace.id, (read) =>
    listAuditEntries(read, { timeZone: "UTC" }, { limit: 2 }),
  );
  expect(entries.map(({ action }) => action)).toEqual(["articles.deleted", "role.created"]);
  const data = entries.reverse().map(({ id, at, action, subject, details, ip, requestId }) => ({
    ...{ id, created_at: at.toISOString(), action, details, ip, request_id: requestId },
    actor: { kind: "member", id: admin.id, name: admin.email },
    subject: { kind: subject.kind, id: subject.id, name: subject.name },
  }));
  expect(events.map((event) => event.data)).toEqual(data);
  expect(data[0]).toMatchObject({ ip: "192.0.2.1", request_id: "r1" });
});

test("the longest reason of feedback stays below 20 kB", async () => {
  const workspace = await aWorkspace();
  await anEndpoint(workspace);
  const article = await anArticle(workspace, { category: await aCategory(workspace) });
  const reason = "😀".repeat(2_000);
  const client = { ip: "192.0.2.1", userAgent: "Mozilla/5.0 Firefox/140.0" };
  await giveFeedback(workspace.id, article.id, { helpful: true, choice: null, reason }, client);
  const [row] = await readWorkspace(workspace.id, (read) =>
    read<{ bytes: number }>("SELECT octet_length(body)::int AS bytes FROM webhook_deliveries"),
  );
  expect(row?.bytes).toBeGreaterThan(8_000);
  expect(row?.bytes).toBeLessThan(20_000);
});

test("an import sends one event, also when an interrupted one had stored everything", async () => {
  const workspace = await aWorkspace();
  await anEndpoint(workspace);
  const text = (title: string) => `---\ntitle: ${title}\n---\nText.`;
  const folder = await aFolder({
    ...{ "a/one.md": text("One"), "a/two.md": text("Two"), "b/three.md": text("Three") },
    "a/_category.yml": "name: Alpha",
  });
  await importing(workspace, folder);
  expect(await sent(workspace)).toMatchObject([
    { type: "import.finished", data: { state: "finished", created: 3, updated: 0, unchanged: 0, categories: 2 } },
  ]);
  await importing(workspace, folder, { dryRun: true });
  expect(await sent(workspace)).toEqual([]);
  await write(folder, { "a/_category.yml": "name: Aleph" });
  await importing(workspace, folder);
  expect(await sent(workspace)).toMatchObject([{ type: "import.finished", data: { created: 0, unchanged: 3 } }]);
  expect((await readWorkspace(workspace.id, listCategoryTree)).map(({ name }) => name)).toContain("Aleph");
});

test("only active endpoints get the events that they chose, and only of their workspace", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const { actor, admin } = workspace;
  await aCategory(workspace);
  const all = await anEndpoint(workspace);
  const some = await anEndpoint(workspace, ["article.deleted", "article.created"]);
  await anEndpoint(workspace, ["member.joined"]);
  await anEndpoint(other);
  await within(workspace, (db) => createDraft(db, { title: "One", authorId: admin.id }, actor));
  const to = await readWorkspace(workspace.id, (read) =>
    read<{ to: string }>(`SELECT endpoint_id::text AS to FROM webhook_deliveries`),
  );
  expect(to.map((row) => row.to).sort()).toEqual([all, some].sort());
  expect(await typesOf(other)).toEqual([]);
  await sent(workspace);
  await within(workspace, (db) => switchEndpoint(db, some, false, actor));
  await within(workspace, (db) => createDraft(db, { title: "Two", authorId: admin.id }, actor));
  expect(await typesOf(workspace)).toEqual(["article.created"]);
});

test("a change that is rolled back sends nothing, and a committed one queues its job", async () => {
  const workspace = await aWorkspace();
  await aCategory(workspace);
  await anEndpoint(workspace);
  const create = (db: Db) => createDraft(db, { title: "Lost", authorId: workspace.admin.id }, workspace.actor);
  const failing = within(workspace, async (db) => {
    await create(db);
    throw new Error("No.");
  });
  await expect(failing).rejects.toThrow("No.");
  expect(await sent(workspace)).toEqual([]);
});

test("a change succeeds while one of its webhooks is being deleted, and the other one gets it", async () => {
  const workspace = await aWorkspace();
  const article = await anArticle(workspace, { category: await aCategory(workspace) });
  const [gone, stays] = [await anEndpoint(workspace), await anEndpoint(workspace)];
  let deleted = () => {};
  let commit = () => {};
  const isDeleted = new Promise<void>((resolve) => {
    deleted = resolve;
  });
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const deleting = within(workspace, async (db) => {
    await deleteEndpoint(db, gone, workspace.actor);
    deleted();
    await mayCommit;
  });
  await isDeleted;
  const client = { ip: "192.0.2.1", userAgent: "Mozilla/5.0 Firefox/140.0" };
  const changing = giveFeedback(workspace.id, article.id, { helpful: true, choice: null, reason: "" }, client);
  changing.catch(() => {});
  await expect
    .poll(() =>
      acrossWorkspaces.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%' LIMIT 1",
      ),
    )
    .toHaveLength(1);
  commit();
  await deleting;
  await changing;
  const rows = await within(
    workspace,
    (db) => db.$queryRaw<{ to: string }[]>`SELECT endpoint_id::text AS "to" FROM webhook_deliveries`,
  );
  expect(rows).toEqual([{ to: stays }]);
});

test("webhooks that get each other's deletions are deleted at the same time", async () => {
  const workspace = await aWorkspace();
  const ids = await Promise.all(Array.from({ length: 4 }, () => anEndpoint(workspace, [auditEvent])));
  await Promise.all(ids.map((id) => within(workspace, (db) => deleteEndpoint(db, id, workspace.actor))));
  expect(await within(workspace, (db) => db.webhookEndpoint.count())).toBe(0);
});
