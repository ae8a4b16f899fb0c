import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openBackup } from "@/server/backup/archive";
import { backupName } from "@/server/backup/scheduled";
import { kbStoppedBy, kbWith, type Ran } from "@/testing/kb";
import { anS3Server, awsVariables } from "@/testing/s3-server";
import { plant } from "@/testing/wall";
import { aDatabase, type TestDatabase } from "@/testing/workspace";
import { textsIn } from "@/testing/zip";
import { checkMigrations } from "./restore/run";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const SERVER = process.env.DATABASE_URL as string;
let folder: string;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-backup-"));
});
afterAll(async () => {
  await leave();
  vi.unstubAllEnvs();
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Installation {
  database: TestDatabase;
  dataDir: string;
  kb(...args: string[]): Promise<Ran>;
}

async function anInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const database = await aDatabase(SERVER);
  databases.push(database);
  const dataDir = await mkdtemp(join(folder, "data-"));
  const all = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...settings };
  return { database, dataDir, kb: (...args) => kbWith(all, ...args) };
}

async function leave(): Promise<void> {
  await (await import("@/lib/analytics/search-log")).flushSearches();
  await (await import("@/lib/db")).closeConnections();
}

/** The product's code as a server of this installation would run it. */
async function inside({ database, dataDir }: Installation) {
  await leave();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("DATA_DIR", dataDir);
  vi.resetModules();
  return {
    ...(await import("@/testing/workspace")),
    ...(await import("@/lib/db")),
    ...(await import("@/lib/uploads/uploads")),
    ...(await import("@/lib/articles/removal")),
    ...(await import("@/lib/articles/schedule")),
    ...(await import("@/lib/snippets/snippets")),
    ...(await import("@/app/api/external/v2/_document/operations")),
  };
}
type Inside = Awaited<ReturnType<typeof inside>>;

const file = (name: string) => join(folder, name);

/** The counts and checksums in a backup, by table. */
async function sums(path: string) {
  const backup = await openBackup(path);
  backup.close();
  const { tables, files } = backup.manifest;
  return { files, tables: Object.fromEntries(tables.map(({ name, rows, sha256 }) => [name, { rows, sha256 }])) };
}

/** Answers of the API, byte for byte. */
async function answers(product: Inside, workspace: Parameters<Inside["call"]>[1], host = workspace.subdomain) {
  const paths = [
    ["/articles", "?page_size=100"],
    ["/articles", "?state=draft"],
    ["/categories", ""],
    ["/search", "?search_term=lantern"],
    ["/team-members", ""],
  ] as const;
  const found: Record<string, string> = {};
  for (const [path, query] of paths) {
    const answer = await product.call(product.paths[path], workspace, `/api/external/v2${path}${query}`);
    found[path + query] = `${answer.status} ${answer.text.replaceAll(`//${host}.`, "//docs.")}`;
  }
  return found;
}

/** A workspace with everything that a restore could lose. */
async function aFullWorkspace(product: Inside) {
  const { aWorkspace, aCategory, anArticle, inWorkspace } = product;
  const workspace = await aWorkspace();
  const guides = await aCategory(workspace, { name: "Guides" });
  const category = await aCategory(workspace, { name: "Oil", parentId: guides.id });
  const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const picture = { filename: "a.png", content: image, by: workspace.admin.id, kind: "image" } as const;
  const upload = await product.storeUpload(workspace.id, picture);
  await anArticle(workspace, {
    category,
    title: "Lantern",
    html: `<p>A lantern\tlights.</p><img src="${upload.path}">`,
  });
  await anArticle(workspace, { category, title: "Quoted \\N and \\ and ü", html: "<p>Tab\tand\\n</p>" });
  await anArticle(workspace, { category, title: "Contact", html: "<p>Ask {{mail}}.</p>" });
  const content = await product.cleanedSnippet(workspace.id, "us", "");
  await inWorkspace(workspace.id, (db) => product.addSnippet(db, { name: "mail", content }, workspace.actor));
  const draft = await anArticle(workspace, { category, title: "Later", state: "draft" });
  const trashed = await anArticle(workspace, { category, title: "Trashed", html: "<p>Gone lantern</p>" });
  await inWorkspace(workspace.id, (db) =>
    product.deleteArticles(db, [trashed.id], { kind: "gone" }, "http://docs.localhost:3000", workspace.actor),
  );
  const due = new Date(Date.now() + 86_400_000);
  await inWorkspace(workspace.id, (db) => product.schedulePublishing(db, draft.id, due, workspace.actor));
  return { workspace, category, upload, draft, trashed };
}

