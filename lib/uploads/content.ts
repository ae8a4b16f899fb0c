import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { isRaster, keptImage, type MadeImage, makeImage } from "@/lib/uploads/images";
import type { UploadKind, UploadLimits } from "@/lib/uploads/kinds";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";

/** What is stored: an image made anew, or a file as it came; only an image has a width and a height. */
export type Content =
  | MadeImage
  | { bytes: Uint8Array; contentType: string; extension?: never; width: null; height: null };

/** What browsers run or read styles and scripts from: never told to be what it is. */
const ACTIVE = /html|xml|svg|script|wasm|xslt|multipart|mhtml|flash|^text\//;
/** How an SVG begins, after whatever an XML file may say first. */
const SVG = /^\uFEFF?\s*(<\?[^>]*>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*)*<svg[\s>/]/i;

/**
 * Takes a file by its content, never by its name or by what a browser says of it. A raster image is made anew, whatever it
 * is uploaded as; everything else is a file to save.
 * @param unchanged whether the bytes were made here once, so that an image is taken as it is
 * @throws InvalidError saying what to do: for an empty file, one that is too large, and where an image is wanted, one that
 *   is none
 */
export async function takeContent(
  given: Uint8Array | AsyncIterable<Uint8Array>,
  kind: UploadKind,
  limits: UploadLimits,
  unchanged = false,
): Promise<Content> {
  const refuse = (reason: UploadReason): never => {
    throw new UploadError(reason, uploadRefusal(reason, kind, limits) ?? "");
  };
  const most = kind === "attachment" ? Math.max(limits.imageBytes, limits.attachmentBytes) : limits.imageBytes;
  const bytes = await collected(given, most, () => refuse("large"));
  if (bytes.length === 0) refuse("empty");
  // Whatever its parsers stumble over is of no known type.
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (type && isRaster(type)) {
    if (bytes.length > limits.imageBytes) refuse("large_image");
    if (unchanged) return keptImage(bytes, type);
    return makeImage(bytes, type, kind === "attachment" ? "image" : kind);
  }
  if (kind === "attachment") return { bytes, contentType: harmless(type, bytes), width: null, height: null };
  return refuse(SVG.test(Buffer.from(bytes.subarray(0, 4096)).toString("utf8")) ? "svg" : "no_image");
}

/** What a file to save is called: browsers are told to save it, and what they might run is not even named. */
function harmless(type: string | undefined, bytes: Uint8Array): string {
  if (type) return ACTIVE.test(type) ? "application/octet-stream" : type;
  return isUtf8(bytes) && !bytes.includes(0) ? "text/plain; charset=utf-8" : "application/octet-stream";
}

async function collected(
  given: Uint8Array | AsyncIterable<Uint8Array>,
  most: number,
  refuse: () => never,
): Promise<Uint8Array> {
  if (given instanceof Uint8Array) return given.length > most ? refuse() : given;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of given) {
    length += part.length;
    // Not read to its end: who sends without end is stopped.
    if (length > most) refuse();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
