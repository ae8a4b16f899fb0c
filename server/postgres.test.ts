import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase, startPostgres } from "@/server/postgres";
import { evaluating } from "@/testing/program";

let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-postgres-"));
  await chmod(dataDir, 0o755);
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  if (await isServing()) await (await start()).release();
  await rm(dataDir, { recursive: true, force: true });
});

const start = () => startPostgres({ dataDir, durable: false });

/** Another process in the same folder, until it leaves or is killed. */
async function program(): Promise<{ url: string; started: boolean; child: ChildProcess; leave(): Promise<void> }> {
  const code = `
    const database = await startPostgres({ dataDir: process.argv[1], durable: false });
    console.log(JSON.stringify(database));
    process.stdin.on("end", () => database.release()).resume();`;
  const args = evaluating("server/postgres.ts", "{ startPostgres }", code, dataDir);
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const leave = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { ...(JSON.parse(line) as { url: string; started: boolean }), child, leave };
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8"), 10);
}

const isServing = () =>
  serverPid().then(
    () => true,
    () => false,
  );

test("an empty folder becomes a database of this machine alone, with a password", async () => {
  const database = await start();
  expect(database.started).toBe(true);
  expect(database.url).toMatch(/^postgresql:\/\/lectern:[\w-]{32}@127\.0\.0\.1:\d+\/lectern$/);
  expect(
    await query(
      database.url,
      `SELECT current_database() AS name, current_setting('server_encoding') AS encoding,
              current_setting('listen_addresses') AS listens, current_setting('max_connections') AS connections`,
    ),
  ).toEqual([{ name: "lectern", encoding: "UTF8", listens: "127.0.0.1", connections: "100" }]);
  expect(await query(database.nearUrl, "SELECT inet_server_addr() AS over_tcp")).toEqual([{ over_tcp: null }]);
  for (const url of [database.url, database.nearUrl])
    await expect(query(url.replace(/:[\w-]{32}@/, ":wrong@"), "SELECT 1")).rejects.toThrow("password");
  expect((await stat(join(dataDir, "postgres.json"))).mode & 0o777).toBe(0o600);
  await database.release();
  expect(await isServing()).toBe(false);
});

test("a folder whose path is too long for a socket is served over TCP", async () => {
  const database = await startPostgres({ dataDir: join(dataDir, "a".repeat(80)), durable: false });
  expect(database.nearUrl).toBe(database.url);
  await database.release();
});

test("a folder that can't hold a socket is served over TCP", async () => {
  const first = await start();
  await first.release();
  // PostgreSQL can't replace a folder by its socket.
  await mkdir(join(dataDir, `postgres/.s.PGSQL.${new URL(first.url).port}`));
  const second = await start();
  expect([second.url, second.nearUrl]).toEqual([first.url, first.url]);
  await second.release();
});

test("a server is found through another path of its folder", async () => {
  const first = await start();
  const link = `${dataDir}-link`;
  await symlink(dataDir, link);
  try {
    const second = await startPostgres({ dataDir: link, durable: false });
    expect([second.started, second.nearUrl]).toEqual([false, first.nearUrl]);
    await second.release();
    expect(await query(first.nearUrl, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    await rm(link);
    await first.release();
  }
});

test("letters of every language are told from quotes and dashes, and case is folded", async () => {
  const database = await start();
  expect(
    await query(
      database.url,
      "SELECT to_tsvector('simple', '“Straße” — ÉCOLE… Ελλάδα')::text AS words, lower('ÉΣ') AS lower",
    ),
  ).toEqual([{ words: "'straße':1 'école':2 'ελλάδα':3", lower: "éσ" }]);
  await database.release();
});

test("a second start finds what the first one stored, at the same address", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
  await first.release();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "SELECT * FROM kept")).toEqual([{ one: 1 }]);
  await second.release();
});

