import { Secret, TOTP } from "otpauth";
import { expect, test, vi } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { placeOf } from "@/lib/members/passkey-answers";
import { listPasskeys } from "@/lib/members/passkeys";
import { hashPassword } from "@/lib/members/passwords";
import { encrypt } from "@/lib/secrets";
import { TestAuthenticator } from "@/testing/authenticator";
import { aWorkspace } from "@/testing/workspace";
import { startAdding, submitNewPasskey, submitRemovePasskey } from "./actions";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");
vi.mock("next/cache", () => ({ refresh: () => {} }));
const browser = vi.hoisted(() => ({ signed: {}, jar: new Map<string, string>() }));
vi.mock("@/lib/session", () => ({ requireMember: async () => browser.signed }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "x-forwarded-for": "203.0.113.60" }),
  cookies: async () => ({
    get: (name: string) => (browser.jar.has(name) ? { name, value: browser.jar.get(name) } : undefined),
    set: (...[set, value]: [string, string] | [{ name: string; value: string }]) =>
      typeof set === "string" ? browser.jar.set(set, value ?? "") : browser.jar.set(set.name, set.value),
  }),
}));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  redirect: (path: string) => {
    throw new Error(`to ${path}`);
  },
}));

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

/** @returns the id of a session of the member */
const aSession = (workspace: { id: string }, member: { id: string }) =>
  inWorkspace(workspace.id, async (db) => {
    const { id } = await db.session.create({ data: { memberId: member.id, expiresAt: new Date(Date.now() + 60_000) } });
    return id;
  });

test("adding and removing a passkey takes the password, or without one a recent sign-in", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  const sessionId = await aSession(workspace, admin);
  const signIn = (isFresh: boolean) => {
    browser.signed = { workspace, member: { ...admin, sessionId, isFresh }, actor };
  };
  const passkeys = () => readWorkspace(workspace.id, (read) => listPasskeys(read, admin.id));
  const before = { values: {}, errors: {} };
  const late = { "": "To confirm this, sign out and sign in again with an email link or passkey." };
  const start = async (fields: Record<string, string> = {}) => {
    const started = await startAdding(formOf({ name: "Phone", ...fields }));
    return "errors" in started ? { errors: started.errors } : { options: started };
  };

  signIn(false);
  expect(await start()).toEqual({ errors: late });
  expect(browser.jar.size).toBe(0);
  const early = await submitNewPasskey(formOf({ name: "Phone", answer: "{}" }));
  expect(early.errors).toEqual({ "": "This took too long. Try again." });

  signIn(true);
  const { options } = await start();
  const answer = new TestAuthenticator(placeOf(workspace)).create(options ?? expect.fail("The start was refused."));
  await expect(submitNewPasskey(formOf({ name: "Phone", answer }))).rejects.toThrow("to /admin/account");
  const [passkey] = await passkeys();
  expect(passkey).toMatchObject({ name: "Phone" });

  // With a password, a recent sign-in is not enough.
  const secret = "four quiet words here";
  const passwordHash = await hashPassword(secret);
  await inWorkspace(workspace.id, (db) => db.member.updateMany({ data: { passwordHash } }));
  const id = passkey?.id ?? "";
  for (const currentPassword of ["", "another secret of mine"]) {
    expect(await start({ currentPassword })).toEqual({ errors: { currentPassword: "Incorrect password." } });
    const kept = await submitRemovePasskey(before, formOf({ id, currentPassword }));
    expect(kept.errors).toEqual({ currentPassword: "Incorrect password." });
  }
  expect(await passkeys()).toHaveLength(1);
  expect(await start({ currentPassword: secret })).toMatchObject({ options: { excludeCredentials: [{}] } });
  const remove = submitRemovePasskey(before, formOf({ id, currentPassword: secret }));
  await expect(remove).rejects.toThrow("to /admin/account");
  expect(await passkeys()).toEqual([]);
});

test("with two-step verification, adding a passkey takes a code", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  const member = { ...admin, sessionId: await aSession(workspace, admin), isFresh: true };
  browser.signed = { workspace, member, actor };
  const { base32: key } = new Secret({ size: 20 });
  const secret = encrypt(key, "two_step", admin.id);
  await inWorkspace(workspace.id, (db) => db.twoStep.create({ data: { id: admin.id, secret, onSince: new Date() } }));
  const start = (code: string) => startAdding(formOf({ name: "Phone", code }));
  for (const code of ["", "000 000 0"])
    expect(await start(code)).toMatchObject({ errors: { code: "Incorrect code. Each code works once." } });
  const started = await start(new TOTP({ secret: key }).generate());
  if ("errors" in started) expect.fail("The code was refused.");
  const answer = new TestAuthenticator(placeOf(workspace)).create(started);
  await expect(submitNewPasskey(formOf({ name: "Phone", answer }))).rejects.toThrow("to /admin/account");
  expect(await readWorkspace(workspace.id, (read) => listPasskeys(read, admin.id))).toHaveLength(1);
});
