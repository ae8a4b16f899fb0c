import { beforeAll, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// Contract 55, with the default limits.

const {
  RATE_LIMIT_KEY: keyLimit,
  RATE_LIMIT_SEARCH: searchLimit,
  RATE_LIMIT_WRITE: writeLimit,
  RATE_LIMIT_FAILED: failedLimit,
} = env().rateLimits;
const wrong = `kb_${"0".repeat(38)}`;

let ours: TestWorkspace;

beforeAll(async () => {
  ours = await aWorkspace();
});

const me = (workspace: TestWorkspace, options: Parameters<typeof call>[3] = {}) =>
  call(v2["/me"], workspace, "/api/external/v2/me", options);
const search = (workspace: TestWorkspace) => call(v1["/search"], workspace, "/api/external/v1/search?search_term=a");

/** Reads `r` of a header such as `"key";r=599;t=60`. */
const leftOf = (answer: Awaited<ReturnType<typeof me>>, name: string) =>
  Number(new RegExp(`"${name}";r=(\\d+);t=\\d+`).exec(answer.headers.get("ratelimit") ?? "")?.[1]);

/** Sends this many requests, a few in parallel. */
async function times<T>(count: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  while (answers.length < count) {
    answers.push(...(await Promise.all(Array.from({ length: Math.min(20, count - answers.length) }, ask))));
  }
  return answers;
}

test("every answer to a good key says what is left, also a refusal", async () => {
  const workspace = await aWorkspace();
  const first = await me(workspace);
  expect([first.status, first.headers.get("ratelimit-policy"), leftOf(first, "key")]).toEqual([
    200,
    `"key";q=${keyLimit};w=60`,
    keyLimit - 1,
  ]);
  expect(leftOf(await me(workspace, { headers: { accept: "text/html" } }), "key")).toBe(keyLimit - 2);
  const searched = await search(workspace);
  expect(searched.headers.get("ratelimit-policy")).toBe(`"key";q=${keyLimit};w=60, "search";q=${searchLimit};w=60`);
  expect([leftOf(searched, "key"), leftOf(searched, "search")]).toEqual([keyLimit - 3, searchLimit - 1]);
  const refused = await me(workspace, { key: wrong });
  expect([refused.status, refused.headers.get("ratelimit")]).toEqual([401, null]);
});

test("a key over its limit is told how long to wait, and another key of the workspace is not affected", async () => {
  const workspace = await aWorkspace();
  const answers = await times(keyLimit + 5, () => me(workspace));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(keyLimit);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(5);
  for (const { headers, body } of refused) {
    const seconds = Number(headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(body).toEqual({
      error: `This key can send ${keyLimit} requests per minute. Try again in ${seconds} seconds.`,
      code: "rate_limited",
    });
    expect(headers.get("ratelimit")).toBe(`"key";r=0;t=${seconds}`);
  }
  expect((await me(ours)).status).toBe(200);
});

test("searches have a separate limit, and other requests of the key still work", async () => {
  const workspace = await aWorkspace();
  const answers = await times(searchLimit + 3, () => search(workspace));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(searchLimit);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error).toMatch(/^This key can send 120 searches per minute. Try again in \d+ seconds\.$/);
  expect((await me(workspace)).status).toBe(200);
});

test("writes have a separate limit, and reads with the key still work", async () => {
  const workspace = await aWorkspace();
  const path = `/api/external/v2/team-members/${workspace.admin.id}`;
  const write = (headers = {}) =>
    call(v2["/team-members/{team_member_id}"], workspace, path, { method: "PATCH", body: {}, headers });
  const first = await write({ "idempotency-key": "order-1" });
  expect(first.headers.get("ratelimit-policy")).toBe(`"key";q=${keyLimit};w=60, "write";q=${writeLimit};w=60`);
  expect([leftOf(first, "key"), leftOf(first, "write")]).toEqual([keyLimit - 1, writeLimit - 1]);
  // A repeated request counts too.
  expect(leftOf(await write({ "idempotency-key": "order-1" }), "write")).toBe(writeLimit - 2);
  const answers = await times(writeLimit, () => write());
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(writeLimit - 2);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error).toMatch(/^This key can send 120 writes per minute. Try again in \d+ seconds\.$/);
  expect((await me(workspace)).status).toBe(200);
});

test("an address that tries keys is stopped, and a good key from the same address is not", async () => {
  const from = (address: string, key?: string | null) => me(ours, { key, headers: { "x-forwarded-for": address } });
  const answers = await times(failedLimit + 4, () => from("192.0.2.7", wrong));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(failedLimit);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused[0]?.body.error).toMatch(/^Too many requests with an invalid API key came from this IP address. /);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await from("192.0.2.7", null)).status).toBe(429);
  expect((await from("192.0.2.8", wrong)).status).toBe(401);
  expect((await from("192.0.2.7")).status).toBe(200);
});

test("of IPv6 a whole network counts as one address", async () => {
  const from = (address: string) => me(ours, { key: wrong, headers: { "x-forwarded-for": address } });
  let host = 0;
  const answers = await times(failedLimit + 2, () => from(`2001:db8:1:2::${(host++).toString(16)}`));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect((await from("2001:0db8:0001:0002:ffff:ffff:ffff:ffff")).status).toBe(429);
  expect((await from("2001:db8:1:3::1")).status).toBe(401);
});

test("several servers count together", async () => {
  const workspace = await aWorkspace();
  await times(10, () => me(workspace));
  vi.resetModules();
  // Another process shares only the database.
  const other = (await import("./v2/_document/operations")).paths;
  expect(other["/me"]).not.toBe(v2["/me"]);
  const answer = await call(other["/me"], workspace, "/api/external/v2/me");
  expect(leftOf(answer, "key")).toBe(keyLimit - 11);
});

test("requests that arrive together are counted one by one, on every server", async () => {
  const workspace = await aWorkspace();
  vi.resetModules();
  const other = (await import("./v2/_document/operations")).paths;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0 ? me(workspace) : call(other["/me"], workspace, "/api/external/v2/me"),
    ),
  );
  const left = answers.map((answer) => keyLimit - leftOf(answer, "key")).sort((a, b) => a - b);
  expect(left).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});
