import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "@/server/postgres/lock";
import { findPlace, type Place } from "@/server/postgres/place";
import { freePort } from "@/testing/server";

const root = join(import.meta.dirname, "../..");
const READY_MS = 120_000;

const programs = {
  production: ["--enable-source-maps", "--import", "./bin/leash.mjs", "dist/server.js"],
  source: ["--import", "tsx", "--import", "./bin/leash.mjs", "tools/faults/source-server.ts"],
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
  start: () => Promise<void>;
  /** Sends a signal to PostgreSQL, with or without the processes of its connections. */
  signal: (name: NodeJS.Signals, withChildren: boolean) => Promise<void>;
  close: () => Promise<void>;
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
    ...{ RATE_LIMIT_KEY: "0", RATE_LIMIT_SEARCH: "0", RATE_LIMIT_FAILED: "0" },
  };
  const { DATABASE_URL: _, ...environment } = process.env;
  const output: string[] = [];
  let child: ChildProcess | undefined;
  let place: Place | undefined;

  const start = async () => {
    const started = spawn(process.execPath, programs[program], {
      cwd: root,
      env: {
        ...environment,
        ...settings,
        ...{ PORT: port, HOST: "127.0.0.1", NEXT_TELEMETRY_DISABLED: "1" },
        NODE_ENV: program === "production" ? ("production" as const) : ("development" as const),
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
  const close = async () => {
    await end("SIGKILL");
    const pid = await postmaster();
    if (pid > 0) {
      await signal("SIGCONT", true);
      send(pid, "SIGQUIT");
      for (const deadline = Date.now() + 10_000; isAlive(pid) && Date.now() < deadline; await sleep(20));
    }
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await start();
    place = await findPlace(dataDir);
  } catch (error) {
    place ??= await findPlace(dataDir).catch(() => undefined);
    await close();
    throw error;
  }
  const databaseUrl = `postgresql://lectern:${place.password}@127.0.0.1:${place.port}/lectern`;
  return { address: `http://127.0.0.1:${port}`, baseUrl, databaseUrl, settings, output, end, start, signal, close };
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
