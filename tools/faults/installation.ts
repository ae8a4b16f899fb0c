import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@/server/postgres";
import { isAlive } from "@/server/postgres/lock";
import { findPlace, type Place } from "@/server/postgres/place";
import { aProxy, type Proxy } from "@/testing/proxy";
import { freePort } from "@/testing/server";

const root = join(import.meta.dirname, "../..");
const READY_MS = 120_000;
/** The size of a disk that is filled. The write-ahead log needs most of it. */
const DISK_MB = 1_024;
const SMALL_DISK = "A small disk needs Linux, and root with the right to mount.";

const loaded = ["--import", "./bin/leash.mjs", "--import", "./tools/faults/clock.mjs"];
const programs = {
  production: ["--v8-pool-size=1", ...loaded, "dist/server.js"],
  source: ["--import", "tsx", ...loaded, "tools/faults/source-server.ts"],
};

/** A server on its embedded PostgreSQL, in a temporary folder. Both can be killed, stopped and started again. */
export interface Installation {
  address: string;
  baseUrl: string;
  databaseUrl: string;
  /** For programs beside the server. */
  settings: Record<string, string>;
  output: string[];
  /** Ends the server with this signal, and returns once it has ended. */
  end: (signal: NodeJS.Signals) => Promise<void>;
  /** Starts the server again, and returns once it answers. */
  start: (more?: Record<string, string>) => Promise<void>;
  /** Sends a signal to PostgreSQL, with or without the processes of its connections. */
  signal: (name: NodeJS.Signals, withChildren: boolean) => Promise<void>;
  /** Sets the server's wall clock ahead of the machine's, in milliseconds. */
  shiftClock: (ms: number) => void;
  /** Runs `work` while the server uses PostgreSQL through `proxy`, as a database of the operator's own. */
  throughProxy: (work: () => Promise<void>) => Promise<void>;
  proxy: Proxy;
  /** Moves the data to a small disk. @throws ImpossibleError on a machine that can't have one */
  moveToSmallDisk: () => Promise<void>;
  /** Fills the disk of the data, and returns what frees it again. */
  fillDisk: () => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

/** A fault that this machine can't have. The message says why. */
export class ImpossibleError extends Error {
  override name = "ImpossibleError";
}

/** A fault that did not happen, although this machine can have it. */
export class NoFaultError extends Error {
  override name = "NoFaultError";
}

/** The built server. Or the source in development, which can send webhooks to this machine. */
export type Program = keyof typeof programs;

export async function anInstallation(program: Program): Promise<Installation> {
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  const dataDir = await mkdtemp(join(process.getuid?.() === 0 ? "/tmp" : tmpdir(), "lectern-faults-"));
  await chmod(dataDir, 0o755);
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  const settings = {
    NODE_ENV: "development",
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    AUTH_SECRET: "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e",
    ...{ RATE_LIMIT_KEY: "0", RATE_LIMIT_SEARCH: "0", RATE_LIMIT_FAILED: "0", RATE_LIMIT_WRITE: "0" },
  };
  const { DATABASE_URL: _, DATABASE_DIRECT_URL: __, ...environment } = process.env;
  const output: string[] = [];
  let child: ChildProcess | undefined;
  let place: Place | undefined;

  const start = async (more: Record<string, string> = {}) => {
    const started = spawn(process.execPath, programs[program], {
      cwd: root,
      env: {
        ...environment,
        ...settings,
        ...{ PORT: port, HOST: "127.0.0.1", NEXT_TELEMETRY_DISABLED: "1" },
        NODE_ENV: program === "production" ? ("production" as const) : ("development" as const),
        ...more,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on("data", (text: Buffer) => {
        output.push(String(text));
        if (output.length > 500) output.shift();
      });
    }
    for (const deadline = Date.now() + READY_MS; !(await isReady(`http://127.0.0.1:${port}/readyz`)); await sleep(20)) {
      if (started.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not answer.\n${output.slice(-20).join("")}`);
      }
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const postmaster = async () =>
    place
      ? Number.parseInt(await readFile(join(place.cluster, "postmaster.pid"), "utf8").catch(() => ""), 10)
      : Number.NaN;
  const signal = async (name: NodeJS.Signals, withChildren: boolean) => {
    const pid = await postmaster();
    // First, so that it starts no processes after we list them.
    send(pid, name);
    if (withChildren) for (const one of childrenOf(pid)) send(one, name);
  };
  const urlAt = (at = 0) => `postgresql://lectern:${place?.password}@127.0.0.1:${at}/lectern`;
  const proxy = await aProxy(() => place?.port ?? 0);
  const throughProxy = async (work: () => Promise<void>) => {
    // Otherwise the server, as the last one who uses PostgreSQL, would stop it.
    const kept = await startPostgres({ dataDir });
    try {
      await end("SIGTERM");
      await start({ DATABASE_URL: urlAt(proxy.port) });
      await work();
      await end("SIGTERM");
      await start();
    } finally {
      await kept.release();
    }
  };
  let isOnSmallDisk = false;
  const moveToSmallDisk = async () => {
    if (isOnSmallDisk) return;
    if (process.platform !== "linux" || process.getuid?.() !== 0) throw new ImpossibleError(SMALL_DISK);
    await end("SIGTERM");
    const copy = `${dataDir}-copy`;
    execFileSync("cp", ["-a", dataDir, copy]);
    try {
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", dataDir], { stdio: "pipe" });
      } catch {
        throw new ImpossibleError(SMALL_DISK);
      }
      isOnSmallDisk = true;
      execFileSync("cp", ["-a", `${copy}/.`, dataDir]);
    } finally {
      await rm(copy, { recursive: true });
      await start();
    }
  };
  const fillDisk = async () => {
    const path = join(dataDir, "filler");
    const filler = await open(path, "w");
    for (let size = 1 << 20; size >= 1; ) {
      await filler.write(Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOSPC") throw error;
        size >>= 1;
      });
    }
    await filler.close();
    return () => rm(path);
  };
  const close = async () => {
    proxy.close();
    await end("SIGKILL");
    const pid = await postmaster();
    if (pid > 0) {
      await signal("SIGCONT", true);
      send(pid, "SIGQUIT");
      for (const deadline = Date.now() + 10_000; isAlive(pid) && Date.now() < deadline; await sleep(20));
    }
    if (isOnSmallDisk) execFileSync("umount", ["-l", dataDir]);
    await rm(dataDir, { recursive: true, force: true });
  };
  const shiftClock = (shift: number) => void child?.send({ shiftClock: shift });
  try {
    await start();
    place = await findPlace(dataDir);
  } catch (error) {
    place ??= await findPlace(dataDir).catch(() => undefined);
    await close();
    throw error;
  }
  return {
    ...{ address: `http://127.0.0.1:${port}`, baseUrl, databaseUrl: urlAt(place.port), settings, output },
    ...{ end, start, signal, shiftClock, proxy, throughProxy, moveToSmallDisk, fillDisk, close },
  };
}

const isReady = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

function childrenOf(parent: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, of]) => (of === parent ? [pid] : []));
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, name);
  } catch (error) {
    // It had already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
