import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { aServerLogin } from "@/testing/logins";

/** How long a server may take until it answers, in milliseconds. */
const READY_MS = 60_000;

const root = join(import.meta.dirname, "..");

const commands = {
  "front door": { args: ["--v8-pool-size=1", "dist/server.js"], NODE_ENV: "production" },
  /** Plain Next, which serves the route files without our front door. */
  next: { args: ["node_modules/next/dist/bin/next", "dev"], NODE_ENV: "development" },
} as const;

/**
 * Once before the contract's tests over HTTP, after testing/setup.ts made the database: starts the server that
 * CONTRACT_TARGET names over the same database, and gives `call` its URL. The server does not own the tables, so that these tests
 * also find missing grants.
 */
export default async function setup() {
  const login = await aServerLogin(process.env.DATABASE_URL as string);
  const { address, stop } = await startServer(process.env.CONTRACT_TARGET as keyof typeof commands, {
    DATABASE_URL: login.url,
    // Each test sends its own client IP, as a proxy would.
    TRUST_PROXY: "true",
    // Tests that need a job run it themselves.
    JOBS: "off",
  });
  process.env.CONTRACT_SERVER = address;
  return async () => {
    await stop();
    await login.drop();
  };
}

/**
 * Starts a server over the database of the environment and waits until it answers.
 * @param settings its own environment variables. Without PORT it takes a free one
 * @returns `output` is its latest output
 */
export async function startServer(
  target: keyof typeof commands,
  settings: Record<string, string>,
): Promise<{ address: string; child: ChildProcess; output: string[]; stop: () => Promise<void> }> {
  const { args, NODE_ENV } = commands[target];
  const port = settings.PORT ?? String(await freePort());
  const output: string[] = [];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV,
      PORT: port,
      HOST: "127.0.0.1",
      BASE_URL: "http://localhost:3000",
      AUTH_SECRET: "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e",
      NEXT_TELEMETRY_DISABLED: "1",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      output.push(String(text));
      if (output.length > 1_000) output.shift();
    });
  }
  const address = `http://127.0.0.1:${port}`;
  await answers(child, `${address}/api/external/v2/me`, output);
  const stop = async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  return { address, child, output, stop };
}

async function answers(child: ChildProcess, address: string, output: string[]): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(READY_MS) }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer) return;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`The server did not answer.\n${output.join("")}`);
    }
    await sleep(100);
  }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("No port.")),
      );
    });
  });
}
