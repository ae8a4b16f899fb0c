import { z } from "zod";
import { forbidden, HttpError, notFound } from "@/lib/api/errors";
import type { ApiKey, ApiWorkspace } from "@/lib/api/keys";
import { created } from "@/lib/api/operation";
import { allows } from "@/lib/api-keys/scopes";
import { findArticleId } from "@/lib/articles/articles";
import { type ConflictReason, DraftConflict, type Expected } from "@/lib/articles/conflicts";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import {
  type ArticleInput,
  createArticles,
  NeedsPublishing,
  type NewArticle,
  type Wishes,
  type WrittenArticle,
} from "@/lib/articles/write-article";
import {
  type DerivedDraft,
  derivedBody,
  derivedDraft,
  liveByExternalId,
  type WrittenBody,
  writtenBody,
} from "@/lib/articles/written-body";
import type { Actor } from "@/lib/audit/audit";
import {
  categoryAt,
  type FoundCategory,
  type LookedUp,
  lookUpCategory,
  type NamedCategory,
} from "@/lib/categories/paths";
import { lockCategories } from "@/lib/categories/tree";
import { type Db, inOneGo, type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { everything } from "@/lib/visibility";
import {
  type ArticleAnswer,
  articleAnswer,
  articleAnswers,
  OwnArticle,
  type WrittenAnswer,
} from "../_shapes/article-answer";
import { DraftAnswer, draftAnswer } from "../_shapes/draft";
import { urlsOf } from "../_shapes/urls";

// The fields, conflicts and answers of all operations that write articles.

/** The most bytes of a request with text. */
export const TEXT_LIMIT = 2 * 1024 * 1024;

export const ArticleName = z.string().meta({
  description: "The article's ID, its permalink (`a-` and 8 hexadecimal digits), its slug, or a former slug.",
  examples: ["reset-your-password"],
});

const text = (name: string) => z.string({ error: `${name} must be text.` });
const list = (name: string) =>
  z.array(z.string({ error: `${name} must be a list of strings.` }), { error: `${name} must be a list of strings.` });
/** PostgreSQL stores no NUL. */
export const isPlain = (typed: string) => !/[\p{Cc}\p{Cs}]/u.test(typed);
const flag = (name: string) => z.boolean({ error: `${name} must be true or false.` });

const MOST_ID = 200;

export const ExternalId = text("external_id")
  .trim()
  .min(1, { error: "external_id must have at least one character." })
  .max(MOST_ID, { error: `external_id can have up to ${MOST_ID} characters.` })
  .refine(isPlain, { error: "external_id can't contain control characters." });

/** Throws InvalidError about `external_id`. */
export function checkedExternalId(id: string): string {
  const { success, error } = ExternalId.safeParse(id);
  if (!success) {
    throw invalid("external_id", id.length > MOST_ID ? "too_long" : "invalid", error.issues[0]?.message ?? "");
  }
  return id;
}

export const VersionNumber = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((number) => number <= 2_147_483_647)
  .meta({ description: "The number of the version.", override: { type: "integer", minimum: 1, examples: [12] } });

export const Title = text("title")
  .refine((title) => title.trim() !== "", { error: "title can't be empty.", params: { code: "required" } })
  .meta({ description: "The title, at most 300 characters.", examples: ["Reset your password"] });

export const ContentFields = {
  html_content: text("html_content")
    .optional()
    .meta({
      description: "The text as HTML, which is cleaned as in the editor. Send this or `markdown_content`.",
      examples: ["<h2>Ask for a link</h2><p>Open the sign-in page.</p>"],
    }),
  markdown_content: text("markdown_content")
    .optional()
    .meta({
      description: "The text as GitHub Flavored Markdown, without front matter. Send this or `html_content`.",
      examples: ["## Ask for a link\n\nOpen the sign-in page."],
    }),
  tags: list("tags")
    .optional()
    .meta({
      description: "The names of all tags, at most 50. Tags that don't exist are created.",
      examples: [["security"]],
    }),
  keywords: list("keywords")
    .optional()
    .meta({
      description: "Additional search terms, at most 100.",
      examples: [["password", "locked out"]],
    }),
  page_title: text("page_title")
    .nullable()
    .optional()
    .meta({
      description: "The title in browsers and search engines. Null uses the article's title.",
      examples: ["Reset your password"],
    }),
  meta_description: text("meta_description")
    .nullable()
    .optional()
    .meta({
      description: "The description for search engines. Null uses the beginning of the text.",
      examples: ["How to get back into your account."],
    }),
  show_table_of_contents: flag("show_table_of_contents")
    .optional()
    .meta({
      description: "Whether the page shows a table of contents.",
      examples: [true],
    }),
  related_article_ids: z
    .array(z.guid({ error: "related_article_ids must be IDs of articles." }).toLowerCase(), {
      error: "related_article_ids must be a list of IDs.",
    })
    .optional()
    .meta({
      description:
        "The IDs of related articles in order, at most 10. If the list is empty, related articles are chosen automatically.",
      examples: [["e3c7b2d4-5f60-4172-8cbd-2e3f4a5b6c7d"]],
    }),
  attachment_ids: z
    .array(z.guid({ error: "attachment_ids must be IDs of files." }).toLowerCase(), {
      error: "attachment_ids must be a list of IDs.",
    })
    .optional()
    .meta({
      description: "The IDs of all attached files in order, at most 50, from `POST /uploads` or `attachments`.",
      examples: [["8c5fa041-bd7e-4f90-8132-4d5e6f708192"]],
    }),
};

export const PlaceFields = {
  category_id: z
    .guid({ error: "category_id must be the ID of a category, which is a UUID." })
    .optional()
    .meta({
      description: "The ID of the category. Send this or `category_path`.",
      examples: ["6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70"],
    }),
  category_path: list("category_path")
    .refine((path) => path.length > 0 && path.every((name) => name.trim() !== ""), {
      error: "category_path must have a name for each level.",
    })
    .refine((path) => path.every(isPlain), { error: "category_path can't contain control characters." })
    .optional()
    .meta({
      description:
        "The names of the categories from the top level down to the article's category. An exact match takes precedence over a name that differs in case.",
      examples: [["Your account", "Sign-in"]],
    }),
  create_categories: flag("create_categories")
    .optional()
    .meta({
      description:
        "Whether to create the categories in `category_path` that don't exist. Requires the `content.publish` scope. Default: false.",
      examples: [true],
    }),
  slug: text("slug")
    .optional()
    .meta({
      description: "The slug. URLs with a former slug redirect.",
      examples: ["reset-your-password"],
    }),
  author_email: text("author_email")
    .refine(isPlain, { error: "author_email can't contain control characters." })
    .optional()
    .meta({
      description: "The email of the team member who is the author.",
      examples: ["ada@example.com"],
    }),
  publish_at: z.iso
    .datetime({ offset: true, error: "publish_at must be a time such as 2026-01-31T09:30:00Z." })
    .transform((time) => new Date(time))
    .nullable()
    .optional()
    .meta({
      description: "When the draft goes live. Null cancels the schedule. Requires the `content.publish` scope.",
      override: { type: ["string", "null"], format: "date-time", examples: ["2026-12-31T09:30:00Z"] },
    }),
};

const byDefault = (of: string) => ({
  show_table_of_contents: ContentFields.show_table_of_contents.describe(
    `${ContentFields.show_table_of_contents.description} Default${of}: true.`,
  ),
  author_email: PlaceFields.author_email.describe(
    `${PlaceFields.author_email.description} Default${of}: the member who created the key if active, otherwise the first administrator.`,
  ),
});

/** For an operation that always creates an article. */
export const NewFields = {
  ...ContentFields,
  ...PlaceFields,
  ...byDefault(""),
  slug: PlaceFields.slug.describe("The slug. Default: generated from the title."),
  publish_at: PlaceFields.publish_at.describe(
    "When the draft goes live. Requires the `content.publish` scope. Null means no schedule.",
  ),
};

/** For an operation that creates an article unless it exists. */
export const UpsertFields = {
  ...ContentFields,
  ...PlaceFields,
  ...byDefault(" for a new article"),
  slug: PlaceFields.slug.describe(
    `${PlaceFields.slug.description} Default for a new article: generated from the title.`,
  ),
};

export const ConflictFields = {
  revision: z
    .int({ error: "revision must be a number from an earlier response." })
    .min(1, { error: "revision must be a number from an earlier response." })
    .optional()
    .meta({
      description:
        "The revision that the change is based on. The response is a 412 if the article has a newer revision.",
      examples: [4],
    }),
  on_conflict: z
    .enum(["keep_version"], { error: "on_conflict must be keep_version or absent." })
    .optional()
    .meta({
      description:
        "`keep_version` replaces a draft that a team member saved last, and keeps the replaced draft as a version. To publish or schedule the member's draft itself, send its `revision` instead. If you send neither `keep_version` nor `revision` nor `If-Match`, a request that would replace, publish, or schedule such a draft gets a 409.",
      examples: ["keep_version"],
    }),
};

const withoutAny =
  "If a team member saved the draft last and you send neither `keep_version` nor `revision` nor `If-Match`, the response is a 409.";

/** For an operation that discards the draft. */
export const DiscardFields = {
  ...ConflictFields,
  on_conflict: ConflictFields.on_conflict.describe(
    `\`keep_version\` discards the draft even if a team member saved it last, and keeps it as a version. ${withoutAny}`,
  ),
};

/** For an operation that replaces the draft with a version. */
export const RestoreFields = {
  ...ConflictFields,
  on_conflict: ConflictFields.on_conflict.describe(
    `\`keep_version\` replaces the draft even if a team member saved it last, and keeps the replaced draft as a version. ${withoutAny}`,
  ),
};

export const Publish = flag("publish")
  .optional()
  .meta({
    description:
      "Whether to publish the article in the same request. Requires the `content.publish` scope. Default: false.",
    mistakenFor: ["state"],
    examples: [true],
  });

const aConflict = {
  id: "",
  revision: 5,
  savedBy: { kind: "member" as const, id: "", name: "Ada Lovelace" },
  savedAt: new Date("2026-02-03T14:20:00Z"),
};

/** The conflicts of operations that change a draft. */
export const draftConflicts = refusalsOf(
  ["busy", "member"],
  "`on_conflict` helps only if the request replaces the draft.",
);
/** The conflicts of an operation that discards a draft. */
export const discardConflicts = refusalsOf(["busy", "member"], "To discard the draft anyway, send `on_conflict`.");
/** The conflicts of an operation that replaces a draft with a version. */
export const restoreConflicts = refusalsOf(["busy", "member"], "To replace the draft anyway, send `on_conflict`.");
/** The conflicts of an operation that publishes a draft as it is. */
export const publishConflicts = refusalsOf(["busy", "member"]);
/** The conflicts of other operations on an article. */
export const revisionConflicts = refusalsOf([]);

/** @param keeps says what `on_conflict` does, if the operation has it */
function refusalsOf(reasons: ConflictReason[], keeps?: string) {
  const descriptions = {
    busy: "Someone saved the article at the same moment.",
    member: `A team member saved the draft last, and the request doesn't name its \`revision\` or \`ETag\`.${keeps ? ` ${keeps}` : ""}`,
    stale: "The article no longer has the `revision` or `ETag` you sent. Nothing was changed.",
  };
  return ([...reasons, "stale"] as const).map((reason) => {
    const { code, message, current } = conflict(new DraftConflict(reason, aConflict), keeps !== undefined);
    return { code, description: descriptions[reason], message, ...(current && { current }) };
  });
}

interface Site {
  workspace: ApiWorkspace;
  key: ApiKey;
}

type Contents = {
  title?: string | undefined;
  html_content?: string | undefined;
  markdown_content?: string | undefined;
};

type Conditions = {
  publish?: boolean | undefined;
  publish_at?: Date | null | undefined;
  create_categories?: boolean | undefined;
};

type Body = Contents & {
  tags?: string[] | undefined;
  keywords?: string[] | undefined;
  page_title?: string | null | undefined;
  meta_description?: string | null | undefined;
  show_table_of_contents?: boolean | undefined;
  related_article_ids?: string[] | undefined;
  attachment_ids?: string[] | undefined;
  category_id?: string | undefined;
  category_path?: string[] | undefined;
  create_categories?: boolean | undefined;
  slug?: string | undefined;
  author_email?: string | undefined;
  external_id?: string | null | undefined;
  publish_at?: Date | null | undefined;
};

export interface Prepared {
  body?: WrittenBody | undefined;
  derived?: DerivedDraft | undefined;
  /** Whether no article had the external id. */
  isNew?: boolean;
}

/**
 * Cleans the text that was sent, or derives the one to publish.
 * @param needs whether text is required
 * @param existing the name of the article, unless it is new
 */
export async function preparedChange(
  { workspace, key, body }: Site & { body: Contents & Conditions },
  needs: "text" | "nothing",
  existing?: string,
): Promise<Prepared> {
  const { html_content: html, markdown_content: markdown, publish = false } = body;
  const mayPublish = allows(key.scopes, "content.publish");
  if ((publish || body.create_categories) && !mayPublish) throw forbidden("content.publish");
  refusePublishingTwice(body);
  if (html !== undefined && markdown !== undefined) {
    throw invalid("markdown_content", "not_allowed", "Send either html_content or markdown_content, not both.");
  }
  const source = html !== undefined ? { html } : markdown !== undefined ? { markdown } : null;
  if (!source && needs === "text") {
    throw invalid("html_content", "required", "Send html_content or markdown_content.");
  }
  const home = urlsOf(workspace).home;
  if (source) {
    const written = writtenBody(workspace.id, source, {
      home,
      live: publish,
      title: existing === undefined ? body.title : undefined,
    });
    return { body: await written.catch((error: unknown) => refused(error, { isMarkdown: markdown !== undefined })) };
  }
  if (!publish || existing === undefined) return {};
  const id = await readWorkspace(workspace.id, (read) => findArticleId(read, existing));
  const derived = id && (await derivedDraft(workspace.id, id).catch((error: unknown) => refused(error, {})));
  return { derived: derived || undefined };
}

function refusePublishingTwice({ publish, publish_at }: Conditions): void {
  if (!publish || !publish_at) return;
  const message = "An article can't be published and scheduled in the same request. Omit publish_at to publish it now.";
  throw invalid("publish_at", "not_allowed", message);
}

/** Like `preparedChange`, but does not derive text again that is already live. */
export async function preparedUpsert(
  input: Site & { body: Contents & Conditions },
  externalId: string,
): Promise<Prepared> {
  const { workspace, key, body } = input;
  const hasText = body.html_content !== undefined || body.markdown_content !== undefined;
  const known = await liveByExternalId({ workspaceId: workspace.id, externalId });
  if (!known) return { ...(await preparedChange(input, "nothing")), isNew: true };
  if (!body.publish || !hasText || known.html === null) return preparedChange(input, "nothing", known.id);
  if (!allows(key.scopes, "content.publish")) throw forbidden("content.publish");
  refusePublishingTwice(body);
  const cleaned = await preparedChange({ ...input, body: { ...body, publish: false } }, "text", known.id);
  const isLive = !cleaned.body || known.html === cleaned.body.content.html;
  if (isLive) return cleaned;
  const isMarkdown = body.markdown_content !== undefined;
  return {
    body: await derivedBody(workspace.id, cleaned.body!).catch((error: unknown) => refused(error, { isMarkdown })),
  };
}

/** Categories of requests that share a transaction, by the id or path in the request. */
interface Categories {
  found: Map<string, LookedUp>;
  /** Whether the transaction has called lockCategories. */
  isTreeLocked: boolean;
}

interface Context {
  db: Db;
  actor: Actor;
  prepared: Prepared;
}

/** Finds and creates categories before the article is locked. Moving a category also locks categories before articles. */
export async function inputOf(
  { db, actor, prepared }: Context,
  body: Body,
  categories?: Categories,
): Promise<ArticleInput> {
  const texts = {
    title: body.title,
    tags: body.tags,
    keywords: body.keywords,
    pageTitle: body.page_title,
    metaDescription: body.meta_description,
    showTableOfContents: body.show_table_of_contents,
    relatedIds: body.related_article_ids,
    attachmentIds: body.attachment_ids,
  };
  const sent = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  const named = namedCategory(body);
  return {
    text: sent,
    body: prepared.body,
    category: named && (await categoryOf(db, named, actor, categories)),
    slug: body.slug,
    authorEmail: body.author_email,
    externalId: body.external_id,
    publishAt: body.publish_at,
  };
}

function namedCategory({
  category_id: id,
  category_path: path,
  create_categories: create = false,
}: Body): NamedCategory | undefined {
  if (id !== undefined && path !== undefined) {
    throw invalid("category_path", "not_allowed", "Send either category_id or category_path, not both.");
  }
  return id !== undefined ? { id } : path && { path, create };
}

async function categoryOf(db: Db, named: NamedCategory, actor: Actor, categories?: Categories): Promise<FoundCategory> {
  if (!categories) return categoryAt(db, named, actor);
  const { found, isTreeLocked } = categories;
  const name = JSON.stringify(named);
  const known = found.get(name);
  if (known?.category) return known.category;
  const category = await categoryAt(db, named, actor, isTreeLocked, isTreeLocked ? known : undefined);
  // If it was created, part of what else was missing may exist now.
  for (const [other, one] of found) if (!one.category) found.delete(other);
  found.set(name, { category, above: [] });
  return category;
}

/** Looks for the categories that requests name, and locks the tree if one is to create categories. */
async function categoriesFor(db: Db, bodies: readonly Body[]): Promise<Categories> {
  const isTreeLocked = bodies.some((body) => body.create_categories === true);
  const named = new Map(bodies.map(namedCategory).flatMap((one) => (one ? [[JSON.stringify(one), one] as const] : [])));
  const [, found] = await inOneGo([
    // Before any category is locked, as when one is deleted.
    isTreeLocked && lockCategories(db),
    inOneGo(Array.from(named, async ([name, one]) => [name, await lookUpCategory(db, one)] as const)),
  ]);
  return { found: new Map(found), isTreeLocked };
}

/** Like `inputOf`, for a new article. */
export async function newInputOf(context: Context, body: Body, categories?: Categories): Promise<NewArticle> {
  const { category, ...input } = await inputOf(context, body, categories);
  if (!category) throw invalid("category_id", "required", "Send category_id or category_path.");
  return { ...input, category };
}

export function wishesOf({ key }: Site, publish: boolean | undefined, { derived }: Prepared = {}): Wishes {
  return { publish, derived, mayPublish: allows(key.scopes, "content.publish") };
}

/** @param ifMatch as operations get it */
export function expectedOf({
  db,
  key,
  workspace,
  hasSeen,
  mustExist,
  ifMatch,
  body,
}: Site & {
  db: Db;
  hasSeen: boolean;
  mustExist: boolean;
  ifMatch: (current: unknown, schema?: z.ZodType) => void;
  body: { revision?: number | undefined; on_conflict?: "keep_version" | undefined };
}): Expected {
  const { revision, on_conflict } = body;
  return {
    revision,
    hasSeen: hasSeen || revision !== undefined,
    exists: mustExist,
    keepVersion: on_conflict === "keep_version",
    check: hasSeen ? (now) => matchAny(readingOf(db), { key, workspace, ifMatch }, now) : undefined,
  };
}

/** The ETag can be the article's or its draft's. */
async function matchAny(
  read: Read,
  { ifMatch, ...site }: Site & { ifMatch: (current: unknown, schema?: z.ZodType) => void },
  now: OpenDraft,
): Promise<void> {
  const matches = (current: unknown, schema: z.ZodType) => {
    try {
      ifMatch(current, schema);
      return true;
    } catch (error) {
      if (error instanceof HttpError) return false;
      throw error;
    }
  };
  const answer = await articleAnswer(read, now.id, { ...site, seen: everything, full: false });
  if (matches(answer, OwnArticle)) return;
  if (matches(draftAnswer(now, urlsOf(site.workspace)), DraftAnswer)) return;
  throw new DraftConflict("stale", now);
}

interface Writing {
  isMarkdown?: boolean;
  /** Whether the operation has `on_conflict`. */
  canKeep?: boolean;
}

/** Runs a change, and renames fields in its errors as the API names them. */
export async function writing<T>(change: () => Promise<T>, about: Writing = {}): Promise<T> {
  return change().catch((error: unknown) => refused(error, about));
}

function refused(error: unknown, { isMarkdown = false, canKeep = true }: Writing): never {
  if (error instanceof NeedsPublishing) throw forbidden("content.publish");
  if (error instanceof DraftConflict) throw conflict(error, canKeep && error.canKeep);
  if (error instanceof InvalidError) {
    const fields = error.fields.map((field) => inApiWords(field, isMarkdown));
    throw new InvalidError(fields, error.message);
  }
  throw error;
}

const names: Record<string, string> = {
  keywords: "keywords",
  pageTitle: "page_title",
  metaDescription: "meta_description",
  showTableOfContents: "show_table_of_contents",
  relatedIds: "related_article_ids",
  attachmentIds: "attachment_ids",
  categoryId: "category_id",
  categoryPath: "category_path",
  // For a category that is being created.
  name: "category_path",
  parent: "category_path",
  authorEmail: "author_email",
  authorId: "author_email",
  externalId: "external_id",
  at: "publish_at",
  to: "redirect_to",
};

function inApiWords(field: InvalidField, isMarkdown: boolean): InvalidField {
  if (field.field === "html") return { ...field, field: isMarkdown ? "markdown_content" : "html_content" };
  return { ...field, field: names[field.field] ?? field.field };
}

function conflict({ reason, now }: DraftConflict, canKeep: boolean): HttpError {
  if (!now) {
    const message = "No article has this external ID. To create one, omit revision and If-Match.";
    return new HttpError("revision_conflict", message);
  }
  const who = now.savedBy?.name ?? "Someone";
  const at = `${now.savedAt.toISOString().slice(0, 16).replace("T", " at ")} UTC`;
  const current = {
    revision: now.revision,
    changed_by: now.savedBy?.name ?? null,
    changed_at: now.savedAt.toISOString(),
  };
  switch (reason) {
    case "stale":
      return new HttpError(
        "revision_conflict",
        `The article has changed since you read it. ${who} last changed its text on ${at}, and its revision is ${now.revision}. Read it again, then resend the change.`,
        { current },
      );
    case "member":
      return new HttpError(
        "draft_changed_by_member",
        `${who} changed this draft on ${at}. Read the draft and send its revision, ${now.revision}${canKeep ? ', or send on_conflict: "keep_version" to go ahead and keep their text as a version' : ""}.`,
        { current },
      );
    case "busy":
      return new HttpError("write_conflict", "Someone saved this article at the same moment. Send the request again.", {
        current,
      });
  }
}

/** The id of an article for a change. Throws 404. */
export async function idOf(db: Db, name: string): Promise<string> {
  const id = await findArticleId(readingOf(db), name);
  if (!id) throw notFound();
  return id;
}

/** The longest text of a request that creates an article with others. */
const MOST_SHARED = 200_000;

/** The group of requests that create articles in one transaction, or null for a long text. */
export function groupOf({ key, body }: Site & { body: Contents }, publish = false) {
  const characters = (body.html_content ?? body.markdown_content ?? "").length;
  return characters > MOST_SHARED ? null : { name: `${key.id} ${publish ? "published" : "draft"}`, characters };
}

/** Creates articles by one key in one transaction. */
export async function createTogether(
  inputs: readonly (Site & { db: Db; actor: Actor; prepared: Prepared; body: Body })[],
  db: Db,
  publish: boolean | undefined,
) {
  const first = inputs[0]!;
  const news: (NewArticle & { from: Actor })[] = [];
  const categories = await categoriesFor(
    db,
    inputs.map(({ body }) => body),
  );
  for (const input of inputs) news.push({ ...(await newInputOf(input, input.body, categories)), from: input.actor });
  const about = { ...first, seen: everything, full: false };
  const categoryIds = news.map(({ category }) => category.id);
  const { written, found: answers } = await createArticles(db, news, wishesOf(first, publish), first.actor, (ids) =>
    articleAnswers(readingOf(db), ids, categoryIds, about),
  );
  return written.map(({ id, changed }, index) =>
    created(shapeOfWritten(answers?.get(id), changed, inputs[index]!.prepared), `/articles/${id}`),
  );
}

export async function writtenAnswer(
  { db, workspace, key }: Site & { db: Db },
  { id, changed }: Pick<WrittenArticle, "id" | "changed">,
  prepared: Prepared = {},
): Promise<z.input<typeof WrittenAnswer>> {
  const answer = await articleAnswer(readingOf(db), id, { seen: everything, key, workspace, full: false });
  return shapeOfWritten(answer, changed, prepared);
}

function shapeOfWritten(
  answer: z.input<typeof ArticleAnswer> | null | undefined,
  changed: boolean,
  { body }: Prepared,
): z.input<typeof WrittenAnswer> {
  const { revision, has_draft, external_id, ...article } = answer ?? {};
  const warnings = (body?.dropped ?? []).map(([name, count]) => ({
    code: "element_removed" as const,
    message: count === 1 ? `A ${name} element was removed.` : `${count} ${name} elements were removed.`,
  }));
  return { ...article, revision, has_draft, external_id, changed, warnings } as z.input<typeof WrittenAnswer>;
}

export async function openedDraft(read: Read, name: string): Promise<OpenDraft> {
  const id = await findArticleId(read, name);
  const draft = id && (await openDraft(read, id));
  if (!draft) throw notFound();
  return draft;
}

function invalid(field: string, code: InvalidField["code"], message: string): InvalidError {
  return new InvalidError([{ field, code, message }]);
}
