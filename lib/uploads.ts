import { createHash, randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, inWorkspace, readingOf } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { commitNaming, removeBytes } from "@/lib/uploads/commit";
import { type Content, takeContent } from "@/lib/uploads/content";
import { cleanFilename } from "@/lib/uploads/filename";
import { LOGO, PICTURE_SIDE } from "@/lib/uploads/images";
import type { UploadKind, UploadLimits } from "@/lib/uploads/kinds";
import { UploadError, uploadRefusal } from "@/lib/uploads/refusals";
import { newStorageKey } from "@/lib/uploads/storage";
import { readAs, type Viewer } from "@/lib/visibility";

export interface Upload {
  id: string;
  /** Cleaned: see lib/uploads/filename.ts. */
  filename: string;
  /** By its content. */
  contentType: string;
  /** In bytes, as it is stored. */
  byteSize: number;
  /** In pixels; null for what is no image. */
  width: number | null;
  height: number | null;
  /** At the workspace's host. */
  path: string;
}

/** An upload that somebody may fetch, with what an answer needs. */
export interface ServedUpload extends Upload {
  storageKey: string;
  /** Lowercase hexadecimal. */
  sha256: string;
  /**
   * "public" for pictures and the logo, which everybody may see as long as they exist; "shown" for what everybody sees at
   * the moment, since a published article shows it; "private" for what is only for members.
   */
  audience: "public" | "shown" | "private";
}

/**
 * Stores a file: its bytes first, then its row, which counts against the workspace's quota. Not to be called inside a
 * transaction. An upload that nothing uses is deleted after a day (lib/uploads/clean-up.ts).
 * @param given.content bytes, or a stream of them, which is not read further than the limit
 * @param given.by the member who uploads it; null for the command line
 * @param given.kind decides what is taken, and how an image is made anew: a picture is 256 pixels wide and high, a logo at
 *   most 480 by 128
 * @param given.sourceHash SHA-256 of the bytes as they came, for those who may bring them again
 * @param given.unchanged takes an image as it is: only for bytes that were made here once (lib/archive.ts)
 * @throws InvalidError for a file that cannot be taken, or for which there is no room; UnavailableError when database or
 *   store do not answer. Nothing is left then, but for what nobody knows of whether it was stored (lib/uploads/commit.ts)
 */
export async function storeUpload(
  workspaceId: string,
  given: {
    filename: string;
    content: Uint8Array | AsyncIterable<Uint8Array>;
    by: string | null;
    kind: UploadKind;
    sourceHash?: Buffer;
    unchanged?: boolean;
  },
): Promise<Upload> {
  const limits = env().uploads;
  const content = await takeContent(given.content, given.kind, limits, given.unchanged);
  const filename = cleanFilename(given.filename, content.extension);
  const storageKey = newStorageKey(workspaceId);
  try {
    await uploadStorage().put(storageKey, content.bytes);
  } catch (error) {
    await removeBytes([storageKey]);
    throw error;
  }
  return commitNaming([storageKey], () =>
    inWorkspace(workspaceId, (db) =>
      addRow(db, { storageKey, filename, content, by: given.by, sourceHash: given.sourceHash }, limits),
    ),
  );
}

async function addRow(
  db: Db,
  given: {
    storageKey: string;
    filename: string;
    content: Content;
    by: string | null;
    sourceHash: Buffer | undefined;
  },
  limits: UploadLimits,
): Promise<Upload> {
  // Held to the end of the transaction: of many who upload at once, each sees what those before it have taken.
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  const { content, storageKey, filename } = given;
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
      ...{ id, storageKey, ...row, byteSize: bytes.length, sha256, createdBy: given.by },
      sourceSha256: given.sourceHash ? new Uint8Array(given.sourceHash) : null,
    },
  });
  return { id, ...row, byteSize: bytes.length, path: uploadPath(id) };
}

/** Where an upload is at its workspace's host. */
function uploadPath(id: string): string {
  return `/uploads/${id}`;
}

