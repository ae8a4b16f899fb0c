import { createHash } from "node:crypto";
import { spoken } from "@/lib/http/form";
import { tooManyRequests } from "@/lib/limits";

interface Options {
  contentType: string;
  kept?: "public" | "private";
  /** In seconds. */
  maxAge?: number;
  headers?: Record<string, string>;
}

export function fileAnswer(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  { contentType, kept = "public", maxAge = 0, headers = {} }: Options,
): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const common = { ...headers, ETag: etag, "Cache-Control": `${kept}, max-age=${maxAge}, must-revalidate` };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: common });
  return new Response(body, { headers: { ...common, "Content-Type": contentType } });
}

/** Compares weakly (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

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

export function tooManyDownloads(seconds: number): Response {
  const { status, headers } = tooManyRequests(seconds);
  const sentence = `Too many downloads in a minute. Try again in ${spoken(seconds)}.`;
  return plainRefusal(status, sentence, headers);
}
