import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ZipFile } from "yazl";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, UnavailableError } from "@/lib/errors";
import { openSource } from "@/lib/import/source";
import { makeFolder, removeLeftFolders } from "@/lib/import-export/folders";
import { readParts } from "@/lib/import-export/parts";
import {
  cancelRun,
  claimRun,
  findRun,
  listRuns,
  startExport,
  startImport,
  uploadImport,
} from "@/lib/import-export/runs";
import { createMember } from "@/lib/members/members";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { commitNaming } from "@/lib/uploads/commit";
import { newStorageKey } from "@/lib/uploads/storage";
import { storeUpload } from "@/lib/uploads/uploads";
import { workRun } from "@/server/jobs/import-export";
import { runHere } from "@/testing/import";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { cleanRuns } from "./clean-up";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-transfers-"));
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("IMPORT_MB", "1");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
const find = (of: TestWorkspace, kind: "export" | "import", id: string) =>
  readWorkspace(of.id, (read) => findRun(read, kind, id));
const started = (of: TestWorkspace) => inWorkspace(of.id, (db) => startExport(db, of, of.actor));
const filesOf = async ({ id }: TestWorkspace) =>
  (await readdir(join(folder, "uploads", id), { recursive: true }).catch(() => [])).filter((name) =>
    name.includes("/"),
  );

async function aZip(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return buffer(zip.outputStream);
}
const upload = (of: TestWorkspace, content: Uint8Array, filename = "../docs.zip") =>
  uploadImport(of.id, { filename, content: Readable.from([content]) }, of.actor);

test("an export is made once at a time, can be read back, and goes after its days", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace, { slug: "guides" }), slug: "one", source: null });
  const id = await started(workspace);
  await expect(started(workspace)).rejects.toThrow("Another export is running. Wait for it to finish, or cancel it.");
  await workRun(workspace.id, id, never);
  const made = await find(workspace, "export", id);
  expect(made).toMatchObject({ state: "done", createdByName: workspace.admin.email });
  const path = join(folder, "made.zip");
  await writeFile(path, await buffer(Readable.from(readParts(made?.parts ?? [], made?.byteSize ?? 0))));
  const source = await openSource(path);
  expect(source.articles).toEqual(["guides/one.md"]);
  await source.close();
  // Done is done: the job that comes twice does nothing.
  await workRun(workspace.id, id, never);
  expect(await find(workspace, "export", id)).toEqual(made);

  await cleanRuns(workspace.id);
  expect(await filesOf(workspace)).toHaveLength(1);
  await inWorkspace(workspace.id, (db) =>
    db.transfer.updateMany({ data: { updatedAt: new Date(Date.now() - 8 * 86_400_000) } }),
  );
  await cleanRuns(workspace.id);
  expect([await filesOf(workspace), await find(workspace, "export", id)]).toEqual([[], null]);
});

test("an export that is cancelled leaves nothing, and one that was stopped is made again", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const first = await started(workspace);
  await cancelRun(workspace.id, "export", first, workspace.actor);
  await workRun(workspace.id, first, never, runHere);
  expect(await find(workspace, "export", first)).toMatchObject({ state: "cancelled", parts: [] });

  const second = await started(workspace);
  await expect(
    workRun(workspace.id, second, AbortSignal.abort(new Error("The server stopped.")), runHere),
  ).rejects.toThrow();
  expect([await filesOf(workspace), (await find(workspace, "export", second))?.state]).toEqual([[], "running"]);
  await workRun(workspace.id, second, never, runHere);
  expect((await find(workspace, "export", second))?.state).toBe("done");
});

test("an export says what is not in its archive", async () => {
  const workspace = await aWorkspace();
  const file = { filename: "form.csv", content: Buffer.from("a;b\n"), by: null, kind: "attachment" } as const;
  const { id: uploadId } = await storeUpload(workspace.id, file);
  await anArticle(workspace, { category: await aCategory(workspace), attachmentIds: [uploadId] });
  const { storageKey } = await inWorkspace(workspace.id, (db) => db.upload.findFirstOrThrow());
  await uploadStorage().remove(storageKey);
  const id = await started(workspace);
  await workRun(workspace.id, id, never, runHere);
  const made = await find(workspace, "export", id);
  expect(made).toMatchObject({ state: "done", report: { created: 1, categories: 1, problems: 1, more: 0 } });
  expect(made?.report?.lines).toEqual([
    expect.stringMatching(/^_files\/\w+\/form\.csv: the file is missing from storage/),
  ]);
});

test("of finished exports the newest three are kept", async () => {
  const workspace = await aWorkspace();
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    const id = await started(workspace);
    await workRun(workspace.id, id, never, runHere);
    ids.push(id);
    expect(await filesOf(workspace)).toHaveLength(Math.min(count + 1, 3));
  }
  const [oldest = "", ...newer] = ids;
  expect(await find(workspace, "export", oldest)).toMatchObject({ state: "done", parts: [], byteSize: 0 });
  for (const id of newer) {
    const made = await find(workspace, "export", id);
    const bytes = await buffer(Readable.from(readParts(made?.parts ?? [], made?.byteSize ?? 0)));
    expect(bytes.length).toBeGreaterThan(0);
  }
});

