import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { newKeyText } from "@/lib/api-keys/key-format";
import type { TestWorkspace } from "@/testing/workspace";

// The front door as a real server has it, before the real API. What it tells of itself is read as an operator would.

let ours: TestWorkspace;
let server: Server;
let metrics: Server;
const lines: Record<string, unknown>[] = [];
const raw: string[] = [];
const foreignKey = newKeyText();

beforeAll(async () => {
  vi.stubEnv("SLOW_QUERY_MS", "50");
  vi.resetModules();
  const { openLog, log } = await import("@/lib/log");
  const { acrossWorkspaces } = await import("@/lib/db");
  const { aWorkspace } = await import("@/testing/workspace");
  const { serveApi } = await import("@/lib/api/http");
  const { settleForwarded } = await import("@/server/front-door/incoming");
  const { countMetrics, serveMetrics } = await import("@/server/metrics");
  const { observe } = await import("@/server/front-door/observe");
  const { routes } = await import("@/app/api/external/v2/routes");
  const { GET: unknown } = await import("@/app/api/[...path]/route");
  ours = await aWorkspace();
  openLog({
    level: "debug",
    format: "json",
    write: (line) => {
      raw.push(line);
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  });
  const metricsNow = countMetrics(async () => {
    throw new Error("The database is away.");
  });
  metrics = await serveMetrics({ port: 0, host: "127.0.0.1" }, metricsNow);
  const api = serveApi([{ prefix: "/api/external/v2", paths: routes }], unknown);
  const pageOf = (_: string, path: string) => (path === "/" || path === "/slow" ? `/sites/[workspace]${path}` : null);
  server = createServer((incoming, response) => {
    settleForwarded(incoming, { baseUrl: "http://localhost:3000", trustProxy: false });
    observe(incoming, response, pageOf, () => {
      if (incoming.url?.startsWith("/api/")) return void api(incoming, response);
      if (incoming.url !== "/slow") return void response.end("a page");
      const sql = "SELECT $1::text AS word FROM pg_sleep(0.1)";
      acrossWorkspaces.query(sql, ["confidential"]).then(
        () => {
          log().error({ err: new Error(`Asked with ${String(incoming.headers["x-api-key"])}`) }, "It broke.");
          response.writeHead(500).end();
        },
        () => response.writeHead(500).end(),
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

beforeEach(() => {
  lines.length = raw.length = 0;
});

afterAll(async () => {
  const { closeConnections } = await import("@/lib/db");
  await closeConnections();
  server.close();
  metrics.close();
  vi.unstubAllEnvs();
});

async function ask(
  path: string,
  headers: Record<string, string> = {},
  from = server,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { port } = from.address() as AddressInfo;
  const host = `${ours.subdomain}.localhost:3000`;
  const outgoing = request({ host: "127.0.0.1", port, path, headers: { host, ...headers } });
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}

/** The line that tells of a request. It comes when the answer is out. */
const lineOf = (status: number) =>
  vi.waitFor(() => {
    const line = lines.find((some) => some.status === status);
    if (!line) throw new Error("No line yet.");
    return line;
  });

test("one line tells of a request of the API: what was asked, by whom, what came of it, and no search term", async () => {
  const { headers } = await ask("/api/external/v2/search?search_term=my+illness&page_size=5", {
    "x-api-key": ours.key.text,
    "x-forwarded-for": "6.6.6.6",
  });
  expect(await lineOf(200)).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    request_id: headers["x-request-id"],
    method: "GET",
    path: "/api/external/v2/search?search_term&page_size",
    host: `${ours.subdomain}.localhost:3000`,
    status: 200,
    ms: expect.any(Number),
    surface: "api",
    operation: "/api/external/v2/search",
    workspace_id: ours.id,
    key_id: ours.key.id,
    client: "127.0.0.1",
  });
  expect(raw.join("")).not.toContain("illness");
});

test("a sane id of the client's is kept for its answer and its line, another is replaced", async () => {
  for (const path of ["/", "/api/external/v2/me"]) {
    const sane = await ask(path, { "x-request-id": "trace:1.a-b" });
    expect(sane.headers["x-request-id"]).toBe("trace:1.a-b");
    expect(await lineOf(sane.status)).toMatchObject({ request_id: "trace:1.a-b" });
    lines.length = 0;
    const insane = await ask(path, { "x-request-id": "a b\tc" });
    expect(insane.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await lineOf(insane.status)).toMatchObject({ request_id: insane.headers["x-request-id"] });
    lines.length = 0;
  }
});

test("a slow query is told with the request and operation that it came from, without values; so is an error", async () => {
  const { headers } = await ask("/slow", { "x-api-key": foreignKey });
  await lineOf(500);
  const id = headers["x-request-id"];
  expect(lines.filter((line) => line.request_id === id)).toMatchObject([
    {
      level: "warn",
      msg: "A query was slow.",
      request_id: id,
      statement: "SELECT $1::text AS word FROM pg_sleep(0.1)",
      ms: expect.any(Number),
    },
    { level: "error", msg: "It broke.", request_id: id, err: { stack: expect.stringContaining("server.test.ts") } },
    { level: "warn", request_id: id, status: 500, operation: "/sites/[workspace]/slow" },
  ]);
  expect(raw.join("")).not.toContain("confidential");
});

test("a key is nowhere in the log, wherever it was sent", async () => {
  for (const key of [ours.key.text, foreignKey]) {
    await ask("/slow", { "x-api-key": key, cookie: `k=${key}`, authorization: `Bearer ${key}` });
    await ask(`/api/external/v2/articles/${key}?${key}=${key}&key=${key}`, { "x-api-key": key });
    await ask("/", { "x-request-id": key, referer: `http://x/${key}` });
    await ask("/", { host: `${key}.example.com` });
  }
  await vi.waitFor(() => expect(lines.filter((line) => line.method)).toHaveLength(8));
  const all = raw.join("");
  for (const key of [ours.key.text, foreignKey]) expect(all).not.toContain(key);
  expect(all).toContain("kb_[hidden]");
});

test("assets and probes are told of only in detail", async () => {
  await ask("/_next/static/chunk.js");
  await ask("/healthz");
  await expect
    .poll(() => lines.filter(({ surface }) => surface !== undefined))
    .toMatchObject([
      { level: "debug", surface: "asset" },
      { level: "debug", surface: "probe" },
    ]);
});

test("metrics count answers by operation, all unknown paths as one, on a port of their own", async () => {
  const metric = async (name: string) => {
    const { body } = await ask("/metrics", {}, metrics);
    return body.split("\n").filter((line) => line.startsWith(`${name}{`));
  };
  await ask("/api/external/v2/me", { "x-api-key": ours.key.text });
  for (const path of ["/no", "/nor", "/nothing"]) await ask(path);
  await ask("/api/external/v2/nothing");
  await vi.waitFor(async () => {
    const counts = await metric("lectern_requests_total");
    expect(counts).toContainEqual(
      expect.stringMatching(
        /^lectern_requests_total\{surface="api",operation="\/api\/external\/v2\/me",method="GET",status="2xx"\} \d+$/,
      ),
    );
    const unknown = counts.filter((line) => line.includes('operation="unknown"'));
    expect(unknown.map((line) => line.replace(/ \d+$/, ""))).toEqual(
      expect.arrayContaining([
        'lectern_requests_total{surface="page",operation="unknown",method="GET",status="2xx"}',
        'lectern_requests_total{surface="api",operation="unknown",method="GET",status="4xx"}',
      ]),
    );
    expect(counts.join("")).not.toContain("nothing");
  });
  expect(await metric("lectern_request_duration_seconds_bucket")).not.toEqual([]);
  expect((await metric("lectern_database_connections")).map((line) => line.replace(/ \d+$/, ""))).toEqual(
    ["total", "idle", "waiting"].map((state) => `lectern_database_connections{database="primary",state="${state}"}`),
  );
  const { body } = await ask("/metrics", {}, metrics);
  expect(body).toContain("nodejs_eventloop_lag_seconds");
  expect((await ask("/", {}, metrics)).status).toBe(404);
  expect((await ask("/metrics")).body).not.toContain("lectern_");
});
