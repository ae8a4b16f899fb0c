import type { Permission } from "@/lib/members/roles";

/** The label of each permission. */
export const permissionWords: Record<Permission, string> = {
  "articles.write": "Write articles",
  "articles.publish": "Publish articles",
  "categories.manage": "Manage categories",
  "members.manage": "Manage members and roles",
  "settings.manage": "Change settings",
  "keys.manage": "Manage API keys and webhooks",
  "insights.read": "View insights",
};

/** Hints for permissions that are not enough on their own. */
export const permissionHints: Partial<Record<Permission, string>> = {
  "settings.manage": "Imports also need article and category permissions. Exports also need Write articles.",
  "keys.manage": "Creating keys also needs Write articles, Manage members and roles, and View insights.",
};
