import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "playwright/test";

// npm run quickstart as a person runs it, in its own folder. Needs the built server but no browser.

const root = join(import.meta.dirname, "..");

interface Run {
  child: ChildProcess;
  printed: string;
}

/** Starts it, and returns when it reports that it is ready. */
async function quickstart(dataDir: string, port: number): Promise<Run> {
  const child = spawn("npm", ["run", "--silent", "quickstart"], {
    cwd: root,
    // Its own group, so that a signal reaches what Ctrl+C in a terminal would reach.
    detached: true,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      DATABASE_DIRECT_URL: "",
      BASE_URL: "",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`It ended:\n${printed}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes("Ctrl+C stops everything.")) resolve();
    });
  });
  return { child, printed };
}

/** Requests the URL of the printed curl command: not every resolver knows *.localhost. */
async function curl(printed: string): Promise<{ status: number | undefined; body: string }> {
  const [, key, address] = /curl -H "X-Api-Key: (\S+)" (\S+)/.exec(printed) ?? [];
  const { hostname, port, pathname } = new URL(address ?? "");
  const sent = request({
    host: "127.0.0.1",
    port,
    path: pathname,
    headers: { Host: `${hostname}:${port}`, "X-Api-Key": key },
  });
  const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a first run prints what is needed, a killed one loses nothing, Ctrl+C stops everything", async () => {
  test.setTimeout(180_000);
  const dataDir = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-first-run-"));
  await chmod(dataDir, 0o755);
  const port = await freePort();

  const first = await quickstart(dataDir, port);
  expect(first.printed).toContain(`Knowledge base   http://demo.localhost:${port}\n`);
  expect(first.printed).toMatch(/email +\S+@\S+\n +password +\S{10,}\n/);
  const answer = await curl(first.printed);
  expect(answer.status).toBe(200);
  expect((JSON.parse(answer.body) as { articles: unknown[] }).articles.length).toBeGreaterThan(0);

  // The log names people and may contain links from mails.
  expect((await stat(join(dataDir, "server.log"))).mode & 0o777).toBe(0o600);
  const running = JSON.parse(await readFile(join(dataDir, "running.json"), "utf8")) as { pid: number; server: number };
  for (const pid of [first.child.pid as number, running.pid, running.server]) process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(running.server)).toBe(false);

  const start = Date.now();
  const second = await quickstart(dataDir, port);
  expect(Date.now() - start).toBeLessThan(30_000);
  expect(second.printed.replace(/after .* s/, "")).toBe(first.printed.replace(/after .* s/, ""));
  expect(await curl(second.printed)).toEqual(answer);

  const pidOfPostgres = join(dataDir, "postgres/postmaster.pid");
  expect(existsSync(pidOfPostgres)).toBe(true);
  const stopping = Date.now();
  process.kill(-(second.child.pid as number), "SIGINT");
  await once(second.child, "exit");
  expect(Date.now() - stopping).toBeLessThan(12_000);
  expect(existsSync(pidOfPostgres)).toBe(false);
  expect((await curl(second.printed).catch((error: NodeJS.ErrnoException) => error.code)) as unknown).toBe(
    "ECONNREFUSED",
  );
  await rm(dataDir, { recursive: true });
});
