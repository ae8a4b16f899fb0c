import {
  type CallOptions,
  Connection,
  type LecternOptions,
  type ReadOptions,
  type Tagged,
  type WriteOptions,
} from "./connection.js";
import { List, MAX_PAGE_SIZE } from "./list.js";
import type {
  ArticleAnswer,
  ArticleChanges,
  ArticleDeletion,
  ArticleInsight,
  ArticleInsightList,
  ArticleList,
  ArticleListItem,
  AuditEntry,
  AuditEntryList,
  BulkAnswer,
  Category,
  CategoryAnswer,
  CategoryChanges,
  CategoryDeletion,
  CategoryList,
  CategoryOrder,
  ChangeList,
  DeletedArticle,
  DeletedCategory,
  DeletedRedirect,
  DeletedSynonym,
  DeletedTag,
  DeletedWebhook,
  DraftAnswer,
  DraftRemoval,
  FeedbackInsight,
  FeedbackInsightList,
  GetArticleQuery,
  Invitation,
  InvitationAnswer,
  InvitationList,
  ListArticleInsightsQuery,
  ListArticlesQuery,
  ListAuditEntriesQuery,
  ListCategoriesQuery,
  ListChangesQuery,
  ListFeedbackInsightsQuery,
  ListInvitationsQuery,
  ListRedirectsQuery,
  ListSearchInsightsQuery,
  ListSynonymsQuery,
  ListTagsQuery,
  ListTeamMembersQuery,
  ListVersionsQuery,
  ListWebhookDeliveriesQuery,
  ListWebhooksQuery,
  Me,
  MergedCategory,
  NewArticle,
  NewCategory,
  NewInvitation,
  NewRedirect,
  NewSynonym,
  NewWebhook,
  OrderedCategories,
  Publication,
  Redirect,
  RedirectAnswer,
  RedirectBulkAnswer,
  RedirectChanges,
  RedirectList,
  RevokedInvitation,
  SearchArticlesQuery,
  SearchInsight,
  SearchInsightList,
  SearchMatch,
  SearchResults,
  Setting,
  Synonym,
  SynonymAnswer,
  SynonymChanges,
  SynonymList,
  TagAnswer,
  TagChanges,
  TagDetails,
  TagList,
  TeamMember,
  TeamMemberAnswer,
  TeamMemberChanges,
  TeamMemberList,
  Unpublication,
  UploadAnswer,
  UploadFileQuery,
  UpsertedArticle,
  Version,
  VersionAnswer,
  VersionList,
  VersionRestoration,
  Webhook,
  WebhookAnswer,
  WebhookChanges,
  WebhookDelivery,
  WebhookDeliveryAnswer,
  WebhookDeliveryList,
  WebhookList,
  WebhookSecret,
  WrittenArticle,
} from "./types.js";

export type { CallOptions, LecternOptions, ReadOptions, Tagged, WriteOptions } from "./connection.js";
export * from "./errors.js";
export type { List } from "./list.js";
export type * from "./types.js";
export * from "./webhooks.js";

/** An item of `articles.bulk`: the fields of the call of this name, and a name of your own for the result. */
export type ArticleAction = { ref?: string | undefined } & (
  | ({ action: "create" } & NewArticle)
  | ({ action: "update"; article_id: string } & ArticleChanges)
  | ({ action: "upsert"; external_id: string } & UpsertedArticle)
  | ({ action: "publish"; article_id: string } & Publication)
  | ({ action: "unpublish"; article_id: string } & Unpublication)
  | ({ action: "delete"; article_id: string } & ArticleDeletion)
);

/** An item of `redirects.bulk`: the fields of the call of this name, and a name of your own for the result. */
export type RedirectAction = { ref?: string | undefined } & (
  | ({ action: "create" } & NewRedirect)
  | ({ action: "update"; redirect_id: string } & RedirectChanges)
  | { action: "delete"; redirect_id: string }
);

type SearchParams = Omit<SearchArticlesQuery, "search_term">;

/** A client for one workspace. Calls throw the errors in errors.ts, or a signal's reason. */
export class Lectern {
  readonly articles: Articles;
  readonly categories: Categories;
  readonly changes: Changes;
  readonly files: Files;
  readonly redirects: Redirects;
  readonly synonyms: Synonyms;
  readonly tags: Tags;
  readonly webhooks: Webhooks;
  readonly teamMembers: TeamMembers;
  readonly invitations: Invitations;
  readonly insights: Insights;
  readonly auditEntries: AuditEntries;
  readonly #matches: List<SearchResults, SearchMatch, SearchArticlesQuery>;
  readonly #connection: Connection;

