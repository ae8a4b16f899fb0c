import { dirname, extname, join } from "node:path";

/**
 * The file of another program in this folder, to fork: TypeScript when tsx runs the benchmark, which the fork inherits, or
 * compiled when the benchmark is.
 */
export function programBeside(name: string): string {
  const started = process.argv[1] as string;
  return join(dirname(started), "bench/search", name + extname(started));
}
