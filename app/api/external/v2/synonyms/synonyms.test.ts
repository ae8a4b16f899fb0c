import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { changeSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

/** A workspace with the article "Vacation", and a key "Sync" that manages synonyms. */
async function aManager() {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace), title: "Vacation" });
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Sync", scopes: ["public", "synonyms"] }, workspace.actor),
  );
  const send = (method: string, rest: string, body?: object, headers: Record<string, string> = {}) =>
    call(
      paths[rest.startsWith("/") ? "/synonyms/{synonym_id}" : "/synonyms"],
      workspace,
      `/api/external/v2/synonyms${rest}`,
      { method, key: key.text, headers, ...(body && { body }) },
    );
  return {
    workspace,
    list: async (query = "") => (await send("GET", query)).body,
    get: (id: string) => send("GET", `/${id}`),
    create: (body: object) => send("POST", "", body),
    update: (id: string, body: object, headers?: Record<string, string>) => send("PATCH", `/${id}`, body, headers),
    remove: (id: string, headers?: Record<string, string>) => send("DELETE", `/${id}`, undefined, headers),
    found: async (term: string) => {
      const path = `/api/external/v2/search?search_term=${encodeURIComponent(term)}`;
      const { body } = await call(paths["/search"], workspace, path, { key: key.text });
      return body.matches.map(({ title }: { title: string }) => title);
    },
  };
}

test("a synonym is created, used by the next search, changed and deleted", async () => {
  const { workspace, create, get, update, remove, found } = await aManager();
  expect(await found("pto")).toEqual([]);
  const made = await create({ term: " PTO ", replacements: ["vacation", "Vacation", "time  off"] });
  const { synonym } = made.body;
  expect([made.status, made.headers.get("location")]).toEqual([
    201,
    `http://${workspace.subdomain}.localhost:3000/api/external/v2/synonyms/${synonym.id}`,
  ]);
  expect(synonym).toMatchObject({ term: "PTO", replacements: ["vacation", "time off"], two_way: true });
  expect((await get(synonym.id)).text).toBe(made.text);
  expect([await found("pto"), await found("time off")]).toEqual([["Vacation"], ["Vacation"]]);
  const oneWay = (await update(synonym.id, { two_way: false })).body.synonym;
  expect(oneWay).toEqual({ ...synonym, two_way: false });
  expect([await found("pto"), await found("time off")]).toEqual([["Vacation"], []]);
  expect((await update(synonym.id, oneWay)).body.synonym).toEqual(oneWay);
  expect((await update(synonym.id, { term: "leave", replacements: ["vacation"] })).body.synonym).toEqual({
    ...oneWay,
    term: "leave",
    replacements: ["vacation"],
  });
  expect([await found("pto"), await found("leave")]).toEqual([[], ["Vacation"]]);
  expect((await remove(synonym.id)).body.deleted).toMatchObject({ id: synonym.id, term: "leave" });
  expect([await found("leave"), (await get(synonym.id)).status, (await remove(synonym.id)).status]).toEqual([
    ...[[], 404, 404],
  ]);
  const entries = await acrossWorkspaces.query<{ entry: string }>(
    `SELECT actor_name || ' ' || action AS entry FROM audit_entries
     WHERE workspace_id = $1 AND subject_kind = 'synonym' ORDER BY created_at`,
    [workspace.id],
  );
  expect(entries.map(({ entry }) => entry)).toEqual([
    ...["Sync synonym.created", "Sync synonym.updated", "Sync synonym.updated", "Sync synonym.removed"],
  ]);
});

test("the list is in order of terms, in pages, and searches terms and replacements", async () => {
  const { create, list } = await aManager();
  for (const term of ["zebra", "Éclair", "apple"]) await create({ term, replacements: [`the ${term} thing`] });
  const termsOf = ({ synonyms }: { synonyms: { term: string }[] }) => synonyms.map(({ term }) => term);
  const page = await list("?page_size=2");
  expect([termsOf(page), page.pagination.total_records]).toEqual([["apple", "Éclair"], 3]);
  expect(termsOf(await list("?page_size=2&page_number=2"))).toEqual(["zebra"]);
  expect(termsOf(await list("?search_term=eclair%20thing"))).toEqual(["Éclair"]);
});

test("every field that was refused is named", async () => {
  const { create, update } = await aManager();
  const words = { term: "a", replacements: ["b"] };
  for (const [body, ...fields] of [
    [{}, "term required", "replacements required"],
    [{ term: 1, replacements: [1], two_way: "no" }, "term invalid", "replacements.0 invalid", "two_way invalid"],
    [{ term: " ", replacements: [] }, "term required", "replacements required"],
    [{ ...words, term: "!" }, "term invalid"],
    [{ ...words, term: "a\u0000" }, "term invalid"],
    [{ ...words, replacements: ["A"] }, "replacements not_allowed"],
    [{ ...words, replacements: ["x".repeat(101)] }, "replacements too_long"],
  ] as [object, ...string[]][]) {
    expect([body, ...fieldsOf(await create(body))]).toEqual([body, 422, ...fields]);
  }
  const { synonym } = (await create(words)).body;
  expect(fieldsOf(await create({ ...words, term: "Á" }))).toEqual([422, "term taken"]);
  expect(fieldsOf(await update(synonym.id, { term: "B" }))).toEqual([422, "replacements not_allowed"]);
});

test("with an ETag, is changed and deleted only if no one else has changed it", async () => {
  const { workspace, create, get, update, remove } = await aManager();
  const { id } = (await create({ term: "pto", replacements: ["vacation"] })).body.synonym;
  const tag = { "if-match": (await get(id)).headers.get("etag") ?? "" };
  await inWorkspace(workspace.id, (db) => changeSynonym(db, id, { replacements: ["leave"] }, workspace.actor));
  for (const late of [await update(id, { term: "off" }, tag), await remove(id, tag)]) {
    expect([late.status, late.body.code]).toEqual([412, "revision_conflict"]);
  }
  const now = { "if-match": (await get(id)).headers.get("etag") ?? "" };
  expect((await update(id, { term: "off" }, now)).body.synonym).toMatchObject({ term: "off", replacements: ["leave"] });
});
