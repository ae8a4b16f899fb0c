import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { authenticate, enter } from "@/lib/api/keys";
import { createApiKey, keyMay, listApiKeys, revokeApiKey, rotateApiKey } from "@/lib/api-keys/api-keys";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { refuseBeyond } from "@/lib/members/roles";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const DAY_MS = 24 * 60 * 60 * 1000;
const fromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

const create = (workspace: TestWorkspace, input: { name?: string; expiresAt?: Date } = {}) =>
  inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Report", scopes: ["content.read", "members.read"], ...input }, workspace.actor),
  );
const rotate = (workspace: TestWorkspace, id: string, overlapHours?: number, actor = workspace.actor) =>
  inWorkspace(workspace.id, (db) => rotateApiKey(db, id, { overlapHours }, actor));
const revoke = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => revokeApiKey(db, id, workspace.actor));
const list = async (workspace: TestWorkspace) =>
  (await readWorkspace(workspace.id, (read) => listApiKeys(read, { limit: 100, offset: 0 }))).keys;
const found = async (workspace: TestWorkspace, id: string) => (await list(workspace)).find((key) => key.id === id);
/** Whether a request with this key is let in. */
const works = async (workspace: TestWorkspace, key: string) =>
  authenticate(await enter(workspace.subdomain, key), { ip: null, route: () => "GET /v2/me" }).then(
    () => true,
    (error: { status?: number }) => (error.status === 401 ? false : Promise.reject(error as Error)),
  );
/** Makes a key older, as if it had been made that many days ago. */
const age = (id: string, days: number) =>
  acrossWorkspaces.query(
    `UPDATE api_keys SET created_at = created_at - make_interval(days => $2), expires_at = expires_at - make_interval(days => $2)
     WHERE id = $1`,
    [id, days],
  );

afterEach(() => {
  vi.useRealTimers();
});

test.each(["", "  ", "a".repeat(101), "two\nlines", "NUL \0"])("a key cannot be called %j", async (name) => {
  const workspace = await aWorkspace();
  await expect(create(workspace, { name })).rejects.toMatchObject({ fields: [{ field: "name" }] });
});

test("a successor has the name, the scopes and the whole lifetime, and both work until the overlap ends", async () => {
  const workspace = await aWorkspace();
  const old = await create(workspace, { expiresAt: fromNow(90) });
  await age(old.id, 80);
  const { key, text, oldExpiresAt } = await rotate(workspace, old.id);

  expect(key).toMatchObject({
    name: "Report",
    scopes: ["content.read", "members.read"],
    state: "works",
    createdBy: workspace.admin.email,
  });
  expect(key.lastFour).toBe(text.slice(-4));
  expect(Number(key.expiresAt) / DAY_MS).toBeCloseTo(Date.now() / DAY_MS + 90, 1);
  expect(Number(oldExpiresAt) / DAY_MS).toBeCloseTo(Date.now() / DAY_MS + 1, 1);
  expect((await found(workspace, old.id))?.expiresAt).toEqual(oldExpiresAt);
  expect([await works(workspace, old.text), await works(workspace, text)]).toEqual([true, true]);
  const rows = await acrossWorkspaces.query(
    `SELECT a.action, a.actor_name, a.subject_id, a.details, k.rotated_from_id
     FROM api_keys k JOIN audit_entries a ON a.workspace_id = k.workspace_id AND a.subject_id = k.rotated_from_id
     WHERE k.id = $1 AND a.action = 'api_key.rotated'`,
    [key.id],
  );
  expect(rows).toEqual([
    {
      action: "api_key.rotated",
      actor_name: workspace.admin.email,
      subject_id: old.id,
      details: { successor: key.id, works_until: oldExpiresAt.toISOString() },
      rotated_from_id: old.id,
    },
  ]);
});

test("a key without expiry has a successor without expiry, and without an overlap the old key is refused immediately", async () => {
  const workspace = await aWorkspace();
  const old = await create(workspace);
  const { key, text } = await rotate(workspace, old.id, 0, { kind: "command_line", id: null, name: "Command line" });
  expect([key.expiresAt, key.createdBy]).toEqual([null, null]);
  expect([await works(workspace, old.text), await works(workspace, text)]).toEqual([false, true]);
  expect((await found(workspace, old.id))?.state).toBe("expired");
});

test("an overlap never makes a key live longer than it was meant to", async () => {
  const workspace = await aWorkspace();
  const expiresAt = fromNow(2);
  const old = await create(workspace, { expiresAt });
  expect((await rotate(workspace, old.id, 30 * 24)).oldExpiresAt).toEqual(expiresAt);
});

