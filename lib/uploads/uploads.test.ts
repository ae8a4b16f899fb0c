import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { acrossWorkspaces, inWorkspace, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { publishedArticle } from "@/lib/reader/published-articles";
import { setLogo } from "@/lib/settings/appearance";
import { findPublicWorkspace } from "@/lib/site";
import { addSnippet, deleteSnippet } from "@/lib/snippets/snippets";
import type { UploadKind } from "@/lib/uploads/kinds";
import { setPicture, storeUpload, type Upload, uploadFor } from "@/lib/uploads/uploads";
import { readAs } from "@/lib/visibility";
import { contentVersionOf } from "@/lib/workspaces/workspaces";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { cleanUploads, removeAllUploads } from "./clean-up";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-uploads-"));
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("UPLOAD_QUOTA_MB", "1");
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const draw = (background = "red") => sharp({ create: { width: 300, height: 300, channels: 3, background } });

async function store(
  workspace: TestWorkspace,
  kind: UploadKind,
  file: { filename?: string; content?: Uint8Array } = {},
) {
  const content = file.content ?? (kind === "attachment" ? Buffer.from("a;b\n") : await draw().png().toBuffer());
  return storeUpload(workspace.id, { filename: file.filename ?? "a file", content, by: workspace.admin.id, kind });
}

async function filesOf({ id }: { id: string }): Promise<string[]> {
  const names = await readdir(join(folder, "uploads", id), { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes("/"));
}

const rowsOf = ({ id }: { id: string }) => inWorkspace(id, (db) => db.upload.findMany());

const write = <T>(workspace: TestWorkspace, sql: string, ...values: unknown[]) =>
  inWorkspace(workspace.id, (db) => db.$queryRawUnsafe<T[]>(sql, ...values));

const attach = (workspace: TestWorkspace, article: { id: string }, upload: Upload, live = true) =>
  write(
    workspace,
    `INSERT INTO article_attachments (article_id, upload_id, in_live, in_draft) VALUES ($1::uuid, $2::uuid, ${live}, true)`,
    article.id,
    upload.id,
  );

const auditOf = (workspace: TestWorkspace) =>
  write<object>(
    workspace,
    "SELECT action, subject_kind AS kind, details FROM audit_entries WHERE action LIKE '%.updated' ORDER BY id",
  );

test("an upload is stored with what it is by its content, under a name that nobody guesses", async () => {
  const workspace = await aWorkspace();
  const upload = await store(workspace, "image", { filename: "../../../shell\u202E.php\0" });
  expect(upload).toEqual({
    id: expect.any(String),
    filename: "shell.png",
    contentType: "image/png",
    byteSize: expect.any(Number),
    ...{ width: 300, height: 300 },
    path: `/uploads/${upload.id}`,
  });
  const [row] = await rowsOf(workspace);
  expect(row?.storageKey).toMatch(new RegExp(`^${workspace.id}/[0-9a-f]{2}/[0-9a-f]{32}$`));
  const bytes = await readFile(join(folder, "uploads", row?.storageKey ?? ""));
  expect([bytes.length, createHash("sha256").update(bytes).digest()]).toEqual([
    Number(row?.byteSize),
    Buffer.from(row?.sha256 ?? []),
  ]);
  expect(row?.createdBy).toBe(workspace.admin.id);
});

test("what is refused leaves nothing", async () => {
  const workspace = await aWorkspace();
  const whole = await draw().jpeg().toBuffer();
  const refused = [Buffer.alloc(0), Buffer.from("<svg/>"), whole.subarray(0, 500)];
  for (const content of refused) await expect(store(workspace, "picture", { content })).rejects.toThrow(InvalidError);
  expect([await filesOf(workspace), await rowsOf(workspace)]).toEqual([[], []]);
  await store(workspace, "picture");
  expect([(await filesOf(workspace)).length, (await rowsOf(workspace)).length]).toEqual([1, 1]);
});

test("of many concurrent uploads, only those that fit the quota are stored", async () => {
  const workspace = await aWorkspace();
  const content = Buffer.alloc(150_000, "a");
  const ended = await Promise.allSettled(Array.from({ length: 20 }, () => store(workspace, "attachment", { content })));
  const refused = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  expect(refused.length).toBe(14);
  for (const error of refused) expect(error.message).toMatch(/has used its 1 MB of storage/);
  expect([(await filesOf(workspace)).length, (await rowsOf(workspace)).length]).toEqual([6, 6]);
  // The room of one workspace is none of another's.
  await store(await aWorkspace(), "attachment", { content });
});

describe("who may fetch an upload", () => {
  const audience = async (workspace: { id: string }, upload: Upload, viewer: "anyone" | "member") =>
    (await uploadFor(workspace, viewer, upload.id))?.audience ?? null;
  const both = async (workspace: { id: string }, upload: Upload) => [
    await audience(workspace, upload, "anyone"),
    await audience(workspace, upload, "member"),
  ];

  test("what nothing uses: members", async () => {
    const workspace = await aWorkspace();
    expect(await both(workspace, await store(workspace, "image"))).toEqual([null, "private"]);
  });

  test("a picture and the logo: everybody, as long as they are that", async () => {
    const workspace = await aWorkspace();
    const [picture, logo] = [await store(workspace, "picture"), await store(workspace, "logo")];
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, picture.id, workspace.actor));
    await inWorkspace(workspace.id, (db) => setLogo(db, logo.id, workspace.actor));
    expect([await both(workspace, picture), await both(workspace, logo)]).toEqual([
      ["public", "public"],
      ["public", "public"],
    ]);
    await inWorkspace(workspace.id, (db) => setLogo(db, null, workspace.actor));
    expect(await both(workspace, logo)).toEqual([null, "private"]);
  });

  test("what an article shows: who may see the article, as long as it is published", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const [image, linked, file, drafted] = [
      await store(workspace, "image"),
      await store(workspace, "attachment"),
      await store(workspace, "attachment"),
      await store(workspace, "attachment"),
    ];
    const html = `<p><img src="${image.path}" alt=""> <a href="https://${workspace.subdomain}.example.com${linked.path}?x">it</a></p>`;
    const article = await anArticle(workspace, { category, html });
    await attach(workspace, article, file);
    await attach(workspace, article, drafted, false);
    const seen = async () =>
      Promise.all([image, linked, file, drafted].map((upload) => audience(workspace, upload, "anyone")));
    expect(await seen()).toEqual(["shown", "shown", "shown", null]);
    expect(await both(workspace, drafted)).toEqual([null, "private"]);

    await write(workspace, "UPDATE categories SET visibility = 'members'");
    expect(await seen()).toEqual([null, null, null, null]);
    expect(await audience(workspace, image, "member")).toBe("private");
    await write(workspace, "UPDATE categories SET visibility = 'inherit'");
    expect(await seen()).toEqual(["shown", "shown", "shown", null]);

    await anArticle(workspace, { ...article, category, html, state: "draft" });
    expect(await seen()).toEqual([null, null, null, null]);
  });

  test("what a snippet shows: who may see an article that names it", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const image = await store(workspace, "image");
    const content = contentFromHtml(`<p><img src="${image.path}" alt=""></p>`);
    const { snippet } = await inWorkspace(workspace.id, (db) =>
      addSnippet(db, { name: "seal", content }, workspace.actor),
    );
    const seen = () => audience(workspace, image, "anyone");
    expect(await seen()).toBeNull();
    const article = await anArticle(workspace, { category, html: "<p>{{seal}}</p>" });
    expect(await seen()).toBe("shown");
    await write(workspace, "UPDATE categories SET visibility = 'members'");
    expect(await seen()).toBeNull();
    expect((await uploadFor(workspace, "anyone", image.id, article.id))?.audience).toBe("private");
    await write(workspace, "UPDATE categories SET visibility = 'inherit'");
    await inWorkspace(workspace.id, (db) => deleteSnippet(db, snippet.id, workspace.actor));
    expect(await seen()).toBeNull();
  });

  test("what a draft uses: who has the link to its preview, and nothing else of the workspace", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const [image, file, other, unused, replaced] = [
      await store(workspace, "image"),
      await store(workspace, "attachment"),
      await store(workspace, "attachment"),
      await store(workspace, "attachment"),
      await store(workspace, "attachment"),
    ];
    await write(workspace, "UPDATE categories SET visibility = 'members'");
    const html = `<p><img src="${image.path}" alt=""></p>`;
    const article = await anArticle(workspace, { category, html, state: "draft" });
    const elsewhere = await anArticle(workspace, { category, state: "draft" });
    await attach(workspace, article, file, false);
    await attach(workspace, elsewhere, other, false);
    await attach(workspace, article, replaced);
    await write(workspace, "UPDATE article_attachments SET in_draft = false WHERE upload_id = $1::uuid", replaced.id);
    const seen = (by: string | null) =>
      Promise.all(
        [image, file, other, unused, replaced].map(
          async ({ id }) => (await uploadFor(workspace, "anyone", id, by))?.audience ?? null,
        ),
      );
    expect(await seen(article.id)).toEqual(["private", "private", null, null, null]);
    expect(await seen(elsewhere.id)).toEqual([null, null, "private", null, null]);
    expect(await seen(null)).toEqual([null, null, null, null, null]);
    expect(await uploadFor(await aWorkspace(), "anyone", image.id, article.id)).toBeNull();
  });

  test("one of another workspace: nobody, and it can be nobody's picture or logo there", async () => {
    const [mine, other] = [await aWorkspace(), await aWorkspace()];
    const [picture, logo] = [await store(other, "picture"), await store(other, "logo")];
    await inWorkspace(other.id, (db) => setLogo(db, logo.id, other.actor));
    expect(await both(other, logo)).toEqual(["public", "public"]);
    expect(await both(mine, logo)).toEqual([null, null]);
    const gone = "The uploaded file no longer exists. Upload it again.";
    for (const id of [picture.id, randomUUID()]) {
      await expect(inWorkspace(mine.id, (db) => setPicture(db, mine.admin.id, id, mine.actor))).rejects.toThrow(gone);
      await expect(inWorkspace(mine.id, (db) => setLogo(db, id, mine.actor))).rejects.toThrow(gone);
    }
  });

  test("what is nearly the id of one: none", async () => {
    const workspace = await aWorkspace();
    const { id } = await store(workspace, "attachment");
    expect(await uploadFor(workspace, "member", id)).not.toBeNull();
    for (const other of ["x", "", "..", "%00", `${id}x`, id.slice(1)])
      expect([other, await uploadFor(workspace, "member", other)]).toEqual([other, null]);
  });
});

