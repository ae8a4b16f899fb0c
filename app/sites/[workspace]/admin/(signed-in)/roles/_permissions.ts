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
