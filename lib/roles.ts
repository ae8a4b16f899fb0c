import type { Read } from "@/lib/db";

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

/** What makes a role an administrator's (contract 35). */
export const administratorPermissions: Permission[] = ["members.manage", "settings.manage"];

/** The roles that a new workspace starts with. */
export const defaultRoles: { name: string; permissions: Permission[] }[] = [
  { name: "Admin", permissions: [...permissions] },
  { name: "Editor", permissions: ["articles.write", "articles.publish", "categories.manage", "insights.read"] },
  { name: "Collaborator", permissions: ["articles.write"] },
];

/** Every role of the workspace by name; a workspace has a handful. */
export function listRoles(read: Read): Promise<{ id: string; name: string; permissions: Permission[] }[]> {
  return read(`SELECT id, name, permissions FROM roles ORDER BY name, id`);
}