describe("a picture and a logo", () => {
  test("are set and taken away, and who did it is remembered", async () => {
    const workspace = await aWorkspace();
    const picture = await store(workspace, "picture", { filename: "me.jpg" });
    const logo = await store(workspace, "logo", { filename: "brand.png" });
    await inWorkspace(workspace.id, async (db) => {
      await setPicture(db, workspace.admin.id, picture.id, workspace.actor);
      await setPicture(db, workspace.admin.id, picture.id, workspace.actor);
      await setLogo(db, logo.id, workspace.actor);
      await setPicture(db, workspace.admin.id, null, workspace.actor);
    });
    const [member] = await write<object>(workspace, "SELECT picture_upload_id AS picture FROM members");
    const [settings] = await write<object>(workspace, "SELECT logo_upload_id AS logo FROM workspaces");
    expect([member, settings]).toEqual([{ picture: null }, { logo: logo.id }]);
    const entries = await auditOf(workspace);
    expect(entries).toHaveLength(3);
    expect(entries).toEqual(
      expect.arrayContaining([
        { action: "member.updated", kind: "member", details: { picture: "me.webp" } },
        { action: "workspace.updated", kind: "workspace", details: { logo: "brand.png" } },
        { action: "member.updated", kind: "member", details: { picture: "none" } },
      ]),
    );
  });

  test("are what the pages show", async () => {
    const workspace = await aWorkspace();
    const article = await anArticle(workspace, { category: await aCategory(workspace) });
    const [picture, logo] = [await store(workspace, "picture"), await store(workspace, "logo")];
    const shown = async () => [
      (await readAs(workspace, "anyone", (snapshot) => publishedArticle(snapshot, article.slug)))?.author.picture,
      (await findPublicWorkspace(workspace.subdomain))?.logo,
    ];
    expect(await shown()).toEqual([`/avatars/${workspace.admin.id}.svg`, null]);
    const before = await contentVersionOf(workspace.subdomain);
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, picture.id, workspace.actor));
    const between = await contentVersionOf(workspace.subdomain);
    await inWorkspace(workspace.id, (db) => setLogo(db, logo.id, workspace.actor));
    const after = await contentVersionOf(workspace.subdomain);
    expect(await shown()).toEqual([picture.path, { path: logo.path, width: 128, height: 128 }]);
    expect(new Set([before, between, after].map((version) => version?.version)).size).toBe(3);
  });

  test("are what was uploaded as one", async () => {
    const workspace = await aWorkspace();
    for (const upload of [await store(workspace, "image"), await store(workspace, "attachment")]) {
      const wrong = /was uploaded for another purpose/;
      await expect(
        inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, upload.id, workspace.actor)),
      ).rejects.toThrow(wrong);
      await expect(inWorkspace(workspace.id, (db) => setLogo(db, upload.id, workspace.actor))).rejects.toThrow(wrong);
    }
    const picture = await store(workspace, "picture");
    const unknown = inWorkspace(workspace.id, (db) => setPicture(db, randomUUID(), picture.id, workspace.actor));
    await expect(unknown).rejects.toThrow(NotFoundError);
  });
});

