import { TOTP } from "otpauth";
import { expect, test, vi } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { preparedKey, prepareTwoStep } from "@/lib/members/two-step";
import { aWorkspace } from "@/testing/workspace";
import { submitTurnOn } from "./actions";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");
vi.mock("next/cache", () => ({ refresh: () => {} }));
const door = vi.hoisted(() => ({ signed: {} }));
vi.mock("@/lib/session", () => ({ requireSignedIn: async () => door.signed }));

test("a member without a password sets it up only shortly after signing in, since it confirms other changes from then on", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  const member = { ...admin, sessionId: crypto.randomUUID() };
  await inWorkspace(workspace.id, (db) => prepareTwoStep(db, member));
  const key = await readWorkspace(workspace.id, (read) => preparedKey(read, member, "Docs"));
  const turnOn = (isFresh: boolean) => {
    door.signed = { workspace, member: { ...member, isFresh }, actor };
    const form = new FormData();
    form.set("code", new TOTP({ secret: key?.secret ?? "" }).generate());
    return submitTurnOn({ values: {}, errors: {} }, form);
  };
  const late = await turnOn(false);
  const why = "To confirm this, sign out and sign in again with an email link or passkey.";
  expect([late.shown, Object.values(late.errors)]).toEqual([undefined, [why]]);
  expect((await turnOn(true)).shown?.texts[0]?.text.split("\n")).toHaveLength(10);
});
