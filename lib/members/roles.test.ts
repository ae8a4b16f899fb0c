import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { acrossWorkspaces, inWorkspace, readWorkspace } from "@/lib/db";
import { inviteMembers } from "@/lib/members/invitations";
import { createMember, updateMember } from "@/lib/members/members";
import {
  createRole,
  deleteRole,
  listRoles,
  listRolesInUse,
  type Permission,
  permissions,
  refuseBeyond,
  updateRole,
} from "@/lib/members/roles";
import { aWorkspace, type TestWorkspace, whileOpen } from "@/testing/workspace";

vi.stubEnv("AUTH_SECRET", "Kq2vXw7mZr4tBn9sLd6hFj3pGc8yTa5e");

const rolesOf = (workspace: TestWorkspace) => readWorkspace(workspace.id, listRoles);
const roleOf = async (workspace: TestWorkspace, name: string) => {
  const role = (await rolesOf(workspace)).find((one) => one.name === name);
  if (!role) throw new Error(`No role ${name}.`);
  return role;
};
const create = (workspace: TestWorkspace, name: string, permissions: Permission[] = ["articles.write"]) =>
  inWorkspace(workspace.id, (db) => createRole(db, { name, permissions }, workspace.actor));
const update = (workspace: TestWorkspace, id: string, name: string, permissions: Permission[]) =>
  inWorkspace(workspace.id, (db) => updateRole(db, id, { name, permissions }, workspace.actor));
const remove = (workspace: TestWorkspace, id: string) =>
  inWorkspace(workspace.id, (db) => deleteRole(db, id, workspace.actor));
const aMember = (workspace: TestWorkspace, email: string, role: string) =>
  inWorkspace(workspace.id, (db) =>
    createMember(db, { email, firstName: "Grace", lastName: "Hopper", role }, workspace.actor),
  );

const withoutMembers = permissions.filter((permission) => permission !== "members.manage");

test("a role is made, renamed and given other permissions, and deleted; each is in the audit log", async () => {
  const workspace = await aWorkspace();
  const { id } = await create(workspace, " Reviewer ", ["insights.read", "articles.write"]);
  expect(await roleOf(workspace, "Reviewer")).toEqual({
    ...{ id, name: "Reviewer" },
    permissions: ["articles.write", "insights.read"],
  });
  await update(workspace, id, "Reader", ["insights.read"]);
  // Saved as it is, it is not changed.
  await update(workspace, id, " Reader ", ["insights.read"]);
  expect(await roleOf(workspace, "Reader")).toEqual({ id, name: "Reader", permissions: ["insights.read"] });
  await remove(workspace, id);
  expect((await rolesOf(workspace)).map(({ name }) => name)).toEqual(["Admin", "Collaborator", "Editor"]);
  const audit = await acrossWorkspaces.query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE workspace_id = $1 AND subject_id = $2 ORDER BY created_at",
    [workspace.id, id],
  );
  expect(audit.map(({ action }) => action)).toEqual(["role.created", "role.updated", "role.deleted"]);
});

test("names are one role's alone, by their exact case, and of some length", async () => {
  const workspace = await aWorkspace();
  await create(workspace, "editor");
  await expect(create(workspace, "Editor")).rejects.toThrow("That name is taken.");
  const { id } = await roleOf(workspace, "Collaborator");
  await expect(update(workspace, id, "Editor", [])).rejects.toThrow("That name is taken.");
  for (const name of ["", "  ", "x".repeat(101), "a\nb"]) {
    await expect(create(workspace, name)).rejects.toThrow("1 to 100 characters");
  }
});

test("the role of the only administrator keeps what makes one, and loses the rest", async () => {
  const workspace = await aWorkspace();
  const { id } = await roleOf(workspace, "Admin");
  await expect(update(workspace, id, "Admin", withoutMembers)).rejects.toMatchObject({
    fields: [{ field: "permissions", code: "not_allowed" }],
  });
  expect((await roleOf(workspace, "Admin")).permissions).toEqual(permissions);
  await update(workspace, id, "Boss", ["members.manage", "settings.manage"]);
  expect((await roleOf(workspace, "Boss")).permissions).toEqual(["members.manage", "settings.manage"]);

  // With another administrator by another role, it may.
  await create(workspace, "Second", [...permissions]);
  await aMember(workspace, "grace@example.com", "Second");
  await update(workspace, id, "Boss", []);
});

