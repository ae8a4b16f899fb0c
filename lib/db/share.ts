import { availableParallelism } from "node:os";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { areOthersServed, currentRequest, noteOfRequest } from "@/lib/http/request";

/** How many transactions of a workspace run at the same time while others are served: half of the process's share of the cores. */
export const share = () => Math.max(1, Math.floor(availableParallelism() / env().processes / 2));
/** Milliseconds after which a transaction no longer counts, so that a slow one doesn't hold up the rest of its workspace. */
const HOLD_MS = 250;
/** A transaction of this many milliseconds is slow, such as a search. Its turn lasts twice as long, so that a core is free in between. */
const SLOW_MS = 10;

interface Units {
  running: number;
  waiting: (() => void)[];
}

// One per process: Next bundles pages separately.
const shared = globalThis as typeof globalThis & { lecternShares?: Map<string, Units> };

/**
 * Keeps the requests of one workspace from using all connections and cores. While other workspaces are served, its transactions
 * take turns. They wait without a connection. Jobs don't wait.
 * @param work gets the milliseconds that are left of `ms`
 * @throws UnavailableError if the wait takes longer than `ms` milliseconds
 */
export async function inShare<T>(workspaceId: string, ms: number, work: (ms: number) => Promise<T>): Promise<T> {
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
      units.waiting.shift()?.();
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
    const took = performance.now() - begin;
    if (took < SLOW_MS) end();
    else setTimeout(end, Math.min(took, HOLD_MS - took));
  }
}

/** Waits until another one ends, which also counts this one as running. */
function turnIn({ waiting }: Units, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(busy());
    };
    const timer = setTimeout(giveUp, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(go);
  });
}

function busy(): UnavailableError {
  noteOfRequest({ unavailable: true });
  return new UnavailableError("This workspace has too many requests. Try again in a few seconds.");
}
