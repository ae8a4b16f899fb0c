import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { jsonOf } from "@/lib/api/json";
import type { Handler } from "@/lib/api/route";
import { createApiKey, revokeApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { GET as unknownPath } from "../[...path]/route";
import { changing, plantedDelivery, plantedInvitation, plantedWebhook } from "./testing.changes";
import { refusal } from "./testing.operations";
import { paths as v1 } from "./v1/_document/operations";
import { routes as v1Routes } from "./v1/routes";
import { paths as v2 } from "./v2/_document/operations";
import { routes as v2Routes } from "./v2/routes";

// Promises of every operation of every version. New operations are covered automatically.

const versions = { v1, v2 };
/** Includes the paths that are not operations. */
const routes: Record<string, Record<string, Handler>> = { v1: v1Routes, v2: v2Routes };
const here = dirname(fileURLToPath(import.meta.url));
const random = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";

const operations = Object.entries(versions).flatMap(([version, paths]) =>
  Object.entries(paths as Record<string, Handler>).flatMap(([path, handler]) =>
    Object.entries(handler.operations).map(([method, operation]) => ({
      name: `${method} ${version}${path}`,
      version,
      path: `/api/external/${version}${path}`,
      method,
      handler,
      operation,
    })),
  ),
);

/** A URL of the operation, with the query that it needs to answer 200. */
function addressOf(path: string, values: Record<string, string> = {}): string {
  return (
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? random)) +
    (path.endsWith("/search") ? "?search_term=word" : "")
  );
}

const keyRefused = (path: string) => refusal(path, "invalid_api_key", "Authentication failed: invalid API key.");
const notFound = (path: string) => refusal(path, "not_found", "Not found. Check the ID in the URL.");

/** Declares a test only where it applies, so that no test is skipped. */
const onlyIf = (applies: boolean): ((name: string, work: () => Promise<void>) => void) => (applies ? test : () => {});

/** A workspace with one row of everything that a path can name. */
type Planted = TestWorkspace & {
  category: { id: string };
  redirectId: string;
  synonymId: string;
  tagId: string;
  invitationId: string;
  webhookId: string;
  deliveryId: string;
  article: { id: string; slug: string };
};

let ours: Planted;
let theirs: Planted;

async function planted(): Promise<Planted> {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const data = { fromPath: "/old", kind: "url", url: "https://example.com/" };
  const redirect = await inWorkspace(workspace.id, (db) => db.redirect.create({ data, select: { id: true } }));
  const synonym = { term: "a", replacements: ["b"] };
  const { id: synonymId } = await inWorkspace(workspace.id, (db) => addSynonym(db, synonym, workspace.actor));
  const named = { name: "a", nameFolded: "a" };
  const tag = await inWorkspace(workspace.id, (db) => db.tag.create({ data: named, select: { id: true } }));
  const webhookId = await plantedWebhook(workspace, "named");
  return {
    ...workspace,
    invitationId: await plantedInvitation(workspace, "named"),
    webhookId,
    deliveryId: await plantedDelivery(workspace, webhookId),
    category,
    redirectId: redirect.id,
    synonymId,
    tagId: tag.id,
    article: await anArticle(workspace, { category }),
  };
}

/** What a path of a read operation names in a workspace. */
const valuesIn = (workspace: Planted): Record<string, string> => ({
  article_id: workspace.article.id,
  category_id: workspace.category.id,
  redirect_id: workspace.redirectId,
  synonym_id: workspace.synonymId,
  tag_id: workspace.tagId,
  invitation_id: workspace.invitationId,
  webhook_id: workspace.webhookId,
  delivery_id: workspace.deliveryId,
  team_member_id: workspace.admin.id,
  number: "1",
});

const plantBoth = async () => {
  [ours, theirs] = await Promise.all([planted(), planted()]);
};

beforeAll(plantBoth);

