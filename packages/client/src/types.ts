// Made from docs/openapi/v2.json by `npm run openapi`, which is how to change it.

/** A new category. */
export interface NewCategory {
  /** The name, at most 200 characters. */
  name: string;
  /** The slug. Default: generated from the name. */
  slug?: string | undefined;
  /** The description as plain text, at most 5,000 characters. */
  description?: string | null | undefined;
  /**
   * Who can read the category: `everyone`, `members`, or `inherit` to use the parent's setting. Everything below a
   * members-only category is members-only too. Default: `inherit`.
   */
  visibility_setting?: "inherit" | "everyone" | "members" | undefined;
  /**
   * Read-only. If you send it, it must match the category's visibility after the request. To change who can read the
   * category, send `visibility_setting`.
   */
  visibility?: "public" | "members" | undefined;
  /** The ID of the parent category. Default: null, for the top level. */
  parent_id?: string | null | undefined;
  /**
   * The position among the category's siblings, counted from 1. A number past the end puts the category last. Default:
   * last.
   */
  position?: number | undefined;
}

/** The fields to change. */
export interface CategoryChanges {
  /** The name, at most 200 characters. */
  name?: string | undefined;
  /** The slug. URLs with a former slug redirect. */
  slug?: string | undefined;
  /** The description as plain text, at most 5,000 characters. */
  description?: string | null | undefined;
  /**
   * Who can read the category: `everyone`, `members`, or `inherit` to use the parent's setting. Everything below a
   * members-only category is members-only too.
   */
  visibility_setting?: "inherit" | "everyone" | "members" | undefined;
  /**
   * Read-only. If you send it, it must match the category's visibility after the request. To change who can read the
   * category, send `visibility_setting`.
   */
  visibility?: "public" | "members" | undefined;
  /** The ID of the parent category. Null puts the category at the top level. */
  parent_id?: string | null | undefined;
  /**
   * The position among the category's siblings, counted from 1. A number past the end puts the category last. If you
   * send a new `parent_id` without `position`, the category goes last.
   */
  position?: number | undefined;
  /**
   * Read-only. If you send it, it must equal the category's current `sequence`. To move the category, send `position`.
   */
  sequence?: number | null | undefined;
}

/** How to delete a category. */
export interface CategoryDeletion {
  /** The ID of the category that receives the articles and subcategories. Required unless the category is empty. */
  move_contents_to?: string | null | undefined;
}

/** The category to merge into. */
export interface CategoryMerge {
  /** The ID of the category that receives the articles and subcategories. */
  into: string;
}

/** The order of the categories in a parent. */
export interface CategoryOrder {
  /** The ID of the parent category. Null means the top level. */
  parent_id: string | null;
  /** The IDs of all categories in the parent, in order. Include members-only categories. */
  category_ids: string[];
}

/** `draft`: never published, or unpublished. `published`: visible to readers. */
export type ArticleState = "draft" | "published";

/** A new article. Send either `html_content` or `markdown_content`, and either `category_id` or `category_path`. */
export interface NewArticle {
  /** The title, at most 300 characters. */
  title: string;
  /** The text as HTML, which is cleaned as in the editor. Send this or `markdown_content`. */
  html_content?: string | undefined;
  /** The text as GitHub Flavored Markdown, without front matter. Send this or `html_content`. */
  markdown_content?: string | undefined;
  /** The names of all tags, at most 50. Tags that don't exist are created. */
  tags?: string[] | undefined;
  /** Additional search terms, at most 100. */
  keywords?: string[] | undefined;
  /** The title in browsers and search engines. Null uses the article's title. */
  page_title?: string | null | undefined;
  /** The description for search engines. Null uses the beginning of the text. */
  meta_description?: string | null | undefined;
  /** Whether the page shows a table of contents. Default: true. */
  show_table_of_contents?: boolean | undefined;
  /**
   * The IDs of related articles in order, at most 10. If the list is empty, related articles are chosen automatically.
   */
  related_article_ids?: string[] | undefined;
  /** The IDs of all attached files in order, at most 50, from `POST /uploads` or `attachments`. */
  attachment_ids?: string[] | undefined;
  /** The ID of the category. Send this or `category_path`. */
  category_id?: string | undefined;
  /**
   * The names of the categories from the top level down to the article's category. An exact match takes precedence over
   * a name that differs in case.
   */
  category_path?: string[] | undefined;
  /**
   * Whether to create the categories in `category_path` that don't exist. Requires the `content.publish` scope.
   * Default: false.
   */
  create_categories?: boolean | undefined;
  /** The slug. Default: generated from the title. */
  slug?: string | undefined;
  /**
   * The email of the team member who is the author. Default: the member who created the key if active, otherwise the
   * first administrator.
   */
  author_email?: string | undefined;
  /** When the draft goes live. Requires the `content.publish` scope. Null means no schedule. */
  publish_at?: string | null | undefined;
  /** The ID of the article in your system, unique in the workspace. */
  external_id?: string | undefined;
  /** The state of the new article. `published` requires the `content.publish` scope. Default: "draft". */
  state?: ArticleState | undefined;
}

/** The fields to change. */
export interface ArticleChanges {
  /** The title, at most 300 characters. */
  title?: string | undefined;
  /** The text as HTML, which is cleaned as in the editor. Send this or `markdown_content`. */
  html_content?: string | undefined;
  /** The text as GitHub Flavored Markdown, without front matter. Send this or `html_content`. */
  markdown_content?: string | undefined;
  /** The names of all tags, at most 50. Tags that don't exist are created. */
  tags?: string[] | undefined;
  /** Additional search terms, at most 100. */
  keywords?: string[] | undefined;
  /** The title in browsers and search engines. Null uses the article's title. */
  page_title?: string | null | undefined;
  /** The description for search engines. Null uses the beginning of the text. */
  meta_description?: string | null | undefined;
  /** Whether the page shows a table of contents. */
  show_table_of_contents?: boolean | undefined;
  /**
   * The IDs of related articles in order, at most 10. If the list is empty, related articles are chosen automatically.
   */
  related_article_ids?: string[] | undefined;
  /** The IDs of all attached files in order, at most 50, from `POST /uploads` or `attachments`. */
  attachment_ids?: string[] | undefined;
  /** The ID of the category. Send this or `category_path`. */
  category_id?: string | undefined;
  /**
   * The names of the categories from the top level down to the article's category. An exact match takes precedence over
   * a name that differs in case.
   */
  category_path?: string[] | undefined;
  /**
   * Whether to create the categories in `category_path` that don't exist. Requires the `content.publish` scope.
   * Default: false.
   */
  create_categories?: boolean | undefined;
  /** The slug. URLs with a former slug redirect. */
  slug?: string | undefined;
  /** The email of the team member who is the author. */
  author_email?: string | undefined;
  /** When the draft goes live. Null cancels the schedule. Requires the `content.publish` scope. */
  publish_at?: string | null | undefined;
  /** The ID of the article in your system, unique in the workspace. Null removes it. */
  external_id?: string | null | undefined;
  /** Whether to publish the article in the same request. Requires the `content.publish` scope. Default: false. */
  publish?: boolean | undefined;
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
  /**
   * `keep_version` replaces a draft that a team member saved last, and keeps the replaced draft as a version. To
   * publish or schedule the member's draft itself, send its `revision` instead. If you send neither `keep_version` nor
   * `revision` nor `If-Match`, a request that would replace, publish, or schedule such a draft gets a 409.
   */
  on_conflict?: "keep_version" | undefined;
}

