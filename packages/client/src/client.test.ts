import { beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import { plantInsights } from "@/app/api/external/testing.changes";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import {
  type Article,
  type ArticleInsight,
  type ArticleListItem,
  type AuditEntry,
  AuthenticationError,
  type Invitation,
  Lectern,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  type SearchMatch,
  type Tagged,
  type TeamMember,
  ValidationError,
} from "./index.js";
import { apiOf, failureOf, serve } from "./testing.js";

// The client against the operations themselves, over HTTP, with the global fetch. Through the front door and Next too (bin/test.mjs).

// The secrets of webhooks are encrypted.
vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

let workspace: TestWorkspace;
let url: string;
let kb: Lectern;
let category: Awaited<ReturnType<typeof aCategory>>;

beforeEach(async () => {
  workspace = await aWorkspace({ name: "Docs" });
  url = await serve(apiOf(workspace));
  kb = new Lectern({ url, apiKey: workspace.key.text });
  category = await aCategory(workspace, { name: "Guides" });
});

/** Articles One, Two … of the category. */
async function articles(count: number) {
  const titles = ["One", "Two", "Three", "Four", "Five"].slice(0, count);
  const made: Awaited<ReturnType<typeof anArticle>>[] = [];
  for (const [sequence, title] of titles.entries()) {
    const html = `<p>Text of ${title}.</p>`;
    made.push(await anArticle(workspace, { category, title, sequence, html }));
  }
  return made;
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("a page of articles is what was asked for, and says where it stands", async () => {
  await articles(3);
  const draft = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  const page = await kb.articles.list({ page_size: 2, page_number: 2, sort_by: "title", order_by: "DESC" });
  expect(page.articles.map(({ title }) => title)).toEqual(["One", "Draft"]);
  expect(page.pagination).toEqual({ total_records: 4, total_pages: 2, current_page_number: 2, page_size: 2 });
  expect((await kb.articles.list({ state: "draft" })).articles.map(({ id }) => id)).toEqual([draft.id]);
  expect((await kb.articles.list({ category_id: crypto.randomUUID() })).articles).toEqual([]);
  expectTypeOf(page.articles).toEqualTypeOf<ArticleListItem[]>();
});

test("all articles are walked through, each once, over pages of any size, also when there are none", async () => {
  expect(await listOf(kb.articles.all())).toEqual([]);
  const made = await articles(5);
  for (const page_size of [1, 2, 5, undefined]) {
    const ids = (await listOf(kb.articles.all({ page_size }))).map(({ id }) => id);
    expect(ids.sort()).toEqual(made.map(({ id }) => id).sort());
  }
  expect((await listOf(kb.articles.all({ search_term: "five" }))).map(({ title }) => title)).toEqual(["Five"]);
});

test("an article is found by id and by slug, whole", async () => {
  const [one, two] = await articles(2);
  for (const id of [one?.id ?? "", "one"]) {
    const { article, meta } = await kb.articles.get(id);
    expect(article).toMatchObject({ title: "One", content: "Text of One.", next_article: { id: two?.id } });
    expect(article.category).toHaveProperty("articles");
    expect(meta.page_title).toBe("One");
    expectTypeOf(article).toEqualTypeOf<Article>();
  }
  const { article } = await kb.articles.get("one", { category: "summary" });
  expect(article.category).not.toHaveProperty("articles");
});

test("an article that has not changed since its etag is null, and the new one when it has", async () => {
  const [one] = await articles(1);
  const first = await kb.articles.get("one", {}, { ifNoneMatch: undefined });
  expect(first?.article.content).toBe("Text of One.");
  expect(await kb.articles.get("one", {}, { ifNoneMatch: first?.etag })).toBeNull();
  const { etag } = await kb.articles.list();
  expect(await kb.articles.list({}, { ifNoneMatch: etag })).toBeNull();

  await anArticle(workspace, { id: one?.id, slug: "one", category, title: "One, again" });
  const next = await kb.articles.get("one", {}, { ifNoneMatch: first?.etag });
  expect(next?.article.title).toBe("One, again");
  expect((await kb.articles.list({}, { ifNoneMatch: etag }))?.articles[0]?.title).toBe("One, again");
});

test("categories come as a tree, or flat", async () => {
  const child = await aCategory(workspace, { name: "Advanced", parentId: category.id });
  const { categories } = await kb.categories.list();
  expect(categories.map(({ name, subcategories }) => [name, subcategories?.map(({ id }) => id)])).toEqual([
    ["Guides", [child.id]],
  ]);
  expect((await listOf(kb.categories.all({ scope: "all" }))).map(({ name }) => name)).toEqual(["Guides", "Advanced"]);
});

test("categories are created, read, changed, merged and deleted", async () => {
  const { category: made } = await kb.categories.create({ name: "Billing", parent_id: category.id });
  const { etag, ...read } = await kb.categories.get(made.id);
  expect(read.category).toEqual(made);
  expect(await kb.categories.get(made.id, { ifNoneMatch: etag })).toBeNull();
  const changed = await kb.categories.update(made.id, { parent_id: null, position: 1 }, { ifMatch: etag });
  expect(changed.category.parent_id).toBeNull();
  const late = await failureOf(kb.categories.update(made.id, { name: "Late" }, { ifMatch: etag }));
  expect(late).toBeInstanceOf(PreconditionFailedError);
  await anArticle(workspace, { category: made, title: "Refunds" });
  expect((await failureOf(kb.categories.delete(made.id))).details[0].field).toBe("move_contents_to");
  const merged = await kb.categories.merge(made.id, category.id);
  expect([merged.category.id, merged.moved.articles_count]).toEqual([category.id, 1]);
  const { category: empty } = await kb.categories.create({ name: "Empty" });
  expect((await kb.categories.delete(empty.id)).deleted.name).toBe("Empty");
  expect((await listOf(kb.categories.all())).map(({ name }) => name)).toEqual(["Guides"]);
});

test("the categories of a parent are put in order", async () => {
  const make = async (name: string) => (await kb.categories.create({ name, parent_id: category.id })).category.id;
  const ids = [await make("One"), await make("Two")];
  const order = { parent_id: category.id, category_ids: ids.toReversed() };
  expect(await kb.categories.order(order)).toEqual({ ...order, changed: true });
  expect((await kb.categories.get(category.id)).category.subcategories?.map(({ id }) => id)).toEqual(
    order.category_ids,
  );
});

test("redirects are created, listed, changed and deleted", async () => {
  const { redirect } = await kb.redirects.create({ from: "/old", to: { category_id: category.id } });
  expect(redirect.to_url).toMatch(/\/categories\/guides$/);
  expect(await listOf(kb.redirects.all({ search_term: "/old" }))).toEqual([redirect]);
  const { etag } = await kb.redirects.get(redirect.id);
  const changed = await kb.redirects.update(redirect.id, { to: null }, { ifMatch: etag });
  expect(changed.redirect.to).toBeNull();
  expect(await failureOf(kb.redirects.delete(redirect.id, { ifMatch: etag }))).toBeInstanceOf(PreconditionFailedError);
  expect((await kb.redirects.delete(redirect.id)).deleted).toEqual(changed.redirect);
  expect(await listOf(kb.redirects.all())).toEqual([]);
  const { results } = await kb.redirects.bulk([
    { action: "create", ref: "a", from: "/a", to: { category_id: category.id } },
    { action: "update", redirect_id: redirect.id, to: null },
  ]);
  expect(results.map(({ ref, status }) => [ref, status])).toEqual([
    ["a", 201],
    [null, 404],
  ]);
});

test("synonyms are created, listed, changed and deleted", async () => {
  const { synonym } = await kb.synonyms.create({ term: "2fa", replacements: ["second factor"] });
  expect(synonym).toMatchObject({ term: "2fa", replacements: ["second factor"], two_way: true });
  expect(await listOf(kb.synonyms.all({ search_term: "factor" }))).toEqual([synonym]);
  const { etag } = await kb.synonyms.get(synonym.id);
  const changed = await kb.synonyms.update(synonym.id, { two_way: false }, { ifMatch: etag });
  expect(changed.synonym).toEqual({ ...synonym, two_way: false });
  expect(await failureOf(kb.synonyms.delete(synonym.id, { ifMatch: etag }))).toBeInstanceOf(PreconditionFailedError);
  expect((await kb.synonyms.delete(synonym.id)).deleted).toEqual(changed.synonym);
  expect(await listOf(kb.synonyms.all())).toEqual([]);
});

test("tags are listed, renamed, merged and deleted", async () => {
  await anArticle(workspace, { category, title: "One", tags: ["alpha", "beta", "gamma"] });
  const [alpha, beta, gamma] = await listOf(kb.tags.all());
  const { etag } = await kb.tags.get(alpha!.id);
  const { tag } = await kb.tags.update(alpha!.id, { name: "Omega" }, { ifMatch: etag });
  expect(tag).toEqual({ ...alpha, name: "Omega" });
  expect((await kb.tags.merge(beta!.id, tag.id)).tag).toEqual(tag);
  expect((await kb.tags.delete(gamma!.id)).deleted).toEqual(gamma);
  expect(await listOf(kb.tags.all({ search_term: "o" }))).toEqual([tag]);
});

test("a file is uploaded, once for an idempotency key, and attached to an article", async () => {
  const send = () => kb.files.upload(new Blob(["Notes"]), { file_name: "notes.txt" }, { idempotencyKey: "one" });
  const { upload } = await send();
  expect(upload).toMatchObject({
    filename: "notes.txt",
    byte_size: 5,
    url: expect.stringMatching(`/uploads/${upload.id}$`),
  });
  expect(await send()).toEqual({ upload });
  const text = { title: "Notes", markdown_content: `[Notes](${upload.url})`, category_id: category.id };
  const { article } = await kb.articles.create({ ...text, attachment_ids: [upload.id] });
  expect(article.attachments).toMatchObject([{ id: upload.id, url: upload.url }]);
});

test("many articles are changed in one call, and each result is as typed as its request", async () => {
  const text = { markdown_content: "Text.", category_id: category.id };
  const { results } = await kb.articles.bulk([
    { action: "create", ref: "a", title: "A", ...text },
    { action: "upsert", external_id: "b", title: "B", publish: true, ...text },
    { action: "update", article_id: "a", tags: ["new"] },
    { action: "publish", article_id: "a" },
    { action: "delete", article_id: "b" },
    { action: "unpublish", article_id: "c" },
  ]);
  expect(results.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 404]);
  expect([results[0]?.ref, results[3]?.article?.state, results[4]?.deleted?.slug]).toEqual(["a", "published", "b"]);
  expect(results[5]).toMatchObject({ code: "not_found", error: "Not found. Check the ID in this item." });
});

test("versions are listed and read, and become the draft, which can be discarded", async () => {
  const { article } = await kb.articles.create({ title: "One", markdown_content: "First.", category_id: category.id });
  for (const text of ["Second.", "Third."]) {
    await kb.articles.update(article.id, { markdown_content: text, publish: true });
  }
  const versions = await listOf(kb.articles.allVersions(article.id, { page_size: 1 }));
  expect((await kb.articles.versions(article.id)).versions).toEqual(versions);
  const { version, etag } = await kb.articles.version(article.id, versions.at(-1)!.number);
  expect(version).toMatchObject({ ...versions.at(-1), html_content: "<p>First.</p>" });
  expect(await kb.articles.version(article.id, version.number, { ifNoneMatch: etag })).toBeNull();

  const restored = await kb.articles.restoreVersion(article.id, version.number);
  expect([restored.has_draft, restored.article.html_content]).toEqual([true, "<p>Third.</p>"]);
  expect((await kb.articles.draft(article.id)).draft.html_content).toBe("<p>First.</p>");
  const late = { revision: restored.revision - 1 };
  expect(await failureOf(kb.articles.discardDraft(article.id, late))).toBeInstanceOf(PreconditionFailedError);
  expect((await kb.articles.discardDraft(article.id, { revision: restored.revision })).has_draft).toBe(false);
  expect((await kb.articles.draft(article.id)).draft.html_content).toBe("<p>Third.</p>");
  const later = kb.articles.restoreVersion(article.id, version.number, late);
  expect(await failureOf(later)).toBeInstanceOf(PreconditionFailedError);
});

test("changes come in pages of any size, and continue after a cursor", async () => {
  const made = await articles(3);
  const pages = await listOf(kb.changes.pages({ page_size: 2 }));
  expect(pages.map(({ changes }) => changes.map(({ article_id }) => article_id))).toEqual([
    made.slice(0, 2).map(({ id }) => id),
    made.slice(2).map(({ id }) => id),
  ]);
  const [first, last] = pages;
  const rest = await listOf(kb.changes.pages({ after: first?.cursor, include: "content" }));
  expect(rest.flatMap(({ changes }) => changes.map(({ article }) => article?.html_content))).toEqual([
    "<p>Text of Three.</p>",
  ]);

  const { changes, etag } = await kb.changes.list({ after: last?.cursor });
  expect(changes).toEqual([]);
  expect(await kb.changes.list({ after: last?.cursor }, { ifNoneMatch: etag })).toBeNull();
  await kb.articles.delete(made[0]!.id);
  const now = await kb.changes.list({ after: last?.cursor }, { ifNoneMatch: etag });
  expect(now?.changes).toMatchObject([{ article_id: made[0]!.id, removed: true, article: null }]);
});

test("webhooks are created, listed, changed, tested and deleted", async () => {
  const fields = { url: "https://example.com/hook", events: ["article.published" as const] };
  const { webhook, secret } = await kb.webhooks.create(fields);
  expect([webhook, secret]).toEqual([expect.objectContaining(fields), expect.stringMatching(/^whsec_/)]);
  expect(await listOf(kb.webhooks.all())).toEqual([webhook]);
  const { delivery } = await kb.webhooks.test(webhook.id);
  expect(delivery).toMatchObject({ event: "ping", state: "waiting" });
  expect(await listOf(kb.webhooks.allDeliveries(webhook.id, { state: "waiting" }))).toEqual([delivery]);
  expect((await kb.webhooks.deliveries(webhook.id, { state: "failed" })).deliveries).toEqual([]);
  expect((await kb.webhooks.resend(webhook.id, delivery.id)).delivery.id).toBe(delivery.id);
  const { etag } = await kb.webhooks.get(webhook.id);
  const rotated = await kb.webhooks.rotateSecret(webhook.id, { ifMatch: etag });
  expect(rotated.secret).not.toBe(secret);
  expect(await failureOf(kb.webhooks.delete(webhook.id, { ifMatch: etag }))).toBeInstanceOf(PreconditionFailedError);
  const off = await kb.webhooks.update(webhook.id, { active: false });
  expect(off.webhook).toEqual({ ...rotated.webhook, active: false });
  expect((await kb.webhooks.delete(webhook.id)).deleted).toEqual(off.webhook);
  expect(await listOf(kb.webhooks.all())).toEqual([]);
});

test("a search answers matches with their highlights, and all of them when asked", async () => {
  await articles(3);
  const { matches, corrected_term, pagination } = await kb.search("text", { page_size: 2 });
  expect([matches.length, corrected_term, pagination.total_records]).toEqual([2, null, 3]);
  expect(matches[0]?.matched_content).toContain('<span class="article-matched-tag">Text</span>');
  expect((await listOf(kb.searchAll("text", { page_size: 2 }))).map(({ title }) => title).sort()).toEqual([
    "One",
    "Three",
    "Two",
  ]);
  expectTypeOf(matches).toEqualTypeOf<SearchMatch[]>();
});

test("a team member is found, read and changed", async () => {
  const email = workspace.admin.email.toUpperCase();
  const { team_members } = await kb.teamMembers.list({ email });
  expect(await listOf(kb.teamMembers.all())).toEqual(team_members);
  const id = team_members[0]?.id ?? "";
  expect((await kb.teamMembers.get(id)).team_member).toEqual(team_members[0]);
  const { team_member } = await kb.teamMembers.update(id, { first_name: "Augusta" });
  expect(team_member).toEqual({ ...team_members[0], first_name: "Augusta" });
  expectTypeOf(team_member).toEqualTypeOf<TeamMember>();
});

test("people are invited, and invitations are listed, resent and revoked", async () => {
  const { invitation } = await kb.invitations.create({ email: "grace@example.com", role: "Editor" });
  expect(invitation).toMatchObject({ email: "grace@example.com", role: "Editor", invited_by: { kind: "api_key" } });
  expect(await listOf(kb.invitations.all())).toEqual([invitation]);
  const { etag, ...read } = await kb.invitations.get(invitation.id);
  expect(read).toEqual({ invitation });
  const resent = await kb.invitations.resend(invitation.id, { ifMatch: etag });
  expect(await failureOf(kb.invitations.revoke(invitation.id, { ifMatch: etag }))).toBeInstanceOf(
    PreconditionFailedError,
  );
  expect((await kb.invitations.revoke(invitation.id)).revoked).toEqual(resent.invitation);
  expect(await listOf(kb.invitations.all())).toEqual([]);
  expectTypeOf(invitation).toEqualTypeOf<Invitation>();
});

test("the audit log is read in parts, or all of it when asked", async () => {
  for (const first_name of ["One", "Two", "Three"]) await kb.teamMembers.update(workspace.admin.id, { first_name });
  const action = "member.updated";
  const { audit_entries, cursor } = await kb.auditEntries.list({ action, page_size: 2 });
  const older = await kb.auditEntries.list({ action, page_size: 2, before: cursor ?? "" });
  expect([...audit_entries, ...older.audit_entries].map(({ details }) => details.firstName)).toEqual([
    ...["Two → Three", "One → Two", "Ada → One"],
  ]);
  expect(older.cursor).toBeNull();
  expect(await listOf(kb.auditEntries.all({ action, page_size: 2 }))).toEqual([
    ...audit_entries,
    ...older.audit_entries,
  ]);
  expectTypeOf(audit_entries).toEqualTypeOf<AuditEntry[]>();
});

test("insights are listed for days, in pages or all when asked", async () => {
  const { id } = await anArticle(workspace, { category, title: "Read" });
  await plantInsights(workspace, id);
  const { articles: read } = await kb.insights.articles.list();
  expect(read).toMatchObject([{ article_id: id, views_count: 1, helpful_count: 0, not_helpful_count: 1 }]);
  const term = workspace.subdomain;
  expect(await listOf(kb.insights.searches.all({ only: "no_results" }))).toMatchObject([{ term, searches_count: 1 }]);
  expect(await listOf(kb.insights.feedback.all())).toMatchObject([{ article_id: id, helpful: false, reason: term }]);
  const today = new Date().toISOString().slice(0, 10);
  const earlier = new Date(Date.parse(today) - 2 * 86_400_000).toISOString().slice(0, 10);
  expect((await kb.insights.feedback.list({ to: earlier })).feedback).toEqual([]);
  expectTypeOf(read).toEqualTypeOf<ArticleInsight[]>();
});

test("a change with a current etag succeeds once, and a second one with the same etag is refused", async () => {
  const { id } = workspace.admin;
  const { etag } = await kb.teamMembers.get(id);
  await kb.teamMembers.update(id, { first_name: "First" }, { ifMatch: etag });
  const late = await failureOf(kb.teamMembers.update(id, { first_name: "Second" }, { ifMatch: etag }));
  expect(late).toBeInstanceOf(PreconditionFailedError);
  const now = await kb.teamMembers.get(id, { ifNoneMatch: etag });
  expect(now?.team_member.first_name).toBe("First");
  expect(await kb.teamMembers.get(id, { ifNoneMatch: now?.etag })).toBeNull();
  await expect(kb.teamMembers.update(id, {}, { ifMatch: "" })).rejects.toThrow("ifMatch is empty");
});

test("the settings and the key tell where one is", async () => {
  expect((await kb.setting()).knowledge_base_name).toBe("Docs");
  const { workspace: own, api_key } = await kb.me();
  expect([own.id, own.subdomain, api_key.permission]).toEqual([workspace.id, workspace.subdomain, "read_write"]);
});

test("each refusal is an error of its class, with the server's sentence and the request's id", async () => {
  const seen: (string | null)[] = [];
  const watched = async (address: string, init: RequestInit) => {
    const answer = await fetch(address, init);
    seen.push(answer.headers.get("x-request-id"));
    return answer;
  };
  const client = (apiKey: string) => new Lectern({ url, apiKey, fetch: watched });
  const reading = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "reads", scopes: ["content.read", "members.read"] }, workspace.actor),
  );
  const mine = client(workspace.key.text);

  const refusals: [() => Promise<unknown>, new (...args: any) => Error, number, string][] = [
    [() => client("kb_nonsense").me(), AuthenticationError, 401, "Authentication failed: invalid API key."],
    [() => mine.articles.get("no-such-article"), NotFoundError, 404, "Not found. Check the ID in the URL."],
    [
      () => client(reading.text).teamMembers.update(workspace.admin.id, {}),
      PermissionError,
      403,
      "This API key needs the members.write scope",
    ],
    [() => mine.search(" "), ValidationError, 422, "Search term is required"],
  ];
  for (const [call, type, status, message] of refusals) {
    const error = await failureOf(call());
    expect(error).toBeInstanceOf(type);
    expect([error.status, error.message]).toEqual([status, expect.stringContaining(message)]);
    expect(error.requestId).toMatch(/^[\w-]{36}$/);
    expect(seen).toContain(error.requestId);
  }
});

