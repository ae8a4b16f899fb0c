import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { ApiRequest } from "./answer";
import { serveApi } from "./http";
import { bodyOf } from "./input";
import type { Handler } from "./route";

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Sends this over one connection to a server of this handler alone, and gives the statuses of two answers. */
async function statusesOf(statusOf: (request: ApiRequest) => Promise<number>, sent: string): Promise<string[]> {
  const answer = async (request: ApiRequest) => ({ status: await statusOf(request), headers: new Map(), body: null });
  const serve = serveApi([], { answer });
  server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
  socket.write(sent);
  for await (const chunk of socket) {
    received += String(chunk);
    if (statuses().length === 2) break;
  }
  return statuses();
}

const patch = (size: number) =>
  `PATCH /api/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${"x".repeat(size)}`;
const get = "GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n";

test("a body that nobody read does not keep the next request of the connection waiting", async () => {
  const refusing = async ({ method }: ApiRequest) => (method === "PATCH" ? 401 : 200);
  expect(await statusesOf(refusing, patch(1_000_000) + get)).toEqual(["401", "200"]);
});

test("nor does one that is too large, of which a part was read", async () => {
  const reading = async (request: ApiRequest) => {
    if (request.method === "GET") return 200;
    return bodyOf(request).then(
      () => 200,
      (error: { status: number }) => error.status,
    );
  };
  expect(await statusesOf(reading, patch(1_000_000) + get)).toEqual(["413", "200"]);
});

test("a path with a word of its own is found before one that takes any word there", async () => {
  const handlerOf = (name: string) =>
    ({ answer: async () => ({ status: 200, headers: new Map(), body: name }) }) as unknown as Handler;
  const paths = ["/{article}/publish", "/{article}", "/by-id/{id}"];
  const versions = [{ prefix: "/api", paths: Object.fromEntries(paths.map((path) => [path, handlerOf(path)])) }];
  const serve = serveApi(versions, handlerOf("unknown"));
  server = createServer((request, response) => void serve(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = async (path: string) =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api${path}`)).text();
  expect(await at("/by-id/publish")).toBe("/by-id/{id}");
  expect(await at("/other/publish")).toBe("/{article}/publish");
  expect(await at("/by-id")).toBe("/{article}");
});
