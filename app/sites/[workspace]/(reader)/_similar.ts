import { takeLimit } from "@/lib/counters";
import { wantedBy } from "@/lib/reader/similar-articles";

/**
 * The words of an unknown path that similar articles are searched with. Null for paths of nothing in particular, and for a
 * network that tried too many.
 */
export async function wantedWithinLimit(
  workspace: { id: string },
  path: string,
  network: string | null,
): Promise<string | null> {
  const wanted = wantedBy(path);
  if (wanted === null) return null;
  const wait = await takeLimit("similarPages", { workspace: workspace.id, network });
  return wait === null ? wanted : null;
}
