import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { isAlive } from "@/server/postgres/lock";
import type { Place } from "@/server/postgres/place";

export const SUPERUSER = "lectern";

/** Includes recovery after a crash. */
const START_MS = 120_000;
const STOP_MS = 8_000;
const LOG_LIMIT = 10 * 1024 * 1024;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  password_encryption: "scram-sha-256",
  max_connections: "100",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  random_page_cost: "1.1",
  jit: "off",
  // Until its tables are analyzed, a workspace that is being filled is read with plans for empty tables.
  autovacuum_naptime: "10s",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Sockets have short paths: 104 bytes on macOS, with the name of the socket. */
const LONGEST_FOLDER = 85;

/**
 * The folder of the Unix socket, over which a statement takes half the time. Only the server's user can enter it. Empty if
 * PostgreSQL can't use the path.
 */
const socketFolderOf = ({ cluster }: Place) =>
  Buffer.byteLength(cluster) <= LONGEST_FOLDER && /^[^,"']+$/.test(cluster) ? cluster : "";

/** For tests, whose data may be lost. */
const THROWAWAY = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

export interface StartOptions {
  /** PostgreSQL appends its output to this file. */
  log: string;
  durable: boolean;
  /** For a restart at a known URL. */
  fixedPort?: number;
}

/** Creates an empty cluster, all or nothing: a half-made one is deleted. */
export async function createCluster(place: Place, { log, durable }: StartOptions): Promise<void> {
  const prefix = `${place.cluster}.new-`;
  for (const name of await readdir(place.home)) {
    const left = join(place.home, name);
    // An initdb whose parent was killed may still write there. It ends without its folder.
    if (left.startsWith(prefix)) await rm(left, { recursive: true, force: true }).catch(() => {});
  }
  const unfinished = prefix + randomBytes(4).toString("hex");
  const passwordFile = `${unfinished}.password`;
  try {
    // The search parser needs LC_CTYPE to recognize letters. The rest of the locale is the same on every machine.
    for (const letters of ["C.UTF-8", "en_US.UTF-8", "C"]) {
      await rm(unfinished, { recursive: true, force: true });
      await mkdir(unfinished, { mode: 0o700 });
      await writeFile(passwordFile, place.password, { mode: 0o600 });
      if (place.user !== undefined) {
        await chown(unfinished, place.user, place.user);
        await chown(passwordFile, place.user, place.user);
      }
      const said = await initdb(place, log, [
        "-D",
        unfinished,
        "-U",
        SUPERUSER,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        `--lc-ctype=${letters}`,
        "--text-search-config=simple",
        "--no-instructions",
        ...(durable ? [] : ["--no-sync"]),
      ]);
      if (said === "") return await rename(unfinished, place.cluster);
      if (!said.includes("invalid locale name")) throw failure("PostgreSQL could not create its database", said, log);
    }
    throw new Error("PostgreSQL could not create its database because this machine has no suitable locale.");
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** @returns the output if it failed */
async function initdb(place: Place, log: string, args: string[]): Promise<string> {
  const output = await openLog(log);
  try {
    const child = launch(place, "initdb", args, output.fd);
    const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
    const code = await ended(child);
    clearTimeout(timer);
    return code === 0 ? "" : (await saidSince(log, output.size)) || `initdb ended with ${code}`;
  } finally {
    await output.close();
  }
}

/**
 * Makes sure that the cluster is served and answers. Takes over a server left by a killed process.
 * @returns the port, and whether it was started here
 * @throws after two minutes. The message names the log
 */
export async function ensureServing(place: Place, options: StartOptions): Promise<{ port: number; started: boolean }> {
  const deadline = performance.now() + START_MS;
  let port = options.fixedPort ?? place.port ?? (await freePort());
  let socket = socketFolderOf(place);
  let started = false;
  for (;;) {
    const serving = await findServer(place);
    if (serving) {
      const answer = serving.listens ? await ask(place, serving.port) : "not yet";
      if (answer === "yes") return { port: serving.port, started };
      if (answer === "wrong password") {
        throw new Error(
          `The database in ${place.cluster} rejects the password in postgres.json. Restore the original file, or move that folder away to start with an empty database.`,
        );
      }
      await sleep(50);
    } else {
      const said = await launchServer(place, port, socket, options);
      if (said === "") started = true;
      // Some file systems that are shared with another machine have no sockets.
      else if (socket && /Unix address|Unix-domain socket/.test(said)) socket = "";
      else if (/could not bind|could not create any TCP\/IP sockets/.test(said) && !options.fixedPort) {
        port = await freePort();
      }
      // Backends of a killed server end themselves, or another process was faster.
      else if (/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(said))
        await sleep(200);
      else throw failure("PostgreSQL didn't start", said, options.log);
    }
    if (performance.now() > deadline) {
      throw failure(`PostgreSQL didn't respond within ${START_MS / 1000} seconds`, "", options.log);
    }
  }
}

/**
 * Starts a server that outlives this process.
 * @returns the output if it ended immediately
 */
async function launchServer(
  place: Place,
  port: number,
  socket: string,
  { log, durable }: StartOptions,
): Promise<string> {
  await disownPid(place);
  // No server is alive, but a crash of the machine may have left one of these with the pid of another process.
  for (const name of await readdir(place.cluster)) {
    if (name.startsWith(".s.PGSQL.")) await rm(join(place.cluster, name), { force: true }).catch(() => {});
  }
  const output = await openLog(log);
  try {
    const settings = {
      ...SETTINGS,
      ...(durable ? {} : THROWAWAY),
      port: String(port),
      unix_socket_directories: socket,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = launch(place, "postgres", ["-D", place.cluster, ...args], output.fd);
    let code: string | number | undefined;
    const end = ended(child).then((result) => {
      code = result;
    });
    const deadline = performance.now() + START_MS;
    while (code === undefined && !(await findServer(place))?.listens && performance.now() < deadline) {
      await Promise.race([end, sleep(20)]);
    }
    child.unref();
    return code === undefined ? "" : (await saidSince(log, output.size)) || `postgres ended with ${code}`;
  } finally {
    await output.close();
  }
}

/** Stops the server, keeping what was committed, and waits up to 8 seconds. */
export async function stopServing(place: Place): Promise<void> {
  const serving = await findServer(place);
  if (!serving) return;
  process.kill(serving.pid, "SIGINT");
  const deadline = performance.now() + STOP_MS;
  while ((await findServer(place)) && performance.now() < deadline) await sleep(20);
}

/** A superuser's client for one database, not connected yet. */
export function superuserClient(place: Place, port: number, database: string): Client {
  return new Client({
    host: "127.0.0.1",
    port,
    user: SUPERUSER,
    password: place.password,
    database,
    application_name: "lectern presence",
    connectionTimeoutMillis: 5_000,
  });
}

async function ask(place: Place, port: number): Promise<"yes" | "not yet" | "wrong password"> {
  const client = superuserClient(place, port, "postgres");
  client.on("error", () => {});
  try {
    await client.connect();
    return "yes";
  } catch (error) {
    return (error as { code?: string }).code === "28P01" ? "wrong password" : "not yet";
  } finally {
    await client.end().catch(() => {});
  }
}

const pidFileOf = (place: Place) => join(place.cluster, "postmaster.pid");

/**
 * The live server of this cluster, by its pid file: line 1 is its process, 4 its port, 8 its state, written once it
 * listens. Before that the port may turn out to be another server's.
 */
async function findServer(place: Place): Promise<{ pid: number; port: number; listens: boolean } | undefined> {
  const lines = (await readFile(pidFileOf(place), "utf8").catch(() => "")).split("\n");
  const pid = Number(lines[0]);
  const folder = lines[1] ?? "";
  // Another program may have started it by another path, such as through a link.
  if (!(pid > 0) || !isAlive(pid) || !(await isPostgres(pid, folder)) || !(await isSame(folder, place.cluster)))
    return undefined;
  return { pid, port: Number(lines[3]), listens: Boolean(lines[7]?.trim()) };
}

/** After a crash of the machine, the pid may be another process's. */
async function isPostgres(pid: number, folder: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => commandLine(pid));
  return command.includes("postgres") && command.includes(folder);
}

async function isSame(...folders: string[]): Promise<boolean> {
  const paths = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  return paths[0] !== null && new Set(paths).size === 1;
}

async function commandLine(pid: number): Promise<string> {
  const child = spawn("ps", ["-ww", "-o", "args=", "-p", String(pid)], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await ended(child);
  return text;
}

/**
 * PostgreSQL refuses to start if its pid file names any live process of the same user. The rest of the file stays, so
 * PostgreSQL can check whether backends of a killed server still write. The pid of PostgreSQL's own parent is safe.
 */
async function disownPid(place: Place): Promise<void> {
  const text = await readFile(pidFileOf(place), "utf8").catch(() => "");
  const pid = Number(/^\d+/.exec(text)?.[0]);
  if (pid > 0 && isAlive(pid)) await writeFile(pidFileOf(place), text.replace(/^\d+/, String(process.pid)));
}

/** Detached from this process and its terminal: Ctrl+C is for the program, which then stops the server. */
function launch(place: Place, program: string, args: string[], output: number) {
  return spawn(join(place.programs, program), args, {
    // A folder its user can always enter.
    cwd: "/",
    detached: true,
    stdio: ["ignore", output, output],
    // Next's types want NODE_ENV in every environment.
    env: { PATH: process.env.PATH, LC_ALL: "C" } as unknown as NodeJS.ProcessEnv,
    ...(place.user === undefined ? {} : { uid: place.user, gid: place.user }),
  });
}

function ended(child: ReturnType<typeof spawn>): Promise<number | string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "an unknown signal"));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function openLog(log: string) {
  const size = await stat(log).then(
    (info) => info.size,
    () => 0,
  );
  if (size > LOG_LIMIT) await rename(log, `${log}.old`);
  await mkdir(dirname(log), { recursive: true });
  const handle = await open(log, "a", 0o600);
  return { fd: handle.fd, size: size > LOG_LIMIT ? 0 : size, close: () => handle.close() };
}

const saidSince = async (log: string, offset: number) => (await readFile(log)).subarray(offset).toString("utf8").trim();

function failure(what: string, said: string, log: string): Error {
  const last = said.split("\n").slice(-5).join("\n");
  return new Error(`${what}. The reason is in ${log}${last ? `, which ends with:\n${last}` : "."}`);
}
