import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { TestWorkspace } from "@/testing/workspace";

// The front door of a production server before pages made here.

const most = 3;
let server: Server;
let rendered = 0;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  vi.stubEnv("RATE_LIMIT_PAGES", String(most));
  vi.resetModules();
  const { env } = await import("@/lib/env");
  const { aWorkspace } = await import("@/testing/workspace");
  const { frontDoor } = await import("@/server/front-door");
  [ours, theirs] = [await aWorkspace(), await aWorkspace()];
  const settings = { ...env(), nodeEnv: "production" as const, trustProxy: true };
  const next = async (_: unknown, response: import("node:http").ServerResponse) => {
    rendered += 1;
    response.writeHead(200, { "content-type": "text/html" }).end("a page");
  };
  server = createServer(frontDoor(settings, next, async () => null, { main: "/_scripts/main.js", answer: () => null }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(path: string, { from = "192.0.2.1", of = ours, accept = "text/html", method = "GET" } = {}) {
  const { port } = server.address() as AddressInfo;
  const headers = { host: `${of.subdomain}.localhost:3000`, "x-forwarded-for": from, accept };
  const sent = request({ host: "127.0.0.1", port, path, method, headers }).end();
  const [answer] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  return { status: answer.statusCode, retryAfter: Number(answer.headers["retry-after"]), body: await text(answer) };
}

test("a network over its limit of rendered pages learns when to retry, and nobody else is limited", async () => {
  const turn = async (path: string) => (await ask(path)).status;
  expect([await turn("/articles/a?x=1"), await turn("/nothing"), await turn("/search?q=a")]).toEqual([200, 200, 200]);
  const refused = await ask("/articles/a?x=2");
  expect([refused.status, rendered]).toEqual([429, most]);
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.retryAfter).toBeLessThanOrEqual(60);
  expect(refused.body).toContain("<h1>Too many requests</h1>");
  expect((await ask("/nothing", { accept: "*/*" })).body).toBe(
    `Too many pages were requested from your network. Try again in ${refused.retryAfter} seconds.\n`,
  );
  // Another workspace, another network, and what is not rendered.
  expect((await ask("/nothing", { of: theirs })).status).toBe(200);
  expect((await ask("/nothing", { from: "192.0.2.2" })).status).toBe(200);
  for (const path of ["/uploads/a.png", "/icon.svg", "/_next/static/a.js"]) expect(await turn(path)).toBe(200);
});

test("pages of unknown subdomains share one limit", async () => {
  const statuses = [];
  for (const name of ["a", "b", "c", "d"]) {
    const unknown = { ...ours, subdomain: `${name}-${ours.subdomain}` };
    statuses.push((await ask("/", { of: unknown, from: "192.0.2.3" })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
