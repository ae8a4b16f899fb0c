import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Actor } from "@/lib/audit/audit";
import { takeLimit } from "@/lib/counters";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { createMember, updateMember } from "@/lib/members/members";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

/** A workspace whose administrator created the key "HR", which invites people. */
async function aManager() {
  const workspace = await aWorkspace();
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(
      db,
      { name: "HR", scopes: ["members.read", "members.write"], createdBy: workspace.admin.id },
      workspace.actor,
    ),
  );
  const send = (method: string, path = "", body?: object, headers: Record<string, string> = {}, text = key.text) => {
    const [, id, action] = path.split("?")[0]?.split("/") ?? [];
    const template = `/invitations${id ? "/{invitation_id}" : ""}${action ? `/${action}` : ""}`;
    const handler = paths[template as keyof typeof paths];
    return call(handler, workspace, `/api/external/v2/invitations${path}`, {
      ...{ method, key: text, headers },
      ...(body && { body }),
    });
  };
  return {
    ...{ workspace, key, send },
    invite: (email: string, role = "Editor") => send("POST", "", { email, role }),
    list: async (query = "") => (await send("GET", query)).body,
  };
}

/** An invitation that the administrator sent a moment ago, in the database alone. */
const invitedByAda = ({ id, admin }: TestWorkspace, email: string, name: string) =>
  inWorkspace(id, async (db) => {
    const { id: roleId } = await db.role.findFirstOrThrow({ where: { name } });
    const [tokenHash, soon] = [new Uint8Array(randomBytes(32)), new Date(Date.now() + 86_400_000)];
    await db.invitation.create({ data: { email, roleId, invitedBy: admin.id, tokenHash, expiresAt: soon } });
  });

/** The mails that wait to be sent: which invitation, and who invites. */
const mailsOf = async ({ id }: TestWorkspace) =>
  (
    await acrossWorkspaces.query<{ mail: { invitationId: string; invitedBy: string; nonce: string } }>(
      `SELECT payload->'payload' AS mail FROM graphile_worker._private_jobs
       WHERE payload->>'workspace_id' = $1 AND payload::jsonb->'payload' ? 'invitationId' ORDER BY id`,
      [id],
    )
  ).map(({ mail }) => mail);

const hashOf = async (invitationId: string) =>
  (
    await acrossWorkspaces.query<{ hash: string }>(
      "SELECT encode(token_hash, 'hex') AS hash FROM invitations WHERE id = $1",
      [invitationId],
    )
  )[0]?.hash;

const actionsOf = async (workspaceId: string) =>
  (
    await acrossWorkspaces.query<{ entry: string }>(
      `SELECT actor_name || ' ' || action AS entry FROM audit_entries
       WHERE workspace_id = $1 AND subject_kind = 'invitation' ORDER BY created_at`,
      [workspaceId],
    )
  ).map(({ entry }) => entry);

test("a person is invited in the name of the key, and the answer has everything but the link", async () => {
  const { workspace, key, invite, send, list } = await aManager();
  const made = await invite(" Grace@example.com ");
  const { invitation } = made.body;
  expect([made.status, made.headers.get("location")]).toEqual([
    201,
    `http://${workspace.subdomain}.localhost:3000/api/external/v2/invitations/${invitation.id}`,
  ]);
  expect(invitation).toEqual({
    ...{ id: invitation.id, email: "Grace@example.com", role: "Editor" },
    ...{ sent_at: expect.any(String), expires_at: expect.any(String) },
    invited_by: { kind: "api_key", id: key.id, name: "HR" },
  });
  expect(Date.parse(invitation.expires_at) - Date.parse(invitation.sent_at)).toBe(7 * 86_400_000);
  expect((await send("GET", `/${invitation.id}`)).body).toEqual({ invitation });
  const [mail, ...others] = await mailsOf(workspace);
  expect([mail, others]).toEqual([{ invitationId: invitation.id, invitedBy: "HR", nonce: expect.any(String) }, []]);
  await invitedByAda(workspace, "linus@example.com", "Admin");
  const first = await list("?page_size=1");
  expect(first.invitations).toMatchObject([
    {
      email: "linus@example.com",
      role: "Admin",
      invited_by: { kind: "member", id: workspace.admin.id, name: "Ada Admin" },
    },
  ]);
  expect(await list("?page_size=1&page_number=2")).toMatchObject({
    invitations: [invitation],
    pagination: { total_records: 2, total_pages: 2 },
  });
});

