import type { build, OutputFile } from "esbuild";

/** Bundles the reader script, and the form that it loads on demand. */
export function bundleScripts(
  build: typeof build,
  options: { outdir: string; hashed: boolean; write: boolean },
): Promise<OutputFile[]>;
