/** The events of webhooks, with hints where a name needs one. `ping`, which the button "Send test" sends, can't be chosen. */
export const eventGroups = [
  {
    name: "Articles",
    events: {
      "article.created": "",
      "article.published": "Also sent when changes to a published article go live",
      "article.updated": "Sent when the URL, author, tags, or external ID change",
      "article.moved": "Sent when the category changes",
      "article.unpublished": "",
      "article.deleted": "",
      "article.restored": "",
    },
  },
  {
    name: "Categories",
    events: {
      "category.created": "",
      "category.updated": "Sent when the details or the order of articles change",
      "category.moved": "",
      "category.merged": "Sent when a category is merged into another",
      "category.deleted": "",
      "category.restored": "",
    },
  },
  {
    name: "Members",
    events: {
      "member.invited": "",
      "member.joined": "Sent when a member is added or accepts an invitation",
      "member.updated": "Sent when the details, role, or picture change",
      "member.deactivated": "",
    },
  },
  { name: "Feedback", events: { "feedback.received": "" } },
  {
    name: "Imports",
    events: { "import.finished": "Sent once, instead of an event for each change" },
  },
  { name: "Audit log", events: { "audit_entry.created": "Sent for each entry, including sign-ins" } },
] as const satisfies readonly { name: string; events: Record<string, string> }[];

type KeysOf<T> = T extends unknown ? keyof T : never;
export type WebhookEvent = KeysOf<(typeof eventGroups)[number]["events"]>;

/** An entry can be about anything, and has an IP address. Keys need audit.read for it. */
export const auditEvent = "audit_entry.created" satisfies WebhookEvent;

export const everyEvent = eventGroups.flatMap(({ events }) => Object.keys(events)) as WebhookEvent[];