test("a resent invitation has a new link and seven more days, and a revoked one is gone", async () => {
  const { workspace, invite, send, list } = await aManager();
  const { id } = (await invite("grace@example.com")).body.invitation;
  await acrossWorkspaces.query(
    "UPDATE invitations SET sent_at = sent_at - interval '9 days', expires_at = expires_at - interval '9 days' WHERE id = $1",
    [id],
  );
  const [old] = (await list()).invitations;
  const before = await hashOf(id);
  const resent = await send("POST", `/${id}/resend`);
  const { invitation } = resent.body;
  expect([resent.status, invitation]).toEqual([
    200,
    { ...old, sent_at: expect.any(String), expires_at: expect.any(String) },
  ]);
  expect(Date.parse(invitation.expires_at)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
  expect(await hashOf(id)).not.toBe(before);
  expect((await mailsOf(workspace)).map(({ invitationId }) => invitationId)).toEqual([id, id]);

  const revoked = await send("DELETE", `/${id}`);
  expect([revoked.status, revoked.body]).toEqual([200, { revoked: invitation }]);
  expect((await list()).invitations).toEqual([]);
  for (const [method, path] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/resend"],
  ] as const)
    expect([method, path, (await send(method, `/${id}${path}`)).status]).toEqual([method, path, 404]);
  expect((await invite("grace@example.com")).status).toBe(201);
  expect(await actionsOf(workspace.id)).toEqual([
    ...["HR invitation.sent", "HR invitation.sent_again", "HR invitation.withdrawn", "HR invitation.sent"],
  ]);
});

test("every field that was refused is named, and no mail is sent", async () => {
  const { workspace, invite, send, list } = await aManager();
  await inWorkspace(workspace.id, async (db) => {
    const gone = { email: "gone@example.com", firstName: "Gone", lastName: "Person", role: "Editor" };
    const { id } = await createMember(db, gone, workspace.actor);
    await updateMember(db, id, { active: false }, workspace.actor);
  });
  await invitedByAda(workspace, "invited@example.com", "Editor");
  for (const [body, ...named] of [
    [{}, "email required", "role required"],
    [{ email: 1, role: 1 }, "email invalid", "role invalid"],
    [{ email: "nobody", role: "Owner" }, "email invalid", "role not_found"],
    [{ email: workspace.admin.email.toUpperCase(), role: "editor" }, "email taken", "role not_found"],
    [{ email: "GONE@example.com", role: "Editor" }, "email taken"],
    [{ email: "Invited@example.com", role: "Editor" }, "email taken"],
  ] as [object, ...string[]][]) {
    expect([body, ...fieldsOf(await send("POST", "", body))]).toEqual([body, 422, ...named]);
  }
  expect((await invite("gone@example.com", "Owner")).body.error).toBe(
    "gone@example.com is a deactivated member. Reactivate them instead. The role must be exactly one of: Admin, Collaborator, Editor.",
  );
  expect(await mailsOf(workspace)).toEqual([]);
  expect((await list()).pagination.total_records).toBe(1);
});

