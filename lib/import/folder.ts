import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { FILE_LIMIT, isHidden, Listing, type Source, tooLarge } from "@/lib/import/listing";
import { FileError } from "@/lib/import/problem";

/** Symbolic links are not followed, because they could lead anywhere. */
export async function openFolder(root: string): Promise<Source> {
  const listing = new Listing();
  // Names on disk may not be in Unicode's composed form.
  const names = new Map<string, string>();
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      listing.refuse(folder || ".", `The folder can't be read (${error.code}). Give this user read permission.`);
      return [];
    });
    for (const entry of entries) {
      const onDisk = folder + entry.name;
      const path = onDisk.normalize("NFC");
      if (isHidden(path)) continue;
      if (entry.isDirectory()) waiting.push(`${onDisk}/`);
      else if (entry.isSymbolicLink()) {
        listing.refuse(path, "This is a symbolic link, which imports don't follow. Put the file itself there.");
      } else if (entry.isFile() && listing.add(path, (await lstat(join(root, onDisk))).size)) names.set(path, onDisk);
    }
  }
  const source = await listing.source((path, most) => readWhole(join(root, names.get(path) ?? path), most));
  return { ...source, close: async () => {} };
}

async function readWhole(path: string, most = FILE_LIMIT): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > most) throw new FileError(tooLarge(most));
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`The file can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
