import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Env } from "@/lib/env";
import { BackupRunsError, writeBackup } from "@/server/backup/write";
import { knownSecret } from "@/server/secrets";

const NAME = /^lectern-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/;

/** A name that sorts by time. */
export function backupName(subject: string, now = new Date()): string {
  return `${subject}-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
}

/** When the newest backup of the installation in this folder was made. Null if there is none. */
export async function lastBackup(folder: string): Promise<Date | null> {
  const newest = (await backupsIn(folder)).at(-1);
  return newest === undefined ? null : new Date(newest.replace(NAME, "$1-$2-$3T$4:$5:$6Z"));
}

/**
 * Makes a backup of the installation in BACKUP_DIR if one is due, then deletes the oldest ones. Does nothing while another backup is
 * running, or without BACKUP_DIR.
 * @throws a sentence with its remedy. The older backups then stay
 */
export async function keepBackups(
  { backups, databaseUrl, dataDir, authSecret }: Pick<Env, "backups" | "databaseUrl" | "dataDir" | "authSecret">,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  if (!backups || !databaseUrl) return;
  const last = await lastBackup(backups.folder);
  if (last && now.getTime() - last.getTime() < backups.hours * 60 * 60_000) return;
  const file = join(backups.folder, backupName("lectern", now));
  try {
    await writeBackup({ databaseUrl, file, secret: await knownSecret(dataDir, authSecret), signal });
  } catch (error) {
    if (error instanceof BackupRunsError) return;
    throw error;
  }
  for (const name of (await backupsIn(backups.folder)).slice(0, -backups.kept)) {
    await rm(join(backups.folder, name), { force: true });
  }
}

/** The names of complete backups of the installation, the oldest first. */
async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `BACKUP_DIR is ${folder}, which cannot be read (${error.code}). Create the folder, or set another one.`,
    );
  });
  return names.filter((name) => NAME.test(name)).sort();
}
