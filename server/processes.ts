import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds before a process that ended is replaced. The pause doubles while replacements don't last `SOUND_MS`. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 32_000;
const SOUND_MS = 60_000;

/** What a process tells the first one, and is told by it. */
const READY = "ready";
const LEAVE = "leave";

export interface Processes {
  /** Replaces one process after the other. Each old one ends after its successor is ready. */
  restart(): Promise<void>;
  /** Ends all as the signal ends one. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Runs this program in several processes, which serve the same port. One of them runs the jobs. A process that ends is replaced.
 * @param tell gets lines for the operator
 * @throws a sentence if one of them does not start. Then all have ended
 */
export async function startProcesses(count: number, tell: (line: string) => void): Promise<Processes> {
  const running: Worker[] = [];
  let isStopping = false;
  let isRestarting = false;

  /** Starts the process of a place, which is its index in `running`. */
  const launch = async (place: number): Promise<void> => {
    const worker = cluster.fork(place === 0 ? {} : { JOBS: "off" });
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message) => message === READY && resolve());
      worker.once("exit", () => reject(new Error("A process of the server could not start.")));
    });
    running[place] = worker;
    tell(`Process ${worker.process.pid} is ready.`);
    const since = performance.now();
    worker.once("exit", (code: number, signal: string | null) => {
      if (isStopping || running[place] !== worker) return;
      tell(
        `Process ${worker.process.pid} ended unexpectedly (${signal ?? `exit code ${code}`}). Another one is starting.`,
      );
      void replace(place, performance.now() - since > SOUND_MS ? 0 : PAUSE_MS);
    });
  };
  const replace = async (place: number, pause: number): Promise<void> => {
    await sleep(pause);
    if (isStopping) return;
    await launch(place).catch(() => replace(place, Math.min(Math.max(2 * pause, PAUSE_MS), LONGEST_PAUSE_MS)));
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    isStopping = true;
    const alive = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      !worker || worker.isDead() ? [] : [worker],
    );
    await Promise.all(
      alive.map((worker) => {
        worker.process.kill(signal);
        return once(worker, "exit");
      }),
    );
  };
  const restart = async (): Promise<void> => {
    if (isRestarting || isStopping) return;
    isRestarting = true;
    try {
      for (const [place, worker] of running.entries()) {
        await launch(place);
        if (worker.isConnected()) worker.send(LEAVE);
        if (!worker.isDead()) await once(worker, "exit");
      }
    } catch {
      tell("The restart ended, because a new process could not start. The old ones continue.");
    } finally {
      isRestarting = false;
    }
  };

  const started = await Promise.allSettled(Array.from({ length: count }, (_, place) => launch(place)));
  const failed = started.find((result) => result.status === "rejected");
  if (!failed) return { restart, stop };
  await stop("SIGTERM");
  throw failed.reason;
}

/**
 * In a process that `startProcesses` started: tells that it is ready.
 * @param leave called when another process has taken its place
 */
export function joinProcesses(leave: () => void): void {
  process.on("message", (message) => {
    if (message === LEAVE) leave();
  });
  process.send?.(READY);
}
