import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { removeProvider, saveProvider } from "@/lib/identity-provider/settings";
import { openLog } from "@/lib/log";
import { inviteMembers } from "@/lib/members/invitations";
import { createMember, updateMember } from "@/lib/members/members";
import { encrypt } from "@/lib/secrets";
import { signedInMember } from "@/lib/session";
import { pendingSecondStep } from "@/lib/sign-in/second-step";
import { signInBy } from "@/lib/sign-in/sign-in";
import { aProvider, strangersKey, type TestProvider } from "@/testing/provider";
import { aRawReceiver } from "@/testing/receiver";
import { snapshot } from "@/testing/wall";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { redirectUri } from "./_answer";
import { GET as callback } from "./callback/route";
import { GET as start } from "./route";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

/** The request that Next would hand to the routes. */
const requests = await vi.hoisted(async () => {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  return new AsyncLocalStorage<{ host: string; jar: Map<string, string> }>();
});
vi.mock("next/headers", () => {
  const current = () => requests.getStore() ?? expect.fail("There is no request.");
  return {
    headers: async () => new Headers({ host: current().host, "user-agent": "Firefox/140.0 (X11; Linux x86_64)" }),
    cookies: async () => {
      const { jar } = current();
      return {
        getAll: () => [...jar].map(([name, value]) => ({ name, value })),
        get: (name: string) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
        set: (name: string, value: string, { maxAge }: { maxAge: number }) =>
          maxAge > 0 ? jar.set(name, value) : jar.delete(name),
      };
    },
  };
});

const lines: string[] = [];
beforeAll(() => openLog({ level: "info", format: "json", write: (line) => void lines.push(line) }));
afterAll(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));

const failed = (reason: string) => `/admin/sign-in?failed=${reason}`;

/** A browser with the cookies of each host. */
class TestBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  jar({ subdomain }: TestWorkspace): Map<string, string> {
    const jar = this.jars.get(subdomain) ?? new Map<string, string>();
    this.jars.set(subdomain, jar);
    return jar;
  }

  private async open(
    workspace: TestWorkspace,
    handler: typeof start,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const request = { host: new URL(url).host, jar: this.jar(workspace) };
    const answer = await requests.run(request, () => handler(new Request(url, { headers })));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([303, "no-store"]);
    return answer.headers.get("location") ?? "";
  }

  start(workspace: TestWorkspace, query = "", headers: Record<string, string> = {}): Promise<string> {
    return this.open(workspace, start, redirectUri(workspace).replace("/callback", query), headers);
  }

  finish(workspace: TestWorkspace, url: string): Promise<string> {
    return this.open(workspace, callback, url);
  }

  /** Signs in at the provider. @returns the URL that it sends the browser back to */
  async atProvider(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    while (!next.includes("/admin/sign-in/")) {
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const answer = await fetch(next, { redirect: "manual", headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      next = new URL(answer.headers.get("location") ?? expect.fail(await answer.text()), next).href;
    }
    return next;
  }

  /** What the product does in a request of this browser. */
  within<T>(workspace: TestWorkspace, work: () => Promise<T>): Promise<T> {
    return requests.run({ host: new URL(redirectUri(workspace)).host, jar: this.jar(workspace) }, work);
  }

  /** Whether the session proves who is at the keyboard. */
  async isFresh(workspace: TestWorkspace): Promise<boolean | undefined> {
    return this.within(workspace, async () => (await signedInMember(workspace.subdomain))?.isFresh);
  }

  /** @returns where the browser ends up */
  async signIn(workspace: TestWorkspace): Promise<string> {
    this.jar(workspace).delete("lectern-session");
    return this.finish(workspace, await this.atProvider(await this.start(workspace)));
  }
}

async function withProvider(
  { newMemberRole = null, ...options }: { newMemberRole?: string | null; inIdToken?: boolean } = {},
  ...others: TestWorkspace[]
): Promise<{ workspace: TestWorkspace; provider: TestProvider; browser: TestBrowser }> {
  const workspace = await aWorkspace();
  const provider = await aProvider(onTestFinished, [workspace, ...others].map(redirectUri), options);
  provider.person.email = workspace.admin.email;
  await setProvider(workspace, provider, newMemberRole);
  return { workspace, provider, browser: new TestBrowser() };
}

function setProvider(
  workspace: TestWorkspace,
  provider: TestProvider,
  newMemberRole: string | null = null,
): Promise<void> {
  const { issuer, clientId, clientSecret } = provider;
  const fields = { name: "Acme", issuer, clientId, clientSecret, newMemberRole };
  return inWorkspace(workspace.id, (db) => saveProvider(db, workspace.id, fields, workspace.actor));
}

const sessions = ({ id }: TestWorkspace) =>
  acrossWorkspaces.query<{ email: string; by: string }>(
    `SELECT m.email, a.details->>'by' AS by FROM sessions s
     JOIN members m ON m.workspace_id = s.workspace_id AND m.id = s.member_id
     JOIN audit_entries a ON a.workspace_id = s.workspace_id AND a.subject_id = s.id AND a.action = 'session.started'
     WHERE s.workspace_id = $1 ORDER BY s.created_at`,
    [id],
  );
const membersOf = ({ id }: TestWorkspace) =>
  acrossWorkspaces.query(
    `SELECT m.email, m.first_name, m.last_name, r.name AS role, m.email_confirmed FROM members m
     JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id WHERE m.workspace_id = $1 ORDER BY m.created_at`,
    [id],
  );
const mails = ({ id }: TestWorkspace) =>
  acrossWorkspaces.query<{ email: string; by: string }>(
    `SELECT j.payload->'payload'->>'email' AS email, j.payload->'payload'->>'by' AS by FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'new_sign_in' AND j.payload->>'workspace_id' = $1`,
    [id],
  );

test.each([false, true])(
  "a member signs in, and is told about a new browser (claims in the ID token: %s)",
  async (inIdToken) => {
    const { workspace, provider, browser } = await withProvider({ inIdToken });
    provider.person.email = workspace.admin.email.toUpperCase();
    const url = new URL(await browser.start(workspace, "?to=%2Fadmin%2Fkeys%3Fpage%3D2"));
    expect(url.origin).toBe(new URL(provider.issuer).origin);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^.{43}$/),
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      redirect_uri: redirectUri(workspace),
    });
    const answer = await browser.atProvider(url.href);
    expect(await browser.finish(workspace, answer)).toBe("/admin/keys?page=2");
    expect([...browser.jar(workspace).keys()].sort()).toEqual(["lectern-browser", "lectern-session"]);
    expect(await sessions(workspace)).toEqual([{ email: workspace.admin.email, by: "identity_provider" }]);
    expect(await mails(workspace)).toEqual([{ email: workspace.admin.email, by: "identity_provider" }]);
    // The same browser is known.
    expect(await browser.signIn(workspace)).toBe("/admin");
    expect([(await sessions(workspace)).length, (await mails(workspace)).length]).toEqual([2, 1]);
  },
);

