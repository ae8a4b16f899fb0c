import { mkdtemp, readdir, rm, unlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { kbIn } from "@/testing/kb";
import { aDatabase, type TestDatabase } from "@/testing/workspace";

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let made: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-kb-"));
  made = await aDatabase(process.env.DATABASE_URL as string);
  vi.stubEnv("DATABASE_URL", made.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await made.drop();
  await rm(folder, { recursive: true, force: true });
});

const kb = (...args: string[]) => kbIn(folder, ...args);

test("a logo and a picture are uploaded, what is neither is refused, and the doctor misses files", async () => {
  await kb("workspace", "create", "--subdomain", "docs", "--name", "Docs", "--admin-email", "ada@example.com");
  const path = join(folder, "face.png");
  await sharp({ create: { width: 900, height: 300, channels: 3, background: "red" } })
    .png()
    .toFile(path);
  const logo = await kb("upload", path, "--workspace", "docs", "--as", "logo");
  expect(logo.out).toMatch(/^http:\/\/docs\.localhost:3000\/uploads\/[0-9a-f-]{36}\n$/);
  expect(logo.err).toMatch(/Stored face\.png as image\/png, \d+ bytes, 384 × 128 pixels\.\n$/);
  const picture = await kb("upload", path, "--workspace", "docs", "--as", "picture", "--member", "Ada@example.com");
  expect([picture.code, picture.err]).toEqual([0, expect.stringMatching(/face\.webp as image\/webp.*256 × 256/)]);

  const page = join(folder, "page.png");
  await writeFile(page, "<script>alert(1)</script>");
  const refused = await kb("upload", page, "--workspace", "docs", "--as", "logo");
  expect([refused.code, refused.out]).toEqual([1, ""]);
  expect(refused.err).toMatch(/^A logo must be a PNG, JPEG, WebP, GIF, or AVIF file/m);
  const nobodys = await kb("upload", path, "--workspace", "docs", "--as", "picture");
  expect([nobodys.code, nobodys.err]).toEqual([1, expect.stringContaining("Use --as picture and --member")]);
  const absent = await kb("upload", join(folder, "absent"), "--workspace", "docs", "--as", "image");
  expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("absent is not a readable file")]);

  const right = "ok       every uploaded file is stored, and every stored file is an upload\n";
  expect((await kb("doctor")).out).toContain(right);
  const uploads = join(folder, "uploads");
  const [first = "", second = ""] = (await readdir(uploads, { recursive: true })).filter((name) => name.length > 50);
  await unlink(join(uploads, first));
  const stray = second.replace(/[^/]+$/, "0".repeat(32));
  await writeFile(join(uploads, stray), "x");
  await utimes(join(uploads, stray), 0, 0);
  const doctor = await kb("doctor");
  expect(doctor.code).toBe(1);
  expect(doctor.out).toContain(`1 (${first}) have no file. Restore the files from a backup.`);
  expect(doctor.out).toContain(`1 (${stray}) have no upload. The cleanup deletes them within an hour`);
});