/** How to delete an article. */
export interface ArticleDeletion {
  /** Where the article's URL redirects. If null or absent, the URL returns 410. */
  redirect_to?: RedirectTarget | null | undefined;
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
}

/** Exactly one of `article_id`, `category_id`, and `path`. */
export interface RedirectTarget {
  /** The ID of an article, which must be published when you send it. */
  article_id?: string;
  /** The ID of a category. */
  category_id?: string;
  /** A path of the knowledge base, or an https URL. */
  path?: string;
}

/** Conditions for publishing. */
export interface Publication {
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
}

/** Conditions for unpublishing. */
export interface Unpublication {
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
}

/** How to discard a draft. */
export interface DraftRemoval {
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
  /**
   * `keep_version` discards the draft even if a team member saved it last, and keeps it as a version. If a team member
   * saved the draft last and you send neither `keep_version` nor `revision` nor `If-Match`, the response is a 409.
   */
  on_conflict?: "keep_version" | undefined;
}

/** How to restore a version. */
export interface VersionRestoration {
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
  /**
   * `keep_version` replaces the draft even if a team member saved it last, and keeps the replaced draft as a version.
   * If a team member saved the draft last and you send neither `keep_version` nor `revision` nor `If-Match`, the
   * response is a 409.
   */
  on_conflict?: "keep_version" | undefined;
}

/**
 * The article. Send at most one of `html_content` and `markdown_content`, and at most one of `category_id` and
 * `category_path`. A new article needs one of each. An existing article keeps the text or category that you omit.
 */
export interface UpsertedArticle {
  /** The title, at most 300 characters. */
  title: string;
  /** The text as HTML, which is cleaned as in the editor. Send this or `markdown_content`. */
  html_content?: string | undefined;
  /** The text as GitHub Flavored Markdown, without front matter. Send this or `html_content`. */
  markdown_content?: string | undefined;
  /** The names of all tags, at most 50. Tags that don't exist are created. */
  tags?: string[] | undefined;
  /** Additional search terms, at most 100. */
  keywords?: string[] | undefined;
  /** The title in browsers and search engines. Null uses the article's title. */
  page_title?: string | null | undefined;
  /** The description for search engines. Null uses the beginning of the text. */
  meta_description?: string | null | undefined;
  /** Whether the page shows a table of contents. Default for a new article: true. */
  show_table_of_contents?: boolean | undefined;
  /**
   * The IDs of related articles in order, at most 10. If the list is empty, related articles are chosen automatically.
   */
  related_article_ids?: string[] | undefined;
  /** The IDs of all attached files in order, at most 50, from `POST /uploads` or `attachments`. */
  attachment_ids?: string[] | undefined;
  /** The ID of the category. Send this or `category_path`. */
  category_id?: string | undefined;
  /**
   * The names of the categories from the top level down to the article's category. An exact match takes precedence over
   * a name that differs in case.
   */
  category_path?: string[] | undefined;
  /**
   * Whether to create the categories in `category_path` that don't exist. Requires the `content.publish` scope.
   * Default: false.
   */
  create_categories?: boolean | undefined;
  /** The slug. URLs with a former slug redirect. Default for a new article: generated from the title. */
  slug?: string | undefined;
  /**
   * The email of the team member who is the author. Default for a new article: the member who created the key if
   * active, otherwise the first administrator.
   */
  author_email?: string | undefined;
  /** When the draft goes live. Null cancels the schedule. Requires the `content.publish` scope. */
  publish_at?: string | null | undefined;
  /** Whether to publish the article in the same request. Requires the `content.publish` scope. Default: false. */
  publish?: boolean | undefined;
  /** The revision that the change is based on. The response is a 412 if the article has a newer revision. */
  revision?: number | undefined;
  /**
   * `keep_version` replaces a draft that a team member saved last, and keeps the replaced draft as a version. To
   * publish or schedule the member's draft itself, send its `revision` instead. If you send neither `keep_version` nor
   * `revision` nor `If-Match`, a request that would replace, publish, or schedule such a draft gets a 409.
   */
  on_conflict?: "keep_version" | undefined;
}

/** Changes to articles. */
export interface BulkRequest {
  /** The changes, 1 to 100. */
  items: BulkItem[];
}

/** A change to one article, with the body fields of the request that the action stands for. */
export interface BulkItem {
  /** What to do. To move an article, update its `category_id`. */
  action: "create" | "update" | "upsert" | "publish" | "unpublish" | "delete";
  /** A name that you choose for the item. Its result repeats it. */
  ref?: string;
  /** The article's ID, permalink, or slug. Required, except to create or upsert an article. */
  article_id?: string;
  /** The ID of the article in your system. Required to upsert an article. */
  external_id?: string | null;
}

/** The fields to change. */
export interface TagChanges {
  /** The name, at most 100 characters. */
  name?: string | undefined;
}

/** The tag to merge into. */
export interface TagMerge {
  /** The ID of the tag that replaces this one. */
  into: string;
}

/** A new redirect. */
export interface NewRedirect {
  /** The old path or full URL, without a query string or fragment. URLs of existing pages can't be redirected. */
  from: string;
  /** The destination. Null makes the old URL return 410. */
  to: RedirectTarget | null;
}

/** The fields to change. */
export interface RedirectChanges {
  /** The old path, which can't be changed. Another path is refused. */
  from?: string | undefined;
  /** The destination. Null makes the old URL return 410. */
  to?: RedirectTarget | null | undefined;
}

/** Changes to redirects. */
export interface RedirectBulkRequest {
  /** The changes, 1 to 100. */
  items: RedirectItem[];
}

/** A change to one redirect, with the body fields of the request that the action stands for. */
export interface RedirectItem {
  /** What to do. */
  action: "create" | "update" | "delete";
  /** A name that you choose for the item. Its result repeats it. */
  ref?: string;
  /** The redirect's ID. Required, except to create a redirect. */
  redirect_id?: string;
}

/** A new synonym. */
export interface NewSynonym {
  /** The word or phrase that people search for, at most 5 words and 100 characters. */
  term: string;
  /** 1 to 20 words or phrases that a search for the term also finds, each with at most 5 words and 100 characters. */
  replacements: string[];
  /** Whether a search for a replacement also finds the term and the other replacements. Default: true. */
  two_way?: boolean | undefined;
}

/** The fields to change. */
export interface SynonymChanges {
  /** The word or phrase that people search for, at most 5 words and 100 characters. */
  term?: string | undefined;
  /** 1 to 20 words or phrases that a search for the term also finds, each with at most 5 words and 100 characters. */
  replacements?: string[] | undefined;
  /** Whether a search for a replacement also finds the term and the other replacements. */
  two_way?: boolean | undefined;
}

