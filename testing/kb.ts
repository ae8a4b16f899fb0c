import { spawn } from "node:child_process";
import { startOf } from "@/testing/program";

/** The result of a command. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `npm run kb -- …` as a real process, with the test's own data folder. */
export function kbIn(folder: string, ...args: string[]): Promise<Ran> {
  return kbWith({ DATA_DIR: folder }, ...args);
}

/** Runs `npm run kb -- …` with these settings. */
export function kbWith(settings: Record<string, string>, ...args: string[]): Promise<Ran> {
  return kbStoppedBy(undefined, settings, ...args);
}

/** Like `kbWith`, and returns what it printed. Throws if it fails. */
export async function printedByKb(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, out, err } = await kbWith(settings, ...args);
  if (code !== 0) throw new Error(`kb ${args.join(" ")}: ${err}`);
  return out.trim();
}

/** Like `kbWith`, and sends SIGTERM when `stop` is aborted. */
export function kbStoppedBy(
  stop: AbortSignal | undefined,
  settings: Record<string, string>,
  ...args: string[]
): Promise<Ran & { signal: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, [...startOf("bin/kb.ts"), ...args], {
    env: { ...process.env, NODE_ENV: "development", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (said.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (said.err += part.toString()));
  stop?.addEventListener("abort", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, ...said })));
}
