import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { allows, everyScope, type Scope } from "@/lib/api-keys/scopes";
import { emptyText } from "@/lib/articles/article-text";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { addRedirect } from "@/lib/redirects/redirects";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { type Answered, aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { changing, plantedInvitation, plantedWebhook } from "./testing.changes";
import { type Listed, listed, refusal, requestFor, writes } from "./testing.operations";

// What keys with few scopes get from every operation of every version. New operations are covered automatically.

/** In everything that visitors do not see. */
const secret = "quetzal";

let workspace: TestWorkspace;
let elsewhere: TestWorkspace;
let keys: Record<Scope, string>;
let publicId: string;
let hiddenIds: string[];
/** Values for the parameters of operations. */
let values: Record<string, string[]>;

const keyWith = (scopes: Scope[], { id, actor } = workspace) =>
  inWorkspace(id, async (db) => (await createApiKey(db, { name: scopes.join(" ").slice(0, 100), scopes }, actor)).text);

beforeAll(async () => {
  workspace = await aWorkspace();
  elsewhere = await aWorkspace();
  const author = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: `${secret}@example.com`, firstName: "Grace", lastName: "Gardener", role: "Editor" },
      workspace.actor,
    ),
  );
  const open = await aCategory(workspace, { name: "Open garden" });
  const members = await aCategory(workspace, { name: `Members ${secret}`, description: secret, parentId: open.id });
  const below = await aCategory(workspace, { name: `Below ${secret}`, parentId: members.id });
  const root = await aCategory(workspace, { name: `Root ${secret}` });
  const empty = await aCategory(workspace, { name: `Empty ${secret}` });
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: { in: [members.id, root.id] } }, data: { visibility: "members" } }),
  );
  const text = { html: `<h2>The ${secret}</h2><p>A garden with a ${secret}.</p>`, tags: [secret, "garden"] };
  const hidden = [
    await anArticle(workspace, { category: members, title: `First ${secret} garden`, ...text }),
    await anArticle(workspace, { category: below, title: `Second ${secret} garden`, ...text }),
    await anArticle(workspace, { category: root, title: `Third ${secret} garden`, ...text }),
    await anArticle(workspace, { category: open, title: `Draft ${secret} garden`, state: "draft", ...text }),
  ];
  // Without chosen related articles, the API computes them.
  await anArticle(workspace, { category: open, title: "Garden tools", tags: ["garden"] });
  const shown = await anArticle(workspace, {
    category: open,
    title: "Garden gates",
    html: "<p>A gate for a garden.</p>",
    tags: ["garden"],
    keywords: ["flowerpot"],
    relatedIds: hidden.map(({ id }) => id),
    authorId: author.id,
    draft: {
      ...emptyText,
      title: `Garden gates of the ${secret}`,
      body: await derivedText(contentFromHtml(`<p>${secret}</p>`)),
      tags: [secret],
      relatedIds: [],
      updatedAt: new Date(),
      updatedBy: author.id,
    },
  });
  const permalinks = await inWorkspace(workspace.id, (db) =>
    db.article.findMany({ where: { id: { in: hidden.map(({ id }) => id) } }, select: { permalink: true } }),
  );
  const redirect = await inWorkspace(workspace.id, (db) =>
    addRedirect(db, { from: `/${secret}`, to: { kind: "article", id: shown.id } }, "", workspace.actor),
  );
  const synonym = await inWorkspace(workspace.id, (db) =>
    addSynonym(db, { term: secret, replacements: ["bird"] }, workspace.actor),
  );
  const tag = await inWorkspace(workspace.id, (db) => db.tag.findFirstOrThrow({ where: { name: secret } }));
  publicId = shown.id;
  hiddenIds = [...hidden.flatMap(({ id, slug }) => [id, slug]), ...permalinks.map(({ permalink }) => permalink)];
  values = {
    article_id: [shown.id, shown.slug, ...hiddenIds],
    number: ["1"],
    category_id: [open, members, below, root, empty].map(({ id }) => id),
    team_member_id: [author.id],
    redirect_id: [redirect.id],
    tag_id: [tag.id],
    synonym_id: [synonym.id],
    invitation_id: [await plantedInvitation(workspace, secret)],
    webhook_id: [await plantedWebhook(workspace, secret)],
    // Also misspelled, because a correction could tell the word.
    search_term: [secret, `${secret}l`, "garden", "gardem", "members"],
    email: [`${secret}@example.com`],
    scope: ["roots", "all"],
    category: ["full", "summary"],
    state: ["draft", "published"],
    sort_by: ["created_at", "updated_at", "title", "unique_views_count"],
    updated_since: ["2000-01-01T00:00:00Z"],
    tag: [secret, "garden"],
    author_email: [`${secret}@example.com`],
    external_id: [secret],
    has_draft: ["true", "false"],
  };
  keys = Object.fromEntries(
    await Promise.all(everyScope.map(async (scope) => [scope, await keyWith([scope])] as const)),
  ) as typeof keys;
});

