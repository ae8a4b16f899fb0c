// Builds for production. Next's output goes to .next, and the bundled programs and reader scripts go to dist.
import { createHash } from "crypto";
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from "fs";
import { join } from "path";
import { fileURLToPath } from "url";
import { bundleScripts } from "./scripts.mjs";
import { alone, checkFolder, checkNode, logFile, prepare } from "./setup.mjs";
import { main, root, run, step } from "./steps.mjs";

/** Program in dist → its source. */
const PROGRAMS = {
  server: "server.ts",
  kb: "bin/kb.ts",
  seed: "prisma/seed.ts",
  content: "lib/threads/worker.ts",
  "import-export": "lib/import-export/worker.ts",
};

const stamp = join(root, ".next/lectern-build");

/** Builds when anything that goes into the build changed since the last one. */
export async function buildWhenChanged() {
  const sources = hashOfSources();
  if (isBuiltFrom(sources)) return;
  checkFolder();
  await alone(async () => {
    if (!isBuiltFrom(sources)) await build(sources);
  });
}

const isBuiltFrom = (sources) => existsSync(stamp) && readFileSync(stamp, "utf8") === sources;

async function build(sources) {
  // Uses the default export: an old Node, which we refuse later, lacks the named one.
  fs.rmSync(stamp, { force: true });
  fs.rmSync(join(root, "dist"), { recursive: true, force: true });
  await step("Building", async () => {
    await run(process.execPath, [join(root, "node_modules/next/dist/bin/next"), "build"], {
      log: logFile("build.log"),
      env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      failure: "Lectern could not be built.",
    });
    const { build: bundle, stop } = await import("esbuild");
    await bundle({
      absWorkingDir: root,
      entryPoints: PROGRAMS,
      outdir: "dist",
      bundle: true,
      packages: "external",
      // The CommonJS build would load every icon.
      alias: { "lucide-react": "./node_modules/lucide-react/dist/esm/lucide-react.mjs" },
      platform: "node",
      target: "node20",
      // Otherwise esbuild turns a literal with \p{…} into `new RegExp`, which runs at every use.
      supported: { "regexp-unicode-property-escapes": true },
      format: "esm",
      splitting: true,
      sourcemap: true,
      logLevel: "error",
    });
    await bundleScripts(bundle, { outdir: join(root, "dist/scripts"), hashed: true, write: true });
    stop();
  });
  writeFileSync(stamp, sources);
}

/** Every folder counts unless listed here, so that nobody can forget a new folder. */
function hashOfSources() {
  const hash = createHash("sha256").update(process.versions.node.split(".")[0]);
  const skipped =
    /^(\..*|node_modules|dist|e2e|testing|tools|docs\/(?!openapi(\/|$)).*|packages|test-results|next-env\.d\.ts|lib\/generated|bin\/.*\.mjs)$/;
  const ignored = /(\.test\.tsx?|\.tsbuildinfo|^[^/]*\.md)$/;
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort(byName)) {
      const path = folder + entry.name;
      if (skipped.test(path) || ignored.test(path)) continue;
      if (entry.isDirectory()) walk(`${path}/`);
      else hash.update(`${path}\0`).update(readFileSync(join(root, path)));
    }
  };
  walk("");
  for (const name of ["build.mjs", "scripts.mjs"]) hash.update(readFileSync(join(root, "bin", name)));
  return hash.digest("hex");
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(async () => {
    checkNode();
    await prepare();
    if (process.argv.includes("--when-changed")) await buildWhenChanged();
    else await alone(() => build(hashOfSources()));
  });
}
