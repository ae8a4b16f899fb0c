import { rename, rm, stat } from "node:fs/promises";
import { Command } from "commander";
import { exportLines } from "@/lib/export/report";
import { runInThread } from "@/lib/import-export/thread";
import { loadSecrets } from "@/server/secrets";
import { count, note, progress } from "./output";
import { CommandError, withDatabase, workspaceNamed } from "./session";

export function exportCommand(): Command {
  return new Command("export")
    .description(
      "Exports a workspace as a zip of Markdown with front matter, along with its files. Importing the zip recreates the workspace.",
    )
    .requiredOption("--workspace <subdomain>", "the workspace")
    .option("--out <file>", "path of the zip (default: <subdomain>.zip in the current folder)")
    .addHelpText(
      "after",
      "\nNot included: members and roles (authors are restored as deactivated members), API keys, settings, earlier versions, views, feedback,\nsearches and the audit log. To keep those, back up the database." +
        "\n\nExample:\n  npm run kb -- export --workspace docs --out docs.zip",
    )
    .action(({ workspace, out }: { workspace: string; out?: string }) =>
      withDatabase(async ({ dataDir }) => {
        const { id } = await workspaceNamed(workspace);
        const { authSecret: secret } = await loadSecrets({ dataDir, production: false, env: process.env });
        await run({ id }, out ?? `${workspace}.zip`, secret);
      }),
    );
}

async function run(workspace: { id: string }, path: string, secret: string): Promise<void> {
  if ((await stat(path).catch(() => null))?.isDirectory()) {
    throw new CommandError(`${path} is a folder. Pass the path of a file with --out.`);
  }
  // Uses another name until it is complete, so that nobody mistakes a partial archive for a whole one.
  const part = `${path}.part`;
  const bar = progress();
  try {
    const result = await runInThread(
      "export",
      { workspace, secret, out: part },
      {
        onProgress: ({ done, total }) => bar.show("Exporting", done, total),
        signal: new AbortController().signal,
      },
    );
    bar.end();
    await rename(part, path);
    for (const line of exportLines(result)) note(line);
    console.log(
      `Exported ${count(result.articles, "article")} (${count(result.drafts, "draft")}), ` +
        `${count(result.categories, "category", "categories")} and ${count(result.files, "file")} to ${path}.`,
    );
  } catch (error) {
    bar.end();
    await rm(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "ENOSPC") {
      throw new CommandError(`${path} can't be written (${code}). Pass another path with --out.`);
    }
    throw error;
  }
}
