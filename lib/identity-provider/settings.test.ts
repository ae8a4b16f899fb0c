import { expect, test } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import {
  checkedProvider,
  findProvider,
  openProvider,
  type ProviderFields,
  removeProvider,
  saveProvider,
} from "@/lib/identity-provider/settings";
import type { Payload } from "@/lib/jobs";
import type { Mail } from "@/lib/mail/mail";
import { deleteRole } from "@/lib/members/roles";
import { jobHandlers } from "@/server/jobs/handlers";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const acme: ProviderFields = {
  name: "Acme",
  issuer: "https://login.example/",
  clientId: "lectern",
  clientSecret: "four-quiet-harbor-words",
  newMemberRole: null,
};
const save = (workspace: TestWorkspace, changes: Partial<ProviderFields> = {}) =>
  inWorkspace(workspace.id, (db) => saveProvider(db, workspace.id, { ...acme, ...changes }, workspace.actor));
const invalid = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => [],
      (error: unknown) =>
        error instanceof InvalidError ? error.fields.map(({ field }) => field) : Promise.reject(error as Error),
    );
const auditOf = ({ id }: TestWorkspace) =>
  acrossWorkspaces.query(
    `SELECT action, subject_name AS name, details FROM audit_entries
     WHERE workspace_id = $1 AND action LIKE 'identity_provider.%' ORDER BY created_at, id`,
    [id],
  );

test("a provider is set up, changed and removed, and each change is in the audit log without the secret", async () => {
  const workspace = await aWorkspace();
  await save(workspace);
  await save(workspace, { clientSecret: "" });
  const shown = { name: "Acme", issuer: acme.issuer, clientId: "lectern", newMemberRole: null };
  expect(await readWorkspace(workspace.id, findProvider)).toEqual(shown);
  await save(workspace, { name: "Acme ID", newMemberRole: "Editor", clientSecret: "" });
  const opened = await readWorkspace(workspace.id, (read) => openProvider(read, workspace.id));
  expect(opened).toEqual({ ...acme, name: "Acme ID", newMemberRole: "Editor" });
  await save(workspace, { name: "Acme ID", newMemberRole: "Editor", clientSecret: "another" });
  await inWorkspace(workspace.id, (db) => removeProvider(db, workspace.actor));
  expect(await readWorkspace(workspace.id, findProvider)).toBeNull();
  expect(await auditOf(workspace)).toEqual([
    { action: "identity_provider.added", name: "Acme", details: { issuer: acme.issuer } },
    {
      action: "identity_provider.updated",
      name: "Acme ID",
      details: { name: "Acme → Acme ID", newMemberRole: "none → Editor" },
    },
    { action: "identity_provider.updated", name: "Acme ID", details: { clientSecret: "changed" } },
    { action: "identity_provider.removed", name: "Acme ID", details: {} },
  ]);
});

test("administrators are mailed about each change of the provider, without a link to click", async () => {
  const workspace = await aWorkspace({ name: "Docs" });
  const mails: Omit<Mail, "id">[] = [];
  const handlers = jobHandlers({ deliver: async ({ id: _, ...mail }) => void mails.push(mail), baseUrl: "http://kb" });
  await save(workspace);
  await save(workspace, { clientSecret: "" });
  await save(workspace, { clientSecret: "another" });
  await inWorkspace(workspace.id, (db) => removeProvider(db, workspace.actor));
  const jobs = await acrossWorkspaces.query<{ payload: Payload<"identity_provider_changed"> }>(
    `SELECT payload->'payload' AS payload FROM graphile_worker._private_jobs
     WHERE payload->>'workspace_id' = $1 AND payload->'payload'->>'providerName' IS NOT NULL ORDER BY id`,
    [workspace.id],
  );
  for (const { payload } of jobs) {
    const { signal } = new AbortController();
    await handlers.identity_provider_changed({ id: "1", workspaceId: workspace.id, payload, signal });
  }
  expect(mails.map(({ to }) => to.address)).toEqual(Array(3).fill(workspace.admin.email));
  expect(mails.map(({ subject, paragraphs }) => [subject, paragraphs[1]])).toEqual([
    [
      "Identity provider added to Docs",
      "Ada Admin added the identity provider Acme. The provider can sign in any member who doesn't use two-step verification.",
    ],
    [
      "Identity provider changed for Docs",
      "Ada Admin changed the identity provider Acme. The provider can sign in any member who doesn't use two-step verification.",
    ],
    [
      "Identity provider removed from Docs",
      "Ada Admin removed the identity provider Acme. Members now sign in with a password, a passkey, or an email link.",
    ],
  ]);
  expect(JSON.stringify(mails)).not.toMatch(/https?:|www\./);
});

test("the stored secret goes to no other issuer and no other client", async () => {
  const workspace = await aWorkspace();
  expect(await invalid(() => save(workspace, { clientSecret: "" }))).toEqual(["clientSecret"]);
  await save(workspace);
  const elsewhere = { issuer: "https://evil.example/", clientSecret: "" };
  expect(await invalid(() => save(workspace, elsewhere))).toEqual(["clientSecret"]);
  expect(await invalid(() => save(workspace, { clientId: "other", clientSecret: "" }))).toEqual(["clientSecret"]);
  expect(await readWorkspace(workspace.id, findProvider)).toMatchObject({ issuer: acme.issuer, clientId: "lectern" });
});

test("input is cleaned, or refused field by field", async () => {
  const check = (changes: Partial<ProviderFields>) => checkedProvider({ ...acme, ...changes }, null);
  expect(
    check({ name: " Acme  ID ", issuer: " https://login.example/realms/a/.well-known/openid-configuration" }),
  ).toEqual({ ...acme, name: "Acme ID", issuer: "https://login.example/realms/a" });
  for (const issuer of [
    "",
    "login.example",
    "ftp://login.example",
    "https://10.0.0.1/",
    "https://a:b@login.example/",
    "https://login.example/?a=b",
  ])
    expect([issuer, await invalid(() => check({ issuer }))]).toEqual([issuer, ["issuer"]]);
  expect(await invalid(() => check({ name: "", clientId: "a b", clientSecret: "ü" }))).toEqual([
    "name",
    "clientId",
    "clientSecret",
  ]);
  expect(await invalid(async () => save(await aWorkspace(), { newMemberRole: "Nobody" }))).toEqual(["newMemberRole"]);
});

test("the role of new members can't be deleted", async () => {
  const workspace = await aWorkspace();
  await save(workspace, { newMemberRole: "Editor" });
  const role = await inWorkspace(workspace.id, (db) => db.role.findFirstOrThrow({ where: { name: "Editor" } }));
  const remove = () => inWorkspace(workspace.id, (db) => deleteRole(db, role.id, workspace.actor));
  await expect(remove()).rejects.toThrow(
    "The role is in use: new members who sign in with Acme. Choose another role there first.",
  );
  await save(workspace, { clientSecret: "" });
  await remove();
});
