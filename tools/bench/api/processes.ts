import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withClient } from "../search/indexes";
import { endsWithUs } from "../search/interruption";
import type { BareReady } from "./bare";
import type { Load, Loaded } from "./load";
import type { ApiWorkspace } from "./workspace";

function start(file: string, args: string[] = []): { child: ChildProcess; stop: () => void } {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const ended = endsWithUs(() => child.kill());
  return {
    child,
    stop: () => {
      ended();
      child.kill();
    },
  };
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  try {
    const [message] = (await Promise.race([
      once(child, "message", over),
      once(child, "exit", over).then(() => Promise.reject(new Error("A process of the benchmark ended."))),
    ])) as [T];
    return message;
  } finally {
    over.abort();
  }
}

/** The reference server. */
export async function startBare({ url, workspace, keys }: ApiWorkspace) {
  const { child, stop } = start("./bare.ts", [url, workspace.id, ...keys]);
  const { port } = await messageOf<BareReady>(child);
  return { port, pid: child.pid as number, stop };
}

/** A process that sends requests. */
export function startClient() {
  const { child, stop } = start("./load.ts");
  const send = (load: Load): Promise<Loaded> => {
    const loaded = messageOf<Loaded>(child);
    child.send(load);
    return loaded;
  };
  return { send, stop };
}

/** Clock ticks per second in /proc, which Linux fixes. */
const TICKS = 100;

/** The CPU that a process has used, in milliseconds. NaN where there is no /proc. */
export function cpuOf(pid: number): number {
  const [, , used] = statOf(pid);
  return used;
}

/** The CPU that all processes below one have used. */
export function cpuBelow(parent: number): number {
  try {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return all
      .map((name) => statOf(Number(name)))
      .filter(([, of]) => of === parent)
      .reduce((sum, [, , used]) => sum + used, 0);
  } catch {
    return Number.NaN;
  }
}

/** The process that all connections of the database belong to. */
export async function postgresOf(url: string): Promise<number> {
  const pid = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return statOf(rows[0]?.pid as number)[1];
  });
  return pid;
}

function statOf(pid: number): [pid: number, parent: number, used: number] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [pid, Number(fields[1]), ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS];
  } catch {
    return [pid, Number.NaN, Number.NaN];
  }
}
