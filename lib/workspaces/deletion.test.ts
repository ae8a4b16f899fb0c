import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import type { Mail } from "@/lib/mail/mail";
import { createMember } from "@/lib/members/members";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { newStorageKey } from "@/lib/uploads/storage";
import { deleteWorkspace, scheduleDeletion, takeBackDeletion } from "@/lib/workspaces/deletion";
import { contentVersionOf, findWorkspace } from "@/lib/workspaces/workspaces";
import { jobHandlers } from "@/server/jobs/handlers";
import { plant, tablesOf } from "@/testing/wall";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-deletion-"));
  env().dataDir = folder;
});
afterAll(() => rm(folder, { recursive: true }));

const schedule = (workspace: TestWorkspace, name = workspace.name) =>
  scheduleDeletion(workspace.id, name, workspace.actor);
const isOver = ({ id }: { id: string }) =>
  acrossWorkspaces.query("UPDATE workspaces SET delete_after = now() - interval '1 second' WHERE id = $1", [id]);
async function filesOf({ id }: { id: string }): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of uploadStorage().list(id)) keys.push(key);
  return keys;
}

async function aFile({ id }: { id: string }): Promise<void> {
  await uploadStorage().put(newStorageKey(id), new Uint8Array([1]));
}

/** How many rows a workspace has, table by table, of those that have any. */
async function rowsOf(id: string): Promise<Record<string, number>> {
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  const rows: Record<string, number> = {};
  for (const table of [...(await tablesOf(owner)), "former_subdomains"]) {
    const whose = table === "workspaces" ? "id" : "workspace_id";
    const { rowCount } = await owner.query(`SELECT FROM ${table} WHERE ${whose} = $1`, [id]);
    if (rowCount) rows[table] = rowCount;
  }
  await owner.end();
  return rows;
}

test("a workspace is closed immediately if its exact name is typed, and deleted a week later", async () => {
  const workspace = await aWorkspace();
  const { id, subdomain, name } = workspace;
  for (const typed of ["", name.toLowerCase(), `${name}s`]) {
    await expect(schedule(workspace, typed)).rejects.toThrow(`Type the name exactly as shown: ${name}.`);
  }
  expect((await findWorkspace(subdomain))?.id).toBe(id);

  const at = await schedule(workspace, ` ${name} `);
  const [clock] = await acrossWorkspaces.query<{ now: Date }>("SELECT now()");
  expect((at.getTime() - (clock?.now.getTime() ?? 0)) / 86_400_000).toBeCloseTo(7, 2);
  expect([await findWorkspace(subdomain), await contentVersionOf(subdomain)]).toEqual([null, null]);
  // A second request does not delay the deletion.
  expect(await schedule(workspace)).toEqual(at);
});

test("every administrator is told by mail who closed it, when it goes and where it is taken back, and nobody else", async () => {
  const workspace = await aWorkspace({ name: "Harbour Coffee" });
  await inWorkspace(workspace.id, async (db) => {
    const person = { firstName: "Grace", lastName: "Hopper" };
    await createMember(
      db,
      { ...person, email: `grace@${workspace.subdomain}.example`, role: "Admin" },
      workspace.actor,
    );
    await createMember(db, { ...person, email: `ed@${workspace.subdomain}.example`, role: "Editor" }, workspace.actor);
  });
  const at = await schedule(workspace);
  const stored = await acrossWorkspaces.query<{ payload: any }>(
    `SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs WHERE payload->>'workspace_id' = $1 ORDER BY id`,
    [workspace.id],
  );
  const mails: Mail[] = [];
  const handlers = jobHandlers({ deliver: async (mail) => void mails.push(mail), baseUrl: "https://example.com" });
  const { signal } = new AbortController();
  for (const { payload } of stored)
    await handlers.deletion_scheduled({ id: "1", workspaceId: workspace.id, payload, signal });
  expect(mails.map(({ to }) => to.address)).toEqual([workspace.admin.email, `grace@${workspace.subdomain}.example`]);
  expect(mails[1]?.subject).toBe("Harbour Coffee will be deleted");
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(at);
  expect(mails[1]?.paragraphs.join(" ")).toContain("Hello Grace Hopper, Ada Admin scheduled");
  expect(mails[1]?.paragraphs.join(" ")).toContain(`deleted on ${day} at `);
  expect(mails[1]?.link?.url).toBe(`https://${workspace.subdomain}.example.com/admin/closing`);
});

test("within the week it is taken back as it was, and both are in the log; later, or open, it cannot be", async () => {
  const workspace = await aWorkspace();
  const { id, subdomain, actor } = workspace;
  await expect(takeBackDeletion(id, actor)).rejects.toMatchObject({ name: "NotFoundError" });
  await schedule(workspace);
  await takeBackDeletion(id, actor);
  expect((await findWorkspace(subdomain))?.id).toBe(id);
  const log = await acrossWorkspaces.query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE workspace_id = $1 AND action LIKE 'workspace.%' ORDER BY created_at",
    [id],
  );
  expect(log.map(({ action }) => action)).toEqual(["workspace.deletion_scheduled", "workspace.deletion_taken_back"]);
  await schedule(workspace);
  await isOver(workspace);
  await expect(takeBackDeletion(id, actor)).rejects.toMatchObject({ name: "NotFoundError" });
});

test("when its time is over everything of it goes, rows of every table and files, and nothing of another's", async () => {
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  const [gone, stays] = [await plant(owner), await plant(owner)];
  for (const { id, word } of [gone, stays]) {
    await owner.query("INSERT INTO former_subdomains (workspace_id, subdomain) VALUES ($1, $2)", [
      id,
      `${word}-former`,
    ]);
    await aFile({ id });
  }
  await owner.end();
  const before = await rowsOf(stays.id);
  expect(Object.keys(await rowsOf(gone.id))).toEqual(Object.keys(before));

  // Not yet: nobody wants it, and then its time is not over.
  expect(await deleteWorkspace(gone.id)).toBe(false);
  await acrossWorkspaces.query("UPDATE workspaces SET delete_after = now() + interval '1 minute' WHERE id = $1", [
    gone.id,
  ]);
  expect(await deleteWorkspace(gone.id)).toBe(false);
  expect(await filesOf(gone)).toHaveLength(1);

  await isOver(gone);
  // Several servers at the same time, and a late one.
  await Promise.all([deleteWorkspace(gone.id), deleteWorkspace(gone.id)]);
  expect(await deleteWorkspace(gone.id)).toBe(false);
  expect([await rowsOf(gone.id), await filesOf(gone)]).toEqual([{}, []]);
  expect([await rowsOf(stays.id), await filesOf(stays)]).toEqual([before, [expect.any(String)]]);
});

test("it goes in portions, so that much of it is no obstacle", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id: article } = await anArticle(workspace, { category });
  await acrossWorkspaces.query(
    `INSERT INTO article_views (workspace_id, article_id, day, viewer_hash)
     SELECT $1, $2, now(), decode(lpad(to_hex(n), 32, '0'), 'hex') FROM generate_series(1, 4100) n`,
    [workspace.id, article],
  );
  expect((await rowsOf(workspace.id)).article_views).toBe(4100);
  await isOver(workspace);
  expect(await deleteWorkspace(workspace.id)).toBe(true);
  expect(await rowsOf(workspace.id)).toEqual({});
});
