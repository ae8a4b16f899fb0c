import { Client } from "pg";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "@/lib/api-keys/api-keys";
import { allows, everyScope, type Scope } from "@/lib/api-keys/scopes";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { addRedirect } from "@/lib/redirects/redirects";
import { addSynonym } from "@/lib/synonyms/synonyms";
import { snapshot } from "@/testing/wall";
import { type Answered, aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import {
  changing,
  plantedDelivery,
  plantedInvitation,
  plantedUpload,
  plantedWebhook,
  plantInsights,
} from "./testing.changes";
import { type IdParameter, idParametersOf, type Listed, listed, requestFor } from "./testing.operations";

// Every operation of every version, with every kind of key, on every kind of id. The statuses follow from rules, so a
// new operation is covered as soon as it is in its list.

interface Planted extends TestWorkspace {
  /** Values for each id parameter, the id first. Add an entry here for a new parameter. */
  named: Record<string, [string, ...string[]]>;
}

const random = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";
const malformed = "not-an-id";

let ours: Planted;
let theirs: Planted;
/** Ids and names that only the other workspace has. */
let marks: string[];
let keys: Record<string, string | null>;

async function planted(): Promise<Planted> {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  // Every answer about it names the workspace.
  const title = (word: string) => `${word} of ${workspace.subdomain}`;
  const { id, slug: former } = await anArticle(workspace, { category, title: title("Article 1") });
  const { slug } = await anArticle(workspace, { category, id, title: title("Article 2") });
  const [row] = await readWorkspace(workspace.id, (read) =>
    read<{ permalink: string }>("SELECT permalink FROM articles WHERE id = $1", [id]),
  );
  const permalink = row?.permalink ?? "";
  const redirect = await inWorkspace(workspace.id, (db) =>
    addRedirect(db, { from: `/old-${workspace.subdomain}`, to: { kind: "gone" } }, "", workspace.actor),
  );
  const synonym = await inWorkspace(workspace.id, (db) =>
    addSynonym(db, { term: workspace.subdomain, replacements: ["same"] }, workspace.actor),
  );
  const tagged = { name: workspace.subdomain, nameFolded: workspace.subdomain };
  const tag = await inWorkspace(workspace.id, (db) => db.tag.create({ data: tagged, select: { id: true } }));
  await plantInsights(workspace, id);
  const webhookId = await plantedWebhook(workspace, "named");
  const named: Planted["named"] = {
    actor_id: [workspace.admin.id],
    article_id: [id, slug, former, permalink],
    team_member_id: [workspace.admin.id],
    category_id: [category.id],
    related_article_ids: [id],
    attachment_ids: [await plantedUpload(workspace)],
    redirect_to: [id],
    parent_id: [category.id],
    "orderCategories parent_id": [(await orderOf(workspace)).parent_id],
    category_ids: [(await orderOf(workspace)).category_ids[0]!],
    move_contents_to: [category.id],
    into: [category.id],
    redirect_id: [redirect.id],
    tag_id: [tag.id],
    "mergeTag into": [tag.id],
    synonym_id: [synonym.id],
    invitation_id: [await plantedInvitation(workspace, "named")],
    webhook_id: [webhookId],
    delivery_id: [await plantedDelivery(workspace, webhookId)],
    to: [id],
  };
  return { ...workspace, named };
}

const orderOf = async (workspace: TestWorkspace) =>
  (await changing.orderCategories!(workspace, "")).body as { parent_id: string; category_ids: string[] };

const kinds = [
  "own key",
  "own key that may only read",
  "other workspace's key",
  "no key",
  "revoked key",
  "expired key",
];
const working = kinds.slice(0, 2);
const reading: Scope[] = ["content.read", "members.read"];

beforeAll(async () => {
  [ours, theirs] = await Promise.all([planted(), planted()]);
  marks = await marksOf(theirs);
  const [reader, revoked, expired] = await inWorkspace(ours.id, async (db) => {
    const make = (scopes: readonly Scope[]) => createApiKey(db, { name: "matrix", scopes }, ours.actor);
    const made = [await make(reading), await make(everyScope), await make(everyScope)] as const;
    await revokeApiKey(db, made[1].id, ours.actor);
    await db.apiKey.updateMany({ where: { id: made[2].id }, data: { expiresAt: new Date(0) } });
    return made;
  });
  const texts = [ours.key.text, reader.text, theirs.key.text, null, revoked.text, expired.text];
  keys = Object.fromEntries(kinds.map((kind, index) => [kind, texts[index] ?? null]));
});

async function marksOf({ id, subdomain, name, named }: Planted): Promise<string[]> {
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  const uuids = (await snapshot(owner, id)).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  await owner.end();
  return [subdomain, name, ...Object.values(named).flat(), ...new Set(uuids)];
}

/** Where one name stands for different things, the operation decides. */
function namedIn({ named }: Planted, { spec }: Listed, name: string): [string, ...string[]] | undefined {
  return named[`${spec.operationId} ${name}`] ?? named[name];
}

/** Each id parameter in turn, with each kind of id, while the others are our own. */
function cases(operation: Listed): { parameter?: IdParameter; kind: string; id: string }[] {
  const each = idParametersOf(operation).flatMap((parameter) => {
    const { name, where } = parameter;
    // A change needs something that it changes, which ask() plants.
    const own = where === "path" && operation.method !== "GET" ? [""] : namedIn(ours, operation, name);
    const others = namedIn(theirs, operation, name);
    if (!own || !others) throw new Error(`Say in planted() what can stand for ${name}.`);
    return [
      ...own.map((id) => ({ parameter, kind: "own", id })),
      ...others.map((id) => ({ parameter, kind: "other's", id })),
      { parameter, kind: "random", id: random },
      { parameter, kind: "malformed", id: malformed },
    ];
  });
  return [{ kind: "own", id: "" }, ...each];
}

/** How a field holds an id, where it is not the id itself. */
const holding: Record<string, (id: string) => unknown> = {
  related_article_ids: (id) => [id],
  attachment_ids: (id) => [id],
  category_ids: (id) => [id],
  redirect_to: (id) => ({ article_id: id }),
  to: (id) => ({ article_id: id }),
};

let asked = 0;

/** All ids are our own except the parameter's. Leaves out ids in the query. */
async function ask(operation: Listed, workspace: Planted, key: string | null, parameter?: IdParameter, id = "") {
  const own = Object.keys(operation.spec.params.shape).map((name) => [name, workspace.named[name]?.[0] ?? "1"]);
  const change = await changing[operation.spec.operationId]?.(workspace, `Word ${++asked}`);
  const values = { ...Object.fromEntries(own), ...change?.values, ...(parameter && id && { [parameter.name]: id }) };
  const { address, request } = requestFor(operation, values as Record<string, string>, "article");
  const held = parameter?.where === "body" && { [parameter.name]: (holding[parameter.name] ?? String)(id) };
  return call(operation.handler, workspace, address, {
    ...request,
    key,
    ...(request.body && { body: operation.spec.file ? change?.body : { ...(change?.body as object), ...held } }),
  });
}

function expectedStatus({ spec }: Listed, key: string, kind: string, parameter?: IdParameter): number {
  if (!working.includes(key)) return 401;
  if (key === "own key that may only read" && spec.scope && !allows(reading, spec.scope)) return 403;
  // One of several is never the whole list.
  if (parameter?.name === "category_ids") return 422;
  if (kind === "own") return spec.creates === "always" ? 201 : 200;
  if (parameter?.where === "path") return 404;
  return parameter?.where === "body" || kind === "malformed" ? 422 : 200;
}

/** Everything in an answer that could distinguish two refusals: body and headers, without those that differ each time. */
function bytesOf({ headers, text }: Answered): string {
  const varying = /^(x-request-id|date|link|ratelimit|ratelimit-policy|connection|keep-alive)$/;
  const lines = [...headers].filter(([name]) => !varying.test(name)).map((header) => header.join(": "));
  return [...lines.sort(), text].join("\n");
}

/** The different answers that each status of refusal had in each version, in all tests of this file. */
const refusals = new Map<string, Set<string>>(
  ["v1 401", "v1 404", "v2 401", "v2 404"].map((status) => [status, new Set()]),
);

describe.each(listed)("$name", (operation) => {
  // A key has 120 writes a minute.
  beforeEach(async () => {
    await acrossWorkspaces.query(
      "DELETE FROM rate_limits WHERE right(key, 36) IN (SELECT id::text FROM api_keys WHERE workspace_id = ANY($1::uuid[]))",
      [[ours.id, theirs.id]],
    );
  });

  test.each(kinds)("with %s: the status that the rule says, and nothing of the other workspace", async (key) => {
    const same = new Map<string, string>();
    for (const { parameter, kind, id } of cases(operation)) {
      const answer = await ask(operation, ours, keys[key] ?? null, parameter, id);
      const at = `${parameter?.name ?? "no id"}: ${kind} ${id}`;
      expect([at, answer.status]).toEqual([at, expectedStatus(operation, key, kind, parameter)]);
      refusals.get(`${operation.path.split("/")[3]} ${answer.status}`)?.add(bytesOf(answer));

      // The answer may repeat the requested URL: "Link" does.
      const said = `${bytesOf(answer)} ${answer.headers.get("link")?.replace(id, "")}`;
      expect([at, marks.filter((mark) => said.includes(mark))]).toEqual([at, []]);

      // Another workspace's id gets the same answer as an id that never existed.
      if (!parameter || kind === "malformed") continue;
      // Each of our own changes something else.
      if (kind === "own" && operation.method !== "GET") continue;
      const group = `${parameter.name} ${kind === "own" ? id : "not own"}`;
      expect([at, answer.text]).toEqual([at, same.get(group) ?? answer.text]);
      same.set(group, answer.text);
    }
  });

  test("answers the other workspace what it keeps from us", async () => {
    const answer = await ask(operation, theirs, theirs.key.text);
    // Also what the request has created.
    const all = await marksOf(theirs);
    expect(all.filter((mark) => answer.text.includes(mark)).length).toBeGreaterThan(0);
    for (const parameter of idParametersOf(operation)) {
      if (parameter.name === "category_ids") continue;
      const isPlanted = parameter.where === "path" && operation.method !== "GET";
      const id = isPlanted ? "" : namedIn(theirs, operation, parameter.name)?.[0];
      const own = await ask(operation, theirs, theirs.key.text, parameter, id);
      const foreign = await ask(
        operation,
        theirs,
        theirs.key.text,
        parameter,
        namedIn(ours, operation, parameter.name)?.[0],
      );
      expect(own.text).not.toBe(foreign.text);
    }
  });
});

test("all refusals of one status in the tests above were the same bytes, whatever was refused and why", () => {
  for (const [status, answers] of refusals)
    expect([status, answers.size, [...answers]]).toEqual([status, 1, [...answers]]);
});
