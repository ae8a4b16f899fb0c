import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";
import { aDatabase } from "@/testing/workspace";
import { keepBackups, lastBackup } from "./scheduled";

vi.setConfig({ testTimeout: 60_000 });

let databaseUrl: string;
beforeAll(async () => {
  const made = await aDatabase(String(process.env.DATABASE_URL));
  databaseUrl = made.url;
  return () => made.drop();
});

async function aFolder(onEnd: (work: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lectern-backups-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("backups are made when due, the newest are kept, and a failure deletes none", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  const settings = { databaseUrl, dataDir: folder, authSecret: undefined, backups: { folder, hours: 24, kept: 2 } };
  const keep = (time: string, more: object = {}) =>
    keepBackups({ ...settings, ...more }, new AbortController().signal, new Date(time));
  expect(await lastBackup(folder)).toBeNull();
  await writeFile(join(folder, "notes.txt"), "not a backup");
  await keep("2026-11-01T03:00:00Z");
  await keep("2026-11-01T23:00:00Z");
  expect(await readdir(folder)).toEqual(["lectern-20261101T030000Z.zip", "notes.txt"]);
  await keep("2026-11-02T03:00:01Z");
  await keep("2026-11-03T03:00:02Z");
  const kept = ["lectern-20261102T030001Z.zip", "lectern-20261103T030002Z.zip", "notes.txt"];
  expect(await readdir(folder)).toEqual(kept);
  expect(await lastBackup(folder)).toEqual(new Date("2026-11-03T03:00:02Z"));

  await expect(keep("2026-12-01T00:00:00Z", { databaseUrl: `${databaseUrl}_absent` })).rejects.toThrow();
  expect(await readdir(folder)).toEqual(kept);
  const absent = { folder: join(folder, "absent"), hours: 24, kept: 2 };
  await expect(keep("2026-12-01T00:00:00Z", { backups: absent })).rejects.toThrow(
    /^BACKUP_DIR is .*absent, which cannot be read \(ENOENT\)/,
  );
});

test("a server with BACKUP_DIR makes a backup", async ({ onTestFinished }) => {
  const folder = await aFolder(onTestFinished);
  vi.stubEnv("BACKUP_DIR", folder);
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
