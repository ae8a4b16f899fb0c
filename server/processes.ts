import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/log";

/** Milliseconds before a process that ended is replaced. The pause doubles while the replacements don't last `SOUND_MS`. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 32_000;
const SOUND_MS = 60_000;
/** Milliseconds after which a process that does not become ready, or does not end, is killed. */
const START_MS = 120_000;
const END_MS = 12_000;

/** Messages between the first process and the others. */
const READY = "ready";
const LEAVE = "leave";

export interface Processes {
  /** Becomes done when all processes are ready. @throws a sentence if one can't start, after all have ended */
  started: Promise<void>;
  /** Replaces one process at a time. Each old one ends after its successor is ready. */
  restart(): Promise<void>;
  /** Stops all processes as the signal would stop one. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Runs this program in several processes, which serve the same port. The first of them runs the jobs. A process that ends is
 * replaced.
 * @param tell gets lines for the operator
 */
export function startProcesses(count: number, tell: (line: string) => void): Processes {
  // The processes accept connections themselves. Otherwise those on their way to a process that was killed would never end.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const running: Worker[] = [];
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let isRestarting = false;

  /** Starts the process at an index of `running`. */
  const launch = async (index: number, pause = PAUSE_MS): Promise<void> => {
    const worker = cluster.fork({ PROCESS: String(index), ...(index > 0 && { JOBS: "off" }) });
    const deadline = setTimeout(() => worker.process.kill("SIGKILL"), START_MS);
    await new Promise<void>((resolve, reject) => {
      worker.on("error", reject);
      worker.on("message", (message) => message === READY && resolve());
      worker.once("exit", () => reject(new Error("A server process could not start. The lines above say why.")));
    }).finally(() => clearTimeout(deadline));
    const since = performance.now();
    running[index] = worker;
    tell(`Process ${worker.process.pid} is ready.`);
    worker.once("exit", (code: number, signal: string | null) => {
      if (isStopping() || running[index] !== worker) return;
      const reason = signal ?? `exit code ${code}`;
      log().error(`Process ${worker.process.pid} ended unexpectedly (${reason}). Starting a replacement.`);
      void replace(index, performance.now() - since > SOUND_MS ? PAUSE_MS : pause);
    });
  };
  const replace = async (index: number, pause: number): Promise<void> => {
    await sleep(pause);
    if (isStopping()) return;
    const next = Math.min(2 * pause, LONGEST_PAUSE_MS);
    await launch(index, next).catch(() => replace(index, next));
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    stopping.abort();
    const alive = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [worker] : []));
    await Promise.all(
      alive.map((worker) => {
        worker.process.kill(signal);
        return ended(worker);
      }),
    );
  };
  const restart = async (): Promise<void> => {
    if (isRestarting || isStopping()) return;
    isRestarting = true;
    try {
      for (const [index, worker] of running.entries()) {
        // One that has ended is being replaced already.
        if (isStopping() || worker.isDead()) continue;
        await launch(index);
        if (worker.isConnected()) worker.send(LEAVE);
        await ended(worker);
      }
    } catch {
      if (!isStopping())
        log().error(
          "The restart stopped, because a new process could not start. The remaining processes keep running.",
        );
    } finally {
      isRestarting = false;
    }
  };
  const start = async (): Promise<void> => {
    const launched = await Promise.allSettled(Array.from({ length: count }, (_, index) => launch(index)));
    const failed = launched.find((result) => result.status === "rejected");
    if (!failed) return;
    await stop("SIGTERM");
    throw failed.reason;
  };
  return { started: start(), restart, stop };
}

/** Waits until a process has ended, and kills one that takes too long. */
async function ended(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const late = setTimeout(() => worker.process.kill("SIGKILL"), END_MS);
  await once(worker, "exit").finally(() => clearTimeout(late));
}

/**
 * Tells the first process that this one is ready.
 * @param leave called when another process has taken its place
 */
export function joinProcesses(leave: () => void): void {
  process.on("message", (message) => {
    if (message === LEAVE) leave();
  });
  process.send?.(READY);
}
