import { articlesWhere } from "@/lib/articles/article-parts";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import { lackIn, MOST, oneLine } from "@/lib/articles/prepare-draft";
import { type ArticleToStore, storeArticles } from "@/lib/articles/store";
import { undoably } from "@/lib/articles/undo";
import { usedSnippets } from "@/lib/articles/used-snippets";
import type { VersionMade } from "@/lib/articles/versions";
import { type Actor, type AuditDetails, recordAudits } from "@/lib/audit/audit";
import { type DerivedText, shownIn } from "@/lib/content/derive";
import { type Db, inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import type { StartedDocument } from "@/lib/search/documents";
import { inThread, startedDocument, TooSlowError } from "@/lib/threads/pool";

export interface Changed {
  changed: { id: string; title: string; slug: string }[];
  /** How many articles stay as they are, because readers already see all of them or none of them. */
  unchanged: number;
  /** Articles that were left out, with the reason. */
  lacking: { id: string; lack: "title" | "text" | "saved since" }[];
}

interface PublishOptions {
  /** For a single article: publishing is refused when someone has saved since. */
  revision?: number | undefined;
  dueAt?: Date;
  /** A new id, which undoes it later (lib/articles/undo.ts). */
  undo?: string | undefined;
  leaveEmpty?: boolean;
  /** Leaves out drafts that were saved later, because the person who publishes has not seen them. */
  savedUntil?: Date;
  /** Runs in the same transaction, if anything changes. */
  within?: (db: Db, lacking: Changed["lacking"]) => Promise<void>;
  summary?: string | null | undefined;
}

const TRIES = 5;
/** In seconds, for a whole page of a list. */
const SECONDS = 20;

/**
 * Publishes the current drafts of articles, in one transaction with everything derived: search, links, tags, attachments,
 * related articles, a version and the audit log. Unknown ids are skipped.
 * @throws InvalidError about `revision`, and about `summary` when it is too long; TooSlowError
 * @throws NotFoundError when none of the articles exists
 */
export async function publishArticles(
  workspaceId: string,
  ids: readonly string[],
  actor: Actor,
  options: PublishOptions = {},
): Promise<Changed> {
  const { revision, dueAt, undo, leaveEmpty, savedUntil, within } = options;
  const summary = checkedSummary(options.summary);
  for (let tries = 0; tries < TRIES; tries++) {
    const opened = await openAll(workspaceId, ids, "draft");
    const isLate = ({ savedAt }: OpenDraft) => savedUntil !== undefined && savedAt > savedUntil;
    const waiting = opened.filter(({ hasDraft }) => hasDraft);
    const late = waiting.filter(isLate).map(({ id }) => ({ id, lack: "saved since" as const }));
    const drafts = await derived(
      workspaceId,
      waiting.filter((article) => !isLate(article)),
      true,
    );
    if (drafts.some(({ article }) => (revision ?? article.revision) !== article.revision)) throw savedSince();
    const lacking = [...late, ...(leaveEmpty ? drafts.flatMap(lackOfDerived) : [])];
    const chosen = drafts.filter((draft) => isDue(draft, dueAt) && !lacking.some(({ id }) => id === draft.article.id));
    const unchanged = opened.length - chosen.length - lacking.length;
    if (chosen.length === 0) return { changed: [], unchanged, lacking };
    const stored = await inWorkspace(
      workspaceId,
      async (db) => {
        const locked = await lockUnchanged(db, chosen);
        if (!locked) return null;
        await storePublished(db, locked, actor, { summary, undo, via: dueAt && "schedule" });
        await within?.(db, lacking);
        return locked;
      },
      SECONDS,
    );
    if (stored) return { changed: stored.map(named), unchanged, lacking };
  }
  throw savedTooOften();
}

/**
 * Hides articles from readers immediately. A draft stays. Without one, the live text becomes the draft. Articles that are not
 * published are skipped. Throws NotFoundError when none of the articles exists.
 */
export async function unpublishArticles(
  workspaceId: string,
  ids: readonly string[],
  actor: Actor,
  { undo, within }: Pick<PublishOptions, "undo" | "within"> = {},
): Promise<Changed> {
  for (let tries = 0; tries < TRIES; tries++) {
    const opened = await openAll(workspaceId, ids, "live");
    const chosen = await derived(
      workspaceId,
      opened.filter(({ state }) => state === "published"),
      false,
    );
    const unchanged = opened.length - chosen.length;
    if (chosen.length === 0) return { changed: [], unchanged, lacking: [] };
    const stored = await inWorkspace(
      workspaceId,
      async (db) => {
        const locked = await lockUnchanged(db, chosen);
        if (!locked) return null;
        await storeUnpublished(db, locked, actor, undo);
        await within?.(db, []);
        return locked;
      },
      SECONDS,
    );
    if (stored) return { changed: stored.map(named), unchanged, lacking: [] };
  }
  throw savedTooOften();
}

/** Throws InvalidError about `summary` when it is too long. */
export function checkedSummary(note: string | null | undefined): string | null {
  const summary = oneLine(note ?? "");
  if ([...summary].length <= MOST.summary) return summary || null;
  const message = `The release note can have up to ${MOST.summary} characters.`;
  throw new InvalidError([{ field: "summary", code: "too_long", message }]);
}

/** The refusal to publish or schedule a draft that someone else has saved since. */
export function savedSince(): InvalidError {
  const message =
    "Not published. Someone has saved this article since you opened this page. Review the changes, then publish.";
  return new InvalidError([{ field: "revision", code: "not_allowed", message }]);
}

function savedTooOften(): InvalidError {
  const message = "The article is being saved right now. Wait a few seconds, then try again.";
  return new InvalidError([], message);
}

/**
 * Publishes or hides one article within a transaction that has locked and opened it.
 * @param one.article with its new live text, or to hide it, with its former one
 */
export function publishOpened(db: Db, one: Derived, actor: Actor, summary: string | null = null): Promise<void> {
  return storePublished(db, [one], actor, { summary, undo: undefined });
}

export function unpublishOpened(db: Db, one: Derived, actor: Actor): Promise<void> {
  return storeUnpublished(db, [one], actor, undefined);
}

export interface Derived {
  article: OpenDraft;
  body: DerivedText;
  /** The search document of title and text. Without it, the document is built within the transaction. */
  started?: StartedDocument | undefined;
}

async function openAll(workspaceId: string, ids: readonly string[], side: "draft" | "live"): Promise<OpenDraft[]> {
  const opened = await readWorkspace(workspaceId, async (read) => {
    const articles: OpenDraft[] = [];
    for (const id of new Set(ids)) {
      const article = await openDraft(read, id, side);
      if (article) articles.push(article);
    }
    return articles;
  });
  if (opened.length > 0) return opened;
  throw new NotFoundError("This article was deleted.");
}

/** Runs outside a transaction: a long text takes seconds. */
async function derived(workspaceId: string, articles: OpenDraft[], isPublishing: boolean): Promise<Derived[]> {
  const result: Derived[] = [];
  for (const article of articles) {
    const { title, html } = article.text;
    try {
      // Drafts keep the tokens of snippets.
      const snippets = isPublishing ? await usedSnippets(workspaceId, html) : null;
      const body = await inThread(workspaceId, "derive", html, snippets);
      const { text } = shownIn(body);
      result.push({ article, body, started: await startedDocument(workspaceId, { title, text }) });
    } catch (error) {
      if (error instanceof TooSlowError) throw new TooSlowError(`“${title}”`);
      // The form for publishing has no field for the text.
      throw error instanceof InvalidError
        ? new InvalidError([], `“${title}” wasn't published. ${error.message}`)
        : error;
    }
  }
  return result;
}

function lackOfDerived({ article: { id, text }, body }: Derived): Changed["lacking"] {
  const lack = lackIn(text.title, body);
  return lack ? [{ id, lack }] : [];
}

const isDue = ({ article }: Derived, dueAt: Date | undefined) =>
  !dueAt || (article.publishAt?.getTime() === dueAt.getTime() && !article.publishHeld);

const named = ({ article: { id, slug, text } }: Derived) => ({ id, slug, title: text.title });

/** Fields that change without a new revision, so they may have changed while the text was derived. */
type Immediate = Pick<OpenDraft, "slug" | "category" | "sequence" | "author" | "createdAt" | "publishedAt">;
type Locked = Immediate &
  Pick<OpenDraft, "id" | "revision" | "state" | "publishAt" | "publishHeld"> & {
    sourcePath: string | null;
    sourceHash: string | null;
  };

/**
 * Locks articles until the transaction ends. Returns them with their current slug, category, author and source, so that no such
 * change is lost, or null if a text was saved or published meanwhile.
 */
async function lockUnchanged(db: Db, articles: readonly Derived[]): Promise<Derived[] | null> {
  const read = readingOf(db);
  const ids = articles.map(({ article }) => article.id);
  await read("SELECT FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE", [ids]);
  const rows = await read<Locked>(
    `SELECT a.id::text, a.revision, a.state, a.publish_at AS "publishAt", a.publish_held AS "publishHeld", a.slug, a.sequence, a.created_at AS "createdAt",
       a.published_at AS "publishedAt", a.source_path AS "sourcePath", encode(a.source_hash, 'hex') AS "sourceHash",
       json_build_object('id', c.id, 'name', c.name) AS category,
       json_build_object('id', m.id, 'name', concat_ws(' ', m.first_name, m.last_name)) AS author
     FROM ${articlesWhere("a.id = ANY($1::uuid[])")}
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id`,
    [ids],
  );
  const present = new Map(rows.map((row) => [row.id, row]));
  const locked: Derived[] = [];
  for (const { article, ...made } of articles) {
    const row = present.get(article.id);
    const isSame =
      row?.revision === article.revision &&
      row.state === article.state &&
      row.publishHeld === article.publishHeld &&
      row.publishAt?.getTime() === article.publishAt?.getTime();
    if (!isSame) return null;
    const { sourcePath, sourceHash, ...immediate } = row;
    const hash = sourceHash === null ? null : Buffer.from(sourceHash, "hex");
    const source = sourcePath === null ? null : { path: sourcePath, hash };
    locked.push({ article: { ...article, ...immediate, source }, ...made });
  }
  return locked;
}

async function storePublished(
  db: Db,
  locked: readonly Derived[],
  actor: Actor,
  { summary, undo, via }: Pick<PublishOptions, "undo"> & Pick<VersionMade, "via"> & { summary: string | null },
): Promise<void> {
  const ids = locked.map(({ article }) => article.id);
  const store = async () => {
    // Otherwise it would stay as a draft beside the published text.
    await db.articleDraft.deleteMany({ where: { id: { in: ids } } });
    const updatedAt = new Date();
    await storeArticles(
      db,
      locked.map((one) => toStore(one, { state: "published", updatedAt, publishAt: null })),
      { kind: "publish", by: actor, via, summary },
    );
    await recordAudits(db, actor, "article.published", audited(locked, summary ? { summary } : {}));
  };
  await (undo ? undoably(db, { batch: undo, action: "published", actor }, ids, store) : store());
}

async function storeUnpublished(
  db: Db,
  locked: readonly Derived[],
  actor: Actor,
  undo: string | undefined,
): Promise<void> {
  const ids = locked.map(({ article }) => article.id);
  const store = async () => {
    // A draft without an editor would be replaced by the live text.
    await db.$executeRaw`
      UPDATE article_drafts d SET updated_by = a.author_id FROM articles a
      WHERE a.id = d.id AND d.id = ANY(${ids}::uuid[]) AND d.updated_by IS NULL AND d.updated_by_key IS NULL`;
    const updatedAt = new Date();
    await storeArticles(
      db,
      locked.map((one) =>
        toStore(one, { state: "draft", updatedAt, publishedAt: one.article.publishedAt, publishAt: null }),
      ),
      { kind: "autosave", by: actor },
    );
    await recordAudits(db, actor, "article.unpublished", audited(locked));
  };
  await (undo ? undoably(db, { batch: undo, action: "unpublished", actor }, ids, store) : store());
}

function toStore(
  { article, ...made }: Derived,
  changes: Pick<ArticleToStore, "state" | "updatedAt" | "publishedAt" | "publishAt">,
): ArticleToStore {
  const { id, slug, category, sequence, author, createdAt, source, text } = article;
  const { html: _, ...rest } = text;
  return { ...rest, id, slug, category, sequence, authorId: author.id, createdAt, source, ...made, ...changes };
}

const audited = (articles: readonly Derived[], details: AuditDetails = {}) =>
  articles.map(({ article: { id, text, slug } }) => ({
    subject: { kind: "article", id, name: text.title },
    details: { slug, ...details },
  }));
