import { namesTag, plainRefusal } from "@/lib/file-answer";
import type { ServedUpload } from "@/lib/uploads";
import type { UploadStorage } from "@/lib/uploads/storage";

/** What is said of every upload that cannot be fetched, whatever the reason. */
export const noUpload = () => plainRefusal(404, "No such file.");

/**
 * Sends an upload, or the part of it that was asked for. An image is shown; everything else is saved, and could do nothing
 * if it were not.
 */
export async function uploadAnswer(
  request: Request,
  upload: ServedUpload,
  storage: Pick<UploadStorage, "open">,
): Promise<Response> {
  const etag = `"${upload.sha256}"`;
  const told = {
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": `${kept[upload.audience]}, no-transform`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    ...(upload.audience !== "public" && { Vary: "Cookie" }),
  };
  if (namesTag(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: told });
  const range = askedRange(request.headers, etag, upload.byteSize);
  if (range === "none") {
    const headers = { ...told, "Content-Range": `bytes */${upload.byteSize}` };
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: upload.byteSize - 1 };
  const isHead = request.method === "HEAD";
  const body = isHead ? null : await storage.open(upload.storageKey, { start, end });
  if (!body && !isHead) return noUpload();
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...told,
      "Content-Type": upload.contentType,
      "Content-Length": String(end - start + 1),
      "Content-Disposition": disposition(upload),
      ...(range && { "Content-Range": `bytes ${start}-${end}/${upload.byteSize}` }),
    },
  });
}

/**
 * What an address shows never changes. Pictures and the logo are for everybody as long as they exist; what an article
 * shows is for everybody only until it is taken back, so that is asked each time.
 */
const kept = {
  public: "public, max-age=31536000, immutable",
  shown: "public, max-age=0, must-revalidate",
  private: "private, max-age=0, must-revalidate",
};

/** By RFC 6266: a name in ASCII for who knows no other, and the true one. Only images, which were made anew, are shown. */
function disposition({ filename, width }: ServedUpload): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const whole = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${width === null ? "attachment" : "inline"}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/** The one part that was asked for, by RFC 9110, 14: null for all of it, "none" for one that is not there. */
function askedRange(headers: Headers, etag: string, size: number): { start: number; end: number } | "none" | null {
  const ifRange = headers.get("if-range");
  const given = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("range")?.trim() ?? "");
  if (!given || (ifRange !== null && ifRange !== etag)) return null;
  const [, first = "", last = ""] = given;
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
