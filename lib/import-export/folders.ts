import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** No import, export or backup takes longer, so an older folder was left behind. */
const OLD_MS = 24 * 60 * 60_000;

const rootOf = (dataDir: string) => join(dataDir, "tmp");

export async function makeFolder(dataDir: string, kind: "import" | "backup" = "import"): Promise<string> {
  await mkdir(rootOf(dataDir), { recursive: true, mode: 0o700 });
  return mkdtemp(join(rootOf(dataDir), `${kind}-`));
}

/** Removes folders of processes that were killed. Younger folders may be in use. */
export async function removeLeftFolders(dataDir: string, kind: "import" | "backup"): Promise<void> {
  const root = rootOf(dataDir);
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(`${kind}-`))) {
    const made = await stat(join(root, name)).catch(() => null);
    if (made && made.mtimeMs < Date.now() - OLD_MS) await rm(join(root, name), { recursive: true, force: true });
  }
}
