import { createHash } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test, vi } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import type { Payload } from "@/lib/jobs";
import { openLog } from "@/lib/log";
import { twoStepChangedMail } from "@/lib/mail/security";
import { permissions } from "@/lib/members/roles";
import {
  preparedKey,
  prepareTwoStep,
  RECOVERY_CODES,
  renewRecoveryCodes,
  resetTwoStep,
  turnOffTwoStep,
  turnOnTwoStep,
} from "@/lib/members/two-step";
import { findTwoStep, spendCode } from "@/lib/members/two-step-codes";
import { isConcerned } from "@/lib/members/two-step-rule";
import { proveCode } from "@/lib/sign-in/code";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const authSecret = "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e";
vi.stubEnv("AUTH_SECRET", authSecret);

const codeOf = (secret: string, off = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + off * 30_000 });
const find = ({ id, admin }: TestWorkspace) => readWorkspace(id, (read) => findTwoStep(read, admin.id));
const spend = ({ id, admin }: TestWorkspace, code: string) => inWorkspace(id, (db) => spendCode(db, admin.id, code));
const sessionId = crypto.randomUUID();
const turnOn = ({ id, admin, actor }: TestWorkspace, code: string) =>
  inWorkspace(id, (db) => turnOnTwoStep(db, { ...admin, sessionId }, code, actor));
const keyOf = ({ id, admin }: TestWorkspace, session = sessionId) =>
  readWorkspace(id, (read) => preparedKey(read, { ...admin, sessionId: session }, "Docs"));
const prepare = ({ id, admin }: TestWorkspace, session = sessionId) =>
  inWorkspace(id, (db) => prepareTwoStep(db, { ...admin, sessionId: session }));
async function prepared(workspace: TestWorkspace): Promise<string> {
  await prepare(workspace);
  return (await keyOf(workspace))?.secret ?? "";
}

/** A workspace whose administrator has two-step verification, turned on with the code before the current one. */
async function withTwoStep(): Promise<{ workspace: TestWorkspace; secret: string; codes: string[] }> {
  const workspace = await aWorkspace();
  const secret = await prepared(workspace);
  return { workspace, secret, codes: await turnOn(workspace, codeOf(secret, -1)) };
}

/** Stands in the middle of a period, so that no test sees it end. */
function middleOfPeriod(): void {
  const start = Math.floor(Date.now() / 30_000) * 30_000 + 15_000;
  const now = vi.spyOn(Date, "now").mockReturnValue(start);
  onTestFinished(() => now.mockRestore());
}

const audited = ({ id }: TestWorkspace) =>
  inWorkspace(id, async (db) => {
    const entries = await db.auditEntry.findMany({
      where: { subjectKind: "member", action: { not: "member.created" } },
      orderBy: { createdAt: "asc" },
    });
    return entries.map(({ action }) => action);
  });

test("it is on from the first right code, and the key is then never shown again", async () => {
  middleOfPeriod();
  const workspace = await aWorkspace();
  expect([await find(workspace), await keyOf(workspace)]).toEqual([{ isOn: false, codesLeft: 0 }, null]);
  const discarded = await prepared(workspace);
  const secret = await prepared(workspace);
  expect(secret).not.toBe(discarded);
  const url = new URL((await keyOf(workspace))?.url ?? "");
  expect([url.protocol, url.searchParams.get("secret"), url.searchParams.get("issuer")]).toEqual([
    "otpauth:",
    secret,
    "Docs",
  ]);
  expect(decodeURIComponent(url.pathname)).toContain(workspace.admin.email);
  for (const wrong of ["", "abcdef", codeOf(discarded), codeOf(secret, -3), codeOf(secret, 3)])
    await expect(turnOn(workspace, wrong)).rejects.toMatchObject({ fields: [{ field: "code" }] });
  expect(await spend(workspace, codeOf(secret))).toBeNull();
  expect((await find(workspace)).isOn).toBe(false);

  const codes = await turnOn(workspace, ` ${codeOf(secret).replace(/^.../, "$& ")} `);
  expect(new Set(codes).size).toBe(RECOVERY_CODES);
  expect([await find(workspace), await keyOf(workspace)]).toEqual([{ isOn: true, codesLeft: RECOVERY_CODES }, null]);
  await prepare(workspace);
  expect((await find(workspace)).isOn).toBe(true);
  await expect(turnOn(workspace, codeOf(secret, 1))).rejects.toThrow("already on");
  expect(await spend(workspace, codeOf(secret, 1))).toBe("app");
});

