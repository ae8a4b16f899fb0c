import type { Env } from "@/lib/env";
import { type Place, placeOf } from "@/server/backup/place";
import { BackupRunsError, writeBackup } from "@/server/backup/write";
import { knownSecret } from "@/server/secrets";

const NAME = /^lectern-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/;

/** A name that sorts by time. */
export function backupName(subject: string, now = new Date()): string {
  return `${subject}-${now.toISOString().replace(/[-:]|\.\d+/g, "")}.zip`;
}

/** When the newest backup of the installation in this place was made. Null if there is none. */
export async function lastBackup(place: Place): Promise<Date | null> {
  const newest = (await backupsIn(place)).at(-1);
  return newest === undefined ? null : new Date(newest.replace(NAME, "$1-$2-$3T$4:$5:$6Z"));
}

/**
 * Makes a backup of the installation in BACKUP_TO if one is due, then deletes the oldest ones. Makes none while another backup is
 * running. Does nothing without BACKUP_TO.
 * @throws a sentence with its remedy. The older backups then stay
 */
export async function keepBackups(
  settings: Pick<Env, "backups" | "directUrl" | "dataDir" | "authSecret" | "aws">,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const { backups, directUrl: databaseUrl, dataDir, authSecret } = settings;
  if (!backups || !databaseUrl) return;
  const place = placeOf(backups.to, settings, signal);
  try {
    const last = await lastBackup(place);
    if (!last || now.getTime() - last.getTime() >= backups.hours * 60 * 60_000) {
      const secret = await knownSecret(dataDir, authSecret);
      await place
        .store(backupName("lectern", now), (file, send) => writeBackup({ databaseUrl, file, send, secret, signal }))
        .catch((error: unknown) => {
          if (!(error instanceof BackupRunsError)) throw error;
        });
    }
    // Also without a new backup, because an earlier run may have failed here.
    for (const name of (await backupsIn(place)).slice(0, -backups.kept)) await place.remove(name);
  } finally {
    // Some stores can't list unfinished uploads.
    await place.tidy((name) => NAME.test(name)).catch(() => {});
  }
}

/** The names of complete backups of the installation, the oldest first. */
async function backupsIn(place: Place): Promise<string[]> {
  return (await place.names("lectern-")).filter((name) => NAME.test(name)).sort();
}