/** A new webhook. */
export interface NewWebhook {
  /** A URL on the public internet that begins with `https://`, at most 2,000 characters. */
  url: string;
  /** What the webhook is for, at most 200 characters. Default: empty. */
  description?: string | undefined;
  /** The events to send, at least one. `audit_entry.created` also requires the `audit.read` scope. */
  events: EventName[];
}

/** An event that webhooks can send. */
export type EventName =
  | "article.created"
  | "article.published"
  | "article.updated"
  | "article.moved"
  | "article.unpublished"
  | "article.deleted"
  | "article.restored"
  | "category.created"
  | "category.updated"
  | "category.moved"
  | "category.merged"
  | "category.deleted"
  | "category.restored"
  | "member.invited"
  | "member.joined"
  | "member.updated"
  | "member.deactivated"
  | "feedback.received"
  | "import.finished"
  | "audit_entry.created";

/** The fields to change. */
export interface WebhookChanges {
  /** A URL on the public internet that begins with `https://`, at most 2,000 characters. */
  url?: string | undefined;
  /** What the webhook is for, at most 200 characters. */
  description?: string | undefined;
  /** The events to send, at least one. `audit_entry.created` also requires the `audit.read` scope. */
  events?: EventName[] | undefined;
  /** Whether events are sent. */
  active?: boolean | undefined;
}

/** The fields to change. Other fields are ignored. */
export interface TeamMemberChanges {
  /** The email, at most 254 characters, unique in the workspace regardless of case. */
  email?: string | undefined;
  /** The first name, at most 100 characters. */
  first_name?: string | undefined;
  /** The last name, at most 100 characters. */
  last_name?: string | undefined;
  /** An IANA time zone, not an offset. */
  time_zone?: string | undefined;
  /** The exact name of a role of the workspace, including case. */
  organization_role?: string | undefined;
  /** Whether the member can sign in. */
  active?: boolean | undefined;
}

/** Who to invite. */
export interface NewInvitation {
  /** The email of the person, at most 254 characters. */
  email: string;
  /** The exact name of a role of the workspace, including case. */
  role: string;
}

/**
 * An action in the audit log. Names that begin with `articles.` are bulk actions and imports. Later versions can add
 * actions. Resending an invitation is recorded as `invitation.sent_again`, and revoking an invitation as
 * `invitation.withdrawn`. Canceling is spelled `cancelled` in names.
 */
export type AuditAction =
  | "api_key.created"
  | "api_key.revoked"
  | "api_key.rotated"
  | "article.changes_dropped"
  | "article.created"
  | "article.deleted"
  | "article.pin_moved"
  | "article.pinned"
  | "article.previews_ended"
  | "article.published"
  | "article.restored"
  | "article.schedule_ended"
  | "article.scheduled"
  | "article.tagged"
  | "article.undone"
  | "article.unpinned"
  | "article.unpublished"
  | "article.updated"
  | "article.version_restored"
  | "articles.deleted"
  | "articles.imported"
  | "articles.moved"
  | "articles.published"
  | "articles.restored"
  | "articles.tagged"
  | "articles.undone"
  | "articles.unpublished"
  | "category.articles_ordered"
  | "category.created"
  | "category.deleted"
  | "category.merged"
  | "category.moved"
  | "category.restored"
  | "category.updated"
  | "export.cancelled"
  | "file.uploaded"
  | "identity_provider.added"
  | "identity_provider.removed"
  | "identity_provider.updated"
  | "import.cancelled"
  | "import.started"
  | "invitation.accepted"
  | "invitation.restored"
  | "invitation.sent"
  | "invitation.sent_again"
  | "invitation.withdrawn"
  | "member.created"
  | "member.passkey_added"
  | "member.passkey_removed"
  | "member.password_changed"
  | "member.recovery_codes_renewed"
  | "member.sign_in_paused"
  | "member.two_step_off"
  | "member.two_step_on"
  | "member.two_step_reset"
  | "member.updated"
  | "redirect.created"
  | "redirect.removed"
  | "redirect.restored"
  | "redirect.updated"
  | "role.created"
  | "role.deleted"
  | "role.updated"
  | "session.ended"
  | "session.started"
  | "sessions.ended"
  | "snippet.created"
  | "snippet.deleted"
  | "snippet.updated"
  | "synonym.created"
  | "synonym.removed"
  | "synonym.restored"
  | "synonym.updated"
  | "tag.deleted"
  | "tag.merged"
  | "tag.renamed"
  | "trash.purged"
  | "webhook.created"
  | "webhook.deleted"
  | "webhook.resent"
  | "webhook.secret_rotated"
  | "webhook.switched_off"
  | "webhook.switched_on"
  | "webhook.tested"
  | "webhook.updated"
  | "workspace.created"
  | "workspace.deletion_scheduled"
  | "workspace.deletion_taken_back"
  | "workspace.exported"
  | "workspace.updated";

/** One page of categories. */
export interface CategoryList {
  /** The categories of this page. */
  categories: Category[];
  pagination: Pagination;
}

/** A category of articles, in a tree of at most 6 levels. */
export interface Category {
  /** The category's ID, which never changes. */
  id: string;
  /** The name. */
  name: string;
  /** The description as plain text, or null. */
  description: string | null;
  /** The slug, unique in the workspace. */
  slug: string;
  /** The position among its siblings. Lower numbers come first, null comes last, and ties sort by name. */
  sequence: number | null;
  /**
   * Who can read the category: `public` for everyone, `members` for members only. Everything below a members-only
   * category is members-only too.
   */
  visibility: "public" | "members";
  /** The setting behind `visibility`. `inherit` uses the parent's visibility, or the workspace's at the top level. */
  visibility_setting: "inherit" | "everyone" | "members";
  /** The parent category, or null at the top level. */
  parent_id: string | null;
  /** The number of categories above it. 0 at the top level. */
  depth: number | null;
  /** The number of published articles in this category, without subcategories. */
  articles_count: number;
  /** The number of direct subcategories. */
  categories_count: number;
  /** The number of published articles in this category and all its subcategories. */
  total_articles_count: number;
  /** The absolute URL of its page. */
  url: string;
  /** The categories above it, starting at the top level. */
  ancestors: CategoryAncestor[];
  /** The IDs of its direct subcategories, in order. */
  children: string[];
  /** The direct subcategories, in order. Absent at levels that the response does not include. */
  subcategories?: Category[];
  /** The first 100 published articles, in reading order. Absent in a summary. */
  articles?: CategoryArticle[];
}

/** A category above another category. */
export interface CategoryAncestor {
  /** The category's ID. */
  id: string;
  /** The name. */
  name: string;
  /** The absolute URL of its page. */
  url: string;
}

/** A published article in a category. */
export interface CategoryArticle {
  /** The article's ID. */
  id: string;
  /** The absolute URL of its page. */
  url: string;
  /** The title. */
  title: string;
  /** When it was created. */
  created_at: string;
  /** The first 300 characters of the text, ending with a whole word. */
  content: string;
}

/** The position of this page in the list. Request the next page while `current_page_number` is below `total_pages`. */
export interface Pagination {
  /** The number of items on all pages. */
  total_records: number;
  /** The number of pages. 0 when the list is empty. */
  total_pages: number;
  /** The requested page, even if it is past the end. */
  current_page_number: number;
  /** The maximum number of items per page. */
  page_size: number;
}

