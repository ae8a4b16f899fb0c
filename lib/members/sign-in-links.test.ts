import { expect, test, vi } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import { hasPassword, setPassword } from "@/lib/members/change-password";
import { createMember, type Member, updateMember } from "@/lib/members/members";
import {
  askForEmailChange,
  askForLink,
  emailChangeToken,
  findLink,
  type LinkPurpose,
  makeLink,
  spendLink,
} from "@/lib/members/sign-in-links";
import { jobHandlers } from "@/server/jobs/handlers";
import { aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const ask = (workspace: TestWorkspace, email: string, purpose: "sign_in" | "password_reset" = "sign_in") =>
  inWorkspace(workspace.id, (db) => askForLink(db, purpose, email, "/articles/x"));
const find = (workspace: TestWorkspace, token: string, purpose: LinkPurpose = "sign_in") =>
  readWorkspace(workspace.id, (read) => findLink(read, purpose, token));
const spend = (workspace: TestWorkspace, token: string, purpose: LinkPurpose = "sign_in") =>
  inWorkspace(workspace.id, (db) => spendLink(db, purpose, token));
const make = (workspace: TestWorkspace, request: Payload<"member_link">) =>
  inWorkspace(workspace.id, (db) => makeLink(db, request));

/** The payloads of this workspace's jobs, the oldest first. */
const jobsOf = async <P = Payload<"member_link">>({ id }: TestWorkspace) =>
  (
    await acrossWorkspaces.query<{ payload: P }>(
      `SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs
       WHERE payload->>'workspace_id' = $1 ORDER BY id`,
      [id],
    )
  ).map(({ payload }) => payload);
const latest = async (workspace: TestWorkspace) => (await jobsOf(workspace)).at(-1) as Payload<"member_link">;

/** Requests a link and returns its token. */
async function aLink(workspace: TestWorkspace, purpose: "sign_in" | "password_reset" = "sign_in"): Promise<string> {
  await ask(workspace, workspace.admin.email, purpose);
  const made = await make(workspace, await latest(workspace));
  if (!made) throw new Error("No link was made.");
  return made.token;
}

const rows = (workspace: TestWorkspace) => inWorkspace(workspace.id, (db) => db.memberToken.count());
const aMember = (workspace: TestWorkspace, email = "eva@example.com"): Promise<Member> =>
  inWorkspace(workspace.id, (db) =>
    createMember(db, { email, firstName: "Eva", lastName: "Example", role: "Editor" }, workspace.actor),
  );

test("a link is for whom it was asked, is looked at without harm and used once", async () => {
  const workspace = await aWorkspace();
  const token = await aLink(workspace);
  expect(token).toMatch(/^[\w-]{43}$/);
  for (let look = 0; look < 2; look++) {
    expect(await find(workspace, token)).toMatchObject({ memberId: workspace.admin.id, email: workspace.admin.email });
  }
  expect(await spend(workspace, token)).toMatchObject({ memberId: workspace.admin.id });
  expect(await find(workspace, token)).toBeNull();
  await expect(spend(workspace, token)).rejects.toThrow("expired or was already used");
});

test("of two who use a link at the same time, one does", async () => {
  const workspace = await aWorkspace();
  const token = await aLink(workspace);
  const second = whileOpen(
    workspace.id,
    (db) => spendLink(db, "sign_in", token),
    () => spend(workspace, token),
  );
  await expect(second).rejects.toThrow("expired or was already used");
});

test("a use that fails afterward leaves the link as it was", async () => {
  const workspace = await aWorkspace();
  const token = await aLink(workspace);
  const failed = inWorkspace(workspace.id, async (db) => {
    await spendLink(db, "sign_in", token);
    throw new Error("The session was not made.");
  });
  await expect(failed).rejects.toThrow("not made");
  expect(await spend(workspace, token)).toMatchObject({ memberId: workspace.admin.id });
});

test("a link ends by the database's clock", async () => {
  const workspace = await aWorkspace();
  const token = await aLink(workspace);
  const age = (minutes: number) =>
    inWorkspace(
      workspace.id,
      (db) => db.$executeRaw`UPDATE member_tokens SET expires_at = expires_at - make_interval(mins => ${minutes})`,
    );
  await age(14);
  expect(await find(workspace, token)).not.toBeNull();
  await age(1);
  expect(await find(workspace, token)).toBeNull();
  await expect(spend(workspace, token)).rejects.toThrow("expired or was already used");
});

test("a link is of one workspace, one purpose and one member", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const token = await aLink(workspace);
  expect(await find(other, token)).toBeNull();
  await expect(spend(other, token)).rejects.toThrow("expired or was already used");
  for (const purpose of ["password_reset", "email_change"] as const) {
    expect(await find(workspace, token, purpose)).toBeNull();
    await expect(spend(workspace, token, purpose)).rejects.toThrow("expired or was already used");
  }
  const eva = await aMember(workspace);
  const asEva = inWorkspace(workspace.id, (db) => spendLink(db, "sign_in", token, eva.id));
  await expect(asEva).rejects.toThrow("expired or was already used");
  expect(await spend(workspace, token)).toMatchObject({ memberId: workspace.admin.id });
});

