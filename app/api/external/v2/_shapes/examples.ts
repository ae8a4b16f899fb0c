import type { z } from "zod";
import type { Pagination } from "@/lib/api/input";
import type { ArticleDetails, ArticleItem, ArticleMeta } from "./article";
import type { WrittenAnswer } from "./article-answer";
import type { AuditEntryDetails } from "./audit-entry";
import type { CategoryDetails } from "./category";
import type { DraftAnswer, VersionDetails, VersionItem } from "./draft";
import type { ArticleInsightDetails, FeedbackInsightDetails, SearchInsightDetails } from "./insights";
import type { InvitationDetails } from "./invitation";
import type { SearchMatch } from "./match";
import type { TeamMember } from "./member";
import type { RedirectDetails } from "./redirect";
import type { SynonymDetails } from "./synonym";
import type { TagDetails } from "./tag";
import type { DeliveryDetails, WebhookDetails } from "./webhook";

// An invented help center, for the examples in the document. A test checks each against its schema.

const home = "https://docs.example.com";
const account = "5f2c7d1e-8a4b-4c6d-9e0f-1a2b3c4d5e6f";
const signIn = "6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70";
const resetPassword = "c1a5f0b2-3d4e-4f60-8a9b-0c1d2e3f4a5b";
const twoFactor = "d2b6a1c3-4e5f-4061-9bac-1d2e3f4a5b6c";
const changeEmail = "e3c7b2d4-5f60-4172-8cbd-2e3f4a5b6c7d";

const link = (id: string, slug: string, title: string) => ({
  id,
  title,
  slug,
  url: `/articles/${slug}`,
  full_url: `${home}/articles/${slug}`,
});

export const aPage: z.input<typeof Pagination> = {
  total_records: 1,
  total_pages: 1,
  current_page_number: 1,
  page_size: 30,
};

const signInCategory: z.input<typeof CategoryDetails> = {
  id: signIn,
  name: "Sign-in",
  description: null,
  slug: "sign-in",
  sequence: 1,
  visibility: "public",
  visibility_setting: "inherit",
  parent_id: account,
  depth: 1,
  articles_count: 2,
  categories_count: 0,
  total_articles_count: 2,
  url: `${home}/categories/sign-in`,
  ancestors: [{ id: account, name: "Your account", url: `${home}/categories/your-account` }],
  children: [],
  subcategories: [],
  articles: [
    {
      id: resetPassword,
      url: `${home}/articles/reset-your-password`,
      title: "Reset your password",
      created_at: "2026-01-12T09:30:00.000Z",
      content: "Open the sign-in page and select Forgot password. We send you a link that works for one hour.",
    },
    {
      id: twoFactor,
      url: `${home}/articles/two-step-verification`,
      title: "Two-step verification",
      created_at: "2026-01-14T15:05:00.000Z",
      content: "A second step protects your account even if someone knows your password.",
    },
  ],
};

export const aCategory: z.input<typeof CategoryDetails> = {
  id: account,
  name: "Your account",
  description: "Sign-in, billing, and people.",
  slug: "your-account",
  sequence: 1,
  visibility: "public",
  visibility_setting: "inherit",
  parent_id: null,
  depth: 0,
  articles_count: 0,
  categories_count: 1,
  total_articles_count: 2,
  url: `${home}/categories/your-account`,
  ancestors: [],
  children: [signIn],
  subcategories: [signInCategory],
  articles: [],
};

/** Without its articles and subcategories, as in `category=summary` and after changes to an article. */
const { subcategories: _, articles: __, ...signInSummary } = signInCategory;

export const anArticleItem: z.input<typeof ArticleItem> = {
  id: resetPassword,
  slug: "reset-your-password",
  title: "Reset your password",
  state: "published",
  visibility: "public",
  unique_views_count: 1284,
  category: { id: signIn, name: "Sign-in" },
  created_at: "2026-01-12T09:30:00.000Z",
  updated_at: "2026-01-31T16:20:00.000Z",
  full_url: `${home}/articles/reset-your-password`,
};