/**
 * `malformed_url` (400): The URL is not properly percent-encoded, or contains a NUL character. `malformed_body` (400):
 * The body is not a JSON object, or was cut off. `invalid_idempotency_key` (400): The `Idempotency-Key` is empty or too
 * long, or it contains spaces or invisible characters. `invalid_api_key` (401): The key is missing, malformed, unknown,
 * revoked, or expired, or it belongs to another workspace. `missing_scope` (403): The key doesn't have the scope that
 * the operation needs. `unknown_workspace` (404): No workspace uses this host. `unknown_path` (404): The API has no
 * such path. `not_found` (404): The workspace has nothing with this ID. `method_not_allowed` (405): The path doesn't
 * support the method. `not_acceptable` (406): The `Accept` header excludes JSON. `request_in_progress` (409): The first
 * request with this `Idempotency-Key` is still running. `draft_changed_by_member` (409): A team member saved the draft
 * last, and the request doesn't say which revision it is based on. Read the draft and send its `revision`.
 * `write_conflict` (409): Someone saved the article at the same moment. Send the request again. `cursor_expired` (410):
 * The cursor has expired. Start over without `after`. `revision_conflict` (412): The resource has changed since it was
 * read. `body_too_large` (413): The body is over the operation's limit. `url_too_long` (414): The URL is over 8 KB.
 * `unsupported_media_type` (415): The `Content-Type` of the body is not JSON. `invalid_fields` (422): Some parameters
 * or fields are invalid. `details` lists them. `idempotency_key_reused` (422): The `Idempotency-Key` was used for
 * another request. `rate_limited` (429): You've reached a rate limit. `Retry-After` says how many seconds to wait.
 * `server_error` (500): Something went wrong on our side. `not_tried` (503): The bulk request ended before this item
 * started. Send the item again. `unavailable` (503): The service is busy or restarting. A change may still have been
 * made, so repeat it with the same `Idempotency-Key`.
 */
export type ErrorCode =
  | "malformed_url"
  | "malformed_body"
  | "invalid_idempotency_key"
  | "invalid_api_key"
  | "missing_scope"
  | "unknown_workspace"
  | "unknown_path"
  | "not_found"
  | "method_not_allowed"
  | "not_acceptable"
  | "request_in_progress"
  | "draft_changed_by_member"
  | "write_conflict"
  | "cursor_expired"
  | "revision_conflict"
  | "body_too_large"
  | "url_too_long"
  | "unsupported_media_type"
  | "invalid_fields"
  | "idempotency_key_reused"
  | "rate_limited"
  | "server_error"
  | "not_tried"
  | "unavailable";

/** The article's current state, if a change was refused with 409 or 412. */
export interface Current {
  /** The article's revision. */
  revision: number;
  /** The team member or API key that last changed the article. Null after an import. */
  changed_by: string | null;
  /** When the article was last changed. */
  changed_at: string;
}

/** A parameter or field that was refused. */
export interface InvalidField {
  /** The name of the query parameter or body field. */
  field: string;
  /** The kind of error, for programs. */
  code: "required" | "invalid" | "taken" | "too_long" | "not_found" | "not_allowed";
  /** The error, for people. */
  message: string;
}

/** One category. */
export interface CategoryAnswer {
  /** The category. Its subcategories come without their own subcategories. */
  category: Category;
}

/** A category that was deleted. */
export interface DeletedCategory {
  /** The deleted category. */
  deleted: {
    /** The category's ID. */
    id: string;
    /** The name. */
    name: string;
    /** The slug. */
    slug: string;
  };
  moved: MovedContents;
}

/** The contents that moved to the other category. */
export interface MovedContents {
  /** The number of articles that moved, including drafts. */
  articles_count: number;
  /** The number of direct subcategories that moved. */
  categories_count: number;
}

/** The target category after the merge. */
export interface MergedCategory {
  /** The category. Its subcategories come without their own subcategories. */
  category: Category;
  moved: MovedContents;
}

/** Categories that were put in order. */
export interface OrderedCategories {
  /** The ID of the parent category, or null for the top level. */
  parent_id: string | null;
  /** The IDs in the new order. */
  category_ids: string[];
  /** Whether anything changed. False if the categories were already in this order. */
  changed: boolean;
}

/** One page of articles. */
export interface ArticleList {
  /** The articles of this page. */
  articles: ArticleListItem[];
  pagination: Pagination;
}

/** An article in a list. */
export interface ArticleListItem {
  /** The article's ID, which never changes. */
  id: string;
  /** The slug, unique in the workspace. */
  slug: string;
  /** The title, without markup. */
  title: string;
  state: ArticleState;
  /**
   * Who can read the article when it is published: `public` for everyone, `members` for members only. Determined by its
   * category.
   */
  visibility: "public" | "members";
  /** The number of views, counting each reader once a day. 0 unless the key has the `content.read` scope. */
  unique_views_count: number;
  /** The category of the article. */
  category: {
    /** The category's ID. */
    id: string;
    /** The name. */
    name: string;
  };
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** The absolute URL of its page. */
  full_url: string;
  /** With `include=content`: the text as clean HTML, as `GET /articles/{article_id}` returns it. */
  html_content?: string;
  /** With `include=content`: the same text without markup. */
  content?: string;
}

/** An article after a change. As with `GET`, a published article has the text that readers see. */
export interface WrittenArticle {
  article: Article;
  meta: ArticleMeta;
  /** The revision of the text. Send it with a change so that you don't overwrite newer text. */
  revision: number;
  /** Whether the article has a draft that readers don't see. */
  has_draft: boolean;
  /** The article's ID in your system, or null. */
  external_id: string | null;
  /** Whether the request changed anything. */
  changed: boolean;
  /** Elements that were removed from the text because articles can't contain them. */
  warnings: Warning[];
}

/** An article with its text. */
export interface Article {
  /** The article's ID, which never changes. */
  id: string;
  /** The slug, unique in the workspace. */
  slug: string;
  /** The title, without markup. */
  title: string;
  state: ArticleState;
  /**
   * Who can read the article when it is published: `public` for everyone, `members` for members only. Determined by its
   * category.
   */
  visibility: "public" | "members";
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** The absolute URL of its page. */
  full_url: string;
  /** The path of its page. */
  url: string;
  /** The text as clean HTML, with absolute image URLs. For a published article, the text that readers see. */
  html_content: string;
  /** The same text without markup. */
  content: string;
  author: Author;
  /**
   * The category of the article. Its subcategories come without their own subcategories, which `GET /categories`
   * returns.
   */
  category: Category;
  /** The tags, sorted by name. */
  tags: Tag[];
  /** The files. */
  attachments: Attachment[];
  /** Up to 10 published articles chosen for this one. If none were chosen, up to 5 that share its tags or category. */
  related_articles: RelatedArticle[];
  /** Additional search terms for the article. Empty unless the key has the `content.read` scope. */
  keywords: string[];
  /** The next published article in its category, in reading order. All fields are absent if there is none. */
  next_article: NeighbouringArticle;
  /** The previous published article in its category, in reading order. All fields are absent if there is none. */
  prev_article: NeighbouringArticle;
  /** An HTML list of links to the headings. Empty if there are none. */
  table_of_contents: string;
  /** Whether its page shows the table of contents. */
  show_table_of_contents: boolean;
}

