import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { uploadStorage } from "@/lib/uploads/chosen-storage";

const MOST = 500;
const SECONDS = 20;

const isUsed = (upload: string) => `(
  EXISTS (SELECT FROM members m WHERE m.workspace_id = ${upload}.workspace_id AND m.picture_upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM workspaces w WHERE w.id = ${upload}.workspace_id AND w.logo_upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM article_attachments x WHERE x.workspace_id = ${upload}.workspace_id AND x.upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM article_links x WHERE x.workspace_id = ${upload}.workspace_id AND x.upload_id = ${upload}.id)
  OR EXISTS (SELECT FROM snippets s WHERE s.workspace_id = ${upload}.workspace_id AND ${upload}.id = ANY(s.upload_ids)))`;

/**
 * Deletes uploads unused for 24 hours, and old files without a row. Versions and the trash are uses. Safe on several
 * servers.
 */
export async function cleanUploads(workspaceId: string): Promise<{ uploads: number; files: number }> {
  await inWorkspace(workspaceId, noteUnused, SECONDS);
  const keys = await inWorkspace(workspaceId, deleteUnused, SECONDS);
  const storage = uploadStorage();
  for (const key of keys) await storage.remove(key);
  return { uploads: keys.length, files: await removeStray(workspaceId) };
}

/** Deletes all files of a workspace. Throws for a workspace that stays. */
export async function removeAllUploads(workspaceId: string): Promise<void> {
  const [stays] = await readWorkspace(workspaceId, (read) =>
    read("SELECT FROM workspaces WHERE delete_after IS NULL OR delete_after > now()"),
  );
  if (stays) throw new Error("The workspace is not due for deletion yet and keeps its files.");
  await uploadStorage().removeAll(workspaceId);
}

async function noteUnused(db: Db): Promise<void> {
  const read = readingOf(db);
  const idle = await read<{ id: string }>(`SELECT u.id::text FROM uploads u WHERE NOT ${isUsed("u")}`);
  const restorable =
    idle.length > 0 ? new Set([...(await usedByVersions(read)), ...(await usedByTrash(read))]) : new Set();
  const ids = idle.map(({ id }) => id).filter((id) => !restorable.has(id));
  await db.$executeRaw`UPDATE uploads SET unused_since = NULL WHERE unused_since IS NOT NULL AND id <> ALL(${ids}::uuid[])`;
  await db.$executeRaw`UPDATE uploads SET unused_since = now() WHERE unused_since IS NULL AND id = ANY(${ids}::uuid[])`;
}

async function usedByTrash(read: Read): Promise<string[]> {
  const rows = await read<{ id: string }>(
    `SELECT DISTINCT x->>'upload_id' AS id FROM trash t,
       jsonb_array_elements(t.rows->'article_links' || t.rows->'article_attachments') x WHERE x->>'upload_id' IS NOT NULL`,
  );
  return rows.map(({ id }) => id);
}

async function usedByVersions(read: Read): Promise<string[]> {
  const rows = await read<{ id: string }>(
    `SELECT DISTINCT lower(m[1]) AS id FROM article_versions v,
       regexp_matches(v.html, '/uploads/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})', 'g') m
     WHERE v.html LIKE '%/uploads/%'`,
  );
  return rows.map(({ id }) => id);
}

async function deleteUnused(db: Db): Promise<string[]> {
  const read = readingOf(db);
  // Rows are locked before the last check for uses: a concurrent use waits, or finds the upload gone.
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
