import { LRUCache } from "lru-cache";
import type { Read } from "@/lib/db";
import { FORM } from "./reindex";

/** Workspaces whose documents have the form of now: from then on they do. */
const anew = new LRUCache<string, true>({ max: 10_000 });

/**
 * Whether all documents of a workspace have the form of now: after an update of the program they are made anew one workspace
 * after the other, and are searched as they are until then.
 */
export async function isMadeAnew(read: Read, workspaceId: string): Promise<boolean> {
  if (anew.has(workspaceId)) return true;
  const [row] = await read<{ form: number }>("SELECT search_form AS form FROM workspaces WHERE id = $1::uuid", [
    workspaceId,
  ]);
  if (!row || row.form < FORM) return false;
  anew.set(workspaceId, true);
  return true;
}