test("a client over its limit is told how long to wait", async () => {
  const stranger = new Lectern({ url, apiKey: "kb_nonsense", retries: 0 });
  const errors: any[] = [];
  while (errors.length < 31) errors.push(await failureOf(stranger.me()));
  expect(errors.slice(0, 30).every((error) => error instanceof AuthenticationError)).toBe(true);
  expect(errors[30]).toBeInstanceOf(RateLimitError);
  expect(errors[30].retryAfter).toBeGreaterThan(0);
  expect(errors[30].retryAfter).toBeLessThanOrEqual(60);
});

test("a change that cannot be made names every field", async () => {
  const changes = { email: "nobody", time_zone: "Mars/Olympus" };
  const error = await failureOf(kb.teamMembers.update(workspace.admin.id, changes));
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.details.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
    ["email", "invalid"],
    ["time_zone", "invalid"],
  ]);
  expect((await kb.me()).workspace.id).toBe(workspace.id);
});

test("no such workspace at the address is a 404 that says so", async () => {
  const nobody = new Lectern({ url: await serve(apiOf({ subdomain: "nobody-here" })), apiKey: "kb_x" });
  const error = await failureOf(nobody.setting());
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toBe("Workspace not found. Check the subdomain in the URL.");
});

test("types: null is possible only where ifNoneMatch is given, and what the API does not know is refused", () => {
  // Never called: only the compiler checks it.
  const uses = () => {
    expectTypeOf(kb.articles.get("x")).resolves.not.toBeNullable();
    expectTypeOf(kb.articles.get("x", {}, { ifNoneMatch: "y" })).resolves.toBeNullable();
    expectTypeOf(kb.teamMembers.get("x", { ifNoneMatch: "y" })).resolves.toEqualTypeOf<Tagged<{
      team_member: TeamMember;
    }> | null>();
    expectTypeOf(kb.setting({ signal: AbortSignal.timeout(1) })).resolves.not.toBeNullable();
    // @ts-expect-error no such state
    void kb.articles.list({ state: "archived" });
    // @ts-expect-error no such parameter
    void kb.articles.all({ page: 1 });
    // @ts-expect-error all begins at the first page
    void kb.articles.all({ page_number: 2 });
    // @ts-expect-error an id cannot be changed
    void kb.teamMembers.update("x", { id: "y" });
    // @ts-expect-error nothing is null
    void kb.teamMembers.update("x", { email: null });
  };
  expect(uses).toBeInstanceOf(Function);
});
