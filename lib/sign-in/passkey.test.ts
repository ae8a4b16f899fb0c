import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { acrossWorkspaces, type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { openLog } from "@/lib/log";
import { newSignInMail, passkeysChangedMail } from "@/lib/mail/security";
import { setPassword } from "@/lib/members/change-password";
import { endSessions } from "@/lib/members/member-sessions";
import { confirmEmail, createMember, type Member, tellOfNewBrowser, updateMember } from "@/lib/members/members";
import { handleOf, placeOf } from "@/lib/members/passkey-answers";
import {
  addPasskey,
  listPasskeys,
  MOST_PASSKEYS,
  passkeyFrom,
  passkeyToCreate,
  removePasskey,
  removePasskeys,
} from "@/lib/members/passkeys";
import { signedInMember } from "@/lib/session";
import { askForPasskey, signInByPasskey } from "@/lib/sign-in/passkey";
import { rememberPasskeyStep, takeChallenge } from "@/lib/sign-in/passkey-step";
import { TestAuthenticator } from "@/testing/authenticator";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

type Jar = Map<string, string>;

/** The request that Next would hand to the actions. */
const requests = await vi.hoisted(async () => {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  return new AsyncLocalStorage<{ headers: Headers; jar: Map<string, string> }>();
});
vi.mock("next/headers", () => {
  const current = () => requests.getStore() ?? expect.fail("There is no request.");
  return {
    headers: async () => current().headers,
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

const lines: Record<string, unknown>[] = [];
beforeAll(() => openLog({ level: "warn", format: "json", write: (line) => void lines.push(JSON.parse(line)) }));
afterAll(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));
const logged = ({ id }: TestWorkspace) => lines.filter(({ workspace_id }) => workspace_id === id);

let networks = 0;
const wrong = { isEarly: false, seconds: 0 };
const notAdded = "Couldn't add this passkey. Try again.";

/** A member's browser, in a network of its own. */
class Browser {
  readonly jar: Jar = new Map();
  /** The session in which it adds passkeys. */
  sessionId: string = crypto.randomUUID();
  private readonly ip = `203.0.${++networks >> 8}.${networks & 255}`;
  constructor(readonly workspace: TestWorkspace) {}

  request<T>(work: () => Promise<T>): Promise<T> {
    const { host } = new URL(placeOf(this.workspace).origin);
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const headers = new Headers({ host, "x-forwarded-for": this.ip, "user-agent": userAgent });
    return requests.run({ headers, jar: this.jar }, work);
  }

  ask() {
    return this.request(() => askForPasskey(this.workspace));
  }

  signIn(answer: string) {
    return this.request(() => signInByPasskey(this.workspace, answer, tellOfNewBrowser));
  }

  /** Whether a member is signed in, and how. */
  session() {
    return this.request(() => signedInMember(this.workspace.subdomain));
  }

  async startAdding(member: Member) {
    const { id, name, subdomain } = this.workspace;
    const options = await readWorkspace(id, (read) => passkeyToCreate(read, { name, subdomain }, member));
    const expiresAt = new Date(Date.now() + 60_000);
    const session = { id: this.sessionId, memberId: member.id, authenticatedAt: null, expiresAt };
    await inWorkspace(id, (db) => db.session.createMany({ data: [session], skipDuplicates: true }));
    const { challenge } = options;
    await this.request(() => rememberPasskeyStep({ workspace: id, session: this.sessionId, challenge }));
    return options;
  }

  /** As the action does. */
  async finishAdding(member: Member, answer: string, name = "Phone"): Promise<void> {
    const challenge = await this.request(() => takeChallenge(this.workspace.id, this.sessionId));
    if (!challenge) throw new Error("No challenge waits in this browser.");
    const { sessionId } = this;
    const passkey = await passkeyFrom(this.workspace, answer, challenge);
    const actor = { kind: "member" as const, id: member.id, name: member.email };
    await inWorkspace(this.workspace.id, (db) =>
      addPasskey(db, { ...member, sessionId }, { passkey, name, challenge }, actor),
    );
  }

  async add(device: TestAuthenticator, member: Member = this.workspace.admin): Promise<void> {
    await this.finishAdding(member, device.create(await this.startAdding(member)));
    await inWorkspace(this.workspace.id, (db) => db.session.deleteMany({ where: { id: this.sessionId } }));
  }
}

const aDevice = (workspace: TestWorkspace) => new TestAuthenticator(placeOf(workspace));

/** A workspace whose administrator has a passkey, and a browser that they have not used. */
async function withPasskey() {
  const workspace = await aWorkspace();
  const device = aDevice(workspace);
  await new Browser(workspace).add(device);
  return { workspace, device, browser: new Browser(workspace) };
}

const passkeysOf = ({ id, admin }: TestWorkspace, member: { id: string } = admin) =>
  readWorkspace(id, (read) => listPasskeys(read, member.id));

const sessionsOf = ({ id }: TestWorkspace, { id: memberId }: { id: string }) =>
  inWorkspace(id, (db) => db.session.count({ where: { memberId } }));

const aMember = ({ id, actor }: TestWorkspace) =>
  inWorkspace(id, (db) =>
    createMember(db, { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Editor" }, actor),
  );

const audited = ({ id }: TestWorkspace, action: string) =>
  inWorkspace(id, (db) => db.auditEntry.findMany({ where: { action }, orderBy: { createdAt: "asc" } }));

const mailed = ({ id }: TestWorkspace, task: string) =>
  acrossWorkspaces.query<{ payload: object }>(
    `SELECT j.payload->'payload' AS payload
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE j.payload->>'workspace_id' = $1 AND t.identifier = $2`,
    [id, task],
  );

test("a passkey signs in without a password, and with two-step verification without a code", async () => {
  const { workspace, device, browser } = await withPasskey();
  const { admin } = workspace;
  await inWorkspace(workspace.id, (db) =>
    db.twoStep.create({ data: { id: admin.id, secret: new Uint8Array([1]), onSince: new Date() } }),
  );
  const options = await browser.ask();
  expect(options).toMatchObject({ rpId: `${workspace.subdomain}.localhost`, userVerification: "required" });
  expect(options.allowCredentials).toBeUndefined();
  expect(await browser.signIn(device.get(options))).toBe("signed_in");
  expect(await browser.session()).toMatchObject({ id: admin.id, isFresh: true });
  expect([...browser.jar.keys()].sort()).toEqual(["lectern-browser", "lectern-session"]);
  expect((await passkeysOf(workspace))[0]?.lastUsedAt).not.toBeNull();
  const [started] = await audited(workspace, "session.started");
  expect(started).toMatchObject({ actorId: admin.id, details: { by: "passkey" }, subjectName: "Firefox on Linux" });

  // The same browser is known now, and its former session ends.
  const reported = await mailed(workspace, "new_sign_in");
  expect(reported).toMatchObject([{ payload: { by: "passkey", email: admin.email, device: "Firefox on Linux" } }]);
  expect(await browser.signIn(device.get(await browser.ask()))).toBe("signed_in");
  expect(await mailed(workspace, "new_sign_in")).toEqual(reported);
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(1);
});

/** The answer to send, by what is wrong with it. */
const attacks: Record<string, (given: Awaited<ReturnType<typeof withPasskey>>) => Promise<string>> = {
  "for another page": async ({ browser, device }) =>
    device.get(await browser.ask(), { origin: "http://evil.localhost:3000" }),
  "for another host": async ({ browser, device }) => device.get(await browser.ask(), { host: "localhost" }),
  "of another kind": async ({ browser, device }) => device.get(await browser.ask(), { type: "webauthn.create" }),
  "to another challenge": async ({ browser, device }) =>
    device.get(await browser.ask(), { challenge: "q80AAAAAAAAAAAAAAAAAAA" }),
  "without a challenge": async ({ browser, device }) => {
    const answer = device.get(await browser.ask());
    browser.jar.clear();
    return answer;
  },
  "to a challenge of another browser": async ({ workspace, browser, device }) => {
    await browser.ask();
    return device.get(await new Browser(workspace).ask());
  },
  "to a challenge of another workspace": async ({ browser, device }) => {
    const other = new Browser(await aWorkspace());
    const answer = device.get(await other.ask());
    for (const [name, value] of other.jar) browser.jar.set(name, value);
    return answer;
  },
  "to a challenge for adding": async ({ workspace, browser, device }) =>
    device.get(await browser.startAdding(workspace.admin)),
  "after five minutes": async ({ browser, device }) => {
    const answer = device.get(await browser.ask());
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 + 20_000 });
    onTestFinished(() => void vi.useRealTimers());
    return answer;
  },
  "without user verification": async ({ browser, device }) => device.get(await browser.ask(), { isVerified: false }),
  "signed by another device": async ({ workspace, browser, device }) =>
    new TestAuthenticator(placeOf(workspace), Buffer.from(device.id, "base64url")).get(await browser.ask(), {
      handle: handleOf(workspace.admin.id),
    }),
  "that names another member": async ({ workspace, browser, device }) =>
    device.get(await browser.ask(), { handle: handleOf((await aMember(workspace)).id) }),
  "that names no member": async ({ browser, device }) => device.get(await browser.ask(), { handle: "" }),
  "of an unknown passkey": async ({ workspace, browser }) =>
    aDevice(workspace).get(await browser.ask(), { handle: handleOf(workspace.admin.id) }),
  "of a removed passkey": async ({ workspace, browser, device }) => {
    const [passkey] = await passkeysOf(workspace);
    await inWorkspace(workspace.id, (db) => removePasskey(db, workspace.admin, passkey?.id ?? "", workspace.actor));
    return device.get(await browser.ask());
  },
  "of a deactivated member": async ({ workspace, browser, device }) => {
    await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { active: false } }));
    return device.get(await browser.ask());
  },
  "of a member of another workspace": async ({ browser }) => {
    const other = await withPasskey();
    return other.device.get(await browser.ask(), placeOf(browser.workspace));
  },
  "in a frame of another site": async ({ browser, device }) => device.get(await browser.ask(), { crossOrigin: true }),
  "that does not decode": async ({ browser, device }) => {
    const answer = JSON.parse(device.get(await browser.ask()));
    answer.response.authenticatorData += "AAAA";
    return JSON.stringify(answer);
  },
  "that is too long": async ({ browser, device }) => device.get(await browser.ask()) + " ".repeat(8000),
  "with a part that is too long": async ({ browser, device }) => {
    const answer = JSON.parse(device.get(await browser.ask()));
    answer.response.signature += "A".repeat(2000);
    return JSON.stringify(answer);
  },
  "that is no JSON": async ({ browser }) => {
    await browser.ask();
    return "{";
  },
  "that is empty": async ({ browser }) => {
    await browser.ask();
    return JSON.stringify({ id: "AA", response: {} });
  },
};

