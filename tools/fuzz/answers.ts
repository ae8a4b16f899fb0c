import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** An answer as it was received. */
export interface Answer {
  status: number;
  headers: [name: string, value: string][];
  /** Decompressed. */
  body: Buffer;
}

const decompress: Record<string, (bytes: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

/** The answer with its body decompressed, or as it is when the body is not what its Content-Encoding says. */
export function decompressed(answer: Answer): Answer {
  const coding = answer.headers.find(([name]) => name.toLowerCase() === "content-encoding")?.[1];
  if (!coding || answer.body.length === 0) return answer;
  try {
    return { ...answer, body: decompress[coding]!(answer.body) };
  } catch {
    return answer;
  }
}

/**
 * The answers that a server wrote to one connection, without interim ones and answers to HEAD. Strict, because anything that a
 * reader would have to guess is a fault.
 * @returns the complete answers, and the remaining bytes
 */
export function answersIn(bytes: Buffer): { answers: Answer[]; rest: Buffer } {
  const answers: Answer[] = [];
  let rest = bytes;
  for (;;) {
    const next = answerAt(rest);
    if (!next) return { answers, rest };
    if (next.answer.status >= 200) answers.push(decompressed(next.answer));
    rest = rest.subarray(next.length);
  }
}

function answerAt(bytes: Buffer): { answer: Answer; length: number } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  if (!status) return null;
  const headers: Answer["headers"] = [];
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    headers.push([name, value]);
  }
  const found = bodyAt(bytes.subarray(end + 4), Number(status), headers);
  return found && { answer: { status: Number(status), headers, body: found.body }, length: end + 4 + found.length };
}

function bodyAt(bytes: Buffer, status: number, headers: Answer["headers"]): { body: Buffer; length: number } | null {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), length: 0 };
  if (header("transfer-encoding") === "chunked") return chunksAt(bytes);
  const announced = header("content-length");
  // Without a length, the body ends with the connection.
  const length = announced === undefined ? bytes.length : Number(announced);
  return bytes.length < length ? null : { body: bytes.subarray(0, length), length };
}

function chunksAt(bytes: Buffer): { body: Buffer; length: number } | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n", at);
    if (end === -1) return null;
    const size = Number.parseInt(bytes.subarray(at, end).toString("latin1"), 16);
    const next = end + 2 + size + 2;
    if (Number.isNaN(size) || bytes.length < next) return null;
    if (size === 0) return { body: Buffer.concat(parts), length: next };
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = next;
  }
}
