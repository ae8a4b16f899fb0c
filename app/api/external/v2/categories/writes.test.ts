import { describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import { schedulePublishing } from "@/lib/articles/schedule";
import { placeCategory } from "@/lib/categories/places";
import { restoreCategory } from "@/lib/categories/removal";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { formerAddress } from "@/lib/reader/former-address";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const unknown = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

interface Branch {
  name: string;
  subcategories: Branch[];
}

/** A workspace whose key "Sync" manages categories. */
async function aManager(scopes: Scope[] = ["categories"]) {
  const workspace = await aWorkspace();
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Sync", scopes, createdBy: workspace.admin.id }, workspace.actor),
  );
  const send = (
    method: string,
    path: "/categories" | "/categories/{category_id}" | "/categories/{category_id}/merge" | "/categories/order",
    id = "",
    body?: object,
    headers: Record<string, string> = {},
  ) =>
    call(paths[path], workspace, `/api/external/v2${path.replace("{category_id}", id)}`, {
      method,
      key: key.text,
      headers,
      ...(body && { body }),
    });
  const create = (body: object) => send("POST", "/categories", "", body);
  return {
    workspace,
    create,
    /** Creates one of this name. @returns its id */
    made: async (name: string, parent?: string) =>
      (await create({ name, ...(parent && { parent_id: parent }) })).body.category.id as string,
    get: (id: string) => send("GET", "/categories/{category_id}", id),
    update: (id: string, body: object, headers?: Record<string, string>) =>
      send("PATCH", "/categories/{category_id}", id, body, headers),
    remove: (id: string, body?: object, headers?: Record<string, string>) =>
      send("DELETE", "/categories/{category_id}", id, body, headers),
    merge: (id: string, body: object, headers?: Record<string, string>) =>
      send("POST", "/categories/{category_id}/merge", id, body, headers),
    order: (body: object) => send("PUT", "/categories/order", "", body),
    /** The tree as text: each level in its order, what is below in brackets. */
    tree: async () => {
      const said = (categories: Branch[]): string =>
        categories
          .map(({ name, subcategories }) => name + (subcategories.length > 0 ? `(${said(subcategories)})` : ""))
          .join(" ");
      return said((await send("GET", "/categories")).body.categories);
    },
  };
}

const auditOf = async (workspace: TestWorkspace) =>
  (
    await acrossWorkspaces.query<{ actor_name: string; action: string; subject_name: string }>(
      `SELECT actor_name, action, subject_name FROM audit_entries
       WHERE workspace_id = $1 AND subject_kind = 'category' ORDER BY created_at, action`,
      [workspace.id],
    )
  ).map(({ actor_name, action, subject_name }) => `${actor_name}: ${action} ${subject_name}`);
const redirectOf = (workspace: TestWorkspace, slug: string) =>
  readAs(workspace, "anyone", (snapshot) => formerAddress(snapshot, `/categories/${slug}`));

