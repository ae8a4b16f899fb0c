import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { findTwoStep } from "@/lib/members/two-step-codes";
import { kbIn } from "@/testing/kb";
import { aWorkspace } from "@/testing/workspace";

// The command as a real process. Each start takes a second or more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-member-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("an operator resets two-step verification and removes passkeys, and the audit log says so", async () => {
  const workspace = await aWorkspace();
  const { id, admin } = workspace;
  await inWorkspace(id, (db) =>
    db.twoStep.create({ data: { id: admin.id, secret: new Uint8Array(20), onSince: new Date() } }),
  );
  const reset = (email: string) =>
    kbIn(folder, "member", "reset-two-step", "--workspace", workspace.subdomain, "--email", email);
  const unknown = await reset("nobody@example.com");
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("has the email nobody@example.com")]);
  expect((await readWorkspace(id, (read) => findTwoStep(read, admin.id))).isOn).toBe(true);

  expect(await reset(admin.email.toUpperCase())).toMatchObject({
    code: 0,
    err: expect.stringContaining("Signing in no longer asks for a code."),
  });
  expect((await readWorkspace(id, (read) => findTwoStep(read, admin.id))).isOn).toBe(false);
  const entries = await inWorkspace(id, (db) =>
    db.auditEntry.findMany({
      where: { action: "member.two_step_reset" },
      select: { actorKind: true, subjectId: true },
    }),
  );
  expect(entries).toEqual([{ actorKind: "command_line", subjectId: admin.id }]);
  const passkeys = () => inWorkspace(id, (db) => db.passkey.count());
  const bytes = new Uint8Array([1]);
  const passkey = { memberId: admin.id, credentialId: bytes, publicKey: bytes, counter: 0, name: "Phone" };
  await inWorkspace(id, (db) => db.passkey.create({ data: passkey }));
  const remove = () =>
    kbIn(folder, "member", "remove-passkeys", "--workspace", workspace.subdomain, "--email", admin.email);
  expect(await remove()).toMatchObject({ code: 0, err: expect.stringContaining("Removed the passkeys of") });
  expect(await passkeys()).toBe(0);
  expect(await remove()).toMatchObject({ code: 1, err: expect.stringContaining("This member has no passkeys.") });

  const again = await reset(admin.email);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("Two-step verification is off.")]);
});
