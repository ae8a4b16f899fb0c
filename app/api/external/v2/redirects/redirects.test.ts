import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { changeArticle } from "@/lib/articles/changes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { formerAddress } from "@/lib/reader/former-address";
import { changeRedirect } from "@/lib/redirects/redirects";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const unknown = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

/** A workspace with the article "Refunds", and a key "Sync" that manages redirects. */
async function aManager() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Billing" });
  const article = await anArticle(workspace, { category, title: "Refunds" });
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Sync", scopes: ["redirects"] }, workspace.actor),
  );
  const send = (method: string, rest: string, body?: object, headers: Record<string, string> = {}) =>
    call(
      paths[rest.startsWith("/") ? "/redirects/{redirect_id}" : "/redirects"],
      workspace,
      `/api/external/v2/redirects${rest}`,
      { method, key: key.text, headers, ...(body && { body }) },
    );
  return {
    ...{ workspace, category, article },
    list: async (query = "") => (await send("GET", query)).body,
    get: (id: string) => send("GET", `/${id}`),
    create: (body: object) => send("POST", "", body),
    update: (id: string, body: object, headers?: Record<string, string>) => send("PATCH", `/${id}`, body, headers),
    remove: (id: string, headers?: Record<string, string>) => send("DELETE", `/${id}`, undefined, headers),
    bulk: (items: object[], headers?: Record<string, string>) =>
      call(paths["/redirects/bulk"], workspace, "/api/external/v2/redirects/bulk", {
        ...{ method: "POST", key: key.text, body: { items } },
        ...(headers && { headers }),
      }),
  };
}

const reached = (workspace: TestWorkspace, path: string, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => formerAddress(snapshot, path));
const fromsOf = ({ redirects }: { redirects: { from: string }[] }) => redirects.map(({ from }) => from);

test("a redirect is created, leads readers to its destination, and is returned and listed as it was sent", async () => {
  const { workspace, category, article, create, get, list } = await aManager();
  const home = `http://${workspace.subdomain}.localhost:3000`;
  const made = await create({ from: "/help/Käse %25/", to: { article_id: article.id } });
  const { redirect } = made.body;
  expect([made.status, made.headers.get("location")]).toEqual([
    201,
    `${home}/api/external/v2/redirects/${redirect.id}`,
  ]);
  expect(redirect).toEqual({
    id: redirect.id,
    from: "/help/K%C3%A4se%20%25",
    to: { article_id: article.id },
    to_url: `${home}/articles/refunds`,
    automatic: false,
    created_at: expect.stringMatching(/Z$/),
  });
  expect((await get(redirect.id)).text).toBe(made.text);
  expect(await reached(workspace, "/help/Käse %")).toEqual({ moved: "/articles/refunds" });
  const others = [
    [{ category_id: category.id }, `${home}/categories/billing`],
    [{ path: "/search?q=money" }, `${home}/search?q=money`],
    [{ path: "https://example.com/a" }, "https://example.com/a"],
    [null, null],
  ] as const;
  for (const [index, [to, url]] of others.entries()) {
    const { body } = await create({ from: `/old-${index}`, to });
    expect([body.redirect.to, body.redirect.to_url]).toEqual([to, url]);
  }
  expect(await reached(workspace, "/old-3")).toEqual("gone");
  expect(await list("?page_size=2&page_number=2")).toMatchObject({
    redirects: [{ from: "/old-1" }, { from: "/old-0" }],
    pagination: { total_records: 5, total_pages: 3 },
  });
  expect(fromsOf(await list("?search_term=refunds"))).toEqual(["/help/K%C3%A4se%20%25"]);
  const again = await create({ from: redirect.from, to: null });
  expect([...fieldsOf(again), again.body.error]).toEqual([
    422,
    "from taken",
    "/help/Käse % already has a redirect. Edit that redirect instead.",
  ]);
});

