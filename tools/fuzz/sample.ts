import type { Workspace } from "./world";

/** Whether a check of the API lets a request pass, where the contract says it; "either" where it leaves it open. */
export type Verdict = "pass" | "fail" | "either";

/** The checks of every request in the contract's order, and how a request is answered that fails one. */
const stages = {
  length: 414,
  decoding: 400,
  host: 404,
  route: 404,
  method: 405,
  key: 401,
  permission: 403,
  accept: 406,
  type: 415,
  size: 413,
  json: 400,
  validation: 422,
  existence: 404,
  match: 412,
  noneMatch: 304,
} as const;

export type Stage = keyof typeof stages;
export type Verdicts = Partial<Record<Stage, Verdict>>;

/**
 * The statuses that the contract allows for a request, from what each check has to say of it.
 * @param success the status when all of them pass
 */
export function expectedOf(verdicts: Verdicts, success: number): number[] {
  const statuses = new Set<number>();
  for (const [stage, status] of Object.entries(stages)) {
    const verdict = verdicts[stage as Stage] ?? "pass";
    if (verdict === "pass") continue;
    statuses.add(status);
    if (verdict === "fail") return [...statuses];
  }
  return [...statuses, success];
}

/** The verdict on several things: one failure is enough. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("either") ? "either" : "pass";
}

export interface Body {
  bytes: Buffer;
  /** Sizes of the chunks it is sent in; with a Content-Length when absent. */
  chunks?: number[];
}

/** A request that HTTP knows. */
export interface RequestSample {
  kind: "request";
  /** Its row in the table, such as "GET v2/articles". */
  name: string;
  method: string;
  /** The whole path with its query, as it is sent. */
  path: string;
  headers: [name: string, value: string][];
  body?: Body;
  /** Goes to the server whose limits are on, where 429 is an answer too. */
  limited: boolean;
  expected: number[];
  /** Fields that a 422 has to name. */
  invalidFields: string[];
  /** A path of the same operation that the document surely knows; a path that it surely does not, for any other. */
  documentedAs: string;
  /** The expected pagination, if known. */
  paging?: { number?: number; size?: number };
  /** The X-Request-Id that has to come back. */
  requestId?: string;
  /** Its host is the other workspace's own, whose name may then be in the answer. */
  toRival: boolean;
}

/** Bytes on a connection of their own. */
export interface RawSample {
  kind: "raw";
  name: string;
  pieces: Buffer[];
  /** The connection's end is announced after this many answers; 0 for immediately. */
  answersAwaited: number;
  /** The least and most answers; fewer than the least, or none, means that the connection was closed. */
  answers: [least: number, most: number];
  expected: number[];
  /** The connection is torn down after the last byte, and nobody listens for an answer. */
  abandons?: boolean;
  /** Asks for what may be none of the API: only the status and the end are judged. */
  isElsewhere?: boolean;
  /** The X-Request-Id that must be in no answer: it was hidden in a body, or came too late. */
  hidden?: string;
  /** X-Request-Ids of the answers, in this order. */
  requestIds?: string[];
  limited: false;
}

export type Sample = RequestSample | RawSample;

/** The address of a workspace in the Host header, with the port that BASE_URL has. */
export const hostOf = ({ subdomain }: Pick<Workspace, "subdomain">, domain: string) => `${subdomain}.${domain}`;

/** A request as bytes, for those who change some of them. */
export function bytesOf({ method, path, headers, body }: RequestSample): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body ? Buffer.concat([head, body.chunks ? chunked(body.bytes, body.chunks) : body.bytes]) : head;
}

/** A body in chunks of these sizes; what is left is the last. */
export function chunked(bytes: Buffer, sizes: readonly number[]): Buffer {
  const ascii = (text: string) => Buffer.from(text, "latin1");
  const parts = piecesOf(bytes, sizes).flatMap((piece) => [
    ascii(`${piece.length.toString(16)}\r\n`),
    piece,
    ascii("\r\n"),
  ]);
  return Buffer.concat([...parts, ascii("0\r\n\r\n")]);
}

/** Cut into pieces of these sizes, none of them empty; what is left is the last. */
export function piecesOf(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    const piece = bytes.subarray(from, from + size);
    if (piece.length > 0) pieces.push(piece);
    from += piece.length;
  }
  return pieces;
}
