import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { env } from "@/lib/env";
import { InvalidError, UnavailableError } from "@/lib/errors";
import { currentRequest } from "@/lib/http/request";
import type { StartedDocument } from "@/lib/search/documents";
import { startThread } from "@/lib/threads/start";
import type { Tasks } from "@/lib/threads/worker";

/** Milliseconds for one text. The longest article takes a quarter of it. */
const BUDGET_MS = 10_000;
/** Milliseconds that a program's text waits for other texts of its workspace. */
const WAIT_MS = 20_000;
const MEMORY_MB = 512;
const threads = () => Math.min(Math.max(2, Math.floor(availableParallelism() / env().processes)), 4);

export class TooSlowError extends InvalidError {
  override name = "TooSlowError";

  constructor(what = "This text") {
    super([], `${what} takes too long to process. Make it shorter or simpler, or split the article.`);
  }
}

interface Job {
  owner: string;
  task: string;
  args: readonly unknown[];
  /** Refuses the job if it waits too long. The owner's jobs without a timer come first. */
  timer: NodeJS.Timeout | undefined;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

type Answer = { plain: unknown } | { result: unknown } | { error: unknown };

/** Threads for work on what people wrote. One over its budget is terminated, and its text is not tried again. */
export class Pool {
  private readonly waiting: Job[] = [];
  private readonly idle = new Set<Worker>();
  /** An owner has one thread at most, so that the others stay free. */
  private readonly busy = new Set<string>();
  private threads = 0;
  private isStarting = false;

  constructor(
    private readonly budgetMs = BUDGET_MS,
    private readonly memoryMb = MEMORY_MB,
  ) {}

  /**
   * @param waitMs the longest wait in milliseconds, for programs. Work without this limit comes first, so that people don't wait
   * for programs
   */
  run(owner: string, task: string, args: readonly unknown[], waitMs?: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(job), 1);
        reject(new UnavailableError("Other texts take too long."));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const job: Job = { owner, task, args, timer, resolve, reject };
      this.waiting.push(job);
      this.next();
    });
  }

  private next(): void {
    for (;;) {
      const first = this.waiting.find(({ owner }) => !this.busy.has(owner));
      if (!first) return;
      const urgent = this.waiting.find(({ owner, timer }) => owner === first.owner && !timer);
      const [worker] = this.idle;
      if (!worker) {
        if (!this.isStarting && this.threads < threads()) this.start();
        return;
      }
      this.idle.delete(worker);
      this.work(worker, this.taken(urgent ?? first));
    }
  }

  private taken(job: Job): Job {
    clearTimeout(job.timer);
    this.waiting.splice(this.waiting.indexOf(job), 1);
    return job;
  }

  private start(): void {
    this.isStarting = true;
    this.threads++;
    const worker = startThread("content", "lib/threads/worker.ts", {
      resourceLimits: { maxOldGenerationSizeMb: this.memoryMb },
    });
    const fail = (error: unknown) => {
      const [first] = this.waiting;
      if (first) this.taken(first).reject(error);
    };
    worker.once("error", fail);
    worker.once("message", () => {
      worker.off("error", fail);
      this.isStarting = false;
      this.rest(worker);
    });
    // An error ends the thread.
    worker.on("error", () => {
      this.isStarting = false;
    });
    worker.once("exit", () => {
      this.threads--;
      this.idle.delete(worker);
      this.next();
    });
  }

  /** An idle thread does not keep the process alive. */
  private rest(worker: Worker): void {
    worker.unref();
    this.idle.add(worker);
    this.next();
  }

  private work(worker: Worker, { owner, task, args, resolve, reject }: Job): void {
    let plain: { result: unknown } | undefined;
    const end = () => {
      clearTimeout(timer);
      worker.off("message", take).off("error", fail);
      this.busy.delete(owner);
      // Owners take turns, or a few with many texts would keep every thread.
      this.waiting.sort((one, other) => Number(one.owner === owner) - Number(other.owner === owner));
    };
    const giveUp = () => {
      end();
      void worker.terminate();
      if (plain) resolve(plain.result);
      else reject(new TooSlowError());
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return giveUp();
      end();
      reject(error);
    };
    const take = (answer: Answer) => {
      if ("plain" in answer) {
        plain = { result: answer.plain };
        return;
      }
      end();
      if ("result" in answer) resolve(answer.result);
      else reject(answer.error);
      this.rest(worker);
    };
    const timer = setTimeout(giveUp, this.budgetMs);
    this.busy.add(owner);
    worker.ref();
    worker.on("message", take).on("error", fail);
    worker.postMessage({ task, args });
  }
}

// One per process: Next bundles pages separately.
const shared = globalThis as typeof globalThis & { lecternPool?: Pool };

/**
 * Works on a text in a thread, so that other requests are answered meanwhile. Code that is slow to highlight stays plain.
 * @param workspaceId its texts wait for each other, and not for those of other workspaces. Those of a request with an API key come
 * after the others
 * @throws TooSlowError when the text takes too long or too much memory, and UnavailableError when a program's text has waited too
 * long (contract 61)
 */
export function inThread<Name extends keyof Tasks>(
  workspaceId: string,
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  shared.lecternPool ??= new Pool();
  const waitMs = currentRequest()?.keyId ? WAIT_MS : undefined;
  const result = shared.lecternPool.run(workspaceId, task, args, waitMs);
  return (result as Promise<Awaited<ReturnType<Tasks[Name]>>>).catch((error: Error) => {
    // If another bundle made the pool, its errors are of different classes.
    if (error.name === "TooSlowError") throw new TooSlowError();
    throw error.name === "UnavailableError" ? new UnavailableError(error.message) : error;
  });
}

/** The search document of a text that `inThread` has cleaned, without the article's other fields. Throws TooSlowError. */
export function startedDocument(
  workspaceId: string,
  { title, text }: { title: string; text: string },
): Promise<StartedDocument> {
  return inThread(workspaceId, "startDocument", workspaceId, { title, text });
}
