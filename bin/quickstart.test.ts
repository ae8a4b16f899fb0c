import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { transform } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";

// Refusals before any installation. e2e/first-run.spec.ts does a whole first run.

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lectern-quickstart-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

async function quickstart(env: Record<string, string>, nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, "bin/quickstart.mjs"], {
    env: { ...process.env, DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: child.exitCode, said: said + complained };
}

async function takenPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as { port: number }).port, free: () => server.close() };
}

test("a port that another program holds is named, with one to take instead", async () => {
  const { port, free } = await takenPort();
  expect(await quickstart({ PORT: String(port) })).toEqual({
    code: 1,
    said: `\nAnother program is using port ${port}. Choose another port with PORT=${port + 1} npm run quickstart.\n`,
  });
  free();
});

test("a Lectern that already runs with the same data is detected", async () => {
  const { port, free } = await takenPort();
  await writeFile(join(dataDir, "running.json"), JSON.stringify({ pid: process.pid, port: String(port) }));
  expect(await quickstart({ PORT: String(port) })).toEqual({
    code: 1,
    said: `\nLectern is already running with this data on port ${port} (process ${process.pid}). Use it, or stop it first with Ctrl+C in its terminal.\n`,
  });
  free();
});

test.each(["80x", "0", "70000"])("PORT=%s is no port", async (port) => {
  expect(await quickstart({ PORT: port })).toEqual({
    code: 1,
    said: `\nPORT is "${port}". Set a number from 1 to 65535, as in PORT=3001 npm run quickstart.\n`,
  });
});

test("a place for the data that cannot be written to is named", async () => {
  const file = join(dataDir, "file");
  await writeFile(file, "");
  expect(await quickstart({ DATA_DIR: join(file, "data") })).toEqual({
    code: 1,
    said: `\nLectern keeps its data in ${file}/data, but this user can't write there (ENOTDIR). Choose another folder with DATA_DIR=/some/folder npm run quickstart.\n`,
  });
});

test("a Node that is too old is told which one is needed", async () => {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.4" })`;
  expect(await quickstart({}, ["--import", pretend])).toEqual({
    code: 1,
    said: "\nLectern needs Node 20.19 or newer, but this is Node 18.20.4. Install a newer version (https://nodejs.org) and run this again.\n",
  });
});

test.each(["quickstart", "test", "build", "serve", "setup", "steps"])(
  "%s.mjs can be read by a Node from 2020, which is told so instead of finding a syntax error",
  async (name) => {
    const source = await readFile(`bin/${name}.mjs`, "utf8");
    const [modern, old] = await Promise.all([
      transform(source, { target: "esnext" }),
      transform(source, { target: "node12.20" }),
    ]);
    expect(old.code).toBe(modern.code);
    expect(source).not.toMatch(/from "node:/);
  },
);
