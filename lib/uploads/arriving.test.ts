import { expect, test, vi } from "vitest";
import { arrivingFile } from "@/lib/uploads/arriving";
import { takeContent } from "@/lib/uploads/content";
import type { UploadError } from "@/lib/uploads/refusals";

vi.stubEnv("UPLOAD_IMAGE_MB", "1");
vi.stubEnv("UPLOAD_ATTACHMENT_MB", "1");

const limits = { imageBytes: 1_000_000, attachmentBytes: 1_000_000, quotaBytes: 1_000_000_000 };

async function formOf(content: Uint8Array, filename = "notes.txt"): Promise<{ headers: Headers; bytes: Buffer }> {
  const form = new FormData();
  form.set("file", new File([Buffer.from(content)], filename));
  const request = new Request("http://localhost", { method: "POST", body: form });
  return { headers: request.headers, bytes: Buffer.from(await request.arrayBuffer()) };
}

/** The result for a body, and how much of the body was read before the content was. */
async function taken(headers: Headers, bytes: Buffer, cut = false) {
  let read = 0;
  async function* body() {
    for (let at = 0; at < bytes.length; at += 10_000) {
      const piece = bytes.subarray(at, at + 10_000);
      read += piece.length;
      yield piece;
    }
    if (cut) throw new Error("aborted");
  }
  try {
    const file = await arrivingFile({ headers, body: body() }, { kind: "attachment", name: "alone.txt" });
    const before = read;
    const { bytes: stored } = await takeContent(file.content, "attachment", limits);
    return { name: file.filename, length: stored.length, before };
  } catch (error) {
    return (error as UploadError).reason;
  }
}

test("of a form no more is in memory than has just arrived, as of a file alone", async () => {
  const { headers, bytes } = await formOf(Buffer.alloc(900_000, "x"));
  expect(await taken(headers, bytes)).toEqual({ name: "notes.txt", length: 900_000, before: 10_000 });
  expect(await taken(new Headers(), Buffer.alloc(900_000, "x"))).toEqual({
    name: "alone.txt",
    length: 900_000,
    before: 0,
  });
});

test("what is cut off, too large, empty or was not chosen is told apart, in a form and alone", async () => {
  const { headers, bytes } = await formOf(Buffer.alloc(50_000, "x"));
  expect(await taken(headers, bytes.subarray(0, -10))).toBe("cut_off");
  expect(await taken(headers, bytes.subarray(0, 20_000), true)).toBe("cut_off");
  expect(await taken(headers, Buffer.alloc(0))).toBe("cut_off");
  expect(await taken(new Headers(), bytes, true)).toBe("cut_off");
  const large = await formOf(Buffer.alloc(1_000_001, "x"));
  expect(await taken(large.headers, large.bytes)).toBe("large");
  expect(await taken(new Headers(), Buffer.alloc(2_000_000, "x"))).toBe("large");
  expect(await taken(new Headers({ "Content-Length": "2000000" }), Buffer.alloc(1))).toBe("large");
  const [empty, none] = [await formOf(Buffer.alloc(0)), await formOf(Buffer.alloc(0), "")];
  expect([await taken(empty.headers, empty.bytes), await taken(none.headers, none.bytes)]).toEqual([
    "empty",
    "missing",
  ]);
  expect(await taken(new Headers(), Buffer.alloc(0))).toBe("empty");
});