test("a key that is revoked, expired, unknown or another workspace's is not rotated, and the message says what to do", async () => {
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  const revoked = await create(workspace, { name: "Gone" });
  await revoke(workspace, revoked.id);
  const expired = await create(workspace, { name: "Late", expiresAt: fromNow(1) });
  await age(expired.id, 2);
  await expect(rotate(workspace, revoked.id)).rejects.toThrow(
    'The key "Gone" is revoked, so it can\'t be rotated. Create a new key instead.',
  );
  await expect(rotate(workspace, expired.id)).rejects.toThrow(
    'The key "Late" has expired, so it can\'t be rotated. Create a new key instead.',
  );
  for (const id of [other.key.id, randomUUID(), "zzz"]) {
    await expect(rotate(workspace, id)).rejects.toThrow("There is no key with this ID");
  }
  for (const hours of [-1, 721, Number.NaN]) {
    await expect(rotate(workspace, workspace.key.id, hours)).rejects.toThrow("The grace period can be 0 to 720 hours");
  }
  expect([(await list(workspace)).length, (await list(other)).length]).toEqual([3, 1]);
});

test("permission to create such a key is checked before it is rotated", async () => {
  const workspace = await aWorkspace();
  const rotating = inWorkspace(workspace.id, (db) =>
    rotateApiKey(db, workspace.key.id, {}, workspace.actor, ({ scopes }) =>
      refuseBeyond(["keys.manage"], keyMay(scopes), "access"),
    ),
  );
  await expect(rotating).rejects.toMatchObject({ fields: [{ field: "access", code: "not_allowed" }] });
  expect((await readWorkspace(workspace.id, (read) => listApiKeys(read, { limit: 9, offset: 0 }))).total).toBe(1);
});

test("to create a key, a member needs the permissions that its scopes amount to", () => {
  expect(keyMay(["public"])).toEqual([]);
  expect(keyMay(["content.publish"])).toEqual([
    "articles.write",
    "articles.publish",
    "categories.manage",
    "insights.read",
  ]);
  expect(keyMay(["categories"])).toEqual(["articles.write", "categories.manage", "insights.read"]);
  expect(keyMay(["files"])).toEqual(["articles.write"]);
  expect(keyMay(["redirects"])).toEqual(["settings.manage"]);
  expect(keyMay(["webhooks"])).toEqual(["articles.write", "members.manage", "insights.read"]);
  expect(keyMay(["insights.read"])).toEqual(["insights.read"]);
  expect(keyMay(["audit.read"])).toEqual(["settings.manage"]);
  expect(keyMay(["synonyms", "members.read"])).toEqual(["members.manage", "settings.manage"]);
});

test("of several concurrent rotations of a key one wins, and the others are told the resulting key", async () => {
  const workspace = await aWorkspace();
  const old = await create(workspace);
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => rotate(workspace, old.id)));
  const won = tries.filter((result) => result.status === "fulfilled").map(({ value }) => value);
  const refused = tries.filter((result) => result.status === "rejected").map(({ reason }) => String(reason));
  expect([won.length, refused.length]).toEqual([1, 7]);
  expect(new Set(refused)).toEqual(
    new Set([
      `InvalidError: The key "Report" was already rotated. Its replacement ends in ${won[0]?.key.lastFour}. ` +
        "Rotate that key instead. If you lost it, revoke it and rotate this key again.",
    ]),
  );
  expect(await list(workspace)).toHaveLength(3);

  await revoke(workspace, won[0]?.key.id ?? "");
  const again = await rotate(workspace, old.id);
  expect(await works(workspace, again.text)).toBe(true);
});

test("a key that is revoked during its rotation ends up revoked, exactly once", async () => {
  const workspace = await aWorkspace();
  const old = await create(workspace);
  await Promise.allSettled([
    rotate(workspace, old.id),
    ...Array.from({ length: 4 }, () => revoke(workspace, old.id)),
    rotate(workspace, old.id),
  ]);
  expect(await works(workspace, old.text)).toBe(false);
  const entries = await acrossWorkspaces.query(
    "SELECT 1 FROM audit_entries WHERE workspace_id = $1 AND subject_id = $2 AND action = 'api_key.revoked'",
    [workspace.id, old.id],
  );
  expect(entries).toHaveLength(1);
});

test("an expiry is judged by the database's clock, whatever this machine's says", async () => {
  const workspace = await aWorkspace();
  const [past, soon] = [fromNow(-1), fromNow(1)];
  vi.useFakeTimers({ toFake: ["Date"], now: fromNow(-365) });
  await expect(create(workspace, { expiresAt: past })).rejects.toThrow("A key must expire in the future.");
  vi.setSystemTime(fromNow(2 * 365));
  const key = await create(workspace, { expiresAt: soon });
  expect(await works(workspace, key.text)).toBe(true);
  expect((await found(workspace, key.id))?.state).toBe("works");
});

test("the list says who made a key, and what became of it", async () => {
  const workspace = await aWorkspace();
  const byHand = await create(workspace, { name: "By hand" });
  await revoke(workspace, byHand.id);
  const states = (await list(workspace)).map(({ name, createdBy, createdByName, state }) => [
    name,
    createdBy,
    createdByName,
    state,
  ]);
  expect(states).toEqual([
    ["By hand", null, null, "revoked"],
    ["test", workspace.admin.email, "Ada Admin", "works"],
  ]);
});
