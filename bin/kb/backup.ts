import { basename, dirname, resolve } from "node:path";
import { Command } from "commander";
import { env } from "@/lib/env";
import type { Manifest } from "@/server/backup/archive";
import { fileInBucket, placeOf } from "@/server/backup/place";
import { backupName } from "@/server/backup/scheduled";
import { writeBackup } from "@/server/backup/write";
import { knownSecret } from "@/server/secrets";
import { count, note, progress } from "./output";
import { CommandError, withDatabase, workspaceNamed } from "./session";

export function backupCommand(): Command {
  return new Command("backup")
    .description(
      "Backs up the installation, or one workspace, into one file while Lectern runs: the database as of a single moment, and the uploads.",
    )
    .option("--workspace <subdomain>", "only this workspace")
    .option(
      "--out <file>",
      "path of the backup, or s3://bucket/name.zip (default: lectern-<time>.zip or <subdomain>-<time>.zip in this folder)",
    )
    .addHelpText(
      "after",
      "\nKeep the file secret: it holds hashes of passwords and keys, and a generated AUTH_SECRET. An AUTH_SECRET that you set is not in it." +
        "\nNot included: archives of imports and exports, and emails that are waiting to be sent. A workspace's backup also has no sessions, links,\ninvitations, passkeys, or API keys." +
        "\n\nExamples:\n  npm run kb -- backup --out /backups/lectern.zip\n  npm run kb -- backup --out s3://my-backups/lectern.zip",
    )
    .action((options: { workspace?: string; out?: string }) =>
      withDatabase(async (settings) => {
        const { directUrl: databaseUrl = "", authSecret } = env();
        const workspace = options.workspace === undefined ? undefined : await workspaceNamed(options.workspace);
        const out = options.out ?? backupName(options.workspace ?? "lectern");
        const url = fileInBucket(out);
        const folder = dirname(url ? url.path : resolve(out));
        const to = url ? { name: url.name, path: folder === "." ? "" : folder } : folder;
        const stop = new AbortController();
        for (const name of ["SIGINT", "SIGTERM"])
          process.once(name, () => stop.abort(new CommandError("Stopped. Nothing was saved.")));
        const secret = await knownSecret(settings.dataDir, authSecret);
        const bar = progress();
        const { signal } = stop;
        const manifest = await placeOf(to, settings, signal)
          .store(basename(out), (file, send) =>
            writeBackup({
              ...{ databaseUrl, file, send, secret, signal, onProgress: bar.show },
              ...(workspace && { workspace }),
            }),
          )
          .catch((error: unknown) => {
            throw signal.aborted ? signal.reason : error;
          })
          .finally(bar.end);
        for (const line of warnings(manifest)) note(line);
        note(`Keep the backup secret${manifest.secret.generated ? ". It also holds the generated AUTH_SECRET" : ""}.`);
        console.log(`Saved and checked ${contents(manifest)} in ${url ? out : resolve(out)}.`);
      }),
    );
}

/** Rows and files of a backup, for people. */
export function contents({ tables, files }: Manifest): string {
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  return [
    count(rowsOf("workspaces"), "workspace"),
    count(rowsOf("articles"), "article"),
    count(
      tables.reduce((sum, { rows }) => sum + rows, 0),
      "row",
    ),
    `${count(files.count, "file")} (${(files.bytes / 1_000_000).toFixed(1)} MB)`,
  ].join(", ");
}

function warnings({ missing, damaged }: Manifest): string[] {
  const named = (keys: string[]) => `${keys.slice(0, 5).join(", ")}${keys.length > 5 ? " …" : ""}`;
  return [
    ...(missing.length > 0
      ? [`${count(missing.length, "upload")} had no file, so the backup has none: ${named(missing)}`]
      : []),
    ...(damaged.length > 0 ? [`${count(damaged.length, "file")} differed from the upload: ${named(damaged)}`] : []),
  ];
}