/**
 * The upload that a viewer may fetch, or null: for members every one, for others pictures, the logo, what a published
 * article shows that is for them, and what the draft uses whose preview they have. One of another workspace is as if it
 * were not there.
 * @param previewed the article of a preview's link (previewedId of lib/previews.ts)
 */
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
    type Row = Omit<ServedUpload, "audience" | "path"> & { isFace: boolean; isShown: boolean; isPreviewed: boolean };
    const [row] = await read<Row>(
      `SELECT u.id, u.filename, u.content_type AS "contentType", u.byte_size::float8 AS "byteSize", u.width, u.height,
         u.storage_key AS "storageKey", encode(u.sha256, 'hex') AS sha256,
         EXISTS (SELECT FROM members m WHERE m.workspace_id = u.workspace_id AND m.picture_upload_id = u.id)
           OR EXISTS (SELECT FROM workspaces w WHERE w.id = u.workspace_id AND w.logo_upload_id = u.id) AS "isFace",
         ${isShown("article_attachments")} OR ${isShown("article_links")} AS "isShown",
         ${isPreviewed("article_attachments")} OR ${isPreviewed("article_links")} AS "isPreviewed"
       FROM uploads u WHERE u.workspace_id = $1 AND u.id = $2`,
      [workspace.id, id, hidden, previewed],
    );
    if (!row || (viewer === "anyone" && !row.isFace && !row.isShown && !row.isPreviewed)) return null;
    const { isFace, isShown: shown, isPreviewed: _, ...upload } = row;
    // A member sees hidden articles too: what those show is not for everybody.
    const audience = isFace ? "public" : viewer === "anyone" && shown ? "shown" : "private";
    return { ...upload, path: uploadPath(id), audience };
  });
}

/**
 * Makes an upload a member's picture; null takes it away.
 * @returns the upload that was it before
 * @throws NotFoundError for an unknown member, InvalidError for what was not uploaded as a picture
 */
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
  await startDay(db, [member.picture, uploadId]);
  const subject = { kind: "member", id: memberId, name: member.email };
  await recordAudit(db, actor, "member.updated", subject, { picture: filename ?? "none" });
  return member.picture;
}

/**
 * Makes an upload the workspace's logo; null takes it away.
 * @returns the upload that was it before
 * @throws InvalidError for what was not uploaded as a logo
 */
export async function setLogo(db: Db, uploadId: string | null, actor: Actor): Promise<string | null> {
  const filename = await imageNamed(db, uploadId, ({ width, height }) => width <= LOGO.width && height <= LOGO.height);
  const [workspace] = await readingOf(db)<{ id: string; name: string; logo: string | null }>(
    "SELECT id, name, logo_upload_id AS logo FROM workspaces FOR NO KEY UPDATE",
  );
  if (!workspace) throw new Error("The wall shows no workspace.");
  if (workspace.logo === uploadId) return uploadId;
  await db.workspace.updateMany({ data: { logoUploadId: uploadId, updatedAt: new Date() } });
  await startDay(db, [workspace.logo, uploadId]);
  const subject = { kind: "workspace", id: workspace.id, name: workspace.name };
  await recordAudit(db, actor, "workspace.updated", subject, { logo: filename ?? "none" });
  return workspace.logo;
}

/**
 * What is put in the place of another, or loses it, is kept for a whole day from now on, though it may have been unused for
 * long before: taking it away can be undone.
 */
async function startDay(db: Db, uploadIds: (string | null)[]): Promise<void> {
  const ids = uploadIds.filter((id) => id !== null);
  await db.upload.updateMany({ where: { id: { in: ids }, unusedSince: { not: null } }, data: { unusedSince: null } });
}

/** The name of an image of the right size, kept from being cleaned away; null for none. */
async function imageNamed(
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
    ? "This file was uploaded for something else: upload the image again, here."
    : "The uploaded file is not there any more: upload it again.";
  throw new InvalidError([{ field: "file", code: upload ? "invalid" : "not_found", message }]);
}