test("an import is not read while another one is running, nor beyond its size limit", async () => {
  const workspace = await aWorkspace();
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 100_000;
      yield Buffer.alloc(100_000, "PK\x03\x04");
    }
  };
  const sent = () => uploadImport(workspace.id, { filename: "x.zip", content: endless() }, workspace.actor);
  await expect(sent()).rejects.toThrow("larger than 1 MB");
  expect(read).toBeLessThan(2_000_000);
  expect(await filesOf(workspace)).toEqual([]);

  await upload(workspace, await aZip({ "a/one.md": "# One" }));
  read = 0;
  await expect(sent()).rejects.toThrow("Another import is running");
  expect(read).toBe(0);
});

test("a run of another server is left to it, and one whose server was killed runs again", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const id = await started(workspace);
  const claim = () => inWorkspace(workspace.id, (db) => claimRun(db, id));
  expect(await claim()).toMatchObject({ id, state: "running" });
  expect(await claim()).toBeNull();
  await workRun(workspace.id, id, never, runHere);
  expect((await find(workspace, "export", id))?.state).toBe("running");
  await inWorkspace(workspace.id, (db) =>
    db.transfer.updateMany({ data: { updatedAt: new Date(Date.now() - 2 * 60_000) } }),
  );
  await workRun(workspace.id, id, never, runHere);
  expect((await find(workspace, "export", id))?.state).toBe("done");
});

test("a run whose server crashed twice is not started again, and says so", async () => {
  const workspace = await aWorkspace();
  await anArticle(workspace, { category: await aCategory(workspace) });
  const id = await started(workspace);
  for (let crash = 0; crash < 2; crash++) {
    await inWorkspace(workspace.id, async (db) => {
      expect(await claimRun(db, id)).toMatchObject({ id });
      await db.transfer.updateMany({ data: { updatedAt: new Date(Date.now() - 2 * 60_000) } });
    });
  }
  await workRun(workspace.id, id, never, runHere);
  expect(await find(workspace, "export", id)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("The server crashed twice"),
  });
});

test("an import is reviewed first, and stores only after it is started", async () => {
  const workspace = await aWorkspace();
  const zip = await aZip({
    "a/one.md": "# One\n\n[Two](two.md) [nowhere](no.md)",
    "a/two.md": "# Two",
    "bad.md": "---\nstate: later\n---\n",
  });
  const id = await upload(workspace, zip);
  await expect(upload(workspace, zip)).rejects.toThrow("Another import is running");
  const articles = () => inWorkspace(workspace.id, (db) => db.article.count());
  await workRun(workspace.id, id, never, runHere);
  const looked = await find(workspace, "import", id);
  expect(looked).toMatchObject({ state: "ready", filename: "docs.zip" });
  expect(looked?.report).toMatchObject({ files: 3, created: 2, categories: 1, problems: 1 });
  expect(looked?.report?.lines).toEqual([
    "bad.md:2: The “state” field must be draft or published.",
    "a/one.md:3: Broken link: no.md",
  ]);
  expect(await articles()).toBe(0);

  await inWorkspace(workspace.id, (db) => startImport(db, id, { asDrafts: false }, workspace.actor));
  await workRun(workspace.id, id, never, runHere);
  expect(await find(workspace, "import", id)).toMatchObject({ state: "done", report: { created: 2, problems: 1 } });
  expect(await articles()).toBe(2);
  await expect(
    inWorkspace(workspace.id, (db) => startImport(db, id, { asDrafts: false }, workspace.actor)),
  ).rejects.toThrow("already started or ended");
  // Its file is no longer needed. Its report can be read for days.
  expect(await filesOf(workspace)).toEqual([]);
  expect((await find(workspace, "import", id))?.report?.lines).toHaveLength(2);
});

test("a report counts the articles of earlier imports, and new articles become drafts of the importing member", async () => {
  const workspace = await aWorkspace();
  const imported = async (files: Record<string, string>, asDrafts: boolean) => {
    const id = await upload(workspace, await aZip(files));
    await workRun(workspace.id, id, never, runHere);
    await inWorkspace(workspace.id, (db) => startImport(db, id, { asDrafts }, workspace.actor));
    await workRun(workspace.id, id, never, runHere);
    return (await find(workspace, "import", id))?.report;
  };
  const person = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" };
  const importer = await inWorkspace(workspace.id, (db) => createMember(db, person, workspace.actor));
  await imported({ "a/one.md": "# One", "a/two.md": "# Two" }, false);
  workspace.actor = { kind: "member", id: importer.id, name: importer.email };
  const report = await imported({ "b/three.md": "# Three\n\n[Nowhere](no.md)" }, true);
  expect(report).toMatchObject({ created: 1, drafts: 1, absent: 2, lines: ["b/three.md:3: Broken link: no.md"] });
  const [three] = await inWorkspace(workspace.id, (db) => db.article.findMany({ where: { slug: "three" } }));
  expect(three).toMatchObject({ state: "draft", authorId: importer.id });
  // The same file again changes nothing, and does not publish the draft.
  const again = await imported({ "b/three.md": "# Three\n\n[Nowhere](no.md)" }, false);
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  expect(again?.lines.filter((line) => line.includes("More people"))).toEqual([]);
});

