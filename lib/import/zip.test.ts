import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Options, ZipFile } from "yazl";
import { openSource } from "@/lib/import/source";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
});
afterAll(() => rm(folder, { recursive: true }));

let count = 0;
type Entry = [name: string, text: string | Buffer, options?: Partial<Options>];

/** A zip of these files, whose bytes `tamper` may change. */
async function aZip(entries: Entry[], tamper: (bytes: Buffer) => void = () => {}): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text, options] of entries) zip.addBuffer(Buffer.from(text), name, options);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  tamper(bytes);
  const file = join(folder, `${count++}.zip`);
  await writeFile(file, bytes);
  return file;
}

/** Puts other bytes of the same length in every place. */
const replace = (from: string, to: string) => (bytes: Buffer) => {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at, "latin1");
};

async function opened(file: string) {
  const source = await openSource(file);
  const { articles, settings, others, refused } = source;
  return { source, seen: { articles, settings, others: [...others], refused } };
}

test("an archive is listed in one order, and read a file at a time", async () => {
  const file = await aZip([
    ["b/two.html", "<p>two"],
    ["a.md", "one"],
    ["b/_category.yml", "name: B"],
    ["b/picture.png", "png"],
    [".git/config", "hidden"],
    ["__MACOSX/a.md", "hidden"],
  ]);
  const { source, seen } = await opened(file);
  expect(seen).toEqual({
    articles: ["a.md", "b/two.html"],
    settings: ["b/_category.yml"],
    others: ["b/picture.png"],
    refused: [],
  });
  expect((await source.read("b/two.html")).toString()).toBe("<p>two");
  await source.close();
});

test("what leads out, is packed twice, encrypted or a link is refused, and the rest is read", async () => {
  const file = await aZip(
    [
      ["good.md", "good"],
      ["xx/traversal.md", "bad"],
      ["Cxabsolute.md", "bad"],
      ["twice.md", "first"],
      ["twicE.md", "second"],
      ["link.md", "good.md", { mode: 0o120777 }],
      ["bomb.md", Buffer.alloc(3_000_000)],
    ],
    (bytes) => {
      replace("xx/traversal.md", "../traversal.md")(bytes);
      replace("Cxabsolute.md", "C:absolute.md")(bytes);
      replace("twicE.md", "twice.md")(bytes);
    },
  );
  const { source, seen } = await opened(file);
  expect(seen.articles).toEqual(["good.md", "twice.md"]);
  expect((await source.read("twice.md")).toString()).toBe("first");
  expect(seen.refused).toEqual([
    { path: "../traversal.md", message: expect.stringContaining("points outside the archive") },
    { path: "C:absolute.md", message: expect.stringContaining("points outside the archive") },
    { path: "twice.md", message: expect.stringContaining("appears twice") },
    { path: "link.md", message: expect.stringContaining("symbolic link") },
    { path: "bomb.md", message: expect.stringContaining("200 times its size") },
  ]);
  await source.close();
});

test("an encrypted file and one that is too large are refused", async () => {
  const large = Buffer.from(Array.from({ length: 11 * 1024 * 1024 }, (_, index) => (index * 7919) % 251));
  const file = await aZip(
    [
      ["locked.md", "secret"],
      ["large.md", large, { compress: false }],
    ],
    (bytes) => {
      // The first bit of the flags, in the central directory.
      const at = bytes.indexOf(Buffer.from("PK\x01\x02"));
      bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | 1, at + 8);
    },
  );
  const { source, seen } = await opened(file);
  expect(seen.articles).toEqual([]);
  expect(seen.refused.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    "locked.md: The file is encrypted. Pack it without a password.",
    "large.md: The file is larger than 10 MB. Split it into several articles.",
  ]);
  await source.close();
});

test("a file that was damaged is not read as if it were whole", async () => {
  const file = await aZip([["a.md", "unpacked text", { compress: false }]], replace("unpacked", "tampered"));
  const { source } = await opened(file);
  await expect(source.read("a.md")).rejects.toThrow("The archive is damaged");
  await source.close();
});

test("what is no archive is refused as a whole", async () => {
  const file = join(folder, "not.zip");
  await writeFile(file, "This is text.");
  await expect(openSource(file)).rejects.toThrow("is not a folder or a readable zip file");
  await expect(openSource(join(folder, "nothing"))).rejects.toThrow("There is nothing at");
});

test("a folder is listed like an archive, and links in it are not followed", async () => {
  const root = join(folder, "tree");
  await mkdir(join(root, "sub/.hidden"), { recursive: true });
  await writeFile(join(root, "sub/b.markdown"), "b");
  await writeFile(join(root, "sub/.hidden/c.md"), "c");
  // The name as some disks spell it: the letter and its dots apart.
  await writeFile(join(root, "u\u0308ber.md"), "a");
  await writeFile(join(root, "sub/p.png"), "p");
  await symlink(join(root, "sub"), join(root, "loop"));
  await symlink("/etc/passwd", join(root, "passwd.md"));
  const { source, seen } = await opened(root);
  expect(seen.refused.map(({ path }) => path).sort()).toEqual(["loop", "passwd.md"]);
  expect({ ...seen, refused: [] }).toEqual({
    articles: ["sub/b.markdown", "\u00fcber.md"],
    settings: [],
    others: ["sub/p.png"],
    refused: [],
  });
  expect((await source.read("\u00fcber.md")).toString()).toBe("a");
});