/** Each is refused for its own reason. */
const reasons: Record<keyof typeof attacks, string> = {
  "for another page": "another origin",
  "for another host": "another host",
  "of another kind": "not for a sign-in",
  "to another challenge": "another challenge",
  "without a challenge": "No challenge",
  "to a challenge of another browser": "another challenge",
  "to a challenge of another workspace": "No challenge",
  "to a challenge for adding": "No challenge",
  "after five minutes": "No challenge",
  "without user verification": "didn't verify",
  "signed by another device": "signature is wrong",
  "that names another member": "names another",
  "that names no member": "names another",
  "of an unknown passkey": "No active member",
  "of a removed passkey": "No active member",
  "of a deactivated member": "No active member",
  "of a member of another workspace": "No active member",
  "in a frame of another site": "frame of another site",
  "that does not decode": "can't be decoded",
  "that is too long": "malformed",
  "with a part that is too long": "malformed",
  "that is no JSON": "malformed",
  "that is empty": "malformed",
};

test.each(Object.entries(attacks))("an answer %s is refused and logged", async (what, attack) => {
  const given = await withPasskey();
  const { workspace, browser } = given;
  const answer = await attack(given);
  expect(await browser.signIn(answer)).toEqual(wrong);
  vi.useRealTimers();
  const signedIn = { where: { authenticatedAt: { not: null } } };
  expect(await inWorkspace(workspace.id, (db) => db.session.count(signedIn))).toBe(0);
  expect(browser.jar.has("lectern-session")).toBe(false);
  expect(logged(workspace)).toMatchObject([
    {
      event: "sign_in.failed",
      by: "passkey",
      reason: expect.stringContaining(reasons[what] ?? "?"),
      client: expect.any(String),
    },
  ]);
});