/** The author of the article. */
export interface Author {
  /** First and last name. */
  name: string;
  /** The author's email. Empty unless the key has the `members.read` scope. */
  email: string;
  /** The absolute URL of the picture. Members without a picture have a generated one. */
  profile_image_url: string;
}

/** A word that groups articles across categories. */
export interface Tag {
  /** The tag's ID. */
  id: string;
  /** The name. */
  name: string;
}

/** A file that belongs to an article. */
export interface Attachment {
  /** The file's ID. */
  id: string;
  /** The filename. */
  filename: string;
  /** The media type, such as `application/pdf`. */
  content_type: string;
  /** The size in bytes. */
  byte_size: number;
  /** The absolute URL. */
  url: string;
  /** When it was added. */
  created_at: string;
}

/** A published article that is related to another one. */
export interface RelatedArticle {
  /** The article's ID. */
  id: string;
  /** The title. */
  title: string;
  /** The slug. */
  slug: string;
  /** The path of its page. */
  url: string;
  /** The absolute URL of its page. */
  full_url: string;
}

/**
 * The published article before or after this one in its category, in reading order. All fields are absent if there is
 * none.
 */
export interface NeighbouringArticle {
  /** The article's ID. */
  id?: string;
  /** The title. */
  title?: string;
  /** The slug. */
  slug?: string;
  /** The path of its page. */
  url?: string;
  /** The absolute URL of its page. */
  full_url?: string;
}

/** The metadata of the article's page for search engines. */
export interface ArticleMeta {
  /** The absolute URL of the article's page. */
  url: string;
  /** The title of the page in browsers and search engines. */
  page_title: string;
  /** The keywords, separated by a comma and a space. */
  keywords: string;
  /** The description for search engines, or the beginning of the text if there is none. */
  meta_description: string;
}

/** A part of the text that was not stored. */
export interface Warning {
  /** The kind of warning, for programs. */
  code: "element_removed";
  /** The warning, for people. */
  message: string;
}

/** One article. */
export interface ArticleAnswer {
  article: Article;
  meta: ArticleMeta;
  /**
   * The revision of the text. Send it with a change so that you don't overwrite newer text. Absent without the
   * `content.read` scope.
   */
  revision?: number;
  /** Whether the article has a draft that readers don't see. Absent without the `content.read` scope. */
  has_draft?: boolean;
  /** The article's ID in your system, or null. Absent without the `content.read` scope. */
  external_id?: string | null;
}

/** An article that was deleted. */
export interface DeletedArticle {
  /** The deleted article. */
  deleted: {
    /** The article's ID. Send it to restore the article. */
    id: string;
    /** The title. */
    title: string;
    /** The slug. */
    slug: string;
  };
}

/** The draft of an article. */
export interface DraftAnswer {
  draft: Draft;
  /** The revision of the text. Send it with a change so that you don't overwrite newer text. */
  revision: number;
  /** True if this text is a draft. False if it is the live text. */
  has_draft: boolean;
  /** When the draft is scheduled to go live, or null. */
  publish_at: string | null;
  /** Whether the schedule is on hold, for example because someone without publishing rights edited the draft. */
  on_hold: boolean;
}

/** The text of the draft, or the live text if there is no draft. */
export interface Draft {
  /** The title, without markup. */
  title: string;
  /** The text as clean HTML, with absolute image URLs. */
  html_content: string;
  /** Additional search terms. */
  keywords: string[];
  /** The names of the article's tags. */
  tags: string[];
  /** The title in browsers and search engines, or null. */
  page_title: string | null;
  /** The description for search engines, or null. */
  meta_description: string | null;
  /** Whether the page shows a table of contents. */
  show_table_of_contents: boolean;
  /** The IDs of related articles, in order. */
  related_article_ids: string[];
  /** When the draft was last saved. Without a draft, when the live text was published. */
  changed_at: string;
  /** The team member or API key that saved the draft or published the live text. Null after an import. */
  changed_by: string | null;
}

/** One page of versions. */
export interface VersionList {
  /** The versions of this page. */
  versions: Version[];
  pagination: Pagination;
}

/** A version of an article, without its text. */
export interface Version {
  /** The version number. Higher numbers are newer. */
  number: number;
  /** `publish`: the text went live. `autosave`: a draft. `import`: the text came from a file. */
  kind: "publish" | "autosave" | "import";
  /** The title at that time. */
  title: string;
  /** When the version was stored. */
  created_at: string;
  /** The team member or API key that wrote the version. Null for an import. */
  created_by: string | null;
  /** How the version was written. */
  created_via: "web" | "api" | "import" | "schedule";
  /** The release note, or null. */
  note: string | null;
}

/** One version. */
export interface VersionAnswer {
  version: VersionDetails;
}

/** A version of an article with its text. */
export interface VersionDetails {
  /** The version number. Higher numbers are newer. */
  number: number;
  /** `publish`: the text went live. `autosave`: a draft. `import`: the text came from a file. */
  kind: "publish" | "autosave" | "import";
  /** The title, without markup. */
  title: string;
  /** When the version was stored. */
  created_at: string;
  /** The team member or API key that wrote the version. Null for an import. */
  created_by: string | null;
  /** How the version was written. */
  created_via: "web" | "api" | "import" | "schedule";
  /** The release note, or null. */
  note: string | null;
  /** The text as clean HTML, with absolute image URLs. */
  html_content: string;
  /** Additional search terms. */
  keywords: string[];
  /** The names of the article's tags. */
  tags: string[];
  /** The title in browsers and search engines, or null. */
  page_title: string | null;
  /** The description for search engines, or null. */
  meta_description: string | null;
  /** Whether the page shows a table of contents. */
  show_table_of_contents: boolean;
}

/** The results of a bulk request. */
export interface BulkAnswer {
  /** The result of each item. */
  results: BulkResult[];
}

/** The result of an item, with the fields that a separate request would have returned. */
export interface BulkResult {
  /** The `ref` of the item, or null. */
  ref: string | null;
  /** The status that a separate request would have returned. */
  status: number;
  article?: Article;
  meta?: ArticleMeta;
  /** The revision of the text. Send it with a change so that you don't overwrite newer text. */
  revision?: number;
  /** Whether the article has a draft that readers don't see. */
  has_draft?: boolean;
  /** The article's ID in your system, or null. */
  external_id?: string | null;
  /** Whether the request changed anything. */
  changed?: boolean;
  /** Elements that were removed from the text because articles can't contain them. */
  warnings?: Warning[];
  /** The deleted article. */
  deleted?: {
    /** The article's ID. Send it to restore the article. */
    id: string;
    /** The title. */
    title: string;
    /** The slug. */
    slug: string;
  };
  /** If the item was refused: what happened and what to do. */
  error?: string;
  code?: ErrorCode;
  /** Every refused parameter or field, each listed once. */
  details?: InvalidField[];
  current?: Current;
}

/** One file. */
export interface UploadAnswer {
  /** The file. */
  upload: Upload;
}