test("a response from the provider works once, and only for the sign-in that asked for it", async () => {
  const { workspace, browser } = await withProvider();
  const url = await browser.start(workspace);
  const [cookie = ["", ""]] = [...browser.jar(workspace)];
  const answer = await browser.atProvider(url);
  expect(await browser.finish(workspace, answer)).toBe("/admin");
  expect(await browser.finish(workspace, answer)).toBe(failed("expired"));
  // Someone who kept the cookie too.
  const thief = new TestBrowser();
  thief.jar(workspace).set(...cookie);
  expect(await thief.finish(workspace, answer)).toBe(failed("refused"));
  // The spent code with the state of a new sign-in, and a good code with a wrong state.
  const state = (text: string) => new URL(text).searchParams.get("state") ?? "";
  browser.jar(workspace).delete("lectern-session");
  const second = await browser.start(workspace);
  expect(await browser.finish(workspace, answer.replace(state(answer), state(second)))).toBe(failed("refused"));
  const third = await browser.atProvider(await browser.start(workspace));
  expect(await browser.finish(workspace, third.replace(state(third), state(answer)))).toBe(failed("expired"));
  expect(await sessions(workspace)).toHaveLength(1);
  expect(lines.join()).toContain("The state belongs to another sign-in.");
  // That didn't end the sign-in that waits.
  expect(await browser.finish(workspace, third)).toBe("/admin");
});

test("a response works only in the browser and workspace that asked", async () => {
  const other = await aWorkspace();
  const { workspace, provider, browser } = await withProvider({}, other);
  await setProvider(other, provider);
  const answer = await browser.atProvider(await browser.start(workspace));
  expect(await new TestBrowser().finish(workspace, answer)).toBe(failed("expired"));
  // Another workspace with the same provider, where the browser has the cookie of the first.
  const [cookie = ["", ""]] = [...browser.jar(workspace)];
  browser.jar(other).set(...cookie);
  const there = answer.replace(redirectUri(workspace), redirectUri(other));
  expect(await browser.finish(other, there)).toBe(failed("expired"));
  expect([...(await sessions(workspace)), ...(await sessions(other))]).toEqual([]);
  expect(await browser.finish(workspace, answer)).toBe("/admin");
});

