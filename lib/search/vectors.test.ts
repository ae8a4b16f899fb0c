import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles } from "@/lib/articles/removal";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { vectorOf } from "@/lib/search/embeddings";
import { reindexWorkspace } from "@/lib/search/reindex";
import { searchArticles } from "@/lib/search/search";
import { readAs, type Viewer } from "@/lib/visibility";
import { jobHandlers } from "@/server/jobs/handlers";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

/** Words with the same meaning. */
const CONCEPTS = [
  ["quit", "terminate", "leave"],
  ["invoice", "bill"],
  ["wombat", "marsupial"],
  ["bread", "toast"],
];

interface Received {
  model: string;
  input: string[];
  authorization: string | undefined;
}

let received: Received[] = [];
let answer: (response: ServerResponse, body: Received) => void;

const answerWell = (response: ServerResponse, { input }: Received) =>
  // Servers may answer in any order.
  response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: meaningOf(text) })).reverse() }));

/** As a model might: texts with the same meaning point in the same direction, and others are about orthogonal. */
function meaningOf(text: string): number[] {
  const words = text.toLowerCase().split(/\W+/);
  const meanings = CONCEPTS.filter((synonyms) => synonyms.some((word) => words.includes(word))).map(String);
  const directions = (meanings.length > 0 ? meanings : [text]).map((name) =>
    [...createHash("sha256").update(name).digest()].flatMap((byte) =>
      Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1) - 0.5),
    ),
  );
  return Array.from({ length: 256 }, (_, index) =>
    directions.reduce((sum, direction) => sum + (direction[index] ?? 0), 0),
  );
}

const server = createServer((request, response) => {
  const { authorization } = request.headers;
  void json(request).then((given) => {
    const body: Received = { ...(given as Received), authorization };
    received.push(body);
    answer(response, body);
  });
});

const settings = () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  return { url, model: "small", key: "secret" };
};

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** On a busy machine, an answer may take longer than a search waits. */
const waitLong = () => vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);

function start() {
  waitLong();
  env().embeddings = settings();
  received = [];
  answer = answerWell;
}
beforeAll(start);
afterEach(start);

const { embed_article } = jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" });