  /** @throws TypeError when an option cannot be used */
  constructor(options: LecternOptions) {
    this.#connection = new Connection(options);
    this.articles = new Articles(this.#connection);
    this.categories = new Categories(this.#connection);
    this.changes = new Changes(this.#connection);
    this.files = new Files(this.#connection);
    this.redirects = new Redirects(this.#connection);
    this.synonyms = new Synonyms(this.#connection);
    this.tags = new Tags(this.#connection);
    this.webhooks = new Webhooks(this.#connection);
    this.teamMembers = new TeamMembers(this.#connection);
    this.invitations = new Invitations(this.#connection);
    this.insights = new Insights(this.#connection);
    this.auditEntries = new AuditEntries(this.#connection);
    this.#matches = new List(this.#connection, "/search", (page) => page.matches);
  }

  /** One page of matching published articles, the best match first. */
  async search(
    term: string,
    params: SearchParams | undefined,
    options: ReadOptions,
  ): Promise<Tagged<SearchResults> | null>;
  async search(term: string, params?: SearchParams, options?: CallOptions): Promise<Tagged<SearchResults>>;
  async search(term: string, params?: SearchParams, options: CallOptions = {}) {
    return this.#matches.list({ ...params, search_term: term }, options);
  }

  /** Every match on all pages. */
  searchAll(
    term: string,
    params?: Omit<SearchParams, "page_number">,
    options?: CallOptions,
  ): AsyncGenerator<SearchMatch, void, undefined> {
    return this.#matches.all({ ...params, search_term: term }, options);
  }

  /** The settings of the knowledge base. */
  async setting(options: ReadOptions): Promise<Tagged<Setting> | null>;
  async setting(options?: CallOptions): Promise<Tagged<Setting>>;
  async setting(options?: CallOptions) {
    return this.#connection.get<Setting>("/setting", {}, options);
  }

  /** The workspace and the API key of this client. */
  async me(options: ReadOptions): Promise<Tagged<Me> | null>;
  async me(options?: CallOptions): Promise<Tagged<Me>>;
  async me(options?: CallOptions) {
    return this.#connection.get<Me>("/me", {}, options);
  }
}

export class Articles extends List<ArticleList, ArticleListItem, ListArticlesQuery> {
  constructor(connection: Connection) {
    super(connection, "/articles", (page) => page.articles);
  }

  /**
   * One article with its text. With `ifNoneMatch`, null when nothing has changed since.
   * @param id an id, permalink, slug or former slug
   */
  async get(
    id: string,
    params: GetArticleQuery | undefined,
    options: ReadOptions,
  ): Promise<Tagged<ArticleAnswer> | null>;
  async get(id: string, params?: GetArticleQuery, options?: CallOptions): Promise<Tagged<ArticleAnswer>>;
  async get(id: string, params: GetArticleQuery = {}, options?: CallOptions) {
    return this.connection.get<ArticleAnswer>(`/articles/${segment(id)}`, params, options);
  }

  /** The draft. Requires a key with the content.read scope. */
  async draft(id: string, options: ReadOptions): Promise<Tagged<DraftAnswer> | null>;
  async draft(id: string, options?: CallOptions): Promise<Tagged<DraftAnswer>>;
  async draft(id: string, options?: CallOptions) {
    return this.connection.get<DraftAnswer>(`/articles/${segment(id)}/draft`, {}, options);
  }

  /** Discards the changes of a published article. The discarded text is kept as a version. */
  discardDraft(id: string, conditions?: DraftRemoval, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("DELETE", `/articles/${segment(id)}/draft`, conditions, options);
  }

  /** One page of versions, newest first. Reading versions requires a key with the content.read scope. */
  versions(id: string, params?: ListVersionsQuery, options?: CallOptions): Promise<Tagged<VersionList>> {
    return this.#versionsOf(id).list(params, options);
  }

  /** The versions of all pages. */
  allVersions(
    id: string,
    params?: Omit<ListVersionsQuery, "page_number">,
    options?: CallOptions,
  ): AsyncGenerator<Version, void, undefined> {
    return this.#versionsOf(id).all(params, options);
  }

  /** One version with its text. With `ifNoneMatch`, null when nothing has changed since. */
  async version(id: string, number: number, options: ReadOptions): Promise<Tagged<VersionAnswer> | null>;
  async version(id: string, number: number, options?: CallOptions): Promise<Tagged<VersionAnswer>>;
  async version(id: string, number: number, options?: CallOptions) {
    return this.connection.get<VersionAnswer>(`/articles/${segment(id)}/versions/${number}`, {}, options);
  }

  /** Makes a version the draft. The draft it replaces is kept as a version. */
  restoreVersion(
    id: string,
    number: number,
    conditions?: VersionRestoration,
    options?: WriteOptions,
  ): Promise<WrittenArticle> {
    const path = `/articles/${segment(id)}/versions/${number}/restore`;
    return this.connection.write<WrittenArticle>("POST", path, conditions, options);
  }

  /** Creates a draft, or a published article. Requires a key with the content.draft scope, like the other changes. */
  create(article: NewArticle, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("POST", "/articles", article, options);
  }

  /**
   * Changes the draft, and publishes it with `publish`.
   * @throws PreconditionFailedError when the article has changed since `ifMatch` or `revision`
   */
  update(id: string, changes: ArticleChanges, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("PATCH", `/articles/${segment(id)}`, changes, options);
  }

  /** Creates or updates the article with an id of your own. `changed` is false if it already matched. */
  put(externalId: string, article: UpsertedArticle, options?: WriteOptions): Promise<WrittenArticle> {
    const path = `/articles/by-external-id/${segment(externalId)}`;
    return this.connection.write<WrittenArticle>("PUT", path, article, options);
  }

  /**
   * Makes up to 100 changes, each on its own, and returns their results in the same order. With `idempotencyKey`, a
   * repeated call makes only the changes that were refused or not tried.
   */
  bulk(items: ArticleAction[], options?: Omit<WriteOptions, "ifMatch">): Promise<BulkAnswer> {
    return this.connection.write<BulkAnswer>("POST", "/articles/bulk", { items }, options);
  }

  /** Makes the draft live. Requires a key with the content.publish scope. */
  publish(id: string, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("POST", `/articles/${segment(id)}/publish`, undefined, options);
  }

  unpublish(id: string, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("POST", `/articles/${segment(id)}/unpublish`, undefined, options);
  }

  /** Moves an article to the trash. Requires a key with the content.delete scope. */
  delete(id: string, deletion?: ArticleDeletion, options?: WriteOptions): Promise<DeletedArticle> {
    return this.connection.write<DeletedArticle>("DELETE", `/articles/${segment(id)}`, deletion, options);
  }

  /** @param id of the deleted article */
  restore(id: string, options?: WriteOptions): Promise<WrittenArticle> {
    return this.connection.write<WrittenArticle>("POST", `/articles/${segment(id)}/restore`, undefined, options);
  }

  #versionsOf(id: string) {
    const path = `/articles/${segment(id)}/versions`;
    return new List<VersionList, Version, ListVersionsQuery>(this.connection, path, (page) => page.versions);
  }
}

/** Articles that changed since a cursor, to keep a copy up to date. */
export class Changes {
  private readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** The changes after a cursor, by default from the beginning. With `ifNoneMatch`, null when nothing has changed since. */
  async list(params: ListChangesQuery | undefined, options: ReadOptions): Promise<Tagged<ChangeList> | null>;
  async list(params?: ListChangesQuery, options?: CallOptions): Promise<Tagged<ChangeList>>;
  async list(params: ListChangesQuery = {}, options?: CallOptions): Promise<Tagged<ChangeList> | null> {
    return this.connection.get<ChangeList>("/changes", params, options);
  }

  /**
   * Every page of changes after a cursor, by default with the maximum page size. Apply the changes of a page, then store
   * its `cursor`, and continue from there the next time.
   * @throws LecternError with the code `cursor_expired`. Then start over without `after`
   */
  async *pages(params: ListChangesQuery = {}, options?: CallOptions): AsyncGenerator<ChangeList, void, undefined> {
    let { after } = params;
    for (let more = true; more; ) {
      const page: ChangeList = await this.list(
        { page_size: MAX_PAGE_SIZE, ...params, after },
        { signal: options?.signal },
      );
      yield page;
      ({ cursor: after, has_more: more } = page);
    }
  }
}

export class Categories extends List<CategoryList, Category, ListCategoriesQuery> {
  constructor(connection: Connection) {
    super(connection, "/categories", (page) => page.categories);
  }

  /** One category with its articles. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<CategoryAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<CategoryAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<CategoryAnswer>(`/categories/${segment(id)}`, {}, options);
  }

  /** Creates a category. Creating, updating, deleting and merging need a key with the scope `categories`. */
  create(category: NewCategory, options?: WriteOptions): Promise<CategoryAnswer> {
    return this.connection.write<CategoryAnswer>("POST", "/categories", category, options);
  }

  /**
   * Changes fields of a category, and moves it with `parent_id` and `position`.
   * @throws PreconditionFailedError when the category has changed since `ifMatch`
   */
  update(id: string, changes: CategoryChanges, options?: WriteOptions): Promise<CategoryAnswer> {
    return this.connection.write<CategoryAnswer>("PATCH", `/categories/${segment(id)}`, changes, options);
  }

  /** Deletes a category. `move_contents_to` says where its contents go. */
  delete(id: string, deletion?: CategoryDeletion, options?: WriteOptions): Promise<DeletedCategory> {
    return this.connection.write<DeletedCategory>("DELETE", `/categories/${segment(id)}`, deletion, options);
  }

  /** Moves a category's contents to another category, then deletes the empty one. */
  merge(id: string, into: string, options?: WriteOptions): Promise<MergedCategory> {
    return this.connection.write<MergedCategory>("POST", `/categories/${segment(id)}/merge`, { into }, options);
  }

  /** Sets the order of all categories in a parent. A `parent_id` of null stands for the top level. */
  order(order: CategoryOrder, options?: Omit<WriteOptions, "ifMatch">): Promise<OrderedCategories> {
    return this.connection.write<OrderedCategories>("PUT", "/categories/order", order, options);
  }
}

/** Images and other files for articles. */
export class Files {
  constructor(private readonly connection: Connection) {}

  /** Uploads an image or another file. Requires a key with the files scope. */
  upload(
    file: Blob | Uint8Array<ArrayBuffer> | string,
    params: UploadFileQuery = {},
    options?: Omit<WriteOptions, "ifMatch">,
  ): Promise<UploadAnswer> {
    return this.connection.upload<UploadAnswer>("/uploads", file, params, options);
  }
}

/** Redirects from old URLs. Requires a key with the redirects scope. */
export class Redirects extends List<RedirectList, Redirect, ListRedirectsQuery> {
  constructor(connection: Connection) {
    super(connection, "/redirects", (page) => page.redirects);
  }

  /** One redirect. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<RedirectAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<RedirectAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<RedirectAnswer>(`/redirects/${segment(id)}`, {}, options);
  }

  create(redirect: NewRedirect, options?: WriteOptions): Promise<RedirectAnswer> {
    return this.connection.write<RedirectAnswer>("POST", "/redirects", redirect, options);
  }

  /** Changes the destination. */
  update(id: string, changes: RedirectChanges, options?: WriteOptions): Promise<RedirectAnswer> {
    return this.connection.write<RedirectAnswer>("PATCH", `/redirects/${segment(id)}`, changes, options);
  }

  delete(id: string, options?: WriteOptions): Promise<DeletedRedirect> {
    return this.connection.write<DeletedRedirect>("DELETE", `/redirects/${segment(id)}`, undefined, options);
  }

  /** Makes up to 100 changes in order, each on its own. A result has the status of its item. */
  bulk(items: RedirectAction[], options?: Omit<WriteOptions, "ifMatch">): Promise<RedirectBulkAnswer> {
    return this.connection.write<RedirectBulkAnswer>("POST", "/redirects/bulk", { items }, options);
  }
}

/** Words that search treats as the same. Requires a key with the synonyms scope. */
export class Synonyms extends List<SynonymList, Synonym, ListSynonymsQuery> {
  constructor(connection: Connection) {
    super(connection, "/synonyms", (page) => page.synonyms);
  }

  /** One synonym. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<SynonymAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<SynonymAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<SynonymAnswer>(`/synonyms/${segment(id)}`, {}, options);
  }

  create(synonym: NewSynonym, options?: WriteOptions): Promise<SynonymAnswer> {
    return this.connection.write<SynonymAnswer>("POST", "/synonyms", synonym, options);
  }

  update(id: string, changes: SynonymChanges, options?: WriteOptions): Promise<SynonymAnswer> {
    return this.connection.write<SynonymAnswer>("PATCH", `/synonyms/${segment(id)}`, changes, options);
  }

  delete(id: string, options?: WriteOptions): Promise<DeletedSynonym> {
    return this.connection.write<DeletedSynonym>("DELETE", `/synonyms/${segment(id)}`, undefined, options);
  }
}

/** Reading requires a key with the content.read scope, and changes need content.publish. */
export class Tags extends List<TagList, TagDetails, ListTagsQuery> {
  constructor(connection: Connection) {
    super(connection, "/tags", (page) => page.tags);
  }

  /** One tag. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<TagAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<TagAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<TagAnswer>(`/tags/${segment(id)}`, {}, options);
  }

  /** Renames a tag in all articles. */
  update(id: string, changes: TagChanges, options?: WriteOptions): Promise<TagAnswer> {
    return this.connection.write<TagAnswer>("PATCH", `/tags/${segment(id)}`, changes, options);
  }

  /** Removes a tag from all articles. */
  delete(id: string, options?: WriteOptions): Promise<DeletedTag> {
    return this.connection.write<DeletedTag>("DELETE", `/tags/${segment(id)}`, undefined, options);
  }

  /** Replaces a tag with another one in all articles. */
  merge(id: string, into: string, options?: WriteOptions): Promise<TagAnswer> {
    return this.connection.write<TagAnswer>("POST", `/tags/${segment(id)}/merge`, { into }, options);
  }
}

/** URLs to which events are sent. Requires a key with the webhooks scope. */
export class Webhooks extends List<WebhookList, Webhook, ListWebhooksQuery> {
  constructor(connection: Connection) {
    super(connection, "/webhooks", (page) => page.webhooks);
  }

  /** One webhook. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<WebhookAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<WebhookAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<WebhookAnswer>(`/webhooks/${segment(id)}`, {}, options);
  }

  /** Creates a webhook. Store its secret, because no other answer contains it. */
  create(webhook: NewWebhook, options?: WriteOptions): Promise<WebhookSecret> {
    return this.connection.write<WebhookSecret>("POST", "/webhooks", webhook, options);
  }

  update(id: string, changes: WebhookChanges, options?: WriteOptions): Promise<WebhookAnswer> {
    return this.connection.write<WebhookAnswer>("PATCH", `/webhooks/${segment(id)}`, changes, options);
  }

  delete(id: string, options?: WriteOptions): Promise<DeletedWebhook> {
    return this.connection.write<DeletedWebhook>("DELETE", `/webhooks/${segment(id)}`, undefined, options);
  }

  /** Replaces the secret. Requests are also signed with the old one for 24 hours. */
  rotateSecret(id: string, options?: WriteOptions): Promise<WebhookSecret> {
    return this.connection.write<WebhookSecret>("POST", `/webhooks/${segment(id)}/rotate-secret`, undefined, options);
  }

  /** Sends the event `ping`. */
  test(id: string, options?: WriteOptions): Promise<WebhookDeliveryAnswer> {
    return this.connection.write<WebhookDeliveryAnswer>("POST", `/webhooks/${segment(id)}/test`, undefined, options);
  }

  /** One page of deliveries, newest first. */
  deliveries(
    id: string,
    params?: ListWebhookDeliveriesQuery,
    options?: CallOptions,
  ): Promise<Tagged<WebhookDeliveryList>> {
    return this.#deliveriesOf(id).list(params, options);
  }

  /** The deliveries of all pages. */
  allDeliveries(
    id: string,
    params?: Omit<ListWebhookDeliveriesQuery, "page_number">,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return this.#deliveriesOf(id).all(params, options);
  }

  /** Sends a delivery again. */
  resend(id: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDeliveryAnswer> {
    const path = `/webhooks/${segment(id)}/deliveries/${segment(deliveryId)}/resend`;
    return this.connection.write<WebhookDeliveryAnswer>("POST", path, undefined, options);
  }

  #deliveriesOf(id: string) {
    const path = `/webhooks/${segment(id)}/deliveries`;
    return new List<WebhookDeliveryList, WebhookDelivery, ListWebhookDeliveriesQuery>(
      this.connection,
      path,
      (page) => page.deliveries,
    );
  }
}

export class TeamMembers extends List<TeamMemberList, TeamMember, ListTeamMembersQuery> {
  constructor(connection: Connection) {
    super(connection, "/team-members", (page) => page.team_members);
  }

  /** One member. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<TeamMemberAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<TeamMemberAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<TeamMemberAnswer>(`/team-members/${segment(id)}`, {}, options);
  }

  /**
   * Changes fields of a member and returns the member. Requires a key with the members.write scope.
   * @throws PreconditionFailedError when the member has changed since `ifMatch`
   */
  async update(id: string, changes: TeamMemberChanges, options?: WriteOptions): Promise<TeamMemberAnswer> {
    return this.connection.write<TeamMemberAnswer>("PATCH", `/team-members/${segment(id)}`, changes, options);
  }
}

/** People who were invited and have not accepted yet. Writing requires a key with the members.write scope. */
export class Invitations extends List<InvitationList, Invitation, ListInvitationsQuery> {
  constructor(connection: Connection) {
    super(connection, "/invitations", (page) => page.invitations);
  }

  /** One invitation. With `ifNoneMatch`, null when nothing has changed since. */
  async get(id: string, options: ReadOptions): Promise<Tagged<InvitationAnswer> | null>;
  async get(id: string, options?: CallOptions): Promise<Tagged<InvitationAnswer>>;
  async get(id: string, options?: CallOptions) {
    return this.connection.get<InvitationAnswer>(`/invitations/${segment(id)}`, {}, options);
  }

  /** Emails a link to the person. */
  create(invitation: NewInvitation, options?: WriteOptions): Promise<InvitationAnswer> {
    return this.connection.write<InvitationAnswer>("POST", "/invitations", invitation, options);
  }

  /** Emails a new link, which replaces the old one. */
  resend(id: string, options?: WriteOptions): Promise<InvitationAnswer> {
    return this.connection.write<InvitationAnswer>("POST", `/invitations/${segment(id)}/resend`, undefined, options);
  }

  revoke(id: string, options?: WriteOptions): Promise<RevokedInvitation> {
    return this.connection.write<RevokedInvitation>("DELETE", `/invitations/${segment(id)}`, undefined, options);
  }
}

/** What readers read, searched for and said. Requires a key with the insights.read scope. */
export class Insights {
  readonly articles: List<ArticleInsightList, ArticleInsight, ListArticleInsightsQuery>;
  readonly searches: List<SearchInsightList, SearchInsight, ListSearchInsightsQuery>;
  readonly feedback: List<FeedbackInsightList, FeedbackInsight, ListFeedbackInsightsQuery>;

  constructor(connection: Connection) {
    this.articles = new List(connection, "/insights/articles", (page) => page.articles);
    this.searches = new List(connection, "/insights/searches", (page) => page.searches);
    this.feedback = new List(connection, "/insights/feedback", (page) => page.feedback);
  }
}

/** The audit log. Requires a key with the audit.read scope. */
export class AuditEntries {
  private readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** The newest entries, or those before a cursor. With `ifNoneMatch`, null when nothing has changed since. */
  async list(params: ListAuditEntriesQuery | undefined, options: ReadOptions): Promise<Tagged<AuditEntryList> | null>;
  async list(params?: ListAuditEntriesQuery, options?: CallOptions): Promise<Tagged<AuditEntryList>>;
  async list(params: ListAuditEntriesQuery = {}, options?: CallOptions): Promise<Tagged<AuditEntryList> | null> {
    return this.connection.get<AuditEntryList>("/audit-entries", params, options);
  }

  /** Every entry, newest first. Requests each page when it is reached, by default with the maximum page size. */
  async *all(
    params?: Omit<ListAuditEntriesQuery, "before">,
    options?: CallOptions,
  ): AsyncGenerator<AuditEntry, void, undefined> {
    for (let before: string | null | undefined; before !== null; ) {
      const page: AuditEntryList = await this.list(
        { page_size: MAX_PAGE_SIZE, ...params, before },
        { signal: options?.signal },
      );
      yield* page.audit_entries;
      before = page.cursor;
    }
  }
}

/** Rejects ids such as "..", which would change the path. */
function segment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is not an ID. Send an ID, a permalink, or a slug.`);
  return encodeURIComponent(id);
}
