import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { makeFolder } from "@/lib/import-export/folders";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { anS3Server, awsOf } from "@/testing/s3-server";
import { aDatabase } from "@/testing/workspace";
import { placeOf } from "./place";
import { keepBackups, lastBackup } from "./scheduled";
import { writeBackup } from "./write";

vi.setConfig({ testTimeout: 60_000 });

let databaseUrl: string;
beforeAll(async () => {
  const made = await aDatabase(String(process.env.DATABASE_URL));
  databaseUrl = await made.serverLogin();
  return () => made.drop();
});

async function aFolder(onEnd: (work: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lectern-backups-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const others = (dataDir: string) => ({
  ...{ directUrl: databaseUrl, dataDir, authSecret: undefined },
  aws: { endpoint: undefined, region: "us-east-1", key: undefined, secret: undefined },
});

test("backups are made when due, the newest are kept, and a failure deletes none", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const settings = { ...others(folder), backups: { to: folder, hours: 24, kept: 2 } };
  const keep = (time: string, more: object = {}) =>
    keepBackups({ ...settings, ...more }, new AbortController().signal, new Date(time));
  const last = () => lastBackup(placeOf(folder, settings));
  expect(await last()).toBeNull();
  await writeFile(join(folder, "notes.txt"), "not a backup");
  await keep("2026-11-01T03:00:00Z");
  await keep("2026-11-01T23:00:00Z");
  expect(await readdir(folder)).toEqual(["lectern-20261101T030000Z.zip", "notes.txt"]);
  await keep("2026-11-02T03:00:01Z");
  await keep("2026-11-03T03:00:02Z");
  const kept = ["lectern-20261102T030001Z.zip", "lectern-20261103T030002Z.zip", "notes.txt"];
  expect(await readdir(folder)).toEqual(kept);
  expect(await last()).toEqual(new Date("2026-11-03T03:00:02Z"));

  await expect(keep("2026-12-01T00:00:00Z", { directUrl: `${databaseUrl}_absent` })).rejects.toThrow();
  expect(await readdir(folder)).toEqual(kept);
  const absent = { to: join(folder, "absent"), hours: 24, kept: 2 };
  await expect(keep("2026-12-01T00:00:00Z", { backups: absent })).rejects.toThrow(
    /^BACKUP_TO is .*absent, which can't be read \(ENOENT\)/,
  );
});

test("a bucket keeps the newest backups, and everything else in it stays", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const store = await anS3Server(onTestFinished);
  const foreign = [
    ...["lectern-20250101T000000Z.zip", "kb2/lectern-20250101T000000Z.zip", "kb/sub/lectern-20250101T000000Z.zip"],
    ...["kb/notes.txt", "kb/lectern-docs.zip", "kb/lectern-2025.zip"],
  ];
  for (const key of foreign) store.objects.set(key, Buffer.from("x"));
  const settings = {
    ...{ ...others(folder), aws: awsOf(store) },
    backups: { to: { name: "backups", path: "kb" }, hours: 24, kept: 2 },
  };
  const keep = (time: string, more: object = {}) =>
    keepBackups({ ...settings, ...more }, new AbortController().signal, new Date(time));
  const ours = () => [...store.objects.keys()].filter((key) => !foreign.includes(key)).sort();
  for (const day of ["01", "02", "03"]) await keep(`2026-11-${day}T03:00:00Z`);
  await keep("2026-11-03T23:00:00Z");
  const kept = ["kb/lectern-20261102T030000Z.zip", "kb/lectern-20261103T030000Z.zip"];
  expect([ours(), store.objects.size]).toEqual([kept, kept.length + foreign.length]);
  expect(await lastBackup(placeOf(settings.backups.to, settings))).toEqual(new Date("2026-11-03T03:00:00Z"));

  store.refuse = (request) => (/^PUT .*partNumber/.test(request) ? 403 : undefined);
  await expect(keep("2026-11-05T00:00:00Z")).rejects.toThrow(/^Access to s3:\/\/backups was denied/);
  expect([ours(), store.uploads.size]).toEqual([kept, 0]);
  store.refuse = () => undefined;
  await expect(keep("2026-11-05T00:00:00Z", { aws: { ...awsOf(store), secret: "wrong" } })).rejects.toThrow("403");

  // A killed server leaves parts.
  const upload = (key: string, days: number) =>
    store.uploads.set(key, { key, parts: new Map(), initiated: new Date(Date.now() - days * 86_400_000) });
  for (const key of ["kb/lectern-20261101T030000Z.zip", "kb/other.zip"]) upload(key, 3);
  upload("kb/lectern-20261104T030000Z.zip", 1);
  await keep("2026-11-05T00:00:00Z");
  expect([...store.uploads.keys()]).toEqual(["kb/other.zip", "kb/lectern-20261104T030000Z.zip"]);
  expect(await readdir(join(folder, "tmp"))).toEqual([]);
});