describe("POST /categories", () => {
  test("creates a category where it was asked for, and GET returns it", async () => {
    const { workspace, create, get, made, tree } = await aManager();
    const parent = await made("Guides");
    await made("Last", parent);
    const answer = await create({
      name: "  Sign-in ",
      description: "How to sign in.",
      slug: "log in",
      visibility_setting: "members",
      parent_id: parent.toUpperCase(),
      position: 1,
    });
    const { category } = answer.body;
    expect([answer.status, answer.headers.get("location")]).toEqual([
      201,
      `http://${workspace.subdomain}.localhost:3000/api/external/v2/categories/${category.id}`,
    ]);
    expect(category).toMatchObject({
      name: "Sign-in",
      description: "How to sign in.",
      slug: "log-in",
      visibility: "members",
      visibility_setting: "members",
      parent_id: parent,
      depth: 1,
      ancestors: [{ name: "Guides" }],
    });
    expect((await get(category.id.toUpperCase())).text).toBe(answer.text);
    expect(await tree()).toBe("Guides(Sign-in Last)");
    expect((await create({ name: "Guides" })).body.category.slug).toBe("guides-2");
    expect((await auditOf(workspace)).at(2)).toBe("Sync: category.created Sign-in");
  });

  test("names every field that was refused, as the API names it", async () => {
    const { create, made } = await aManager();
    const wrong = { name: 1, slug: 1, visibility_setting: "public", parent_id: "top", position: 0 };
    expect(fieldsOf(await create(wrong))).toEqual([
      422,
      ...["name invalid", "slug invalid", "visibility_setting invalid", "parent_id invalid", "position invalid"],
    ]);
    expect(fieldsOf(await create({ name: " ", slug: "!", description: "x".repeat(5001) }))).toEqual([
      422,
      ...["name required", "slug invalid", "description too_long"],
    ]);
    expect(fieldsOf(await create({ name: "A", parent_id: unknown }))).toEqual([422, "parent_id not_found"]);
    await create({ name: "A", slug: "taken" });
    expect(fieldsOf(await create({ name: "B", slug: "taken" }))).toEqual([422, "slug taken"]);
    let parent = await made("1");
    for (const name of ["2", "3", "4", "5", "6"]) parent = await made(name, parent);
    expect(fieldsOf(await create({ name: "7", parent_id: parent }))).toEqual([422, "parent_id not_allowed"]);
  });

  test("never lets a program believe that a category is for members when it is not", async () => {
    const { workspace, create, update, made, tree } = await aManager();
    const refused = await create({ name: "Internal", visibility: "members" });
    expect([...fieldsOf(refused), refused.body.error]).toEqual([
      422,
      "visibility not_allowed",
      "visibility is read-only and would be public for this category. To change it, send visibility_setting. Otherwise, omit visibility.",
    ]);
    expect(await tree()).toBe("");
    const id = await made("Internal");
    expect(fieldsOf(await update(id, { name: "Other", visibility: "members" }))).toEqual([
      422,
      "visibility not_allowed",
    ]);
    expect(await tree()).toBe("Internal");
    const both = { visibility: "members", visibility_setting: "members" };
    expect((await update(id, both)).body.category).toMatchObject(both);
    await inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { visibility: "members" } }));
    expect((await create({ name: "Closed", visibility: "members" })).body.category).toMatchObject({
      visibility: "members",
      visibility_setting: "inherit",
    });
  });
});

describe("PATCH /categories/{category_id}", () => {
  test("changes only the fields that are sent, and redirects the former slug", async () => {
    const { workspace, create, update } = await aManager();
    const { id } = (await create({ name: "Billing", description: "Money." })).body.category;
    const { category } = (await update(id, { name: "Payments", slug: "payments" })).body;
    expect(category).toMatchObject({ name: "Payments", slug: "payments", description: "Money." });
    expect(await redirectOf(workspace, "billing")).toBeNull();
    await anArticle(workspace, { category });
    expect(await redirectOf(workspace, "billing")).toEqual({ moved: "/categories/payments" });
    expect((await update(id, { description: null })).body.category.description).toBeNull();
    expect(fieldsOf(await update(id, { name: "", parent_id: id }))).toEqual([422, "parent_id not_allowed"]);
  });

  test("sent back as it was answered, changes nothing", async () => {
    const { workspace, made, create, get, update } = await aManager();
    const parent = await made("Guides");
    const id = await made("Sign-in", parent);
    await made("Later", parent);
    const before = await get(id);
    const entries = await auditOf(workspace);
    const after = await update(id, before.body.category);
    expect([after.status, after.text]).toEqual([200, before.text]);
    expect((await update(id, {})).text).toBe(before.text);
    expect((await update(id, { position: 1 })).text).toBe(before.text);
    const moved = await update(id, { sequence: before.body.category.sequence + 1 });
    expect([moved.status, moved.body.error]).toEqual([
      422,
      `sequence is read-only, and this category's is ${before.body.category.sequence}. To move the category, send position.`,
    ]);
    expect((await create({ name: "New", sequence: 1 })).body.error).toBe(
      "sequence is not a field of this request. Did you mean position?",
    );
    expect(await auditOf(workspace)).toEqual(entries);
  });

  test("moves a category with everything in it to a parent and a position", async () => {
    const { workspace, made, update, tree } = await aManager();
    const a = await made("A");
    const b = await made("B", a);
    await made("C", b);
    const d = await made("D");
    await made("E", d);
    await update(b, { parent_id: d });
    expect(await tree()).toBe("A D(E B(C))");
    await update(b, { position: 1 });
    expect(await tree()).toBe("A D(B(C) E)");
    await update(b, { parent_id: null, position: 2, name: "Beta" });
    expect(await tree()).toBe("A Beta(C) D(E)");
    await update(b, { position: 99 });
    expect(await tree()).toBe("A D(E) Beta(C)");
    expect((await auditOf(workspace)).slice(5)).toEqual([
      "Sync: category.moved B",
      "Sync: category.moved B",
      "Sync: category.moved B",
      "Sync: category.updated Beta",
      "Sync: category.moved Beta",
    ]);
    expect(fieldsOf(await update(a, { parent_id: a }))).toEqual([422, "parent_id not_allowed"]);
    expect(fieldsOf(await update(a, { parent_id: unknown }))).toEqual([422, "parent_id not_found"]);
    expect(await tree()).toBe("A D(E) Beta(C)");
  });

  test("with an ETag, is refused once a member has changed the category", async () => {
    const { workspace, made, get, update, remove, merge } = await aManager();
    const id = await made("Guides");
    const other = await made("Other");
    const tag = { "if-match": (await get(id)).headers.get("etag") ?? "" };
    expect((await update(id, { description: "First." }, tag)).status).toBe(200);
    const seen = { "if-match": (await get(id)).headers.get("etag") ?? "" };
    await inWorkspace(workspace.id, (db) => placeCategory(db, id, { parentId: other, before: null }, workspace.actor));
    for (const late of [
      await update(id, { description: "Second." }, seen),
      await remove(id, {}, seen),
      await merge(id, { into: other }, seen),
    ]) {
      expect([late.status, late.body.code]).toEqual([412, "revision_conflict"]);
    }
    expect((await get(id)).body.category).toMatchObject({ description: "First.", parent_id: other });
  });
});

