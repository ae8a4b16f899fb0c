import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** No piece of an import takes so long: a folder that is older is nobody's. */
const OLD_MS = 60 * 60_000;

const rootOf = (dataDir: string) => join(dataDir, "tmp");

/** A folder for the archive of an import, while a piece of it is done. */
export async function makeImportFolder(dataDir: string): Promise<string> {
  await mkdir(rootOf(dataDir), { recursive: true, mode: 0o700 });
  return mkdtemp(join(rootOf(dataDir), "import-"));
}

/** Removes those that servers left behind which were killed. Others may be at work in the same place: theirs are younger. */
export async function removeLeftFolders(dataDir: string): Promise<void> {
  const root = rootOf(dataDir);
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((one) => one.startsWith("import-"))) {
    const made = await stat(join(root, name)).catch(() => null);
    if (made && made.mtimeMs < Date.now() - OLD_MS) await rm(join(root, name), { recursive: true, force: true });
  }
}
