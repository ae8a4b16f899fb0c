import { Command } from "commander";
import { env, readEnv } from "@/lib/env";
import { InvalidError } from "@/lib/errors";
import { workspaceUrl } from "@/lib/http/host";
import { reindexWorkspace } from "@/lib/search/reindex";
import { checkSubdomain } from "@/lib/workspaces/subdomains";
import { type Backup, checkBackup, openBackup } from "@/server/backup/archive";
import { withLocalFile } from "@/server/backup/place";
import { fingerprintOf } from "@/server/backup/write";
import { keepSecret, knownSecret } from "@/server/secrets";
import { contents } from "./backup";
import { moment, note, progress } from "./output";
import { checkMigrations, restoreBackup } from "./restore/run";
import { CommandError, withDatabase } from "./session";

interface Options {
  as?: string;
  check?: true;
  newSecret?: true;
}

export function restoreCommand(): Command {
  return new Command("restore")
    .description("Restores a backup into an empty installation, or a workspace's backup as a new workspace.")
    .argument("<file>", "path or URL of a backup, such as s3://bucket/name.zip")
    .option("--as <subdomain>", "subdomain of the new workspace, for the backup of a workspace")
    .option("--check", "only read the whole file and compare its checksums")
    .option(
      "--new-secret",
      "restore even though AUTH_SECRET differs from the backup's, so everyone has to sign in again",
    )
    .addHelpText(
      "after",
      "\nEither everything is restored and compared with the backup, or nothing is. Afterward, run doctor." +
        "\n\nExamples:\n  npm run kb -- restore --check lectern.zip\n  DATA_DIR=/srv/new npm run kb -- restore lectern.zip\n  npm run kb -- restore docs.zip --as docs-copy",
    )
    .action((address: string, options: Options) =>
      withLocalFile(address, readEnv(process.env), async (file) => {
        const backup = await openBackup(file, address);
        try {
          await run(backup, options);
        } finally {
          backup.close();
        }
      }),
    );
}

async function run(backup: Backup, options: Options): Promise<void> {
  const { address, manifest } = backup;
  const { workspace, madeAt } = manifest;
  const what = workspace ? `the workspace ${workspace.subdomain} (${workspace.name})` : "an installation";
  note(`${address} is a backup of ${what} of ${moment(new Date(madeAt))} UTC: ${contents(manifest)}.`);
  const bar = progress();
  if (options.check) {
    await checkBackup(backup, bar.show).finally(bar.end);
    console.log("The backup is complete and undamaged.");
    return;
  }
  if (workspace && options.as === undefined) {
    throw new CommandError(
      "This is the backup of one workspace. Add --as <subdomain> to restore it as a new workspace.",
    );
  }
  if (!workspace && options.as !== undefined) {
    throw new CommandError(
      "This is the backup of an installation. Leave out --as, and restore it into an empty installation.",
    );
  }
  await withDatabase(async ({ baseUrl, dataDir }) => {
    const { directUrl: databaseUrl = "" } = env();
    await checkMigrations(backup, databaseUrl);
    const subdomain = options.as === undefined ? undefined : await freeSubdomain(options.as);
    const secretToKeep = workspace ? null : await checkSecret(backup, dataDir, options.newSecret ?? false);
    const id = await restoreBackup(backup, {
      databaseUrl,
      ...(subdomain && { subdomain }),
      onProgress: bar.show,
    }).finally(bar.end);
    if (secretToKeep) await keepSecret(dataDir, secretToKeep);
    if (id !== null && subdomain) {
      await reindexWorkspace(id, (done, total) => bar.show("Indexing", done, total)).finally(bar.end);
      note("Sessions, links, invitations, passkeys, and API keys of the original don't work here. Create new ones.");
    }
    note(`Emails that were waiting to be sent were not restored. Check the installation with "npm run kb -- doctor".`);
    console.log(
      `Restored and compared ${contents(manifest)}${subdomain ? ` at ${workspaceUrl(subdomain, baseUrl)}` : ""}.`,
    );
  });
}

async function freeSubdomain(text: string): Promise<string> {
  const { subdomain, invalid } = await checkSubdomain(text);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return subdomain;
}

/**
 * Says before anything is restored what a different AUTH_SECRET would end.
 * @returns the backup's generated secret, if this installation has none and should keep it
 */
async function checkSecret({ manifest }: Backup, dataDir: string, isNewWanted: boolean): Promise<string | null> {
  const { fingerprint, generated } = manifest.secret;
  const here = await knownSecret(dataDir, env().authSecret);
  if (here && fingerprintOf(here.authSecret) === fingerprint) return null;
  if (!here && generated && !isNewWanted) {
    note("The generated AUTH_SECRET of the backup becomes this installation's, in secrets.json.");
    return generated;
  }
  const effects =
    "everyone has to sign in again, two-step verification has to be reset, and preview links and links in waiting emails stop working";
  if (fingerprint === null)
    note(`The backup doesn't say which AUTH_SECRET it belongs to. With a different one, ${effects}.`);
  if (fingerprint === null || isNewWanted) return null;
  throw new CommandError(
    `AUTH_SECRET ${here ? "differs from the backup's" : "is not set here"}. With a different one, ${effects}. Set the old one${generated ? ", or restore with an empty DATA_DIR to take it from the backup" : ""}. To restore with a new one, add --new-secret.`,
  );
}