test.each([
  ["another issuer", { claims: { iss: "https://elsewhere.example" } }],
  ["another audience", { claims: { aud: "someone else" } }],
  ["another nonce", { claims: { nonce: "another" } }],
  ["no nonce", { claims: { nonce: undefined } }],
  ["a time that has passed", { claims: { exp: 1_700_000_000 } }],
  ["another's signature", { key: strangersKey }],
])("an ID token with %s is refused", async (_, forge) => {
  const { workspace, provider, browser } = await withProvider();
  provider.forge = forge;
  expect(await browser.signIn(workspace)).toBe(failed("refused"));
  expect(await sessions(workspace)).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: "sign_in.failed", workspace_id: workspace.id, by: "identity_provider" }),
  );
  provider.forge = { claims: {} };
  expect(await browser.signIn(workspace)).toBe("/admin");
});

test.each([[false], [undefined], ["true"]])("an email with email_verified %j is refused", async (said) => {
  const { workspace, provider, browser } = await withProvider({ newMemberRole: "Editor" });
  provider.person = { email: workspace.admin.email, email_verified: said };
  expect(await browser.signIn(workspace)).toBe(failed("unverified"));
  provider.person = { email_verified: true };
  expect(await browser.signIn(workspace)).toBe(failed("unverified"));
  expect([(await sessions(workspace)).length, (await membersOf(workspace)).length]).toEqual([0, 1]);
});

test("a non-member can sign in only if the workspace lets new members join", async () => {
  const { workspace, provider, browser } = await withProvider();
  const elsewhere = await aWorkspace();
  provider.person = { email: elsewhere.admin.email, email_verified: true, given_name: "Grace", family_name: "Hopper" };
  expect(await browser.signIn(workspace)).toBe(failed("no_member"));
  expect(await membersOf(workspace)).toHaveLength(1);
  await setProvider(workspace, provider, "Editor");
  expect(await browser.signIn(workspace)).toBe("/admin");
  expect(await browser.signIn(workspace)).toBe("/admin");
  const grace = { email: elsewhere.admin.email, first_name: "Grace", last_name: "Hopper" };
  expect((await membersOf(workspace)).slice(1)).toEqual([{ ...grace, role: "Editor", email_confirmed: false }]);
  // A provider can claim any email. Lectern mails none that nobody confirmed.
  expect(await mails(workspace)).toEqual([]);
});

test("two first sign-ins at the same time make one member", async () => {
  const { workspace, provider } = await withProvider({ newMemberRole: "Collaborator" });
  provider.person = { email: "grace.hopper@example.com", email_verified: true, name: "www.evil.example" };
  const browsers = [new TestBrowser(), new TestBrowser()];
  const answers: string[] = [];
  for (const browser of browsers) answers.push(await browser.atProvider(await browser.start(workspace)));
  const outcomes = browsers.map((browser, index) => browser.finish(workspace, answers[index] ?? ""));
  expect(await Promise.all(outcomes)).toEqual(["/admin", "/admin"]);
  // The name would be a link in mails.
  const grace = { email: "grace.hopper@example.com", first_name: "New member", last_name: "–" };
  expect((await membersOf(workspace)).slice(1)).toEqual([{ ...grace, role: "Collaborator", email_confirmed: false }]);
});

test("a deactivated member can't sign in, even if new members can join", async () => {
  const { workspace, provider, browser } = await withProvider({ newMemberRole: "Editor" });
  const fields = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" };
  await inWorkspace(workspace.id, async (db) => {
    const { id } = await createMember(db, fields, workspace.actor);
    await updateMember(db, id, { active: false }, workspace.actor);
  });
  provider.person.email = "Grace@example.com";
  expect(await browser.signIn(workspace)).toBe(failed("no_member"));
  expect([(await sessions(workspace)).length, (await membersOf(workspace)).length]).toEqual([0, 2]);
});