test("a key is only shown in the session that made it, and a new one replaces it", async () => {
  middleOfPeriod();
  const workspace = await aWorkspace();
  const other = crypto.randomUUID();
  await prepare(workspace, other);
  const theirs = await keyOf(workspace, other);
  expect([theirs, await keyOf(workspace)]).toEqual([expect.anything(), null]);
  await prepare(workspace);
  expect(await keyOf(workspace, other)).toBeNull();
  const code = codeOf(theirs?.secret ?? "");
  await expect(turnOn(workspace, code)).rejects.toMatchObject({ fields: [{ field: "code" }] });
});

test("turning it on ends the other sessions, which began without a code", async () => {
  middleOfPeriod();
  const workspace = await aWorkspace();
  const session = (id: string) => ({ id, memberId: workspace.admin.id, expiresAt: new Date(Date.now() + 60_000) });
  const others = [crypto.randomUUID(), crypto.randomUUID()];
  await inWorkspace(workspace.id, (db) => db.session.createMany({ data: [sessionId, ...others].map(session) }));
  await turnOn(workspace, codeOf(await prepared(workspace)));
  const left = await inWorkspace(workspace.id, (db) => db.session.findMany());
  expect(left.map(({ id }) => id)).toEqual([sessionId]);
});

test("the database holds neither the key nor a recovery code", async () => {
  middleOfPeriod();
  const { workspace, secret, codes } = await withTwoStep();
  const stored = await inWorkspace(workspace.id, async (db) => [
    ...(await db.twoStep.findMany()).map((row) => Buffer.from(row.secret)),
    ...(await db.recoveryCode.findMany()).map((row) => Buffer.from(row.codeHash)),
  ]);
  expect(stored).toHaveLength(1 + RECOVERY_CODES);
  const secrets = [
    Buffer.from(secret),
    Buffer.from(Secret.fromBase32(secret).bytes),
    ...codes.map((code) => Buffer.from(code)),
  ];
  for (const one of secrets) expect(stored.some((bytes) => bytes.includes(one))).toBe(false);
});

test("a code works once, and none that is older than the last", async () => {
  middleOfPeriod();
  const { workspace, secret } = await withTwoStep();
  expect(await spend(workspace, codeOf(secret, -1))).toBeNull();
  const both = await Promise.all([spend(workspace, codeOf(secret)), spend(workspace, codeOf(secret))]);
  expect(both.filter(Boolean)).toEqual(["app"]);
  expect(await spend(workspace, codeOf(secret, 1))).toBe("app");
  expect(await spend(workspace, codeOf(secret))).toBeNull();
  expect(await spend(workspace, codeOf(secret, 2))).toBeNull();
});

test("a recovery code works once however it is typed, only for its member, until new ones are made", async () => {
  middleOfPeriod();
  const [{ workspace, codes }, other] = [await withTwoStep(), await withTwoStep()];
  const [first = "", second = "", third = ""] = codes;
  expect(await spend(other.workspace, first)).toBeNull();
  expect(await spend(workspace, ` ${first.toUpperCase().replace("-", " ").replaceAll("0", "O")}`)).toBe(
    "recovery_code",
  );
  expect(await spend(workspace, first)).toBeNull();
  const both = await Promise.all([spend(workspace, second), spend(workspace, second)]);
  expect(both.filter(Boolean)).toEqual(["recovery_code"]);
  expect(await find(workspace)).toEqual({ isOn: true, codesLeft: RECOVERY_CODES - 2 });
  const renewed = await inWorkspace(workspace.id, (db) => renewRecoveryCodes(db, workspace.admin, workspace.actor));
  expect(await find(workspace)).toEqual({ isOn: true, codesLeft: RECOVERY_CODES });
  expect([await spend(workspace, third), await spend(workspace, renewed[0] ?? "")]).toEqual([null, "recovery_code"]);
});

test("turning it off ends every code, and each change is in the audit log and told by mail", async () => {
  middleOfPeriod();
  const { workspace, secret, codes } = await withTwoStep();
  const { admin, actor } = workspace;
  await inWorkspace(workspace.id, (db) => renewRecoveryCodes(db, admin, actor));
  const off = () => inWorkspace(workspace.id, (db) => turnOffTwoStep(db, admin, actor));
  await off();
  expect(await find(workspace)).toEqual({ isOn: false, codesLeft: 0 });
  expect([await spend(workspace, codeOf(secret)), await spend(workspace, codes[0] ?? "")]).toEqual([null, null]);
  await expect(off()).rejects.toThrow("is off");
  expect(await audited(workspace)).toEqual([
    "member.two_step_on",
    "member.recovery_codes_renewed",
    "member.two_step_off",
  ]);
  const settings = { name: "Docs", subdomain: "docs" };
  const mail = (change: Payload<"two_step_changed">["change"]) =>
    twoStepChangedMail({ email: "ada@example.com", memberName: "Ada Admin", change, by: "Eva Example" }, settings);
  expect(mail("on").subject).toBe("Two-step verification for Docs is now on");
  expect(mail("reset")).toEqual({
    to: { name: "Ada Admin", address: "ada@example.com" },
    subject: "Two-step verification for Docs was reset",
    paragraphs: [
      "Hello Ada Admin,",
      "Eva Example reset two-step verification for your account. Signing in no longer requires a code.",
      "If you didn't expect this, change your password immediately and contact an administrator.",
    ],
  });
});

