import { env } from "@/lib/env";
import { bounded, ENVELOPE, FormFileError, fileOfForm } from "@/lib/http/form-file";
import type { UploadKind } from "@/lib/uploads/kinds";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";

interface Bringing {
  headers: Pick<Headers, "get">;
  body: AsyncIterable<Uint8Array, unknown> | null;
}

/**
 * Streams the file of a request: the body itself, which is then called `name`, or the field `file` of a form.
 * @throws UploadError, also from the stream: for a missing, incomplete or too large file
 */
export async function arrivingFile(
  { headers, body }: Bringing,
  { kind, name }: { kind: UploadKind; name: string },
): Promise<{ filename: string; content: AsyncIterable<Uint8Array> }> {
  const limits = env().uploads;
  const refuse = (reason: UploadReason) => new UploadError(reason, uploadRefusal(reason, kind, limits) ?? "");
  const inWords = (error: unknown) => (error instanceof FormFileError ? refuse(error.reason) : error);
  const most =
    ENVELOPE + (kind === "attachment" ? Math.max(limits.imageBytes, limits.attachmentBytes) : limits.imageBytes);
  if (Number(headers.get("content-length") ?? 0) > most) throw refuse("large");
  const type = headers.get("content-type") ?? "";
  const whole = bounded(body, most, () => refuse("large"));
  try {
    const { filename, content } = /^multipart\/form-data\b/i.test(type)
      ? await fileOfForm(type, whole)
      : { filename: name, content: whole };
    return { filename, content: checked(content, inWords, filename === "" ? () => refuse("missing") : null) };
  } catch (error) {
    throw inWords(error);
  }
}

async function* checked(
  content: AsyncIterable<Uint8Array>,
  inWords: (error: unknown) => unknown,
  nothing: (() => Error) | null,
): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  try {
    for await (const part of content) {
      isEmpty &&= part.length === 0;
      yield part;
    }
  } catch (error) {
    throw inWords(error);
  }
  if (isEmpty && nothing) throw nothing();
}
