import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { answersIn } from "./answers";
import { operations } from "./document";
import { drawing } from "./draw";
import { sampleAt, slowness, tried } from "./run";
import { expectedOf } from "./sample";
import { aSearchText } from "./searches";
import { targetAt } from "./send";
import { words } from "./texts";
import type { Workspace, World } from "./world";

const workspace = (subdomain: string): Workspace => ({
  subdomain,
  keys: { read: "kb_read", readWrite: "kb_write" },
  formerKeys: ["kb_revoked"],
  categoryIds: ["6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70"],
  articles: ["reset-your-password"],
  memberIds: ["0f1e2d3c-4b5a-4697-8877-665544332211"],
  emails: ["ada@example.com"],
  roles: ["Admin"],
  words,
});

const world: World = {
  domain: "localhost:3000",
  own: [workspace("full"), workspace("empty")],
  rival: {
    subdomain: "rival",
    word: "w0123456789ab",
    key: "kb_rival",
    ids: { articles: ["x1"], categoryIds: ["x2"], memberIds: ["x3"] },
  },
  tags: [{ path: "/api/external/v2/setting", tag: 'W/"x"' }],
  written: null,
  writes: true,
  hasLimits: false,
};

const samples = Array.from({ length: 3_000 }, (_, index) => sampleAt(world, 1, index));

describe("the samples of a run", () => {
  test("are the same from the same seed and number, and others from others", () => {
    const text = (seed: number, index: number) => JSON.stringify(sampleAt(world, seed, index));
    for (let index = 0; index < 300; index++) expect(text(1, index) === JSON.stringify(samples[index])).toBe(true);
    expect(text(2, 17)).not.toBe(text(1, 17));
    expect(text(1, 18)).not.toBe(text(1, 17));
  });

  test("ask for every operation of both documents, and below HTTP too", () => {
    const names = new Set(samples.map(({ name }) => name));
    for (const { method, version, path } of operations()) {
      expect(names).toContain(`${method} ${version}${path.replace(`/api/external/${version}`, "")}`);
    }
    expect(samples.filter(({ kind }) => kind === "raw").length).toBeGreaterThan(200);
  });

  test("are to be answered with success for a good part, and with every refusal of the contract", () => {
    const requests = samples.filter(({ kind }) => kind === "request");
    expect(requests.filter(({ expected }) => expected.join() === "200").length / requests.length).toBeGreaterThan(0.25);
    const certain = new Set(
      requests.filter(({ expected }) => expected.length === 1).flatMap(({ expected }) => expected),
    );
    expect([...certain].sort()).toEqual([200, 204, 304, 400, 401, 403, 404, 405, 406, 412, 413, 414, 415, 422]);
  });
});

test("the first check that fails decides, and one that may fail leaves the later ones open", () => {
  expect(expectedOf({}, 200)).toEqual([200]);
  expect(expectedOf({ validation: "fail", key: "fail" }, 200)).toEqual([401]);
  expect(expectedOf({ decoding: "either", method: "fail", key: "fail" }, 200)).toEqual([400, 405]);
  expect(expectedOf({ validation: "either" }, 200)).toEqual([422, 200]);
});

test("answers are told apart on a connection, and what is none stays", () => {
  const text =
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab" +
    "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxyz\r\n0\r\n\r\nHTTP/1.1 2";
  const { answers, rest } = answersIn(Buffer.from(text));
  expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
    [200, "ab"],
    [400, "xyz"],
  ]);
  expect(rest.toString()).toBe("HTTP/1.1 2");
});

test("a search is slow that is each time, beside a neighbor that is not", () => {
  expect(slowness([2_000, 1_300, 1_500], [200, 100, 900])).toContain(
    "takes 1300 ms, alone and at best, its neighbor 100 ms",
  );
  expect(slowness([2_000, 300, 1_500], [200, 100, 900])).toBeNull();
  expect(slowness([2_000, 1_900, 2_500], [1_200, 950, 1_000])).toBeNull();
});

test("texts of searches are of every length, and can be written into an address", () => {
  const texts = Array.from({ length: 2_000 }, (_, index) => aSearchText(drawing(1, index)));
  for (const text of texts) expect(text).toBe(decodeURIComponent(encodeURIComponent(text)));
  expect(Math.max(...texts.map(({ length }) => length))).toBeGreaterThanOrEqual(10_000);
  expect(texts.filter((text) => text.trim().length <= 200).length).toBeGreaterThan(1_700);
});

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** The problems of this server's answer to the first matching sample. */
async function problemsOf(name: string, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const target = targetAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const index = samples.findIndex((sample) => sample.name === name && sample.expected.join() === "200");
  const { problems } = await tried(world, { open: target }, 1, index, 300);
  target.agent.destroy();
  return problems.join("\n");
}

const setting = { knowledge_base_name: "Help", url: "https://docs.example.com" };
const headers = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, max-age=0, must-revalidate",
  Vary: "X-Api-Key",
  ETag: 'W/"x"',
  "X-Content-Type-Options": "nosniff",
  "RateLimit-Policy": '"key";q=600;w=60',
  RateLimit: '"key";r=599;t=60',
};

/** Answers as the document says, except where a test changes it. */
const answering =
  (change: { status?: number; headers?: Record<string, string>; body?: object | string } = {}): RequestListener =>
  (request, response) => {
    const { status = 200, body = setting } = change;
    const id = String(request.headers["x-request-id"] ?? "an-id");
    response.writeHead(status, { ...headers, "X-Request-Id": id, ...change.headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

describe("an answer", () => {
  test("as the document and the contract want it is no finding", async () => {
    expect(await problemsOf("GET v2/setting", answering())).toBe("");
  });

  test.each([
    ["a 500", answering({ status: 500, body: { error: "No." } }), "the status is 500"],
    [
      "another status than the contract's",
      answering({ status: 404, body: { error: "No." } }),
      "the status is 404, not 200",
    ],
    ["a field that is not documented", answering({ body: { ...setting, secret: 1 } }), "additional properties"],
    [
      "a header that is not documented",
      answering({ headers: { "X-Powered-By": "x" } }),
      "x-powered-by is not documented",
    ],
    ["a body that is not JSON", answering({ body: "<html>" }), "is not JSON"],
    [
      "a word of another workspace",
      answering({ body: { ...setting, url: `https://${world.rival.word}` } }),
      "of another workspace",
    ],
    ["no answer", () => {}, "no answer within 300 ms"],
    ["a connection that breaks", (request) => request.socket.destroy(), "no answer: ECONNRESET"],
  ] satisfies [string, RequestListener, string][])("that is %s is one", async (_, listener, problem) => {
    expect(await problemsOf("GET v2/setting", listener)).toContain(problem);
  });

  test("that says otherwise than was asked which page it is, is one", async () => {
    const pagination = { total_records: 5, total_pages: 1, current_page_number: 9, page_size: 30 };
    const problems = await problemsOf("GET v2/team-members", answering({ body: { team_members: [], pagination } }));
    expect(problems).toMatch(/current_page_number is 9/);
  });

  test("that never comes is one below HTTP too", async () => {
    expect(await problemsOf("raw: a whole address", () => {})).toContain("still open after 300 ms, with 0 answers");
  });

  test("below HTTP without the headers of every answer is one", async () => {
    const bare: RequestListener = (_, response) => void response.writeHead(200).end("{}");
    expect(await problemsOf("raw: empty lines before", bare)).toContain("x-request-id is missing");
  });
});
