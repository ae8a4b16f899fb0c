import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { reportNewKey } from "@/lib/api-keys/api-keys";
import type { Actor } from "@/lib/audit/audit";
import { takeLimit } from "@/lib/counters";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import type { Payload } from "@/lib/jobs";
import {
  acceptInvitation,
  invitationToken,
  inviteMember,
  inviteMembers,
  resendInvitation,
} from "@/lib/members/invitations";
import { confirmEmail, createMember, mayMailOthers, tellOfNewBrowser, updateMember } from "@/lib/members/members";
import { removePasskeys } from "@/lib/members/passkeys";
import { createRole } from "@/lib/members/roles";
import { askForLink, makeLink, makeSignInToken, mayMailLink, spendLink } from "@/lib/members/sign-in-links";
import { resetTwoStep } from "@/lib/members/two-step";
import { encrypt } from "@/lib/secrets";
import { updateSettings } from "@/lib/settings/settings";
import { createWorkspace } from "@/lib/workspaces/workspaces";
import { aWorkspace } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");
vi.stubEnv("SMTP_URL", "smtp://127.0.0.1:1");
vi.stubEnv("MAIL_FROM", "lectern@example.com");

const stranger = { kind: "member", id: null, name: "stranger" } as const;

/** As the form on the bare domain creates it, without proof of the email. */
async function ofAStranger() {
  const subdomain = `t-${randomBytes(6).toString("hex")}`;
  const email = `ada@${subdomain}.example`;
  const administrator = { email, firstName: "Ada", lastName: "Admin" };
  const { administrator: admin, ...workspace } = await createWorkspace(
    { name: "Docs", subdomain, administrator },
    stranger,
  );
  return { ...workspace, admin, email, actor: { kind: "member", id: admin.id, name: email } as const };
}

const invite = ({ id, actor }: { id: string; actor: Actor }, email = "grace@example.com") =>
  inWorkspace(id, (db) => inviteMembers(db, { addresses: [email], role: "Editor" }, actor));
const payloadsOf = async <P>({ id }: { id: string }, task: string) =>
  (
    await acrossWorkspaces.query<{ payload: P }>(
      `SELECT j.payload->'payload' AS payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t
       ON t.id = j.task_id WHERE j.payload->>'workspace_id' = $1 AND t.identifier = $2 ORDER BY j.id`,
      [id, task],
    )
  ).map(({ payload }) => payload);

test("a new workspace mails strangers once a mailed link has proved its administrator's email", async () => {
  const workspace = await ofAStranger();
  const signsIn = (token: string) => inWorkspace(workspace.id, (db) => spendLink(db, "sign_in", token));
  await expect(invite(workspace)).rejects.toThrow("a member must confirm their email");

  const alone = inWorkspace(workspace.id, (db) =>
    inviteMember(db, { email: "grace@example.com", role: "Editor" }, workspace.actor),
  );
  await expect(alone).rejects.toThrow("a member must confirm their email");

  // The page after the form redirects to a link that is not mailed.
  await signsIn(await inWorkspace(workspace.id, (db) => makeSignInToken(db, workspace.email)));
  await expect(invite(workspace)).rejects.toThrow("a member must confirm their email");
  // No one is notified of a changed email either.
  await inWorkspace(workspace.id, (db) =>
    updateMember(db, workspace.admin.id, { email: "victim@example.com" }, workspace.actor),
  );
  expect(await payloadsOf(workspace, "email_changed")).toEqual([]);

  await inWorkspace(workspace.id, (db) => askForLink(db, "sign_in", "victim@example.com"));
  const [request] = await payloadsOf<Payload<"member_link">>(workspace, "member_link");
  const made = await inWorkspace(workspace.id, (db) => makeLink(db, request as Payload<"member_link">));
  await signsIn(made?.token ?? "");
  expect(await invite(workspace)).toMatchObject({ invited: ["grace@example.com"] });

  // The old confirmation does not count for a new email.
  await inWorkspace(workspace.id, (db) =>
    updateMember(db, workspace.admin.id, { email: "other@example.com" }, workspace.actor),
  );
  await expect(invite(workspace, "bob@example.com")).rejects.toThrow("a member must confirm their email");
  const [{ id = "" } = {}] = await inWorkspace(workspace.id, (db) => db.invitation.findMany({ select: { id: true } }));
  await expect(inWorkspace(workspace.id, (db) => resendInvitation(db, id, workspace.actor))).rejects.toThrow(
    "must confirm",
  );

  // Accepting an invitation confirms the invited email.
  const [invitation] = await payloadsOf<Payload<"invitation">>(workspace, "invitation");
  const person = { firstName: "Grace", lastName: "Hopper", passwordHash: "a hash" };
  await inWorkspace(workspace.id, (db) =>
    acceptInvitation(db, invitationToken(invitation as Payload<"invitation">), person),
  );
  expect(await readWorkspace(workspace.id, mayMailOthers)).toBe(true);
});