export const anArticle: z.input<typeof ArticleDetails> = {
  id: resetPassword,
  slug: "reset-your-password",
  title: "Reset your password",
  state: "published",
  visibility: "public",
  created_at: "2026-01-12T09:30:00.000Z",
  updated_at: "2026-01-31T16:20:00.000Z",
  full_url: `${home}/articles/reset-your-password`,
  url: "/articles/reset-your-password",
  html_content:
    '<h2 id="ask-for-a-link">Ask for a link</h2><p>Open the sign-in page and select <strong>Forgot password</strong>.</p>',
  content: "Ask for a link\n\nOpen the sign-in page and select Forgot password.",
  author: {
    name: "Ada Lovelace",
    email: "ada@example.com",
    profile_image_url: `${home}/avatars/0f1e2d3c-4b5a-4697-8877-665544332211.svg`,
  },
  category: signInSummary,
  tags: [{ id: "7b4e9f30-ac6d-4e8f-9021-3c4d5e6f7081", name: "security" }],
  attachments: [
    {
      id: "8c5fa041-bd7e-4f90-8132-4d5e6f708192",
      filename: "sign-in-checklist.pdf",
      content_type: "application/pdf",
      byte_size: 48213,
      url: `${home}/uploads/8c5fa041-bd7e-4f90-8132-4d5e6f708192`,
      created_at: "2026-01-12T09:28:00.000Z",
    },
  ],
  related_articles: [link(changeEmail, "change-your-email", "Change your email")],
  keywords: ["password", "locked out"],
  next_article: link(twoFactor, "two-step-verification", "Two-step verification"),
  prev_article: {},
  table_of_contents: '<ul><li><a href="#ask-for-a-link">Ask for a link</a></li></ul>',
  show_table_of_contents: true,
};

export const anArticleMeta: z.input<typeof ArticleMeta> = {
  url: `${home}/articles/reset-your-password`,
  page_title: "Reset your password",
  keywords: "password, locked out",
  meta_description: "How to get back into your account when you have forgotten your password.",
};

export const aWrittenArticle: z.input<typeof WrittenAnswer> = {
  article: anArticle,
  meta: anArticleMeta,
  revision: 5,
  has_draft: false,
  external_id: "docs/reset-your-password.md",
  changed: true,
  warnings: [],
};

const fewWords = "Open the sign-in page and select Forgot password.";

/** A draft with only a title, a text and a category. */
export const aNewArticle: z.input<typeof WrittenAnswer> = {
  ...aWrittenArticle,
  article: {
    ...anArticle,
    state: "draft",
    updated_at: anArticle.created_at,
    category: { ...signInSummary, articles_count: 0, total_articles_count: 0 },
    html_content: "<p>Open the sign-in page and select <strong>Forgot password</strong>.</p>",
    content: fewWords,
    tags: [],
    attachments: [],
    related_articles: [],
    keywords: [],
    next_article: {},
    table_of_contents: "",
  },
  meta: { ...anArticleMeta, keywords: "", meta_description: fewWords },
  revision: 1,
  has_draft: true,
  external_id: null,
};

export const aDraft: z.input<typeof DraftAnswer> = {
  draft: {
    title: "Reset your password",
    html_content: "<p>Open the sign-in page and select <strong>Forgot password</strong>.</p>",
    keywords: ["password", "locked out"],
    tags: ["security"],
    page_title: null,
    meta_description: "How to get back into your account when you have forgotten your password.",
    show_table_of_contents: true,
    related_article_ids: [changeEmail],
    changed_at: "2026-02-03T14:20:00.000Z",
    changed_by: "Ada Lovelace",
  },
  revision: 6,
  has_draft: true,
  publish_at: null,
  on_hold: false,
};

export const aVersion: z.input<typeof VersionItem> = {
  number: 12,
  kind: "publish",
  title: "Reset your password",
  created_at: "2026-01-31T16:20:00.000Z",
  created_by: "API key “Website sync”",
  created_via: "api",
  note: null,
};

export const aVersionWithText: z.input<typeof VersionDetails> = {
  ...aVersion,
  html_content: "<p>Open the sign-in page and select <strong>Forgot password</strong>.</p>",
  keywords: ["password", "locked out"],
  tags: ["security"],
  page_title: null,
  meta_description: null,
  show_table_of_contents: true,
};

export const aMatch: z.input<typeof SearchMatch> = {
  id: resetPassword,
  url: `${home}/articles/reset-your-password`,
  title: "Reset your password",
  category: "Sign-in",
  category_url: `${home}/categories/sign-in`,
  visibility: "public",
  matched_title: 'Reset your <span class="article-matched-tag">password</span>',
  matched_heading: null,
  matched_content:
    'Open the sign-in page and select Forgot <span class="article-matched-tag">password</span>. We send you a link.',
  matched_category: null,
};

export const aTeamMember: z.input<typeof TeamMember> = {
  id: "0f1e2d3c-4b5a-4697-8877-665544332211",
  email: "ada@example.com",
  first_name: "Ada",
  last_name: "Lovelace",
  time_zone: "Europe/London",
  profile_image_url: null,
  active: true,
  organization_role: "Editor",
};

