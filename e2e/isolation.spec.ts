import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { Secret, TOTP } from "otpauth";
import { Client } from "pg";
import { expect } from "playwright/test";
import { workspaceUrl } from "@/lib/http/host";
import { hashOfToken } from "@/lib/members/mailed-tokens";
import { handleOf } from "@/lib/members/passkey-answers";
import { hashPassword } from "@/lib/members/passwords";
import { permissions } from "@/lib/members/roles";
import { previewEnds, previewPath } from "@/lib/reader/previews";
import { authSecret, encrypt, signatureOf } from "@/lib/secrets";
import { hostCookie, PASSKEY_COOKIE, SECOND_STEP_COOKIE } from "@/lib/session/cookie";
import { revisionOf } from "@/lib/snippets/snippets";
import { TestAuthenticator } from "@/testing/authenticator";
import { plantCanary } from "@/testing/canary";
import { type Planted, snapshot } from "@/testing/wall";
import { ask, baseUrl, cookieOfMember, expectAccessible, password, personsBrowser, signIn, test } from "./kit";

// Every built page and action is requested at our host for another workspace's things, whose texts all contain one
// word. Anything missing in the tables below fails.

const root = join(import.meta.dirname, "..");

/** Every file in `app` that answers requests, except the external API, which has its own tests. */
const onDisk = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(page|route|sitemap|robots|manifest|[a-z]+-image|icon|apple-icon)\.tsx?$/.test(file))
  .filter((file) => !file.startsWith("api/external/"))
  .sort();

interface Page {
  /** The URLs that request the things of a workspace. None of them contains the word. */
  at: (planted: Planted) => string[];
  /** The table whose text the page shows. By default, the word in any text. */
  text?: string;
  /** Matches the page's text where no column identifies it. */
  marked?: (word: string) => RegExp;
  /** The audience at the other workspace's host. */
  shows: keyof typeof shownTo;
  /** Statuses at our host and at theirs, for answers without the word. */
  status?: [ours: number, theirs: number];
  /** The only request that it answers, with its body. It changes nothing of theirs at our host, but does at theirs. */
  post?: (planted: Planted) => { type: string; body: string };
  /** Requests that need a permission there: members without it are refused. */
  sends?: {
    path: (planted: Planted) => string;
    method: "POST" | "PUT" | "PATCH" | "DELETE";
    type: string;
    body: string;
    /** The answer to a member without permissions; 403 by default. */
    refused?: number;
    status: number;
  }[];
  apex?: true;
}

const invitationLink = randomUUID();
/** Links of members, by purpose. */
const memberLinks = { sign_in: randomUUID(), password_reset: randomUUID(), email_change: randomUUID() };

/** Their member without permissions. */
const powerlessEmail = "powerless@example.com";
/** Actions of every member about themselves, without anyone's id. */
const everybodys = new Set(
  [
    "(reader)/actions.ts submitSignOut",
    "admin/actions.ts submitSignOut",
    "admin/actions.ts submitHideSteps",
    "admin/(signed-in)/account/actions.ts submitEndOthers",
    "admin/(signed-in)/account/actions.ts submitEndAll",
    "admin/(signed-in)/account/actions.ts submitPassword",
    "admin/(signed-in)/account/actions.ts submitPasswordLink",
    "admin/(signed-in)/account/actions.ts submitEmail",
    "admin/(signed-in)/account/actions.ts submitTurnOff",
    "admin/(signed-in)/account/actions.ts submitNewCodes",
    "admin/(signed-in)/account/passkeys/actions.ts startAdding",
    "admin/(signed-in)/account/passkeys/actions.ts submitNewPasskey",
    "admin/(signed-in)/profile/actions.ts submitProfile",
    "admin/invitation/actions.ts submitAccept",
    "admin/sign-in/actions.ts startPasskey",
    "admin/sign-in/actions.ts submitPasskey",
    "admin/sign-in/actions.ts submitSignIn",
    "admin/sign-in/code/actions.ts submitCode",
    "admin/sign-in/link/actions.ts submitAskForLink",
    "admin/sign-in/link/actions.ts submitLink",
    "admin/sign-in/password/actions.ts submitAskForReset",
    "admin/sign-in/password/actions.ts submitReset",
    "admin/two-step/actions.ts submitPrepare",
    "admin/two-step/actions.ts submitTurnOn",
  ].map((name) => `app/sites/[workspace]/${name}`),
);

/** The admin pages that every member may open, whatever their role. */
const everybodysPages = new Set(
  [
    ...["page.tsx", "[...missing]/page.tsx", "account/email/page.tsx", "account/page.tsx", "profile/page.tsx"],
    ...["account/recovery-codes/page.tsx", "account/two-step/page.tsx", "account/passkeys/new/page.tsx"],
  ].map((name) => `sites/[workspace]/admin/(signed-in)/${name}`),
);

/** Whether a page shows something: without a session, with ours, with theirs. */
const shownTo = { anyone: [true, true, true], "its members": [false, false, true], nobody: [false, false, false] };

