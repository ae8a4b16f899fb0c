import type { Workspace } from "./world";

/** Whether a check of the API passes a request, according to the contract. "either" where the contract leaves it open. */
export type Verdict = "pass" | "fail" | "either";

/** The checks of every request in the contract's order, and the answer to a request that fails one. */
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
  idempotency: 400,
  validation: 422,
  existence: 404,
  match: 412,
  noneMatch: 304,
} as const;

export type Stage = keyof typeof stages;
export type Verdicts = Partial<Record<Stage, Verdict>>;

/**
 * The statuses that the contract allows for a request, from the verdict of each check.
 * @param successes the statuses when all of them pass
 */
export function expectedOf(verdicts: Verdicts, ...successes: number[]): number[] {
  const statuses = new Set<number>();
  for (const [stage, status] of Object.entries(stages)) {
    const verdict = verdicts[stage as Stage] ?? "pass";
    if (verdict === "pass") continue;
    statuses.add(status);
    if (verdict === "fail") return [...statuses];
  }
  return [...statuses, ...successes];
}

/** The combined verdict on several things. One failure is enough. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fail")) return "fail";
  return verdicts.includes("either") ? "either" : "pass";
}

export interface Body {
  bytes: Buffer;
  /** Sizes of the chunks it is sent in. With a Content-Length when absent. */
  chunks?: number[];
}

/** A valid HTTP request. */
export interface RequestSample {
  kind: "request";
  /** Its row in the table, such as "GET v2/articles". */
  name: string;
  method: string;
  /** The whole path with its query, as sent. */
  path: string;
  headers: [name: string, value: string][];
  body?: Body;
  /** Goes to the server with limits, which may also answer 429. */
  limited: boolean;
  expected: number[];
  /** Fields that a 422 must name. */
  invalidFields: string[];
  /** A path of the same operation that the document contains. For unknown paths, one that it does not contain. */
  documentedAs: string;
  /** The expected pagination, if known. */
  paging?: { number?: number; size?: number };
  /** The X-Request-Id that the answer must repeat. */
  requestId?: string;
  /** Its host is the other workspace's own, so the answer may contain that workspace's name. */
  toRival: boolean;
}

/** Bytes on a separate connection. */
export interface RawSample {
  kind: "raw";
  name: string;
  pieces: Buffer[];
  /** The connection's end is announced after this many answers; 0 for immediately. */
  answersAwaited: number;
  /** The minimum and maximum number of answers. Fewer than the minimum, or none, means that the connection was closed. */
  answers: [least: number, most: number];
  expected: number[];
  /** Closes the connection after the last byte, without waiting for an answer. */
  abandons?: boolean;
  /** May request a path outside the API, so only the status and the end are judged. */
  isElsewhere?: boolean;
  /** The X-Request-Id that no answer may contain, because it was hidden in a body or came too late. */
  hidden?: string;
  /** X-Request-Ids of the answers, in this order. */
  requestIds?: string[];
  limited: false;
}

export type Sample = RequestSample | RawSample;

/** The host of a workspace for the Host header, with the port of BASE_URL. */
export const hostOf = ({ subdomain }: Pick<Workspace, "subdomain">, domain: string) => `${subdomain}.${domain}`;

/** A request as bytes, for samples that change some of them. */
export function bytesOf({ method, path, headers, body }: RequestSample): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body ? Buffer.concat([head, body.chunks ? chunked(body.bytes, body.chunks) : body.bytes]) : head;
}

/** A body in chunks of these sizes. The last chunk has the rest. */
export function chunked(bytes: Buffer, sizes: readonly number[]): Buffer {
  const ascii = (text: string) => Buffer.from(text, "latin1");
  const parts = piecesOf(bytes, sizes).flatMap((piece) => [
    ascii(`${piece.length.toString(16)}\r\n`),
    piece,
    ascii("\r\n"),
  ]);
  return Buffer.concat([...parts, ascii("0\r\n\r\n")]);
}

/** Cut into pieces of these sizes, none of them empty. The last piece has the rest. */
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
