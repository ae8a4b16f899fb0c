import { type Db, inWorkspace, readingOf } from "@/lib/db";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { dropParts, RUN_DAYS } from "./runs";

export async function cleanRuns(workspaceId: string): Promise<void> {
  const storage = uploadStorage();
  for (const key of await inWorkspace(workspaceId, deleteRuns, 20)) await storage.remove(key);
}

async function deleteRuns(db: Db): Promise<string[]> {
  const ended = await dropParts(
    db,
    "(state IN ('failed', 'cancelled') OR kind = 'import' AND state = 'done') FOR UPDATE SKIP LOCKED",
  );
  const old = await readingOf(db)<{ parts: string[] }>(
    `DELETE FROM transfers WHERE updated_at < now() - make_interval(days => ${RUN_DAYS}) RETURNING parts`,
  );
  return [...ended, ...old.flatMap(({ parts }) => parts)];
}
