import type { PaletteEntry } from "@/components/ui/palette-rank";
import type { Permission } from "@/lib/members/roles";

interface AdminPlace {
  href: string;
  name: string;
  /** The key that opens the page after g. */
  letter?: string;
  /** The settings on the page, by their labels. */
  holds?: string[];
  /** The purpose of the page, for the dashboard. */
  about?: string;
  /** Any of these permissions opens the page. If empty, every member may open it. */
  permission?: Permission | Permission[];
  /** The heading in the menu. */
  group?: "Content" | "People" | "Settings" | "You";
}

/** The linked pages of the admin UI, in menu order. */
const places: AdminPlace[] = [
  { href: "/admin", name: "Dashboard", letter: "d" },
  {
    href: "/admin/articles",
    letter: "w",
    name: "Articles",
    about: "Write, publish and look after what your readers read.",
    permission: "articles.write",
    group: "Content",
  },
  {
    href: "/admin/categories",
    letter: "c",
    name: "Categories",
    about: "Put articles in order: name, move, merge and hide categories.",
    permission: "categories.manage",
    group: "Content",
  },
  {
    href: "/admin/tags",
    letter: "t",
    name: "Tags",
    about: "Rename, merge and delete the tags of articles.",
    permission: "articles.publish",
    group: "Content",
  },
  {
    href: "/admin/insights",
    letter: "i",
    name: "Insights",
    about: "See what people read, search for and do not find.",
    permission: "insights.read",
    group: "Content",
  },
  {
    href: "/admin/synonyms",
    holds: ["Pinned results", "Synonyms"],
    name: "Search",
    about: "Try searches, pin results and add synonyms.",
    permission: "settings.manage",
    group: "Content",
  },
  {
    href: "/admin/redirects",
    name: "Redirects",
    about: "Lead old addresses to where things are now.",
    permission: "settings.manage",
    group: "Content",
  },
  {
    href: "/admin/trash",
    name: "Trash",
    about: "Restore what was deleted in the last 30 days.",
    permission: ["articles.write", "categories.manage", "settings.manage"],
    group: "Content",
  },
  {
    href: "/admin/members",
    letter: "m",
    name: "Members",
    about: "Invite people, choose what they may do, and end their access.",
    permission: "members.manage",
    group: "People",
  },
  {
    href: "/admin/roles",
    letter: "r",
    name: "Roles",
    about: "Say what each kind of member may do.",
    permission: "members.manage",
    group: "People",
  },
  {
    href: "/admin/settings",
    letter: "s",
    holds: ["Name of the knowledge base", "Subdomain", "Language", "Time zone of the knowledge base"],
    name: "General",
    about: "Name, address, language and time zone of the knowledge base.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/appearance",
    letter: "a",
    holds: ["Logo", "Colour"],
    name: "Appearance",
    about: "Give it your logo and your colour.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/readers",
    holds: ["Who may read", "Feedback", "Search log"],
    name: "Readers",
    about: "Who may read, and what readers can tell you.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/keys",
    letter: "k",
    name: "API keys",
    about: "Let programs read and change this knowledge base, and see which of them still do.",
    permission: "keys.manage",
    group: "Settings",
  },
  {
    href: "/admin/import",
    name: "Import",
    about: "Bring articles from other systems, as a zip of Markdown or HTML.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/export",
    name: "Export",
    about: "Take everything with you, as a zip of Markdown.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/audit",
    letter: "l",
    name: "Audit log",
    about: "See who changed what, when and from where.",
    permission: "settings.manage",
    group: "Settings",
  },
  {
    href: "/admin/profile",
    letter: "p",
    holds: ["Your name", "Your picture", "Your time zone"],
    name: "Your profile",
    group: "You",
  },
  {
    href: "/admin/account",
    holds: ["Password", "E-mail address", "Sessions"],
    name: "Sign-in and sessions",
    group: "You",
  },
];

/** The pages that a member with these permissions may open. */
export function placesFor(permissions: Permission[]): AdminPlace[] {
  return places.filter(({ permission }) => !permission || [permission].flat().some((one) => permissions.includes(one)));
}

interface AdminAction {
  href: string;
  name: string;
  words?: string;
  permission: Permission;
}

/** Actions with a page of their own. */
const actions: AdminAction[] = [
  { href: "/admin/articles/new", name: "New article", words: "add create write draft", permission: "articles.write" },
  { href: "/admin/members/invite", name: "Invite people", words: "add new member user", permission: "members.manage" },
  { href: "/admin/roles/new", name: "Create role", words: "add new permissions", permission: "members.manage" },
  { href: "/admin/keys/new", name: "Create key", words: "add new api token", permission: "keys.manage" },
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
      .filter(({ permission }) => permissions.includes(permission))
      .map(({ href, name, words }) => ({ id: href, href, name, words, group: "Actions" })),
    ...places.flatMap(({ href, name: note, holds = [] }) =>
      holds.map((name) => ({ id: `${href} ${name}`, href, name, note, group: "Settings" })),
    ),
  ];
}
