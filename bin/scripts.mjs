import { basename } from "path";

/**
 * Bundles the reader script, and the form that it loads on demand.
 *
 * @param build esbuild's
 * @param options.outdir the folder
 * @param options.hashed whether their names contain a hash
 * @param options.write whether to write them
 * @returns them, unless they were written
 */
export async function bundleScripts(build, { outdir, hashed, write }) {
  const bundle = (entryPoints, tryIt) =>
    build({
      absWorkingDir: process.cwd(),
      entryPoints,
      outdir,
      write,
      entryNames: hashed ? "[name]-[hash]" : "[name]",
      bundle: true,
      minify: true,
      metafile: true,
      platform: "browser",
      // The oldest browsers we support.
      target: ["chrome120", "firefox120", "safari17"],
      format: "esm",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"', TRY_IT: JSON.stringify(tryIt) },
      external: [tryIt],
      logLevel: "error",
    });
  const form = await bundle({ "try-it": "components/reader/reference/form/try-it.tsx" }, "./none");
  const name = basename(Object.keys(form.metafile.outputs)[0]);
  const main = await bundle({ main: "components/reader/scripts/main.ts" }, `./${name}`);
  return [...(form.outputFiles ?? []), ...(main.outputFiles ?? [])];
}