test("only the knowledge base itself starts a sign-in, and only in a browser that is signed out", async () => {
  const { workspace, provider, browser } = await withProvider();
  for (const site of ["cross-site", "same-site"]) {
    const there = await browser.start(workspace, "?to=%2Farticles%2Fa", { "sec-fetch-site": site });
    expect([there, browser.jar(workspace).size]).toEqual(["/admin/sign-in?to=%2Farticles%2Fa", 0]);
  }
  for (const site of ["same-origin", "none"])
    expect(await browser.start(workspace, "", { "sec-fetch-site": site })).toContain(provider.issuer);
  expect(await browser.signIn(workspace)).toBe("/admin");
  // The sign-in page redirects members.
  expect(await browser.start(workspace, "?to=%2Farticles%2Fa")).toBe("/admin/sign-in?to=%2Farticles%2Fa");
  expect([...browser.jar(workspace).keys()].sort()).toEqual(["lectern-browser", "lectern-session"]);
});

test.each(["token_endpoint", "jwks_uri", "userinfo_endpoint"])(
  "a provider can't name a private address as its %s",
  async (endpoint) => {
    const { workspace, provider, browser } = await withProvider();
    provider.document = { [endpoint]: "http://10.0.0.1/" };
    expect(await browser.signIn(workspace)).toBe(failed("unreachable"));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        workspace_id: workspace.id,
        reason: "The host 10.0.0.1 is not on the public internet.",
      }),
    );
    expect(await sessions(workspace)).toEqual([]);
  },
);

test("nobody joins past an open invitation, or a workspace that waits for its deletion", async () => {
  const { workspace, provider, browser } = await withProvider({ newMemberRole: "Editor" });
  provider.person = { email: "grace@example.com", email_verified: true };
  const addresses = ["grace@example.com"];
  await inWorkspace(workspace.id, (db) => inviteMembers(db, { addresses, role: "Collaborator" }, workspace.actor));
  expect(await browser.signIn(workspace)).toBe(failed("invited"));
  provider.person.email = "alan@example.com";
  await acrossWorkspaces.query("UPDATE workspaces SET delete_after = now() + interval '7 days' WHERE id = $1", [
    workspace.id,
  ]);
  expect(await browser.signIn(workspace)).toBe(failed("no_member"));
  expect(await membersOf(workspace)).toHaveLength(1);
});

test("an email that is another's after cleaning is refused", async () => {
  const { workspace, provider, browser } = await withProvider({ newMemberRole: "Editor" });
  // U+212A, the Kelvin sign, whose NFC is K.
  for (const email of ["\u212Aim@example.com", " kim@example.com"]) {
    provider.person = { email, email_verified: true };
    expect(await browser.signIn(workspace)).toBe(failed("unverified"));
  }
  expect(await membersOf(workspace)).toHaveLength(1);
});

