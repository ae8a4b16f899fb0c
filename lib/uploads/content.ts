import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { isRaster, keptImage, type MadeImage, makeImage } from "@/lib/uploads/images";
import type { UploadKind, UploadLimits } from "@/lib/uploads/kinds";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";

export type Content =
  | MadeImage
  | { bytes: Uint8Array; contentType: string; extension?: never; width: null; height: null };

/** Browsers run these or read scripts and styles from them: such files are never served under their own type. */
const ACTIVE = /html|xml|svg|script|wasm|xslt|multipart|mhtml|flash|^text\//;
/** After an optional XML declaration, comments and doctype. */
const SVG = /^\uFEFF?\s*(<\?[^>]*>\s*|<!--[\s\S]*?-->\s*|<!doctype[^>]*>\s*)*<svg[\s>/]/i;

/**
 * Detects the type by content, never by name. Encodes raster images again, except `unchanged` ones from Lectern itself.
 */
export async function takeContent(
  input: Uint8Array | AsyncIterable<Uint8Array>,
  kind: UploadKind,
  limits: UploadLimits,
  unchanged = false,
): Promise<Content> {
  const refuse = (reason: UploadReason): never => {
    throw new UploadError(reason, uploadRefusal(reason, kind, limits) ?? "");
  };
  const most = kind === "attachment" ? Math.max(limits.imageBytes, limits.attachmentBytes) : limits.imageBytes;
  const bytes = await collected(input, most, () => refuse("large"));
  if (bytes.length === 0) refuse("empty");
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (type && isRaster(type)) {
    if (bytes.length > limits.imageBytes) refuse("large_image");
    if (unchanged) return keptImage(bytes, type);
    return makeImage(bytes, type, kind === "attachment" ? "image" : kind);
  }
  if (kind === "attachment") return { bytes, contentType: harmless(type, bytes), width: null, height: null };
  return refuse(SVG.test(Buffer.from(bytes.subarray(0, 4096)).toString("utf8")) ? "svg" : "no_image");
}

function harmless(type: string | undefined, bytes: Uint8Array): string {
  if (type) return ACTIVE.test(type) ? "application/octet-stream" : type;
  return isUtf8(bytes) && !bytes.includes(0) ? "text/plain; charset=utf-8" : "application/octet-stream";
}

async function collected(
  input: Uint8Array | AsyncIterable<Uint8Array>,
  most: number,
  refuse: () => never,
): Promise<Uint8Array> {
  if (input instanceof Uint8Array) return input.length > most ? refuse() : input;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of input) {
    length += part.length;
    // Stops senders without end.
    if (length > most) refuse();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