test("a key gives no role that its creator could not give now", async () => {
  const { workspace, key, invite, send } = await aManager();
  const { id } = (await invite("grace@example.com", "Admin")).body.invitation;
  const other = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: "alan@example.com", firstName: "Alan", lastName: "Admin", role: "Admin" },
      workspace.actor,
    ),
  );
  const change = (changes: Parameters<typeof updateMember>[2]) =>
    inWorkspace(workspace.id, (db) =>
      updateMember(db, workspace.admin.id, changes, { kind: "member", id: other.id, name: other.email }),
    );
  await change({ role: "Editor" });
  const refused = await invite("linus@example.com", "Admin");
  expect([...fieldsOf(refused), refused.body.error]).toEqual([
    422,
    "role not_allowed",
    "The role Admin has permissions that the creator of this key doesn't have: members.manage, settings.manage, keys.manage. Ask a member who has them to rotate the key.",
  ]);
  expect(fieldsOf(await send("POST", `/${id}/resend`))).toEqual([422, "role not_allowed"]);
  expect(fieldsOf(await send("DELETE", `/${id}`))).toEqual([422, "role not_allowed"]);
  expect((await invite("linus@example.com", "Editor")).status).toBe(201);
  const promote = (memberId: string, organization_role: string) =>
    call(paths["/team-members/{team_member_id}"], workspace, `/api/external/v2/team-members/${memberId}`, {
      ...{ method: "PATCH", key: key.text, body: { organization_role } },
    });
  expect(fieldsOf(await promote(workspace.admin.id, "Admin"))).toEqual([422, "organization_role not_allowed"]);
  expect(fieldsOf(await promote(other.id, "Editor"))).toEqual([422, "organization_role not_allowed"]);
  expect((await promote(other.id, "Admin")).status).toBe(200);

  await change({ active: false });
  expect(fieldsOf(await invite("barbara@example.com", "Collaborator"))).toEqual([422, "role not_allowed"]);
  const operator: Actor = { kind: "command_line", id: null, name: "Command line" };
  const made = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Operator", scopes: ["members.write"] }, operator),
  );
  expect(made.id).not.toBe(key.id);
  const body = { email: "barbara@example.com", role: "Admin" };
  expect((await send("POST", "", body, {}, made.text)).status).toBe(201);
});

test("a mailbox gets four repeated mails in 15 minutes, whether resent or invited again, and the answer says when to try again", async () => {
  const { workspace, invite, send } = await aManager();
  const { id } = (await invite("grace@example.com")).body.invitation;
  for (let mail = 0; mail < 3; mail++) expect((await send("POST", `/${id}/resend`)).status).toBe(200);
  await send("DELETE", `/${id}`);
  const again = await invite("Grace@example.com");
  expect(again.status).toBe(201);
  const mails = await mailsOf(workspace);
  expect(mails).toHaveLength(5);
  const late = await send("POST", `/${again.body.invitation.id}/resend`);
  expect([late.status, late.body]).toEqual([
    429,
    { error: expect.stringMatching(/^No invitation was sent\. .* Try again in \d+ seconds\.$/), code: "rate_limited" },
  ]);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  await send("DELETE", `/${again.body.invitation.id}`);
  expect((await invite("grace@example.com")).status).toBe(429);
  expect(await mailsOf(workspace)).toEqual(mails);
  expect((await invite("linus@example.com")).status).toBe(201);
});

test("a workspace sends a limited number of invitations a day", async () => {
  const { workspace, invite, send } = await aManager();
  const { id } = (await invite("grace@example.com")).body.invitation;
  await takeLimit("invite", { workspace: workspace.id, network: "192.0.2.99" }, 999);
  const refused = [await invite("linus@example.com"), await send("POST", `/${id}/resend`)];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [429, "rate_limited"],
    [429, "rate_limited"],
  ]);
  expect(await mailsOf(workspace)).toHaveLength(1);
  expect(fieldsOf(await invite("grace@example.com"))).toEqual([422, "email taken"]);
  expect((await send("DELETE", `/${id}`)).status).toBe(200);
});

test("with an ETag, is resent and revoked only if no one else has changed it", async () => {
  const { invite, send } = await aManager();
  const { id } = (await invite("grace@example.com")).body.invitation;
  const tag = async () => ({ "if-match": (await send("GET", `/${id}`)).headers.get("etag") ?? "" });
  const old = await tag();
  expect((await send("POST", `/${id}/resend`, undefined, old)).status).toBe(200);
  for (const late of [
    await send("POST", `/${id}/resend`, undefined, old),
    await send("DELETE", `/${id}`, undefined, old),
  ])
    expect([late.status, late.body.code]).toEqual([412, "revision_conflict"]);
  expect((await send("DELETE", `/${id}`, undefined, await tag())).status).toBe(200);
});
