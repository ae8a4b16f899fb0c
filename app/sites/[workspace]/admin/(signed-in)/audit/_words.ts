import type { auditActions } from "@/lib/audit/actions";
import type { AuditEntry } from "@/lib/audit/audit-log";

const lists = new Intl.ListFormat("en");

/** An entry as a sentence, such as "Ada Lovelace changed the role of Grace Hopper from Editor to Admin". */
export function sentenceOf(entry: AuditEntry): string {
  return `${actorOf(entry)} ${predicateOf(entry)}`;
}

/** The actor's current name, if any. */
function actorOf({ actor }: AuditEntry): string {
  if (actor.kind === "api_key") return `The API key “${actor.name}”`;
  if (actor.kind === "command_line") return "Someone at the command line";
  return actor.person ?? actor.name;
}

/** A word of the log within a sentence: "api_key" is "API key", "sent_again" is "sent again". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .replace(/^workspace$/, "knowledge base");
  return words.toLowerCase().replace(/\b(api|id|url)\b/g, (word) => word.toUpperCase());
}

/** The name of an action in a choice: "member.updated" is "Member: updated". */
export function actionName(action: string): string {
  const [kind = "", ...verb] = action.split(".");
  const words = wordsOf(kind);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${wordsOf(verb.join(" "))}`;
}

type Sentence = (entry: AuditEntry, name: string) => string;

/** The sentence for each action. A test fails for a recorded action without one. */
const sentences: Record<(typeof auditActions)[number], Sentence> = {
  "api_key.created": (_, name) => `created the API key ${name}`,
  "api_key.revoked": (_, name) => `revoked the API key ${name}`,
  "api_key.rotated": (_, name) => `replaced the API key ${name} with a new one`,
  "article.created": ({ details }, name) =>
    `added the article ${name}${details.category ? ` to the category “${text(details.category)}”` : ""}`,
  "article.changes_dropped": (_, name) => `discarded the draft of the article ${name}`,
  "article.deleted": (_, name) => `deleted the article ${name}`,
  "article.pin_moved": ({ details }, name) =>
    `moved the article ${name} in the pinned results for “${text(details.search)}”`,
  "article.pinned": ({ details }, name) => `pinned the article ${name} for the search “${text(details.search)}”`,
  "article.previews_ended": (_, name) => `revoked the preview links of the article ${name}`,
  "article.published": (_, name) => `published the article ${name}`,
  "article.restored": (_, name) => `restored the article ${name}`,
  "article.schedule_ended": (_, name) => `canceled the schedule of the article ${name}`,
  "article.scheduled": (_, name) => `scheduled the article ${name}`,
  "article.tagged": ({ details }, name) => `added the tag “${text(details.tag)}” to the article ${name}`,
  "article.undone": (_, name) => `undid a change to the article ${name}`,
  "article.unpinned": ({ details }, name) => `unpinned the article ${name} from the search “${text(details.search)}”`,
  "article.unpublished": (_, name) => `unpublished the article ${name}`,
  "article.updated": ({ details }, name) =>
    `changed the ${lists.format(Object.keys(details).map(wordsOf))} of the article ${name}`,
  "article.version_restored": ({ details }, name) =>
    `restored version ${text(details.number)} of the article ${name} as its draft`,
  "articles.deleted": (entry, name) => `deleted ${articlesOf(entry, name)}`,
  "articles.imported": ({ details }) =>
    `imported articles: ${Number(details.created ?? 0)} new, ${Number(details.updated ?? 0)} changed`,
  "articles.moved": (entry, name) => `moved ${articlesOf(entry, name)} ${placesOf(entry)}`,
  "articles.published": (entry, name) => `published ${articlesOf(entry, name)}`,
  "articles.restored": (entry, name) => `restored ${articlesOf(entry, name)}`,
  "articles.tagged": (entry, name) => `added the tag “${text(entry.details.tag)}” to ${articlesOf(entry, name)}`,
  "articles.undone": undone,
  "articles.unpublished": (entry, name) => `unpublished ${articlesOf(entry, name)}`,
  "category.articles_ordered": (_, name) => `reordered the articles in the category ${name}`,
  "category.created": (_, name) => `added the category ${name}`,
  "category.deleted": (_, name) => `deleted the category ${name}`,
  "category.merged": ({ details }, name) => `merged the category ${name} into “${text(details.into)}”`,
  "category.moved": ({ details }, name) =>
    `moved the category ${name}${details.parent ? ` ${fromTo(details.parent)}` : " within its level"}`,
  "category.restored": (_, name) => `restored the category ${name}`,
  "category.updated": ({ details }, name) =>
    details.name
      ? `renamed the category ${fromTo(details.name)}`
      : `changed the ${lists.format(Object.keys(details).map(wordsOf))} of the category ${name}`,
  "export.cancelled": (_, name) => `canceled the export ${name}`,
  "identity_provider.added": (_, name) => `set up the identity provider ${name}`,
  "identity_provider.removed": (_, name) => `removed the identity provider ${name}`,
  "identity_provider.updated": ({ details }, name) =>
    `changed the ${lists.format(Object.keys(details).map(wordsOf))} of the identity provider ${name}`,
  "import.cancelled": (_, name) => `canceled the import of ${name}`,
  "import.started": (_, name) => `started the import of ${name}`,
  "invitation.accepted": () => "accepted the invitation",
  "invitation.restored": (_, name) => `restored the invitation for ${name}`,
  "invitation.sent": ({ details }, name) => `invited ${name}${details.role ? ` as ${text(details.role)}` : ""}`,
  "invitation.sent_again": (_, name) => `resent the invitation to ${name}`,
  "invitation.withdrawn": (_, name) => `revoked the invitation for ${name}`,
  "member.created": ({ details }, name) => `added ${name}${details.role ? ` as ${text(details.role)}` : ""}`,
  "member.passkey_added": (entry) =>
    `added the passkey “${text(entry.details.passkey)}” to ${whoseIs(entry, "account")}`,
  "member.passkey_removed": (entry) =>
    `removed the passkey “${text(entry.details.passkey)}” from ${whoseIs(entry, "account")}`,
  "member.password_changed": (entry) => `changed ${whoseIs(entry, "password")}`,
  "member.recovery_codes_renewed": (entry) =>
    `created new recovery codes for ${whoseIs(entry, "two-step verification")}`,
  "member.two_step_off": (entry) => `turned off ${whoseIs(entry, "two-step verification")}`,
  "member.two_step_on": (entry) => `turned on ${whoseIs(entry, "two-step verification")}`,
  "member.two_step_reset": (entry) => `reset ${whoseIs(entry, "two-step verification")}`,
  "member.sign_in_paused": (_, name) => `delayed sign-in for ${name} after failed attempts`,
  "member.updated": memberChanged,
  "redirect.created": ({ details }, name) =>
    details.leads_to === "gone"
      ? `marked ${name} as removed`
      : `added a redirect from ${name} to ${text(details.leads_to)}`,
  "redirect.removed": (_, name) => `removed the redirect from ${name}`,
  "redirect.updated": ({ details }, name) => `changed the redirect from ${name} ${fromTo(details.leads_to)}`,
  "role.created": (_, name) => `created the role ${name}`,
  "redirect.restored": (_, name) => `restored the redirect from ${name}`,
  "role.deleted": (_, name) => `deleted the role ${name}`,
  "role.updated": ({ details }, name) =>
    details.name ? `renamed the role ${fromTo(details.name)}` : `changed the permissions of the role ${name}`,
  "session.ended": (_, name) => `signed out ${name}`,
  "session.started": (_, name) => `signed in with ${name}`,
  "sessions.ended": (entry) => `ended ${whoseIs(entry, "sessions")}`,
  "snippet.created": (_, name) => `created the snippet ${name}`,
  "snippet.deleted": (_, name) => `deleted the snippet ${name}`,
  "snippet.updated": (_, name) => `changed the snippet ${name}`,
  "synonym.created": (_, name) => `added the synonym ${name}`,
  "synonym.removed": (_, name) => `removed the synonym ${name}`,
  "synonym.updated": (_, name) => `changed the synonym ${name}`,
  "synonym.restored": (_, name) => `restored the synonym ${name}`,
  "trash.purged": ({ subject }, name) => `permanently deleted the ${subject.kind} ${name}`,
  "file.uploaded": (_, name) => `uploaded the file ${name}`,
  "tag.deleted": (_, name) => `deleted the tag ${name}`,
  "tag.merged": ({ details }, name) => `merged the tag ${name} into “${text(details.into)}”`,
  "tag.renamed": ({ details }) => `renamed the tag ${fromTo(details.name)}`,
  "webhook.created": (_, name) => `added the webhook ${name}`,
  "webhook.deleted": (_, name) => `deleted the webhook ${name}`,
  "webhook.resent": ({ details }, name) =>
    `resent ${details.count === 1 ? "a delivery" : `${text(details.count)} deliveries`} of the webhook ${name}`,
  "webhook.secret_rotated": (_, name) => `rotated the secret of the webhook ${name}`,
  "webhook.switched_off": (_, name) => `switched off the webhook ${name}`,
  "webhook.switched_on": (_, name) => `switched on the webhook ${name}`,
  "webhook.tested": (_, name) => `sent a test to the webhook ${name}`,
  "webhook.updated": ({ details }, name) =>
    `changed the ${lists.format(Object.keys(details).map(wordsOf))} of the webhook ${name}`,
  "workspace.created": () => "created the knowledge base",
  "workspace.deletion_scheduled": () => "scheduled the knowledge base for deletion",
  "workspace.deletion_taken_back": () => "canceled the deletion of the knowledge base",
  "workspace.exported": () => "exported the knowledge base",
  "workspace.updated": workspaceChanged,
};

export function hasWords(action: string): action is keyof typeof sentences {
  return Object.hasOwn(sentences, action);
}

function predicateOf(entry: AuditEntry): string {
  const { action, actor, subject } = entry;
  const isPerson = subject.kind === "member" || subject.kind === "invitation";
  const isPlain = isPerson || subject.kind === "redirect" || subject.kind === "session";
  const name = isPlain ? (subject.person ?? subject.name) : `“${subject.name}”`;
  const known = hasWords(action) && sentences[action];
  if (known) return known(entry, name);
  // Another version may have written actions that this version does not know.
  const verb = wordsOf(action.split(".").slice(1).join(" ") || action);
  if (subject.id !== null && subject.id === actor.id) return verb;
  return isPerson ? `${verb} ${name}` : `${verb} the ${wordsOf(subject.kind)} ${name}`;
}

/** Whether an entry stands for several articles, which are its items. */
export function hasItems({ action, details }: AuditEntry): boolean {
  return action.startsWith("articles.") && Number(details.articles) > 1;
}

const articlesOf = (entry: AuditEntry, name: string) => (hasItems(entry) ? entry.subject.name : `the article ${name}`);

const placesOf = ({ details }: AuditEntry) => `from ${text(details.from)} to ${text(details.to)}`;

const undoing: Record<string, string> = {
  published: "publishing",
  unpublished: "unpublishing",
  moved: "moving",
  tagged: "tagging",
};

function undone(entry: AuditEntry, name: string): string {
  const { undoes, to, tag } = entry.details;
  const words = ["undid", undoing[text(undoes)] ?? "changing", articlesOf(entry, name)];
  if (to) words.push(placesOf(entry));
  if (tag) words.push(`“${text(tag)}”`);
  return words.join(" ");
}

/** Settings of a workspace whose names in the log are not what the pages call them. */
const settings: Record<string, string> = {
  accentColor: "color",
  auditDays: "audit log retention",
  auditIpDays: "IP address retention",
  feedbackEnabled: "feedback setting",
  searchLogEnabled: "search log setting",
};

/** Sentences for settings with two values, by the change as the log writes it. */
const switched: Record<string, Record<string, string>> = {
  feedbackEnabled: {
    "false → true": "turned on feedback",
    "true → false": "turned off feedback",
  },
  searchLogEnabled: {
    "false → true": "turned on the search log",
    "true → false": "turned off the search log",
  },
  twoStepRule: {
    "nobody → administrators": "required two-step verification for administrators",
    "everyone → administrators": "required two-step verification for administrators only",
    "nobody → everyone": "required two-step verification for everyone",
    "administrators → everyone": "required two-step verification for everyone",
    "administrators → nobody": "stopped requiring two-step verification",
    "everyone → nobody": "stopped requiring two-step verification",
  },
  visibility: {
    "members → everyone": "made the knowledge base public",
    "everyone → members": "made the knowledge base members-only",
  },
};

function workspaceChanged({ details }: AuditEntry): string {
  const fields = Object.keys(details);
  const sentences = fields.map((field) => switched[field]?.[text(details[field])]);
  if (fields.length > 0 && sentences.every((verb) => verb !== undefined)) return lists.format(sentences);
  const change = fields.length === 1 ? text(Object.values(details)[0]) : "";
  const names = fields.map((field) => settings[field] ?? wordsOf(field));
  const what = `changed the ${lists.format(names) || "settings"} of the knowledge base`;
  return change.includes(" → ") ? `${what} ${fromTo(change)}` : what;
}

function whoseIs({ actor, subject }: AuditEntry, what: string): string {
  const self = subject.id !== null && subject.id === actor.id;
  return self ? `their own ${what}` : `the ${what} of ${subject.person ?? subject.name}`;
}

function memberChanged(entry: AuditEntry): string {
  const { details, subject } = entry;
  const whose = (what: string) => whoseIs(entry, what);
  const fields = Object.keys(details);
  if (fields.length === 1) {
    if (details.active)
      return `${text(details.active).endsWith("true") ? "reactivated" : "deactivated"} ${subject.person ?? subject.name}`;
    if (details.role) return `changed ${whose("role")} ${fromTo(details.role)}`;
    if (details.email) return `changed ${whose("email")} ${fromTo(details.email)}`;
    if (details.timeZone) return `changed ${whose("time zone")} ${fromTo(details.timeZone)}`;
  }
  return `changed ${whose(lists.format(fields.map(wordsOf)) || "profile")}`;
}

/** "Editor → Admin" as "from Editor to Admin". */
function fromTo(change: unknown): string {
  const [before, ...after] = text(change).split(" → ");
  return after.length > 0 ? `from ${before} to ${after.join(" → ")}` : `to ${before}`;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "nothing";
}

/** The URL of the thing that an entry names, if it still exists and has a page. */
export function addressOfSubject(entry: AuditEntry): string | null {
  const { id, action, subject } = entry;
  if (hasItems(entry)) return `/admin/audit/${id}`;
  if (!subject.there || subject.id === null) return null;
  switch (subject.kind) {
    case "member":
      return `/admin/members/${subject.id}`;
    case "role":
      return `/admin/roles/${subject.id}`;
    case "api_key":
      return "/admin/keys";
    case "invitation":
      return "/admin/members/invitations";
    case "article":
      return `/admin/articles/${subject.id}`;
    case "category":
      return `/admin/categories/${subject.id}`;
    case "import":
      return `/admin/import?run=${subject.id}`;
    case "export":
      return `/admin/export?run=${subject.id}`;
    case "snippet":
      return `/admin/snippets/${subject.id}`;
    case "synonym":
      return `/admin/synonyms/${subject.id}`;
    case "redirect":
      return `/admin/redirects/${subject.id}`;
    case "webhook":
      return `/admin/webhooks/${subject.id}`;
    case "identity_provider":
      return "/admin/settings/provider";
    case "workspace":
      return action === "articles.imported" ? "/admin/articles" : "/admin/settings";
    default:
      return null;
  }
}
