import type { Permission } from "@/lib/members/roles";
import { type TrashKind, trashKinds } from "@/lib/trash/trash";

/** For each kind: its names, the permission that deletes and restores it, and the list that it returns to. */
export const kinds: Record<TrashKind, { name: string; plural: string; permission: Permission; list: string }> = {
  article: { name: "Article", plural: "articles", permission: "articles.write", list: "/admin/articles" },
  category: { name: "Category", plural: "categories", permission: "categories.manage", list: "/admin/categories" },
  redirect: { name: "Redirect", plural: "redirects", permission: "settings.manage", list: "/admin/redirects" },
  synonym: { name: "Synonym", plural: "synonyms", permission: "settings.manage", list: "/admin/synonyms" },
};

/** The kinds that someone with these permissions can restore. */
export function kindsFor(permissions: readonly Permission[]): TrashKind[] {
  return trashKinds.filter((kind) => permissions.includes(kinds[kind].permission));
}
