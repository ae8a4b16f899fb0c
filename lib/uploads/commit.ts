import { UnavailableError } from "@/lib/errors";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

/**
 * Commits rows that name stored bytes, and removes the bytes on failure. If the outcome is unknown because the database
 * went
 * away, the clean-up decides.
 */
export async function commitNaming<Result>(keys: readonly string[], commit: () => Promise<Result>): Promise<Result> {
  try {
    return await commit();
  } catch (error) {
    if (!(error instanceof UnavailableError)) await removeBytes(keys);
    throw error;
  }
}

export async function removeBytes(keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await uploadStorage()
      .remove(key)
      .catch(() => {});
}