/** A request of an operation for each value of each of its parameters. */
function requestsFor(operation: Listed) {
  const { params, query } = operation.spec;
  const first = Object.fromEntries(Object.keys(params.shape).map((name) => [name, values[name]?.[0]]));
  const names = [...Object.keys(params.shape), ...Object.keys(query.shape)];
  const each = names.flatMap((name) => (values[name] ?? []).map((value) => ({ ...first, [name]: value })));
  return [first, ...each].map((chosen) => requestFor(operation, chosen, "garden"));
}

const ask = (operation: Listed, key: string, { address, request } = requestsFor(operation)[0]!): Promise<Answered> =>
  call(operation.handler, workspace, address, { ...request, key });

/** Changes something in a workspace of its own, because the tests below count what ours has. */
async function change(operation: Listed, scope: Scope): Promise<Answered> {
  const { address, request, body } = await changeOf(operation, elsewhere, scope.replace(".", " "));
  const key = await keyWith([scope], elsewhere);
  return call(operation.handler, elsewhere, address, { ...request, key, ...(request.body && { body }) });
}

async function changeOf(operation: Listed, workspace: TestWorkspace, word: string) {
  const sent = await changing[operation.spec.operationId]?.(workspace, word);
  if (!sent) throw new Error(`Add a request of ${operation.spec.operationId} to testing.changes.ts.`);
  return { ...requestFor(operation, sent.values, word), body: sent.body };
}

/** Whether a key with this scope alone may use an operation. */
const isAllowed = ({ spec }: Listed, scope: Scope) => spec.scope === null || allows([scope], spec.scope);

describe.each(listed)("$name", (operation) => {
  test("refuses a key without its scope by naming the scope, and no other key", async () => {
    for (const scope of everyScope) {
      const { status, body } = writes.includes(operation)
        ? await change(operation, scope)
        : await ask(operation, keys[scope]);
      if (isAllowed(operation, scope))
        expect([scope, status]).toEqual([scope, operation.spec.creates === "always" ? 201 : 200]);
      else {
        const error = `This API key needs the ${operation.spec.scope} scope. Use a key that has it.`;
        expect([scope, status, body]).toEqual([scope, 403, refusal(operation.path, "missing_scope", error)]);
      }
    }
  });
});

describe.each(listed.filter((operation) => isAllowed(operation, "public")))("$name", (operation) => {
  test("shows a public key nothing that visitors do not see", async () => {
    const key = await keyWith(["public"]);
    for (const request of requestsFor(operation)) {
      const { status, text } = await ask(operation, key, request);
      expect(status).toBeLessThan(500);
      expect([request.address, text.toLowerCase()]).toEqual([request.address, expect.not.stringContaining(secret)]);
    }
  });
});

