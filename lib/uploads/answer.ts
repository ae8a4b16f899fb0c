import { FAILURE_POLICY, failurePage, wantsPage } from "@/lib/http/failure-page";
import { namesTag, plainRefusal } from "@/lib/http/file-answer";
import { log } from "@/lib/log";
import type { UploadStorage } from "@/lib/uploads/storage";
import type { ServedUpload } from "@/lib/uploads/uploads";

const MISSING =
  "An uploaded file is missing. Restore it from a backup. Servers that share a database need the same DATA_DIR or bucket.";

export const noUpload = () => plainRefusal(404, "No such file.");

/** Answers people with an HTML page, and programs in plain text. */
export function unavailableUpload(request: Request): Response {
  const sentence = "This file can't be sent right now. Try again in a few seconds.";
  const retry = { "Retry-After": "5" };
  if (!wantsPage(request.headers.get("accept"))) return plainRefusal(503, sentence, retry);
  return new Response(failurePage({ title: "Try again in a moment", sentences: [sentence] }), {
    status: 503,
    headers: {
      ...retry,
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": FAILURE_POLICY,
    },
  });
}

export async function uploadAnswer(
  request: Request,
  upload: ServedUpload,
  storage: Pick<UploadStorage, "open">,
): Promise<Response> {
  const etag = `"${upload.sha256}"`;
  const headers = {
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": `${kept[upload.audience]}, no-transform`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    ...(upload.audience !== "public" && { Vary: "Cookie" }),
  };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const range = requestedRange(request.headers, etag, upload.byteSize);
  if (range === "none") {
    const unsatisfiable = { ...headers, "Content-Range": `bytes */${upload.byteSize}` };
    return new Response(null, { status: 416, headers: unsatisfiable });
  }
  const { start, end } = range ?? { start: 0, end: upload.byteSize - 1 };
  const isHead = request.method === "HEAD";
  const body = isHead ? null : await storage.open(upload.storageKey, { start, end });
  if (!body && !isHead) {
    log().warn({ file: upload.storageKey }, MISSING);
    return noUpload();
  }
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      "Content-Type": upload.contentType,
      "Content-Length": String(end - start + 1),
      "Content-Disposition": disposition(upload),
      ...(range && { "Content-Range": `bytes ${start}-${end}/${upload.byteSize}` }),
    },
  });
}

/**
 * Content at a URL never changes. Files of articles are public only while the article is, so browsers ask each time.
 */
const kept = {
  public: "public, max-age=31536000, immutable",
  shown: "public, max-age=0, must-revalidate",
  private: "private, max-age=0, must-revalidate",
};

/** RFC 6266. Only images, which were encoded again, are inline. */
function disposition({ filename, width }: ServedUpload): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${width === null ? "attachment" : "inline"}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** RFC 9110, 14: null for the whole body, "none" for an unsatisfiable range. */
function requestedRange(headers: Headers, etag: string, size: number): { start: number; end: number } | "none" | null {
  const ifRange = headers.get("if-range");
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("range")?.trim() ?? "");
  if (!match || (ifRange !== null && ifRange !== etag)) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "none" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "none" : { start, end };
}
