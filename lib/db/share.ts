import { availableParallelism } from "node:os";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { areOthersServed, currentRequest, noteOfRequest } from "@/lib/http/request";

/** How many transactions of a workspace run at the same time while others are served: half of the process's share of the cores. */
export const share = () => Math.max(1, Math.floor(availableParallelism() / env().processes / 2));
/** Milliseconds after which a transaction no longer counts, so that a slow one doesn't hold up the rest of its workspace. */
const HOLD_MS = 250;
/** A pause follows reads that take at least this many milliseconds, such as searches. */
const SLOW_MS = 10;

interface Waiting {
  go: () => void;
  /** When half of its time is over. */
  halfway: number;
}

interface Units {
  running: number;
  waiting: Waiting[];
}

// One per process: Next bundles pages separately.
const shared = globalThis as typeof globalThis & { lecternShares?: Map<string, Units> };

/**
 * Keeps the requests of one workspace from using all connections and cores. While other workspaces are served, its transactions
 * take turns. They wait without a connection. Jobs don't wait.
 * @param work gets the milliseconds that are left of `ms`
 * @param pauses whether the workspace pauses after a slow transaction, for up to as long as it took. The pause ends when the next
 * transaction has waited half of its time
 * @throws UnavailableError if the wait takes longer than `ms` milliseconds
 */
export async function inShare<T>(
  workspaceId: string,
  ms: number,
  work: (ms: number) => Promise<T>,
  pauses = false,
): Promise<T> {
  if (!currentRequest()) return work(ms);
  shared.lecternShares ??= new Map();
  const shares = shared.lecternShares;
  const units = shares.get(workspaceId) ?? { running: 0, waiting: [] };
  shares.set(workspaceId, units);
  const start = performance.now();
  const isFull = () => units.running >= share();
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    units.running--;
    while (units.waiting.length > 0 && !isFull()) {
      units.running++;
      units.waiting.shift()?.go();
    }
    if (units.running === 0) shares.delete(workspaceId);
  };
  if (isFull() && areOthersServed(workspaceId)) await turnIn(units, ms);
  else units.running++;
  const begin = performance.now();
  const timer = setTimeout(end, HOLD_MS);
  try {
    const left = Math.ceil(ms - (begin - start));
    if (left <= 0) throw busy();
    return await work(left);
  } finally {
    clearTimeout(timer);
    const now = performance.now();
    const took = now - begin;
    const [next] = units.waiting;
    const pause = Math.min(took, HOLD_MS - took, (next?.halfway ?? Number.POSITIVE_INFINITY) - now);
    if (pauses && took >= SLOW_MS && pause > 0) setTimeout(end, pause);
    else end();
  }
}

/** Waits until another one ends, which also counts this one as running. */
function turnIn({ waiting }: Units, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(own), 1);
      reject(busy());
    };
    const timer = setTimeout(giveUp, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    const own = { go, halfway: performance.now() + ms / 2 };
    waiting.push(own);
  });
}

function busy(): UnavailableError {
  noteOfRequest({ unavailable: true });
  return new UnavailableError("This workspace has too many requests. Try again in a few seconds.");
}
