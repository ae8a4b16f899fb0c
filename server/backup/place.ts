import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Env, type InBucket, inBucket } from "@/lib/env";
import { makeFolder, removeLeftFolders } from "@/lib/import-export/folders";
import { openBucket } from "@/server/backup/bucket";

/** Where backups are kept: a folder, or a bucket. */
export interface Place {
  /** Names of all files with this prefix, not only backups. */
  names(prefix: string): Promise<string[]>;
  /** Stores the file that `write` writes. `write` calls `send` when it has checked the file. */
  store<T>(name: string, write: (file: string, send: () => Promise<void>) => Promise<T>): Promise<T>;
  remove(name: string): Promise<void>;
  /** Aborts unfinished uploads of killed servers if `isOurs` accepts the name. */
  tidy(isOurs: (name: string) => boolean): Promise<void>;
  /** Writes a small file, reads it back, and deletes it again. */
  try(): Promise<void>;
}

/** No job runs this long, so an older upload was abandoned (server/jobs/worker.ts). */
const LEFT_MS = 48 * 60 * 60_000;

/** @param to a folder that exists, or a bucket */
export function placeOf(to: string | InBucket, settings: Pick<Env, "aws" | "dataDir">, signal?: AbortSignal): Place {
  return typeof to === "string" ? folderPlace(to) : bucketPlace(to, settings, signal);
}

function folderPlace(folder: string): Place {
  return {
    names: async (prefix) => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        throw new Error(
          `BACKUP_TO is ${folder}, which can't be read (${error.code}). Create the folder, or set another one.`,
        );
      });
      return names.filter((name) => name.startsWith(prefix));
    },
    // A backup that is being written has another name.
    store: (name, write) => write(join(folder, name), async () => {}),
    remove: (name) => rm(join(folder, name), { force: true }),
    async tidy() {},
    async try() {
      const file = join(folder, `doctor-${randomUUID()}`);
      await writeFile(file, "");
      await rm(file);
    },
  };
}

function bucketPlace(to: InBucket, { aws, dataDir }: Pick<Env, "aws" | "dataDir">, signal?: AbortSignal): Place {
  const folder = to.path && `${to.path}/`;
  const bucket = openBucket(to.name, aws, signal && { signal });
  const nameOf = (key: string) => key.slice(folder.length);
  return {
    names: async (prefix) => (await bucket.keys(folder + prefix)).map(nameOf),
    async store(name, write) {
      const made = await makeFolder(dataDir, "backup");
      try {
        const file = join(made, name);
        return await write(file, () => bucket.upload(file, folder + name));
      } finally {
        await rm(made, { recursive: true, force: true });
      }
    },
    remove: (name) => bucket.remove(folder + name),
    async tidy(isOurs) {
      await removeLeftFolders(dataDir, "backup");
      const left = await bucket.leftUploads(folder, new Date(Date.now() - LEFT_MS));
      for (const upload of left) if (isOurs(nameOf(upload.key))) await bucket.abort(upload);
    },
    async try() {
      const key = `${folder}doctor-${randomUUID()}`;
      await bucket.put(key, Buffer.from("doctor"));
      const text = await bucket.text(key);
      await bucket.remove(key);
      if (text !== "doctor") throw new Error(`s3://${to.name} didn't return a test file. Check AWS_ENDPOINT_URL_S3.`);
    },
  };
}

/**
 * Runs `work` with the path of a file that may be in a bucket.
 * @param address a path, or the URL of a backup, such as `s3://backups/lectern.zip`
 */
export async function withLocalFile<T>(
  address: string,
  { aws, dataDir }: Pick<Env, "aws" | "dataDir">,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const url = fileInBucket(address);
  if (!url) return work(address);
  const made = await makeFolder(dataDir, "backup");
  // The process then ends as without this. The database undoes an unfinished restore.
  const stop = (signal: NodeJS.Signals) => {
    rmSync(made, { recursive: true, force: true });
    process.off("SIGINT", stop).off("SIGTERM", stop).kill(process.pid, signal);
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const file = join(made, basename(url.path));
    await openBucket(url.name, aws).download(url.path, file);
    return await work(file);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await rm(made, { recursive: true, force: true });
  }
}

/** Null for a path of this machine. @throws a sentence */
export function fileInBucket(address: string): InBucket | null {
  const url = inBucket(address);
  if (url && (!url.path || address.endsWith("/")))
    throw new Error(`${address} has no file name. Add one, such as lectern.zip.`);
  return url;
}
