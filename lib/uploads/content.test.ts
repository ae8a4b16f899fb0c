import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { InvalidError } from "@/lib/errors";
import { takeContent } from "./content";
import type { UploadKind } from "./kinds";

// Untrusted input, and the part of it that is stored.

const limits = { imageBytes: 10_000_000, attachmentBytes: 50_000_000, quotaBytes: 5_000_000_000 };
const take = (content: Uint8Array | AsyncIterable<Uint8Array>, kind: UploadKind) => takeContent(content, kind, limits);

const draw = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } });

/** The sentence that refuses it. */
async function refusal(content: Uint8Array | AsyncIterable<Uint8Array>, kind: UploadKind): Promise<string> {
  const error = await take(content, kind).then(
    ({ contentType }) => expect.unreachable(`It was taken as ${contentType}.`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidError);
  return (error as InvalidError).message;
}

/** A PNG of chosen size and content, whatever it really holds. */
function png(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [["IHDR", header] as const, ["IDAT", data] as const, ["IEND", Buffer.alloc(0)] as const];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...chunks.map(([name, body]) => chunk(name, body))]);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), body]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(body.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

const script = "<script>alert(document.domain)</script>";
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`);
const html = Buffer.from(`<!doctype html>${script}`);

describe("an image", () => {
  test.each([
    ["jpeg", "image/jpeg", "jpg"],
    ["png", "image/png", "png"],
    ["webp", "image/webp", "webp"],
    ["gif", "image/gif", "gif"],
    ["avif", "image/webp", "webp"],
  ] as const)("in %s is re-encoded as %s", async (format, contentType, extension) => {
    const made = await take(await draw().toFormat(format).toBuffer(), "image");
    expect(made).toMatchObject({ contentType, extension, width: 60, height: 40 });
    expect(await sharp(made.bytes).metadata()).toMatchObject({ width: 60, height: 40 });
  });

  test("loses its metadata, and is turned as they said", async () => {
    const exif = { IFD0: { Copyright: "Secret place", Make: "Camera" } };
    const original = await draw().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await sharp(original).metadata()).orientation).toBe(6);
    const made = await take(original, "image");
    expect([made.width, made.height]).toEqual([40, 60]);
    const metadata = await sharp(made.bytes).metadata();
    expect([metadata.exif, metadata.orientation, metadata.icc]).toEqual([undefined, undefined, undefined]);
  });

  test("that is animated stays animated, except as a profile picture", async () => {
    const frames = await Promise.all(
      ["red", "blue", "lime"].map((background) =>
        sharp({ create: { width: 30, height: 20, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const original = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const made = await take(original, "image");
    expect([made.width, made.height, (await sharp(made.bytes).metadata()).pages]).toEqual([30, 20, 3]);
    const picture = await take(original, "picture");
    expect([picture.width, picture.height, (await sharp(picture.bytes).metadata()).pages]).toEqual([
      256,
      256,
      undefined,
    ]);
  });

  test("is cut to a square as a picture, and fitted as a logo", async () => {
    const original = await draw(1000, 400).png().toBuffer();
    expect(await take(original, "picture")).toMatchObject({ width: 256, height: 256, contentType: "image/webp" });
    expect(await take(original, "logo")).toMatchObject({ width: 320, height: 128, contentType: "image/png" });
    expect(await take(await draw(24, 24).png().toBuffer(), "logo")).toMatchObject({ width: 24, height: 24 });
  });

  test("is one even as an attachment", async () => {
    const original = await draw()
      .withExif({ IFD0: { Make: "Camera" } })
      .jpeg()
      .toBuffer();
    const made = await take(original, "attachment");
    expect(made).toMatchObject({ contentType: "image/jpeg", width: 60, height: 40 });
    expect(Buffer.from(made.bytes).includes("Camera")).toBe(false);
    expect(original.includes("Camera")).toBe(true);
  });
});

describe("what is not what it seems", () => {
  test.each(["picture", "logo", "image"] as const)("an SVG is no %s, nor is a page or a text", async (kind) => {
    const prologue = '\uFEFF<?xml version="1.0"?>\n<!-- drawn --><!DOCTYPE svg PUBLIC "x" "y">\n';
    for (const original of [svg, Buffer.concat([Buffer.from(prologue), svg])])
      expect(await refusal(original, kind)).toMatch(
        /can't be an SVG file, because SVG can contain scripts. Save it as PNG/,
      );
    for (const original of [html, Buffer.from("%PDF-1.7\n"), gzipSync(svg), Buffer.from("a <svg>")]) {
      expect(await refusal(original, kind)).toMatch(/must be a PNG, JPEG, WebP, GIF, or AVIF file/);
    }
  });

  test("a script that begins as a GIF is refused, and one inside a GIF is gone", async () => {
    expect(await refusal(Buffer.from(`GIF89a/*${"\0".repeat(20)}*/=1;alert(1)`), "image")).toMatch(/image is damaged/);
    const real = await draw().gif().toBuffer();
    const made = await take(Buffer.concat([real, Buffer.from("*/=1;alert(1)")]), "image");
    expect(made).toMatchObject({ contentType: "image/gif", width: 60, height: 40 });
    expect(Buffer.from(made.bytes).includes("alert")).toBe(false);
  });

  test("what follows a JPEG, a page or a zip, is gone", async () => {
    const real = await draw().jpeg().toBuffer();
    const original = Buffer.concat([real, html, Buffer.from("PK\x03\x04evil.exe")]);
    const made = await take(original, "picture");
    expect(made).toMatchObject({ contentType: "image/webp", width: 256, height: 256 });
    for (const word of ["<script", "PK\x03\x04", "evil"])
      expect([word, original.includes(word), Buffer.from(made.bytes).includes(word)]).toEqual([word, true, false]);
  });

  test("what is in a PNG beside the image is gone", async () => {
    const real = await draw().png().toBuffer();
    const withText = Buffer.concat([
      real.subarray(0, 33),
      chunk("tEXt", Buffer.from(`Comment\0${script}`)),
      real.subarray(33),
    ]);
    const made = await take(withText, "image");
    expect(made).toMatchObject({ contentType: "image/png", width: 60, height: 40 });
    expect([withText.includes("script"), Buffer.from(made.bytes).includes("script")]).toEqual([true, false]);
  });

  test("a small file of very many pixels is refused before it is decoded", async () => {
    const flood = png(50_000, 50_000, deflateSync(Buffer.alloc(1000)));
    expect(flood.length).toBeLessThan(200);
    expect(await refusal(flood, "picture")).toBe(
      "The image has 50,000 × 50,000 pixels. The maximum is 40 million. Scale it down.",
    );
  });

  test("a PNG whose data are far larger unpacked is read no further than its size says", async () => {
    const bomb = png(100, 100, deflateSync(Buffer.alloc(200_000_000)));
    expect(bomb.length).toBeLessThan(300_000);
    const before = process.memoryUsage().rss;
    const made = await take(bomb, "image");
    expect([made.width, made.height, made.bytes.length < 1000]).toEqual([100, 100, true]);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test("an animation of very many frames is stored as its first", async () => {
    const frame = await draw(4, 4).png().toBuffer();
    const original = await sharp(Array<Buffer>(600).fill(frame), { join: { animated: true } })
      .gif({ keepDuplicateFrames: true })
      .toBuffer();
    expect((await sharp(original).metadata()).pages).toBe(600);
    expect((await sharp((await take(original, "image")).bytes).metadata()).pages ?? 1).toBe(1);
  });

  test.each(["jpeg", "png", "webp", "gif"] as const)("a %s that is cut off is refused", async (format) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: "red", noise } })
      .toFormat(format)
      .toBuffer();
    expect(await refusal(whole.subarray(0, whole.length / 2), "image")).toMatch(/image is damaged/);
  });

  test("an empty file and one that is too large are refused", async () => {
    expect(await refusal(Buffer.alloc(0), "attachment")).toBe("The file is empty. Choose another one.");
    expect(await refusal(Buffer.alloc(10_000_001), "image")).toBe("An image can be up to 10 MB. Choose a smaller one.");
    expect(await refusal(Buffer.alloc(50_000_001), "attachment")).toMatch(/^A file can be up to 50 MB/);
    const large = Buffer.concat([await draw().png().toBuffer(), Buffer.alloc(10_000_000)]);
    expect(await refusal(large, "attachment")).toMatch(/^An image can be up to 10 MB.* compress it as a zip/);
  });

  test("a stream without end is not read further than the limit", async () => {
    let sent = 0;
    async function* endless() {
      for (;;) {
        sent += 1_000_000;
        yield Buffer.alloc(1_000_000);
      }
    }
    expect(await refusal(endless(), "picture")).toMatch(/up to 10 MB/);
    expect(sent).toBe(11_000_000);
  });
});

test.each([
  ["a page", html, "text/plain; charset=utf-8"],
  ["an SVG", svg, "text/plain; charset=utf-8"],
  [
    "an SVG that says it is XML",
    Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]),
    "application/octet-stream",
  ],
  ["a PDF", Buffer.from("%PDF-1.7\n%âãÏÓ\n"), "application/pdf"],
  ["a table", Buffer.from("a;b\n1;2\n"), "text/plain; charset=utf-8"],
  ["bytes", Buffer.from([0, 255, 1, 254, 2]), "application/octet-stream"],
])("%s is an attachment of a type that nothing runs", async (_, original, contentType) => {
  expect(await take(original, "attachment")).toEqual({ bytes: original, contentType, width: null, height: null });
});
