import { takeLimit } from "@/lib/counters";
import { wantedBy } from "@/lib/reader/similar-articles";

/**
 * The words of an unknown path, for finding similar articles. Null for paths without useful words, and for a
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