describe("a backup of the installation", () => {
  test("made under writes and restored elsewhere has equal counts, checksums and answers", async () => {
    const secret = randomBytes(32).toString("base64");
    const source = await anInstallation({ AUTH_SECRET: secret });
    const product = await inside(source);
    const quiet = await aFullWorkspace(product);
    const busy = await product.aWorkspace();
    const category = await product.aCategory(busy);
    let isOver = false;
    let pairs = 0;
    const writing = (async () => {
      // Each transaction adds two articles: a consistent backup has both or none.
      for (; !isOver; pairs++)
        await product.inWorkspace(busy.id, async (db) => {
          await product.anArticle(busy, { category, title: `Left ${pairs}` }, db);
          await product.anArticle(busy, { category, title: `Right ${pairs}` }, db);
        });
    })();
    const backup = file("all.zip");
    const saved = await source.kb("backup", "--out", backup);
    const pairsAtEnd = pairs;
    isOver = true;
    await writing;
    expect([saved.code, saved.err]).toEqual([0, expect.stringMatching(/Saving tables .*\n[^]*Checking files /)]);
    expect(saved.out).toMatch(/^Saved and checked 2 workspaces, \d+ articles, \d+ rows, 1 file \(0\.0 MB\) in /);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect(pairsAtEnd).toBeGreaterThan(3);
    const before = await answers(product, quiet.workspace);

    const other = await anInstallation();
    const refused = await other.kb("restore", backup);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("AUTH_SECRET is not set here. With a different one, everyone has to sign in again"),
    ]);
    const restored = await kbWith(
      { DATABASE_URL: other.database.url, DATA_DIR: other.dataDir, AUTH_SECRET: secret },
      "restore",
      backup,
    );
    expect([restored.code, restored.out]).toEqual([0, expect.stringMatching(/^Restored and compared 2 workspaces, /)]);

    const again = file("again.zip");
    expect((await other.kb("backup", "--out", again)).code).toBe(0);
    const first = await sums(backup);
    expect(await sums(again)).toEqual(first);
    // The trash, a schedule, and an article whose snippet is new.
    expect(first.tables.waiting_jobs?.rows).toBe(3);

    const copy = await inside(other);
    expect(await answers(copy, quiet.workspace)).toEqual(before);
    expect(before["/search?search_term=lantern"]).toContain("Lantern");
    const titles = await copy.inWorkspace(busy.id, (db) => db.article.findMany({ select: { title: true } }));
    const numbers = (side: string) =>
      titles.flatMap(({ title }) => (title.startsWith(side) ? [title.split(" ")[1]] : [])).sort();
    expect(numbers("Left")).toEqual(numbers("Right"));
    // A page of any later version that was kept elsewhere never seems fresh.
    const [version] = await copy.acrossWorkspaces.query<{ ahead: boolean }>(
      "SELECT min(version) >= extract(epoch FROM now() - interval '1 hour') * 1000 AS ahead FROM content_versions",
    );
    expect(version).toEqual({ ahead: true });
    await copy.inWorkspace(quiet.workspace.id, (db) =>
      copy.restoreArticles(db, [quiet.trashed.id], quiet.workspace.actor, ["articles.publish"]),
    );

    const full = await other.kb("restore", backup, "--new-secret");
    expect([full.code, full.err]).toEqual([
      1,
      expect.stringContaining("This installation already has workspaces. Restore into an empty one"),
    ]);
  });

  test("goes to a bucket, is checked by doctor, and is restored from the bucket", async ({ onTestFinished }) => {
    const store = await anS3Server(onTestFinished);
    const aws = awsVariables(store);
    const source = await anInstallation(aws);
    const product = await inside(source);
    await aFullWorkspace(product);
    const address = "s3://backups/copies/all.zip";
    const saved = await source.kb("backup", "--out", address);
    expect([saved.code, saved.out]).toEqual([0, expect.stringMatching(/ in s3:\/\/backups\/copies\/all\.zip\.\n$/)]);
    expect([...store.objects.keys()]).toEqual(["copies/all.zip"]);
    expect((await source.kb("backup", "--out", "s3://backups")).err).toContain("has no file name");

    const other = await anInstallation(aws);
    expect((await other.kb("restore", "--check", address)).out).toBe("The backup is complete and undamaged.\n");
    const restored = await other.kb("restore", address);
    expect([restored.code, restored.err]).toEqual([0, expect.stringContaining(`${address} is a backup of an install`)]);
    await other.kb("backup", "--out", file("from-bucket.zip"));
    await writeFile(file("sent.zip"), store.objects.get("copies/all.zip") ?? "");
    expect(await sums(file("from-bucket.zip"))).toEqual(await sums(file("sent.zip")));
    for (const { dataDir } of [source, other]) expect(await readdir(join(dataDir, "tmp"))).toEqual([]);
    for (const url of ["s3://backups", "s3://backups/copies/"])
      expect((await other.kb("restore", url)).err).toContain(`${url} has no file name. Add one, such as lectern.zip.`);
    expect((await other.kb("restore", "s3://backups/none.zip")).err).toContain("s3://backups/none.zip doesn't exist.");

    const doctor = async (more: Record<string, string>) =>
      (await kbWith({ DATABASE_URL: other.database.url, DATA_DIR: other.dataDir, ...aws, ...more }, "doctor")).out;
    const line = "backups can be stored";
    expect(await doctor({})).toContain(`note     ${line}: No backups are scheduled. Set BACKUP_TO.\n`);
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toContain(`ok       ${line}: There is no backup yet.\n`);
    expect(store.objects.size).toBe(1);
    const owner = await other.database.connect();
    await owner.query("UPDATE workspaces SET created_at = now() - interval '47 hours'");
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toContain(`ok       ${line}: There is no backup yet.\n`);
    await owner.query("UPDATE workspaces SET created_at = now() - interval '49 hours'");
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toContain(
      `problem  ${line}: There is no backup yet. Check that a server is running`,
    );
    store.refuse = (request) => (request.startsWith("GET copies/doctor-") ? 404 : undefined);
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toContain(
      `problem  ${line}: s3://backups didn't return a test file.`,
    );
    store.refuse = () => undefined;
    store.objects.set("copies/lectern-20261101T030000Z.zip", Buffer.alloc(0));
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toMatch(`problem  ${line}: The newest backup is`);
    store.objects.set(`copies/${backupName("lectern", new Date(Date.now() - 90 * 60_000))}`, Buffer.alloc(0));
    expect(await doctor({ BACKUP_TO: "s3://backups/copies" })).toContain(
      `ok       ${line}: The newest backup is 1 hour old.\n`,
    );
    const wrong = await doctor({ BACKUP_TO: "s3://backups/copies", AWS_SECRET_ACCESS_KEY: "wrong" });
    expect(wrong).toContain(`problem  ${line}: Access to s3://backups was denied`);
    expect(await doctor({ BACKUP_TO: file("absent") })).toContain(`problem  ${line}: BACKUP_TO is ${file("absent")}`);
  });

  test("that is stopped while it is sent or received leaves nothing", async ({ onTestFinished }) => {
    const store = await anS3Server(onTestFinished);
    const source = await anInstallation(awsVariables(store));
    const { database, dataDir } = source;
    expect((await source.kb("backup", "--out", "s3://backups/a.zip")).code).toBe(0);
    for (const [request, args, answer] of [
      ["PUT b.zip", ["backup", "--out", "s3://backups/b.zip"], [1, null]],
      ["GET a.zip", ["restore", "s3://backups/a.zip"], [null, "SIGTERM"]],
    ] as const) {
      const stop = new AbortController();
      store.refuse = (seen) => {
        if (seen.startsWith(request)) stop.abort();
        return seen.startsWith(request) ? new Promise(() => {}) : undefined;
      };
      const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...awsVariables(store) };
      const { code, signal } = await kbStoppedBy(stop.signal, settings, ...args);
      expect([code, signal]).toEqual(answer);
      expect([store.uploads.size, await readdir(join(dataDir, "tmp"))]).toEqual([0, []]);
    }
    expect([...store.objects.keys()]).toEqual(["a.zip"]);
  });

  test("takes a generated secret with it, and says so", async () => {
    const source = await anInstallation();
    const generated = { authSecret: randomBytes(32).toString("base64url") };
    await writeFile(join(source.dataDir, "secrets.json"), JSON.stringify(generated));
    const backup = file("generated.zip");
    expect((await source.kb("backup", "--out", backup)).err).toContain("It also holds the generated AUTH_SECRET.");
    const other = await anInstallation();
    const restored = await other.kb("restore", backup);
    expect([restored.code, restored.err]).toEqual([
      0,
      expect.stringContaining("The generated AUTH_SECRET of the backup becomes this installation's"),
    ]);
    expect(JSON.parse(await readFile(join(other.dataDir, "secrets.json"), "utf8"))).toEqual(generated);
  });

  test("is refused when damaged, incomplete or of another version, and nothing is restored", async () => {
    const source = await anInstallation();
    await source.kb("workspace", "create", "--subdomain", "docs", "--name", "Docs");
    const backup = file("whole.zip");
    await source.kb("backup", "--out", backup);
    expect((await source.kb("restore", backup, "--check")).out).toBe("The backup is complete and undamaged.\n");
    const bytes = await readFile(backup);
    const other = await anInstallation();

    const damaged = file("damaged.zip");
    // Inside the compressed rows of the first table.
    await writeFile(damaged, bytes.fill(0, 60, 80));
    for (const options of [["--check"], ["--new-secret"]]) {
      const answer = await other.kb("restore", damaged, ...options);
      expect([answer.code, answer.err]).toEqual([1, expect.stringMatching(/damaged/)]);
    }
    await truncate(damaged, bytes.length - 100);
    expect((await other.kb("restore", damaged)).err).toContain("is not a complete backup");
    expect((await other.kb("restore", file("absent.zip"))).err).toContain("can't be read (ENOENT)");
    expect((await other.kb("restore", backup, "--as", "docs")).err).toContain("Leave out --as");

    const owner = await other.database.connect();
    const count = await owner.query("SELECT FROM workspaces");
    expect(count.rowCount).toBe(0);

    const opened = await openBackup(backup);
    opened.close();
    const [migration, ...more] = opened.manifest.migrations;
    const madeWith = (...migrations: object[]) =>
      checkMigrations(
        { ...opened, manifest: { ...opened.manifest, migrations: migrations as never } },
        other.database.url,
      );
    await madeWith(migration as object, ...more);
    await expect(madeWith({ ...migration, checksum: "x" }, ...more)).rejects.toThrow(
      "made by another version of Lectern",
    );
    const later = { name: "20990101000000_later", checksum: "x" };
    await expect(madeWith(migration as object, ...more, later)).rejects.toThrow(
      "made by a newer version of Lectern, with the migration 20990101000000_later.",
    );
  });

  test("leaves no half file when the disk is full", async () => {
    const source = await anInstallation();
    await source.kb("workspace", "create", "--subdomain", "docs", "--name", "Docs");
    const backup = file("full.zip");
    // Every write to /dev/full finds the disk full.
    await symlink("/dev/full", `${backup}.partial`);
    const answer = await source.kb("backup", "--out", backup);
    expect([answer.code, answer.err]).toEqual([
      1,
      expect.stringContaining(`The disk of ${backup} is full, so there is no backup.`),
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith("full"))).toEqual([]);
    const nowhere = await source.kb("backup", "--out", join(folder, "absent", "b.zip"));
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      expect.stringContaining("can't be written (ENOENT). Choose a folder that exists"),
    ]);
  });
});

