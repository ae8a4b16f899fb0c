import { expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { aWriter, saveAsMember } from "@/testing/articles";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";
import { paths } from "../../_document/operations";

type Writer = Awaited<ReturnType<typeof aWriter>>;

const bulk = ({ send }: Writer, items: object[], headers: Record<string, string> = {}) =>
  send("POST", "/articles/bulk", [], { items }, headers);
const statusesOf = ({ body }: { body: any }) => body.results.map(({ status }: { status: number }) => status);

test("each item is made in order, with the status and body that it would have had alone", async () => {
  const writer = await aWriter();
  const { category, create, get } = writer;
  const other = await aCategory(writer.workspace, { name: "Other" });
  const old = (await create({ title: "Old", html_content: "<p>Old.</p>" })).body.article;
  const place = { category_id: category.id, html_content: "<p>Text.</p>" };
  const done = await bulk(writer, [
    { action: "create", ref: "first", title: "First", ...place, external_id: "one" },
    { action: "upsert", external_id: "one", title: "First again", publish: true },
    { action: "upsert", external_id: "two", title: "Second", ...place },
    { action: "update", article_id: "first", slug: "moved", category_id: other.id },
    { action: "unpublish", article_id: "moved" },
    { action: "publish", article_id: old.id },
    { action: "create", ref: "bad", title: "", ...place },
    { action: "delete", article_id: "nothing-here" },
    { action: "update", title: "No id" },
    { action: "delete", article_id: old.id, redirect_to: { article_id: "moved" } },
  ]);
  expect(done.status).toBe(200);
  const { results } = done.body;
  expect(statusesOf(done)).toEqual([201, 200, 201, 200, 200, 200, 422, 404, 422, 422]);
  expect(results[0]).toMatchObject({ ref: "first", article: { title: "First", state: "draft" }, external_id: "one" });
  expect(results[1]).toMatchObject({ ref: null, article: { title: "First again", state: "published" } });
  expect(results[5].article).toMatchObject({ id: old.id, state: "published" });
  const { ref, status, ...alone } = results[6];
  const refused = await create({ title: "", html_content: "<p>Text.</p>" });
  expect([ref, status, alone]).toEqual(["bad", refused.status, refused.body]);
  expect(results[7].error).toBe("Not found. Check the ID in this item.");
  expect(results[8].details).toEqual([
    { field: "article_id", code: "required", message: "To update an article, send article_id." },
  ]);
  expect(results[9].details[0].field).toBe("redirect_to.article_id");
  const { article } = (await get("moved")).body;
  expect(article).toMatchObject({ title: "First again", state: "draft", category: { id: other.id } });
  const deleted = await bulk(writer, [
    { action: "delete", article_id: old.id, redirect_to: { category_id: other.id } },
  ]);
  expect(deleted.body.results).toEqual([
    { ref: null, status: 200, deleted: { id: old.id, title: "Old", slug: "old" } },
  ]);
});

test("an item needs the scope of its action, and text of a member is as safe as alone", async () => {
  const writer = await aWriter();
  const { workspace, category, create, draft } = writer;
  const { id } = (await create({ title: "Mine", html_content: "<p>Mine.</p>" })).body.article;
  const keyOf = async (...scopes: Scope[]) =>
    (await inWorkspace(workspace.id, (db) => createApiKey(db, { name: "k", scopes }, workspace.actor))).text;
  const items = [
    { action: "create", title: "New", html_content: "<p>1</p>", category_id: category.id },
    { action: "publish", article_id: id },
    { action: "delete", article_id: id },
  ];
  const asked = async (...scopes: Scope[]) =>
    call(paths["/articles/bulk"], workspace, "/api/external/v2/articles/bulk", {
      method: "POST",
      key: await keyOf(...scopes),
      body: { items },
    });
  expect(statusesOf(await asked("public"))).toEqual([403, 403, 403]);
  const drafts = await asked("content.draft");
  expect(statusesOf(drafts)).toEqual([201, 403, 403]);
  expect(drafts.body.results[1].error).toBe("This API key needs the content.publish scope. Use a key that has it.");
  await saveAsMember(workspace, id, { title: "Theirs" });
  const conflict = await bulk(writer, [{ action: "update", article_id: id, title: "Program" }]);
  expect(conflict.body.results[0]).toMatchObject({
    status: 409,
    code: "draft_changed_by_member",
    current: { changed_by: "Ada Admin" },
  });
  expect((await draft(id)).draft.title).toBe("Theirs");
  expect(statusesOf(await asked("content.delete"))).toEqual([403, 403, 200]);
});

test("another workspace's article is unknown", async () => {
  const writer = await aWriter();
  const theirs = await aWorkspace();
  const { id } = await anArticle(theirs, { category: await aCategory(theirs) });
  const items = ["update", "publish", "unpublish", "delete"].map((action) => ({ action, article_id: id }));
  expect(statusesOf(await bulk(writer, items))).toEqual([404, 404, 404, 404]);
});

test("an id that no URL can contain is refused", async () => {
  const writer = await aWriter();
  const items = [
    { action: "delete", article_id: "a\u0000" },
    { action: "upsert", external_id: "\ud800", title: "One" },
  ];
  const { body } = await bulk(writer, items);
  expect(body.results.map(({ status, details }: any) => [status, details[0].field])).toEqual([
    [422, "article_id"],
    [422, "external_id"],
  ]);
});

test("a repeated request changes nothing again, also when it was killed in between", async () => {
  const writer = await aWriter();
  const { workspace, category } = writer;
  const item = (title: string) => ({ action: "create", title, html_content: "<p>1</p>", category_id: category.id });
  const items = [item("One"), item(""), item("Two")];
  const key = { "idempotency-key": "sync" };
  const count = () => inWorkspace(workspace.id, (db) => db.article.count());
  const first = await bulk(writer, items, key);
  const again = await bulk(writer, items, key);
  expect([statusesOf(first), again.text, again.headers.get("idempotency-replayed")]).toEqual([
    [201, 422, 201],
    first.text,
    "true",
  ]);
  expect(await count()).toBe(2);
  // As if the process had ended after the first item.
  await acrossWorkspaces.query(
    "DELETE FROM idempotency_keys WHERE workspace_id = $1 AND key LIKE 'item-%-2' AND body LIKE '%Two%'",
    [workspace.id],
  );
  await inWorkspace(workspace.id, (db) => db.article.deleteMany({ where: { title: "Two" } }));
  const rest = await bulk(writer, items, key);
  expect([rest.body.results[0], rest.headers.get("idempotency-replayed")]).toEqual([first.body.results[0], null]);
  expect([statusesOf(rest), await count()]).toEqual([[201, 422, 201], 2]);
  const other = await bulk(writer, [...items, item("Three")], key);
  expect([other.status, other.body.code, await count()]).toEqual([422, "idempotency_key_reused", 2]);
});

test("each item counts as a write, and those over the limit are refused alone", async () => {
  const writer = await aWriter();
  const limit = env().rateLimits.RATE_LIMIT_WRITE;
  const items = (count: number) => Array.from({ length: count }, () => ({ action: "publish", article_id: "nothing" }));
  const first = await bulk(writer, items(100));
  expect(first.headers.get("ratelimit")).toContain(`"write";r=${limit - 100};`);
  const second = await bulk(writer, items(limit - 98));
  expect(statusesOf(second)).toEqual([...Array.from({ length: limit - 100 }, () => 404), 429, 429]);
  expect(second.body.results.at(-1)).toMatchObject({ code: "rate_limited" });
  expect(second.headers.get("ratelimit")).toContain('"write";r=0;');
  expect((await bulk(writer, items(1))).status).toBe(429);
});

test("an item without a valid action doesn't stop the others", async () => {
  const writer = await aWriter();
  const done = await bulk(writer, [
    { action: "move", ref: "wrong", article_id: "x" },
    "x" as unknown as object,
    { action: "publish", ref: 5 },
    {},
    { action: "create", title: "One", html_content: "<p>1</p>", category_id: writer.category.id },
  ]);
  expect(done.body.results.map(({ ref, status, details = [] }: any) => [ref, status, details[0]?.field])).toEqual([
    ["wrong", 422, "action"],
    [null, 422, "item"],
    [null, 422, "ref"],
    [null, 422, "action"],
    [null, 201, undefined],
  ]);
  expect(done.body.results[0].error).toBe("action must be one of create, update, upsert, publish, unpublish, delete.");
  expect(done.body.results[3].error).toBe("action is required.");
});

test("a request of no items or too many is refused as a whole", async () => {
  const writer = await aWriter();
  const refused = async (items: unknown) => {
    const { status, body } = await writer.send("POST", "/articles/bulk", [], { items });
    return [status, ...body.details.map(({ field, code }: Record<string, string>) => `${field} ${code}`)];
  };
  expect(await refused(undefined)).toEqual([422, "items required"]);
  expect(await refused([])).toEqual([422, "items invalid"]);
  for (const item of [{ action: "publish" }, {}])
    expect(await refused(Array.from({ length: 101 }, () => item))).toEqual([422, "items too_long"]);
});
