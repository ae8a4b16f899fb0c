import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { workspaceLimits } from "@/lib/limits";
import { looksLikeLink } from "@/lib/members/names";
import { unlessTaken } from "@/lib/taken";

export const permissions = [
  "articles.write",
  "articles.publish",
  "categories.manage",
  "members.manage",
  "settings.manage",
  "keys.manage",
  "insights.read",
] as const;

export type Permission = (typeof permissions)[number];

/** Contract 35. */
export const administratorPermissions: Permission[] = ["members.manage", "settings.manage"];

/** An import publishes articles, creates categories and adds redirects. */
export const importPermissions: Permission[] = [
  "articles.write",
  "articles.publish",
  "categories.manage",
  "settings.manage",
];

/** An export contains drafts. */
export const exportPermissions: Permission[] = ["articles.write", "settings.manage"];

export const defaultRoles: { name: string; permissions: Permission[] }[] = [
  { name: "Admin", permissions: [...permissions] },
  { name: "Editor", permissions: ["articles.write", "articles.publish", "categories.manage", "insights.read"] },
  { name: "Collaborator", permissions: ["articles.write"] },
];

export interface Role {
  id: string;
  name: string;
  permissions: Permission[];
}

export function listRoles(read: Read): Promise<Role[]> {
  return read(`SELECT id, name, permissions FROM roles ORDER BY name, id`);
}

export interface RoleInUse extends Role {
  members: number;
  invitations: number;
  hasHistory: boolean;
}

export function listRolesInUse(read: Read): Promise<RoleInUse[]> {
  return read(
    `SELECT r.id, r.name, r.permissions,
       (SELECT count(*)::int FROM members m WHERE m.role_id = r.id) AS members,
       (SELECT count(*)::int FROM invitations i
        WHERE i.role_id = r.id AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL) AS invitations,
       EXISTS (SELECT FROM invitations i WHERE i.role_id = r.id) AS "hasHistory"
     FROM roles r ORDER BY r.name, r.id`,
  );
}

export interface RoleChanges {
  name: string;
  permissions: Permission[];
}

export async function createRole(db: Db, input: RoleChanges, actor: Actor): Promise<Role> {
  const { name, permissions } = checkedRole(input);
  await lockWorkspace(db);
  if ((await db.role.count()) >= workspaceLimits.roles) {
    const message = `There are ${workspaceLimits.roles} roles, which is the maximum. Delete or change one first.`;
    throw new InvalidError([{ field: "", code: "not_allowed", message }]);
  }
  const { id } = await unlessTaken(nameTaken, () =>
    db.role.create({ data: { name, permissions }, select: { id: true } }),
  );
  await recordAudit(db, actor, "role.created", { kind: "role", id, name }, { permissions: permissions.join(" ") });
  return { id, name, permissions };
}

/**
 * `agree` sees the locked role before the change, and may throw.
 * @throws InvalidError also when no active administrator would be left, or NotFoundError
 */
export async function updateRole(
  db: Db,
  id: string,
  changes: RoleChanges,
  actor: Actor,
  agree: (before: Role) => void = () => {},
): Promise<Role> {
  const { name, permissions } = checkedRole(changes);
  // When two changes would leave no administrator, the second sees the first.
  await lockWorkspace(db);
  const before = await lockRole(db, id);
  agree(before);
  const isRenamed = name !== before.name;
  const isOther = permissions.length !== before.permissions.length || !within(before.permissions, permissions);
  if (!isRenamed && !isOther) return before;
  await unlessTaken(nameTaken, () =>
    db.role.updateMany({ where: { id }, data: { name, permissions, updatedAt: new Date() } }),
  );
  const administrated = administratorPermissions.every((permission) => before.permissions.includes(permission));
  if (administrated && !(await hasAdministrator(readingOf(db)))) {
    const message =
      "At least one active member must be able to manage members and change settings. Give another role these permissions first.";
    throw new InvalidError([{ field: "permissions", code: "not_allowed", message }]);
  }
  const details = {
    ...(isRenamed && { name: `${before.name} → ${name}` }),
    ...(isOther && { permissions: `${before.permissions.join(" ")} → ${permissions.join(" ")}` }),
  };
  await recordAudit(db, actor, "role.updated", { kind: "role", id, name }, details);
  return { id, name, permissions };
}