test("a new request ends the previous link, in any order and number", async () => {
  const workspace = await aWorkspace();
  await ask(workspace, workspace.admin.email);
  await ask(workspace, workspace.admin.email.toUpperCase());
  const [first, second] = (await jobsOf(workspace)) as [Payload<"member_link">, Payload<"member_link">];
  const { token: former = "" } = (await make(workspace, first)) ?? {};
  expect(await find(workspace, former)).not.toBeNull();
  const { token = "" } = (await make(workspace, second)) ?? {};
  expect(token).not.toBe(former);
  expect([await find(workspace, former), await rows(workspace)]).toEqual([null, 1]);
  expect(await make(workspace, first)).toBeNull();
  expect(await make(workspace, second)).toMatchObject({ token });
  await spend(workspace, token);
  expect(await make(workspace, second)).toBeNull();
});

test("a request leaves the same traces for a member, a stranger and a deactivated member, and only the first gets a link", async () => {
  const workspace = await aWorkspace();
  const eva = await aMember(workspace);
  await inWorkspace(workspace.id, (db) => updateMember(db, eva.id, { active: false }, workspace.actor));
  const before = await jobsOf(workspace);
  for (const email of [workspace.admin.email, "nobody@example.com", eva.email]) await ask(workspace, email);
  const request = (await jobsOf(workspace)).slice(before.length);
  const any = { requestedAt: expect.any(String), linkId: expect.any(String), nonce: expect.any(String) };
  expect(request).toEqual(
    [workspace.admin.email, "nobody@example.com", eva.email].map((email) => ({
      ...{ purpose: "sign_in", email, to: "/articles/x", ...any },
    })),
  );
  const made = [];
  for (const job of request) made.push((await make(workspace, job))?.member.email);
  expect([made, await rows(workspace)]).toEqual([[workspace.admin.email, undefined, undefined], 1]);
});

test("the database has the token's hash alone, and jobs nothing that it could be made of without the secret", async () => {
  const workspace = await aWorkspace();
  const token = await aLink(workspace);
  const [kept] = await acrossWorkspaces.query<{ text: string }>(
    `SELECT (SELECT string_agg(t::text, ' ') FROM member_tokens t WHERE workspace_id = $1) ||
       (SELECT string_agg(j::text, ' ') FROM graphile_worker._private_jobs j) AS text`,
    [workspace.id],
  );
  expect(kept?.text).toContain("sign_in");
  expect(kept?.text).not.toContain(token);
});

test("deactivation, another address and another password end the links of a member", async () => {
  const workspace = await aWorkspace();
  const eva = await aMember(workspace);
  const link = async (purpose: "sign_in" | "password_reset") => {
    await ask(workspace, "eva@example.com", purpose);
    return (await make(workspace, await latest(workspace)))?.token ?? "";
  };
  const change = (changes: object) =>
    inWorkspace(workspace.id, (db) => updateMember(db, eva.id, changes, workspace.actor));
  let token = await link("sign_in");
  await change({ active: false });
  expect(await find(workspace, token)).toBeNull();
  await change({ active: true });
  expect(await find(workspace, token)).toBeNull();

  token = await link("sign_in");
  await change({ email: "eva2@example.com" });
  expect(await find(workspace, token)).toBeNull();
  await change({ email: "eva@example.com" });

  token = await link("sign_in");
  const reset = await link("password_reset");
  await inWorkspace(workspace.id, (db) => setPassword(db, eva.id, "a hash", null, workspace.actor));
  expect([await find(workspace, token), await find(workspace, reset, "password_reset")]).toEqual([null, null]);
});