describe("the clean-up", () => {
  const aDayLater = (workspace: TestWorkspace) =>
    write(workspace, "UPDATE uploads SET unused_since = unused_since - interval '25 hours'");
  const namesOf = async (workspace: TestWorkspace) => (await rowsOf(workspace)).map(({ filename }) => filename).sort();

  test("deletes what nothing has used for a day, and nothing else", async () => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const named = (filename: string, kind: UploadKind = "attachment") => store(workspace, kind, { filename });
    await named("unused");
    const [inText, file, inVersion] = [await named("text"), await named("file"), await named("version")];
    const [picture, logo] = [await named("picture", "picture"), await named("logo", "logo")];
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, picture.id, workspace.actor));
    await inWorkspace(workspace.id, (db) => setLogo(db, logo.id, workspace.actor));
    const article = await anArticle(workspace, {
      category,
      state: "draft",
      html: `<p><a href="${inText.path}">it</a></p>`,
    });
    const inSnippet = await named("snippet");
    const content = contentFromHtml(`<p><a href="${inSnippet.path}">it</a></p>`);
    await inWorkspace(workspace.id, (db) => addSnippet(db, { name: "it", content }, workspace.actor));
    await attach(workspace, article, file, false);
    await write(
      workspace,
      `INSERT INTO article_versions (article_id, number, kind, title, html, created_by)
       VALUES ($1::uuid, 77, 'publish', 'x', '<img src="/uploads/${inVersion.id}">', $2::uuid)`,
      ...[article.id, workspace.admin.id],
    );
    const used = ["file", "logo.png", "picture.webp", "snippet", "text", "version"];

    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 0, files: 0 });
    expect(await namesOf(workspace)).toEqual([...used, "unused"].sort());
    await aDayLater(workspace);
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 1, files: 0 });
    expect(await namesOf(workspace)).toEqual(used);
    expect((await filesOf(workspace)).length).toBe(6);
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 0, files: 0 });
  });

  test("restarts the waiting time when an upload was used in between", async () => {
    const workspace = await aWorkspace();
    const picture = await store(workspace, "picture");
    await cleanUploads(workspace.id);
    await aDayLater(workspace);
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, picture.id, workspace.actor));
    await cleanUploads(workspace.id);
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, null, workspace.actor));
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 0, files: 0 });
    await aDayLater(workspace);
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 1, files: 0 });
  });

  test("restarts the waiting time when an upload is removed from its article", async () => {
    const workspace = await aWorkspace();
    const [picture, logo] = [await store(workspace, "picture"), await store(workspace, "logo")];
    await cleanUploads(workspace.id);
    await aDayLater(workspace);
    // In use and out of it again before anybody looked.
    await inWorkspace(workspace.id, async (db) => {
      expect(await setPicture(db, workspace.admin.id, picture.id, workspace.actor)).toBeNull();
      expect(await setPicture(db, workspace.admin.id, null, workspace.actor)).toBe(picture.id);
      await setLogo(db, logo.id, workspace.actor);
      expect(await setLogo(db, null, workspace.actor)).toBe(logo.id);
    });
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 0, files: 0 });
    // So it can be undone.
    await inWorkspace(workspace.id, (db) => setPicture(db, workspace.admin.id, picture.id, workspace.actor));
    await aDayLater(workspace);
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 1, files: 0 });
  });

  test("deletes each upload once when several servers clean up concurrently", async () => {
    const workspace = await aWorkspace();
    for (let count = 0; count < 8; count++) await store(workspace, "attachment");
    await cleanUploads(workspace.id);
    await aDayLater(workspace);
    const done = await Promise.all(Array.from({ length: 4 }, () => cleanUploads(workspace.id)));
    expect(done.reduce((sum, { uploads }) => sum + uploads, 0)).toBe(8);
    expect([await rowsOf(workspace), await filesOf(workspace)]).toEqual([[], []]);
  });

  test("deletes old files without a row, whatever was half written, and no young ones", async () => {
    const [workspace, other] = [await aWorkspace(), await aWorkspace()];
    await store(other, "attachment");
    await store(workspace, "attachment");
    const [kept = ""] = await filesOf(workspace);
    const at = (name: string) => join(folder, "uploads", workspace.id, kept.slice(0, 2), name);
    const [stray, part, young] = ["a".repeat(32), `${"b".repeat(32)}.01234567.part`, "c".repeat(32)];
    const old = new Date(Date.now() - 25 * 60 * 60_000);
    for (const name of [stray, part, young]) await writeFile(at(name), "x");
    for (const path of [at(stray), at(part), join(folder, "uploads", workspace.id, kept)]) await utimes(path, old, old);
    expect(await cleanUploads(workspace.id)).toEqual({ uploads: 0, files: 2 });
    expect((await filesOf(workspace)).sort()).toEqual([kept, `${kept.slice(0, 2)}/${young}`].sort());
    expect((await filesOf(other)).length).toBe(1);
    expect((await stat(at(young))).size).toBe(1);
  });
});