test("If-Match of a category is not refused after changes to its contents", async () => {
  const { workspace, made, get, update } = await aManager();
  const id = await made("Guides");
  const tag = { "if-match": (await get(id)).headers.get("etag") ?? "" };
  await anArticle(workspace, { category: { id, name: "Guides" } });
  await made("Below", id);
  expect((await get(id)).body.category).toMatchObject({ articles_count: 1, categories_count: 1 });
  expect((await update(id, { description: "First." }, tag)).status).toBe(200);
  expect((await update(id, { description: "Second." }, tag)).status).toBe(412);
});

describe("DELETE /categories/{category_id}", () => {
  test("needs to know where the contents go, and redirects there", async () => {
    const { workspace, made, get, remove, tree } = await aManager();
    const [old, target] = [await made("Old"), await made("Target")];
    await made("Below", old);
    const { category } = (await get(old)).body;
    await anArticle(workspace, { category, title: "Live" });
    await anArticle(workspace, { category, title: "Draft", state: "draft" });
    expect(fieldsOf(await remove(old))).toEqual([422, "move_contents_to required"]);
    expect(fieldsOf(await remove(old, { move_contents_to: old }))).toEqual([422, "move_contents_to not_allowed"]);
    expect(fieldsOf(await remove(old, { move_contents_to: unknown }))).toEqual([422, "move_contents_to not_found"]);
    expect((await remove(old, { move_contents_to: target })).body).toEqual({
      deleted: { id: old, name: "Old", slug: "old" },
      moved: { articles_count: 2, categories_count: 1 },
    });
    expect(await tree()).toBe("Target(Below)");
    expect((await get(target)).body.category.articles).toMatchObject([{ title: "Live" }]);
    expect(await redirectOf(workspace, "old")).toEqual({ moved: "/categories/target" });
    expect((await remove(old)).status).toBe(404);
    await inWorkspace(workspace.id, (db) => restoreCategory(db, old, workspace.actor));
    expect(await tree()).toBe("Old(Below) Target");
  });

  test("an empty category is deleted without one, and its URL is gone", async () => {
    const { workspace, made, get, remove } = await aManager();
    const id = await made("Empty");
    expect((await remove(id)).body.moved).toEqual({ articles_count: 0, categories_count: 0 });
    expect((await get(id)).status).toBe(404);
    expect(await redirectOf(workspace, "empty")).toEqual("gone");
  });

  test("puts scheduled articles on hold, unless the key may publish", async () => {
    for (const scopes of [["categories"], ["categories", "content.publish"]] as Scope[][]) {
      const { workspace, made, get, remove } = await aManager(scopes);
      const [old, target] = [await made("Old"), await made("Target")];
      const { category } = (await get(old)).body;
      const { id } = await anArticle(workspace, { category, state: "draft" });
      await inWorkspace(workspace.id, (db) =>
        schedulePublishing(db, id, new Date(Date.now() + 3_600_000), workspace.actor),
      );
      await remove(old, { move_contents_to: target });
      const { publishHeld } = await inWorkspace(workspace.id, (db) => db.article.findFirstOrThrow({ where: { id } }));
      expect([scopes, publishHeld]).toEqual([scopes, scopes.length === 1]);
    }
  });
});

