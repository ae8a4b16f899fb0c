import { InvalidError } from "@/lib/errors";

/** A file that a form sends, as it arrives. */
interface FormFile {
  filename: string;
  /** Throws FormFileError when the body ends before the file does. */
  content: AsyncIterable<Uint8Array>;
}

/** A form without a file, or one whose body was cut off. */
export class FormFileError extends InvalidError {
  override name = "FormFileError";

  constructor(readonly reason: "missing" | "cut_off") {
    super([
      reason === "missing"
        ? { field: "file", code: "required", message: "Choose a file." }
        : { field: "file", code: "not_allowed", message: "The file did not arrive whole: send it again." },
    ]);
  }
}

/** What a form may have before its file, and after it, in bytes. */
const AROUND = 8 * 1024;

/** What a form has beside its file at most, in bytes: for who bounds a body as a whole. */
export const ENVELOPE = 64 * 1024;

/**
 * The field `file` of a form (RFC 7578), without waiting for its end, so that no more of it is in memory than has just
 * arrived. Other fields are passed over; what comes after the file is not read further than a few kilobytes.
 * @throws FormFileError for what is no such form
 */
export async function fileOfForm(contentType: string, body: AsyncIterable<Uint8Array, unknown>): Promise<FormFile> {
  const [, quoted, plain] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new FormFileError("missing");
  const chunks = body[Symbol.asyncIterator]();
  // The first boundary has no line before it.
  const line = Buffer.from(`\r\n--${boundary}`);
  let waiting: Buffer = Buffer.from("\r\n");
  for (;;) {
    const found = fileIn(waiting, line);
    if (found) {
      const first = waiting.subarray(found.start);
      return { filename: found.filename, content: contentOf(first, chunks, line) };
    }
    if (waiting.length > AROUND) throw new FormFileError("missing");
    const { value, done } = await chunks.next();
    if (done) throw new FormFileError(isCutOff(waiting, line) ? "cut_off" : "missing");
    waiting = Buffer.concat([waiting, value]);
  }
}

/** Where the content of the file begins, when its head has arrived. */
function fileIn(given: Buffer, line: Buffer): { filename: string; start: number } | null {
  if (given.indexOf(line) !== 0) return null;
  for (let at = 0; at >= 0; at = given.indexOf(line, at + line.length)) {
    const end = given.indexOf("\r\n\r\n", at);
    if (end < 0) return null;
    const head = given.subarray(at + line.length, end).toString();
    const [, filename] = /;\s*filename="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
    const isFile = filename !== undefined && /^content-disposition:[^\r\n]*;\s*name="file"/im.test(head);
    if (!head.startsWith("\r\n") || !isFile) continue;
    // As browsers write what must not stand there.
    return { filename: filename.replaceAll("%22", '"').replace(/%0D|%0A/g, ""), start: end + 4 };
  }
  return null;
}

/** Whether what ended without a file began as a form does, and did not end like one. */
function isCutOff(given: Buffer, line: Buffer): boolean {
  const length = Math.min(given.length, line.length);
  const begins = given.subarray(0, length).equals(line.subarray(0, length));
  return begins && !given.includes(Buffer.concat([line, Buffer.from("--")]));
}

async function* contentOf(
  first: Buffer,
  chunks: AsyncIterator<Uint8Array, unknown>,
  line: Buffer,
): AsyncGenerator<Uint8Array> {
  let waiting = first;
  for (;;) {
    const end = waiting.indexOf(line);
    if (end >= 0) {
      if (end > 0) yield waiting.subarray(0, end);
      await passOver(chunks, AROUND - (waiting.length - end));
      return;
    }
    // The end of it may be the beginning of the boundary.
    const sure = Math.max(0, waiting.length - line.length + 1);
    if (sure > 0) yield waiting.subarray(0, sure);
    const { value, done } = await chunks.next();
    if (done) throw new FormFileError("cut_off");
    waiting = Buffer.concat([waiting.subarray(sure), value]);
  }
}

/** Who sends on behind the file without an end is not listened to. */
async function passOver(chunks: AsyncIterator<Uint8Array, unknown>, most: number): Promise<void> {
  for (let left = most; left > 0; ) {
    const { value, done } = await chunks.next();
    if (done) return;
    left -= value.length;
  }
}

/**
 * A body as it comes, up to a bound.
 * @param most in bytes
 * @param refuse what is thrown for more
 * @throws FormFileError when the connection is cut
 */
export async function* bounded(
  body: AsyncIterable<Uint8Array, unknown> | null,
  most: number,
  refuse: () => Error,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  let refusal: Error | null = null;
  try {
    for await (const part of body ?? []) {
      length += part.length;
      if (length > most) throw (refusal = refuse());
      yield part;
    }
  } catch {
    throw refusal ?? new FormFileError("cut_off");
  }
}
