/** What an API key may do, by scope. Each operation of the API names the one that it needs. */
export const scopes = {
  public: {
    label: "Read public content",
    sentence: "Read what visitors see: published articles in public categories.",
  },
  "content.read": {
    label: "Read all content",
    sentence: "Read drafts, members-only articles, versions, and view counts, in addition to public content.",
  },
  "content.draft": {
    label: "Write drafts",
    sentence: "Create articles and edit drafts, which readers don't see. Includes reading all content.",
  },
  "content.publish": {
    label: "Publish articles",
    sentence: "Publish and schedule articles, manage tags, and create categories. Includes reading all content.",
  },
  "content.delete": {
    label: "Delete articles",
    sentence: "Delete and restore articles. Includes reading all content.",
  },
  categories: {
    label: "Manage categories",
    sentence: "Manage categories and who can read them. Includes reading all content.",
  },
  files: {
    label: "Upload files",
    sentence: "Upload images and other files for articles.",
  },
  redirects: {
    label: "Manage redirects",
    sentence: "Read, create, change, and delete redirects, and see titles of hidden pages.",
  },
  synonyms: {
    label: "Manage synonyms",
    sentence: "Read, create, change, and delete synonyms.",
  },
  webhooks: {
    label: "Manage webhooks",
    sentence:
      "Read, create, change, and delete webhooks, which send events about content, members, and feedback to other services.",
  },
  "members.read": {
    label: "Read team members",
    sentence: "Read the names, emails, and roles of team members and invited people.",
  },
  "members.write": {
    label: "Change team members",
    sentence: "Invite people, change the names, emails, and roles of team members, and deactivate them.",
  },
  "insights.read": {
    label: "Read insights",
    sentence: "Read views, searches, and anonymous feedback, including titles of members-only articles and drafts.",
  },
  "audit.read": {
    label: "Read the audit log",
    sentence:
      "Read the audit log, including people's names, IP addresses, and titles of articles that readers don't see.",
  },
} satisfies Record<string, { label: string; sentence: string }>;

export type Scope = keyof typeof scopes;

export const everyScope = Object.keys(scopes) as Scope[];

/** In the order in which the form offers them. */
export const presets: readonly { name: string; scopes: readonly Scope[] }[] = [
  { name: "Public content", scopes: ["public"] },
  { name: "Read articles", scopes: ["content.read"] },
  { name: "Write drafts", scopes: ["content.read", "content.draft"] },
  { name: "Read articles and members", scopes: ["content.read", "members.read"] },
  { name: "Full access", scopes: everyScope },
];

const lists = new Intl.ListFormat("en", { type: "conjunction" });

/** What a key can do, such as "read all content and read team members". */
export function sayScopes(held: readonly Scope[]): string {
  return lists.format(held.map((scope) => scopes[scope].label.toLowerCase()));
}

/** The name of the preset with exactly these scopes. */
export function presetOf(held: readonly Scope[]): string | undefined {
  return presets.find((preset) => preset.scopes.join(" ") === held.join(" "))?.name;
}

const contents: readonly Scope[] = ["content.read", "content.draft", "content.publish", "content.delete", "categories"];

/** Whether these scopes include the needed one. Writing articles and categories includes reading, and all content includes the public content. */
export function allows(held: readonly Scope[], needed: Scope): boolean {
  const includes = needed === "public" || needed === "content.read" ? contents : [];
  return [needed, ...includes].some((scope) => held.includes(scope));
}

/** The permission by which programs written before scopes tell keys apart: whether `PATCH /team-members` is theirs. */
export function permissionOf(held: readonly Scope[]): "read" | "read_write" {
  return held.includes("members.write") ? "read_write" : "read";
}
