import { availableParallelism } from "node:os";
import { env } from "@/lib/env";
import { UnavailableError } from "@/lib/errors";
import { areOthersServed } from "@/lib/http/request";

/** Units of one workspace that run at the same time while other workspaces are served: half of the process's part of the cores. */
export const share = () => Math.max(1, Math.floor(availableParallelism() / env().processes / 2));
/** Milliseconds after which a unit no longer counts, so that a slow one doesn't hold up the rest of its workspace. */
const HOLD_MS = 250;

/** The units of one workspace. */
interface Units {
  running: number;
  waiting: (() => void)[];
}

// One per process: Next bundles pages separately.
const shared = globalThis as typeof globalThis & { lecternShares?: Map<string, Units> };

/**
 * Lets no workspace keep all connections and cores busy. While others are served, its units take turns. They wait without a
 * connection.
 * @param work gets the milliseconds that are left of `ms`
 * @throws UnavailableError if the wait takes longer than `ms` milliseconds
 */
export async function inShare<T>(workspaceId: string, ms: number, work: (ms: number) => Promise<T>): Promise<T> {
  shared.lecternShares ??= new Map();
  const shares = shared.lecternShares;
  const units = shares.get(workspaceId) ?? { running: 0, waiting: [] };
  shares.set(workspaceId, units);
  const start = performance.now();
  if (units.running >= share() && areOthersServed(workspaceId)) await turnIn(units, ms);
  else units.running++;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    const next = units.waiting.shift();
    if (next) next();
    else if (--units.running === 0) shares.delete(workspaceId);
  };
  const timer = setTimeout(end, HOLD_MS);
  try {
    return await work(Math.ceil(ms - (performance.now() - start)));
  } finally {
    clearTimeout(timer);
    end();
  }
}

/** Waits until another unit ends, and takes its place. */
function turnIn({ waiting }: Units, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(new UnavailableError("Other requests of this workspace take too long."));
    };
    const timer = setTimeout(giveUp, ms);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(go);
  });
}