/** Throws InvalidError naming members, also deactivated ones, and open invitations with the role. */
export async function deleteRole(
  db: Db,
  id: string,
  actor: Actor,
  agree: (before: Role) => void = () => {},
): Promise<Role> {
  const role = await lockRole(db, id, "FOR UPDATE");
  agree(role);
  const read = readingOf(db);
  const holders = await read<{ name: string; isProvider: boolean }>(
    `SELECT first_name || ' ' || last_name AS name, false AS "isProvider" FROM members WHERE role_id = $1::uuid
     UNION ALL SELECT email, false FROM invitations WHERE role_id = $1::uuid AND accepted_at IS NULL AND withdrawn_at IS NULL
     UNION ALL SELECT 'new members who sign in with ' || name, true FROM identity_providers WHERE new_member_role_id = $1::uuid
     LIMIT 6`,
    [id],
  );
  if (holders.length > 0) {
    const named = holders.slice(0, 5).map(({ name }) => name);
    const others = holders.length > 5 ? " and others" : "";
    const remedy = holders.every(({ isProvider }) => isProvider)
      ? "Choose another role there"
      : "Give them another role";
    const message = `The role is in use: ${named.join(", ")}${others}. ${remedy} first.`;
    throw new InvalidError([{ field: "id", code: "not_allowed", message }]);
  }
  const [former] = await read<{ id: string }>("SELECT id FROM invitations WHERE role_id = $1::uuid LIMIT 1", [id]);
  if (former) {
    const message = "This role can't be deleted because past invitations refer to it. Rename it instead.";
    throw new InvalidError([{ field: "id", code: "not_allowed", message }]);
  }
  await db.role.deleteMany({ where: { id } });
  await recordAudit(db, actor, "role.deleted", { kind: "role", id, name: role.name });
  return role;
}

function checkedRole({ name: typed, permissions: chosen }: RoleChanges): RoleChanges {
  const name = typed.trim().normalize("NFC");
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name)) {
    const code = name === "" ? "required" : name.length > 100 ? "too_long" : "invalid";
    throw new InvalidError([{ field: "name", code, message: "Enter a name of 1 to 100 characters." }]);
  }
  if (looksLikeLink(name)) {
    throw new InvalidError([{ field: "name", code: "invalid", message: "A role name can't contain a URL or an @." }]);
  }
  return { name, permissions: permissions.filter((permission) => chosen.includes(permission)) };
}

async function lockRole(db: Db, id: string, how: "FOR UPDATE" | "FOR NO KEY UPDATE" = "FOR NO KEY UPDATE") {
  const [role] = z.guid().safeParse(id).success
    ? await readingOf(db)<Role>(`SELECT id, name, permissions FROM roles WHERE id = $1::uuid ${how}`, [id])
    : [];
  if (!role) throw new NotFoundError("This role doesn't exist.");
  return role;
}

async function hasAdministrator(read: Read): Promise<boolean> {
  const [one] = await read<{ id: string }>(
    `SELECT m.id FROM members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
     WHERE m.active AND r.permissions @> $1 LIMIT 1`,
    [administratorPermissions],
  );
  return one !== undefined;
}

const nameTaken = () => new InvalidError([{ field: "name", code: "taken", message: "That name is taken." }]);

export function within(own: readonly Permission[], wanted: readonly Permission[]): boolean {
  return wanted.every((permission) => own.includes(permission));
}

/** Refuses to give permissions that the actor lacks. `field` is the input that would give them. */
export function refuseBeyond(
  own: readonly Permission[],
  wanted: readonly Permission[],
  field: keyof typeof beyond = "role",
): void {
  if (within(own, wanted)) return;
  const missing = wanted.filter((permission) => !own.includes(permission)).join(", ");
  const message = `${beyond[field]} (${missing}). Ask a member who has them.`;
  throw new InvalidError([{ field, code: "not_allowed", message }]);
}

const beyond = {
  role: "This role has permissions that you don't have",
  access: "This key needs permissions that you don't have",
  events: "These events need permissions that you don't have",
};
