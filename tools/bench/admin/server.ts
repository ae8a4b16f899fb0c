import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startServer } from "@/testing/server";
import { endsWithUs } from "../search/interruption";

const SECRET = "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e";

/** A production server of this code. */
export interface BenchServer {
  /** Its own URL, whatever the Host header says. */
  address: string;
  baseUrl: string;
  secret: string;
  pid: number;
  /** Milliseconds until the first response. */
  startMs: number;
  stop: () => Promise<void>;
}

/**
 * Starts the build over a database. Builds first if something changed.
 * @param more environment variables
 */
export async function startBenchServer(
  url: string,
  folder: string,
  more: Record<string, string> = {},
): Promise<BenchServer> {
  const build = spawn(process.execPath, ["bin/build.mjs", "--when-changed"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(build, "exit")) as [number | null];
  if (code !== 0) throw new Error("The build failed. See above.");
  const baseUrl = "http://localhost:3000";
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: join(folder, "server"),
    BASE_URL: baseUrl,
    AUTH_SECRET: SECRET,
    RATE_LIMIT_PAGES: "0",
    ...more,
  };
  const began = performance.now();
  const { address, child, stop } = await startServer("front door", settings);
  const startMs = performance.now() - began;
  const ended = endsWithUs(() => child.kill());
  return { address, baseUrl, secret: SECRET, pid: child.pid as number, startMs, stop: () => stop().finally(ended) };
}
