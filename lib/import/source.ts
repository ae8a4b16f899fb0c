import { stat } from "node:fs/promises";
import { openFolder } from "@/lib/import/folder";
import type { Source } from "@/lib/import/listing";
import { openZip } from "@/lib/import/zip";

/** Throws an Error to show when it is no folder or zip, or too much. */
export async function openSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === "ENOENT"
        ? `There is nothing at ${path}. Pass the path of a folder or a zip file.`
        : `${path} can't be read (${error.code}). Give this user read permission.`,
    );
  });
  return found.isDirectory() ? openFolder(path) : openZip(path);
}