/** A file that was uploaded. */
export interface Upload {
  /** The file's ID. Send it in `attachment_ids` to attach the file to an article. */
  id: string;
  /** The filename, without characters that file systems don't allow. */
  filename: string;
  /** The media type, detected from the content. */
  content_type: string;
  /** The size in bytes. Images are encoded again, so their size changes. */
  byte_size: number;
  /** The width in pixels. Null unless the file is an image. */
  width: number | null;
  /** The height in pixels. Null unless the file is an image. */
  height: number | null;
  /** The absolute URL, for `html_content` and `markdown_content`. */
  url: string;
}

/** Changes since a cursor. */
export interface ChangeList {
  /** The changes of this page. */
  changes: Change[];
  /** Where the next request continues. An opaque string. */
  cursor: string;
  /** Whether there are more changes now. If so, request them right away. */
  has_more: boolean;
}

/** The last change of an article. */
export interface Change {
  /** The article's ID. */
  article_id: string;
  /** When the article last changed. */
  changed_at: string;
  /** Whether the article was deleted, or the key can no longer read it. */
  removed: boolean;
  /** The article as it is now. Null if `removed` is true. */
  article: ArticleListItem | null;
}

/** One page of tags. */
export interface TagList {
  /** The tags of this page. */
  tags: TagDetails[];
  pagination: Pagination;
}

/** A tag with its number of articles. */
export interface TagDetails {
  /** The tag's ID, which never changes. */
  id: string;
  /** The name, unique in the workspace regardless of case. */
  name: string;
  /** The number of articles with this tag, including drafts. */
  articles_count: number;
}

/** One tag. */
export interface TagAnswer {
  /** The tag. */
  tag: TagDetails;
}

/** A tag that was deleted. */
export interface DeletedTag {
  /** The deleted tag, with the number of articles that had it. */
  deleted: TagDetails;
}

/** One page of matches. */
export interface SearchResults {
  /** The matches of this page. */
  matches: SearchMatch[];
  /**
   * The corrected text that was also searched, such as `reset password` for `reset pasword`. Words without a correction
   * are unchanged. Null if nothing was corrected.
   */
  corrected_term: string | null;
  pagination: Pagination;
}

/** A published article found by a search. */
export interface SearchMatch {
  /** The article's ID. */
  id: string;
  /** The absolute URL of its page, with the anchor of the section if `matched_heading` is not null. */
  url: string;
  /** The title, without markup. */
  title: string;
  /** The name of its category. */
  category: string;
  /** The absolute URL of its category's page. */
  category_url: string;
  /**
   * Who can read the article when it is published: `public` for everyone, `members` for members only. Determined by its
   * category.
   */
  visibility: "public" | "members";
  /**
   * The title as escaped HTML with each matching word in `<span class="article-matched-tag">`, or null if nothing
   * matched.
   */
  matched_title: string | null;
  /**
   * The heading of the best-matching section as escaped HTML with each matching word in `<span
   * class="article-matched-tag">`, or null if no section matches more words than the title.
   */
  matched_heading: string | null;
  /**
   * A passage of at most 300 characters, in whole sentences if they fit, as escaped HTML with each matching word in
   * `<span class="article-matched-tag">`, or null if nothing matched.
   */
  matched_content: string | null;
  /**
   * The name of the category as escaped HTML with each matching word in `<span class="article-matched-tag">`, or null
   * if nothing matched.
   */
  matched_category: string | null;
}

/** One page of redirects. */
export interface RedirectList {
  /** The redirects of this page. */
  redirects: Redirect[];
  pagination: Pagination;
}

/** A redirect from an old URL of the knowledge base. */
export interface Redirect {
  /** The redirect's ID, which never changes. */
  id: string;
  /** The old path, such as `/help/billing`, percent-encoded. */
  from: string;
  /** The destination. Null if the old URL returns 410. */
  to: RedirectTargetOutput | null;
  /** The absolute URL of the destination, or null. */
  to_url: string | null;
  /** Whether Lectern added the redirect automatically after a rename, move, or deletion. */
  automatic: boolean;
  /** When it was created. */
  created_at: string;
}

/** One redirect. */
export interface RedirectAnswer {
  /** The redirect. */
  redirect: Redirect;
}

/** A redirect that was deleted. */
export interface DeletedRedirect {
  /** The deleted redirect. */
  deleted: Redirect;
}

/** The results of a bulk request. */
export interface RedirectBulkAnswer {
  /** The result of each item. */
  results: RedirectResult[];
}

/** The result of an item, with the fields that a separate request would have returned. */
export interface RedirectResult {
  /** The `ref` of the item, or null. */
  ref: string | null;
  /** The status that a separate request would have returned. */
  status: number;
  redirect?: Redirect;
  /** The deleted redirect. */
  deleted?: Redirect;
  /** If the item was refused: what happened and what to do. */
  error?: string;
  code?: ErrorCode;
  /** Every refused parameter or field, each listed once. */
  details?: InvalidField[];
}

/** One page of synonyms. */
export interface SynonymList {
  /** The synonyms of this page. */
  synonyms: Synonym[];
  pagination: Pagination;
}

/** Words that search treats as the same. */
export interface Synonym {
  /** The synonym's ID, which never changes. */
  id: string;
  /** The word or phrase that people search for. */
  term: string;
  /** The words and phrases that a search for the term also finds. */
  replacements: string[];
  /** Whether a search for a replacement also finds the term and the other replacements. */
  two_way: boolean;
  /** When it was created. */
  created_at: string;
}

/** One synonym. */
export interface SynonymAnswer {
  /** The synonym. */
  synonym: Synonym;
}

/** A synonym that was deleted. */
export interface DeletedSynonym {
  /** The deleted synonym. */
  deleted: Synonym;
}

/** One page of webhooks. */
export interface WebhookList {
  /** The webhooks of this page. */
  webhooks: Webhook[];
  pagination: Pagination;
}

/** A URL to which events are sent, without the signing secret. */
export interface Webhook {
  /** The webhook's ID, which never changes. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** What the webhook is for. */
  description: string;
  /** The events that are sent. */
  events: string[];
  /** Whether events are sent. */
  active: boolean;
  /**
   * Why Lectern switched the webhook off: `gone` after a 410 response, `failing` if every delivery failed for 3 days,
   * or `full` if too many deliveries were waiting. Otherwise null.
   */
  off_because: "gone" | "failing" | "full" | null;
  /** The time of the first failed attempt since the last successful delivery, or null. */
  failing_since: string | null;
  /** Until when Lectern also signs requests with the old secret. Null if only one secret is used. */
  old_secret_until: string | null;
  /** When it was created. */
  created_at: string;
}

/** A webhook with its new secret. */
export interface WebhookSecret {
  /** The webhook. */
  webhook: Webhook;
  /** The signing secret. No other response contains it. */
  secret: string;
}

/** One webhook. */
export interface WebhookAnswer {
  /** The webhook. */
  webhook: Webhook;
}

/** A webhook that was deleted. */
export interface DeletedWebhook {
  /** The deleted webhook. */
  deleted: Webhook;
}

/** One delivery. */
export interface WebhookDeliveryAnswer {
  /** The delivery. */
  delivery: WebhookDelivery;
}

