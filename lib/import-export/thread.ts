import type { Worker } from "node:worker_threads";
import { UnavailableError } from "@/lib/errors";
import type { ExportOptions, ExportResult } from "@/lib/export/run";
import type { ImportResult } from "@/lib/import/result";
import type { ImportOptions, Progress, Stored } from "@/lib/import/run";
import { startThread } from "@/lib/threads/start";

/** Milliseconds to read, clean and derive one file. */
const FILE_MS = 30_000;
/** The longest silence between files, in milliseconds. The database's own limits bound the work there. */
const SILENCE_MS = 10 * 60_000;
const MEMORY_MB = 1024;
/** More files over their budget end the whole run, because each costs a new thread. */
const MOST_STUCK = 10;

export interface Watch {
  onProgress: (progress: Progress) => void;
  /** Called with the path of a file before the work on it, and without one afterward. */
  onFile: (path?: string) => void;
  /** Called after each stored batch of an import with the totals so far. */
  onStored: (counts: Stored) => void;
  signal: AbortSignal;
}

interface Kinds {
  import: { options: Omit<ImportOptions, keyof Watch>; result: ImportResult };
  export: { options: Omit<ExportOptions, keyof Watch> & { out: string }; result: ExportResult };
}

export type Task = { [Kind in keyof Kinds]: { kind: Kind; options: Kinds[Kind]["options"] } }[keyof Kinds];

export type Message =
  | { file: string | undefined }
  | { progress: Progress }
  | { stored: Stored }
  | { result: ImportResult | ExportResult }
  | { error: { name: string; message: string; stack: string | undefined; code: unknown } };

/**
 * Runs an import or export in a thread with a memory limit. A file over its budget ends the thread: the run starts again
 * without that file, and the result names it.
 * @param fileMs the budget of one file in milliseconds
 * @throws UnavailableError, or the reason of `signal`, or an error to show when nothing can be read, or too many files are over their
 *   budget
 */
export async function runInThread<Kind extends keyof Kinds>(
  kind: Kind,
  options: Kinds[Kind]["options"],
  { onProgress, signal, fileMs = FILE_MS }: Pick<Watch, "onProgress" | "signal"> & { fileMs?: number },
): Promise<Kinds[Kind]["result"]> {
  const skip = [...(options.skip ?? [])];
  const earlier: Stored = { created: 0, updated: 0, categories: 0 };
  for (;;) {
    const task = { kind, options: { ...options, skip } } as Task;
    // The findings of the try that was cut off are lost, so its files are checked again.
    if (task.kind === "import" && skip.length > 0) task.options.recheck = true;
    const end = await runOnce(task, { onProgress, signal, fileMs });
    if ("result" in end) {
      if ("unchanged" in end.result) addTo(end.result, earlier);
      return end.result;
    }
    signal.throwIfAborted();
    for (const count of COUNTS) earlier[count] += end.stored[count];
    skip.push(end.stuck);
    if (skip.length > MOST_STUCK) {
      const paths = skip.map(({ path }) => path).join(", ");
      throw new Error(
        `Too many files take too long or need too much memory. Make them smaller or leave them out: ${paths}`,
      );
    }
  }
}

const COUNTS = ["created", "updated", "categories"] as const;

function addTo(result: ImportResult, earlier: Stored): void {
  for (const count of COUNTS) result[count] += earlier[count];
  result.unchanged -= earlier.created + earlier.updated;
}

type End = { result: ImportResult | ExportResult } | { stuck: { path: string; message: string }; stored: Stored };

function runOnce(
  task: Task,
  { onProgress, signal, fileMs }: Pick<Watch, "onProgress" | "signal"> & { fileMs: number },
) {
  const worker = start(task);
  const stop = () => worker.postMessage("stop");
  signal.addEventListener("abort", stop);
  let timer: NodeJS.Timeout | undefined;
  let file: string | undefined;
  let stored: Stored = { created: 0, updated: 0, categories: 0 };
  const ended = new Promise<End>((resolve, reject) => {
    const giveUp = (why: string) => {
      if (file !== undefined)
        resolve({ stuck: { path: file, message: `The file ${why}, so it was left out.` }, stored });
      else reject(new Error(`It ${why}. Run it again, or split it into smaller parts.`));
    };
    const watch = () => {
      clearTimeout(timer);
      const [ms, limit] = file === undefined ? [SILENCE_MS, "10 minutes"] : [fileMs, `${fileMs / 1000} seconds`];
      timer = setTimeout(() => giveUp(`made no progress within ${limit}`), ms);
    };
    watch();
    worker.on("message", (message: Message) => {
      if ("result" in message) resolve(message);
      else if ("error" in message) {
        reject(signal.aborted && task.kind === "export" ? (signal.reason as Error) : errorFrom(message.error));
      } else {
        if ("file" in message) file = message.file;
        else if ("stored" in message) stored = message.stored;
        else onProgress(message.progress);
        watch();
      }
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") giveUp(`needs more than ${MEMORY_MB} MB of memory`);
      else reject(error);
    });
    worker.on("exit", () => reject(new Error("The thread ended early.")));
    if (signal.aborted) stop();
  });
  return ended.finally(async () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  });
}

function start(task: Task): Worker {
  return startThread("import-export", "lib/import-export/worker.ts", {
    workerData: task,
    // One connection stores while the other reads.
    env: { ...process.env, DATABASE_POOL: "4" },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
}

/** An error loses its class between threads. */
function errorFrom({ name, message, stack, code }: Extract<Message, { error: unknown }>["error"]): Error {
  if (name === "UnavailableError") return new UnavailableError(message);
  return Object.assign(new Error(message), { name, stack, ...(code !== undefined && { code }) });
}