test("what renaming added is listed as automatic, follows the article, and stays so when it is sent back", async () => {
  const { workspace, article, list, get, update } = await aManager();
  await inWorkspace(workspace.id, (db) => changeArticle(db, article.id, { slug: "money-back" }, workspace.actor));
  expect((await list()).redirects).toMatchObject([
    { from: "/articles/refunds", to: { article_id: article.id }, automatic: true },
  ]);
  const [{ id }] = (await list()).redirects;
  const { body, headers } = await get(id);
  expect((await update(id, body.redirect, { "if-match": headers.get("etag") ?? "" })).body).toEqual(body);
});

test("a destination has at most 2,000 characters", async () => {
  const { create } = await aManager();
  const made = await create({ from: "/help/long", to: { path: `/search?q=${"a".repeat(2_000)}` } });
  expect(fieldsOf(made)).toEqual([422, "to invalid"]);
});

test("every field that was refused is named", async () => {
  const { workspace, category, create, update } = await aManager();
  const draft = await anArticle(workspace, { category, title: "Draft", state: "draft" });
  for (const [body, ...fields] of [
    [{}, "from required", "to required"],
    [{ from: 1, to: "/a" }, "from invalid", "to invalid"],
    [{ from: "/a", to: {} }, "to invalid"],
    [{ from: "/a", to: { path: "/search", article_id: unknown } }, "to invalid"],
    [{ from: "help", to: null }, "from invalid"],
    [{ from: "/admin/x", to: null }, "from not_allowed"],
    [{ from: "/articles/refunds", to: null }, "from not_allowed"],
    [{ from: "/a", to: { article_id: unknown } }, "to not_found"],
    [{ from: "/a", to: { article_id: draft.id } }, "to invalid"],
    [{ from: "/a", to: { path: "/a" } }, "to invalid"],
    [{ from: "/a", to: { path: "http://example.com" } }, "to invalid"],
    [{ from: "/a", to: { path: "/nothing" } }, "to invalid"],
  ] as [object, ...string[]][]) {
    expect([body, ...fieldsOf(await create(body))]).toEqual([body, 422, ...fields]);
  }
  const { redirect } = (await create({ from: "/a", to: null })).body;
  expect(fieldsOf(await update(redirect.id, { to: { path: "/a" } }))).toEqual([422, "to invalid"]);
});

test("PATCH changes the destination, and with an ETag only if no one else has", async () => {
  const { workspace, article, create, get, update, remove } = await aManager();
  const { redirect } = (await create({ from: "/old", to: { article_id: article.id } })).body;
  const before = await get(redirect.id);
  expect((await update(redirect.id, {})).text).toBe(before.text);
  expect((await update(redirect.id, before.body.redirect)).text).toBe(before.text);
  const tag = { "if-match": before.headers.get("etag") ?? "" };
  const { body } = await update(redirect.id, { to: null }, tag);
  expect(body.redirect).toEqual({ ...redirect, to: null, to_url: null });
  await inWorkspace(workspace.id, (db) =>
    changeRedirect(db, redirect.id, { kind: "address", address: "https://example.com" }, "", workspace.actor),
  );
  for (const late of [
    await update(redirect.id, { to: { article_id: article.id } }, tag),
    await update(redirect.id, {}, tag),
    await remove(redirect.id, tag),
  ]) {
    expect([late.status, late.body.code]).toEqual([412, "revision_conflict"]);
  }
  expect((await get(redirect.id)).body.redirect.to_url).toBe("https://example.com/");
});