describe("a backup of a workspace", () => {
  test("is restored beside the original as a workspace of its own", async () => {
    const source = await anInstallation();
    const product = await inside(source);
    const { workspace, draft, trashed, upload } = await aFullWorkspace(product);
    const backup = file("one.zip");
    const saved = await source.kb("backup", "--workspace", workspace.subdomain, "--out", backup);
    expect([saved.code, saved.out]).toEqual([0, expect.stringContaining("1 workspace, 4 articles")]);
    expect((await source.kb("restore", backup)).err).toContain("Add --as <subdomain>");
    expect((await source.kb("restore", backup, "--as", workspace.subdomain)).err).toContain("is taken");
    const restored = await source.kb("restore", backup, "--as", "copy");
    expect([restored.code, restored.out]).toEqual([0, expect.stringMatching(/at http:\/\/copy\.localhost:3000\.\n$/)]);

    const [copy] = await product.acrossWorkspaces.query<{ id: string }>(
      "SELECT id FROM workspaces WHERE subdomain = 'copy'",
    );
    const id = copy?.id as string;
    const asOriginal = { ...workspace, subdomain: "copy" };
    expect((await product.call(product.paths["/me"], asOriginal, "/api/external/v2/me")).status).toBe(401);
    const key = await source.kb(
      "key",
      "create",
      "--workspace",
      "copy",
      "--name",
      "k",
      "--scope",
      "content.read",
      "--scope",
      "members.read",
    );
    const ours = { subdomain: "copy", key: { id: "", text: key.out.trim() } };
    expect(await answers(product, ours)).toEqual(await answers(product, workspace));

    const counts = await product.acrossWorkspaces.query<{ jobs: number; sessions: number }>(
      `SELECT (SELECT count(*)::int FROM graphile_worker._private_jobs
         WHERE payload->>'workspace_id' = $1::text AND payload->'payload'->>'articleId' = $2) AS jobs,
         (SELECT count(*)::int FROM sessions WHERE workspace_id = $1::uuid) AS sessions`,
      [id, draft.id],
    );
    expect(counts).toEqual([{ jobs: 1, sessions: 0 }]);
    await product.inWorkspace(id, (db) =>
      product.restoreArticles(db, [trashed.id], workspace.actor, ["articles.publish"]),
    );
    const back = await product.inWorkspace(id, (db) => db.article.findMany({ where: { id: trashed.id } }));
    expect(back.map(({ workspaceId }) => workspaceId)).toEqual([id]);
    const stored = await product.inWorkspace(id, (db) => db.upload.findFirst({ where: { id: upload.id } }));
    expect(stored?.storageKey.startsWith(`${id}/`)).toBe(true);
    expect((await readFile(join(source.dataDir, "uploads", stored?.storageKey ?? ""))).length).toBe(upload.byteSize);
  });

  test("holds nothing of any other workspace", async () => {
    const source = await anInstallation();
    const owner = await source.database.connect();
    const [ours, theirs] = [await plant(owner), await plant(owner)];
    for (const { id, word } of [ours, theirs]) {
      const payload = JSON.stringify({ workspace_id: id, payload: { articleId: word } });
      await owner.query("SELECT graphile_worker.add_job('publish_scheduled', $1::json)", [payload]);
    }
    const backup = file("planted.zip");
    expect((await source.kb("backup", "--workspace", ours.word, "--out", backup)).code).toBe(0);
    const texts = await textsIn(backup);
    const text = texts.join("");
    const tablesWithOurs = texts.filter((part) => part.includes(ours.word)).length;
    const hits = (secret: string) =>
      [secret, Buffer.from(secret).toString("hex")].map((form) => text.split(form).length - 1);
    expect(hits(theirs.word)).toEqual([0, 0]);
    expect(text.split(theirs.id).length - 1).toBe(0);
    expect(hits(ours.word).map((count) => count > 2)).toEqual([true, true]);
    expect(tablesWithOurs).toBeGreaterThan(20);
  });
});

test("no table needs a sequence, which a restore would have to set", async () => {
  const { database } = await anInstallation();
  const owner = await database.connect();
  const { rows } = await owner.query(
    "SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace",
  );
  expect(rows).toEqual([]);
});
