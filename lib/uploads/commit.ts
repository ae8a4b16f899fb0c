import { UnavailableError } from "@/lib/errors";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

/**
 * Writes rows that name bytes which are in the store already. Where that fails, the bytes are removed, as far as the store
 * lets them be; the clean-up finds the rest (lib/uploads/clean-up.ts). Where nobody knows whether it failed, since the
 * database went away on its last word, all are left to the clean-up, which asks whether a row names them.
 * @param keys of the bytes
 * @throws what `commit` throws
 */
export async function commitNaming<Result>(keys: readonly string[], commit: () => Promise<Result>): Promise<Result> {
  try {
    return await commit();
  } catch (error) {
    if (!(error instanceof UnavailableError)) await removeBytes(keys);
    throw error;
  }
}

/** Removes bytes that no row names; those that cannot be removed now are by the clean-up. */
export async function removeBytes(keys: readonly string[]): Promise<void> {
  for (const key of keys) await uploadStorage().remove(key).catch(() => {}); // biome-ignore format: a short chain
}