const pages: Record<string, Page> = {
  "(apex)/[...path]/page.tsx": { apex: true, at: ({ ids }) => [`/${ids.articles}`], shows: "nobody" },
  // Exists only in development.
  "(apex)/components/page.tsx": { apex: true, at: () => ["/components"], shows: "nobody", status: [404, 404] },
  "(apex)/favicon.ico/route.ts": { apex: true, at: () => ["/favicon.ico"], shows: "nobody" },
  "(apex)/find/page.tsx": { apex: true, at: () => ["/find"], shows: "nobody" },
  "(apex)/new/page.tsx": { apex: true, at: () => ["/new"], shows: "nobody" },
  // Says that the subdomain is taken, but not by whom.
  "(apex)/new/subdomain/route.ts": { apex: true, at: () => ["/new/subdomain?of=of-theirs"], shows: "nobody" },
  "(apex)/page.tsx": { apex: true, at: () => ["/"], shows: "nobody" },
  "api/[...path]/route.ts": { at: ({ ids }) => [`/api/${ids.articles}`], shows: "anyone" },
  // Takes archives, shows nothing. carry.spec.ts requests it with other sessions.
  "api/imports/route.ts": {
    at: () => ["/api/imports"],
    shows: "nobody",
    sends: [
      {
        path: () => "/api/imports",
        method: "POST",
        type: "multipart/form-data; boundary=b",
        body: "--b--",
        status: 303,
      },
    ],
  },
  // Takes drafts, shows nothing. writing.spec.ts requests another workspace's drafts.
  "api/drafts/[id]/route.ts": {
    at: ({ ids }) => [`/api/drafts/${ids.bare}`],
    shows: "nobody",
    sends: (["PUT", "POST", "PATCH"] as const).map((method) => ({
      ...{ path: ({ ids }) => `/api/drafts/${ids.bare}`, method, type: "application/json", body: "{}", status: 422 },
    })),
  },
  // Takes files, shows nothing. uploads.spec.ts sends files to another workspace.
  "api/uploads/route.ts": {
    at: ({ ids }) => [`/api/uploads?as=picture&member=${ids.members}`],
    shows: "nobody",
    sends: ["as=logo", "as=image", "as=attachment", "as=picture&member="].map((query) => ({
      path: ({ ids }) => `/api/uploads?${query}${query.endsWith("=") ? ids.memberToChange : ""}`,
      ...{ method: "POST", type: "multipart/form-data; boundary=b", body: "--b--", status: 422 },
      // Answers as if members they may not manage did not exist.
      ...(query.includes("picture") && { refused: 404 }),
    })),
  },
  // An article's text, a category's name. The planted URLs do not contain the word, see below.
  "markdown/[workspace]/articles/[slug]/route.ts": {
    at: () => ["/articles/of-theirs.md"],
    text: "article-live",
    shows: "anyone",
  },
  "markdown/[workspace]/categories/[slug]/route.ts": {
    at: () => ["/categories/of-theirs.md"],
    text: "categories",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/[...path]/page.tsx": { at: ({ ids }) => [`/${ids.articles}`], shows: "anyone" },
  // The planted URLs of articles and categories do not contain the word, see below.
  "sites/[workspace]/(reader)/articles/[slug]/page.tsx": {
    at: () => ["/articles/of-theirs"],
    text: "article-live-rendered",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/categories/page.tsx": { at: () => ["/categories"], text: "categories", shows: "anyone" },
  // The category's name is a heading there.
  "sites/[workspace]/(reader)/categories/[slug]/page.tsx": {
    at: () => ["/categories/of-theirs"],
    text: "categories",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/articles/[slug]/feedback/page.tsx": {
    at: () => ["/articles/of-theirs/feedback?helpful=no"],
    shows: "anyone",
  },
  // Takes forms and shows nothing.
  "sites/[workspace]/(reader)/articles/[slug]/feedback/send/route.ts": {
    at: () => ["/articles/of-theirs/feedback/send"],
    shows: "nobody",
    status: [404, 303],
    post: () => ({ type: "application/x-www-form-urlencoded", body: "helpful=no" }),
  },
  "sites/[workspace]/(reader)/developers/page.tsx": { at: () => ["/developers"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v1/page.tsx": { at: () => ["/developers/v1"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v2/page.tsx": { at: () => ["/developers/v2"], shows: "anyone" },
  "sites/[workspace]/(reader)/feed.xml/route.ts": { at: () => ["/feed.xml"], text: "article-live", shows: "anyone" },
  "sites/[workspace]/(reader)/llms.txt/route.ts": { at: () => ["/llms.txt"], text: "article-live", shows: "anyone" },
  // Pictures.
  "sites/[workspace]/(reader)/og.png/route.ts": { at: () => ["/og.png"], shows: "nobody", status: [200, 200] },
  "sites/[workspace]/(reader)/og/articles/[file]/route.ts": {
    at: () => ["/og/articles/of-theirs.png"],
    shows: "nobody",
    status: [404, 200],
  },
  "sites/[workspace]/(reader)/page.tsx": { at: () => ["/"], shows: "anyone" },
  // Anyone with the link may read it. Ours is not theirs.
  "sites/[workspace]/(reader)/preview/[token]/page.tsx": {
    at: ({ id, ids }) => [previewPath(id, String(ids.bare), previewEnds(), 0)],
    text: "article-drafts",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/robots.txt/route.ts": { at: () => ["/robots.txt"], shows: "anyone" },
  "sites/[workspace]/(reader)/sitemap.xml/route.ts": { at: () => ["/sitemap.xml"], shows: "anyone" },
  "sites/[workspace]/(reader)/sitemaps/[file]/route.ts": { at: () => ["/sitemaps/1.xml"], shows: "anyone" },
  "sites/[workspace]/(reader)/search/log/route.ts": {
    at: () => ["/search/log"],
    shows: "nobody",
    status: [204, 204],
    post: ({ word }) => ({ type: "application/json", body: JSON.stringify({ text: word, opened: false }) }),
  },
  // A prefix of the word finds it.
  "sites/[workspace]/(reader)/search/page.tsx": {
    at: ({ word }) => [`/search?q=${word.slice(0, -2)}`],
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/search/suggestions/route.ts": {
    at: ({ word }) => [`/search/suggestions?q=${word.slice(0, -2)}`],
    text: "article-live-title",
    shows: "anyone",
  },
  // The URL would hold the word, which any page repeats. lib/reader/published-tags.test.ts reads tags as others do.
  "sites/[workspace]/(reader)/tags/[name]/page.tsx": { at: () => ["/tags/of-theirs"], shows: "anyone" },
  "sites/[workspace]/(reader)/tree/route.ts": { at: () => ["/tree"], text: "categories", shows: "anyone" },
  "sites/[workspace]/(reader)/tree/[slug]/route.ts": {
    at: () => ["/tree/of-theirs"],
    text: "articles",
    shows: "anyone",
  },
  "sites/[workspace]/admin/(signed-in)/categories/[id]/articles/page.tsx": {
    at: ({ ids }) => [`/admin/categories/${ids.categories}/articles`],
    text: "articles",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/categories/[id]/delete/page.tsx": {
    at: ({ ids }) => [`/admin/categories/${ids.categories}/delete`],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/categories/[id]/merge/page.tsx": {
    at: ({ ids }) => [`/admin/categories/${ids.categories}/merge`],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/categories/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/categories/${ids.categories}`],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/categories/new/page.tsx": {
    at: ({ ids }) => [`/admin/categories/new?below=${ids.categories}`],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/categories/page.tsx": {
    at: () => ["/admin/categories"],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/articles/${ids.bare}`],
    text: "article-drafts",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/delete/page.tsx": {
    at: ({ ids }) => [`/admin/articles/${ids.articles}/delete`],
    text: "article-drafts",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/preview/page.tsx": {
    at: ({ ids }) => [`/admin/articles/${ids.articles}/preview`],
    text: "article-drafts",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/publish/page.tsx": {
    at: ({ ids }) => [`/admin/articles/${ids.articles}/publish`],
    text: "article-drafts",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/versions/page.tsx": {
    at: ({ ids }) => [`/admin/articles/${ids.articles}/versions`, `/admin/articles/${ids.articles}/versions?from=1`],
    text: "article-versions",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/articles/[id]/review/route.ts": {
    at: ({ ids }) => [`/admin/articles/${ids.articles}/review`],
    text: "article-drafts",
    shows: "its members",
  },
  // Reports whether link targets and a title exist, but none of their content. editor.spec.ts tests its permissions.
  "sites/[workspace]/admin/(signed-in)/articles/[id]/checks/route.ts": {
    at: ({ ids }) => [`/admin/articles/${ids.bare}/checks`],
    shows: "nobody",
    sends: [
      {
        path: ({ ids }) => `/admin/articles/${ids.bare}/checks`,
        ...{ method: "POST", type: "application/json", body: JSON.stringify({ title: "Any", links: [] }), status: 200 },
      },
    ],
  },
  "sites/[workspace]/admin/(signed-in)/articles/new/page.tsx": {
    at: () => ["/admin/articles/new"],
    text: "categories",
    shows: "its members",
  },
  // A prefix of the word finds it.
  "sites/[workspace]/admin/(signed-in)/articles/page.tsx": {
    at: ({ ids, word }) => [
      ...["/admin/articles", `/admin/articles?tag=${ids.tags}`, `/admin/articles?category=${ids.categories}`],
      ...[`/admin/articles?q=${word.slice(0, -2)}`],
    ],
    marked: (word) => new RegExp(`${word}-articles-`),
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/trash/page.tsx": {
    at: () => ["/admin/trash"],
    text: "trash",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/snippets/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/snippets/${ids.snippets}`],
    text: "snippets",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/snippets/new/page.tsx": {
    at: () => ["/admin/snippets/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/snippets/page.tsx": {
    at: () => ["/admin/snippets"],
    text: "snippets",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/tags/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/tags/${ids.tags}`],
    text: "tags",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/tags/page.tsx": {
    at: () => ["/admin/tags"],
    text: "tags",
    shows: "its members",
  },
  // Forgets the browser's own message.
  "sites/[workspace]/admin/flash/route.ts": {
    at: () => ["/admin/flash"],
    shows: "nobody",
    sends: [{ path: () => "/admin/flash", method: "DELETE", type: "text/plain", body: "", refused: 204, status: 204 }],
  },
  // A prefix of the word finds it.
  "sites/[workspace]/admin/find/route.ts": {
    at: ({ word }) => [`/admin/find?q=${word.slice(0, -2)}`],
    text: "categories",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/insights/[list]/csv/route.ts": {
    at: () => ["/admin/insights/top-searches/csv?period=7"],
    text: "searches-term",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/insights/[list]/page.tsx": {
    at: () => ["/admin/insights/top-searches"],
    text: "searches-term",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/insights/page.tsx": {
    at: () => ["/admin/insights"],
    text: "feedback-reason",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/export/[id]/route.ts": {
    at: ({ ids }) => [`/admin/export/${ids.transfers}`],
    shows: "nobody",
  },
  "sites/[workspace]/admin/(signed-in)/export/page.tsx": {
    at: () => ["/admin/export"],
    text: "transfers",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/import/[id]/report/route.ts": {
    at: ({ ids }) => [`/admin/import/${ids.importToBegin}/report`],
    shows: "nobody",
  },
  "sites/[workspace]/admin/(signed-in)/import/page.tsx": {
    at: () => ["/admin/import"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/[...missing]/page.tsx": {
    at: () => ["/admin/nothing/here"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/email/page.tsx": {
    at: () => ["/admin/account/email", `/admin/account/email?token=${memberLinks.email_change}`],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/page.tsx": {
    at: () => ["/admin/account"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/passkeys/[id]/remove/page.tsx": {
    at: ({ ids }) => [`/admin/account/passkeys/${ids.passkeys}/remove`],
    text: "passkeys",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/passkeys/new/page.tsx": {
    at: () => ["/admin/account/passkeys/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/recovery-codes/page.tsx": {
    at: () => ["/admin/account/recovery-codes"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/account/two-step/page.tsx": {
    at: () => ["/admin/account/two-step"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/audit/csv/route.ts": {
    at: () => ["/admin/audit/csv", "/admin/audit/csv?actor=system"],
    text: "audit-entries",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/audit/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/audit/${ids.audit_entries}`],
    text: "audit-items",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/audit/page.tsx": {
    at: () => ["/admin/audit"],
    text: "audit-entries",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/redirects/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/redirects/${ids.redirects}`],
    text: "redirects",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/redirects/new/page.tsx": {
    at: () => ["/admin/redirects/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/redirects/page.tsx": {
    at: () => ["/admin/redirects"],
    text: "redirects",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/synonyms/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/synonyms/${ids.synonyms}`],
    text: "synonyms",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/synonyms/new/page.tsx": {
    at: () => ["/admin/synonyms/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/synonyms/page.tsx": {
    // A prefix of the word finds an article.
    at: ({ word }) => ["/admin/synonyms", `/admin/synonyms?try=${word.slice(0, -2)}`],
    text: "synonyms",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/synonyms/paste/page.tsx": {
    at: () => ["/admin/synonyms/paste"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/appearance/page.tsx": {
    at: () => ["/admin/appearance"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/keys/[id]/rotate/page.tsx": {
    at: ({ ids }) => [`/admin/keys/${ids.api_keys}/rotate`],
    text: "api-keys",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/keys/new/page.tsx": {
    at: () => ["/admin/keys/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/keys/page.tsx": {
    at: () => ["/admin/keys"],
    text: "api-keys",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/[id]/deliveries/[delivery]/page.tsx": {
    at: ({ ids }) => [`/admin/webhooks/${ids.webhook_endpoints}/deliveries/${ids.webhook_deliveries}`],
    text: "webhook-deliveries-body",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/[id]/edit/page.tsx": {
    at: ({ ids }) => [`/admin/webhooks/${ids.webhook_endpoints}/edit`],
    text: "webhook-endpoints-url",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/webhooks/${ids.webhook_endpoints}`],
    text: "webhook-deliveries-event",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/[id]/rotate/page.tsx": {
    at: ({ ids }) => [`/admin/webhooks/${ids.webhook_endpoints}/rotate`],
    text: "webhook-endpoints-description",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/new/page.tsx": {
    at: () => ["/admin/webhooks/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/webhooks/page.tsx": {
    at: () => ["/admin/webhooks"],
    text: "webhook-endpoints-url",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/members/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/members/${ids.members}`],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/members/invitations/page.tsx": {
    at: () => ["/admin/members/invitations"],
    text: "invitations",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/members/invite/page.tsx": {
    at: () => ["/admin/members/invite"],
    text: "roles",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/members/page.tsx": {
    at: () => ["/admin/members"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/page.tsx": { at: () => ["/admin"], text: "members", shows: "its members" },
  "sites/[workspace]/admin/(signed-in)/profile/page.tsx": {
    at: () => ["/admin/profile"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/readers/page.tsx": {
    at: () => ["/admin/readers"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/roles/[id]/page.tsx": {
    at: ({ ids }) => [`/admin/roles/${ids.roles}`],
    text: "roles",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/roles/new/page.tsx": {
    at: () => ["/admin/roles/new"],
    text: "members",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/roles/page.tsx": {
    at: () => ["/admin/roles"],
    text: "roles",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/settings/address/page.tsx": {
    at: () => ["/admin/settings/address"],
    // The title of every page contains the name, even of the page that redirects to the sign-in.
    marked: (word) => new RegExp(`(value="|"defaultValue":")${word}`),
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/settings/delete/page.tsx": {
    at: () => ["/admin/settings/delete"],
    marked: (word) => new RegExp(`Type “${word}`),
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/settings/page.tsx": {
    at: () => ["/admin/settings"],
    marked: (word) => new RegExp(`(value="|"defaultValue":")${word}-workspaces-name-`),
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/settings/provider/page.tsx": {
    at: () => ["/admin/settings/provider"],
    text: "identity-providers-issuer",
    shows: "its members",
  },
  "sites/[workspace]/admin/(signed-in)/settings/provider/remove/page.tsx": {
    at: () => ["/admin/settings/provider/remove"],
    text: "identity-providers-name",
    shows: "its members",
  },
  // Hidden while the workspace is open: see settings-general.spec.ts.
  "sites/[workspace]/admin/closing/page.tsx": {
    at: () => ["/admin/closing"],
    marked: (word) => new RegExp(`${word}[^<>"]* will be deleted`),
    shows: "nobody",
  },
  // Anyone with the link sees the invited email.
  "sites/[workspace]/admin/invitation/page.tsx": {
    at: () => [`/admin/invitation?token=${invitationLink}`],
    text: "invitations",
    shows: "anyone",
  },
  // Redirects until a password or a link was accepted.
  "sites/[workspace]/admin/sign-in/code/page.tsx": {
    at: () => ["/admin/sign-in/code"],
    text: "members",
    shows: "nobody",
  },
  "sites/[workspace]/admin/sign-in/link/page.tsx": {
    at: () => ["/admin/sign-in/link", `/admin/sign-in/link?token=${memberLinks.sign_in}`],
    shows: "anyone",
  },
  "sites/[workspace]/admin/sign-in/password/page.tsx": {
    at: () => ["/admin/sign-in/password", `/admin/sign-in/password?token=${memberLinks.password_reset}`],
    shows: "anyone",
  },
  // Redirects without a body, to the provider or back to the sign-in page.
  "sites/[workspace]/admin/sign-in/oidc/callback/route.ts": {
    at: () => ["/admin/sign-in/oidc/callback?code=a&state=b"],
    shows: "nobody",
  },
  "sites/[workspace]/admin/sign-in/oidc/route.ts": {
    at: () => ["/admin/sign-in/oidc"],
    shows: "nobody",
  },
  "sites/[workspace]/admin/sign-in/page.tsx": { at: () => ["/admin/sign-in"], shows: "anyone" },
  // The title of every page contains the name, even of the page that redirects to the sign-in.
  "sites/[workspace]/admin/two-step/page.tsx": {
    at: () => ["/admin/two-step"],
    marked: () => /Two-step verification is on/,
    shows: "its members",
  },
  // A picture of two initials.
  "sites/[workspace]/avatars/[file]/route.ts": { at: ({ ids }) => [`/avatars/${ids.members}.svg`], shows: "nobody" },
  "sites/[workspace]/favicon.ico/route.ts": { at: () => ["/favicon.ico"], shows: "nobody", status: [200, 200] },
  "sites/[workspace]/icons/[file]/route.ts": { at: () => ["/icons/96.png"], shows: "nobody", status: [200, 200] },
  // A row without a file. hosts.spec.ts tests files.
  "sites/[workspace]/uploads/[id]/route.ts": { at: ({ ids }) => [`/uploads/${ids.uploads}`], shows: "nobody" },
};

interface Action {
  from: string | ((planted: Planted) => string);
  sent: (planted: Planted, email: string) => [name: string, value: string][];
  /** Creates the rows that the action requires. */
  before?: (planted: Planted) => Promise<void>;
  /** Rows it needs in the other workspace, and their state for other actions. */
  needs?: { before?: string; after: string };
  /** Belongs to the base domain, not to a workspace. */
  apex?: true;
  /** Another cookie that the action requires, made once its rows exist. */
  with?: (planted: Planted) => Promise<string>;
  /** Only sets a cookie. */
  cookie?: true;
}

/** A form for an action without state. `formAfter` is for an action with the state that the form was shown with. */
const form = (fields: Record<string, string>): [string, string][] => [
  ...Object.entries(fields).map(([name, value]): [string, string] => [`_1_${name}`, value]),
  ["0", '["$K1"]'],
];
const formAfter = (state: object, fields: Record<string, string>): [string, string][] => [
  ...form(fields).slice(0, -1),
  ["0", JSON.stringify([{ ...state, errors: {} }, "$K1"])],
];

const inside = "app/sites/[workspace]/admin/(signed-in)";

/** A script's arguments to an action. */
const asArguments = (value: object): [string, string][] => [["0", JSON.stringify([value])]];

/** The key in the authenticator app of a member. */
const appKey = new Secret({ size: 20 }).base32;
const codeNow = () => new TOTP({ secret: appKey }).generate();
/** What a passkey answered, once its challenge waits in a browser. */
let passkeyAnswer = "";
/** So that their member can sign in again with the password alone. */
const withoutTwoStep =
  "WITH off AS (DELETE FROM two_step WHERE workspace_id = $1) UPDATE workspaces SET two_step_rule = 'nobody' WHERE id = $1 AND $2 <> ''";

/** The last change of the planted categories. A change must send the version that the member saw. */
const seen = Date.UTC(2026, 0, 1);

/** The actions of the category pages, each with its own category. */
const categoryActions: Record<string, Action> = Object.fromEntries(
  Object.entries<Action["sent"]>({
    submitCreateCategory: ({ ids }) =>
      formAfter({}, { name: "New", parent: String(ids.categories), visibility: "inherit" }),
    submitCategory: ({ ids }) =>
      formAfter({}, { id: String(ids["to-change"]), seen: String(seen), name: "New", visibility: "members" }),
    submitPlace: ({ ids }) =>
      formAfter({}, { id: String(ids["to-place"]), parent: String(ids.categories), position: "1" }),
    submitPlaceBack: ({ ids }) => form({ id: String(ids["to-put-back"]), parent: String(ids.categories) }),
    submitMerge: ({ ids }) => formAfter({}, { id: String(ids["to-merge"]), into: String(ids.categories) }),
    submitDelete: ({ ids }) => formAfter({}, { id: String(ids["to-delete"]), into: String(ids.categories) }),
    submitArticlePlace: ({ ids }) =>
      formAfter({}, { id: String(ids.categories), article: String(ids.articles), position: "2" }),
    moveInTree: ({ ids }) => asArguments({ id: ids["to-move"], to: { parentId: ids.categories, before: null } }),
    editInTree: ({ ids }) => asArguments({ id: ids["to-rename"], name: "New", slug: "", seen }),
    createInTree: ({ ids }) => asArguments({ name: "New", parentId: ids.categories, before: null }),
    deleteInTree: ({ ids }) => asArguments({ id: ids["to-drop"] }),
    restoreInTree: ({ ids }) => asArguments({ id: ids["to-bring-back"] }),
    moveArticle: ({ ids }) => asArguments({ id: ids.categories, article: ids.bare, before: null }),
  }).map(([name, sent]) => [`${inside}/categories/actions.ts ${name}`, { from: "/admin/categories", sent }]),
);

/** The subpage of an article that contains the action, if it is not the article's own page. */
const pagesOfActions: Record<string, string> = {
  submitPublish: "/publish",
  submitUnpublish: "/publish",
  submitDropChanges: "/publish",
  submitRestoreVersion: "/versions",
  submitDeleteArticle: "/delete",
  submitEndPreviews: "/preview",
};

/** The actions of the article and tag pages, each with its own row. */
const writingActions: Record<string, Action> = {
  [`${inside}/articles/actions.ts submitNewArticle`]: {
    from: "/admin/articles/new",
    sent: ({ ids }) => formAfter({ values: {} }, { title: "Newly written", categoryId: String(ids.categories) }),
  },
  [`${inside}/articles/actions.ts submitBulk`]: {
    from: "/admin/articles",
    sent: ({ ids }) => form({ id: String(ids.articles), do: "tag", tag: "new" }),
  },
  [`${inside}/articles/actions.ts submitCancelBulk`]: {
    from: "/admin/articles",
    sent: ({ ids }) => form({ bulk: String(ids.bulkToCancel) }),
  },
  [`${inside}/articles/actions.ts submitDuplicate`]: {
    from: "/admin/articles",
    sent: ({ ids }) => form({ id: String(ids.bare) }),
  },
  [`${inside}/articles/actions.ts submitUndo`]: {
    from: "/admin/articles",
    sent: ({ ids }) => form({ batch: String(ids.batchToUndo) }),
  },
  ...Object.fromEntries(
    Object.entries<Action["sent"]>({
      submitDraft: ({ ids }) =>
        formAfter({ values: {} }, { id: String(ids.articleToSave), revision: "1", title: "New", html: "New" }),
      submitAddress: ({ ids }) =>
        formAfter(
          { values: {} },
          {
            id: String(ids.articleToMove),
            slug: "newer",
            categoryId: String(ids.categories),
            authorId: String(ids.members),
          },
        ),
      submitPublish: ({ ids }) =>
        formAfter(
          { values: {} },
          { id: String(ids.articleToSchedule), revision: "1", when: "later", at: "2027-11-22T10:00" },
        ),
      submitUnschedule: ({ ids }) => formAfter({ values: {} }, { id: String(ids.articleToUnschedule) }),
      submitUnpublish: ({ ids }) => form({ id: String(ids.articleToUnpublish) }),
      submitEndPreviews: ({ ids }) => form({ id: String(ids.articleToSave) }),
      submitDropChanges: ({ ids }) => form({ id: String(ids.articleToDrop), revision: "1" }),
      submitRestoreVersion: ({ ids }) => form({ id: String(ids.articleToRestore), revision: "1", number: "1" }),
      submitDeleteArticle: ({ ids }) => formAfter({ values: {} }, { id: String(ids.articleToDelete), leads: "gone" }),
    }).map(([name, sent]) => [
      `${inside}/articles/[id]/actions.ts ${name}`,
      { from: ({ ids }: Planted) => `/admin/articles/${ids.bare}${pagesOfActions[name] ?? ""}`, sent },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries<Action["sent"]>({
      submitRenameTag: ({ ids }) => formAfter({ values: {} }, { id: String(ids.tagToRename), name: "Renamed" }),
      submitMergeTag: ({ ids }) =>
        formAfter({ values: {} }, { id: String(ids.tagToMerge), into: String(ids.tagToRename) }),
      submitDeleteTag: ({ ids }) => form({ id: String(ids.tagToDelete) }),
    }).map(([name, sent]) => [`${inside}/tags/actions.ts ${name}`, { from: "/admin/tags", sent }]),
  ),
  ...Object.fromEntries(
    Object.entries<Action["sent"]>({
      submitSnippet: ({ ids }) => {
        const revision = revisionOf({ html: "<p>x</p>" });
        return formAfter({ values: {} }, { id: String(ids.snippetToChange), content: "Changed", revision });
      },
      submitDeleteSnippet: ({ ids }) => form({ id: String(ids.snippetToDelete) }),
    }).map(([name, sent]) => [`${inside}/snippets/actions.ts ${name}`, { from: "/admin/snippets", sent }]),
  ),
};

/** The actions of the member pages, each with its own row (see plantMore). */
const memberActions: Record<string, Action> = {
  [`${inside}/insights/actions.ts submitDraft`]: {
    from: "/admin/insights/without-result",
    sent: () => form({ title: "New", period: "7" }),
  },
  [`${inside}/insights/actions.ts submitDiscard`]: {
    from: "/admin/insights/without-result",
    sent: ({ ids }) => form({ id: String(ids.draftToDiscard), period: "7" }),
  },
  [`${inside}/export/actions.ts submitCancelExport`]: {
    from: "/admin/export",
    sent: ({ ids }) => formAfter({ values: {} }, { id: String(ids.exportToCancel) }),
    before: (planted) => putExport(planted, "running"),
  },
  [`${inside}/export/actions.ts submitExport`]: {
    from: "/admin/export",
    sent: () => formAfter({ values: {} }, {}),
    // One at a time.
    before: (planted) => putExport(planted, "cancelled"),
  },
  [`${inside}/import/actions.ts submitCancelImport`]: {
    from: "/admin/import",
    sent: ({ ids }) => formAfter({ values: {} }, { id: String(ids.importToCancel) }),
  },
  [`${inside}/import/actions.ts submitImport`]: {
    from: "/admin/import",
    sent: ({ ids }) => formAfter({ values: {} }, { id: String(ids.importToBegin) }),
  },
  ...categoryActions,
  ...writingActions,
  [`${inside}/account/actions.ts submitEndSession`]: {
    from: "/admin/account",
    sent: ({ ids }) => form({ id: String(ids.sessionToEnd) }),
    before: (planted) => plantSession(planted, "sessionToEnd"),
  },
  [`${inside}/account/actions.ts submitEndOthers`]: {
    from: "/admin/account",
    sent: () => [["0", "[]"]],
    before: (planted) => plantSession(planted, "otherSession"),
  },
  [`${inside}/account/actions.ts submitEndAll`]: { from: "/admin/account", sent: () => [["0", "[]"]] },
  [`${inside}/account/actions.ts submitPassword`]: {
    from: "/admin/account",
    sent: () => formAfter({}, { currentPassword: password, password }),
  },
  [`${inside}/account/actions.ts submitPasswordLink`]: { from: "/admin/account", sent: () => formAfter({}, {}) },
  [`${inside}/account/actions.ts submitEmail`]: {
    from: "/admin/account",
    sent: () => formAfter({}, { currentPassword: password, email: "another@example.com" }),
  },
  [`${inside}/account/actions.ts submitConfirmEmail`]: {
    from: "/admin/account",
    sent: () => formAfter({}, { token: memberLinks.email_change }),
    // Requesting another link ends this one.
    before: (planted) => plantLink(planted, "email_change", planted.ids.members),
  },
  [`${inside}/account/actions.ts submitTurnOff`]: {
    from: "/admin/account/two-step",
    sent: () => formAfter({}, { currentPassword: password, code: codeNow() }),
    before: (planted) => plantTwoStep(planted),
    needs: { after: withoutTwoStep },
  },
  [`${inside}/account/actions.ts submitNewCodes`]: {
    from: "/admin/account/recovery-codes",
    sent: () => formAfter({}, { currentPassword: password, code: codeNow() }),
    before: (planted) => plantTwoStep(planted),
    needs: { after: withoutTwoStep },
  },
  [`${inside}/account/passkeys/actions.ts startAdding`]: {
    from: "/admin/account/passkeys/new",
    sent: () => form({ name: "New", currentPassword: password }),
    cookie: true,
  },
  [`${inside}/account/passkeys/actions.ts submitNewPasskey`]: {
    from: "/admin/account/passkeys/new",
    sent: () => form({ name: "New", answer: passkeyAnswer }),
    with: (planted) => plantPasskeyStep(planted, "add"),
  },
  [`${inside}/account/passkeys/actions.ts submitRemovePasskey`]: {
    from: ({ ids }) => `/admin/account/passkeys/${ids.passkeys}/remove`,
    sent: ({ ids }) => formAfter({}, { id: String(ids.passkeys), currentPassword: password }),
  },
  [`${inside}/appearance/actions.ts submitLogo`]: { from: "/admin/appearance", sent: () => form({}) },
  [`${inside}/appearance/actions.ts submitColor`]: {
    from: "/admin/appearance",
    sent: () => formAfter({ values: {} }, { color: "#123456" }),
  },
  [`${inside}/appearance/actions.ts submitSite`]: {
    from: "/admin/appearance",
    sent: () => formAfter({ values: {} }, { headline: "Help", text: "", contact: "" }),
  },
  [`${inside}/appearance/actions.ts submitFormerColor`]: {
    from: "/admin/appearance",
    sent: () => form({ color: "#654321" }),
  },
  [`${inside}/keys/actions.ts submitCreateKey`]: {
    from: "/admin/keys/new",
    sent: () => formAfter({}, { name: "New", access: "public", expires: "never" }),
  },
  [`${inside}/keys/actions.ts submitRotateKey`]: {
    from: "/admin/keys",
    sent: ({ ids }) => formAfter({}, { id: String(ids.keyToRotate), overlapHours: "24" }),
  },
  [`${inside}/keys/actions.ts submitRevokeKey`]: {
    from: "/admin/keys",
    sent: ({ ids }) => form({ id: String(ids.api_keys) }),
  },
  [`${inside}/webhooks/actions.ts submitCreateWebhook`]: {
    from: "/admin/webhooks/new",
    sent: () => formAfter({}, { url: "https://hooks.example.com/new", events: "import.finished" }),
  },
  [`${inside}/webhooks/actions.ts submitWebhook`]: {
    from: ({ ids }) => `/admin/webhooks/${ids.webhook_endpoints}/edit`,
    sent: ({ ids }) =>
      formAfter(
        { values: {} },
        { id: String(ids.webhookToChange), url: "https://hooks.example.com/changed", events: "import.finished" },
      ),
  },
  [`${inside}/webhooks/actions.ts submitRotateSecret`]: {
    from: ({ ids }) => `/admin/webhooks/${ids.webhook_endpoints}/rotate`,
    sent: ({ ids }) => formAfter({}, { id: String(ids.webhookToChange) }),
  },
  ...Object.fromEntries(
    Object.entries<Action["sent"]>({
      submitTestWebhook: ({ ids }) => form({ id: String(ids.webhookToTest) }),
      submitSwitchWebhook: ({ ids }) => form({ id: String(ids.webhookToSwitch), on: "no" }),
      submitResend: ({ ids }) => form({ id: String(ids.webhookToChange), delivery: String(ids.deliveryToResend) }),
      submitResendFailed: ({ ids }) => form({ id: String(ids.webhookToResend), hours: "24" }),
      submitDeleteWebhook: ({ ids }) => form({ id: String(ids.webhookToDelete) }),
    }).map(([name, sent]) => [
      `${inside}/webhooks/actions.ts ${name}`,
      { from: ({ ids }: Planted) => `/admin/webhooks/${ids.webhook_endpoints}`, sent },
    ]),
  ),
  [`${inside}/members/actions.ts submitMember`]: {
    from: "/admin/members",
    sent: ({ ids }) =>
      formAfter(
        {},
        {
          ...{ id: String(ids.memberToChange), firstName: "New", lastName: "New", email: "change@example.com" },
          ...{ timeZone: "UTC", role: "Spare" },
        },
      ),
  },
  [`${inside}/members/actions.ts submitDeactivate`]: {
    from: "/admin/members",
    sent: ({ ids }) => formAfter({}, { id: String(ids.memberToDeactivate) }),
  },
  [`${inside}/members/actions.ts submitSignOutMember`]: {
    from: "/admin/members",
    sent: ({ ids }) => form({ id: String(ids.memberToChange) }),
    before: (planted) => plantSession(planted, "sessionOfOther", planted.ids.memberToChange),
  },
  [`${inside}/members/actions.ts submitResetTwoStep`]: {
    from: "/admin/members",
    sent: ({ ids }) => formAfter({}, { id: String(ids.memberToChange), currentPassword: password }),
    before: (planted) => plantTwoStep(planted, planted.ids.memberToChange),
  },
  [`${inside}/members/actions.ts submitRemovePasskeys`]: {
    from: "/admin/members",
    sent: ({ ids }) => formAfter({}, { id: String(ids.memberToChange), currentPassword: password }),
    before: (planted) => plantPasskey(planted, planted.ids.memberToChange),
  },
  [`${inside}/members/actions.ts submitReactivate`]: {
    from: "/admin/members",
    sent: ({ ids }) => form({ id: String(ids.memberToReactivate) }),
  },
  [`${inside}/members/actions.ts submitInvite`]: {
    from: "/admin/members/invite",
    sent: () => formAfter({}, { addresses: "new@example.com", role: "Spare" }),
  },
  [`${inside}/members/actions.ts submitResend`]: {
    from: "/admin/members/invitations",
    sent: ({ ids }) => form({ id: String(ids.invitationToResend) }),
  },
  [`${inside}/members/actions.ts submitSendLink`]: {
    from: "/admin/members/invite",
    sent: () => formAfter({}, {}),
  },
  [`${inside}/members/actions.ts submitWithdraw`]: {
    from: "/admin/members/invitations",
    sent: ({ ids }) => form({ id: String(ids.invitationToWithdraw) }),
  },
  [`${inside}/members/actions.ts submitRestore`]: {
    from: "/admin/members/invitations",
    sent: ({ ids }) => form({ id: String(ids.invitationToRestore) }),
  },
  [`${inside}/members/actions.ts submitFormerRole`]: {
    from: "/admin/members",
    sent: ({ ids }) => form({ id: String(ids.memberOfFormerRole), role: "Spare" }),
  },
  [`${inside}/profile/actions.ts submitProfile`]: {
    from: "/admin/profile",
    sent: () => formAfter({}, { firstName: "New", lastName: "New", timeZone: "UTC" }),
  },
  [`${inside}/redirects/actions.ts submitRedirect`]: {
    from: "/admin/redirects",
    sent: ({ ids }) => formAfter({ choices: [] }, { id: String(ids.redirects), leads: "on", to: "/search" }),
  },
  [`${inside}/redirects/actions.ts submitRemoveRedirect`]: {
    from: "/admin/redirects",
    sent: ({ ids }) => form({ id: String(ids.redirectToRemove) }),
  },
  [`${inside}/synonyms/actions.ts submitSynonym`]: {
    from: "/admin/synonyms",
    sent: ({ ids }) => formAfter({}, { id: String(ids.synonyms), term: "new", replacements: "other", ways: "one" }),
  },
  [`${inside}/synonyms/actions.ts submitSynonyms`]: {
    from: "/admin/synonyms/paste",
    sent: () => formAfter({}, { lines: "one = two\nno sign" }),
  },
  [`${inside}/synonyms/actions.ts submitRemoveSynonym`]: {
    from: "/admin/synonyms",
    sent: ({ ids }) => form({ id: String(ids.synonymToRemove) }),
  },
  [`${inside}/synonyms/actions.ts submitPin`]: {
    from: "/admin/synonyms",
    sent: ({ ids }) => form({ term: "new", article: String(ids.articles) }),
  },
  [`${inside}/synonyms/actions.ts submitUnpin`]: {
    from: "/admin/synonyms",
    sent: ({ ids }) => form({ term: "unpin", article: String(ids.articles) }),
  },
  [`${inside}/synonyms/actions.ts submitMovePin`]: {
    from: "/admin/synonyms",
    sent: ({ ids }) => form({ term: "move", article: String(ids.articles), by: "up" }),
  },
  [`${inside}/trash/actions.ts submitRestore`]: {
    from: "/admin/trash",
    sent: ({ ids }) => form({ one: `category:${ids["to-restore"]}` }),
  },
  [`${inside}/trash/actions.ts submitDeletePermanently`]: {
    from: "/admin/trash",
    sent: ({ ids }) => form({ id: `article:${ids.deletedArticle}` }),
  },
  [`${inside}/profile/actions.ts submitPicture`]: {
    from: "/admin/profile",
    sent: ({ ids }) => form({ planted: String(ids.members) }),
  },
  [`${inside}/readers/actions.ts submitReaderOptions`]: {
    from: "/admin/readers",
    // With what the page had shown, which the workspace is set to.
    sent: () =>
      form({
        ...{ visibility: "everyone", feedback: "on" },
        ...{ "seen-visibility": "everyone", "seen-feedback": "on", "seen-searches": "on" },
      }),
  },
  [`${inside}/roles/actions.ts submitRole`]: {
    // The list has no form.
    from: "/admin/roles/new",
    sent: ({ ids }) => formAfter({}, { id: String(ids.roleToChange), name: "Changed", permissions: "articles.write" }),
  },
  [`${inside}/roles/actions.ts submitDeleteRole`]: {
    // The list has no form.
    from: "/admin/roles/new",
    sent: ({ ids }) => form({ id: String(ids.roleToDelete) }),
  },
  [`${inside}/settings/actions.ts submitAddress`]: {
    from: "/admin/settings/address",
    sent: ({ word }) => formAfter({}, { subdomain: `${word}-new` }),
    // One of their former subdomains, so we may not take it.
    needs: {
      before:
        "INSERT INTO former_subdomains (workspace_id, subdomain) VALUES ($1, $2::text || '-new') ON CONFLICT DO NOTHING",
      after: "UPDATE workspaces SET subdomain = $2 WHERE id = $1 AND $2 <> ''",
    },
  },
  [`${inside}/settings/actions.ts submitDelete`]: {
    from: "/admin/settings/delete",
    sent: ({ word }) => formAfter({}, { name: word, currentPassword: password }),
    needs: {
      before: "UPDATE workspaces SET name = $2 WHERE id = $1",
      after: "UPDATE workspaces SET delete_after = NULL WHERE id = $1 AND $2 <> ''",
    },
  },
  "app/sites/[workspace]/admin/closing/actions.ts submitTakeBack": {
    from: "/admin/closing",
    sent: () => form({}),
    needs: {
      before: "UPDATE workspaces SET delete_after = now() + interval '1 day' WHERE id = $1 AND $2 <> ''",
      after: "UPDATE workspaces SET delete_after = NULL WHERE id = $1 AND $2 <> ''",
    },
  },
  [`${inside}/settings/actions.ts submitSettings`]: {
    from: "/admin/settings",
    sent: () =>
      formAfter(
        {},
        {
          ...{ name: "New", language: "en", timeZone: "UTC", rule: "administrators" },
          ...{ entries: "1825", ips: "180", confirmed: "1825 180" },
        },
      ),
    // Only a member who uses two-step verification may require it.
    before: (planted) => plantTwoStep(planted),
    needs: { after: withoutTwoStep.replace("SET", "SET audit_days = NULL,") },
  },
  // Without another issuer, which the server would have to reach.
  [`${inside}/settings/actions.ts submitProvider`]: {
    from: "/admin/settings/provider",
    sent: () =>
      formAfter(
        {},
        { name: "New", issuer: "https://example.com/", clientId: "new", clientSecret: "", newMemberRole: "" },
      ),
    needs: {
      before:
        "UPDATE identity_providers SET issuer = 'https://example.com/', client_id = 'new' WHERE workspace_id = $1 AND $2 <> ''",
      after: "UPDATE identity_providers SET name = $2 WHERE workspace_id = $1",
    },
  },
  [`${inside}/settings/actions.ts submitRemoveProvider`]: {
    from: "/admin/settings/provider/remove",
    sent: () => formAfter({}, {}),
    needs: {
      before: `INSERT INTO identity_providers (workspace_id, name, issuer, client_id, client_secret)
        VALUES ($1, $2, 'https://example.com/', 'new', '') ON CONFLICT DO NOTHING`,
      after: `INSERT INTO identity_providers (workspace_id, name, issuer, client_id, client_secret)
        VALUES ($1, $2, 'https://example.com/', 'new', '') ON CONFLICT DO NOTHING`,
    },
  },
  "app/sites/[workspace]/admin/invitation/actions.ts submitAccept": {
    from: "/admin/invitation",
    sent: () => formAfter({}, { token: invitationLink, firstName: "New", lastName: "New", password }),
  },
};

/** The arguments of each action, encoded like React's, and the page it is sent from. */
const actions: Record<string, Action> = {
  ...memberActions,
  "app/sites/[workspace]/(reader)/actions.ts submitSignOut": { from: "/", sent: () => [["0", "[]"]] },
  "app/sites/[workspace]/admin/sign-in/link/actions.ts submitAskForLink": {
    from: "/admin/sign-in/link",
    sent: (_, email) => formAfter({}, { email }),
  },
  "app/sites/[workspace]/admin/sign-in/link/actions.ts submitLink": {
    from: "/admin/sign-in/link",
    sent: () => formAfter({}, { token: memberLinks.sign_in }),
  },
  "app/sites/[workspace]/admin/sign-in/code/actions.ts submitCode": {
    from: "/admin/sign-in/code",
    sent: () => formAfter({}, { code: codeNow() }),
    before: (planted) => plantTwoStep(planted),
    with: plantSecondStep,
    needs: { after: withoutTwoStep },
  },
  "app/sites/[workspace]/admin/two-step/actions.ts submitPrepare": {
    from: "/admin/two-step",
    sent: () => formAfter({}, {}),
  },
  "app/sites/[workspace]/admin/two-step/actions.ts submitTurnOn": {
    from: "/admin/two-step",
    sent: () => formAfter({}, { currentPassword: password, code: codeNow() }),
    before: (planted) => plantTwoStep(planted, planted.ids.members, null),
    needs: { after: withoutTwoStep },
  },
  "app/sites/[workspace]/admin/sign-in/password/actions.ts submitAskForReset": {
    from: "/admin/sign-in/password",
    sent: (_, email) => formAfter({}, { email }),
  },
  "app/sites/[workspace]/admin/sign-in/password/actions.ts submitReset": {
    from: "/admin/sign-in/password",
    sent: () => formAfter({}, { token: memberLinks.password_reset, password }),
  },
  "app/(apex)/find/actions.ts submitFind": {
    from: "/find",
    sent: (_, address) => formAfter({ values: {} }, { email: address }),
    apex: true,
  },
  "app/(apex)/new/actions.ts submitNew": {
    from: "/new",
    sent: ({ word }, address) => {
      const person = { firstName: "New", lastName: "New", email: address, password };
      return formAfter({ values: {} }, { name: "New", subdomain: word, ...person });
    },
    apex: true,
  },
  "app/sites/[workspace]/admin/actions.ts submitHideSteps": { from: "/admin", sent: () => form({}), cookie: true },
  "app/sites/[workspace]/admin/actions.ts submitSignOut": { from: "/admin", sent: () => [["0", "[]"]] },
  "app/sites/[workspace]/admin/sign-in/actions.ts startPasskey": {
    from: "/admin/sign-in",
    sent: () => [["0", "[]"]],
    cookie: true,
  },
  "app/sites/[workspace]/admin/sign-in/actions.ts submitPasskey": {
    from: "/admin/sign-in",
    sent: () => form({ answer: passkeyAnswer }),
    with: (planted) => plantPasskeyStep(planted, "sign in"),
  },
  "app/sites/[workspace]/admin/sign-in/actions.ts submitSignIn": {
    from: "/admin/sign-in",
    sent: (_, email) => [
      ["_1_email", email],
      ["_1_password", password],
      ["0", '[{"email":""},"$K1"]'],
    ],
  },
};

let owner: Client;
let canary: Planted;
let email: string;

test.beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  canary = await plantCanary(owner);
  for (const table of ["categories", "articles"]) {
    await owner.query(`UPDATE ${table} SET slug = 'of-theirs' WHERE workspace_id = $1 AND id = $2`, [
      canary.id,
      canary.ids[table],
    ]);
  }
  const { rows } = await owner.query<{ email: string }>(
    "UPDATE members SET password_hash = $2 WHERE workspace_id = $1 RETURNING email",
    [canary.id, await hashPassword(password)],
  );
  email = rows[0]?.email ?? "";
  await plantMore();
});
// Their member signs in with the password alone.
test.beforeEach(() => owner.query(withoutTwoStep, [canary.id, canary.word]));
test.afterAll(() => owner.end());

/** Rows for the actions of members, one for each action, and a role that may run them all. */
async function plantMore(): Promise<void> {
  const { id: workspace, ids } = canary;
  const insert = async (name: string, table: string, row: Record<string, unknown>) => {
    const whole = { workspace_id: workspace, id: (ids[name] = randomUUID()), ...row };
    const places = Object.keys(whole).map((_, index) => `$${index + 1}`);
    await owner.query(
      `INSERT INTO ${table} (${Object.keys(whole).join()}) VALUES (${places.join()})`,
      Object.values(whole),
    );
  };
  await owner.query("UPDATE roles SET permissions = $2 WHERE workspace_id = $1", [workspace, permissions]);
  await owner.query(
    "UPDATE invitations SET token_hash = $2, expires_at = now() + interval '1 day' WHERE workspace_id = $1",
    [workspace, hashOfToken(invitationLink)],
  );
  await insert("role", "roles", { name: "Spare", permissions: [] });
  for (const name of ["roleToChange", "roleToDelete"]) await insert(name, "roles", { name, permissions: [] });
  for (const name of [
    ...["memberToChange", "memberToDeactivate", "memberToReactivate", "memberWithLink", "memberWithReset"],
  ]) {
    const active = name !== "memberToReactivate";
    const person = { email: `${name}@example.com`, first_name: name, last_name: name };
    await insert(name, "members", { ...person, role_id: ids.role, active });
  }
  const powerless = { email: powerlessEmail, first_name: "No", last_name: "Permission", role_id: ids.role };
  await insert("powerless", "members", { ...powerless, password_hash: await hashPassword(password) });
  const holder = { email: "holder@example.com", first_name: "Holder", last_name: "Holder", role_id: ids.roles };
  await insert("memberOfFormerRole", "members", holder);
  for (const name of ["invitationToResend", "invitationToWithdraw", "invitationToRestore"]) {
    const withdrawn_at = name === "invitationToRestore" ? new Date() : null;
    const link = { token_hash: hashOfToken(name), expires_at: new Date(Date.now() + 86_400_000), withdrawn_at };
    await insert(name, "invitations", { email: `${name}@example.com`, role_id: ids.role, ...link });
  }
  const draft = { title: "Draft", html: `${canary.word}-article-drafts-html`, text: "Draft", updated_by: ids.members };
  await insert("draft", "article_drafts", { id: ids.bare, ...draft });
  const unwanted = { permalink: "a-0000d15c", slug: "discard", title: "Discard", state: "draft" };
  await insert("draftToDiscard", "articles", { ...unwanted, category_id: ids.categories, author_id: ids.members });
  await owner.query(
    "INSERT INTO article_drafts (workspace_id, id, title, html, text) VALUES ($1, $2, 'Discard', '', '')",
    [...[workspace, ids.draftToDiscard]],
  );
  const published = ["articleToUnpublish", "articleToDrop", "articleToDelete"];
  const drafted = ["articleToSave", "articleToMove", "articleToRestore", "articleToSchedule", "articleToUnschedule"];
  for (const [index, name] of [...published, ...drafted].entries()) {
    const row = { permalink: `a-0000000${index}`, slug: name.toLowerCase(), title: name };
    const publish_at = name === "articleToUnschedule" ? new Date(Date.now() + 86_400_000) : null;
    const state = published.includes(name) ? "published" : "draft";
    const place = { category_id: ids.categories, author_id: ids.members };
    await insert(name, "articles", { ...row, ...place, state, publish_at });
    const text = { id: ids[name], title: name, html: `<p>${name}</p>`, text: name };
    const live = { ...text, rendered_html: text.html, excerpt: name, markdown: name };
    if (state === "published") await insert(`${name}Live`, "article_live", live);
    await insert(`${name}Draft`, "article_drafts", { ...text, html: "<p>Changed</p>", updated_by: ids.members });
  }
  const version = { number: 1, kind: "publish", title: "Former", html: "<p>Former</p>" };
  await insert("version", "article_versions", { article_id: ids.articleToRestore, ...version });
  for (const name of ["tagToRename", "tagToMerge", "tagToDelete"]) {
    await insert(name, "tags", { name, name_folded: name.toLowerCase() });
  }
  await insert("snippetToDelete", "snippets", { name: "to-delete", html: "<p>x</p>", text: "x" });
  await insert("snippetToChange", "snippets", { name: "to-change", html: "<p>x</p>", text: "x" });
  const trash = (name: string, kind: string, rows: object, more: Record<string, unknown> = {}) => {
    const by = { deleted_by_name: name, until: new Date(Date.now() + 86_400_000), batch: randomUUID() };
    return insert(name, "trash", { kind, title: name, rows, ...by, ...more });
  };
  await trash("deletedArticle", "article", { articles: [{ title: "Deleted" }] });
  ids.batchToUndo = randomUUID();
  await trash("undo", "undo", { articles: [{ id: ids.bare }] }, { batch: ids.batchToUndo });
  // No job takes it, because its last progress is in the future.
  const bulk = { action: "moved", state: "running", ids: [ids.bare], updated_at: new Date(Date.now() + 86_400_000) };
  await insert("bulkToCancel", "bulk_actions", { ...bulk, created_by: ids.members, created_by_name: "Canary" });
  const archives = { exportToCancel: "export", importToCancel: "import", importToBegin: "import" };
  for (const [name, kind] of Object.entries(archives)) {
    const by = { created_by_name: name, state: name === "exportToCancel" ? "running" : "ready" };
    await insert(name, "transfers", { kind, filename: name, ...by });
  }
  await plantLink(canary, "sign_in", ids.memberWithLink);
  await plantLink(canary, "password_reset", ids.memberWithReset);
  await plantLink(canary, "email_change", ids.members);
  await insert("redirectToRemove", "redirects", { from_path: "/to-remove", kind: "gone" });
  const synonym = { term: "remove", term_folded: "remove", replacements: ["x"], replacements_folded: ["x"] };
  await insert("synonymToRemove", "synonyms", synonym);
  const pins = [
    ["unpin", ids.articles],
    ["move", ids.bare],
    ["move", ids.articles],
  ];
  for (const [position, [term = "", article_id]] of pins.entries())
    await insert(`pin${position}`, "search_pins", { term, term_folded: term, article_id, position });
  const key = { key_hash: hashOfToken("keyToRotate"), last_four: "last", scopes: "{content.read}" };
  await insert("keyToRotate", "api_keys", { name: "keyToRotate", ...key });
  // Their secret can't be decrypted, so nothing is sent. A ping is tried once, and no other action causes their event.
  for (const name of ["webhookToChange", "webhookToSwitch", "webhookToTest", "webhookToResend", "webhookToDelete"]) {
    const webhook = { url: "https://hooks.example.com/", events: ["import.finished"], secret: Buffer.from("x") };
    await insert(name, "webhook_endpoints", webhook);
  }
  const failed = { event: "ping", body: "{}", state: "failed" };
  await insert("deliveryToResend", "webhook_deliveries", { ...failed, endpoint_id: ids.webhookToChange });
  await insert("failedDelivery", "webhook_deliveries", { ...failed, endpoint_id: ids.webhookToResend });
  const places = ["change", "place", "put-back", "merge", "delete", "move", "rename", "drop"].map(
    (what) => `to-${what}`,
  );
  for (const name of places) await insert(name, "categories", { name, slug: name, updated_at: new Date(seen) });
  const time = new Date().toISOString();
  for (const name of ["to-restore", "to-bring-back"]) {
    const id = randomUUID();
    const row = {
      workspace_id: workspace,
      id,
      name,
      slug: name,
      parent_id: null,
      visibility: "inherit",
      created_at: time,
      updated_at: time,
    };
    const moved = { into: null, count: 0, articles: [], categories: [] };
    await trash(name, "category", { categories: [row] }, { id, details: moved });
    ids[name] = id;
  }
}

/** A member's link. The email that one of them confirms differs only in case, so sign-in keeps working. */
async function plantLink(
  planted: Planted,
  purpose: keyof typeof memberLinks,
  member: string | undefined,
): Promise<void> {
  await owner.query(
    `INSERT INTO member_tokens (workspace_id, member_id, purpose, token_hash, new_email, expires_at)
     SELECT $1, id, $2, $3, CASE $2 WHEN 'email_change' THEN upper(left(email, 1)) || substr(email, 2) END,
       now() + interval '1 day' FROM members WHERE workspace_id = $1 AND id = $4
     ON CONFLICT (workspace_id, token_hash) DO NOTHING`,
    [planted.id, purpose, hashOfToken(memberLinks[purpose]), member],
  );
}

/** Two-step verification of a member who has the app. None of its codes was used. */
async function plantTwoStep(planted: Planted, member = planted.ids.members, on: Date | null = new Date()) {
  await owner.query(
    `INSERT INTO two_step (workspace_id, id, secret, on_since) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, id) DO UPDATE SET secret = excluded.secret, last_step = 0, on_since = excluded.on_since`,
    [planted.id, member, Buffer.from(encrypt(appKey, "two_step", String(member))), on],
  );
}

/** A sign-in of their member that waits for a code. @returns the browser's cookie */
async function plantSecondStep({ id, ids }: Planted): Promise<string> {
  const token = randomUUID();
  await owner.query(
    `INSERT INTO member_tokens (workspace_id, member_id, purpose, token_hash, expires_at)
     VALUES ($1, $2, 'second_step', $3, now() + interval '1 day')`,
    [id, ids.members, signatureOf("second_step", token)],
  );
  const { name } = hostCookie(SECOND_STEP_COOKIE, baseUrl);
  const step = { workspace: id, token, proof: "password" };
  return `${name}=${await encode({ token: step, secret: authSecret(), salt: name })}`;
}

async function plantPasskey(
  { id }: Planted,
  memberId: unknown,
  device: { id: string; publicKey: Uint8Array } = { id: randomUUID(), publicKey: Buffer.of(1) },
) {
  await owner.query(
    `INSERT INTO passkeys (workspace_id, member_id, credential_id, public_key, counter, name)
     VALUES ($1, $2, $3, $4, 0, 'Phone')`,
    [id, memberId, Buffer.from(device.id, "base64url"), Buffer.from(device.publicKey)],
  );
}

/** A challenge that waits in a browser, and the answer of their member's device. @returns the browser's cookie */
async function plantPasskeyStep(planted: Planted, to: "add" | "sign in"): Promise<string> {
  const { id, word, ids } = planted;
  const { origin, hostname } = new URL(urlOf(word));
  const device = new TestAuthenticator({ origin, host: hostname });
  const challenge = Buffer.from(randomUUID()).toString("base64url");
  passkeyAnswer = device.create({ challenge, user: { id: handleOf(String(ids.members)) } });
  if (to === "sign in") {
    await plantPasskey(planted, ids.members, device);
    passkeyAnswer = device.get({ challenge });
  }
  const { name } = hostCookie(PASSKEY_COOKIE, baseUrl);
  const { rows } = await owner.query<{ id: string }>(
    `SELECT id FROM sessions WHERE workspace_id = $1 AND member_id = $2 AND authenticated_at IS NOT NULL
     ORDER BY created_at DESC LIMIT 1`,
    [id, ids.members],
  );
  const step = { workspace: id, session: to === "add" ? (rows[0]?.id ?? null) : null, challenge };
  return `${name}=${await encode({ token: step, secret: authSecret(), salt: name })}`;
}

async function putExport(planted: Planted, state: string): Promise<void> {
  // Only one may run at a time.
  await owner.query("UPDATE transfers SET state = 'cancelled' WHERE workspace_id = $1 AND kind = 'export'", [
    planted.id,
  ]);
  await owner.query("UPDATE transfers SET state = $3 WHERE workspace_id = $1 AND id = $2", [
    ...[planted.id, planted.ids.exportToCancel, state],
  ]);
}

/** Waits until no background work is left, and drops what would be tried later: the next check would blame an action for it. */
async function settled(planted: Planted): Promise<void> {
  const left = async () => {
    await owner.query(
      `DELETE FROM graphile_worker._private_jobs
       WHERE payload->>'workspace_id' = $1::text AND key IS NULL AND locked_at IS NULL AND run_at > now()`,
      [planted.id],
    );
    const { rows } = await owner.query<{ task: string }>(
      `SELECT t.identifier AS task FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE j.payload->>'workspace_id' = $1::text AND (j.key IS NULL OR j.run_at <= now()) AND j.attempts < j.max_attempts`,
      [planted.id],
    );
    return rows.map(({ task }) => task);
  };
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
}

async function plantSession(planted: Planted, name: string, member = planted.ids.members): Promise<void> {
  await owner.query(
    "INSERT INTO sessions (workspace_id, id, member_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [planted.id, (planted.ids[name] = randomUUID()), member],
  );
}

const urlOf = (subdomain: string) => workspaceUrl(subdomain, baseUrl);
/** Where one of their members signs in. */
const theirDoor = (address = email) => ({ id: canary.id, url: urlOf(canary.word), email: address });

/** The same cookie, unless an earlier request has ended its session. */
async function stillSignedIn(door: ReturnType<typeof theirDoor>, cookie: string): Promise<string> {
  const { status } = await ask(new URL(door.url).host, "/admin", { headers: { Cookie: cookie } });
  return status === 200 ? cookie : cookieOfMember(door);
}

test("every file that answers requests is in the table of pages", () => {
  expect(onDisk).toEqual(Object.keys(pages).sort());
});

test("no page shows another workspace's texts to anyone or to our member, and it does show them to theirs who may see it", async ({
  aWorkspace,
}) => {
  // Requests some two hundred pages.
  test.setTimeout(120_000);
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const mine = await cookieOfMember(ours);
  const theirs = await cookieOfMember(theirDoor());
  const powerless = await cookieOfMember(theirDoor(powerlessEmail));
  await plantTwoStep(canary);
  const hostOf = ({ apex }: Page, subdomain: string) => new URL(apex ? baseUrl : urlOf(subdomain)).host;

  for (const [file, page] of Object.entries(pages)) {
    // Also as the browser fetches a page during navigation.
    const kinds: { query: string; headers: Record<string, string> }[] = [{ query: "", headers: {} }];
    if (file.endsWith("page.tsx")) kinds.push({ query: "?_rsc", headers: { RSC: "1" } });
    for (const [path, { query, headers }] of page
      .at(canary)
      .flatMap((at) => kinds.map((kind) => [at, kind] as const))) {
      const get = (subdomain: string, Cookie: string) =>
        ask(hostOf(page, subdomain), path + (path.includes("?") ? query.replace("?", "&") : query), {
          headers: { ...headers, Cookie },
        });
      for (const cookie of ["", mine]) {
        const answer = JSON.stringify(await get(ours.subdomain, cookie));
        expect([file, path, answer.includes(canary.word)]).toEqual([file, path, false]);
      }
      if (page.status && !page.post) {
        const [here, there] = [await get(ours.subdomain, mine), await get(canary.word, theirs)];
        expect([file, here.status, there.status]).toEqual([file, ...page.status]);
        expect([file, here.body === there.body]).toEqual([file, false]);
      }
      const shown: boolean[] = [];
      const text = page.marked?.(canary.word) ?? new RegExp(page.text ? `${canary.word}-${page.text}-` : canary.word);
      for (const cookie of ["", mine, theirs]) shown.push(text.test((await get(canary.word, cookie)).body));
      expect([file, path, ...shown]).toEqual([file, path, ...shownTo[page.shows]]);
      // Nor does one of their members find it if their role has no permissions.
      if (!file.includes("/admin/(signed-in)/") || everybodysPages.has(file)) continue;
      const { status, body } = await get(canary.word, powerless);
      if (query === "")
        expect([file, path, status]).toEqual([file, path, file.endsWith("/checks/route.ts") ? 405 : 404]);
      expect([file, path, page.shows === "its members" && text.test(body)]).toEqual([file, path, false]);
    }
  }
});

for (const half of [0, 1]) {
  test(`every page of the admin UI holds against axe's rules in both themes, half ${half + 1} of 2`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext();
    const page = await context.newPage();
    const ofAdmin = Object.entries(pages).filter(([file]) => /\/admin\/.*page\.tsx$/.test(file));
    expect(ofAdmin.length).toBeGreaterThan(50);
    for (const [, { at }] of ofAdmin.filter(([file], index) => index % 2 === half && !file.includes("(signed-in)"))) {
      await page.goto(urlOf(canary.word) + (at(canary)[0] ?? ""));
      await expectAccessible(page);
    }
    await signIn(page, theirDoor());
    await plantTwoStep(canary);
    for (const [file, { at }] of ofAdmin.filter(
      ([file], index) => index % 2 === half && file.includes("(signed-in)"),
    )) {
      await page.goto(urlOf(canary.word) + (at(canary)[0] ?? ""));
      await expect(page.getByRole("heading", { level: 1 }), file).toBeVisible();
      await expectAccessible(page);
    }
    await context.close();
  });
}

test("what is posted at our host changes no row of another workspace, and does at theirs", async ({ aWorkspace }) => {
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const mine = await cookieOfMember(ours);
  for (const [file, { at, post, status = [] }] of Object.entries(pages)) {
    if (!post) continue;
    const { type, body } = post(canary);
    const send = async (subdomain: string, Cookie: string) => {
      const headers = { "Content-Type": type, "User-Agent": personsBrowser, Origin: urlOf(subdomain), Cookie };
      const path = at(canary)[0] ?? "";
      return (await ask(new URL(urlOf(subdomain)).host, path, { method: "POST", headers, body })).status;
    };
    const before = (await snapshot(owner, canary.id)).split("\n");
    const added = async () => {
      const rows = (await snapshot(owner, canary.id)).split("\n");
      return [file, rows.filter((row) => !before.includes(row)).length, rows.length - before.length];
    };
    for (const cookie of ["", mine]) expect([file, await send(ours.subdomain, cookie)]).toEqual([file, status[0]]);
    expect(await added()).toEqual([file, 0, 0]);
    // Later writes keep their order: the one row is from their host.
    expect([file, await send(canary.word, "")]).toEqual([file, status[1]]);
    await expect.poll(added).toEqual([file, 1, 1]);
  }
});

test("what is sent to a route takes the permission that it says, and nobody else changes a row by it", async ({
  aWorkspace,
}) => {
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const mine = await cookieOfMember(ours);
  const theirs = await cookieOfMember(theirDoor());
  const powerless = await cookieOfMember(theirDoor(powerlessEmail));
  for (const [file, { post, sends }] of Object.entries(pages)) {
    const takes = /^export (async )?function (POST|PUT|PATCH|DELETE)\b/m.test(
      readFileSync(join(root, "app", file), "utf8"),
    );
    expect([file, takes && !post && !sends]).toEqual([file, false]);
    for (const { path, method, type, body, status, refused: powerlessly = 403 } of sends ?? []) {
      const send = async (subdomain: string, Cookie: string) => {
        const headers = { "Content-Type": type, Accept: "application/json", Origin: urlOf(subdomain), Cookie };
        return (await ask(new URL(urlOf(subdomain)).host, path(canary), { method, headers, body })).status;
      };
      await settled(canary);
      const before = await snapshot(owner, canary.id);
      const refused = [await send(canary.word, ""), await send(canary.word, mine), await send(canary.word, powerless)];
      // Signed-out visitors get 401, or the sign-in page.
      const out = refused[0] === 303 ? 303 : 401;
      expect([file, path(canary), ...refused]).toEqual([file, path(canary), out, out, powerlessly]);
      expect([file, await send(ours.subdomain, mine)]).not.toEqual([file, 500]);
      expect([file, path(canary), await send(canary.word, theirs)]).toEqual([file, path(canary), status]);
      // The input is invalid, so no row may change.
      expect([file, await snapshot(owner, canary.id)]).toEqual([file, before]);
    }
  }
});

test("no action that a member of ours sends changes a row of another workspace, and each does where it belongs", async ({
  aWorkspace,
}) => {
  test.setTimeout(180_000);
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const manifest = JSON.parse(readFileSync(join(root, ".next/server/server-reference-manifest.json"), "utf8")) as {
    node: Record<string, { filename: string; exportedName: string }>;
  };
  const built = Object.entries(manifest.node).map(([id, planted]) => ({
    id,
    name: `${planted.filename} ${planted.exportedName}`,
  }));
  expect(built.map(({ name }) => name).sort()).toEqual(Object.keys(actions).sort());

  let [mine, theirs, powerless] = ["", "", ""];
  for (const { id, name } of built) {
    const {
      from,
      sent,
      before: prepare,
      needs,
      apex,
      with: another,
      cookie: isCookie = false,
    } = actions[name] as (typeof actions)[string];
    let more = "";
    const send = async (subdomain: string | null, Cookie: string, origin?: object) => {
      const form = new FormData();
      for (const [key, value] of sent(canary, email)) form.set(key, value);
      const { headers, body } = await encoded(form);
      const at = subdomain === null ? baseUrl : urlOf(subdomain);
      const answer = { ...headers, "Next-Action": id, ...(origin ?? { Origin: at }), Cookie: Cookie + more };
      const path = typeof from === "string" ? from : from(canary);
      return (await ask(new URL(at).host, path, { method: "POST", headers: answer, body })).status;
    };
    mine = await stillSignedIn(ours, mine);
    theirs = await stillSignedIn(theirDoor(), theirs);
    powerless = await stillSignedIn(theirDoor(powerlessEmail), powerless);
    await prepare?.(canary);
    if (another) more = `; ${await another(canary)}`;
    if (needs?.before) await owner.query(needs.before, [canary.id, canary.word]);
    await settled(canary);
    const before = await snapshot(owner, canary.id);
    for (const cookie of [mine, ""]) expect([name, await send(ours.subdomain, cookie)]).not.toEqual([name, 500]);
    // apex.spec.ts tests these. They change nothing about existing workspaces.
    if (apex) for (const host of [null, canary.word]) expect([name, await send(host, theirs)]).not.toEqual([name, 500]);
    expect([name, await snapshot(owner, canary.id)]).toEqual([name, before]);
    if (apex) continue;
    // Nor does a request from another site, or from their member without permissions.
    for (const origin of [{}, { Origin: "http://elsewhere.example" }, { Origin: urlOf(ours.subdomain) }]) {
      expect([name, origin, await send(canary.word, theirs, origin)]).toEqual([name, origin, 403]);
    }
    if (!everybodys.has(name)) expect([name, await send(canary.word, powerless)]).not.toEqual([name, 500]);
    expect([name, await snapshot(owner, canary.id)]).toEqual([name, before]);
    const status = await send(canary.word, theirs);
    expect([name, status, (await snapshot(owner, canary.id)) === before]).toEqual([name, status, isCookie]);
    if (needs) await owner.query(needs.after, [canary.id, canary.word]);
  }
});

/** A form as the browser encodes it. */
async function encoded(form: FormData): Promise<{ headers: Record<string, string>; body: string }> {
  const request = new Request("http://form", { method: "POST", body: form });
  return { headers: { "Content-Type": request.headers.get("content-type") ?? "" }, body: await request.text() };
}
