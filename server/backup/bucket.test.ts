import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { inBucket } from "@/lib/env";
import { anS3Server, awsOf, type S3Server } from "@/testing/s3-server";
import { openBucket } from "./bucket";

const small = { partBytes: 1_000, pauseMs: 1 };
const bytes = randomBytes(3_500);
let store: S3Server;
let file: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bucket-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  file = join(folder, "a.zip");
  await writeFile(file, bytes);
  store = await anS3Server(onTestFinished);
});

const open = (options = {}) => openBucket("backups", awsOf(store), { ...small, ...options });

test("a file is sent and received in parts, and a part that fails for a moment is sent again", async () => {
  let failures = 2;
  store.refuse = (request) => (/^(PUT|GET)/.test(request) && failures-- > 0 ? 503 : undefined);
  await open().upload(file, "a/b.zip");
  expect([store.objects.get("a/b.zip"), store.uploads.size]).toEqual([bytes, 0]);
  expect(store.seen.filter((request) => request.startsWith("PUT"))).toHaveLength(4 + 2);
  failures = 1;
  await open().download("a/b.zip", `${file}.back`);
  expect(await readFile(`${file}.back`)).toEqual(bytes);
  await expect(open().download("a/c.zip", `${file}.none`)).rejects.toThrow("s3://backups/a/c.zip doesn't exist.");
});

test("an upload that fails in the middle leaves no object and no parts", async () => {
  let parts = 0;
  store.refuse = (request) => (request.startsWith("PUT") && ++parts > 2 ? 500 : undefined);
  await expect(open().upload(file, "a.zip")).rejects.toThrow(/^Can't use s3:\/\/backups \(S3 returned 500/);
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);

  const stopping = new AbortController();
  store.refuse = (request) => (request.startsWith("PUT a.zip") ? void stopping.abort(new Error("stopped")) : undefined);
  await expect(open({ signal: stopping.signal }).upload(file, "a.zip")).rejects.toThrow("stopped");
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);

  store.refuse = async (request) => {
    if (request.startsWith("PUT a.zip")) await truncate(file, 1_500);
    return undefined;
  };
  await expect(open().upload(file, "a.zip")).rejects.toThrow(
    /^The backup file changed during the upload\. Try again\.$/,
  );
  expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
});

test("an upload whose parts were joined is a success, whatever the answer was", async () => {
  store.refuseAfter = (request) => (request.startsWith("POST a.zip uploadId") ? 503 : undefined);
  await open().upload(file, "a.zip");
  store.refuseAfter = (request) => (request.startsWith("POST b.zip uploadId") ? 200 : undefined);
  await open().upload(file, "b.zip");
  store.refuseAfter = () => undefined;
  store.refuse = (request) => (request.startsWith("HEAD") ? 403 : undefined);
  await open().upload(file, "c.zip");
  for (const key of ["a.zip", "b.zip", "c.zip"]) expect(store.objects.get(key)).toEqual(bytes);
  expect(store.uploads.size).toBe(0);
});

test("parts that are not joined are a failure, and are removed", async () => {
  store.refuse = (request) => (request.startsWith("POST a.zip uploadId") ? 200 : undefined);
  await expect(open().upload(file, "a.zip")).rejects.toThrow("the parts could not be joined");
  // An older object of the same size proves nothing.
  store.objects.set("a.zip", Buffer.from(bytes));
  await expect(open().upload(file, "a.zip")).rejects.toThrow("the parts could not be joined");
  store.refuse = () => undefined;
  store.refuseAfter = (request) => {
    if (!request.startsWith("POST a.zip uploadId")) return undefined;
    store.objects.set("a.zip", Buffer.alloc(9));
    return 500;
  };
  await expect(open().upload(file, "a.zip")).rejects.toThrow();
  expect(store.uploads.size).toBe(0);
});

test("a store that answers a part with the whole object is refused before it is read", async () => {
  store.objects.set("a.zip", bytes);
  store.ignoresRanges = true;
  await expect(open().download("a.zip", `${file}.back`)).rejects.toThrow(
    "s3://backups/a.zip changed during the download. Try again.",
  );
  await openBucket("backups", awsOf(store), { pauseMs: 1 }).download("a.zip", `${file}.whole`);
  expect(await readFile(`${file}.whole`)).toEqual(bytes);
});

test("wrong credentials, a missing bucket and an unreachable store are reported with a remedy", async () => {
  const wrong = openBucket("backups", { ...awsOf(store), secret: "wrong" }, small);
  for (const work of [() => wrong.upload(file, "a.zip"), () => wrong.keys(""), () => wrong.put("x", Buffer.from("x"))])
    await expect(work()).rejects.toThrow(/^Access to s3:\/\/backups was denied \(.*403.*\)\. Check AWS_ACCESS_KEY_ID/);
  expect(() => openBucket("backups", { ...awsOf(store), secret: undefined })).toThrow("needs credentials");
  await expect(openBucket("other", awsOf(store), small).keys("")).rejects.toThrow("s3://other doesn't exist.");
  const away = openBucket("backups", { ...awsOf(store), endpoint: "http://127.0.0.1:9" }, small);
  await expect(away.keys("")).rejects.toThrow(/^Can't use s3:\/\/backups \(/);

  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const waits = { answer: 50, part: 60 };
  const mute = openBucket("backups", { ...awsOf(store), endpoint }, { ...small, waits });
  await expect(mute.keys("")).rejects.toThrow("no response within 0.05 seconds");
  await expect(mute.upload(file, "a.zip")).rejects.toThrow("no response within 0.06 seconds");
});

test.each([
  ["s3://my-backups", { name: "my-backups", path: "" }],
  ["s3://my.backups/a/b.zip", { name: "my.backups", path: "a/b.zip" }],
  ["s3://my-backups/kb 2/", { name: "my-backups", path: "kb 2" }],
  ["/srv/backups", null],
])("%s names %o", (address, parts) => expect(inBucket(address)).toEqual(parts));

test.each([
  ...["s3://", "s3://A/b", "s3:/a", "S3://my-backups", "https://a.example", "gs://my-backups/kb"],
  ...[
    "s3://my-backups/../a",
    "s3://my-backups/a/./b",
    "s3://my-backups//a",
    "s3://my-backups/a?b",
    "s3://my-backups/ä",
  ],
])("%s is not a bucket URL", (address) =>
  expect(() => inBucket(address)).toThrow(`${address} is not a bucket URL. Use one like s3://my-backups/lectern.`),
);