test("an error of the system, whose words are the operator's, is not told to who began an import", async () => {
  const workspace = await aWorkspace();
  const id = await upload(workspace, await aZip({ "a/one.md": "# One" }));
  const place = join(folder, "tmp");
  await rm(place, { recursive: true, force: true });
  // No folder can be made below a file: ENOTDIR, with its path.
  await writeFile(place, "");
  await workRun(workspace.id, id, never, runHere).finally(() => rm(place));
  const failed = await find(workspace, "import", id);
  expect([failed?.state, failed?.problem]).toEqual([
    "failed",
    "It failed with an error that retrying won't fix. Ask the operator to check the server's log.",
  ]);
});

test("an import that is replaced or cancelled leaves no bytes", async () => {
  const workspace = await aWorkspace();
  const zip = await aZip({ "a/one.md": "# One" });
  const ready = async () => {
    const id = await upload(workspace, zip);
    await workRun(workspace.id, id, never, runHere);
    expect(await find(workspace, "import", id)).toMatchObject({ state: "ready", byteSize: zip.length });
    expect(await filesOf(workspace)).toHaveLength(1);
    return id;
  };
  const first = await ready();
  const second = await ready();
  expect(await find(workspace, "import", first)).toMatchObject({ state: "cancelled", parts: [], byteSize: 0 });
  await cancelRun(workspace.id, "import", second, workspace.actor);
  expect(await find(workspace, "import", second)).toMatchObject({ state: "cancelled", parts: [], byteSize: 0 });
  expect(await filesOf(workspace)).toEqual([]);
});

test("bytes stay when nobody knows whether the rows that name them were stored, and go when they were not", async () => {
  const workspace = await aWorkspace();
  const putting = async () => {
    const key = newStorageKey(workspace.id);
    await uploadStorage().put(key, Buffer.from("bytes"));
    return key;
  };
  const committing = async (error: Error) => {
    const key = await putting();
    await expect(commitNaming([key], () => Promise.reject(error))).rejects.toBe(error);
    return (await filesOf(workspace)).length;
  };
  expect(await committing(new InvalidError([], "There is no room."))).toBe(0);
  expect(await committing(new UnavailableError("The database is not responding."))).toBe(1);
});

test("folders that a killed server left behind are removed, and those in use stay", async () => {
  const [left, atWork, backup] = [
    await makeFolder(folder),
    await makeFolder(folder),
    await makeFolder(folder, "backup"),
  ];
  await writeFile(join(left, "docs.zip"), "bytes");
  const before = new Date(Date.now() - 25 * 60 * 60_000);
  for (const old of [left, backup]) await utimes(old, before, before);
  await removeLeftFolders(folder, "import");
  expect(await readdir(join(folder, "tmp"))).toHaveLength(2);
  await removeLeftFolders(folder, "backup");
  expect((await readdir(join(folder, "tmp"))).map((name) => join(folder, "tmp", name))).toEqual([atWork]);
  await rm(atWork, { recursive: true });
});

test("what is no zip, empty or too large is refused, and nothing of it stays", async () => {
  const workspace = await aWorkspace();
  await expect(upload(workspace, Buffer.from("MZ, a program"))).rejects.toThrow("Not a zip file");
  await expect(upload(workspace, Buffer.alloc(0))).rejects.toThrow("Choose a zip file.");
  await expect(upload(workspace, Buffer.alloc(1_000_001, "PK\x03\x04"))).rejects.toThrow("larger than 1 MB");
  expect(await filesOf(workspace)).toEqual([]);
  // It begins like one: that it is damaged is found when it is looked at.
  const id = await upload(workspace, Buffer.from("PK\x03\x04 and nothing else"));
  await workRun(workspace.id, id, never, runHere);
  const failed = await find(workspace, "import", id);
  expect(failed).toMatchObject({ state: "failed", parts: [], byteSize: 0 });
  expect(await filesOf(workspace)).toEqual([]);
  expect(failed?.problem).toMatch(/^docs\.zip is not a folder or a readable zip file/);
});

test("another workspace's archives are not there", async () => {
  const [mine, other] = [await aWorkspace(), await aWorkspace()];
  const id = await started(other);
  await workRun(other.id, id, never, runHere);
  expect(await find(mine, "export", id)).toBeNull();
  expect(await readWorkspace(mine.id, (read) => listRuns(read, "export"))).toEqual([]);
  await expect(cancelRun(mine.id, "export", id, mine.actor)).rejects.toThrow("archive doesn't exist");
  await workRun(mine.id, id, never, runHere);
  expect(await readFile(join(folder, "uploads", (await find(other, "export", id))?.parts[0] ?? ""))).not.toHaveLength(
    0,
  );
});