test("an answer works once, even if the cookie is copied and both arrive at the same time", async () => {
  const { workspace, device, browser } = await withPasskey();
  const answer = device.get(await browser.ask());
  const copies = [new Browser(workspace), new Browser(workspace)];
  for (const copy of copies) for (const [name, value] of browser.jar) copy.jar.set(name, value);
  const both = await Promise.all([browser.signIn(answer), copies[0]?.signIn(answer)]);
  expect(both.filter((outcome) => outcome === "signed_in")).toHaveLength(1);
  expect(await copies[1]?.signIn(answer)).toEqual(wrong);
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(1);
});

test("a counter that does not rise is refused, unless the passkey does not count", async () => {
  const { device, browser } = await withPasskey();
  const signIn = async (counter: number) => {
    device.counter = counter;
    return browser.signIn(device.get(await browser.ask()));
  };
  expect([await signIn(0), await signIn(0), await signIn(7)]).toEqual(["signed_in", "signed_in", "signed_in"]);
  expect([await signIn(7), await signIn(3), await signIn(0)]).toEqual([wrong, wrong, wrong]);
  expect(await signIn(4_294_967_295)).toBe("signed_in");
});

test("two answers with the same counter sign in once, even at the same time", async () => {
  const { workspace, device, browser } = await withPasskey();
  const other = new Browser(workspace);
  device.counter = 7;
  const answers = [device.get(await browser.ask()), device.get(await other.ask())];
  const both = await Promise.all([browser.signIn(answers[0] ?? ""), other.signIn(answers[1] ?? "")]);
  expect(both.filter((outcome) => outcome === "signed_in")).toHaveLength(1);
  expect(both).toContainEqual(wrong);
  const [{ reason } = {}] = logged(workspace);
  expect(["The counter didn't rise.", "The answer was used before, or another one came first."]).toContain(reason);
});