test("the next run deletes what a run could not, and tidies after a failed upload too", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const store = await anS3Server(onTestFinished);
  const settings = {
    ...{ ...others(folder), aws: awsOf(store) },
    backups: { to: { name: "backups", path: "" }, hours: 24, kept: 1 },
  };
  const keep = (time: string) => keepBackups(settings, new AbortController().signal, new Date(time));
  await keep("2026-11-01T03:00:00Z");
  store.refuse = (request) => (request.startsWith("DELETE") ? 403 : undefined);
  await expect(keep("2026-11-02T03:00:00Z")).rejects.toThrow("was denied");
  expect(store.objects.size).toBe(2);
  store.refuse = () => undefined;
  await keep("2026-11-02T03:05:00Z");
  expect([...store.objects.keys()]).toEqual(["lectern-20261102T030000Z.zip"]);

  const key = "lectern-20261031T030000Z.zip";
  store.uploads.set("left", { key, parts: new Map(), initiated: new Date(Date.now() - 3 * 86_400_000) });
  const left = await makeFolder(folder, "backup");
  const before = new Date(Date.now() - 25 * 60 * 60_000);
  await utimes(left, before, before);
  store.refuse = (request) => (request.startsWith("PUT") ? 403 : undefined);
  await expect(keep("2026-11-03T03:00:00Z")).rejects.toThrow("was denied");
  expect([store.uploads.size, store.objects.size, await readdir(join(folder, "tmp"))]).toEqual([0, 1, []]);
});

test("no other backup starts before an upload ends", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const store = await anS3Server(onTestFinished);
  const settings = {
    ...{ ...others(folder), aws: awsOf(store) },
    backups: { to: { name: "backups", path: "" }, hours: 24, kept: 5 },
  };
  const keep = (time: string) => keepBackups(settings, new AbortController().signal, new Date(time));
  let sent = 0;
  store.refuse = async (request) => {
    if (request.startsWith("PUT") && sent++ === 0) await keep("2026-11-01T03:00:01Z");
    return undefined;
  };
  await keep("2026-11-01T03:00:00Z");
  expect([[...store.objects.keys()], sent]).toEqual([["lectern-20261101T030000Z.zip"], 1]);
});

test("a backup that is stopped while it is checked ends immediately and leaves nothing", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const stop = new AbortController();
  const checked: string[] = [];
  const stopped = writeBackup({
    ...{ databaseUrl, file: join(folder, "lectern.zip"), secret: null, signal: stop.signal },
    onProgress(step, done) {
      if (step.startsWith("Checking")) checked.push(`${step} ${done}`);
      if (checked.length === 2) stop.abort(new Error("Stopped."));
    },
  });
  await expect(stopped).rejects.toThrow("Stopped.");
  expect(checked).toEqual(["Checking tables 0", "Checking tables 1"]);
  expect(await readdir(folder)).toEqual([]);
});

test("a server with BACKUP_TO makes a backup", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  vi.stubEnv("BACKUP_TO", folder);
  vi.stubEnv("DATABASE_URL", databaseUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  const worker = startWorker({
    databaseUrl,
    handlers: jobHandlers({ deliver: async () => {}, baseUrl: "http://localhost:3000" }),
    isBackingUp: true,
    log: () => {},
  });
  onTestFinished(() => worker.stop());
  await expect
    .poll(() => readdir(folder), { timeout: 30_000 })
    .toEqual([expect.stringMatching(/^lectern-\d{8}T\d{6}Z\.zip$/)]);
});
