import sharp, { type Sharp } from "sharp";
import { UploadError } from "@/lib/uploads/refusals";

/** How an image is made anew: a member's picture, a workspace's logo, or any other. */
export type ImageUse = "picture" | "logo" | "image";

/** An image without anything but what is seen, in a format that every browser shows. */
export interface MadeImage {
  bytes: Buffer;
  contentType: string;
  extension: string;
  /** In pixels, of one frame. */
  width: number;
  height: number;
}

/** The most pixels that are decoded, all frames of an animation together. */
const MOST_PIXELS = 40_000_000;
const MOST_FRAMES = 500;
/** The longest side: what WebP can hold. */
const MOST_SIDE = 16_383;
/** How long making one anew may take, in seconds. */
const SECONDS = 20;
/** How many are decoded at once: each takes up to 160 MB. */
const AT_ONCE = 2;

export const PICTURE_SIDE = 256;
/** Four times as high as it is shown, for fine screens. */
export const LOGO = { width: 480, height: 128 };

/** Content types of images that are taken, and what the decoder calls them. */
const formats: Record<string, string> = {
  "image/png": "png",
  "image/apng": "png",
  "image/jpeg": "jpeg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "heif",
};

// Of the decoder's many readers only those that are needed: each of the others is code that strangers' bytes would reach.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});
sharp.cache(false);
sharp.concurrency(1);

/** Whether a content type is one of an image that can be made anew. */
export function isRaster(contentType: string | undefined): boolean {
  return contentType !== undefined && contentType in formats;
}

/**
 * Decodes an image and makes another of what is seen: metadata, and whatever else the file held, are not in it.
 * Animations stay where they are small, except in pictures and logos.
 * @param contentType what the bytes are by their first ones
 * @throws InvalidError for too many pixels, and for what cannot be decoded to the end
 */
export async function makeImage(bytes: Uint8Array, contentType: string, use: ImageUse): Promise<MadeImage> {
  return whenFree(async () => {
    // Reads no more than the head; how large it may be is said below.
    const {
      format,
      width,
      height,
      pages = 1,
    } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged);
    if (format !== formats[contentType]) damaged();
    if (width * height > MOST_PIXELS) {
      const size = `${width.toLocaleString("en")} × ${height.toLocaleString("en")}`;
      throw new UploadError("pixels", `The image has ${size} pixels, and may have 40 million at most: scale it down.`);
    }
    const isMoving = (format === "gif" || format === "webp") && use === "image" && pages > 1;
    const animated = isMoving && pages <= MOST_FRAMES && width * height * pages <= MOST_PIXELS;
    const source = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "error", animated }).timeout({
      seconds: SECONDS,
    });
    // Frames cannot be turned, and say no orientation.
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

/**
 * An image as it is, for bytes that `makeImage` made: whoever calls this knows that they are.
 * @throws InvalidError for what has no size
 */
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
  // AVIF takes long to write, and not every browser shows it.
  return fitting.webp({ quality: 90 });
}

function damaged(): never {
  throw new UploadError("damaged", "The image is damaged or cut off: save it again, or choose another.");
}

let working = 0;
const waiting: (() => void)[] = [];

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else working++;
  try {
    return await work();
  } finally {
    // Whoever waits longest takes the place over.
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}