test("every route file is in the list of its version", () => {
  const files = readdirSync(here, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
  const listed = Object.entries(routes).flatMap(([version, paths]) =>
    Object.keys(paths).map((path) => join(version, path.replaceAll(/\{(\w+)\}/g, "[$1]"), "route.ts")),
  );
  expect(files.sort()).toEqual(listed.sort());
});

/** In development, Next takes a second to compile each route. Its answers for v1 stand for the others. */
const isAsked = (version: string) => version === "v1" || process.env.CONTRACT_TARGET !== "next";

describe.each(operations.filter(({ version }) => isAsked(version)))("$name", ({ path, method, handler, operation }) => {
  const body = operation.spec.body && {};
  const change = changing[operation.spec.operationId];
  // A key has 120 writes a minute.
  if (change) beforeAll(plantBoth);

  const ask = (options: Parameters<typeof call>[3] = {}, workspace = ours) =>
    call(handler, workspace, addressOf(path), { method, body, ...options });

  test("answers 401 with the same bytes to a missing, malformed, unknown, revoked, expired and foreign key", async () => {
    const revoked = await inWorkspace(ours.id, async (db) => {
      const key = await createApiKey(db, { name: "revoked", scopes: everyScope }, ours.actor);
      await revokeApiKey(db, key.id, ours.actor);
      return key.text;
    });
    const expired = await inWorkspace(ours.id, async (db) => {
      const key = await createApiKey(db, { name: "expired", scopes: everyScope }, ours.actor);
      await db.apiKey.updateMany({ where: { id: key.id }, data: { expiresAt: new Date(Date.now() - 1000) } });
      return key.text;
    });
    const keys = [null, "kb_nonsense", `kb_${"0".repeat(38)}`, revoked, expired, theirs.key.text];
    for (const key of keys) {
      const answer = await ask({ key });
      expect([answer.status, answer.body, answer.headers.get("www-authenticate")]).toEqual([
        401,
        keyRefused(path),
        'ApiKey realm="external API"',
      ]);
    }
    expect((await ask()).status).not.toBe(401);
  });

  test("does not read a key from the address", async () => {
    const address = new URL(addressOf(path), "http://x");
    address.searchParams.set("api_key", ours.key.text);
    address.searchParams.set("X-Api-Key", ours.key.text);
    const answer = await call(handler, ours, address.pathname + address.search, { method, body, key: null });
    expect(answer.body).toEqual(keyRefused(path));
  });

  test("answers a workspace that does not exist with 404 before it reads the key", async () => {
    for (const subdomain of ["nobody-here", "www"]) {
      const answer = await ask({ key: null }, { ...ours, subdomain });
      expect([answer.status, answer.body]).toEqual([
        404,
        refusal(path, "unknown_workspace", "Workspace not found. Check the subdomain in the URL."),
      ]);
    }
  });

  test("answers JSON that has the shape it declares, with the headers of every answer", async () => {
    const sent = (await change?.(ours, "shape")) ?? { values: valuesIn(ours), body };
    const address = addressOf(path, sent.values);
    const answer = await call(handler, ours, address, { method, body: sent.body });
    const status = operation.spec.creates === "always" ? 201 : 200;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json; charset=utf-8"]);
    // Answers of v1 lack some fields. `call` compares them with its document.
    if (!path.includes("/v1/")) expect(operation.spec.response.parse(answer.body)).toEqual(answer.body);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("vary")?.split(", ")).toContain("X-Api-Key");
    expect(answer.headers.get("cache-control")).toBe(
      operation.spec.noStore ? "no-store" : "private, max-age=0, must-revalidate",
    );
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("link")).toBe(
      path.includes("/v1/")
        ? `<${new URL(address, `http://${ours.subdomain}.localhost:3000`).href.replace("/v1/", "/v2/").replace("team_members", "team-members").replace(/\?.*/, "")}>; rel="successor-version"`
        : null,
    );
  });

  test("writes its example whole", () => {
    const { response, example } = operation.spec;
    expect(jsonOf(response, example)).toBe(JSON.stringify(response.parse(example)));
  });

  test("wants an Accept header that covers JSON, or none", async () => {
    const statusFor = async (accept: string) => (await ask({ headers: { accept } })).status;
    const fine = (await ask()).status;
    for (const accept of ["*/*", "application/*", "application/json", "text/html, application/json;q=0.1", ""]) {
      expect([accept, await statusFor(accept)]).toEqual([accept, fine]);
    }
    expect([await statusFor("text/html"), await statusFor("application/json;q=0")]).toEqual([406, 406]);
  });

  const ofSomething = onlyIf(/\{(?!external_)\w+_id\}/.test(path));
  ofSomething("answers another workspace's id with the bytes of one that never was", async () => {
    const sent = method === "GET" ? undefined : (await change?.(ours, "foreign"))?.body;
    const foreign = await call(handler, ours, addressOf(path, valuesIn(theirs)), { method, body: body && sent });
    const missing = await call(
      handler,
      ours,
      addressOf(path, Object.fromEntries(Object.keys(valuesIn(ours)).map((name) => [name, random]))),
      { method, body: body && sent },
    );
    expect([foreign.status, foreign.body]).toEqual([404, notFound(path)]);
    expect([missing.status, missing.body]).toEqual([foreign.status, foreign.body]);
  });

  onlyIf(method === "GET")("answers 304 to who has it, and HEAD without a body", async () => {
    const address = addressOf(path, valuesIn(ours));
    const first = await call(handler, ours, address);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]+(\.[\w-]+)?"$/);
    const again = await call(handler, ours, address, { headers: { "if-none-match": `"x", ${tag}` } });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, null, tag]);
    const other = await call(handler, ours, address, { headers: { "if-none-match": 'W/"x"' } });
    expect(other.status).toBe(200);
    const head = await call(handler, ours, address, { method: "HEAD" });
    expect([head.status, head.body, head.headers.get("etag")]).toEqual([200, null, tag]);
  });

  // The items of a bulk request need scopes of their own.
  const ofOneScope = onlyIf(method !== "GET" && operation.spec.scope !== null);
  ofOneScope("answers 403 to a key that may only read, and changes nothing", async () => {
    const reader = await inWorkspace(ours.id, (db) =>
      createApiKey(db, { name: "reader", scopes: ["content.read", "members.read"] }, ours.actor),
    );
    const address = addressOf(path, valuesIn(ours));
    const answer = await call(handler, ours, address, { method, key: reader.text, body: { first_name: "Eve" } });
    expect([answer.status, answer.body]).toEqual([
      403,
      refusal(path, "missing_scope", `This API key needs the ${operation.spec.scope} scope. Use a key that has it.`),
    ]);
    const [row] = await acrossWorkspaces.query("SELECT first_name FROM members WHERE id = $1", [ours.admin.id]);
    expect(row).not.toEqual({ first_name: "Eve" });
  });
});

