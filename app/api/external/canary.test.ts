import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { inWorkspace } from "@/lib/db";
import { columnsThatRefuse, plantCanary } from "@/testing/canary";
import type { Planted } from "@/testing/wall";
import { aCategory, anArticle, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { idParametersOf, listed, requestFor } from "./testing.operations";
import { routes as v1 } from "./v1/routes";
import { routes as v2 } from "./v2/routes";

// The other workspace has one word in every text it can hold. We request everything, with all of their ids and words, and
// never see that word. They do.

let owner: Client;
let ours: TestWorkspace;
let canary: Planted;
let theirs: Pick<TestWorkspace, "subdomain" | "key">;

/** The columns whose texts the other workspace sees in its own answers. */
const shown = new Set<string>();
const columnInWord = () => new RegExp(`${canary.word}-([a-z-]+)-[0-9a-f]{8}`, "g");

/** A separate key for each operation. A shared key would reach its rate limit. */
const aKeyOf = (workspaceId: string) =>
  inWorkspace(workspaceId, (db) =>
    createApiKey(db, { name: "sweep", scopes: everyScope }, { kind: "system", id: null, name: "test" }),
  );

beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  ours = await aWorkspace();
  await anArticle(ours, { category: await aCategory(ours) });
  // Otherwise our own searches for the word would be in our insights.
  await owner.query("UPDATE workspaces SET search_log_enabled = false WHERE id = $1", [ours.id]);
  canary = await plantCanary(owner);
  theirs = { subdomain: canary.word, key: await aKeyOf(canary.id) };
});
afterAll(() => owner.end());

test("the columns of text that hold no word are those in which a CHECK refuses it", async () => {
  const { refuse, closed } = await columnsThatRefuse(owner, canary);
  // No CHECK knows the names of time zones, and a page cannot render with an unknown one.
  expect([...refuse, "members.time_zone", "workspaces.time_zone"].sort()).toEqual([...closed].sort());
});

describe.each(listed)("$name", (operation) => {
  /** Requests with ids that a stranger could know or guess, and with the word in every text. */
  function requests() {
    const ids = [...new Set(Object.values(canary.ids)), canary.id];
    const { params, query } = operation.spec;
    const path = Object.fromEntries(
      Object.keys(params.shape).map((name) => [name, name === "number" ? "1" : canary.ids.articles]),
    );
    const byId = idParametersOf(operation).flatMap(({ name }) => ids.map((id) => ({ ...path, [name]: id })));
    const words = [canary.word, `${canary.word}@example.com`];
    // The answer to an upload repeats its name.
    const named = Object.keys(query.shape).filter((name) => name !== "file_name");
    const byWord = named.flatMap((name) => words.map((word) => ({ ...path, [name]: word })));
    return [path, ...byId, ...byWord].map((values) => requestFor(operation, values, canary.word));
  }

  test("shows us nothing of the other workspace, with our key, with theirs, or without", async () => {
    const { text } = await aKeyOf(ours.id);
    const all = requests();
    const tries = [
      ...all.map((request) => ({ ...request, key: text })),
      // Without a valid key the server looks at no id, so any id works here.
      ...all.slice(0, 1).flatMap((request) => [theirs.key.text, null].map((key) => ({ ...request, key }))),
    ];
    for (const { address, request, key } of tries) {
      const answer = await call(operation.handler, ours, address, { ...request, key });
      const headers = [...answer.headers].filter(([name]) => name !== "link").join("\n");
      expect([address, `${headers}\n${answer.text}`]).toEqual([address, expect.not.stringContaining(canary.word)]);
    }
  });

  // The rows of the canary are not such as articles are changed from. writes.test.ts changes others.
  if (operation.method !== "GET" && operation.spec.tag !== "Team members") return;

  test("shows the other workspace its own", async () => {
    const { text } = await aKeyOf(canary.id);
    const answers = [];
    for (const { address, request } of requests()) {
      answers.push(await call(operation.handler, theirs, address, { ...request, key: text }));
    }
    expect(answers.map(({ status }) => status)).not.toContain(500);
    for (const answer of answers) {
      for (const [, column] of answer.text.matchAll(columnInWord())) shown.add(column as string);
    }
    expect(answers.some((answer) => answer.status === 200 && answer.text.includes(canary.word))).toBe(true);
  });
});

test("of all columns of text these are what a key can see of its own workspace", () => {
  // The HTML with snippets, instead of the written one.
  const live = ["excerpt", "headings", "keywords", "meta-description", "page-title", "shown-html", "text", "title"];
  const written = ["html", "keywords", "meta-description", "page-title", "title"];
  const columns = {
    "article-drafts": written,
    "article-live": live,
    "article-versions": [...written.slice(0, 4), "summary", "tags", "title"],
    articles: ["external-id", "slug", "title"],
    "audit-entries": ["action", "actor-name", "details", "ip", "request-id", "subject-kind", "subject-name"],
    categories: ["description", "name", "slug"],
    feedback: ["reason"],
    invitations: ["email"],
    members: ["email", "first-name", "last-name"],
    redirects: ["from-path", "url"],
    roles: ["name"],
    searches: ["term"],
    synonyms: ["replacements", "term"],
    tags: ["name"],
    uploads: ["content-type", "filename"],
    "webhook-deliveries": ["event", "problem"],
    "webhook-endpoints": ["description", "events", "url"],
    workspaces: ["name"],
  };
  const visible = Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}-${name}`));
  expect([...shown].sort()).toEqual(visible);
});

test("what is answered without a key names the workspace that was asked, and no other", async () => {
  const open = Object.entries({ v1, v2 }).flatMap(([version, routes]) =>
    Object.entries(routes as Record<string, Handler>)
      .filter(([, { operations }]) => Object.keys(operations).length === 0)
      .map(([path, handler]) => ({ address: `/api/external/${version}${path}`, handler })),
  );
  expect(open.length).toBeGreaterThan(0);
  for (const { address, handler } of open) {
    const [mine, others] = [await call(handler, ours, address), await call(handler, theirs, address)];
    expect([address, mine.status, others.status]).toEqual([address, 200, 200]);
    expect(mine.text).toContain(ours.subdomain);
    expect(mine.text).not.toContain(canary.word);
    expect(others.text).toContain(canary.word);
  }
});
