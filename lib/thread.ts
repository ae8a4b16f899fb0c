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
  if (process.env.NODE_ENV === "production") return new Worker(file(`dist/${bundle}.js`), all);
  // In Node 20, a thread does not inherit the hooks that read TypeScript.
  const code = `import("tsx/esm/api").then(({ register }) => (register(), import(${JSON.stringify(file(source))})))`;
  return new Worker(code, { ...all, eval: true });
}
