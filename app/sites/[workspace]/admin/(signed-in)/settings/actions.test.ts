import { expect, test, vi } from "vitest";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { findProvider } from "@/lib/identity-provider/settings";
import { permissions } from "@/lib/members/roles";
import { changeRetention, findRetention } from "@/lib/settings/retention";
import { aWorkspace } from "@/testing/workspace";
import { submitProvider, submitRemoveProvider, submitSettings } from "./actions";
import ProviderPage from "./provider/page";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");
vi.mock("next/cache", () => ({ refresh: () => {} }));
vi.mock("next/headers", () => ({ cookies: async () => new Map(), headers: async () => new Headers() }));
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

test("the warning about what a retention deletes stays while a member of a stale session confirms it", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  await inWorkspace(workspace.id, (db) =>
    db.auditEntry.create({
      data: {
        ...{ actorKind: "system", actorName: "Test", action: "thing.done", subjectKind: "thing", subjectName: "x" },
        createdAt: new Date(Date.now() - 400 * 86_400_000),
      },
    }),
  );
  door.signed = { workspace, member: { ...admin, permissions, isFresh: false }, actor };
  const warning = "1 entry is older than 1 year and will be deleted. This can't be undone.";
  const submit = (more: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ entries: "365", ips: "180", confirmed: "", ...more }))
      form.set(name, value);
    return submitSettings({ values: {}, errors: {} }, form);
  };
  expect((await submit({})).errors).toEqual({ confirmed: warning });
  const { errors } = await submit({ confirmed: "365 180", currentPassword: "wrong" });
  expect(errors).toEqual({
    confirmed: warning,
    [Object.keys(errors).at(-1) ?? ""]: expect.stringMatching(/password|confirm/i),
  });
  expect(Object.keys(errors)).toHaveLength(2);
  expect((await readWorkspace(workspace.id, findRetention)).entries).toBeNull();
});

test("fields that someone didn't change keep what another administrator saved after the page was opened", async () => {
  const { actor, admin, ...workspace } = await aWorkspace();
  door.signed = { workspace, member: { ...admin, permissions, isFresh: true }, actor };
  const before = await readWorkspace(workspace.id, findRetention);
  await inWorkspace(workspace.id, (db) => changeRetention(db, { ips: 365 }, actor));
  const seen = { entries: String(before.entries), ips: String(before.ips) };
  const form = new FormData();
  for (const [name, value] of Object.entries(seen)) form.set(`seen-${name}`, value);
  for (const [name, value] of Object.entries({ ...seen, entries: "730" })) form.set(name, value);
  await expect(submitSettings({ values: {}, errors: {} }, form)).rejects.toThrow("NEXT_REDIRECT");
  expect(await readWorkspace(workspace.id, findRetention)).toEqual({ entries: 730, ips: 365 });
});