test("of a role that stops making administrators and a last one who leaves, at the same time, one is refused", async () => {
  const workspace = await aWorkspace();
  await create(workspace, "Second", [...permissions]);
  const grace = await aMember(workspace, "grace@example.com", "Second");
  const { id } = await roleOf(workspace, "Admin");
  const second = whileOpen(
    workspace.id,
    (db) => updateRole(db, id, { name: "Admin", permissions: [] }, workspace.actor),
    () => inWorkspace(workspace.id, (db) => updateMember(db, grace.id, { active: false }, workspace.actor)),
  );
  await expect(second).rejects.toThrow("last administrator");
});

test("a role in use is not deleted, and its members are named", async () => {
  const workspace = await aWorkspace();
  const { id } = await create(workspace, "Reviewer");
  const grace = await aMember(workspace, "grace@example.com", "Reviewer");
  await inWorkspace(workspace.id, (db) => updateMember(db, grace.id, { active: false }, workspace.actor));
  await inWorkspace(workspace.id, (db) =>
    inviteMembers(db, { addresses: ["bob@example.com"], role: "Reviewer" }, workspace.actor),
  );
  await expect(remove(workspace, id)).rejects.toThrow("Grace Hopper, bob@example.com");
  const inUse = await readWorkspace(workspace.id, listRolesInUse);
  expect(inUse.find((role) => role.id === id)).toMatchObject({ members: 1, invitations: 1 });
});

test("a member who is given a role while it is deleted keeps it", async () => {
  const workspace = await aWorkspace();
  const { id } = await create(workspace, "Reviewer");
  const deleting = whileOpen(
    workspace.id,
    (db) =>
      createMember(
        db,
        { email: "grace@example.com", firstName: "Grace", lastName: "Hopper", role: "Reviewer" },
        workspace.actor,
      ),
    () => remove(workspace, id),
  );
  await expect(deleting).rejects.toThrow("Grace Hopper");
});

test("a role that is deleted while a member is given it is not given, with a reason", async () => {
  const workspace = await aWorkspace();
  const { id } = await create(workspace, "Reviewer");
  const grace = await aMember(workspace, "grace@example.com", "Editor");
  const giving = whileOpen(
    workspace.id,
    (db) => deleteRole(db, id, workspace.actor),
    () => inWorkspace(workspace.id, (db) => updateMember(db, grace.id, { role: "Reviewer" }, workspace.actor)),
  );
  await expect(giving).rejects.toMatchObject({ fields: [{ field: "role", code: "not_found" }] });
  await create(workspace, "Reader");
  const { id: reader } = await roleOf(workspace, "Reader");
  const inviting = whileOpen(
    workspace.id,
    (db) => deleteRole(db, reader, workspace.actor),
    () =>
      inWorkspace(workspace.id, (db) =>
        inviteMembers(db, { addresses: ["bob@example.com"], role: "Reader" }, workspace.actor),
      ),
  );
  await expect(inviting).rejects.toMatchObject({ fields: [{ field: "role", code: "not_found" }] });
});

test("of two administrators who take the other's role away at the same time, one stays", async () => {
  const workspace = await aWorkspace();
  const grace = await aMember(workspace, "grace@example.com", "Admin");
  const second = whileOpen(
    workspace.id,
    (db) => updateMember(db, grace.id, { role: "Editor" }, workspace.actor),
    () => inWorkspace(workspace.id, (db) => updateMember(db, workspace.admin.id, { role: "Editor" }, workspace.actor)),
  );
  await expect(second).rejects.toThrow("last administrator");
});

test("another workspace's role, and what is none, is not found", async () => {
  const [workspace, other] = [await aWorkspace(), await aWorkspace()];
  const { id } = await create(other, "Reviewer");
  for (const none of [id, randomUUID(), "nonsense"]) {
    await expect(update(workspace, none, "X", [])).rejects.toThrow("role doesn't exist");
    await expect(remove(workspace, none)).rejects.toThrow("role doesn't exist");
  }
  expect(await roleOf(other, "Reviewer")).toMatchObject({ id });
});

test("nobody gives what they have not", () => {
  expect(() => refuseBeyond(["members.manage"], ["members.manage"])).not.toThrow();
  expect(() => refuseBeyond(["members.manage"], ["members.manage", "keys.manage"])).toThrow("keys.manage");
});

test("a workspace has at most 100 roles, even with concurrent creation", async () => {
  const workspace = await aWorkspace();
  for (let number = 4; number <= 98; number++) await create(workspace, `Role ${number}`);
  const made = await Promise.allSettled(["A", "B", "C"].map((name) => create(workspace, name)));
  expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect((await rolesOf(workspace)).length).toBe(100);
  await expect(create(workspace, "One more")).rejects.toThrow(
    "There are 100 roles, which is the maximum. Delete or change one first.",
  );
  await remove(workspace, (await roleOf(workspace, "Role 4")).id);
  expect((await create(workspace, "One more")).name).toBe("One more");
});
