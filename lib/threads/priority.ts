import { constants, getPriority, setPriority } from "node:os";

/** As `nice` counts: about a tenth of what a thread that serves requests gets when both want the same core. */
const LOWER = 10;

/**
 * Lets everything that serves requests go before this thread, so that one slow text delays no other workspace. V8's own threads, which
 * collect the garbage of all threads, don't follow. So the server starts with one instead of four (`--v8-pool-size=1`).
 */
export function goAfterRequests(): void {
  // Only Linux has priorities of threads. Elsewhere, this would change the whole process.
  if (process.platform === "linux") setPriority(Math.min(getPriority() + LOWER, constants.priority.PRIORITY_LOW));
}