/** An event that was or will be sent to a webhook. */
export interface WebhookDelivery {
  /** The delivery's ID, which requests send in the `webhook-id` header. */
  id: string;
  /** The ID of the webhook. */
  webhook_id: string;
  /** The event, such as `article.published`, or `ping` for a test. */
  event: string;
  /** `waiting` until an attempt succeeds or the last one fails. */
  state: "waiting" | "delivered" | "failed";
  /** When the event happened. */
  created_at: string;
  /** The number of attempts. */
  attempts: number;
  /** When the next attempt is due. Null if no attempt is due. */
  next_attempt_at: string | null;
  /** The time of the last attempt, or null. */
  attempted_at: string | null;
  /** How long the last attempt took, in milliseconds, or null. */
  took_ms: number | null;
  /** The status of the last response, or null if there was none. */
  status: number | null;
  /** Why the last attempt failed, or null. */
  problem: string | null;
}

/** One page of deliveries. */
export interface WebhookDeliveryList {
  /** The deliveries of this page. */
  deliveries: WebhookDelivery[];
  pagination: Pagination;
}

/** One page of team members. */
export interface TeamMemberList {
  /** The members of this page. */
  team_members: TeamMember[];
  pagination: Pagination;
}

/** A person who works on the knowledge base. */
export interface TeamMember {
  /** The member's ID, which never changes. */
  id: string;
  /** The email, unique in the workspace regardless of case. */
  email: string;
  /** The first name. */
  first_name: string;
  /** The last name. */
  last_name: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  time_zone: string;
  /** The absolute URL of the picture, or null. */
  profile_image_url: string | null;
  /** Whether the member can sign in. Deactivated members stay in the list. */
  active: boolean;
  /** The exact name of a role of the workspace, including case. */
  organization_role: string;
}

/** One team member. */
export interface TeamMemberAnswer {
  team_member: TeamMember;
}

/** One page of invitations. */
export interface InvitationList {
  /** The invitations of this page. */
  invitations: Invitation[];
  pagination: Pagination;
}

/** A pending invitation. Only the email contains its link. */
export interface Invitation {
  /** The invitation's ID, which never changes. */
  id: string;
  /** The email of the invited person. */
  email: string;
  /** The exact name of the role that the person gets. */
  role: string;
  /** When the invitation was last sent. */
  sent_at: string;
  /** When the link expires. Expired invitations stay in the list. */
  expires_at: string;
  /** Who first sent the invitation. Null if it was sent from the command line. */
  invited_by: {
    /** A team member or an API key. */
    kind: "member" | "api_key";
    /** The ID of the member or key. */
    id: string;
    /** The name of the member or key. */
    name: string;
  } | null;
}

/** One invitation. */
export interface InvitationAnswer {
  /** The invitation. */
  invitation: Invitation;
}

/** An invitation that was revoked. */
export interface RevokedInvitation {
  /** The revoked invitation. */
  revoked: Invitation;
}

/** One page of articles. */
export interface ArticleInsightList {
  /** The articles of this page. */
  articles: ArticleInsight[];
  pagination: Pagination;
}

/** How readers used an article. */
export interface ArticleInsight {
  /** The article's ID. */
  article_id: string;
  /** The article's title. */
  title: string;
  /** The article's state now. */
  state: "draft" | "published";
  /** The article's absolute URL. */
  full_url: string;
  /** How often it was viewed. Each reader counts once a day. */
  views_count: number;
  /** How many readers found it helpful. */
  helpful_count: number;
  /** How many readers found it not helpful. */
  not_helpful_count: number;
}

/** One page of searches. */
export interface SearchInsightList {
  /** The searches of this page. */
  searches: SearchInsight[];
  pagination: Pagination;
}

/** A search term that readers used. */
export interface SearchInsight {
  /** The text of the search, as it was last typed. */
  term: string;
  /** How often it was searched for. Searches that differ only in case or accents count as one. */
  searches_count: number;
  /** When it was last searched for. */
  last_searched_at: string;
  /** Whether the last search found anything. */
  has_results: boolean;
  /** Whether a reader opened a result. */
  opened: boolean;
}

/** One page of feedback. */
export interface FeedbackInsightList {
  /** The feedback of this page. */
  feedback: FeedbackInsight[];
  pagination: Pagination;
}

/** A reader's feedback on an article. */
export interface FeedbackInsight {
  /** The ID of the feedback. */
  id: string;
  /** The article's ID. */
  article_id: string;
  /** The article's title. */
  title: string;
  /** The article's state now. */
  state: "draft" | "published";
  /** The article's absolute URL. */
  full_url: string;
  /** Whether the reader found the article helpful. */
  helpful: boolean;
  /**
   * The problem that the reader chose: missing, unclear, or outdated information, or something else. Null if the reader
   * chose none.
   */
  choice: "missing" | "unclear" | "outdated" | "other" | null;
  /** The reader's comment, or null. */
  reason: string | null;
  /** When the reader gave the feedback. */
  created_at: string;
}

/** A part of the audit log. */
export interface AuditEntryList {
  /** The entries of this page. */
  audit_entries: AuditEntry[];
  /** An opaque cursor for the next, older page. Null if there are no older entries. */
  cursor: string | null;
}

/** A recorded change or sign-in. */
export interface AuditEntry {
  /** The entry's ID, which never changes. */
  id: string;
  /** When the change or sign-in started. */
  created_at: string;
  /** What was done, such as `article.published`. `AuditAction` lists every action. */
  action: string;
  /** Who did it. */
  actor: {
    /** The kind of actor. */
    kind: "member" | "api_key" | "command_line" | "system";
    /** The ID of the member or API key. Null for other actors. */
    id: string | null;
    /** The actor's name at that time. For a member, it is the email. */
    name: string;
  };
  /** What was changed. */
  subject: {
    /** The kind of thing that was changed, such as `article`. */
    kind: string;
    /** The ID of what was changed, even if it has since been deleted. Null if it has no ID. */
    id: string | null;
    /** The name or title at that time. */
    name: string;
  };
  /** Details of the change, such as `{ "role": "Editor → Admin" }`. The field names depend on the action. */
  details: Record<string, string | number | boolean | null>;
  /**
   * The IP address of the request. Null once the workspace's retention period has passed, or if there was no request.
   */
  ip: string | null;
  /** The `X-Request-Id` of the request, or null. */
  request_id: string | null;
}

/** The settings of the knowledge base. */
export interface Setting {
  /** The name that readers see. */
  knowledge_base_name: string;
  /** The absolute URL of the knowledge base. */
  url: string;
}

/** The workspace and the key. */
export interface Me {
  workspace: Workspace;
  api_key: ApiKey;
}

/** The workspace of the host and the key. */
export interface Workspace {
  /** The workspace's ID. */
  id: string;
  /** The name. */
  name: string;
  /** The subdomain. */
  subdomain: string;
  /** The absolute URL. */
  url: string;
}

