import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type FormFileError, fileOfForm } from "@/lib/http/form-file";

async function formOf(file: File): Promise<{ type: string; bytes: Buffer }> {
  const form = new FormData();
  form.set("file", file);
  const request = new Request("http://localhost", { method: "POST", body: form });
  return { type: request.headers.get("content-type") ?? "", bytes: Buffer.from(await request.arrayBuffer()) };
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 2, 7, 50, 100_000])("a form's file arrives as it was, in pieces of %i bytes", async (size) => {
  // Content that resembles a boundary.
  const content = Buffer.from(`PK\r\n--\r\n--${"-".repeat(20)}form\r\n\r\n${"\0".repeat(300)}\r`);
  const { type, bytes } = await formOf(new File([content], 'my "zip" ö.zip'));
  const file = await fileOfForm(type, inPieces(bytes, size));
  expect(file.filename).toBe('my "zip" ö.zip');
  expect((await buffer(Readable.from(file.content))).equals(content)).toBe(true);
});

test("of a form with other fields the file is found, and none of it is read before it is asked for", async () => {
  const form = new FormData();
  form.set("note", "with a blank\r\n\r\nline");
  form.set("other", new File(["not this one"], "other.zip"));
  form.set("file", new File([Buffer.alloc(1_000_000, "x")], "x.zip"));
  const request = new Request("http://localhost", { method: "POST", body: form });
  const bytes = Buffer.from(await request.arrayBuffer());
  let read = 0;
  async function* counted() {
    for await (const piece of inPieces(bytes, 1_000)) {
      read += piece.length;
      yield piece;
    }
  }
  const file = await fileOfForm(request.headers.get("content-type") ?? "", counted());
  expect([file.filename, read]).toEqual(["x.zip", 1_000]);
  let most = 0;
  let length = 0;
  for await (const part of file.content) {
    length += part.length;
    most = Math.max(most, read - length);
  }
  expect(length).toBe(1_000_000);
  expect(most).toBeLessThan(3_000);
});

test("what is sent behind the file is not read without an end", async () => {
  const { type, bytes } = await formOf(new File(["x"], "x.zip"));
  let read = 0;
  async function* endless() {
    yield bytes;
    for (;;) {
      read += 1_000;
      yield Buffer.alloc(1_000);
    }
  }
  const file = await fileOfForm(type, endless());
  expect((await buffer(Readable.from(file.content))).toString()).toBe("x");
  expect(read).toBeLessThan(10_000);
});

test("what is no form with a file, or was cut off, is told apart", async () => {
  const { type, bytes } = await formOf(new File(["x"], "x.zip"));
  const why = (contentType: string, text: Buffer) =>
    fileOfForm(contentType, inPieces(text, 10)).then(
      () => "taken",
      (error: unknown) => (error as FormFileError).reason,
    );
  expect(await why("text/plain", bytes)).toBe("missing");
  for (const text of ["nothing", "x".repeat(100_000)]) expect(await why(type, Buffer.from(text))).toBe("missing");
  const edge = `--${type.split("boundary=")[1]}`;
  const field = `${edge}\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n${edge}`;
  expect(await why(type, Buffer.from(`${field}--\r\n`))).toBe("missing");
  for (const text of ["", edge.slice(0, 7), `${edge}\r\nbroken`, field])
    expect([text, await why(type, Buffer.from(text))]).toEqual([text, "cut_off"]);
  const cut = await fileOfForm(type, inPieces(bytes.subarray(0, -10), 10));
  await expect(buffer(Readable.from(cut.content))).rejects.toMatchObject({ reason: "cut_off" });
});