test("the log tells a replay from a wrong answer", async () => {
  const { workspace, device, browser } = await withPasskey();
  const answer = device.get(await browser.ask());
  const cookies = [...browser.jar];
  expect(await browser.signIn(answer)).toBe("signed_in");
  for (const [name, value] of cookies) browser.jar.set(name, value);
  expect(await browser.signIn(answer)).toEqual(wrong);
  expect(logged(workspace)).toMatchObject([{ reason: "The answer was used before, or another one came first." }]);
});

test("unknown passkeys count for their network, not for a name that a stranger made up", async () => {
  const { workspace, device, browser } = await withPasskey();
  const unknown = async () => aDevice(workspace).get(await browser.ask(), { handle: handleOf(workspace.admin.id) });
  const stranger = aDevice(workspace);
  for (let failure = 0; failure < 6; failure++)
    expect(await browser.signIn(stranger.get(await browser.ask(), { handle: "AA" }))).toEqual(wrong);
  expect(await browser.signIn(await unknown())).toEqual(wrong);
  expect(await browser.signIn(device.get(await browser.ask()))).toBe("signed_in");
});

test("an answer that has to wait is not checked", async () => {
  const { workspace, device, browser } = await withPasskey();
  const attempt = async () => browser.signIn(device.get(await browser.ask(), { isVerified: false }));
  for (let failure = 0; failure < 5; failure++) await attempt();
  expect(await attempt()).toMatchObject({ isEarly: true });
  const [refused, early] = logged(workspace).slice(-2);
  expect(refused).toMatchObject({ event: "sign_in.failed", reason: "The device didn't verify the person." });
  // A check would have given its reason.
  expect([early?.event, early?.reason]).toEqual(["sign_in.waiting", undefined]);
});

test("after a few refused answers, the next has to wait", async () => {
  const { workspace, device, browser } = await withPasskey();
  const attempt = async (lies = {}) => browser.signIn(device.get(await browser.ask(), lies));
  for (let failure = 0; failure < 4; failure++) expect(await attempt({ isVerified: false })).toEqual(wrong);
  expect(await attempt({ isVerified: false })).toEqual({ isEarly: false, seconds: 2 });
  expect(await attempt()).toMatchObject({ isEarly: true });
  expect(logged(workspace).at(-1)).toMatchObject({ event: "sign_in.waiting", member_id: workspace.admin.id });
  expect(await inWorkspace(workspace.id, (db) => db.session.count())).toBe(0);
});

