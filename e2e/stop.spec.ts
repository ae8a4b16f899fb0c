import { once } from "node:events";
import { Agent, get } from "node:http";
import { expect } from "playwright/test";
import { startServer } from "@/testing/server";
import { test } from "./kit";

/** The status, or the code of the error. Each request has a connection of its own. */
function request(url: string): Promise<number | string> {
  return new Promise((resolve) => {
    get(url, { agent: new Agent() }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    }).once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
  });
}

test("a server that is asked to stop tells the load balancer first, and fails no request until it listens", async () => {
  const server = await startServer("front door", { RATE_LIMIT_FAILED: "0", QUICKSTART: "", JOBS: "off" });
  const ready = () => request(`${server.address}/readyz`);
  expect(await ready()).toBe(200);
  const answers: (number | string)[] = [];
  let isReady = true;
  const clients = Array.from({ length: 32 }, async () => {
    while (isReady) answers.push(await request(`${server.address}/api/external/v2/me`));
  });
  const stopped = once(server.child, "exit");
  server.child.kill("SIGTERM");
  await expect.poll(ready).toBe(503);
  isReady = false;
  await Promise.all([...clients, stopped]);
  // No workspace has this host.
  expect(new Set(answers)).toEqual(new Set([404]));
});