test("a session is fresh only if the provider says that the person proved who they are just now", async () => {
  const { workspace, provider, browser } = await withProvider();
  expect(new URL(await browser.start(workspace)).searchParams.get("max_age")).toBe("900");
  const now = Math.floor(Date.now() / 1000);
  for (const [auth_time, isFresh] of [
    [now - 60, true],
    [now + 86_400, true],
    [now - 20 * 60, false],
    [undefined, false],
  ] as const) {
    provider.forge = { claims: { auth_time } };
    const another = new TestBrowser();
    expect(await another.signIn(workspace)).toBe("/admin");
    expect([auth_time, await another.isFresh(workspace)]).toEqual([auth_time, isFresh]);
    await acrossWorkspaces.query(
      "UPDATE sessions SET created_at = now() - interval '16 minutes' WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(await another.isFresh(workspace)).toBe(false);
  }
});

test("two-step verification still asks for its code", async () => {
  const { workspace, browser } = await withProvider();
  const { id } = workspace.admin;
  await inWorkspace(workspace.id, (db) =>
    db.twoStep.create({ data: { id, secret: encrypt("KEY", "two_step", id), onSince: new Date() } }),
  );
  expect(await browser.signIn(workspace)).toBe("/admin/sign-in/code");
  expect(await sessions(workspace)).toEqual([]);
  expect([...browser.jar(workspace).keys()]).toEqual(["lectern-second-step"]);
});

test.each(["removed", "replaced"])("a provider that is %s ends the sessions that it opened", async (change) => {
  const { workspace, provider, browser } = await withProvider();
  expect(await browser.signIn(workspace)).toBe("/admin");
  const acting = new TestBrowser();
  expect(await acting.signIn(workspace)).toBe("/admin");
  const { actor } = workspace;
  const byLink = new TestBrowser();
  await byLink.within(workspace, () => signInBy(workspace, "link", async () => workspace.admin.id));
  const fields = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" };
  await inWorkspace(workspace.id, async (db) => {
    const { id } = await createMember(db, fields, actor);
    await db.twoStep.create({ data: { id, secret: encrypt("KEY", "two_step", id), onSince: new Date() } });
  });
  provider.person.email = fields.email;
  const waiting = new TestBrowser();
  expect(await waiting.signIn(workspace)).toBe("/admin/sign-in/code");
  const isOpen = async () => [
    ...(await Promise.all(
      [browser, acting, byLink].map((one) => one.within(workspace, () => signedInMember(workspace.subdomain))),
    )),
    await waiting.within(workspace, () => pendingSecondStep(workspace.id)),
  ];
  const before = await isOpen();
  expect(before).not.toContain(null);

  const keep = before[1] && "sessionId" in before[1] ? before[1].sessionId : null;
  const settings = { name: "Acme", clientId: "other", clientSecret: "other", newMemberRole: null };
  await inWorkspace(workspace.id, async (db) => {
    if (change === "removed") return removeProvider(db, actor, keep);
    // The same issuer with another client is the same provider.
    await saveProvider(db, workspace.id, { ...settings, issuer: provider.issuer }, actor, keep);
    expect(await db.session.count()).toBe(3);
    return saveProvider(db, workspace.id, { ...settings, issuer: "https://login.example/" }, actor, keep);
  });
  const after = await isOpen();
  expect(after.map((one) => one !== null)).toEqual([false, true, true, false]);
  const ended = await acrossWorkspaces.query(
    "SELECT subject_name AS name, details FROM audit_entries WHERE workspace_id = $1 AND action = 'sessions.ended'",
    [workspace.id],
  );
  expect(ended).toEqual([{ name: "Acme", details: { ended: 1 } }]);
});

test("a provider that is down, or was replaced meanwhile, ends the sign-in with a reason", async () => {
  const { workspace, provider, browser } = await withProvider();
  const answer = await browser.atProvider(await browser.start(workspace, "?to=%2Farticles%2Fa"));
  await provider.stop();
  expect(await browser.finish(workspace, answer)).toBe("/admin/sign-in?to=%2Farticles%2Fa&failed=unreachable");
  expect(await browser.start(workspace)).toBe(failed("unreachable"));
  const next = await withProvider();
  const pending = await next.browser.atProvider(await next.browser.start(next.workspace));
  await setProvider(next.workspace, await aProvider(onTestFinished, [redirectUri(next.workspace)]));
  expect(await next.browser.finish(next.workspace, pending)).toBe(failed("expired"));
  // Without a provider, there is nothing to start.
  expect(await browser.start(await aWorkspace())).toBe("/admin/sign-in");
});

test("a provider that never answers times out after five seconds without delaying other workspaces", async () => {
  const { workspace, browser } = await withProvider();
  const silent = await aWorkspace();
  const issuer = (await aRawReceiver(onTestFinished, () => {})).replace("/hook", "/");
  const fields = { name: "Slow", issuer, clientId: "x", clientSecret: "y", newMemberRole: null };
  await inWorkspace(silent.id, (db) => saveProvider(db, silent.id, fields, silent.actor));
  const started = performance.now();
  const waiting = browser.start(silent).then((to) => ({ to, ms: performance.now() - started }));
  expect(await new TestBrowser().signIn(workspace)).toBe("/admin");
  expect(performance.now() - started).toBeLessThan(4_000);
  const { to, ms } = await waiting;
  expect(to).toBe(failed("unreachable"));
  expect(ms).toBeGreaterThan(4_500);
});

test("the client secret never appears in a row, job, cookie or log line", async () => {
  const { workspace, provider, browser } = await withProvider({ newMemberRole: "Editor" });
  await browser.start(workspace);
  const cookies = [...browser.jar(workspace).values()].join();
  expect(await browser.signIn(workspace)).toBe("/admin");
  await provider.stop();
  await browser.start(workspace);
  const owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  const rows = await snapshot(owner, workspace.id);
  await owner.end();
  expect(rows).toContain(provider.issuer);
  const { clientSecret } = provider;
  for (const form of [clientSecret, Buffer.from(clientSecret).toString("hex"), btoa(`lectern:${clientSecret}`)])
    for (const text of [rows, cookies, lines.join()]) expect(text).not.toContain(form);
});
