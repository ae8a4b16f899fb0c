import { createHash } from "node:crypto";

interface Options {
  contentType: string;
  /** "private" where the body may hold what is not for everybody. */
  kept?: "public" | "private";
  /** For how many seconds it may be used without asking again; 0 when left out. */
  maxAge?: number;
  headers?: Record<string, string>;
}

/**
 * A body whole, with the ETag of its bytes: whoever has it already is answered 304. For what programs fetch again and
 * again.
 */
export function fileAnswer(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  { contentType, kept = "public", maxAge = 0, headers = {} }: Options,
): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const told = { ...headers, ETag: etag, "Cache-Control": `${kept}, max-age=${maxAge}, must-revalidate` };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: told });
  return new Response(body, { headers: { ...told, "Content-Type": contentType } });
}

/** Whether the header of a conditional request names the body, by the weak comparison of RFC 9110, 13.1.2. */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((given) => given.trim().replace(/^W\//, "") === etag);
}

/** One sentence instead of what was asked for, for programs. */
export function plainRefusal(
  status: 301 | 400 | 403 | 404 | 410 | 429 | 503,
  sentence: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${sentence}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
