import sharp from "sharp";
import { expect, test } from "vitest";
import { drawIcon, drawProductIcon } from "@/lib/reader/draw-workspace-icon";
import type { IconFile, WorkspaceFace } from "@/lib/reader/workspace-icon";

const face: WorkspaceFace = { name: "Acme Help", accentColor: "#d9480f", logo: null };
const noLogo = () => Promise.resolve(null);

const drawn = (
  changed: Partial<WorkspaceFace>,
  file: IconFile = "96.png",
  readLogo = noLogo as () => Promise<Buffer | null>,
) => drawIcon({ ...face, ...changed }, file, readLogo);

async function pixel(png: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
}

test("without a logo the icon is a letter on the color, with the corners cut for tabs and not for home screens", async () => {
  const tab = await drawn({});
  expect(await pixel(tab, 48, 6)).toEqual([0xd9, 0x48, 0x0f, 255]);
  expect((await pixel(tab, 0, 0))[3]).toBe(0);
  const touch = await drawn({}, "180.png");
  expect(await pixel(touch, 0, 0)).toEqual([0xd9, 0x48, 0x0f, 255]);
  expect((await sharp(touch).metadata()).width).toBe(180);
  expect((await drawn({ name: "Bravo" })).equals(tab)).toBe(false);
  expect((await drawn({ name: "another name" })).equals(tab)).toBe(true);
});

test("a name in a script without a font gets a drawing instead of an empty box", async () => {
  const japanese = await drawn({ name: "ヘルプ" });
  expect(japanese.equals(await drawn({ name: "مساعدة" }))).toBe(true);
  expect((await sharp(japanese).stats()).entropy).toBeGreaterThan(0.5);
});

test("a logo is the icon, on white for home screens, unless it is too wide to read", async () => {
  const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#ff0000" } })
    .png()
    .toBuffer();
  const logo = { path: "/uploads/1", width: 64, height: 64 };
  const read = () => Promise.resolve(red);
  expect(await pixel(await drawn({ logo }, "96.png", read), 1, 1)).toEqual([255, 0, 0, 255]);
  const touch = await drawn({ logo }, "180.png", read);
  expect([await pixel(touch, 1, 1), await pixel(touch, 90, 90)]).toEqual([
    [255, 255, 255, 255],
    [255, 0, 0, 255],
  ]);
  const wide = await drawn({ logo: { path: "/uploads/2", width: 480, height: 128 } }, "96.png", read);
  expect(wide.equals(await drawn({}))).toBe(true);
});

test("favicon.ico holds two images, of the workspace and of the product", async () => {
  for (const ico of [await drawn({}, "favicon.ico"), await drawProductIcon()]) {
    expect([...ico.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0]);
    for (const [at, side] of [
      [6, 32],
      [22, 48],
    ] as const) {
      const [size, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)];
      expect([ico[at], (await sharp(ico.subarray(offset, offset + size)).metadata()).width]).toEqual([side, side]);
    }
  }
});
