import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { createMember, findMember } from "@/lib/members/members";
import { changePicture, refusePicture } from "@/lib/members/pictures";
import { createRole, listRoles, type Permission } from "@/lib/members/roles";
import { storeUpload } from "@/lib/uploads/uploads";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-pictures-"));
  vi.stubEnv("DATA_DIR", folder);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function aMember(workspace: TestWorkspace, role: string, permissions: Permission[]) {
  const { id } = await inWorkspace(workspace.id, async (db) => {
    const known = (await listRoles(readingOf(db))).some(({ name }) => name === role);
    if (!known) await createRole(db, { name: role, permissions }, workspace.actor);
    const email = `${role.toLowerCase()}@example.com`;
    return createMember(db, { email, firstName: role, lastName: "Person", role }, workspace.actor);
  });
  return { id, permissions };
}

test("everybody changes their own picture, and who manages members those of whose role may no more than theirs", async () => {
  const workspace = await aWorkspace();
  const writer = await aMember(workspace, "Writer", ["articles.write"]);
  const people = await aMember(workspace, "People", ["articles.write", "members.manage"]);
  const content = await sharp({ create: { width: 300, height: 300, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const { id } = await storeUpload(workspace.id, { filename: "me.png", content, by: writer.id, kind: "picture" });
  const change = (who: typeof writer, memberId: string, upload: string | null) =>
    inWorkspace(workspace.id, (db) => changePicture(db, who, memberId, upload, workspace.actor));
  const pictureOf = async (memberId: string) =>
    (await readWorkspace(workspace.id, (read) => findMember(read, memberId)))?.pictureUploadId;

  expect(await change(writer, writer.id, id)).toBeNull();
  expect(await pictureOf(writer.id)).toBe(id);
  expect(await change(people, writer.id, null)).toBe(id);
  expect(await pictureOf(writer.id)).toBeNull();

  // Without members.manage, other members are not found.
  await expect(change(writer, people.id, id)).rejects.toThrow(NotFoundError);
  await expect(change(people, workspace.admin.id, id)).rejects.toThrow(InvalidError);
  const elsewhere = await aWorkspace();
  await expect(change(people, elsewhere.admin.id, id)).rejects.toThrow(NotFoundError);
  await expect(readWorkspace(workspace.id, (read) => refusePicture(read, people, workspace.admin.id))).rejects.toThrow(
    /permissions that you don't have/,
  );
  expect([await pictureOf(people.id), await pictureOf(workspace.admin.id)]).toEqual([null, null]);
});