test("several programs share one server, and the last one to leave stops it", async () => {
  const mine = await start();
  const other = await program();
  const third = await start();
  expect([other.started, third.started]).toEqual([false, false]);
  expect([other.url, third.url]).toEqual([mine.url, mine.url]);
  await mine.release();
  await mine.release();
  await third.release();
  expect(await query(other.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await other.leave();
  expect(await isServing()).toBe(false);
});

test("programs that start together on an empty folder agree on one server", async () => {
  const all = await Promise.all([program(), program(), start(), start()]);
  expect(new Set(all.map((one) => one.url)).size).toBe(1);
  expect(all.filter((one) => one.started)).toHaveLength(1);
  await Promise.all([all[0].leave(), all[1].leave(), all[2].release(), all[3].release()]);
  expect(await isServing()).toBe(false);
});

test("one starts while the last one leaves: it gets a server that answers", async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await start();
    const [coming] = await Promise.all([start(), leaving.release()]);
    expect(await query(coming.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await coming.release();
  }
});

test("a server whose program was killed is found again, and stopped by the next to leave", async () => {
  const killed = await program();
  const pid = await serverPid();
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  const next = await start();
  expect({ ...next, pid: await serverPid() }).toMatchObject({ started: false, url: killed.url, pid });
  await next.release();
  expect(await isServing()).toBe(false);
});

test("a program killed while it starts leaves nothing in the way of the next", async () => {
  const code = `await startPostgres({ dataDir: process.argv[1] });`;
  for (const stage of [/\.lock$/, /\.new-/, /^postgres$/]) {
    const args = evaluating("server/postgres.ts", "{ startPostgres }", code, dataDir);
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    const reached = async () => (await readdir(dataDir)).some((name) => stage.test(name));
    await expect.poll(reached, { timeout: 10_000, interval: 1 }).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const next = await start();
  expect(await query(next.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await next.release();
});

test("a server killed while it is in use is back within seconds, at the same address, with what was stored", async () => {
  const said: string[] = [];
  const database = await startPostgres({ dataDir, log: (line) => said.push(line) });
  await query(database.url, "CREATE TABLE kept AS SELECT 1 AS one");
  process.kill(await serverPid(), "SIGKILL");
  await expect
    .poll(() => query(database.url, "SELECT * FROM kept").catch(() => []), { timeout: 15_000 })
    .toEqual([{ one: 1 }]);
  await expect.poll(() => said.at(-1)).toBe("The embedded PostgreSQL is back.");
  await database.release();
  expect(await isServing()).toBe(false);
});

test("a pid file from before a crash of the machine does not stop a start, whatever has that number now", async () => {
  const first = await start();
  await first.release();
  const { port } = new URL(first.url);
  // PostgreSQL only checks for processes of its own user, except its parent.
  const server = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const stranger = spawn("sleep", ["60"], { ...server, cwd: "/" });
  children.push(stranger);
  await once(stranger, "spawn");
  for (const pid of [stranger.pid, 2 ** 22 - 1]) {
    const lines = [pid, join(dataDir, "postgres"), 1_700_000_000, 5432, "", "127.0.0.1", "  1 1", "ready   ", ""];
    await writeFile(join(dataDir, "postgres/postmaster.pid"), lines.join("\n"));
    await writeFile(join(dataDir, `postgres/.s.PGSQL.${port}.lock`), lines.join("\n"));
    const database = await start();
    expect([database.started, new URL(database.url).port]).toEqual([true, port]);
    await database.release();
  }
});

test("the lock of a program that is gone does not stop a start", async () => {
  await writeFile(join(dataDir, "postgres.lock"), String(2 ** 22 - 1));
  const database = await start();
  expect(database.started).toBe(true);
  await database.release();
});

test("a remembered port that someone else took is given up", async () => {
  const first = await start();
  await first.release();
  const other = createServer();
  other.listen(Number(new URL(first.url).port), "127.0.0.1");
  await once(other, "listening");
  const second = await start();
  expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(second.url).not.toBe(first.url);
  await second.release();
  other.close();
});

test("data of another major version is refused in one sentence, and left alone", async () => {
  await (await start()).release();
  const file = join(dataDir, "postgres/PG_VERSION");
  const version = await readFile(file, "utf8");
  await writeFile(file, "14\n");
  await expect(start()).rejects.toThrow(
    /was created by PostgreSQL 14, but this version of Lectern includes PostgreSQL 18\. .*DATABASE_URL/,
  );
  await writeFile(file, version);
});

test("a server that cannot start says why and where its log is", async () => {
  await (await start()).release();
  const file = join(dataDir, "postgres/global/pg_control");
  await rename(file, `${file}.away`);
  await expect(start()).rejects.toThrow(
    /PostgreSQL didn't start\. The reason is in .*postgres\.log, which ends with:\n[^]*pg_control/,
  );
  await rename(`${file}.away`, file);
});

test("a folder whose password file is lost is not overwritten", async () => {
  await (await start()).release();
  const file = join(dataDir, "postgres.json");
  await rename(file, `${file}.away`);
  await expect(start()).rejects.toThrow(/postgres\.json is missing.* Restore the file/);
  await rename(`${file}.away`, file);
});

test("DATABASE_URL is used when it is set, and nothing is started", async () => {
  const server = await start();
  const elsewhere = join(dataDir, "unused");
  const database = await openDatabase({ databaseUrl: server.url, dataDir: elsewhere });
  expect(database).toMatchObject({ url: server.url, started: false });
  await database.release();
  await expect(stat(elsewhere)).rejects.toThrow("ENOENT");
  await server.release();
});
