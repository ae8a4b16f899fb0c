import { hash } from "node:crypto";
import { acceptedEncoding, compressed, type Encoding } from "@/lib/http/compression";
import { HttpError } from "./errors";

/** An answer to send. Building a `Response` would cost more than finding a kept answer. */
export interface ApiAnswer {
  status: number;
  headers: Map<string, string>;
  body: string | Buffer | null;
}

/** As much of a `Request` as operations need. */
export interface ApiRequest extends Pick<Request, "method" | "url" | "body"> {
  headers: Pick<Headers, "get">;
}

/** The path and the query of a request's URL. */
export const targetOf = (url: string) => url.slice(url.indexOf("/", url.indexOf("://") + 3));

/** The body of a 200 answer, its tag, and its compressed forms so far. */
export interface Content {
  body: Buffer;
  tag: string;
  forms: Partial<Record<Encoding, Promise<Buffer>>>;
}

/** In bytes. Compressing shorter bodies saves no packet. */
const LEAST_COMPRESSED = 1_000;

/** @param noStore forbids caching (contract 57) */
export function answerJson(body: string | Buffer, noStore = false, status = 200): ApiAnswer {
  return {
    status,
    headers: new Map([
      ["Content-Type", "application/json; charset=utf-8"],
      ["Cache-Control", noStore ? "no-store" : "private, max-age=0, must-revalidate"],
      ["Vary", "X-Api-Key"],
    ]),
    body,
  };
}

/**
 * `{ error, code }`, with `details` only for 422 (contract 20, 21), and `current` for conflicts.
 * @param hasCode false in v1, whose clients may not expect new fields
 */
export function answerError(
  { message: error, code, details, current, ...rest }: HttpError,
  hasCode: boolean,
): ApiAnswer {
  const body = { error, ...(hasCode && { code, current }), ...(details && { details }) };
  const answer = answerJson(JSON.stringify(body), true, rest.status);
  for (const [name, value] of Object.entries(rest.headers)) answer.headers.set(name, value);
  return answer;
}

/** @param own the part of the answer that `If-Match` compares, if that is not all of it */
export function contentOf(json: string, own?: string): Content {
  const body = Buffer.from(json);
  return { body, tag: (own === undefined ? "" : `${hashOf(own)}.`) + hashOf(body), forms: {} };
}

const hashOf = (text: string | Buffer) => hash("sha1", text, "base64url");

/**
 * A GET's answer with its weak ETag, or 304 when the client has it already (contract 56). Long ones are compressed for
 * clients that accept it (contract 74).
 */
export async function answerConditional(request: ApiRequest, content: Content, noStore = false): Promise<ApiAnswer> {
  const answer = answerJson(content.body, noStore);
  answer.headers.set("Vary", "X-Api-Key, Accept-Encoding");
  answer.headers.set("ETag", `W/"${content.tag}"`);
  const header = request.headers.get("if-none-match");
  const known = header === null ? [] : tagsOf(header);
  if (known.includes(content.tag) || known.includes("*")) {
    answer.headers.delete("Content-Type");
    return { ...answer, status: 304, body: null };
  }
  if (content.body.length < LEAST_COMPRESSED) return answer;
  const encoding = acceptedEncoding(request.headers.get("accept-encoding"));
  if (encoding) {
    content.forms[encoding] ??= compressed(content.body, encoding);
    answer.headers.set("Content-Encoding", encoding);
    answer.body = await content.forms[encoding];
  }
  return answer;
}

/**
 * Throws 412 when If-Match does not name the current answer, or its own part. Ignores the weak mark: all tags are weak
 * (contract 56).
 */
export function assertMatch(request: ApiRequest, current: string): void {
  const header = request.headers.get("if-match");
  if (header === null) return;
  const wanted = tagsOf(header);
  const tag = hashOf(current);
  if (wanted.some((name) => name === "*" || name.split(".")[0] === tag)) return;
  throw new HttpError(
    "revision_conflict",
    "The resource has changed since you read it. Read it again, then resend the change.",
  );
}

/** Whether If-Match names a tag, and not only `*`. */
export function namesTag(request: ApiRequest): boolean {
  return tagsOf(request.headers.get("if-match") ?? "").some((tag) => tag !== "" && tag !== "*");
}

/** Whether an Accept header allows JSON (contract 27). */
export function acceptsJson(header: string | null): boolean {
  if (header === null || header === "*/*" || header.trim() === "") return true;
  return header.split(",").some((part) => {
    const [type, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && (type === "*/*" || type === "application/*" || type === "application/json");
  });
}

function tagsOf(header: string): string[] {
  return header.split(",").map((part) =>
    part
      .trim()
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1"),
  );
}