export const anUpload = {
  id: "9d60b152-ce8f-4a01-9243-5e6f70819203",
  filename: "release-notes.txt",
  content_type: "text/plain; charset=utf-8",
  byte_size: 1840,
  width: null,
  height: null,
  url: `${home}/uploads/9d60b152-ce8f-4a01-9243-5e6f70819203`,
};

export const anInvitation: z.input<typeof InvitationDetails> = {
  id: "381c0729-a4b5-46c7-91a2-7d8e9fa0b1c2",
  email: "grace@example.com",
  role: "Editor",
  sent_at: "2026-01-20T12:00:00.000Z",
  expires_at: "2026-01-27T12:00:00.000Z",
  invited_by: { kind: "member", id: "0f1e2d3c-4b5a-4697-8877-665544332211", name: "Ada Lovelace" },
};

export const anAuditEntry = {
  id: "492d183a-b5c6-47d8-82b3-8e9fa0b1c2d3",
  created_at: "2026-02-03T14:20:00.000Z",
  action: "member.updated",
  actor: { kind: "member", id: "0f1e2d3c-4b5a-4697-8877-665544332211", name: "ada@example.com" },
  subject: { kind: "member", id: "5a3e294b-c6d7-48e9-93c4-9fa0b1c2d3e4", name: "grace@example.com" },
  details: { role: "Collaborator → Editor" },
  ip: "192.0.2.10",
  request_id: "b2f1c7a0-0d4e-4c63-9a55-3f6f2f1d8e77",
} satisfies z.input<typeof AuditEntryDetails>;

const readArticle = {
  article_id: resetPassword,
  title: "Reset your password",
  state: "published" as const,
  full_url: `${home}/articles/reset-your-password`,
};

export const anArticleInsight: z.input<typeof ArticleInsightDetails> = {
  ...readArticle,
  views_count: 412,
  helpful_count: 31,
  not_helpful_count: 4,
};

export const aSearchInsight: z.input<typeof SearchInsightDetails> = {
  term: "single sign-on",
  searches_count: 27,
  last_searched_at: "2026-01-31T18:05:00.000Z",
  has_results: false,
  opened: false,
};

export const aFeedbackInsight: z.input<typeof FeedbackInsightDetails> = {
  id: "6b4f3a5c-d7e8-49fa-a4d5-a0b1c2d3e4f5",
  ...readArticle,
  helpful: false,
  choice: "outdated",
  reason: "The button has another name now.",
  created_at: "2026-01-30T10:15:00.000Z",
};

export const aRedirect: z.input<typeof RedirectDetails> = {
  id: "f4d8c3e5-6071-4283-9dce-3f4a5b6c7d8e",
  from: "/help/password",
  to: { article_id: resetPassword },
  to_url: `${home}/articles/reset-your-password`,
  automatic: false,
  created_at: "2026-01-20T11:45:00.000Z",
};

export const aSynonym: z.input<typeof SynonymDetails> = {
  id: "05e9d4f6-7182-4394-8edf-4a5b6c7d8e9f",
  term: "2fa",
  replacements: ["two-factor sign-in"],
  two_way: true,
  created_at: "2026-01-20T11:50:00.000Z",
};

export const aTag: z.input<typeof TagDetails> = {
  id: "7b4e9f30-ac6d-4e8f-9021-3c4d5e6f7081",
  name: "security",
  articles_count: 2,
};

export const aWebhook: z.input<typeof WebhookDetails> = {
  id: "16fae507-8293-44a5-9fe0-5b6c7d8e9fa0",
  url: "https://hooks.example.com/lectern",
  description: "Search index",
  events: ["article.published", "article.unpublished"],
  active: true,
  off_because: null,
  failing_since: null,
  old_secret_until: null,
  created_at: "2026-01-20T11:55:00.000Z",
};

/** Not random, so that scanners of secrets don't report it. */
export const aSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

export const aDelivery: z.input<typeof DeliveryDetails> = {
  id: "270bf618-93a4-45b6-80f1-6c7d8e9fa0b1",
  webhook_id: aWebhook.id,
  event: "article.published",
  state: "waiting",
  created_at: "2026-01-21T08:00:00.000Z",
  attempts: 0,
  next_attempt_at: "2026-01-21T08:00:00.000Z",
  attempted_at: null,
  took_ms: null,
  status: null,
  problem: null,
};