test("wrong codes are events in the log, and after a few of them the next has to wait, unless it comes from a known browser", async () => {
  middleOfPeriod();
  const lines: Record<string, unknown>[] = [];
  openLog({ level: "warn", format: "json", write: (line) => void lines.push(JSON.parse(line)) });
  onTestFinished(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));
  const { workspace, secret } = await withTwoStep();
  const { admin } = workspace;
  const known = { workspace: workspace.id, member: admin.id, browser: crypto.randomUUID() };
  const attempt = (code: string, browser: typeof known | null = null) =>
    proveCode(workspace.id, admin, new Headers({ "x-forwarded-for": "203.0.113.8" }), browser, () =>
      spend(workspace, code),
    );
  for (let failure = 0; failure < 4; failure++)
    expect(await attempt("000 000 0")).toEqual({ isEarly: false, seconds: 0 });
  expect(await attempt("000 000 0")).toEqual({ isEarly: false, seconds: 2 });
  expect(await attempt(codeOf(secret))).toMatchObject({ isEarly: true });
  expect(await attempt(codeOf(secret), known)).toBe("app");
  const events = lines.filter((line) => line.workspace_id === workspace.id).map(({ event }) => event);
  expect(events).toEqual([...Array.from({ length: 5 }, () => "two_step.failed"), "two_step.waiting"]);
  await expect.poll(() => audited(workspace)).toContain("member.sign_in_paused");
});

test("wrong codes from many networks are bounded together, and the member gets in again after a wait", async () => {
  middleOfPeriod();
  const { workspace, secret } = await withTwoStep();
  const { id, admin } = workspace;
  const attempt = (code: string, network: number) =>
    proveCode(id, admin, new Headers({ "x-forwarded-for": `10.0.${network}.1` }), null, () => spend(workspace, code));
  const waits = [];
  for (let network = 0; network < 13; network++) waits.push(await attempt("000 000 0", network));
  expect(waits.map((wait) => typeof wait === "object" && wait.seconds)).toEqual([...Array(12).fill(0), 2]);
  expect(await attempt(codeOf(secret), 14)).toEqual({ isEarly: true, seconds: 2 });
  // As if many more had been wrong: the longest wait is 15 minutes.
  const key = createHash("sha256")
    .update(JSON.stringify(["code of account", id, admin.id]))
    .digest("base64url");
  const setBack = (failures: number) =>
    acrossWorkspaces.query("UPDATE tries SET failures = $2, waits_until = now() - interval '1 second' WHERE key = $1", [
      key,
      failures,
    ]);
  await setBack(10_000);
  expect(await attempt("000 000 0", 15)).toEqual({ isEarly: false, seconds: 900 });
  await setBack(10_001);
  expect(await attempt(codeOf(secret), 16)).toBe("app");
});

test("a member who lost their phone gets a mail that names the administrator who turned it off", async () => {
  middleOfPeriod();
  const { workspace } = await withTwoStep();
  await inWorkspace(workspace.id, (db) => resetTwoStep(db, workspace.admin, workspace.actor));
  expect((await find(workspace)).isOn).toBe(false);
  expect(await audited(workspace)).toEqual(["member.two_step_on", "member.two_step_reset"]);
  const jobs = await acrossWorkspaces.query<{ change: string; by: string }>(
    `SELECT j.payload->'payload'->>'change' AS change, j.payload->'payload'->>'by' AS by
     FROM graphile_worker._private_jobs j WHERE j.payload->>'workspace_id' = $1 ORDER BY j.id`,
    [workspace.id],
  );
  expect(jobs).toEqual([
    { change: "on", by: expect.any(String) },
    { change: "reset", by: "Ada Admin" },
  ]);
});

test("a rule concerns roles by their permissions", () => {
  const concerned = (given: readonly (typeof permissions)[number][]) =>
    (["nobody", "administrators", "everyone"] as const).filter((rule) => isConcerned(rule, given));
  expect(concerned(permissions)).toEqual(["administrators", "everyone"]);
  expect(concerned(["members.manage", "settings.manage"])).toEqual(["administrators", "everyone"]);
  expect(concerned(["members.manage", "articles.publish"])).toEqual(["everyone"]);
  expect(concerned([])).toEqual(["everyone"]);
});
