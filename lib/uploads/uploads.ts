import { createHash, randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, lockWorkspace, readingOf } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError, UnavailableError } from "@/lib/errors";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";
import { type Content, takeContent } from "@/lib/uploads/content";
import { cleanFilename } from "@/lib/uploads/filename";
import { PICTURE_SIDE } from "@/lib/uploads/images";
import type { UploadKind } from "@/lib/uploads/kinds";
import { UploadError, uploadRefusal } from "@/lib/uploads/refusals";
import { isDiskFull, newStorageKey } from "@/lib/uploads/storage";
import { readAs, type Viewer } from "@/lib/visibility";

export interface Upload {
  id: string;
  filename: string;
  contentType: string;
  byteSize: number;
  width: number | null;
  height: number | null;
  path: string;
}

export interface ServedUpload extends Upload {
  storageKey: string;
  sha256: string;
  /** "public" for pictures and logos, "shown" while a published article shows the file, "private" for members only. */
  audience: "public" | "shown" | "private";
}

/**
 * Stores the bytes, then a row that counts against the quota. Not for use inside a transaction.
 * @param input.sourceHash SHA-256 of the original bytes, to recognize them in a later import
 * @param input.unchanged keeps an image's bytes: only for those that Lectern encoded (lib/export/format.ts)
 * @throws InvalidError, UnavailableError
 */
export async function storeUpload(
  workspaceId: string,
  input: {
    filename: string;
    content: Uint8Array | AsyncIterable<Uint8Array>;
    by: string | null;
    kind: UploadKind;
    sourceHash?: Buffer;
    unchanged?: boolean;
  },
): Promise<Upload> {
  const stored = await storeBytes(workspaceId, input);
  return commitNaming([stored.storageKey], () => inWorkspace(workspaceId, (db) => addRow(db, { ...input, ...stored })));
}

/** A file whose bytes are stored, without its row. */
export interface StoredFile {
  storageKey: string;
  filename: string;
  content: Content;
}

/**
 * Not for use inside a transaction. Remove the bytes if their row is not committed.
 * @throws InvalidError, and UnavailableError if the disk is full
 */
export async function storeBytes(
  workspaceId: string,
  input: { filename: string; content: Uint8Array | AsyncIterable<Uint8Array>; kind: UploadKind; unchanged?: boolean },
): Promise<StoredFile> {
  const content = await takeContent(input.content, input.kind, env().uploads, input.unchanged);
  const storageKey = newStorageKey(workspaceId);
  try {
    await uploadStorage().put(storageKey, content.bytes);
  } catch (error) {
    await removeBytes([storageKey]);
    if (!isDiskFull(error)) throw error;
    throw new UnavailableError("The disk of the uploads is full. Free some space.", { cause: error });
  }
  return { storageKey, filename: cleanFilename(input.filename, content.extension), content };
}

/** Adds the row of a program's file, and records it, because no member has uploaded it. @throws InvalidError */
export async function addUpload(db: Db, stored: StoredFile, actor: Actor): Promise<Upload> {
  const upload = await addRow(db, { ...stored, by: null });
  await recordAudit(db, actor, "file.uploaded", { kind: "upload", id: upload.id, name: upload.filename });
  return upload;
}

async function addRow(
  db: Db,
  input: StoredFile & { by: string | null; sourceHash?: Buffer | undefined },
): Promise<Upload> {
  const limits = env().uploads;
  // Concurrent uploads count one after the other against the quota.
  await lockWorkspace(db);
  const { content, storageKey, filename } = input;
  const { bytes, contentType, width, height } = content;
  const taken = await db.upload.aggregate({ _sum: { byteSize: true } });
  if (Number(taken._sum.byteSize ?? 0) + bytes.length > limits.quotaBytes) {
    throw new UploadError("no_room", uploadRefusal("no_room", "attachment", limits) ?? "");
  }
  const id = randomUUID();
  const sha256 = createHash("sha256").update(bytes).digest();
  const row = { filename, contentType, width, height };
  await db.upload.create({
    data: {
      id,
      storageKey,
      ...row,
      byteSize: bytes.length,
      sha256,
      createdBy: input.by,
      sourceSha256: input.sourceHash ? new Uint8Array(input.sourceHash) : null,
    },
  });
  return { id, ...row, byteSize: bytes.length, path: uploadPath(id) };
}

function uploadPath(id: string): string {
  return `/uploads/${id}`;
}