test("POST /categories/{category_id}/merge moves the contents, and returns the other category", async () => {
  const { workspace, made, get, merge, tree } = await aManager();
  const [one, two] = [await made("One"), await made("Two")];
  await made("Below", one);
  await anArticle(workspace, { category: (await get(one)).body.category, title: "Live" });
  expect(fieldsOf(await merge(one, {}))).toEqual([422, "into required"]);
  expect(fieldsOf(await merge(one, { into: one }))).toEqual([422, "into not_allowed"]);
  const answer = await merge(one, { into: two.toUpperCase() });
  expect(answer.body).toMatchObject({
    category: { id: two, name: "Two", articles_count: 1, categories_count: 1 },
    moved: { articles_count: 1, categories_count: 1 },
  });
  expect(await tree()).toBe("Two(Below)");
  expect(await redirectOf(workspace, "one")).toEqual({ moved: "/categories/two" });
  expect((await auditOf(workspace)).at(-1)).toBe("Sync: category.merged One");
});

describe("PUT /categories/order", () => {
  test("puts all categories of a parent in order, and says so of those that moved", async () => {
    const { workspace, made, order, tree } = await aManager();
    const parent = await made("Guides");
    const [a, b, c, d] = [
      await made("A", parent),
      await made("B", parent),
      await made("C", parent),
      await made("D", parent),
    ];
    const ordered = await order({ parent_id: parent.toUpperCase(), category_ids: [d, a.toUpperCase(), c, b] });
    expect([ordered.status, ordered.body]).toEqual([
      200,
      { parent_id: parent, category_ids: [d, a, c, b], changed: true },
    ]);
    expect(await tree()).toBe("Guides(D A C B)");
    const moves = (await auditOf(workspace)).filter((entry) => entry.includes("category.moved"));
    expect(moves).toHaveLength(2);
    expect(moves.join()).toContain("category.moved D");
    expect((await order({ parent_id: parent, category_ids: [d, a, c, b] })).body.changed).toBe(false);
    expect(await auditOf(workspace)).toHaveLength(7);
    const last = await made("Last");
    await order({ parent_id: null, category_ids: [last, parent] });
    expect(await tree()).toBe("Last Guides(D A C B)");
  });

  test("refuses a list that is not all categories of the parent, and names the missing ones", async () => {
    const { workspace, made, order, tree } = await aManager();
    const [first, second] = [await made("First"), await made("Second")];
    const below = await made("Below", first);
    const theirs = await aCategory(await aWorkspace());
    const before = await auditOf(workspace);
    const all = "List the ID of every category in the parent exactly once.";
    const many = `${all} Remove duplicate IDs and IDs of categories that are not in the parent.`;
    const refusals = [
      [{ parent_id: null, category_ids: [second] }, "category_ids", `${all} Missing: ${first}.`],
      [{ parent_id: null, category_ids: [] }, "category_ids", `${all} Missing: ${first}, ${second}.`],
      [{ parent_id: null, category_ids: [second, first, first] }, "category_ids", many],
      [{ parent_id: null, category_ids: [second, below, first] }, "category_ids", many],
      [{ parent_id: null, category_ids: [second, theirs.id, first] }, "category_ids", many],
      [
        { parent_id: null, category_ids: [second, first, ...Array.from({ length: 9_998 }, () => first)] },
        "category_ids",
        many,
      ],
      [
        { parent_id: theirs.id, category_ids: [] },
        "parent_id",
        "The parent category doesn't exist. Choose another one.",
      ],
      [{ category_ids: [second, first] }, "parent_id", "parent_id is required."],
    ] as const;
    for (const [body, field, message] of refusals) {
      const answer = await order(body);
      expect([answer.status, answer.body.details[0].field, answer.body.error]).toEqual([422, field, message]);
    }
    expect([await tree(), await auditOf(workspace)]).toEqual(["First(Below) Second", before]);
  });
});
