import sharp, { type Sharp } from "sharp";
import { UploadError } from "@/lib/uploads/refusals";

export type ImageUse = "picture" | "logo" | "image";

export interface MadeImage {
  bytes: Buffer;
  contentType: string;
  extension: string;
  width: number;
  height: number;
}

const MOST_PIXELS = 40_000_000;
const MOST_FRAMES = 500;
/** The limit of WebP. */
const MOST_SIDE = 16_383;
const SECONDS = 20;
/** Each decoding takes up to 160 MB. */
const AT_ONCE = 2;

export const PICTURE_SIDE = 256;
export const LOGO = { width: 480, height: 128 };

const formats: Record<string, string> = {
  "image/png": "png",
  "image/apng": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "heif",
};

// Only the needed decoders are on: each of the others is code that untrusted bytes could reach.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

export function isRaster(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType in formats;
}

/** Encodes an image again, which drops metadata. Small animations stay, except in pictures and logos. */
export async function makeImage(bytes: Uint8Array, contentType: string, use: ImageUse): Promise<MadeImage> {
  return whenFree(async () => {
    const {
      format,
      width,
      height,
      pages = 1,
    } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
    if (format !== formats[contentType]) damaged();
    if (width * height > MOST_PIXELS) {
      const size = `${width.toLocaleString("en")} × ${height.toLocaleString("en")}`;
      throw new UploadError("pixels", `The image has ${size} pixels. The maximum is 40 million. Scale it down.`);
    }
    const isMoving = (format === "gif" || format === "webp") && use === "image" && pages > 1;
    const animated = isMoving && pages <= MOST_FRAMES && width * height * pages <= MOST_PIXELS;
    const source = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", animated }).timeout({
      seconds: SECONDS,
    });
    const upright = animated ? source : source.autoOrient();
    const { data, info } = await encoded(upright, format, use).toBuffer({ resolveWithObject: true }).catch(damaged);
    return {
      bytes: data,
      contentType: `image/${info.format}`,
      extension: info.format === "jpeg" ? "jpg" : info.format,
      width: info.width,
      height: info.pageHeight ?? info.height,
    };
  });
}

export async function keptImage(bytes: Uint8Array, contentType: string): Promise<MadeImage> {
  const { format, width, height, pageHeight } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(damaged);
  if (format !== formats[contentType]) damaged();
  const extension = format === "jpeg" ? "jpg" : format;
  return { bytes: Buffer.from(bytes), contentType, extension, width, height: pageHeight ?? height };
}

function encoded(image: Sharp, format: string, use: ImageUse): Sharp {
  if (use === "picture") return image.resize(PICTURE_SIDE, PICTURE_SIDE, { fit: "cover" }).webp({ quality: 85 });
  if (use === "logo") return image.resize({ ...LOGO, fit: "inside", withoutEnlargement: true }).png();
  const fitting = image.resize({ width: MOST_SIDE, height: MOST_SIDE, fit: "inside", withoutEnlargement: true });
  if (format === "jpeg") return fitting.jpeg({ quality: 85 });
  if (format === "png") return fitting.png();
  if (format === "gif") return fitting.gif();
  // AVIF is slow to encode, and some browsers do not show it.
  return fitting.webp({ quality: 90 });
}

function damaged(): never {
  throw new UploadError("damaged", "The image is damaged. Save it again or choose another one.");
}

let working = 0;
const waiting: (() => void)[] = [];

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else working++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}
