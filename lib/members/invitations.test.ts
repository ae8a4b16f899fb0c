import { expect, test, vi } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import type { Mail } from "@/lib/mail/mail";
import {
  acceptInvitation,
  addressesIn,
  findInvitation,
  invitationToken,
  inviteMembers,
  listInvitations,
  resendInvitation,
  restoreInvitation,
  withdrawInvitation,
} from "@/lib/members/invitations";
import { updateMember } from "@/lib/members/members";
import { jobHandlers } from "@/server/jobs/handlers";
import { aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const person = { firstName: "Grace", lastName: "Hopper", passwordHash: "a hash" };

const invite = (workspace: TestWorkspace, addresses: string[], role = "Editor") =>
  inWorkspace(workspace.id, (db) => inviteMembers(db, { addresses, role }, workspace.actor));
const accept = (workspace: TestWorkspace, token: string) =>
  inWorkspace(workspace.id, (db) => acceptInvitation(db, token, person));
const openOnes = async (workspace: TestWorkspace) =>
  (await readWorkspace(workspace.id, (read) => listInvitations(read, { limit: 100, offset: 0 }))).invitations;
const found = (workspace: TestWorkspace, token: string) =>
  readWorkspace(workspace.id, (read) => findInvitation(read, token));

interface Job {
  invitationId: string;
  nonce: string;
  invitedBy: string;
}

/** The jobs that wait to write this workspace's invitations, the oldest first. */
const jobsOf = async ({ id }: TestWorkspace) =>
  (
    await acrossWorkspaces.query<{ payload: Job }>(
      `SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs
       WHERE payload->>'workspace_id' = $1 ORDER BY id`,
      [id],
    )
  ).map(({ payload }) => payload);

/** The tokens of the links that were sent, the oldest first. */
const tokensOf = async (workspace: TestWorkspace) => (await jobsOf(workspace)).map(invitationToken);
const onlyToken = async (workspace: TestWorkspace) => {
  const tokens = await tokensOf(workspace);
  expect(tokens).toHaveLength(1);
  return tokens[0] as string;
};

test("addresses are found as people paste them, each once, and what is none is named", () => {
  const text =
    "grace@example.com, Ada Lovelace <ada@example.com>;\n\n GRACE@example.com bob@example.com\r\nnobody\na@b";
  expect(addressesIn(text)).toEqual({
    addresses: ["grace@example.com", "ada@example.com", "bob@example.com"],
    others: ["nobody", "a@b"],
  });
  expect(addressesIn(" \n;,")).toEqual({ addresses: [], others: [] });
});

test("the holder of the link becomes a member with the role, once", async () => {
  const workspace = await aWorkspace();
  expect(await invite(workspace, ["Grace@example.com"])).toEqual({ invited: ["Grace@example.com"], refused: [] });
  const token = await onlyToken(workspace);
  expect(token).toMatch(/^[\w-]{43}$/);
  // Looking consumes nothing.
  for (let look = 0; look < 2; look++) expect(await found(workspace, token)).toMatchObject({ role: "Editor" });

  expect(await accept(workspace, token)).toMatchObject({ email: "Grace@example.com", role: "Editor", active: true });
  expect(await openOnes(workspace)).toEqual([]);
  expect(await found(workspace, token)).toBeNull();
  await expect(accept(workspace, token)).rejects.toThrow("no longer valid");
  const audit = await acrossWorkspaces.query<{ action: string; actor_name: string }>(
    "SELECT action, actor_name FROM audit_entries WHERE workspace_id = $1 AND action LIKE 'invitation%' ORDER BY created_at",
    [workspace.id],
  );
  expect(audit).toEqual([
    { action: "invitation.sent", actor_name: workspace.admin.email },
    { action: "invitation.accepted", actor_name: "Grace@example.com" },
  ]);
});

test("of two who accept at the same time, one becomes a member", async () => {
  const workspace = await aWorkspace();
  await invite(workspace, ["grace@example.com"]);
  const token = await onlyToken(workspace);
  const second = whileOpen(
    workspace.id,
    (db) => acceptInvitation(db, token, person),
    () => accept(workspace, token),
  );
  await expect(second).rejects.toThrow("no longer valid");
  expect(await inWorkspace(workspace.id, (db) => db.member.count({ where: { email: "grace@example.com" } }))).toBe(1);
});

test("of two who invite the same person at the same time, one does", async () => {
  const workspace = await aWorkspace();
  const addresses = ["grace@example.com"];
  const second = await whileOpen(
    workspace.id,
    (db) => inviteMembers(db, { addresses, role: "Editor" }, workspace.actor),
    () => invite(workspace, ["GRACE@example.com"]),
  );
  expect(second).toEqual({ invited: [], refused: [{ email: "GRACE@example.com", reason: expect.any(String) }] });
  expect(await tokensOf(workspace)).toHaveLength(1);
});

test("members and those who were invited before are named, and the others invited", async () => {
  const workspace = await aWorkspace();
  await invite(workspace, ["grace@example.com"]);
  const token = await onlyToken(workspace);
  const grace = await accept(workspace, token);
  await inWorkspace(workspace.id, (db) => updateMember(db, grace.id, { active: false }, workspace.actor));
  await invite(workspace, ["bob@example.com"]);
  const addresses = [workspace.admin.email, "grace@example.com", "bob@example.com", "eve@example.com"];
  expect(await invite(workspace, addresses)).toEqual({
    invited: ["eve@example.com"],
    refused: [
      { email: workspace.admin.email, reason: "is already a member" },
      { email: "grace@example.com", reason: "is a deactivated member. Reactivate them instead" },
      { email: "bob@example.com", reason: "already has an invitation. Resend that invitation instead" },
    ],
  });
  await expect(invite(workspace, ["x@example.com"], "Nobody")).rejects.toThrow("Choose one of the roles.");
  await expect(invite(workspace, [])).rejects.toThrow("1 to 200");
});

test("an invitation that is sent again has a new link, and the former one ends", async () => {
  const workspace = await aWorkspace();
  await invite(workspace, ["grace@example.com"]);
  const [invitation] = await openOnes(workspace);
  await inWorkspace(workspace.id, (db) => resendInvitation(db, String(invitation?.id), workspace.actor));
  const [former, latter] = await tokensOf(workspace);
  expect(latter).not.toBe(former);
  await expect(accept(workspace, String(former))).rejects.toThrow("no longer valid");
  expect(await accept(workspace, String(latter))).toMatchObject({ email: "grace@example.com" });
});

test("a withdrawal is taken back, unless the person has a new invitation", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const withdraw = (id: string) => inWorkspace(workspace.id, (db) => withdrawInvitation(db, id, workspace.actor));
  const restore = (id: string, at = workspace) =>
    inWorkspace(at.id, (db) => restoreInvitation(db, id, at.actor, ({ role }) => expect(role).toBe("Editor")));
  await invite(workspace, ["grace@example.com"]);
  const token = await onlyToken(workspace);
  const [{ id } = { id: "" }] = await openOnes(workspace);
  await expect(restore(id)).rejects.toThrow("no revoked invitation");
  await withdraw(id);
  expect(await found(workspace, token)).toBeNull();
  await expect(restore(id, other)).rejects.toThrow("no revoked invitation");
  await restore(id);
  expect(await found(workspace, token)).toMatchObject({ id });
  await withdraw(id);
  await invite(workspace, ["GRACE@example.com"]);
  await expect(restore(id)).rejects.toThrow("has a new invitation");
  const [, again] = await tokensOf(workspace);
  expect(await accept(workspace, String(again))).toMatchObject({ email: "GRACE@example.com" });
  expect(await found(workspace, token)).toBeNull();
});