test("a workspace that is gone leaves no file, and one that is there loses none", async () => {
  const [gone, other] = [await aWorkspace(), await aWorkspace()];
  for (const workspace of [gone, gone, other]) await store(workspace, "attachment");
  const deleteAfter = (days: number) =>
    acrossWorkspaces.query("UPDATE workspaces SET delete_after = now() + make_interval(days => $2) WHERE id = $1", [
      ...[gone.id, days],
    ]);
  await expect(removeAllUploads(gone.id)).rejects.toThrow("not due for deletion yet");
  await deleteAfter(7);
  await expect(removeAllUploads(gone.id)).rejects.toThrow("not due for deletion yet");
  expect((await filesOf(gone)).length).toBe(2);
  await deleteAfter(-1);
  await removeAllUploads(gone.id);
  expect(await filesOf(gone)).toEqual([]);
  await store(gone, "attachment");
  await acrossWorkspaces.query("DELETE FROM workspaces WHERE id = $1", [gone.id]);
  await removeAllUploads(gone.id);
  await removeAllUploads(gone.id);
  expect(await readdir(join(folder, "uploads"))).not.toContain(gone.id);
  expect((await filesOf(other)).length).toBe(1);
});

test("an address in a text is that of an upload only as a whole", async () => {
  const workspace = await aWorkspace();
  const article = await anArticle(workspace, { category: await aCategory(workspace) });
  const id = randomUUID();
  const hrefs: Record<string, string | null> = {
    [`/uploads/${id}`]: id,
    [`/uploads/${id.toUpperCase()}#x`]: id,
    [`https://docs.example.com/uploads/${id}?x`]: id,
    [`/uploads/${id}x`]: null,
    [`/elsewhere/uploads/${id}`]: null,
    [`https://docs.example.com/?/uploads/${id}`]: null,
    [`//docs.example.com/uploads/${id}`]: null,
    "/uploads/x": null,
  };
  const found = await inWorkspace(workspace.id, (db) =>
    readingOf(db)<{ href: string; id: string | null }>(
      `INSERT INTO article_links (article_id, kind, href, in_live, in_draft)
       SELECT $1::uuid, 'link', href, true, true FROM unnest($2::text[]) href RETURNING href, upload_id::text AS id`,
      [article.id, Object.keys(hrefs)],
    ),
  );
  expect(Object.fromEntries(found.map((row) => [row.href, row.id]))).toEqual(hrefs);
});