/** The key of this request. */
export interface ApiKey {
  /** The key's ID. */
  id: string;
  /** The name of the key. */
  name: string;
  /** The last 4 characters of the key, to tell keys apart. */
  last_four: string;
  /** `read_write` if the key has the `members.write` scope, otherwise `read`. Prefer `scopes`. */
  permission: "read" | "read_write";
  /** What the key can do. `content.read` includes `public`. */
  scopes: Scope[];
  /** When it was created. */
  created_at: string;
  /** When it expires, or null if it never does. */
  expires_at: string | null;
  /** When it was last used, to within a few minutes, or null if never. */
  last_used_at: string | null;
}

/**
 * `public`: Read what visitors see: published articles in public categories. `content.read`: Read drafts, members-only
 * articles, versions, and view counts, in addition to public content. `content.draft`: Create articles and edit drafts,
 * which readers don't see. Includes reading all content. `content.publish`: Publish and schedule articles, manage tags,
 * and create categories. Includes reading all content. `content.delete`: Delete and restore articles. Includes reading
 * all content. `categories`: Manage categories and who can read them. Includes reading all content. `files`: Upload
 * images and other files for articles. `redirects`: Read, create, change, and delete redirects, and see titles of
 * hidden pages. `synonyms`: Read, create, change, and delete synonyms. `webhooks`: Read, create, change, and delete
 * webhooks, which send events about content, members, and feedback to other services. `members.read`: Read the names,
 * emails, and roles of team members and invited people. `members.write`: Invite people, change the names, emails, and
 * roles of team members, and deactivate them. `insights.read`: Read views, searches, and anonymous feedback, including
 * titles of members-only articles and drafts. `audit.read`: Read the audit log, including people's names, IP addresses,
 * and titles of articles that readers don't see.
 */
export type Scope =
  | "public"
  | "content.read"
  | "content.draft"
  | "content.publish"
  | "content.delete"
  | "categories"
  | "files"
  | "redirects"
  | "synonyms"
  | "webhooks"
  | "members.read"
  | "members.write"
  | "insights.read"
  | "audit.read";

/** Exactly one of `article_id`, `category_id`, and `path`. */
export interface RedirectTargetOutput {
  /** The ID of an article, which must be published when you send it. */
  article_id?: string;
  /** The ID of a category. */
  category_id?: string;
  /** A path of the knowledge base, or an https URL. */
  path?: string;
}

export interface ListCategoriesQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /**
   * `roots` lists the top-level categories, each with its whole subtree. `all` lists every category, without nesting.
   * Default: "roots".
   */
  scope?: "roots" | "all" | undefined;
}

export interface ListArticlesQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only articles in this category, without its subcategories. An unknown ID returns an empty list. */
  category_id?: string | undefined;
  /** Only articles in this state. Default: both states. */
  state?: ArticleState | undefined;
  /**
   * Only articles that have all of these words, or longer words that begin with them, in the title or text. The order
   * does not change, and spelling is not corrected.
   */
  search_term?: string | undefined;
  /**
   * Only articles whose `updated_at` is this time or later. An import can set `updated_at` to a time in the past, so
   * use `GET /changes` to keep a copy up to date.
   */
  updated_since?: string | undefined;
  /** Only articles with this tag, ignoring case. An unknown tag returns an empty list. */
  tag?: string | undefined;
  /** Only articles whose author has this email, ignoring case. Requires the `members.read` scope. */
  author_email?: string | undefined;
  /** Only the article with this ID in your system. Requires the `content.read` scope. */
  external_id?: string | undefined;
  /**
   * `true`: only articles with a draft, published or not. `false`: only articles without a draft. Requires the
   * `content.read` scope.
   */
  has_draft?: boolean | undefined;
  /** The field to sort by. Default: `created_at`. `unique_views_count` requires the `content.read` scope. */
  sort_by?: "created_at" | "updated_at" | "title" | "unique_views_count" | undefined;
  /** The sort direction, ignoring case. Default: `ASC` for `title`, otherwise `DESC`. */
  order_by?: "ASC" | "DESC" | undefined;
  /** `content` adds the text of each article. */
  include?: "content" | undefined;
}

export interface GetArticleQuery {
  /**
   * `full` includes the category's articles and direct subcategories. `summary` omits both, for clients that fetch many
   * articles. Default: "full".
   */
  category?: "full" | "summary" | undefined;
}

export interface ListVersionsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
}

export interface UploadFileQuery {
  /** The filename. Default: the name in the form, or `file`. */
  file_name?: string | undefined;
}

export interface ListChangesQuery {
  /** The `cursor` of an earlier response. Default: from the beginning. */
  after?: string | undefined;
  /** Items per page, 1 to 100. Larger values return 100. Default: 30. */
  page_size?: number | undefined;
  /** `content` adds the text of each article. */
  include?: "content" | undefined;
}

export interface ListTagsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only tags with this text in their name, ignoring case and accents. */
  search_term?: string | undefined;
}

export interface SearchArticlesQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** The text to search for, at most 200 characters. You can also send it as `query` or `q`. */
  search_term: string;
}

export interface ListRedirectsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only redirects with this text in the old path, or in the title, name, or URL of the destination. */
  search_term?: string | undefined;
}

export interface ListSynonymsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only synonyms with this text in the term or a replacement, ignoring case, accents, and punctuation. */
  search_term?: string | undefined;
}

export interface ListWebhooksQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only deliveries in this state. */
  state?: "waiting" | "delivered" | "failed" | undefined;
}

export interface ListTeamMembersQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** Only the member with this email, ignoring case. */
  email?: string | undefined;
}

export interface ListInvitationsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
}

export interface ListArticleInsightsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** The first day, in UTC, at most 400 days ago. Default: 29 days before `to`. */
  from?: string | undefined;
  /** The last day, in UTC. The range can have at most 366 days. Default: today. */
  to?: string | undefined;
}

export interface ListSearchInsightsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** The first day, in UTC, at most 400 days ago. Default: 29 days before `to`. */
  from?: string | undefined;
  /** The last day, in UTC. The range can have at most 366 days. Default: today. */
  to?: string | undefined;
  /**
   * `no_results`: only searches that found nothing the last time someone made them. `no_clicks`: only repeated searches
   * with results that no reader opened.
   */
  only?: "no_results" | "no_clicks" | undefined;
}

export interface ListFeedbackInsightsQuery {
  /** The page to return, starting at 1. A page past the end has an empty list and correct totals. Default: 1. */
  page_number?: number | undefined;
  /** Items per page, 1 to 100. Larger values return 100, which `pagination.page_size` reports. Default: 30. */
  page_size?: number | undefined;
  /** The first day, in UTC, at most 400 days ago. Default: 29 days before `to`. */
  from?: string | undefined;
  /** The last day, in UTC. The range can have at most 366 days. Default: today. */
  to?: string | undefined;
}

export interface ListAuditEntriesQuery {
  /** Only entries from this time on. */
  since?: string | undefined;
  /** Only entries before this time. */
  until?: string | undefined;
  /** Only entries with this action. */
  action?: AuditAction | undefined;
  /** Only entries by this member or API key. */
  actor_id?: string | undefined;
  /** The `cursor` of an earlier response. Default: the newest entries. */
  before?: string | undefined;
  /** Items per page, 1 to 100. Larger values return 100. Default: 30. */
  page_size?: number | undefined;
}
