import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { type AddressBook, Addresses } from "@/lib/import/addresses";
import type { ArticleFile } from "@/lib/import/article-file";
import { type CheckedBody, checkedBody, type PreparedBody, preparedBody } from "@/lib/import/prepare";

export interface Request {
  id: number;
  path: string;
  file: ArticleFile;
  checkOnly: boolean;
}

export type Reply = { id: number; result: CheckedBody | PreparedBody } | { id: number; error: unknown };

/** Fewer files are done before a thread has started. */
const THREAD_FROM = 50000;
/** How many bodies wait for the thread, so that it is never idle; the next is then prepared here. */
const MOST_WAITING = 6;

interface Waiting {
  request: Request;
  resolve: (result: CheckedBody | PreparedBody) => void;
  reject: (error: unknown) => void;
}

/**
 * Prepares bodies, of many files on two threads: this one, and another where the program has its file beside it. A
 * third would take another quarter of a gigabyte.
 */
export class Preparing {
  /** How many bodies may be under way, so that both threads have some and not too many wait in memory. */
  readonly depth: number;
  private readonly addresses: Addresses;
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;

  constructor(book: AddressBook, files: number) {
    this.addresses = new Addresses(book);
    this.worker = files >= THREAD_FROM && availableParallelism() > 1 ? this.start(book) : undefined;
    this.depth = this.worker ? 2 * MOST_WAITING : 1;
  }

  async prepare(path: string, file: ArticleFile): Promise<PreparedBody> {
    return (await this.ask({ path, file, checkOnly: false })) as PreparedBody;
  }

  /** Only finds out where links lead. */
  check(path: string, file: ArticleFile): Promise<CheckedBody> {
    return this.ask({ path, file, checkOnly: true });
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async ask(asked: Omit<Request, "id">): Promise<CheckedBody | PreparedBody> {
    const { worker } = this;
    const request = { id: this.next++, ...asked };
    if (!worker || this.waiting.size >= MOST_WAITING) return this.here(request);
    return new Promise((resolve, reject) => {
      this.waiting.set(request.id, { request, resolve, reject });
      worker.postMessage(request);
    });
  }

  private async here({ path, file, checkOnly }: Request): Promise<CheckedBody | PreparedBody> {
    return checkOnly ? checkedBody(path, file, this.addresses) : preparedBody(path, file, this.addresses);
  }

  private start(book: AddressBook): Worker | undefined {
    // A bundle has no such file, and prepares on its only thread.
    const file = import.meta.url.replace(/\/preparing\.ts$/, "/worker.ts");
    if (!file.endsWith("/worker.ts") || !existsSync(new URL(file))) return undefined;
    // Node 20 gives a thread none of the hooks that let this one read TypeScript.
    const code = `import("tsx/esm/api").then(({ register }) => (register(), import(${JSON.stringify(file)})))`;
    const worker = new Worker(code, {
      eval: true,
      execArgv: [],
      workerData: book,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.on("message", (reply: Reply) => {
      const waiting = this.waiting.get(reply.id);
      this.waiting.delete(reply.id);
      if ("error" in reply) waiting?.reject(reply.error);
      else waiting?.resolve(reply.result);
    });
    // It could not start, or ran out of memory: this thread goes on alone.
    worker.on("error", () => {
      this.worker = undefined;
      const left = [...this.waiting.values()];
      this.waiting.clear();
      for (const { request, resolve, reject } of left) this.here(request).then(resolve, reject);
    });
    return worker;
  }
}