test("a new password ends all other sessions, and is reported by mail and in the audit log", async () => {
  const workspace = await aWorkspace();
  const memberId = workspace.admin.id;
  const expiresAt = new Date(Date.now() + 60_000);
  const session = () => inWorkspace(workspace.id, (db) => db.session.create({ data: { memberId, expiresAt } }));
  const has = () => readWorkspace(workspace.id, (read) => hasPassword(read, memberId));
  const [mine] = [await session(), await session()];
  expect(await has()).toBe(false);
  await inWorkspace(workspace.id, (db) => setPassword(db, memberId, "a hash", mine.id, workspace.actor));
  expect(await has()).toBe(true);
  const left = await inWorkspace(workspace.id, (db) => db.session.findMany({ select: { id: true } }));
  expect(left).toEqual([{ id: mine.id }]);
  expect(await jobsOf<unknown>(workspace)).toEqual([
    { email: workspace.admin.email, memberName: "Ada Admin", passkeys: 0 },
  ]);
  const audit = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.findMany({ where: { action: { in: ["member.password_changed", "sessions.ended"] } } }),
  );
  expect(audit.map(({ action }) => action).sort()).toEqual(["member.password_changed", "sessions.ended"]);
  expect(JSON.stringify(audit)).not.toContain("a hash");
});

test("another address is asked for by a link that is sent there, and a former link ends", async () => {
  const workspace = await aWorkspace();
  const eva = await aMember(workspace);
  const change = (email: string) => inWorkspace(workspace.id, (db) => askForEmailChange(db, eva, email));
  for (const [email, why] of [
    ["nobody", "not valid"],
    ["eva@example.com", "already your email"],
    [workspace.admin.email.toUpperCase(), "Another member"],
  ] as const) {
    await expect(change(email)).rejects.toThrow(why);
  }
  await change("eva2@example.com");
  await change("eva3@example.com");
  const [first, second] = await jobsOf<Payload<"email_confirmation">>(workspace);
  const tokens = [first, second].map((job) => emailChangeToken(job as Payload<"email_confirmation">));
  expect(await find(workspace, tokens[0] ?? "", "email_change")).toBeNull();
  expect(await find(workspace, tokens[1] ?? "", "email_change")).toMatchObject({
    memberId: eva.id,
    newEmail: "eva3@example.com",
  });
});

test("each mail says what its link does, and leads there at the workspace's own address", async () => {
  const workspace = await aWorkspace({ name: "Docs" });
  const mails: Omit<Mail, "id">[] = [];
  const handlers = jobHandlers({
    deliver: async ({ id: _, ...mail }) => void mails.push(mail),
    baseUrl: "https://kb.example.com",
  });
  const { signal } = new AbortController();
  const job = <P>(payload: P) => ({ id: "1", workspaceId: workspace.id, payload, signal });
  const url = `https://${workspace.subdomain}.kb.example.com/admin`;
  for (const purpose of ["sign_in", "password_reset"] as const) {
    await ask(workspace, workspace.admin.email, purpose);
    await handlers.member_link(job(await latest(workspace)));
  }
  await ask(workspace, "nobody@example.com");
  await handlers.member_link(job(await latest(workspace)));
  await inWorkspace(workspace.id, (db) => askForEmailChange(db, workspace.admin, "new@example.com"));
  const confirmation = (await jobsOf<Payload<"email_confirmation">>(workspace)).at(-1);
  await handlers.email_confirmation(job(confirmation as Payload<"email_confirmation">));
  await handlers.password_changed(job({ email: workspace.admin.email, memberName: "Ada Admin", passkeys: 0 }));
  expect(mails.map(({ to, subject, link }) => [to.address, subject, link?.url])).toEqual([
    [
      workspace.admin.email,
      "Sign in to Docs",
      expect.stringMatching(new RegExp(`^${url}/sign-in/link\\?token=[\\w-]{43}&to=%2Farticles%2Fx$`)),
    ],
    [
      workspace.admin.email,
      "Set your password for Docs",
      expect.stringMatching(new RegExp(`^${url}/sign-in/password\\?token=[\\w-]{43}$`)),
    ],
    [
      "new@example.com",
      "Confirm your email for Docs",
      expect.stringMatching(new RegExp(`^${url}/account/email\\?token=[\\w-]{43}$`)),
    ],
    [workspace.admin.email, "Your password for Docs was changed", `${url}/sign-in/password`],
  ]);
  // It may be a stranger's by mistake.
  expect(JSON.stringify(mails[2])).not.toContain(workspace.admin.email);
});
