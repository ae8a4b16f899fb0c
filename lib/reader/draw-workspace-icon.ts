import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderAsync } from "@resvg/resvg-js";
import { LRUCache } from "lru-cache";
import satori from "satori";
import sharp from "sharp";
import { ACCENT, FONT_FAMILY, fonts, inkOn, letterBox } from "@/lib/reader/drawing";
import { firstLetter, type IconFile, iconVersion, type WorkspaceFace } from "@/lib/reader/workspace-icon";

/** A wider logo is unreadable at 16 pixels, so the icon is a letter. */
const MOST_RATIO = 1.6;
/** Pixels of the drawing that all sizes are made from. */
const SIDE = 192;

const drawn = new LRUCache<string, Buffer<ArrayBuffer>>({
  maxSize: 8_000_000,
  sizeCalculation: ({ length }) => length,
});

/**
 * Draws a workspace's icon: its logo, or a letter on its color.
 * @param readLogo reads the logo's file, or null when it is gone
 */
export async function drawIcon(
  face: WorkspaceFace,
  file: IconFile,
  readLogo: () => Promise<Uint8Array | null>,
): Promise<Buffer<ArrayBuffer>> {
  const key = `${iconVersion(face)} ${file}`;
  const known = drawn.get(key);
  if (known) return known;
  const { logo } = face;
  const isSquare = logo !== null && Math.max(logo.width / logo.height, logo.height / logo.width) <= MOST_RATIO;
  const bytes = isSquare ? await readLogo() : null;
  // Phones cut the corners of touch icons, and fill transparent ones with black.
  const isTouch = file === "180.png";
  const png = (side: number) =>
    bytes ? ofLogo(bytes, side, isTouch) : letter(face, isTouch ? 0 : SIDE / 4).then((svg) => rendered(svg, side));
  const icon =
    file === "favicon.ico" ? ico([await png(32), await png(48)], [32, 48]) : await png(Number.parseInt(file, 10));
  drawn.set(key, icon);
  return icon;
}

/** The product's own favicon. */
export async function drawProductIcon(): Promise<Buffer<ArrayBuffer>> {
  const svg = await readFile(join(process.cwd(), "app/icon.svg"), "utf8");
  return ico([await rendered(svg, 32), await rendered(svg, 48)], [32, 48]);
}

async function ofLogo(bytes: Uint8Array, side: number, isTouch: boolean): Promise<Buffer<ArrayBuffer>> {
  const margin = isTouch ? Math.round(side / 8) : 0;
  const background = isTouch ? "#ffffff" : "#ffffff00";
  const inner = side - 2 * margin;
  const { data } = await sharp(bytes)
    .resize({ width: inner, height: inner, fit: "contain", background })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .flatten(isTouch ? { background } : false)
    .png()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(data);
}

async function letter({ name, accentColor }: WorkspaceFace, radius: number): Promise<string> {
  const color = accentColor ?? ACCENT;
  const unknown: string[] = [];
  const style = { borderRadius: radius, fontFamily: FONT_FAMILY, fontSize: SIDE * 0.6 };
  const svg = await satori(letterBox(firstLetter(name), color, SIDE, style) as Parameters<typeof satori>[0], {
    ...{ width: SIDE, height: SIDE, fonts: await fonts() },
    // Called with characters that no font has. They would be drawn as empty boxes.
    loadAdditionalAsset: async (_, characters) => {
      unknown.push(characters);
      return [];
    },
  });
  return unknown.length === 0 ? svg : productMark(color, radius);
}

/** The product's mark in the workspace's color. */
function productMark(color: string, radius: number): string {
  const mark = "M7 9.5 25 7v6.5L7 16zM14.5 16h3v6h-3zM10 22h12v3H10z";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${(radius / SIDE) * 32}" fill="${color}"/><path d="${mark}" fill="${inkOn(color)}"/></svg>`;
}

async function rendered(svg: string, side: number): Promise<Buffer<ArrayBuffer>> {
  const image = await renderAsync(svg, { fitTo: { mode: "width", value: side }, font: { loadSystemFonts: false } });
  return Buffer.from(image.asPng());
}

/** An ICO file of PNG images. */
function ico(images: Buffer[], sides: number[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, image] of images.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(sides[index] ?? 0, at);
    head.writeUInt8(sides[index] ?? 0, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += image.length;
  }
  return Buffer.concat([head, ...images]);
}
