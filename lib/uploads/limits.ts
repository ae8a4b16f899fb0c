import { countUse } from "@/lib/counters";
import { env } from "@/lib/env";

/**
 * Counts one upload of a member.
 * @returns how many seconds to wait when this was one too many, else null
 * @throws UnavailableError
 */
export async function countUpload(workspaceId: string, memberId: string): Promise<number | null> {
  const use = await countUse("uploads", env().rateLimits.uploads, `${workspaceId} ${memberId}`);
  return use?.over ? use.seconds : null;
}