test("a passkey is added once, with its name, in the audit log and by mail, and a new password keeps it", async () => {
  const { workspace, device } = await withPasskey();
  const { id, admin, actor } = workspace;
  expect(await passkeysOf(workspace)).toMatchObject([{ name: "Phone", lastUsedAt: null }]);
  const stored = await inWorkspace(id, (db) => db.passkey.findMany());
  expect(stored).toMatchObject([{ memberId: admin.id, transports: ["internal"], counter: 0n }]);
  expect(await mailed(workspace, "passkeys_changed")).toMatchObject([
    { payload: { email: admin.email, memberName: "Ada Admin", change: "added", passkeys: ["Phone"], by: null } },
  ]);
  await inWorkspace(id, (db) => setPassword(db, admin.id, "any", crypto.randomUUID(), actor));
  const [passkey] = await passkeysOf(workspace);
  const grace = await aMember(workspace);
  const remove = (member: Member) => inWorkspace(id, (db) => removePasskey(db, member, passkey?.id ?? "", actor));
  await expect(remove(grace)).rejects.toThrow("No such passkey.");

  // The browser learns which passkeys the member has, so that a device gets no second one.
  const { excludeCredentials, user } = await new Browser(workspace).startAdding(admin);
  expect([excludeCredentials?.map((one) => one.id), user]).toEqual([
    [device.id],
    { id: handleOf(admin.id), name: admin.email, displayName: "Ada Admin" },
  ]);
  await remove(admin);
  expect(await passkeysOf(workspace)).toEqual([]);
  const entries = [
    ...(await audited(workspace, "member.passkey_added")),
    ...(await audited(workspace, "member.passkey_removed")),
  ];
  expect(entries.map(({ details, subjectId }) => ({ details, subjectId }))).toEqual(
    Array.from({ length: 2 }, () => ({ details: { passkey: "Phone" }, subjectId: admin.id })),
  );
});

test("a passkey that was not created here, now and by a verified person is not added", async () => {
  const workspace = await aWorkspace();
  const { admin } = workspace;
  const browser = new Browser(workspace);
  for (const lies of [
    { origin: "http://evil.localhost:3000" },
    { host: "localhost" },
    { isVerified: false },
    { type: "webauthn.get" },
    { challenge: "q80AAAAAAAAAAAAAAAAAAA" },
    { crossOrigin: true },
  ]) {
    const answer = aDevice(workspace).create(await browser.startAdding(admin), lies);
    await expect(browser.finishAdding(admin, answer), JSON.stringify(lies)).rejects.toThrow(notAdded);
  }
  const long = JSON.parse(aDevice(workspace).create(await browser.startAdding(admin)));
  long.response.clientDataJSON += "A".repeat(2000);
  for (const answer of ["{", "null", "{}", JSON.stringify(long)]) {
    await browser.startAdding(admin);
    await expect(browser.finishAdding(admin, answer)).rejects.toThrow(notAdded);
  }
  const padded = aDevice(workspace).create(await browser.startAdding(admin)) + " ".repeat(32_000);
  await expect(browser.finishAdding(admin, padded)).rejects.toThrow(notAdded);
  // A challenge is for one session, and for adding only.
  const answer = aDevice(workspace).create(await browser.startAdding(admin));
  browser.sessionId = crypto.randomUUID();
  await expect(browser.finishAdding(admin, answer)).rejects.toThrow("No challenge waits");
  const asked = await browser.ask();
  const mixed = aDevice(workspace).create({ ...asked, user: { id: handleOf(admin.id) } });
  await expect(browser.finishAdding(admin, mixed)).rejects.toThrow("No challenge waits");
  expect(await passkeysOf(workspace)).toEqual([]);
});

