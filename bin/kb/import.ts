import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { acrossWorkspaces } from "@/lib/db";
import { broken, goneLines, reportLines } from "@/lib/import/report";
import type { ImportResult } from "@/lib/import/result";
import { runInThread } from "@/lib/import-export/thread";
import { loadSecrets } from "@/server/secrets";
import { count, note, progress } from "./output";
import { commandLine, withDatabase, workspaceNamed } from "./session";

interface Options {
  workspace: string;
  author?: string;
  report?: string;
  dryRun?: boolean;
  recheck?: boolean;
}

const phases = { reading: "Reading  ", files: "Files    ", importing: "Importing", exporting: "" };

/** The number of report lines that the terminal shows. A longer report also goes to a file. */
const SHOWN = 20;

export function importCommand(): Command {
  return new Command("import")
    .description(
      "Imports a folder or zip of Markdown or HTML. Folders become categories. Running it again updates what changed in the files, keeps edits made in Lectern, and completes an interrupted import.",
    )
    .argument("<path>", "a folder or a zip file")
    .requiredOption("--workspace <subdomain>", "the workspace")
    .option("--author <address>", "email of the member to set as author (default: the first administrator)")
    .option("--report <file>", "path of the report (default: import-<subdomain>.txt in DATA_DIR if it is long)")
    .option("--dry-run", "reads, checks, and counts everything, but stores nothing")
    .option("--recheck", "also checks the links in unchanged files")
    .addHelpText("after", "\nExample:\n  npm run kb -- import --workspace docs --report report.txt ./articles.zip")
    .action((path: string, options: Options) => withDatabase(({ dataDir }) => run(path, options, dataDir)));
}

async function run(path: string, options: Options, dataDir: string): Promise<void> {
  const workspace = await workspaceNamed(options.workspace);
  const bar = progress();
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    note(
      "\nStopping after this batch. Press Ctrl+C again to stop immediately. Either way, the next run continues from there.",
    );
    stop.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  const began = Date.now();
  const { authSecret: secret } = await loadSecrets({ dataDir, production: false, env: process.env });
  let result: ImportResult;
  try {
    const { author, dryRun, recheck } = options;
    const { id, name } = workspace;
    result = await runInThread(
      "import",
      { workspace: { id, name }, path, actor: commandLine, author, dryRun, recheck, secret },
      { onProgress: ({ phase, done, total }) => bar.show(phases[phase], done, total), signal: stop.signal },
    );
  } finally {
    bar.end();
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
  // So many new rows make the planner's statistics stale.
  if (!options.dryRun && result.created + result.updated > 100) await acrossWorkspaces.query("ANALYZE", [], 600);
  await report(result, options, dataDir, (Date.now() - began) / 1000);
}

async function report(result: ImportResult, options: Options, dataDir: string, seconds: number): Promise<void> {
  const lines = [...reportLines(result), ...goneLines(result)];
  for (const line of lines.slice(0, SHOWN)) note(line);
  if (options.report || lines.length > SHOWN) {
    const file = options.report ?? join(dataDir, `import-${options.workspace}.txt`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, lines.map((line) => `${line}\n`).join(""));
    note(`The full report (${count(lines.length, "line")}) is in ${file}.`);
  }
  const brokenLinks = result.findings.filter(({ kind }) => broken.has(kind)).length;
  const leftOut = result.findings.length - brokenLinks;
  console.log(
    [
      `Read ${count(result.files, "file")} in ${seconds.toFixed(1)} s${options.dryRun ? " without storing anything" : ""}: ` +
        `${result.created} new, ${result.updated} changed, and ${result.unchanged} unchanged articles (${count(result.drafts, "draft")}), ` +
        `${count(result.categories, "new category", "new categories")}, ${count(result.uploads, "image or file", "images and files")}.`,
      ...(brokenLinks > 0 ? [`${count(brokenLinks, "broken link")}.`] : []),
      ...(leftOut > 0 ? [`Images, files, and authors left out: ${leftOut}.`] : []),
      ...(result.flattened.length > 0 ? [`Files deeper than 6 folders: ${result.flattened.length}.`] : []),
      ...(result.gone.length > 0 ? [`Articles kept even though their file is gone: ${result.gone.length}.`] : []),
      ...(result.opened.length > 0
        ? [`Files that make their article visible to more people: ${result.opened.length}.`]
        : []),
      ...(result.kept.length > 0 ? [`Kept because they were edited in Lectern: ${result.kept.length}.`] : []),
      ...(result.problems.length > 0 ? [`${count(result.problems.length, "file")} could not be imported.`] : []),
      ...(result.interrupted ? ["Stopped before the end. Run it again to continue."] : []),
    ].join("\n"),
  );
  if (result.problems.length > 0 || result.interrupted) process.exitCode = 1;
}
