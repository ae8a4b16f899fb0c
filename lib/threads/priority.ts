import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** As `nice` counts: about a tenth of what a thread that serves requests gets when both want the same core. */
const LOWER = 10;

/** Lets everything that serves requests go before this thread, so that one slow text delays no other workspace. */
export function goAfterRequests(): void {
  lower(0);
}

/** Threads that Node starts before the first script: for delayed tasks, V8, and signals. */
const STARTED_BY_NODE = 3;
/** Linux has no higher IDs, and begins again after the last one. */
const MOST_IDS = 2 ** 22;

/**
 * Lets the garbage collection of all threads go after requests, because slow texts keep it busy. Called before other threads start.
 * Works only with `--v8-pool-size=1`, because V8 has four threads by default.
 */
export function collectAfterRequests(): void {
  if (process.platform !== "linux" || !process.execArgv.includes("--v8-pool-size=1")) return;
  try {
    // The main thread has the process's ID, and those after it follow in order.
    const after = (thread: number) => (thread - process.pid + MOST_IDS) % MOST_IDS;
    const [, ...others] = readdirSync("/proc/self/task")
      .map(Number)
      .sort((one, other) => after(one) - after(other));
    for (const thread of others.slice(0, STARTED_BY_NODE)) lower(thread);
  } catch {
    // Not every container allows this.
  }
}

/** @param thread its ID, or 0 for the current one */
function lower(thread: number): void {
  // Only Linux has priorities of threads. Elsewhere, this would change the whole process.
  if (process.platform !== "linux") return;
  setPriority(thread, Math.min(getPriority() + LOWER, constants.priority.PRIORITY_LOW));
}
