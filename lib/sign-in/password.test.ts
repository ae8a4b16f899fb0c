import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticate, enter } from "@/lib/api/keys";
import { createApiKey, reportNewKey } from "@/lib/api-keys/api-keys";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import type { Payload } from "@/lib/jobs";
import { openLog } from "@/lib/log";
import type { Mail } from "@/lib/mail/mail";
import { setPassword } from "@/lib/members/change-password";
import { hashPassword } from "@/lib/members/passwords";
import { provePassword } from "@/lib/sign-in/password";
import { jobHandlers } from "@/server/jobs/handlers";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const password = "four quiet harbor words";
const lines: Record<string, unknown>[] = [];

beforeAll(() => openLog({ level: "warn", format: "json", write: (line) => void lines.push(JSON.parse(line)) }));
afterAll(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));

async function withPassword(): Promise<TestWorkspace> {
  const workspace = await aWorkspace();
  const hash = await hashPassword(password);
  await inWorkspace(workspace.id, (db) => setPassword(db, workspace.admin.id, hash, null, workspace.actor));
  return workspace;
}
const eventsOf = ({ id }: TestWorkspace) => lines.filter((line) => line.workspace_id === id);

test("failed sign-ins and waits are logged as events, and the audit log records when a member first has to wait", async () => {
  const workspace = await withPassword();
  const client = [10, ...randomBytes(3)].join(".");
  const attempt = (email: string, secret: string) =>
    provePassword(workspace, email, secret, new Headers({ "x-forwarded-for": client }), null);
  const { email, id: member_id } = workspace.admin;
  expect(await attempt(email, password)).toMatchObject({ id: member_id, isKnown: false });
  for (let failure = 0; failure < 5; failure++) await attempt(email, "wrong");
  expect(await attempt(email, password)).toEqual({ isEarly: true, seconds: expect.any(Number) });
  await attempt("nobody@example.com", "wrong");

  const event = { level: "warn", workspace_id: workspace.id, client };
  const failed = { ...event, event: "sign_in.failed", member_id };
  expect(eventsOf(workspace).map(({ time: _, msg: __, ...line }) => line)).toEqual([
    ...Array.from({ length: 4 }, () => ({ ...failed, wait_seconds: 0 })),
    { ...failed, wait_seconds: 2 },
    { ...event, event: "sign_in.waiting", member_id },
    { ...event, event: "sign_in.failed", wait_seconds: 0 },
  ]);
  expect(JSON.stringify(lines)).not.toContain("wrong");
  const audit = () =>
    acrossWorkspaces.query(
      `SELECT actor_name, ip, subject_name FROM audit_entries WHERE workspace_id = $1 AND action = 'member.sign_in_paused'`,
      [workspace.id],
    );
  await expect.poll(audit).toEqual([{ actor_name: "Lectern", ip: client, subject_name: email }]);
});

test("a browser counts as known for the member and workspace that it names", async () => {
  const workspace = await withPassword();
  const browser = crypto.randomUUID();
  const attempt = (known: { workspace: string; member: string }) =>
    provePassword(workspace, workspace.admin.email, password, new Headers(), { ...known, browser });
  const own = { workspace: workspace.id, member: workspace.admin.id };
  expect(await attempt(own)).toMatchObject({ isKnown: true });
  expect(await attempt({ ...own, member: crypto.randomUUID() })).toMatchObject({ isKnown: false });
  expect(await attempt({ ...own, workspace: crypto.randomUUID() })).toMatchObject({ isKnown: false });
});

test("a refused key is an event in the log, without the key", async () => {
  const workspace = await aWorkspace();
  const use = { ip: "203.0.113.9", route: () => "GET /v2/me" };
  const text = `${workspace.key.text.slice(0, -1)}~`;
  const tryKey = async (key: string) => authenticate(await enter(workspace.subdomain, key), use);
  await expect(tryKey(text)).rejects.toMatchObject({ status: 401 });
  await tryKey(workspace.key.text);
  const expected = { event: "key.refused", client: use.ip, route: use.route() };
  expect(eventsOf(workspace)).toEqual([expect.objectContaining(expected)]);
  expect(JSON.stringify(lines)).not.toContain(text);
});

test("members are mailed about a new browser, and administrators about a new key, without a link to click", async () => {
  const workspace = await aWorkspace({ name: "Docs" });
  const mails: Omit<Mail, "id">[] = [];
  const handlers = jobHandlers({ deliver: async ({ id: _, ...mail }) => void mails.push(mail), baseUrl: "http://kb" });
  const { signal } = new AbortController();
  const job = <P>(payload: P) => ({ id: "1", workspaceId: workspace.id, payload, signal });
  await inWorkspace(workspace.id, async (db) => {
    const key = { name: "Report", scopes: ["content.read"] } as const;
    const { text } = await createApiKey(db, key, workspace.actor);
    await reportNewKey(db, { ...key, text: `${text.slice(0, -4)}wxyz` }, workspace.actor);
  });
  const [created] = await acrossWorkspaces.query<{ payload: Payload<"key_created"> }>(
    `SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs WHERE payload->>'workspace_id' = $1`,
    [workspace.id],
  );
  await handlers.key_created(job(created?.payload as Payload<"key_created">));
  const { email } = workspace.admin;
  const at = "2026-01-31T09:30:00.000Z";
  const device = "Firefox on Linux";
  const signIn = { email, memberName: "Ada Admin", device, ip: "203.0.113.9", at };
  await handlers.new_sign_in(job({ ...signIn, by: "password" }));
  await handlers.new_sign_in(job({ ...signIn, by: "identity_provider" }));
  const to = { name: "Ada Admin", address: email };
  expect(mails.pop()?.paragraphs.slice(1)).toEqual([
    "Someone signed in to Docs through your identity provider from a browser you haven't used there before: " +
      "Firefox on Linux, IP address 203.0.113.9, January 31, 2026 at 9:30 AM UTC.",
    "If this was you, you can ignore this email. If not, secure your account there, then choose Sign out everywhere on the Password and sessions page.",
  ]);
  expect(mails).toEqual([
    {
      to,
      subject: "New API key for Docs",
      paragraphs: [
        "Hello Ada Admin,",
        "Ada Admin created the API key Report, which ends in wxyz. It can read all content.",
        "If you didn't expect this, revoke the key on the API keys page.",
      ],
    },
    {
      to,
      subject: "New sign-in to Docs",
      paragraphs: [
        "Hello Ada Admin,",
        "Someone signed in to Docs with your password from a browser you haven't used there before: " +
          "Firefox on Linux, IP address 203.0.113.9, January 31, 2026 at 9:30 AM UTC.",
        "If this was you, you can ignore this email. If not, change your password immediately, which signs you out on all other devices.",
      ],
    },
  ]);
});
