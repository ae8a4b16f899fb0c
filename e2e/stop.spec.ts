import { once } from "node:events";
import { Agent, get } from "node:http";
import { expect } from "playwright/test";
import { freePort, startServer } from "@/testing/server";
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

const settings = { RATE_LIMIT_FAILED: "0", QUICKSTART: "", JOBS: "off" };

test("a server that is asked to stop tells the load balancer first, and fails no request until it listens", async () => {
  const server = await startServer("front door", settings);
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
  // No workspace uses this host.
  expect(new Set(answers)).toEqual(new Set([404]));
});

test("several processes serve one port: SIGHUP replaces them without a failed request, and a crashed one is replaced", async () => {
  const metrics = String(await freePort());
  const server = await startServer("front door", { ...settings, WORKERS: "2", METRICS_PORT: metrics });
  const started = new Set<number>();
  const alive = () => {
    for (const [, pid] of server.output.join("").matchAll(/Process (\d+) is ready/g)) started.add(Number(pid));
    return [...started].filter((pid) => isAlive(pid));
  };
  await expect.poll(() => server.output.join(""), { timeout: 30_000 }).toContain("Lectern is ready");
  const first = alive();
  expect(first).toHaveLength(2);

  /** Requests without a pause while something happens. All of them end. */
  const during = async (happens: () => Promise<void>) => {
    const answers = new Set<number | string>();
    let isOver = false;
    const clients = Array.from({ length: 16 }, async () => {
      while (!isOver) answers.add(await request(`${server.address}/readyz`));
    });
    await happens();
    isOver = true;
    await Promise.all(clients);
    return [...answers].sort();
  };
  const replaced = await during(async () => {
    server.child.kill("SIGHUP");
    await expect.poll(() => alive().filter((pid) => !first.includes(pid)).length, { timeout: 30_000 }).toBe(2);
    await expect.poll(() => first.filter((pid) => isAlive(pid)), { timeout: 30_000 }).toEqual([]);
  });
  expect(replaced).toEqual([200]);

  const shown = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  expect(Number(/^lectern_data_free_bytes\S* (\S+)$/m.exec(await shown())?.[1])).toBeGreaterThan(0);
  const counted = async () => {
    const text = await shown();
    const counts = [...text.matchAll(/^lectern_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const before = await counted();
  for (let sent = 0; sent < 10; sent++) await request(`${server.address}/api/external/v2/me`);
  await expect.poll(counted).toBe(before + 10);

  const crashed = await during(async () => {
    process.kill(alive()[0] as number, "SIGKILL");
    await expect.poll(() => alive().length, { timeout: 30_000 }).toBe(2);
  });
  expect([[200], [200, "ECONNRESET"]]).toContainEqual(crashed);
  const last = alive();
  await server.stop();
  expect(server.child.exitCode).toBe(0);
  expect(last.filter((pid) => isAlive(pid))).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
