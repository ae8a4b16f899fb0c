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
  "settings.manage":
    "Importing also requires Write articles, Publish articles, and Manage categories. Exporting also requires Write articles.",
  "keys.manage": "Members can't create a key that does more than their role allows.",
};