/** Next answers TRACE itself. Only a front door can keep that part of row 24 (docs/contract.md). */
const someMethods = ["POST", "PUT", "PATCH", "DELETE", ...(process.env.CONTRACT_TARGET === "next" ? [] : ["TRACE"])];

describe.each(Object.entries(routes).filter(([version]) => isAsked(version)))("%s", (version, paths) => {
  test("answers OPTIONS with what a path takes, and refuses every other method with the same list, without a key", async () => {
    for (const [path, handler] of Object.entries(paths)) {
      const methods = path === "/openapi.json" ? ["GET"] : Object.keys(handler.operations);
      const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
      const address = addressOf(`/api/external/${version}${path}`);
      const options = await call(handler, ours, address, { method: "OPTIONS", key: null });
      expect([options.status, options.headers.get("allow"), options.body]).toEqual([204, allow, null]);
      for (const method of someMethods.filter((candidate) => !methods.includes(candidate))) {
        const answer = await call(handler, ours, address, { method, key: null });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
        expect(answer.body).toEqual(
          refusal(address, "method_not_allowed", `This path doesn't support ${method}. Use one of ${allow}.`),
        );
      }
    }
  });
});

test("another workspace's article is not found by slug, permalink or former slug either", async () => {
  const category = await aCategory(theirs);
  await anArticle(theirs, { category, id: theirs.article.id, title: "Renamed" });
  const [row] = await acrossWorkspaces.query<{ permalink: string }>("SELECT permalink FROM articles WHERE id = $1", [
    theirs.article.id,
  ]);
  for (const name of ["renamed", theirs.article.slug, row?.permalink ?? ""]) {
    const path = `/api/external/v2/articles/${name}`;
    expect((await call(v2["/articles/{article_id}"], theirs, path)).status).toBe(200);
    const foreign = await call(v2["/articles/{article_id}"], ours, path);
    expect([foreign.status, foreign.body]).toEqual([404, notFound(path)]);
  }
});

test("the whole answer of a workspace that is not there still names the next version's path", async () => {
  const answer = await call(v1["/me"], { ...ours, subdomain: "nobody-here" }, "/api/external/v1/me");
  expect([answer.status, answer.headers.get("link")]).toEqual([404, '</api/external/v2/me>; rel="successor-version"']);
});

test("an unknown path of the API is a 404 in JSON, for every method, without a key", async () => {
  for (const method of ["GET", "POST", "OPTIONS", "DELETE"]) {
    const answer = await call(unknownPath, ours, "/api/external/v2/nothing", { method, key: null });
    expect([answer.status, Object.keys(answer.body), answer.body.code]).toEqual([
      404,
      ["error", "code"],
      "unknown_path",
    ]);
  }
});

test("a sane request id is kept, another is replaced", async () => {
  const idFor = async (id: string) =>
    (await call(v2["/me"], ours, "/api/external/v2/me", { headers: { "x-request-id": id } })).headers.get(
      "x-request-id",
    );
  expect(await idFor("deploy-42:a.b")).toBe("deploy-42:a.b");
  expect(await idFor("no spaces")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idFor("x".repeat(101))).toMatch(/^[0-9a-f-]{36}$/);
});