/** Runs the waiting jobs of a workspace that make vectors. @returns how many there were */
async function makeVectors(workspace: TestWorkspace): Promise<number> {
  const jobs = await acrossWorkspaces.query<{ payload: { payload: { articleId: string } } }>(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND t.identifier = 'embed_article' AND j.payload->>'workspace_id' = $1 RETURNING j.payload`,
    [workspace.id],
  );
  const { signal } = new AbortController();
  for (const { payload } of jobs)
    await embed_article({ id: "1", workspaceId: workspace.id, payload: payload.payload, signal });
  return jobs.length;
}

const sent = () => received.flatMap(({ input }) => input);

async function searchPage(
  workspace: TestWorkspace,
  text: string,
  page: { limit: number; offset: number },
  viewer: Viewer = "anyone",
) {
  const vector = await vectorOf(text);
  return readAs(workspace, viewer, ({ read, hidden }) =>
    searchArticles(read, workspace.id, text, { ...page, hidden, vector }),
  );
}

async function found(workspace: TestWorkspace, text: string, viewer?: Viewer): Promise<string[]> {
  const { matches, total } = await searchPage(workspace, text, { limit: 100, offset: 0 }, viewer);
  expect(total).toBe(matches.length);
  return matches.map(({ title }) => title);
}

async function aLibrary() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Help" });
  const store = (title: string, text: string, options: Partial<Parameters<typeof anArticle>[1]> = {}) =>
    anArticle(workspace, { category, title, html: `<p>${text}</p>`, ...options });
  return { workspace, category, store };
}

describe("a search by meaning", () => {
  test("fuses articles that are close in meaning with those that have some words, after those with all", async () => {
    const { workspace, store } = await aLibrary();
    const other = await aLibrary();
    await store("Sandwich", "Quit the contract, the bill and the bread");
    await store("Papers", "Each contract has a number");
    await store("Goodbye", "You may leave a contract at any time");
    await store("Membership", "Terminate it here, and pay the last bill");
    await store("Animals", "A marsupial sleeps all day");
    await other.store("Elsewhere", "Terminate it there");
    await makeVectors(workspace);
    await makeVectors(other.workspace);
    expect(await found(workspace, "quit contract")).toEqual(["Sandwich", "Goodbye", "Papers", "Membership"]);
    expect(await found(workspace, "big wombat")).toEqual(["Animals"]);
    expect(await found(other.workspace, "quit contract")).toEqual(["Elsewhere"]);
    env().embeddings = undefined;
    expect((await found(workspace, "quit contract")).sort()).toEqual(["Goodbye", "Papers", "Sandwich"]);
    expect(await found(workspace, "big wombat")).toEqual([]);
  });

  test("pages without repeating or dropping an article", async () => {
    const { workspace, store } = await aLibrary();
    for (let number = 0; number < 9; number++) await store(`Number ${number}`, "Terminate it here");
    await store("Contract", "One of many");
    await makeVectors(workspace);
    const titles = new Set<string>();
    for (const [index, size] of [4, 4, 2].entries()) {
      const { matches, total } = await searchPage(workspace, "quit contract", { limit: 4, offset: 4 * index });
      expect([matches.length, total]).toEqual([size, 10]);
      for (const { title } of matches) titles.add(title);
    }
    expect(titles.size).toBe(10);
  });

  test("leaves out articles of categories that the visitor may not see", async () => {
    const { workspace, store } = await aLibrary();
    const closed = await aCategory(workspace, { name: "Closed" });
    await inWorkspace(workspace.id, (db) =>
      db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
    );
    await store("Open", "Terminate it here");
    await store("Closed", "Terminate it there", { category: closed });
    await makeVectors(workspace);
    expect(await found(workspace, "quit contract")).toEqual(["Open"]);
    expect((await found(workspace, "quit contract", "member")).sort()).toEqual(["Closed", "Open"]);
  });

  test("asks the server once for the same words, and not at all for one word", async () => {
    const { workspace, store } = await aLibrary();
    await store("Contract", "One of many");
    for (const text of ["quit anything", "quit anything", "quit", "?!"]) await found(workspace, text);
    expect(received).toEqual([{ model: "small", input: ["quit anything"], authorization: "Bearer secret" }]);
  });
});

describe("vectors", () => {
  test("follow the published text: publishing, changes, unpublishing and deleting", async () => {
    const { workspace, category, store } = await aLibrary();
    const { id } = await store("Membership", "Terminate it here", { metaDescription: "For members" });
    await store("Draft", "Terminate the draft", { state: "draft" });
    expect(await found(workspace, "quit contract")).toEqual([]);
    received = [];
    expect(await makeVectors(workspace)).toBe(1);
    expect(sent()).toEqual(["Membership\nFor members\nTerminate it here"]);
    expect(await found(workspace, "quit contract")).toEqual(["Membership"]);

    await store("Membership", "A marsupial sleeps here", { id });
    expect(await found(workspace, "quit contract")).toEqual([]);
    expect(await found(workspace, "big wombat")).toEqual([]);
    await makeVectors(workspace);
    expect(await found(workspace, "quit contract")).toEqual([]);
    expect(await found(workspace, "big wombat")).toEqual(["Membership"]);

    await unpublishArticles(workspace.id, [id], workspace.actor);
    expect(await found(workspace, "big wombat", "member")).toEqual([]);
    expect(await vectorsOf(workspace)).toBe(0);

    const second = await anArticle(workspace, { category, title: "Terminate" });
    await makeVectors(workspace);
    expect(await vectorsOf(workspace)).toBe(1);
    await inWorkspace(workspace.id, (db) =>
      deleteArticles(db, [second.id], { kind: "gone" }, "http://localhost", workspace.actor),
    );
    expect(await vectorsOf(workspace)).toBe(0);
  });

  const vectorsOf = async ({ id }: TestWorkspace) =>
    (await acrossWorkspaces.query("SELECT FROM search_vectors WHERE workspace_id = $1", [id])).length;

  test("of another model do not count, and a reindex makes those that are missing", async () => {
    const { workspace, store } = await aLibrary();
    await store("Membership", "Terminate it here");
    await makeVectors(workspace);
    env().embeddings = { ...settings(), model: "large" };
    expect(await found(workspace, "quit something")).toEqual([]);
    for (const models of [["large"], []]) {
      received = [];
      await reindexWorkspace(workspace.id);
      expect(await makeVectors(workspace)).toBe(1);
      expect(received.map(({ model }) => model)).toEqual(models);
    }
    expect(await found(workspace, "quit something")).toEqual(["Membership"]);
  });

  test("of another length than the search's are passed over", async () => {
    const { workspace, store } = await aLibrary();
    await store("Membership", "Terminate it here");
    await makeVectors(workspace);
    answer = (response) => response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
    expect(await found(workspace, "quit shorter")).toEqual([]);
  });

  test("are not made while the server fails, and the job says why without the text", async () => {
    const { workspace, store } = await aLibrary();
    const answers: [typeof answer, string][] = [
      [(response) => response.writeHead(401).end(), "The embedding server answered 401."],
      [(response) => response.end("<html>"), "The embedding server returned no usable vectors."],
      [(response) => response.end('{"data":[]}'), "The embedding server returned no usable vectors."],
      [(response) => response.destroy(), "The embedding server is not responding: other side closed"],
    ];
    for (const [number, [failing, message]] of answers.entries()) {
      await store(`Membership ${number}`, "Terminate it here");
      answer = failing;
      await expect(makeVectors(workspace)).rejects.toThrow(message);
      expect(await vectorsOf(workspace)).toBe(0);
    }
  });

  test("of a long text are made in several requests", async () => {
    const { workspace, store } = await aLibrary();
    await store("Long", "Terminate it here. ".repeat(4_000));
    await makeVectors(workspace);
    expect(received.length).toBeGreaterThan(1);
    expect(Math.max(...sent().map((text) => text.length))).toBeLessThan(1_300);
    expect(await found(workspace, "quit contract")).toEqual(["Long"]);
  });
});

test("without a model there are no jobs and no connection", async () => {
  env().embeddings = undefined;
  const { workspace, store } = await aLibrary();
  await store("Membership", "Terminate it here");
  expect(await makeVectors(workspace)).toBe(0);
  expect(await found(workspace, "quit nothing")).toEqual([]);
  expect(received).toEqual([]);
});

test("a search continues without a vector when the server is slow or fails, and soon without asking", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { workspace, store } = await aLibrary();
    await store("Contract", "One of many");
    vi.restoreAllMocks();
    answer = () => {};
    expect(await found(workspace, "first contract")).toEqual(["Contract"]);
    answer = (response) => response.writeHead(500).end();
    expect(await vectorOf("second contract")).toBeNull();
    answer = (response) => response.end("{");
    expect(await vectorOf("third contract")).toBeNull();
    answer = answerWell;
    expect(await vectorOf("fourth contract")).toBeNull();
    expect(sent()).toEqual(["first contract", "second contract", "third contract"]);
    waitLong();
    vi.advanceTimersByTime(30_000);
    expect(await vectorOf("first contract")).toHaveLength(256);
  } finally {
    vi.useRealTimers();
  }
});