test("an answer adds one passkey, and a passkey belongs to one member", async () => {
  const workspace = await aWorkspace();
  const { admin } = workspace;
  const browser = new Browser(workspace);
  const device = aDevice(workspace);
  const answer = device.create(await browser.startAdding(admin));
  const cookies = [...browser.jar];
  await browser.finishAdding(admin, answer);
  const [passkey] = await passkeysOf(workspace);
  await inWorkspace(workspace.id, (db) => removePasskey(db, admin, passkey?.id ?? "", workspace.actor));
  for (const [name, value] of cookies) browser.jar.set(name, value);
  await expect(browser.finishAdding(admin, answer)).rejects.toThrow(notAdded);
  const grace = await aMember(workspace);
  await browser.add(device, admin);
  await expect(browser.add(device, grace)).rejects.toThrow(notAdded);
  expect([await passkeysOf(workspace), await passkeysOf(workspace, grace)]).toMatchObject([[{ name: "Phone" }], []]);
});

test("a passkey is not added once its session has ended or its member is deactivated", async () => {
  const workspace = await aWorkspace();
  const { id, admin, actor } = workspace;
  const browser = new Browser(workspace);
  const answer = aDevice(workspace).create(await browser.startAdding(admin));
  await inWorkspace(id, (db) => endSessions(db, admin, null, actor));
  await expect(browser.finishAdding(admin, answer)).rejects.toThrow(notAdded);
  const late = aDevice(workspace).create(await browser.startAdding(admin));
  await inWorkspace(id, (db) => db.member.updateMany({ data: { active: false } }));
  await expect(browser.finishAdding(admin, late)).rejects.toThrow(notAdded);
  expect(await passkeysOf(workspace)).toEqual([]);
});

/** Whether passkeys stay, by what happens to their member. */
const recoveries: Record<string, { stay: boolean; by: (db: Db, grace: Member, given: TestWorkspace) => unknown }> = {
  "a password set by mailed link": {
    stay: false,
    by: (db, { id, email }) => setPassword(db, id, "any", null, { kind: "member", id, name: email }),
  },
  "a password changed in a session": {
    stay: true,
    by: (db, { id, email }) => setPassword(db, id, "any", crypto.randomUUID(), { kind: "member", id, name: email }),
  },
  "a new email from an administrator": {
    stay: false,
    by: (db, { id }, { actor }) => updateMember(db, id, { email: "hopper@example.com" }, actor),
  },
  "a new email of their own": {
    stay: true,
    by: (db, { id, email }) =>
      updateMember(db, id, { email: "hopper@example.com" }, { kind: "member", id, name: email }),
  },
  deactivation: { stay: false, by: (db, { id }, { actor }) => updateMember(db, id, { active: false }, actor) },
  "another name": { stay: true, by: (db, { id }, { actor }) => updateMember(db, id, { firstName: "G." }, actor) },
};

test.each(Object.entries(recoveries))("a member's passkeys stay or are removed after %s", async (_, { stay, by }) => {
  const workspace = await aWorkspace();
  const { id, admin } = workspace;
  const grace = await aMember(workspace);
  await new Browser(workspace).add(aDevice(workspace), grace);
  await new Browser(workspace).add(aDevice(workspace), grace);
  await new Browser(workspace).add(aDevice(workspace));
  await inWorkspace(id, (db) => Promise.resolve(by(db, grace, workspace)));
  const count = stay ? 2 : 0;
  expect(await passkeysOf(workspace, grace)).toHaveLength(count);
  expect(await passkeysOf(workspace, admin)).toHaveLength(1);
  const removed = await audited(workspace, "member.passkey_removed");
  expect(removed).toHaveLength(2 - count);
  for (const task of ["password_changed", "email_changed"])
    for (const { payload } of await mailed(workspace, task)) expect(payload).toMatchObject({ passkeys: 2 - count });
});

test("an administrator removes all passkeys of a member, who is signed out and gets a mail", async () => {
  const workspace = await aWorkspace();
  const { id, actor } = workspace;
  const grace = await aMember(workspace);
  await inWorkspace(id, (db) => confirmEmail(db, grace.id));
  for (let count = 0; count < 2; count++) await new Browser(workspace).add(aDevice(workspace), grace);
  await inWorkspace(id, (db) =>
    db.session.create({ data: { memberId: grace.id, expiresAt: new Date(Date.now() + 60_000) } }),
  );
  expect(await inWorkspace(id, (db) => removePasskeys(db, grace, actor))).toBe(2);
  expect(await passkeysOf(workspace, grace)).toEqual([]);
  expect(await sessionsOf(workspace, grace)).toBe(0);
  await expect(inWorkspace(id, (db) => removePasskeys(db, grace, actor))).rejects.toThrow("no passkeys");
  expect((await mailed(workspace, "passkeys_changed")).at(-1)).toMatchObject({
    payload: { email: grace.email, change: "removed", passkeys: ["Phone", "Phone"], by: "Ada Admin" },
  });
});

