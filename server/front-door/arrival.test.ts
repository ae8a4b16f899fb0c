import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boundArrival } from "@/server/front-door/arrival";

// A real server with short limits. A body of LONG takes longer than the shorter of the two.

const limits = { whole: 400, idle: 400 };
const BETWEEN = 40;
const LONG = 30;
const statuses: number[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    boundArrival(request, response, limits);
    response.once("close", () => statuses.push(response.statusCode));
    if (request.url === "/api/uploads?as=refused") return void response.end("refused");
    text(request).then(
      ({ length }) => response.end(`${length} bytes`),
      () => {},
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * Sends a body byte by byte, `count` of the announced length.
 * @returns everything answered until the connection ends, and how much was sent by then
 */
async function send(
  path: string,
  count: number,
  announced = count,
  connection = "close",
): Promise<{ answer: string; sent: number }> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => (answer += part));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${announced}\r\nConnection: ${connection}\r\n\r\n`);
  let sent = 0;
  while (sent < count && !socket.destroyed) {
    socket.write("x");
    sent++;
    await wait(BETWEEN);
  }
  await closed;
  return { answer, sent };
}

test.each(["/api/uploads?as=image", "/api/imports", "/api/external/v2/uploads?file_name=a"])(
  "a file to %s arrives as long as data keeps arriving",
  async (path) => {
    const { answer } = await send(path, LONG);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(`${LONG} bytes`);
  },
);

test.each(["/api/uploads?as=image", "/api/imports"])("a file to %s that stops arriving is refused", async (path) => {
  const { answer } = await send(path, 2, 100);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual({
    error: "The request didn't arrive in time. Send it again.",
  });
  await expect.poll(() => statuses.at(-1)).toBe(408);
});

test.each(["/admin/sign-in", "/api/external/v2/me", "/api/uploadsandmore"])(
  "any other body, to %s, has its time however steadily it comes",
  async (path) => {
    const { answer, sent } = await send(path, LONG);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(sent).toBeLessThan(LONG);
    expect((await send(path, 2)).answer).toContain("2 bytes");
  },
);

test("a file that was refused already is no reason to keep the connection", async () => {
  const { answer, sent } = await send("/api/uploads?as=refused", LONG, LONG, "keep-alive");
  expect(answer).toContain("refused");
  expect(sent).toBeLessThan(LONG);
});
