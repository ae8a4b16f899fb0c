import type { Permission } from "@/lib/members/roles";

/** The label of each permission. */
export const permissionWords: Record<Permission, string> = {
  "articles.write": "Write articles",
  "articles.publish": "Publish articles",
  "categories.manage": "Manage categories",
  "members.manage": "Manage members and roles",
  "settings.manage": "Change settings",
  "keys.manage": "Manage API keys",
  "insights.read": "View insights",
};

/** Where a permission alone is not enough. */
export const permissionHints: Partial<Record<Permission, string>> = {
  "settings.manage": "Imports also need articles and categories. Exports also need articles.",
  "keys.manage": "To create a key, also write articles, manage members and view insights.",
};
