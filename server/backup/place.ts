import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Env } from "@/lib/env";
import { makeFolder } from "@/lib/import-export/folders";
import { openBucket, parseAddress } from "@/server/backup/bucket";

/** Where backups are kept: a folder, or a bucket. */
export interface Place {
  /** Names that start with this, also of other files. */
  names(start: string): Promise<string[]>;
  /** Writes a file that appears when `write` has written and checked it. */
  store<T>(name: string, write: (file: string) => Promise<T>): Promise<T>;
  remove(name: string): Promise<void>;
  /** Removes what killed servers left of files whose names pass. */
  tidy(isOurs: (name: string) => boolean): Promise<void>;
  /** Writes a small file, and deletes it again. */
  try(): Promise<void>;
}

/** An upload this old belongs to no running job (server/jobs/worker.ts). */
const LEFT_MS = 48 * 60 * 60_000;

export const isBucket = (address: string): boolean => address.startsWith("s3:");

/** @param to a folder that exists, or a bucket such as `s3://backups/lectern` */
export function placeOf(to: string, settings: Pick<Env, "aws" | "dataDir">, signal?: AbortSignal): Place {
  return isBucket(to) ? bucketPlace(to, settings, signal) : folderPlace(to);
}

function folderPlace(folder: string): Place {
  return {
    names: async (start) => {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        throw new Error(
          `BACKUP_TO is ${folder}, which cannot be read (${error.code}). Create the folder, or set another one.`,
        );
      });
      return names.filter((name) => name.startsWith(start));
    },
    // A backup that is being written has another name.
    store: (name, write) => write(join(folder, name)),
    remove: (name) => rm(join(folder, name), { force: true }),
    async tidy() {},
    async try() {
      const file = join(folder, `doctor-${randomUUID()}`);
      await writeFile(file, "");
      await rm(file);
    },
  };
}

function bucketPlace(to: string, { aws, dataDir }: Pick<Env, "aws" | "dataDir">, signal?: AbortSignal): Place {
  const { name: bucketName, path } = parseAddress(to);
  const folder = path && `${path.replace(/\/+$/, "")}/`;
  const bucket = openBucket(bucketName, aws, signal && { signal });
  const nameOf = (key: string) => key.slice(folder.length);
  return {
    names: async (start) => (await bucket.keys(folder + start)).map(nameOf),
    async store(name, write) {
      const made = await makeFolder(dataDir, "backup");
      try {
        const file = join(made, name);
        const written = await write(file);
        await bucket.upload(file, folder + name);
        return written;
      } finally {
        await rm(made, { recursive: true, force: true });
      }
    },
    remove: (name) => bucket.remove(folder + name),
    async tidy(isOurs) {
      const left = await bucket.leftUploads(folder, new Date(Date.now() - LEFT_MS));
      for (const upload of left) if (isOurs(nameOf(upload.key))) await bucket.abort(upload);
    },
    async try() {
      const key = `${folder}doctor-${randomUUID()}`;
      await bucket.put(key, Buffer.from("doctor"));
      await bucket.remove(key);
    },
  };
}

/**
 * Runs `work` with the path of a file that may be in a bucket.
 * @param address a path, or a backup in a bucket such as `s3://backups/lectern.zip`
 */
export async function withLocalFile<T>(
  address: string,
  { aws, dataDir }: Pick<Env, "aws" | "dataDir">,
  work: (file: string) => Promise<T>,
): Promise<T> {
  if (!isBucket(address)) return work(address);
  const { name, path } = parseAddress(address);
  const made = await makeFolder(dataDir, "backup");
  try {
    const file = join(made, basename(path));
    await openBucket(name, aws).download(path, file);
    return await work(file);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
