import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { STORAGE_KEY, type StoredFile, type UploadStorage, WORKSPACE_ID } from "@/lib/uploads/storage";

/** Several servers must share the folder. */
export function localStorage(dataDir: string): UploadStorage {
  const root = join(dataDir, "uploads");
  const pathOf = (key: string) => {
    if (!STORAGE_KEY.test(key)) throw new Error("This is not a storage key.");
    return join(root, key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const part = `${path}.${randomBytes(4).toString("hex")}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const file = await open(part, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      const folder = await open(dirname(path));
      // The file name is durable only when its folder is synced.
      await folder.sync().finally(() => folder.close());
    },

    async open(key, range) {
      const file = STORAGE_KEY.test(key) ? await open(pathOf(key)).catch(absent) : null;
      if (!file) return null;
      return Readable.toWeb(file.createReadStream(range)) as ReadableStream<Uint8Array>;
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async removeAll(workspaceId) {
      if (!WORKSPACE_ID.test(workspaceId)) throw new Error("This is not a workspace ID.");
      await rm(join(root, workspaceId), { recursive: true, force: true });
    },

    async *list(workspaceId) {
      for (const workspace of workspaceId ? [workspaceId] : await names(root)) {
        for (const shard of await names(join(root, workspace))) {
          for (const name of await names(join(root, workspace, shard))) {
            const key = `${workspace}/${shard}/${name}`;
            const found: StoredFile | null = STORAGE_KEY.test(key)
              ? await stat(join(root, key)).then(({ mtime }) => ({ key, modifiedAt: mtime }), absent)
              : null;
            if (found) yield found;
          }
        }
      }
    },
  };
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

/** A file may be removed while its folder is read. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
