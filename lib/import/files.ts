import { createHash } from "node:crypto";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError } from "@/lib/errors";
import { isSealed } from "@/lib/export/format";
import type { StoredFile } from "@/lib/import/addresses";
import { READ_SECONDS } from "@/lib/import/existing";
import type { Source } from "@/lib/import/listing";
import { FileError, type Problem } from "@/lib/import/problem";
import { takeContent } from "@/lib/uploads/content";
import { cleanFilename } from "@/lib/uploads/filename";
import { storeUpload } from "@/lib/uploads/uploads";

interface Known {
  id: string;
  filename: string;
  isImage: boolean;
}

/**
 * Stores files that articles show or link to as uploads. Files of an earlier run are found by their content. Nobody sees a file
 * before an article uses it, and the clean-up removes unused ones.
 * @returns path → upload, and refused files with reasons
 */
export async function storeFiles(
  source: Source,
  input: {
    workspaceId: string;
    paths: readonly string[];
    by: string | null;
    secret: string | undefined;
    dryRun: boolean;
    signal: AbortSignal | undefined;
    onFile: (done: number) => void;
  },
): Promise<{ files: Map<string, StoredFile>; problems: Problem[] }> {
  const { workspaceId, paths, by, secret, dryRun } = input;
  const files = new Map<string, StoredFile>();
  const problems: Problem[] = [];
  if (paths.length === 0) return { files, problems };
  const seals = new Map(source.data?.files.map(({ path, seal }) => [path, seal]));
  const known = await knownFiles(workspaceId);
  const reused: string[] = [];
  const limits = env().uploads;
  for (const [index, path] of paths.entries()) {
    if (input.signal?.aborted) break;
    try {
      const bytes = await source.read(path, Math.max(limits.imageBytes, limits.attachmentBytes));
      const hash = createHash("sha256").update(bytes).digest();
      const name = path.slice(path.lastIndexOf("/") + 1);
      const again = known
        .get(hash.toString("hex"))
        ?.find(({ filename }) => filename === cleanFilename(name, extensionOf(filename)));
      if (again) {
        reused.push(again.id);
        files.set(path, again);
      } else if (dryRun) {
        const { width } = await takeContent(bytes, "attachment", limits);
        files.set(path, { id: "00000000-0000-0000-0000-000000000000", isImage: width !== null });
      } else {
        const unchanged = isSealed(hash.toString("hex"), seals.get(path), secret);
        const upload = await storeUpload(workspaceId, {
          filename: name,
          content: bytes,
          by,
          kind: "attachment",
          sourceHash: hash,
          unchanged,
        });
        const stored = { id: upload.id, filename: upload.filename, isImage: upload.width !== null };
        known.set(hash.toString("hex"), [...(known.get(hash.toString("hex")) ?? []), stored]);
        files.set(path, stored);
      }
    } catch (error) {
      if (!(error instanceof FileError || error instanceof InvalidError)) throw error;
      problems.push({ path, message: error.message });
    }
    input.onFile(index + 1);
  }
  // The clean-up must not remove one before its article is stored.
  if (!dryRun && reused.length > 0) {
    await inWorkspace(
      workspaceId,
      (db) => db.upload.updateMany({ where: { id: { in: reused } }, data: { unusedSince: null } }),
      READ_SECONDS,
    );
  }
  return { files, problems };
}

/** By hash, of both the original and the stored bytes. */
async function knownFiles(workspaceId: string): Promise<Map<string, Known[]>> {
  const rows = await readWorkspace(
    workspaceId,
    (read) =>
      read<Known & { hashes: string[] }>(
        `SELECT id, filename, width IS NOT NULL AS "isImage",
           ARRAY[encode(sha256, 'hex'), encode(coalesce(source_sha256, sha256), 'hex')] AS hashes FROM uploads`,
      ),
    READ_SECONDS,
  );
  const known = new Map<string, Known[]>();
  for (const { hashes, ...upload } of rows) {
    for (const hash of new Set(hashes)) known.set(hash, [...(known.get(hash) ?? []), upload]);
  }
  return known;
}

/** A re-encoded image may have another extension. */
function extensionOf(filename: string): string | undefined {
  return /\.(png|jpg|webp|gif)$/.exec(filename)?.[1];
}