/** Null for an upload that the viewer may not fetch. `previewed` is the article of the viewer's preview link. */
export async function uploadFor(
  workspace: { id: string },
  viewer: Viewer,
  id: string,
  previewed: string | null = null,
): Promise<ServedUpload | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  return readAs(workspace, viewer, async ({ read, hidden }) => {
    const isShown = (table: string) => `EXISTS (
      SELECT FROM ${table} x JOIN articles a ON a.workspace_id = x.workspace_id AND a.id = x.article_id
      WHERE x.workspace_id = u.workspace_id AND x.upload_id = u.id AND x.in_live AND a.state = 'published'
        AND a.category_id <> ALL($3::uuid[]))`;
    const isPreviewed = (table: string) =>
      `EXISTS (SELECT FROM ${table} x WHERE x.article_id = $4::uuid AND x.upload_id = u.id AND x.in_draft)`;
    const inSnippet = (where: string) => `EXISTS (
      SELECT FROM snippets s JOIN article_links x ON x.workspace_id = s.workspace_id AND x.kind = 'snippet' AND x.target = s.name
      JOIN articles a ON a.workspace_id = x.workspace_id AND a.id = x.article_id
      WHERE s.workspace_id = u.workspace_id AND u.id = ANY(s.upload_ids) AND ${where})`;
    type Row = Omit<ServedUpload, "audience" | "path"> & { isFace: boolean; isShown: boolean; isPreviewed: boolean };
    const [row] = await read<Row>(
      `SELECT u.id, u.filename, u.content_type AS "contentType", u.byte_size::float8 AS "byteSize", u.width, u.height,
         u.storage_key AS "storageKey", encode(u.sha256, 'hex') AS sha256,
         EXISTS (SELECT FROM members m WHERE m.workspace_id = u.workspace_id AND m.picture_upload_id = u.id)
           OR EXISTS (SELECT FROM workspaces w WHERE w.id = u.workspace_id AND w.logo_upload_id = u.id) AS "isFace",
         ${isShown("article_attachments")} OR ${isShown("article_links")}
           OR ${inSnippet("x.in_live AND a.state = 'published' AND a.category_id <> ALL($3::uuid[])")} AS "isShown",
         ${isPreviewed("article_attachments")} OR ${isPreviewed("article_links")}
           OR ${inSnippet("x.article_id = $4::uuid AND x.in_draft")} AS "isPreviewed"
       FROM uploads u WHERE u.workspace_id = $1 AND u.id = $2`,
      [workspace.id, id, hidden, previewed],
    );
    if (!row || (viewer === "anyone" && !row.isFace && !row.isShown && !row.isPreviewed)) return null;
    const { isFace, isShown: shown, isPreviewed: _, ...upload } = row;
    // Members see hidden articles too, so their files are not public.
    const audience = isFace ? "public" : viewer === "anyone" && shown ? "shown" : "private";
    return { ...upload, path: uploadPath(id), audience };
  });
}

/** @returns the id of the picture before */
export async function setPicture(
  db: Db,
  memberId: string,
  uploadId: string | null,
  actor: Actor,
): Promise<string | null> {
  const filename = await imageNamed(
    db,
    uploadId,
    ({ width, height }) => width === PICTURE_SIDE && height === PICTURE_SIDE,
  );
  const [member] = await readingOf(db)<{ email: string; picture: string | null }>(
    `SELECT email, picture_upload_id AS picture FROM members WHERE id = $1::uuid FOR NO KEY UPDATE`,
    [memberId],
  );
  if (!member) throw new NotFoundError("No such member.");
  if (member.picture === uploadId) return uploadId;
  await db.member.updateMany({ where: { id: memberId }, data: { pictureUploadId: uploadId, updatedAt: new Date() } });
  await keepForADay(db, [member.picture, uploadId]);
  const subject = { kind: "member", id: memberId, name: member.email };
  await recordAudit(db, actor, "member.updated", subject, { picture: filename ?? "none" });
  return member.picture;
}

/** Keeps unused uploads for a day from now, since replacing or removing an image can be undone. */
export async function keepForADay(db: Db, uploadIds: (string | null)[]): Promise<void> {
  const ids = uploadIds.filter((id) => id !== null);
  await db.upload.updateMany({ where: { id: { in: ids }, unusedSince: { not: null } }, data: { unusedSince: null } });
}

/** Keeps the image from the clean-up until the transaction ends. */
export async function imageNamed(
  db: Db,
  uploadId: string | null,
  fits: (size: { width: number; height: number }) => boolean,
): Promise<string | null> {
  if (uploadId === null) return null;
  const [upload] = await readingOf(db)<{ filename: string; width: number | null; height: number | null }>(
    "SELECT filename, width, height FROM uploads WHERE id = $1::uuid FOR KEY SHARE",
    [uploadId],
  );
  const { width, height } = upload ?? {};
  if (upload && width && height && fits({ width, height })) return upload.filename;
  const message = upload
    ? "This file was uploaded for another purpose. Upload the image again here."
    : "The uploaded file no longer exists. Upload it again.";
  throw new InvalidError([{ field: "file", code: upload ? "invalid" : "not_found", message }]);
}
