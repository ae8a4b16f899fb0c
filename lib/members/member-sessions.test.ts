import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { endSession, endSessions, listSessions } from "@/lib/members/member-sessions";
import { createMember } from "@/lib/members/members";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const aSession = (
  workspace: TestWorkspace,
  session: { memberId?: string; minutes?: number; userAgent?: string; idleDays?: number } = {},
) =>
  inWorkspace(workspace.id, (db) =>
    db.session.create({
      data: {
        memberId: session.memberId ?? workspace.admin.id,
        userAgent: session.userAgent ?? null,
        ip: "203.0.113.7",
        lastSeenAt: new Date(Date.now() - (session.idleDays ?? 0) * 86_400_000),
        expiresAt: new Date(Date.now() + (session.minutes ?? 60) * 60_000),
      },
    }),
  );
const list = (workspace: TestWorkspace, id = workspace.admin.id) =>
  readWorkspace(workspace.id, (read) => listSessions(read, id));
const audit = (workspace: TestWorkspace) =>
  inWorkspace(workspace.id, (db) =>
    db.auditEntry.findMany({
      where: { action: { startsWith: "session" } },
      select: { action: true, subjectName: true, details: true },
      orderBy: { createdAt: "asc" },
    }),
  );

test("a member's sessions are listed with what a person knows them by, and expired or idle ones are not", async () => {
  const workspace = await aWorkspace();
  const { id } = await aSession(workspace, { userAgent: firefox });
  await aSession(workspace, { minutes: -1 });
  await aSession(workspace, { idleDays: 15 });
  expect(await list(workspace)).toEqual([
    { id, device: "Firefox on Linux", ip: "203.0.113.7", createdAt: expect.any(Date), lastSeenAt: expect.any(Date) },
  ]);
});

test("one session ends, and only of the member that it is of", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const eva = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: "eva@example.com", firstName: "Eva", lastName: "Example", role: "Editor" },
      workspace.actor,
    ),
  );
  const [mine, kept] = [await aSession(workspace, { userAgent: firefox }), await aSession(workspace)];
  const evas = await aSession(workspace, { memberId: eva.id });
  const theirs = await aSession(other);
  const end = (id: string) =>
    inWorkspace(workspace.id, (db) => endSession(db, workspace.admin.id, id, workspace.actor));
  for (const id of [evas.id, theirs.id, randomUUID(), "none"]) await expect(end(id)).rejects.toThrow("no session");
  await end(mine.id);
  expect((await list(workspace)).map(({ id }) => id)).toEqual([kept.id]);
  expect([await list(workspace, eva.id), await list(other)]).toMatchObject([[{ id: evas.id }], [{ id: theirs.id }]]);
  expect(await audit(workspace)).toEqual([{ action: "session.ended", subjectName: "Firefox on Linux", details: {} }]);
});

test("all sessions end but the one that is kept, or all of them, and nothing is told where none did", async () => {
  const workspace = await aWorkspace();
  const [kept] = [await aSession(workspace), await aSession(workspace), await aSession(workspace)];
  const end = (keep: string | null) =>
    inWorkspace(workspace.id, (db) => endSessions(db, workspace.admin, keep, workspace.actor));
  expect([await end(kept.id), await end(kept.id)]).toEqual([2, 0]);
  expect((await list(workspace)).map(({ id }) => id)).toEqual([kept.id]);
  expect(await end(null)).toBe(1);
  expect((await audit(workspace)).map(({ action, details }) => [action, details])).toEqual([
    ["sessions.ended", { ended: 2 }],
    ["sessions.ended", { ended: 1 }],
  ]);
});
