import { randomUUID } from "node:crypto";
import { type DraftText, emptyDraft } from "@/lib/articles/article-text";
import { changeArticle, refuseTaken, slugOf } from "@/lib/articles/changes";
import { DraftConflict, type Expected, refuseConflict } from "@/lib/articles/conflicts";
import { takenSlugs, unusedSlugs } from "@/lib/articles/drafts";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { checkedFields, lackIn } from "@/lib/articles/prepare-draft";
import { publishOpened, unpublishOpened } from "@/lib/articles/publish";
import { dropChanges, saveDraft } from "@/lib/articles/save-draft";
import { schedulePublishing } from "@/lib/articles/schedule";
import { sameText } from "@/lib/articles/shared-draft";
import { lookUpForNew, storeArticles } from "@/lib/articles/store";
import { keepPoint } from "@/lib/articles/versions";
import { currentBody, type DerivedDraft, liveBody, type WrittenBody } from "@/lib/articles/written-body";
import { type Actor, type AuditDetails, recordAudit, recordAudits } from "@/lib/audit/audit";
import type { DerivedText } from "@/lib/content/derive";
import { type Db, inOneGo, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { findMemberByEmail, firstAdministrator } from "@/lib/members/members";

// Articles written by programs. Members save their texts in lib/articles/save-draft.ts, which this uses too.

/** Absent fields stay as they are, and in a new article they are empty. */
export interface ArticleInput {
  text: Partial<Omit<DraftText, "html">>;
  body?: WrittenBody | undefined;
  category?: { id: string; name: string } | undefined;
  slug?: string | undefined;
  authorEmail?: string | undefined;
  /** Null removes it. */
  externalId?: string | null | undefined;
  /** Null ends the schedule. */
  publishAt?: Date | null | undefined;
}

export type NewArticle = ArticleInput & { category: { id: string; name: string } };

export interface Wishes {
  /** Makes the text live in the same transaction. */
  publish?: boolean | undefined;
  /** The current text with everything derived, for publishing without new text. */
  derived?: DerivedDraft | undefined;
  /** Whether the actor may change what readers see. */
  mayPublish: boolean;
  /** The external id is locked, and no article had it. */
  isFree?: boolean;
}

/** A program without the scope to publish asked for a change that readers would see. */
export class NeedsPublishing extends Error {
  override name = "NeedsPublishing";
}

export interface WrittenArticle {
  id: string;
  /** False if nothing had to change. */
  changed: boolean;
  created: boolean;
}

/**
 * Creates an article at the end of its category, as a draft unless `publish` is set.
 * @throws InvalidError naming fields, NeedsPublishing
 */
export async function createArticle(db: Db, input: NewArticle, wishes: Wishes, actor: Actor): Promise<WrittenArticle> {
  const { written } = await createArticles(db, [{ ...input, from: actor }], wishes, actor);
  return written[0] as WrittenArticle;
}

/**
 * Creates articles like createArticle, in a few statements for all of them.
 * @param find reads about the articles with these ids as soon as their rows are stored
 * @throws what createArticle throws for one of them, and then nothing is created
 */
export async function createArticles<Found>(
  db: Db,
  inputs: readonly (NewArticle & { from: Pick<Actor, "ip" | "requestId"> })[],
  wishes: Wishes,
  actor: Actor,
  find?: (ids: readonly string[]) => Promise<Found>,
): Promise<{ written: WrittenArticle[]; found: Found | undefined }> {
  const publish = wishes.publish === true;
  if ((publish || inputs.some(({ publishAt }) => publishAt)) && !wishes.mayPublish) throw new NeedsPublishing();
  const externalIds = inputs.flatMap(({ externalId }) => externalId ?? []);
  const emails = [...new Set(inputs.map(({ authorEmail }) => authorEmail))];
  const texts = inputs.map(({ text, body }) => {
    const content = body?.content ?? NO_CONTENT;
    const checked = checkedFields({ ...emptyDraft, ...text, html: content.html });
    if (publish) refuseLack(checked.title, content);
    return { ...checked, body: { ...NO_CONTENT, ...content }, started: body?.started };
  });
  const ids = inputs.map(() => randomUUID());
  const [, , authorIds, places, lookup] = await inOneGo([
    !wishes.isFree && takeExternalIds(db, externalIds),
    // Held until the transaction ends, so that two programs cannot take the same slug. It is sent before newPlaces, which reads
    // slugs under this lock.
    lockWorkspace(db),
    inOneGo(emails.map((email) => authorOf(db, email, actor))),
    newPlaces(db, ids, inputs, texts),
    lookUpForNew(db, ids.length),
  ]);
  const authors = new Map(emails.map((email, index) => [email, authorIds[index]!]));
  await refuseUnknown(db, {
    relatedIds: texts.flatMap(({ relatedIds }) => relatedIds),
    attachmentIds: texts.flatMap(({ attachmentIds }) => attachmentIds),
  });
  const articles = inputs.map(({ category, authorEmail, externalId = null, slug }, index) => ({
    ...texts[index]!,
    ...places[index]!,
    state: publish ? ("published" as const) : ("draft" as const),
    category,
    authorId: authors.get(authorEmail)!,
    externalId,
    slugChosen: slug !== undefined,
    createdAt: null,
    updatedAt: new Date(),
    writer: actor,
    source: null,
  }));
  const changes = (detailsOf: (article: (typeof articles)[number]) => AuditDetails) =>
    articles.map((article, index) => ({
      subject: { kind: "article", id: article.id, name: article.title },
      details: detailsOf(article),
      from: inputs[index]!.from,
    }));
  const created = changes(({ category }) => ({ category: category.name }));
  const [found] = await inOneGo([
    storeArticles(db, articles, { kind: publish ? "publish" : "autosave", by: actor }, lookup, async () => find?.(ids)),
    recordAudits(db, actor, "article.created", created),
  ]);
  if (publish) {
    // Afterward, because the audit log is in the order of times.
    await recordAudits(
      db,
      actor,
      "article.published",
      changes(({ slug }) => ({ slug })),
    );
  }
  for (const [index, { publishAt, from }] of inputs.entries()) {
    const { ip, requestId } = from;
    if (publishAt) await schedulePublishing(db, articles[index]!.id, publishAt, { ...actor, ip, requestId });
  }
  return { written: articles.map(({ id }) => ({ id, changed: true, created: true })), found };
}

/** Throws if an article has one of these external ids, or two articles are to have one. */
async function takeExternalIds(db: Db, externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return;
  const [, used] = await inOneGo([
    lockExternalIds(db, externalIds),
    readingOf(db)("SELECT FROM articles WHERE external_id = ANY($1::text[])", [externalIds]),
  ]);
  if (used.length > 0 || new Set(externalIds).size < externalIds.length) throw externalIdTaken();
}

/** Ids, slugs and sequences of new articles. */
async function newPlaces(
  db: Db,
  ids: readonly string[],
  inputs: readonly NewArticle[],
  texts: readonly { title: string }[],
): Promise<{ id: string; slug: string; sequence: number }[]> {
  const read = readingOf(db);
  const chosen = inputs.map(({ slug }) => (slug === undefined ? null : slugOf(slug)));
  const slugs = chosen.filter((slug) => slug !== null);
  if (new Set(slugs).size < slugs.length) {
    throw refusal("slug", "taken", "Another article has this slug. Choose a different one.");
  }
  if (slugs.length > 0 && (await takenSlugs(read, slugs)).length > 0)
    for (const [index, slug] of chosen.entries()) if (slug !== null) await refuseTaken(db, ids[index]!, slug);
  const [made, rows] = await inOneGo([
    unusedSlugs(
      read,
      texts.flatMap(({ title }, index) => (chosen[index] === null ? title : [])),
      slugs,
    ),
    read<{ id: string; sequence: number }>(
      `SELECT c.id::text, (SELECT least(coalesce(max(sequence), 0), 2147483646) FROM articles a WHERE a.category_id = c.id) AS sequence
       FROM unnest($1::uuid[]) AS c(id)`,
      [[...new Set(inputs.map(({ category }) => category.id))]],
    ),
  ]);
  const last = new Map(rows.map(({ id, sequence }) => [id, sequence]));
  return inputs.map(({ category }, index) => {
    const sequence = Math.min((last.get(category.id) ?? 0) + 1, 2_147_483_647);
    last.set(category.id, sequence);
    return { id: ids[index]!, slug: chosen[index] ?? made.shift()!, sequence };
  });
}

const NO_CONTENT: DerivedText = {
  html: "",
  text: "",
  headings: [],
  links: [],
  renderedHtml: "",
  excerpt: "",
  markdown: "",
};

/**
 * Changes an article's draft, and immediately its slug, category, author, and external id. Replaced text is kept as a version. If
 * nothing differs, nothing is written.
 * @throws DraftConflict, NotFoundError, NeedsPublishing, InvalidError naming fields
 */
export async function updateArticle(
  db: Db,
  id: string,
  input: ArticleInput,
  wishes: Wishes,
  expected: Expected,
  actor: Actor,
): Promise<WrittenArticle> {
  const read = readingOf(db);
  const { publishAt } = input;
  if ((wishes.publish || publishAt !== undefined) && !wishes.mayPublish) throw new NeedsPublishing();
  if (typeof input.externalId === "string") await lockExternalIds(db, [input.externalId]);
  const now = await lockOpened(db, id);
  await expected.check?.(now);
  const relatedIds = (input.text.relatedIds ?? now.text.relatedIds).filter((one) => one !== id);
  const html = input.body?.content.html ?? now.text.html;
  const text = checkedFields({ ...now.text, ...input.text, relatedIds, html });
  const isNew = !sameText(text, now.text);
  if (isNew)
    await refuseUnknown(db, {
      relatedIds: text.relatedIds.filter((one) => !now.text.relatedIds.includes(one)),
      attachmentIds: text.attachmentIds.filter((one) => !now.text.attachmentIds.includes(one)),
    });
  const isPublished = wishes.publish === true && (isNew || now.hasDraft);
  // A schedule publishes the draft later, and one on hold waits for a member's review.
  const isScheduled = publishAt instanceof Date && publishAt.getTime() !== now.publishAt?.getTime();
  // Another field alone, such as the title, would go live with a text that the program hasn't seen.
  const replaces = isNew && (input.body !== undefined || !(isPublished || publishAt instanceof Date));
  refuseConflict(now, expected, isNew || isPublished || isScheduled, replaces);
  let changed = isNew || isPublished;
  if (isPublished) {
    const body = await bodyToPublish(db, now, text.html, input.body, wishes.derived);
    refuseLack(text.title, body);
    if (isNew) await keepPoint(db, id, "always");
    await publishOpened(db, { article: { ...now, text }, body }, actor);
  } else if (isNew) {
    const content = input.body?.content ?? (await currentBody(read, id));
    if (!content) throw new NotFoundError("This article was deleted.");
    const { html, headings, links } = content;
    await saveDraft(db, id, now.revision, { ...text, html, text: content.text, headings, links }, actor);
  }
  const place = {
    ...(input.slug !== undefined && slugOf(input.slug) !== now.slug && { slug: input.slug }),
    ...(input.category && input.category.id !== now.category.id && { categoryId: input.category.id }),
    ...(await authorChange(db, input.authorEmail, now)),
  };
  if (Object.keys(place).length > 0) {
    if (now.state === "published" && !wishes.mayPublish) throw new NeedsPublishing();
    await changeArticle(db, id, place, actor);
    changed = true;
  }
  if (input.externalId !== undefined && input.externalId !== now.externalId) {
    await giveExternalId(db, now, input.externalId, actor);
    changed = true;
  }
  if (publishAt !== undefined && (isPublished ? publishAt : publishAt?.getTime() !== now.publishAt?.getTime())) {
    await schedulePublishing(db, id, publishAt, actor);
    changed = true;
  }
  return { id, changed, created: false };
}

/**
 * Creates or updates the article with an external id. Of two concurrent calls, the second updates the article of the first.
 * @throws what createArticle and updateArticle throw, and InvalidError about the `html` and `categoryId` that a new article lacks
 */
export async function upsertArticle(
  db: Db,
  externalId: string,
  input: ArticleInput,
  wishes: Wishes,
  expected: Expected,
  actor: Actor,
): Promise<WrittenArticle> {
  const [, id] = await inOneGo([lockExternalIds(db, [externalId]), findByExternalId(readingOf(db), externalId)]);
  if (!id && (expected.hasSeen || expected.exists)) throw new DraftConflict("stale", null);
  if (id) return updateArticle(db, id, input, wishes, expected, actor);
  const { body, category } = input;
  if (body && category) {
    return createArticle(db, { ...input, category, externalId }, { ...wishes, isFree: true }, actor);
  }
  const lacking = (field: string, names: string): InvalidField => {
    return { field, code: "required", message: `A new article needs ${names}.` };
  };
  throw new InvalidError([
    ...(body ? [] : [lacking("html", "html_content or markdown_content")]),
    ...(category ? [] : [lacking("categoryId", "category_id or category_path")]),
  ]);
}

/**
 * Hides an article from readers. Its draft stays, or its live text becomes the draft.
 * @throws DraftConflict, NotFoundError
 */
export async function unpublishArticle(db: Db, id: string, expected: Expected, actor: Actor): Promise<WrittenArticle> {
  const read = readingOf(db);
  const now = await lockOpened(db, id);
  await expected.check?.(now);
  refuseConflict(now, expected, false);
  const [live, body] = [await openDraft(read, id, "live"), await liveBody(read, id)];
  if (!live || !body) return { id, changed: false, created: false };
  await unpublishOpened(db, { article: live, body }, actor);
  return { id, changed: true, created: false };
}

/**
 * Discards the unpublished changes of a published article. They are kept as a version.
 * @throws DraftConflict, NotFoundError, InvalidError for an article that is only a draft
 */
export async function discardChanges(db: Db, id: string, expected: Expected, actor: Actor): Promise<WrittenArticle> {
  const now = await lockOpened(db, id);
  await expected.check?.(now);
  refuseConflict(now, expected, true);
  if (!now.hasDraft) return { id, changed: false, created: false };
  if (now.state === "draft") {
    throw refusal(
      "article_id",
      "not_allowed",
      "This article isn't published, so the draft is its only text. To remove the text, delete the article.",
    );
  }
  await dropChanges(db, id, now.revision, actor);
  return { id, changed: true, created: false };
}

/** Locks and opens an article that is to be deleted. Throws DraftConflict and NotFoundError. */
export async function openForRemoval(db: Db, id: string, expected: Expected): Promise<OpenDraft> {
  const now = await lockOpened(db, id);
  await expected.check?.(now);
  // A deletion keeps the draft, so its writer does not matter.
  refuseConflict(now, expected, false);
  return now;
}

/** Locks an article until the transaction ends. Throws NotFoundError. */
async function lockOpened(db: Db, id: string): Promise<OpenDraft> {
  const read = readingOf(db);
  const [, article] = await inOneGo([
    read("SELECT FROM articles WHERE id = $1::uuid FOR UPDATE", [id]),
    openDraft(read, id),
  ]);
  if (!article) throw new NotFoundError("This article was deleted.");
  return article;
}

/** Everything derived from the text to publish. It was derived before the transaction, unless readers see this text already. */
async function bodyToPublish(
  db: Db,
  now: OpenDraft,
  html: string,
  body: WrittenBody | undefined,
  derived: DerivedDraft | undefined,
): Promise<DerivedText> {
  if (derived?.from === html) return derived.body;
  if (body && "renderedHtml" in body.content && body.content.html === html) return body.content;
  const live = await liveBody(readingOf(db), now.id);
  if (live?.html === html) return live;
  // Someone saved another text since this one was derived.
  throw new DraftConflict("busy", now);
}

function refuseLack(title: string, content: Pick<DerivedText, "text" | "html">): void {
  const lack = lackIn(title, content);
  if (!lack) return;
  const field = lack === "title" ? "title" : "html";
  throw refusal(field, "required", `Add ${lack === "title" ? "a title" : "text"} before you publish the article.`);
}

async function authorOf(db: Db, email: string | undefined, actor: Actor): Promise<string> {
  const read = readingOf(db);
  if (email !== undefined) {
    const member = await findMemberByEmail(read, email);
    if (!member) throw refusal("authorEmail", "not_found", "No member has this email. Send a member's email.");
    return member.id;
  }
  const [creator] = await read<{ id: string }>(
    `SELECT m.id::text FROM api_keys k JOIN members m ON m.workspace_id = k.workspace_id AND m.id = k.created_by
     WHERE k.id = $1::uuid AND m.active`,
    [actor.id],
  );
  const author = creator ?? (await firstAdministrator(read));
  if (!author) throw refusal("authorEmail", "required", "Send the email of the author.");
  return author.id;
}

async function authorChange(db: Db, email: string | undefined, now: OpenDraft): Promise<{ authorId?: string }> {
  if (email === undefined) return {};
  const member = await findMemberByEmail(readingOf(db), email);
  if (!member) throw refusal("authorEmail", "not_found", "No member has this email. Send a member's email.");
  return member.id === now.author.id ? {} : { authorId: member.id };
}

async function refuseUnknown(
  db: Db,
  { relatedIds, attachmentIds }: Pick<DraftText, "relatedIds" | "attachmentIds">,
): Promise<void> {
  const [related, attached] = [[...new Set(relatedIds)], [...new Set(attachmentIds)]];
  if (related.length > 0 && (await db.article.count({ where: { id: { in: related } } })) < related.length)
    throw refusal("relatedIds", "not_found", "A related article doesn't exist. Check the IDs.");
  if (attached.length === 0) return;
  // Locked, so that the clean-up deletes none of them before they are attached.
  const files = await readingOf(db)("SELECT FROM uploads WHERE id = ANY($1::uuid[]) FOR KEY SHARE", [attached]);
  if (files.length < attached.length)
    throw refusal("attachmentIds", "not_found", "An attached file doesn't exist. Upload it again.");
}

/** Held until the transaction ends, so that two programs cannot give the same id. In order, so that they don't wait for each other. */
async function lockExternalIds(db: Db, externalIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    SELECT pg_advisory_xact_lock(lock) FROM (
      SELECT DISTINCT hashtextextended('external ' || current_setting('app.workspace_id') || ' ' || id, 0) AS lock
      FROM unnest(${externalIds}::text[]) id ORDER BY lock
    ) locks`;
}

async function findByExternalId(read: Read, externalId: string): Promise<string | null> {
  const [found] = await read<{ id: string }>("SELECT id::text FROM articles WHERE external_id = $1", [externalId]);
  return found?.id ?? null;
}

async function giveExternalId(db: Db, now: OpenDraft, externalId: string | null, actor: Actor): Promise<void> {
  if (externalId !== null && (await findByExternalId(readingOf(db), externalId))) throw externalIdTaken();
  const updatedAt = new Date();
  await db.article.updateMany({ where: { id: now.id }, data: { externalId, updatedAt } });
  // Search sorts by it.
  await db.searchDocument.updateMany({ where: { id: now.id }, data: { updatedAt } });
  const subject = { kind: "article", id: now.id, name: now.text.title };
  await recordAudit(db, actor, "article.updated", subject, { external_id: externalId ?? "" });
}

const externalIdTaken = () =>
  refusal("externalId", "taken", "Another article has this external ID. Send a different one.");

function refusal(field: string, code: InvalidField["code"], message: string): InvalidError {
  return new InvalidError([{ field, code, message }]);
}