describe.each(["v1", "v2"])("%s", (version) => {
  const get = (path: string, key: string) => {
    const operation = listed.find(({ path: of, method }) => {
      const pattern = new RegExp(`^${of.replace(/\{\w+\}/, "[^/]+")}$`);
      return method === "GET" && pattern.test(`/api/external/${version}${path.split("?")[0]}`);
    });
    return call(operation!.handler, workspace, `/api/external/${version}${path}`, { key });
  };
  const all = ["articles", "categories", "search"] as const;

  test("a public key finds what visitors see: categories with published articles, counted as visitors count", async () => {
    const [lists, tree, found] = await Promise.all(
      ["/articles?sort_by=title", "/categories", "/search?search_term=garden"].map((path) => get(path, keys.public)),
    );
    expect(lists?.body.articles.map(({ title, unique_views_count }: never) => [title, unique_views_count])).toEqual([
      ["Garden gates", 0],
      ["Garden tools", 0],
    ]);
    expect(lists?.body.pagination.total_records).toBe(2);
    const [category, ...others] = tree?.body.categories ?? [];
    expect([others, tree?.body.pagination.total_records]).toEqual([[], 1]);
    expect(category).toMatchObject({
      name: "Open garden",
      total_articles_count: 2,
      categories_count: 0,
      children: [],
      subcategories: [],
    });
    expect(found?.body.matches.map(({ title }: never) => title).sort()).toEqual(["Garden gates", "Garden tools"]);
  });

  test("a key with content.read sees all of it in the same answers", async () => {
    for (const name of all) {
      const answer = await get(`/${name}?search_term=${secret}`, keys["content.read"]);
      expect([name, answer.text.toLowerCase()]).toEqual([name, expect.stringContaining(secret)]);
    }
    for (const id of hiddenIds) expect((await get(`/articles/${id}`, keys["content.read"])).status).toBe(200);
  });

  test("an article that a public key may not see is answered like one that never was", async () => {
    const unknown = await get("/articles/5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d", keys.public);
    for (const id of hiddenIds) {
      const { status, text } = await get(`/articles/${id}`, keys.public);
      expect([status, text]).toEqual([404, unknown.text]);
    }
  });

  if (version === "v2")
    test("a filter by what visitors don't see needs the scope that shows it", async () => {
      const filters = { author_email: "members.read", external_id: "content.read", has_draft: "content.read" } as const;
      for (const [field, scope] of Object.entries(filters)) {
        const value = { author_email: `${secret}@example.com`, external_id: "x", has_draft: "true" }[field];
        const path = `/articles?${field}=${value}`;
        const other = scope === "members.read" ? "content.read" : "public";
        const { status, body } = await get(path, keys[other]);
        const message = `${field} needs the ${scope} scope. Use a key that has it, or omit ${field}.`;
        expect([status, body.details]).toEqual([422, [{ field, code: "not_allowed", message }]]);
        expect((await get(path, await keyWith(["public", scope]))).status).toBe(200);
      }
    });

  if (version === "v2")
    test("a filter by tag finds for a public key only articles that visitors see with this tag", async () => {
      const found = async (tag: string, key: string) =>
        (await get(`/articles?tag=${tag}`, key)).body.pagination.total_records;
      expect([await found(secret, keys.public), await found("garden", keys.public)]).toEqual([0, 2]);
      expect([await found(secret, keys["content.read"]), await found("garden", keys["content.read"])]).toEqual([4, 6]);
    });

  // Only v2 returns one category.
  if (version === "v2")
    test("a category that a public key may not see is answered like one that never was", async () => {
      const unknown = await get("/categories/5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d", keys.public);
      const [open, ...others] = values.category_id ?? [];
      for (const id of others) {
        const { status, text } = await get(`/categories/${id}`, keys.public);
        expect([status, text]).toEqual([404, unknown.text]);
        expect((await get(`/categories/${id}`, keys.categories)).status).toBe(200);
      }
      const { category } = (await get(`/categories/${open}`, keys.public)).body;
      expect(category).toMatchObject({ total_articles_count: 2, children: [], subcategories: [] });
    });

  test("the author's email is for keys that read members, and keywords are for keys that read all content", async () => {
    const read = async (...scopes: Scope[]) => {
      const { article, meta } = (await get(`/articles/${publicId}`, await keyWith(scopes))).body;
      return [article.author.name, article.author.email, article.keywords, meta.keywords];
    };
    expect(await read("public")).toEqual(["Grace Gardener", "", [], ""]);
    expect(await read("content.read")).toEqual(["Grace Gardener", "", ["flowerpot"], "flowerpot"]);
    expect(await read("content.read", "members.read")).toEqual([
      "Grace Gardener",
      `${secret}@example.com`,
      ["flowerpot"],
      "flowerpot",
    ]);
  });

  test("an order by views, which visitors do not see, needs content.read", async () => {
    const path = "/articles?sort_by=unique_views_count";
    const refused = await get(path, keys.public);
    expect([refused.status, refused.body.details]).toEqual([
      422,
      [
        {
          field: "sort_by",
          code: "not_allowed",
          message: "Visitors don't see views. Sort by another field, or use a key with the content.read scope.",
        },
      ],
    ]);
    expect((await get(path, keys["content.read"])).status).toBe(200);
  });

  test("/me names the scopes, and the permission of programs from before them", async () => {
    const described = async (...scopes: Scope[]) => {
      const { permission, scopes: said } = (await get("/me", await keyWith(scopes))).body.api_key;
      return [permission, said];
    };
    expect(await described("members.read", "content.read")).toEqual(["read", ["content.read", "members.read"]]);
    expect(await described("content.read", "members.read")).toEqual(["read", ["content.read", "members.read"]]);
    expect(await described(...everyScope)).toEqual(["read_write", everyScope]);
  });
});