test("mails name the passkeys, and who changed them", () => {
  const person = { email: "a@example.com", memberName: "Ada Admin" };
  const settings = { name: "Docs", subdomain: "docs" };
  const mail = (change: "added" | "removed", passkeys: string[], by: string | null) => {
    const { subject, paragraphs } = passkeysChangedMail({ ...person, change, passkeys, by }, settings);
    return [subject, paragraphs[1]];
  };
  expect(mail("added", ["Phone"], null)).toEqual([
    "New passkey for Docs",
    "The passkey “Phone” was added to your account. It can be used to sign in without a password or code.",
  ]);
  expect(mail("removed", ["Phone"], null)).toEqual([
    "Passkey removed from Docs",
    "The passkey “Phone” was removed from your account. It can no longer be used to sign in.",
  ]);
  expect(mail("removed", ["Phone", "Laptop"], "Eva Example")).toEqual([
    "Passkeys removed from Docs",
    "Eva Example removed the passkeys “Phone”, “Laptop” from your account. They can no longer be used to sign in.",
  ]);
  const told = { ...person, by: "passkey" as const, device: "Firefox", ip: null, at: "2026-11-30T00:00:00Z" };
  expect(newSignInMail(told, settings).paragraphs[2]).toBe(
    "If this was you, you can ignore this email. If not, remove any passkey you don't recognize and choose Sign out everywhere on the Password and sessions page.",
  );
});

test("a member whose email is not confirmed gets no mail about a new browser", async () => {
  const workspace = await aWorkspace();
  const { id } = workspace;
  const claimed = { email: "victim@example.com", firstName: "Vic", lastName: "Tim", role: "Editor" };
  const vic = await inWorkspace(id, (db) =>
    createMember(db, claimed, { kind: "member", id: null, name: claimed.email }),
  );
  const device = aDevice(workspace);
  await new Browser(workspace).add(device, vic);
  const browser = new Browser(workspace);
  expect(await browser.signIn(device.get(await browser.ask()))).toBe("signed_in");
  expect(await mailed(workspace, "new_sign_in")).toEqual([]);
});

test("a manufacturer's statement is not read, so no URL in it is requested", async () => {
  const workspace = await aWorkspace();
  const browser = new Browser(workspace);
  const request = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => request.mockRestore());
  const values = new Map<string, string | Uint8Array | Uint8Array[] | number>([
    ["alg", -7],
    ["sig", new Uint8Array(createHash("sha256").update("any").digest())],
    ["x5c", [new Uint8Array([1, 2, 3])]],
  ]);
  const answer = aDevice(workspace).create(await browser.startAdding(workspace.admin), {
    statement: { format: "packed", values },
  });
  await browser.finishAdding(workspace.admin, answer);
  expect(await passkeysOf(workspace)).toHaveLength(1);
  expect(request).not.toHaveBeenCalled();
});

test("a member has at most ten passkeys, also of simultaneous additions, and each has a short name without a link", async () => {
  const workspace = await aWorkspace();
  const { admin } = workspace;
  const browsers = Array.from({ length: MOST_PASSKEYS + 2 }, () => new Browser(workspace));
  const answers = await Promise.all(
    browsers.map(async (browser) => aDevice(workspace).create(await browser.startAdding(admin))),
  );
  for (const name of ["", "  ", "x".repeat(51), "two\nlines", "evil.example", "a@b.example"]) {
    const browser = new Browser(workspace);
    const answer = aDevice(workspace).create(await browser.startAdding(admin));
    await expect(browser.finishAdding(admin, answer, name)).rejects.toMatchObject({ fields: [{ field: "name" }] });
  }
  const outcomes = await Promise.allSettled(
    browsers.map((browser, index) => browser.finishAdding(admin, answers[index] ?? "")),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST_PASSKEYS);
  await expect(new Browser(workspace).startAdding(admin)).rejects.toThrow("Remove one before you add another.");
});