test("nothing is mailed to an administrator whose email only a provider claimed", async () => {
  const workspace = await aWorkspace();
  const fields = { email: "victim@example.com", firstName: "Vic", lastName: "Tim", role: "Admin" };
  const asProvider = { kind: "member", id: null, name: fields.email } as const;
  const { id } = await inWorkspace(workspace.id, (db) => createMember(db, fields, asProvider));
  await inWorkspace(workspace.id, async (db) => {
    const key = { name: "Key", scopes: ["public"] as const, text: "lk_1234" };
    await reportNewKey(db, key, workspace.actor);
    await db.twoStep.create({ data: { id, secret: encrypt("KEY", "two_step", id), onSince: new Date() } });
    await resetTwoStep(db, { id, email: fields.email }, workspace.actor);
    const bytes = new Uint8Array([1]);
    await db.passkey.create({
      data: { memberId: id, credentialId: bytes, publicKey: bytes, counter: 0, name: "Phone" },
    });
    await removePasskeys(db, { id, email: fields.email }, workspace.actor);
    await tellOfNewBrowser(db, { memberId: id, by: "passkey", device: "Firefox", ip: null });
  });
  const emails = (await payloadsOf<{ email: string }>(workspace, "key_created")).map(({ email }) => email);
  expect(emails).toEqual([workspace.admin.email]);
  for (const task of ["two_step_changed", "passkeys_changed", "new_sign_in"])
    expect(await payloadsOf(workspace, task), task).toEqual([]);
});

test("links to unconfirmed emails count like invitations, except the first member's", async () => {
  const workspace = await ofAStranger();
  const fields = { email: "victim@example.com", firstName: "Vic", lastName: "Tim", role: "Editor" };
  await inWorkspace(workspace.id, (db) => createMember(db, fields, stranger));
  const may = (email: string) => mayMailLink(workspace.id, email);
  expect([await may(workspace.email), await may(fields.email)]).toEqual([true, false]);
  await inWorkspace(workspace.id, (db) => confirmEmail(db, workspace.admin.id));
  expect(await may(fields.email)).toBe(true);
  await takeLimit("unconfirmedMail", { workspace: workspace.id }, 100);
  expect([await may(workspace.email), await may(fields.email)]).toEqual([true, false]);
});

test("an operator vouches for the members that they add", async () => {
  const workspace = await aWorkspace();
  expect(await invite(workspace)).toMatchObject({ invited: ["grace@example.com"] });
});

test("a link's minutes count from the mail, not from the request", async () => {
  const workspace = await aWorkspace();
  await inWorkspace(workspace.id, (db) => askForLink(db, "sign_in", workspace.admin.email));
  const [asked] = await payloadsOf<Payload<"member_link">>(workspace, "member_link");
  const request = { ...asked, requestedAt: new Date(Date.now() - 3_600_000).toISOString() } as Payload<"member_link">;
  const make = () => inWorkspace(workspace.id, (db) => makeLink(db, request));
  expect(await make()).not.toBeNull();
  // The mail server was away, and the job runs again.
  await inWorkspace(workspace.id, (db) => db.memberToken.updateMany({ data: { expiresAt: new Date(0) } }));
  const { token = "" } = (await make()) ?? {};
  const link = await inWorkspace(workspace.id, (db) => spendLink(db, "sign_in", token));
  expect(link).toMatchObject({ email: workspace.admin.email });
  expect(await make()).toBeNull();
});

test("names that mails show contain no URL", async () => {
  const workspace = await aWorkspace();
  const named = (firstName: string, lastName = "Example") =>
    inWorkspace(workspace.id, (db) =>
      createMember(
        db,
        { email: `${randomBytes(6).toString("hex")}@example.com`, firstName, lastName, role: "Editor" },
        workspace.actor,
      ),
    );
  const called = (name: string) => inWorkspace(workspace.id, (db) => updateSettings(db, { name }, workspace.actor));
  const role = (name: string) =>
    inWorkspace(workspace.id, (db) => createRole(db, { name, permissions: [] }, workspace.actor));
  for (const evil of ["Win at https://evil.example", "www.evil", "evil.example/win", "ada@example.com"]) {
    await expect(named(evil), evil).rejects.toThrow("can't contain a URL or an @");
    await expect(named("Ada", evil), evil).rejects.toThrow("can't contain a URL or an @");
    await expect(called(evil), evil).rejects.toThrow("can't contain a URL or an @");
    await expect(role(evil), evil).rejects.toThrow("can't contain a URL or an @");
  }
  await expect(named("Win evil.example now")).rejects.toThrow("URL");
  for (const good of ["J. R. R.", "Dr. Ada", "Ada-Maria O’Hara", "日本.", "Sammy Jr."])
    expect(await named(good)).toMatchObject({ firstName: good });
  for (const good of ["Node.js handbook", "Support 24/7", "Docs v2.0", "AC/DC", "A: B"]) await called(good);
});

test("each invited email counts, and a network over its limit uses up no one else's invitations", async () => {
  const workspace = randomBytes(8).toString("hex");
  const network = [10, ...randomBytes(3)].join(".");
  expect(await takeLimit("invite", { workspace, network }, 1_000)).toBeNull();
  expect(await takeLimit("invite", { workspace: `${workspace}x`, network }, 1)).toBeGreaterThan(80_000);
  expect(await takeLimit("invite", { workspace: `${workspace}y`, network: "203.0.113.77" }, 1)).toBeNull();
});
