import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a thread: from its bundle in production, and otherwise from its source.
 * @param bundle its name in `dist` (bin/build.mjs)
 * @param source its path in the repository
 */
export function startThread(bundle: string, source: string, options: WorkerOptions): Worker {
  // Not beside this file, because Next bundles it too.
  const file = (path: string) => pathToFileURL(join(process.cwd(), path));
  const all = { ...options, execArgv: [] };
  return process.env.NODE_ENV === "production"
    ? new Worker(file(`dist/${bundle}.js`), all)
    : new Worker(file("lib/threads/compiled.mjs"), { ...all, argv: [source] });
}