test("PATCH with another old path is refused and changes nothing", async () => {
  const { workspace, article, create, get, update } = await aManager();
  const { redirect } = (await create({ from: "/old/Käse", to: { article_id: article.id } })).body;
  for (const body of [{ from: "/elsewhere", to: null }, { from: "/elsewhere" }, { from: "nowhere" }, { from: "" }]) {
    const refused = await update(redirect.id, body);
    expect([...fieldsOf(refused), refused.body.details[0].message]).toEqual([
      422,
      "from not_allowed",
      "To change the old path, delete the redirect and create a new one.",
    ]);
  }
  expect(fieldsOf(await update(redirect.id, { from: 1 }))).toEqual([422, "from invalid"]);
  expect((await get(redirect.id)).body.redirect).toEqual(redirect);
  for (const from of ["/old/Käse", redirect.from, `http://${workspace.subdomain}.localhost:3000/old/K%C3%A4se/`]) {
    expect((await update(redirect.id, { from })).body.redirect).toEqual(redirect);
  }
  expect((await update(redirect.id, { from: redirect.from, to: null })).body.redirect.to).toBeNull();
});

test("a members-only destination is accepted, and only those who can read it are redirected", async () => {
  const { workspace, category, article, create } = await aManager();
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: category.id }, data: { visibility: "members" } }),
  );
  for (const [from, to, moved] of [
    ["/a", { article_id: article.id }, "/articles/refunds"],
    ["/b", { path: "/articles/refunds#how" }, "/articles/refunds#how"],
    ["/c", { category_id: category.id }, "/categories/billing"],
  ] as const) {
    expect((await create({ from, to })).status).toBe(201);
    expect([await reached(workspace, from), await reached(workspace, from, "member")]).toEqual([null, { moved }]);
  }
});

test("a deleted redirect leads nobody, and the log names the key", async () => {
  const { workspace, article, create, get, remove } = await aManager();
  const { redirect } = (await create({ from: "/old", to: { article_id: article.id } })).body;
  expect((await remove(redirect.id)).body).toEqual({ deleted: redirect });
  expect([(await get(redirect.id)).status, (await remove(redirect.id)).status]).toEqual([404, 404]);
  expect(await reached(workspace, "/old")).toBeNull();
  const entries = await acrossWorkspaces.query(
    `SELECT actor_name || ' ' || action AS entry FROM audit_entries
     WHERE workspace_id = $1 AND subject_kind = 'redirect' ORDER BY created_at`,
    [workspace.id],
  );
  expect(entries).toEqual([{ entry: "Sync redirect.created" }, { entry: "Sync redirect.removed" }]);
});

test("redirects are created, changed and deleted in bulk, each with the answer it would have had alone", async () => {
  const { article, create, list, bulk } = await aManager();
  const other = await aManager();
  const theirs = (await other.create({ from: "/theirs", to: null })).body.redirect;
  const { redirect } = (await create({ from: "/old", to: null })).body;
  const items = [
    { action: "create", ref: "a", from: "/help/a", to: { article_id: article.id } },
    { action: "create", from: "/help/a", to: null },
    { action: "update", redirect_id: redirect.id, to: { article_id: article.id } },
    { action: "update", to: null },
    { action: "delete", redirect_id: redirect.id },
    { action: "delete", redirect_id: unknown },
    { action: "update", redirect_id: theirs.id, to: { article_id: article.id } },
    { action: "delete", redirect_id: theirs.id },
    { action: "delete", redirect_id: "no id" },
  ];
  const done = await bulk(items, { "idempotency-key": "once" });
  expect(done.body.results.map(({ status }: { status: number }) => status)).toEqual([
    201, 422, 200, 422, 200, 404, 404, 404, 404,
  ]);
  expect((await other.get(theirs.id)).body.redirect).toEqual(theirs);
  const [made, taken, changed, nameless, deleted] = done.body.results;
  expect([made.ref, made.redirect.to]).toEqual(["a", { article_id: article.id }]);
  const { body: alone } = await create({ from: "/help/a", to: null });
  expect(taken).toEqual({ ref: null, status: 422, ...alone });
  expect([changed.redirect.to, deleted.deleted.id]).toEqual([{ article_id: article.id }, redirect.id]);
  expect(nameless.error).toBe("To update a redirect, send redirect_id.");
  const again = await bulk(items, { "idempotency-key": "once" });
  expect(again.body.results[0]).toEqual(made);
  expect(fromsOf(await list())).toEqual(["/help/a"]);
});