test("permission to change an invitation is checked before the change", async () => {
  const workspace = await aWorkspace();
  await invite(workspace, ["grace@example.com"]);
  const token = await onlyToken(workspace);
  const [{ id } = { id: "" }] = await openOnes(workspace);
  const refuse = () => {
    throw new Error("Not by you.");
  };
  for (const verb of [resendInvitation, withdrawInvitation]) {
    const doing = inWorkspace(workspace.id, (db) => verb(db, id, workspace.actor, refuse));
    await expect(doing).rejects.toThrow("Not by you.");
  }
  expect(await found(workspace, token)).toMatchObject({ id });
});

test("one that is withdrawn, has expired or is another workspace's lets nobody in", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  await invite(workspace, ["grace@example.com", "bob@example.com", "eve@example.com"]);
  const [grace, bob, eve] = (await tokensOf(workspace)) as [string, string, string];
  const idOf = async (email: string) => String((await openOnes(workspace)).find((one) => one.email === email)?.id);
  const withdraw = async (id: string, at = workspace) =>
    inWorkspace(at.id, (db) => withdrawInvitation(db, id, at.actor));

  const id = await idOf("grace@example.com");
  await expect(withdraw(id, other)).rejects.toThrow("no pending invitation");
  await withdraw(id);
  await expect(accept(workspace, grace)).rejects.toThrow("no longer valid");
  await expect(withdraw(id)).rejects.toThrow("no pending invitation");
  await expect(withdraw("nonsense")).rejects.toThrow("no pending invitation");

  await acrossWorkspaces.query("UPDATE invitations SET expires_at = now() - interval '1 s' WHERE id = $1", [
    await idOf("bob@example.com"),
  ]);
  await expect(accept(workspace, bob)).rejects.toThrow("no longer valid");
  expect((await openOnes(workspace)).map(({ email, expired }) => [email, expired]).sort()).toEqual([
    ["bob@example.com", true],
    ["eve@example.com", false],
  ]);

  await expect(accept(other, eve)).rejects.toThrow("no longer valid");
  expect(await accept(workspace, eve)).toMatchObject({ email: "eve@example.com" });
});

