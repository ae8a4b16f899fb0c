import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { renameTag } from "@/lib/articles/tags";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";

const unknown = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

/** A workspace with two articles that have tags, a published one and a draft. */
async function aLibrary() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const live = await anArticle(workspace, { category, title: "Live", tags: ["Billing", "money", "Éclair"] });
  await anArticle(workspace, { category, title: "Draft", state: "draft", tags: ["money"] });
  const [reader, sync] = await inWorkspace(workspace.id, async (db) => [
    await createApiKey(db, { name: "Reader", scopes: ["content.draft"] }, workspace.actor),
    await createApiKey(db, { name: "Sync", scopes: ["content.publish"] }, workspace.actor),
  ]);
  const send = (
    method: string,
    path: "/tags" | "/tags/{tag_id}" | "/tags/{tag_id}/merge",
    rest = "",
    body?: object,
    { key = sync.text, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ) => {
    const url = `/api/external/v2${path.includes("{") ? path.replace("{tag_id}", rest) : path + rest}`;
    return call(paths[path], workspace, url, { method, key, headers, ...(body && { body }) });
  };
  const list = async (query = "") => (await send("GET", "/tags", query)).body;
  return {
    ...{ workspace, send, list, reader: reader.text },
    idOf: async (name: string) => (await list(`?search_term=${name}`)).tags[0].id as string,
    countsOf: async () =>
      (await list()).tags.map(({ name, articles_count }: { name: string; articles_count: number }) => [
        name,
        articles_count,
      ]),
    tagsOfLive: async () => {
      const { body } = await call(paths["/articles/{article_id}"], workspace, `/api/external/v2/articles/${live.id}`);
      return body.article.tags.map(({ name }: { name: string }) => name);
    },
  };
}

test("the list is in order of names, with the number of articles, drafts included", async () => {
  const { send, list, countsOf, idOf } = await aLibrary();
  expect(await countsOf()).toEqual([
    ["Billing", 1],
    ["Éclair", 1],
    ["money", 2],
  ]);
  expect(await list("?page_size=1&page_number=3")).toMatchObject({
    tags: [{ name: "money" }],
    pagination: { total_records: 3 },
  });
  expect(await list("?search_term=%CC%81")).toMatchObject({ tags: [], pagination: { total_records: 0 } });
  expect((await list("?search_term=ECL")).tags).toMatchObject([{ name: "Éclair" }]);
  const { tag } = (await send("GET", "/tags/{tag_id}", await idOf("money"))).body;
  expect(tag).toEqual((await list("?search_term=money")).tags[0]);
  expect((await send("GET", "/tags/{tag_id}", unknown)).status).toBe(404);
});

test("a tag is renamed, merged and deleted in all articles immediately", async () => {
  const { workspace, send, idOf, countsOf, tagsOfLive } = await aLibrary();
  const [money, billing, eclair] = [await idOf("money"), await idOf("billing"), await idOf("eclair")];
  expect((await send("PATCH", "/tags/{tag_id}", money, { name: " Cash " })).body.tag).toEqual({
    id: money,
    name: "Cash",
    articles_count: 2,
  });
  expect((await send("PATCH", "/tags/{tag_id}", money, {})).body.tag.name).toBe("Cash");
  expect(await tagsOfLive()).toEqual(["Billing", "Cash", "Éclair"]);
  for (const [name, code] of [
    ["", "required"],
    ["x".repeat(101), "too_long"],
    ["BILLING", "taken"],
    [1, "invalid"],
  ]) {
    const { status, body } = await send("PATCH", "/tags/{tag_id}", money, { name });
    expect([name, status, body.details]).toEqual([name, 422, [{ field: "name", code, message: expect.any(String) }]]);
  }
  for (const [into, code] of [
    [undefined, "required"],
    ["x", "invalid"],
    [billing, "not_allowed"],
    [unknown, "not_found"],
  ]) {
    const { status, body } = await send("POST", "/tags/{tag_id}/merge", billing, { into });
    expect([into, status, body.details]).toEqual([into, 422, [{ field: "into", code, message: expect.any(String) }]]);
  }
  expect((await send("POST", "/tags/{tag_id}/merge", billing, { into: money.toUpperCase() })).body.tag).toEqual({
    id: money,
    name: "Cash",
    articles_count: 2,
  });
  expect((await send("DELETE", "/tags/{tag_id}", eclair)).body).toEqual({
    deleted: { id: eclair, name: "Éclair", articles_count: 1 },
  });
  expect((await send("DELETE", "/tags/{tag_id}", eclair)).status).toBe(404);
  expect([await tagsOfLive(), await countsOf()]).toEqual([["Cash"], [["Cash", 2]]]);
  const entries = await acrossWorkspaces.query<{ entry: string }>(
    `SELECT actor_name || ' ' || action AS entry FROM audit_entries
     WHERE workspace_id = $1 AND subject_kind = 'tag' ORDER BY created_at`,
    [workspace.id],
  );
  expect(entries.map(({ entry }) => entry)).toEqual(["Sync tag.renamed", "Sync tag.merged", "Sync tag.deleted"]);
});

test("a change is refused without the scope to publish, or with an ETag from before another change", async () => {
  const { workspace, send, idOf, reader, countsOf } = await aLibrary();
  const [money, billing] = [await idOf("money"), await idOf("billing")];
  const before = await countsOf();
  const changes = (options: Parameters<typeof send>[4]) =>
    Promise.all([
      send("PATCH", "/tags/{tag_id}", money, { name: "Other" }, options),
      send("PATCH", "/tags/{tag_id}", money, {}, options),
      send("DELETE", "/tags/{tag_id}", money, undefined, options),
      send("POST", "/tags/{tag_id}/merge", money, { into: billing }, options),
    ]);
  for (const { status, body } of await changes({ key: reader })) {
    expect([status, body.error]).toEqual([403, "This API key needs the content.publish scope. Use a key that has it."]);
  }
  expect(await countsOf()).toEqual(before);
  const tag = (await send("GET", "/tags/{tag_id}", money, undefined, { key: reader })).headers.get("etag") ?? "";
  await inWorkspace(workspace.id, (db) => renameTag(db, money, "Cash", workspace.actor));
  const late = await changes({ headers: { "if-match": tag } });
  expect(late.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([412, "revision_conflict"]));
  expect((await send("GET", "/tags/{tag_id}", money)).body.tag).toMatchObject({ name: "Cash", articles_count: 2 });
});

test("If-Match of a tag is not refused after changes to its articles", async () => {
  const { workspace, send, idOf } = await aLibrary();
  const money = await idOf("money");
  const tag = (await send("GET", "/tags/{tag_id}", money)).headers.get("etag") ?? "";
  await anArticle(workspace, { category: await aCategory(workspace), tags: ["money"] });
  const options = { headers: { "if-match": tag } };
  const renamed = await send("PATCH", "/tags/{tag_id}", money, { name: "Cash" }, options);
  expect([renamed.status, renamed.body.tag]).toMatchObject([200, { name: "Cash", articles_count: 3 }]);
});
