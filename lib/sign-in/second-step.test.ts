import { expect, test, vi } from "vitest";
import { type Db, inWorkspace } from "@/lib/db";
import { setPassword } from "@/lib/members/change-password";
import { endSessions } from "@/lib/members/member-sessions";
import { insertSecondStep, spendSecondStep } from "@/lib/sign-in/second-step";
import { aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const ends: [string, (db: Db, { admin, actor }: TestWorkspace) => Promise<unknown>][] = [
  ["a new password", (db, { admin, actor }) => setPassword(db, admin.id, "hash", null, actor)],
  ["signing out everywhere", (db, { admin, actor }) => endSessions(db, admin, null, actor)],
];

test.each(ends)("%s also ends a session that a code is just starting", async (_, end) => {
  const workspace = await aWorkspace();
  const { id, admin } = workspace;
  const token = await inWorkspace(id, (db) => insertSecondStep(db, admin.id));
  await whileOpen(
    id,
    async (db) => {
      expect(await spendSecondStep(db, token)).toBe(true);
      await db.session.create({ data: { memberId: admin.id, expiresAt: new Date(Date.now() + 60_000) } });
    },
    () => inWorkspace(id, (db) => end(db, workspace)),
  );
  expect(await inWorkspace(id, (db) => db.session.count())).toBe(0);
});
