import type { MenuEntry } from "@/components/admin/menu";
import type { PaletteEntry } from "@/components/ui/palette-rank";
import { exportPermissions, importPermissions, type Permission, within } from "@/lib/members/roles";

interface AdminPlace {
  href: string;
  name: string;
  /** The key that opens the page after g. */
  letter?: string;
  /** The settings on the page, by their labels. */
  holds?: string[];
  /** The purpose of the page, whose words the palette finds too. */
  about?: string;
  /** Any of these permissions opens the page. If empty, every member may open it. */
  permission?: Permission | Permission[];
  /** The page needs all of these permissions. */
  needs?: Permission[];
  /** The menu has one entry for the pages of a group. */
  group?: MenuEntry["group"];
}

/** The linked pages of the admin UI, in menu order. */
const places: AdminPlace[] = [
  { href: "/admin", name: "Home", letter: "h" },
  {
    href: "/admin/articles",
    letter: "a",
    name: "Articles",
    about: "Write and publish articles.",
    permission: "articles.write",
  },
  {
    href: "/admin/categories",
    letter: "c",
    name: "Categories",
    about: "Create, move, merge, and hide categories.",
    permission: "categories.manage",
  },
  {
    href: "/admin/tags",
    letter: "t",
    name: "Tags",
    about: "Rename, merge, and delete tags.",
    permission: "articles.publish",
  },
  {
    href: "/admin/snippets",
    name: "Snippets",
    about: "Reusable text, such as a support email or a product name.",
    permission: "articles.publish",
  },
  {
    href: "/admin/insights",
    letter: "i",
    name: "Insights",
    about: "Views, searches, feedback, and broken links.",
    permission: "insights.read",
  },
  {
    href: "/admin/synonyms",
    holds: ["Pinned results", "Synonyms"],
    name: "Search",
    about: "Try searches, pin results, and add synonyms.",
    permission: "settings.manage",
  },
  {
    href: "/admin/redirects",
    name: "Redirects",
    about: "Redirect old URLs.",
    permission: "settings.manage",
  },
  {
    href: "/admin/trash",
    name: "Trash",
    about: "Restore items that were deleted in the last 30 days.",
    permission: ["articles.write", "categories.manage", "settings.manage"],
  },
  {
    href: "/admin/members",
    letter: "m",
    name: "Members",
    about: "Invite people, choose their roles, and end their access.",
    permission: "members.manage",
    group: "Members",
  },
  {
    href: "/admin/roles",
    letter: "r",
    name: "Roles",
    about: "Control what each role can do.",
    permission: "members.manage",
    group: "Members",
  },
  {
    href: "/admin/settings",
    letter: "s",
    holds: [
      "Knowledge base name",
      "Subdomain",
      "Language",
      "Knowledge base time zone",
      "Required two-step verification",
      "Identity provider",
    ],
    name: "General",
    about: "Name, URL, language, and time zone of the knowledge base.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/appearance",
    holds: ["Logo", "Color"],
    name: "Appearance",
    about: "Logo, color, home page text, contact, and header links.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/readers",
    holds: ["Who can read", "Feedback", "Search log"],
    name: "Access and feedback",
    about: "Choose who can read, and turn feedback and the search log on or off.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/keys",
    letter: "k",
    name: "API keys",
    about: "Create and manage API keys.",
    permission: "keys.manage",
    group: "Settings",
  },
  {
    href: "/admin/webhooks",
    name: "Webhooks",
    about: "Notify other services about changes.",
    permission: "keys.manage",
    group: "Settings",
  },
  {
    href: "/admin/import",
    name: "Import",
    about: "Import articles from a zip of Markdown or HTML.",
    needs: importPermissions,
    group: "Settings",
  },
  {
    href: "/admin/export",
    name: "Export",
    about: "Export all articles as a zip of Markdown.",
    needs: exportPermissions,
    group: "Settings",
  },
  {
    href: "/admin/audit",
    letter: "l",
    name: "Audit log",
    about: "See who changed what, when, and from where.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/profile",
    letter: "p",
    holds: ["Your name", "Your picture", "Your time zone"],
    name: "Profile",
    group: "You",
  },
  {
    href: "/admin/account",
    holds: ["Password", "Passkeys", "Email", "Sessions"],
    name: "Password and sessions",
    group: "You",
  },
];

/** The pages that a member with these permissions may open. */
export function placesFor(permissions: Permission[]): AdminPlace[] {
  return places.filter(
    ({ permission, needs = [] }) =>
      within(permissions, needs) && (!permission || [permission].flat().some((one) => permissions.includes(one))),
  );
}

interface AdminAction {
  href: string;
  name: string;
  words?: string;
  permission: Permission;
  needs?: Permission[];
}

/** Actions with a page of their own. */
const actions: AdminAction[] = [
  { href: "/admin/articles/new", name: "New article", words: "add create write draft", permission: "articles.write" },
  { href: "/admin/members/invite", name: "Invite people", words: "add new member user", permission: "members.manage" },
  { href: "/admin/roles/new", name: "Create role", words: "add new permissions", permission: "members.manage" },
  { href: "/admin/keys/new", name: "Create key", words: "add new api token", permission: "keys.manage" },
  { href: "/admin/webhooks/new", name: "Add webhook", words: "new create event notify", permission: "keys.manage" },
  {
    href: "/admin/snippets/new",
    name: "Create snippet",
    words: "add new variable reuse",
    permission: "articles.publish",
  },
  { href: "/admin/categories/new", name: "Create category", words: "add new", permission: "categories.manage" },
];

/** The destinations of the palette for a member with these permissions. */
export function paletteFor(permissions: Permission[]): (PaletteEntry & { href: string })[] {
  const places = placesFor(permissions);
  return [
    ...places.map(({ href, name, group, about, holds }) => ({
      id: href,
      href,
      name,
      group: "Pages",
      note: group,
      words: [about, ...(holds ?? [])].filter(Boolean).join(" "),
    })),
    ...actions
      .filter(({ permission, needs = [] }) => within(permissions, [permission, ...needs]))
      .map(({ href, name, words }) => ({ id: href, href, name, words, group: "Actions" })),
    ...places.flatMap(({ href, name: note, holds = [] }) =>
      holds.map((name) => ({ id: `${href} ${name}`, href, name, note, group: "Settings" })),
    ),
  ];
}
