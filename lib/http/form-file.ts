import { InvalidError } from "@/lib/errors";

interface FormFile {
  filename: string;
  /** Throws FormFileError if the body ends early. */
  content: AsyncIterable<Uint8Array>;
}

export class FormFileError extends InvalidError {
  override name = "FormFileError";

  constructor(readonly reason: "missing" | "cut_off") {
    super([
      reason === "missing"
        ? { field: "file", code: "required", message: "Choose a file." }
        : { field: "file", code: "not_allowed", message: "Upload interrupted. Try again." },
    ]);
  }
}

/** Bytes, before the file and after it. */
const AROUND = 8 * 1024;

/** Bytes around the file, for limits of whole bodies. */
export const ENVELOPE = 64 * 1024;

/** Streams the field `file` of a form (RFC 7578). Only a few kilobytes around it are read. @throws FormFileError */
export async function fileOfForm(contentType: string, body: AsyncIterable<Uint8Array, unknown>): Promise<FormFile> {
  const [, quoted, plain] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new FormFileError("missing");
  const chunks = body[Symbol.asyncIterator]();
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

function fileIn(bytes: Buffer, line: Buffer): { filename: string; start: number } | null {
  if (bytes.indexOf(line) !== 0) return null;
  for (let at = 0; at >= 0; at = bytes.indexOf(line, at + line.length)) {
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end < 0) return null;
    const head = bytes.subarray(at + line.length, end).toString();
    const [, filename] = /;\s*filename="((?:[^"\\\r\n]|\\.)*)"/i.exec(head) ?? [];
    const isFile = filename !== undefined && /^content-disposition:[^\r\n]*;\s*name="file"/im.test(head);
    if (!head.startsWith("\r\n") || !isFile) continue;
    // Browsers escape these.
    return { filename: filename.replaceAll("%22", '"').replace(/%0D|%0A/g, ""), start: end + 4 };
  }
  return null;
}

function isCutOff(bytes: Buffer, line: Buffer): boolean {
  const length = Math.min(bytes.length, line.length);
  const begins = bytes.subarray(0, length).equals(line.subarray(0, length));
  return begins && !bytes.includes(Buffer.concat([line, Buffer.from("--")]));
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
    // Its end may start the boundary.
    const sure = Math.max(0, waiting.length - line.length + 1);
    if (sure > 0) yield waiting.subarray(0, sure);
    const { value, done } = await chunks.next();
    if (done) throw new FormFileError("cut_off");
    waiting = Buffer.concat([waiting.subarray(sure), value]);
  }
}

async function passOver(chunks: AsyncIterator<Uint8Array, unknown>, most: number): Promise<void> {
  for (let left = most; left > 0; ) {
    const { value, done } = await chunks.next();
    if (done) return;
    left -= value.length;
  }
}

/** @param most in bytes. Throws FormFileError if the connection is cut. */
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
