import type { BuildOptions } from "esbuild";

/** How esbuild bundles the scripts of readers' pages. */
export const scriptOptions: BuildOptions & { splitting: true };