test("the database holds the token nowhere, and the mail does; one that is out of date is not sent", async () => {
  const workspace = await aWorkspace({ name: "Harbour & Co" });
  await invite(workspace, ["grace@example.com"]);
  const token = await onlyToken(workspace);
  const [job] = (await jobsOf(workspace)) as [Job];
  const kept = await acrossWorkspaces.query<{ whole: string }>(
    `SELECT i::text || j::text AS whole FROM invitations i, graphile_worker._private_jobs j
     WHERE i.workspace_id = $1 AND j.payload->>'workspace_id' = $1::text`,
    [workspace.id],
  );
  expect(kept).toHaveLength(1);
  expect(kept[0]?.whole).toContain(job.nonce);
  expect(kept[0]?.whole).not.toContain(token);

  const mails: Mail[] = [];
  const { invitation: write } = jobHandlers({
    deliver: async (mail) => void mails.push(mail),
    baseUrl: "https://example.com",
  });
  const send = () => write({ id: "1", workspaceId: workspace.id, payload: job, signal: new AbortController().signal });
  await send();
  await send();
  const mail = {
    id: "1",
    to: { name: "grace@example.com", address: "grace@example.com" },
    subject: "You're invited to Harbour & Co",
    paragraphs: expect.arrayContaining(["Ada Admin invited you to the knowledge base Harbour & Co."]),
    link: {
      label: "Accept invitation",
      url: `https://${workspace.subdomain}.example.com/admin/invitation?token=${token}`,
    },
  };
  expect(mails).toEqual([mail, mail]);
  const [invitation] = await openOnes(workspace);
  await inWorkspace(workspace.id, (db) => withdrawInvitation(db, String(invitation?.id), workspace.actor));
  await send();
  expect(mails).toHaveLength(2);
});
