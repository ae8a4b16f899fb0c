import { expect, test, vi } from "vitest";
import { readWorkspace } from "@/lib/db";
import { findProvider } from "@/lib/identity-provider/settings";
import { permissions } from "@/lib/members/roles";
import { aWorkspace } from "@/testing/workspace";
import { submitProvider, submitRemoveProvider } from "./actions";
import ProviderPage from "./provider/page";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");
vi.mock("next/cache", () => ({ refresh: () => {} }));
const door = vi.hoisted(() => ({ signed: {} }));
vi.mock("@/lib/session", () => ({ requireMember: async () => door.signed }));

test("only a member with every permission, who signed in just now, sets the identity provider", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  const empty = { values: {}, errors: {} };
  const acts = [() => submitProvider(empty, new FormData()), () => submitRemoveProvider(empty, new FormData())];
  for (const one of [["settings.manage"], permissions.filter((permission) => permission !== "insights.read")]) {
    door.signed = { workspace, member: { ...admin, permissions: one, isFresh: true }, actor };
    for (const open of [ProviderPage, ...acts]) await expect(open()).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  }
  door.signed = { workspace, member: { ...admin, permissions, isFresh: false }, actor };
  for (const act of acts) expect(Object.values((await act()).errors)).toEqual([expect.stringMatching(/confirm/i)]);
  expect(await readWorkspace(workspace.id, findProvider)).toBeNull();
  door.signed = { workspace, member: { ...admin, permissions, isFresh: true }, actor };
  const form = new FormData();
  form.set("issuer", "");
  expect((await submitProvider(empty, form)).errors.issuer).toBe("Enter a URL.");
});
