import { env } from "@/lib/env";
import { bounded, ENVELOPE, FormFileError, fileOfForm } from "@/lib/form-file";
import type { UploadKind } from "@/lib/uploads/kinds";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";

/** A request that brings a file. */
interface Bringing {
  headers: Headers;
  body: AsyncIterable<Uint8Array, unknown> | null;
}

/**
 * The file of a request, alone as its body or as the field `file` of a form, as it arrives: nothing of it is kept here.
 * @param given.kind what it is uploaded as, which says how large it may be
 * @param given.name what a file is called that is sent alone
 * @throws UploadError for a form without a file, and for one that is said to be too large. The content throws it too, when
 *   there is more of it than that, and when it does not arrive whole
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
    return { filename, content: told(content, inWords, filename === "" ? () => refuse("missing") : null) };
  } catch (error) {
    throw inWords(error);
  }
}

/** @param nothing what is thrown when there is none: a browser sends a file without name and content where none was chosen */
async function* told(
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
