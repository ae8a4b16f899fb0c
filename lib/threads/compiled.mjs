// A thread outside production: compiles its source, because in Node 20 threads don't inherit the hooks that read TypeScript.
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

/** Leaves packages out, at the paths that Node would load. */
const packages = {
  name: "packages",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (path.startsWith("@/") || pluginData === "again") return;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: "again" });
      return found.external ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

const outfile = join(tmpdir(), `lectern-thread-${randomUUID()}.mjs`);
await build({
  entryPoints: [process.argv[2]],
  outfile,
  plugins: [packages],
  bundle: true,
  platform: "node",
  target: "node20",
  // As in bin/build.mjs.
  supported: { "regexp-unicode-property-escapes": true },
  format: "esm",
  // Deletes the file as soon as it is loaded, because a terminated thread never could.
  banner: { js: 'import { unlinkSync as deleteFile } from "node:fs"; deleteFile(new URL(import.meta.url));' },
  conditions: [],
  sourcemap: "inline",
  logLevel: "error",
});
stop();
await import(pathToFileURL(outfile).href);
