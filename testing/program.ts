import { join } from "node:path";

/** The arguments with which Node starts a program of the repository, such as "bin/kb.ts". */
export function startOf(source: string): string[] {
  // Compiled by testing/setup.ts.
  const folder = process.env.COMPILED_PROGRAMS;
  return folder ? ["--enable-source-maps", join(folder, source.replace(/\.ts$/, ".mjs"))] : ["--import", "tsx", source];
}
