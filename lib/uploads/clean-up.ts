import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { dropParts, TRANSFER_DAYS } from "@/lib/transfers";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

/** The most uploads that one run deletes: the rest is the next one's. */
const MOST = 500;
/** How long each of its transactions may take, in seconds. */
const SECONDS = 20;

/** Whether somebody's picture, the logo, an article or its draft uses an upload. */
const isUsed = (upload: string) => `(
  EXISTS (SELECT FROM members m WHERE m.workspace_id = ${upload}.workspace_id AND m.picture_upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM workspaces w WHERE w.id = ${upload}.workspace_id AND w.logo_upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM article_attachments x WHERE x.workspace_id = ${upload}.workspace_id AND x.upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM article_links x WHERE x.workspace_id = ${upload}.workspace_id AND x.upload_id = ${upload}.id))`;

/**
 * Deletes what nothing has used for 24 hours, rows first, then files; and files without a row that are as old, as a
 * server that was killed leaves them. What a kept version of an article shows is in use too: it can come back.
 * May be run again at any time, and by several servers at once.
 * @returns how many uploads and how many files without one were deleted
 */
export async function cleanUploads(workspaceId: string): Promise<{ uploads: number; files: number }> {
  await inWorkspace(workspaceId, noteUnused, SECONDS);
  const keys = await inWorkspace(workspaceId, deleteUnused, SECONDS);
  const storage = uploadStorage();
  for (const key of [...keys, ...(await inWorkspace(workspaceId, deleteTransfers, SECONDS))]) await storage.remove(key);
  return { uploads: keys.length, files: await removeStray(workspaceId) };
}

/**
 * Deletes every file of a workspace that is gone, or whose time is over, for ever. May be called again at any time: before
 * its row is deleted, so that who is stopped meanwhile begins again; and after it, for what was on its way in between.
 * @throws UnavailableError when the store does not answer; an error for a workspace that stays, of which nothing is deleted
 */
export async function removeAllUploads(workspaceId: string): Promise<void> {
  const [stays] = await readWorkspace(workspaceId, (read) =>
    read("SELECT FROM workspaces WHERE delete_after IS NULL OR delete_after > now()"),
  );
  if (stays) throw new Error("The workspace is not to be deleted yet, and keeps its files.");
  await uploadStorage().removeAll(workspaceId);
}

async function noteUnused(db: Db): Promise<void> {
  const read = readingOf(db);
  const idle = await read<{ id: string }>(`SELECT u.id::text FROM uploads u WHERE NOT ${isUsed("u")}`);
  const inVersions = idle.length > 0 ? await usedByVersions(read) : new Set();
  const ids = idle.map(({ id }) => id).filter((id) => !inVersions.has(id));
  await db.$executeRaw`UPDATE uploads SET unused_since = NULL WHERE unused_since IS NOT NULL AND id <> ALL(${ids}::uuid[])`;
  await db.$executeRaw`UPDATE uploads SET unused_since = now() WHERE unused_since IS NULL AND id = ANY(${ids}::uuid[])`;
}

async function usedByVersions(read: Read): Promise<Set<string>> {
  const rows = await read<{ id: string }>(
    `SELECT DISTINCT lower(m[1]) AS id FROM article_versions v,
       regexp_matches(v.html, '/uploads/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})', 'g') m
     WHERE v.html LIKE '%/uploads/%'`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function deleteUnused(db: Db): Promise<string[]> {
  const read = readingOf(db);
  // Locked before it is looked once more who uses them: whoever begins to meanwhile is waited for, or waits and finds none.
  const due = await read<{ id: string }>(
    `SELECT id::text FROM uploads WHERE unused_since < now() - interval '24 hours'
     ORDER BY unused_since LIMIT ${MOST} FOR UPDATE SKIP LOCKED`,
  );
  if (due.length === 0) return [];
  const deleted = await read<{ key: string }>(
    `DELETE FROM uploads u WHERE u.id = ANY($1::uuid[]) AND NOT ${isUsed("u")} RETURNING storage_key AS key`,
    [due.map(({ id }) => id)],
  );
  return deleted.map(({ key }) => key);
}

/** Archives that were there to be fetched for long enough, and the bytes of those that nobody needs any more. */
async function deleteTransfers(db: Db): Promise<string[]> {
  const ended = await dropParts(
    db,
    "(state IN ('failed', 'cancelled') OR kind = 'import' AND state = 'done') FOR UPDATE SKIP LOCKED",
  );
  const old = await readingOf(db)<{ parts: string[] }>(
    `DELETE FROM transfers WHERE updated_at < now() - make_interval(days => ${TRANSFER_DAYS}) RETURNING parts`,
  );
  return [...ended, ...old.flatMap(({ parts }) => parts)];
}

async function removeStray(workspaceId: string): Promise<number> {
  const storage = uploadStorage();
  const before = Date.now() - 24 * 60 * 60_000;
  let removed = 0;
  let batch: string[] = [];
  const removeBatch = async () => {
    const known = await readWorkspace(workspaceId, (read) =>
      read<{ key: string }>(
        `SELECT storage_key AS key FROM uploads WHERE workspace_id = $1 AND storage_key = ANY($2)
         UNION ALL SELECT unnest(parts) FROM transfers WHERE workspace_id = $1`,
        [workspaceId, batch],
      ),
    );
    const rows = new Set(known.map(({ key }) => key));
    for (const key of batch.filter((one) => !rows.has(one))) {
      await storage.remove(key);
      removed++;
    }
    batch = [];
  };
  for await (const { key, modifiedAt } of storage.list(workspaceId)) {
    if (modifiedAt.getTime() >= before) continue;
    batch.push(key);
    if (batch.length >= MOST) await removeBatch();
  }
  if (batch.length > 0) await removeBatch();
  return removed;
}
