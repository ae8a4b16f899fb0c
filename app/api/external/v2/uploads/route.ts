import { z } from "zod";
import type { ApiRequest } from "@/lib/api/answer";
import { HttpError } from "@/lib/api/errors";
import { type ApiFile, created, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { networkOf } from "@/lib/http/network";
import { arrivingFile } from "@/lib/uploads/arriving";
import { removeBytes } from "@/lib/uploads/commit";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";
import { takeUploadSlot } from "@/lib/uploads/upload-slots";
import { addUpload, storeBytes } from "@/lib/uploads/uploads";
import { anUpload } from "../_shapes/examples";
import { UploadDetails, uploadShape } from "../_shapes/upload";
import { urlsOf } from "../_shapes/urls";

const uploadFile = writeOperation({
  operationId: "uploadFile",
  tag: "Files",
  summary: "Upload a file",
  description: [
    "Uploads an image or another file, as in the editor. Send the file as the body with its name in `file_name`, or as the `file` field of a form (`multipart/form-data`).",
    "Use `url` in the text of an article, or `id` in `attachment_ids`. Until an article that readers can see uses the file, only members can open it. A file that no article has used for 24 hours is deleted.",
  ].join("\n\n"),
  returns: "The new file.",
  example: { upload: anUpload },
  invalid: { field: "file", code: "required", message: "The file is empty. Choose another one." },
  scope: "files",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({
    file_name: z
      .string()
      .max(1_000, { error: "file_name can have up to 1,000 characters." })
      .optional()
      .meta({
        description: "The filename. Default: the name in the form, or `file`.",
        examples: ["diagram.png"],
      }),
  }),
  file: {
    enter: ({ workspaceId, ip }) => takeUploadSlot(workspaceId, networkOf(ip)),
    read: fileOf,
    tooLarge: tooLarge(
      uploadRefusal("large", "attachment", { imageBytes: 10_000_000, attachmentBytes: 50_000_000, quotaBytes: 0 }),
    ),
  },
  response: z
    .object({ upload: UploadDetails.describe("The file.") })
    .meta({ id: "UploadAnswer", description: "One file." }),
  prepare: ({ workspace, query, file }) => {
    const { name, bytes } = file!;
    const filename = query.file_name ?? name;
    return storeBytes(workspace.id, { filename, content: bytes, kind: "attachment" }).catch(inApiWords);
  },
  undo: ({ storageKey }) => removeBytes([storageKey]),
  async handle({ db, workspace, prepared, actor }) {
    const upload = uploadShape(await addUpload(db, prepared, actor), urlsOf(workspace));
    return created({ upload }, upload.url);
  },
});

async function fileOf(request: ApiRequest): Promise<ApiFile> {
  const { headers } = request;
  const body = request.body as unknown as AsyncIterable<Uint8Array> | null;
  const parts: Uint8Array[] = [];
  try {
    const { filename, content } = await arrivingFile({ headers, body }, { kind: "attachment", name: "file" });
    for await (const part of content) parts.push(part);
    return { name: filename, bytes: Buffer.concat(parts) };
  } catch (error) {
    return inApiWords(error);
  }
}

function inApiWords(error: unknown): never {
  const isAbout = (...reasons: UploadReason[]) => error instanceof UploadError && reasons.includes(error.reason);
  if (isAbout("large", "large_image")) throw tooLarge((error as UploadError).message);
  if (isAbout("cut_off")) throw new HttpError("malformed_body", "The body was cut off. Send it again.");
  if (isAbout("missing")) {
    throw new HttpError("malformed_body", "The form has no file. Send it in a field named file, with a filename.");
  }
  throw error;
}

function tooLarge(message: string | null): HttpError {
  return new HttpError("body_too_large", message ?? "");
}

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ POST: uploadFile });
