import { type Undoable, undoably } from "@/lib/articles/undo";
import { type Actor, type AuditDetails, recordAudits } from "@/lib/audit";
import { contentFromHtml } from "@/lib/content/content";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { type OpenDraft, openDraft } from "@/lib/drafts/open";
import { lackIn, MOST, oneLine } from "@/lib/drafts/text";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { storeArticles } from "@/lib/publishing";
import type { ArticleToStore } from "@/lib/publishing/article";
import { type DerivedText, derivedText } from "@/lib/publishing/derive";

/** What came of publishing or unpublishing articles. */
export interface Changed {
  changed: { id: string; title: string; slug: string }[];
  /** Articles that are as they were: readers see all of them already, or nothing. */
  unchanged: number;
  /** Articles that were left out, because they have no title or no text. */
  lacking: { id: string; lack: "title" | "text" }[];
}

interface Publishing {
  revision?: number | undefined;
  dueAt?: Date;
  undo?: string;
  leaveEmpty?: boolean;
  summary?: string | null | undefined;
}

/** How often articles are made ready again that somebody saves meanwhile. */
const TRIES = 5;
/** How long the transaction may take, in seconds: of a whole page of a list. */
const SECONDS = 20;

/**
 * Shows readers the drafts of articles as they are now, each with everything derived, in one transaction: search, links,
 * tags, attachments, related articles, a version, the audit log. Articles without changes are passed over, and ids that
 * are none (any more).
 * @param given.revision of one article: refused when somebody has saved since
 * @param given.undo a new id, by which it can be undone (lib/articles/undo.ts)
 * @param given.summary what it changes, in a line for those who write: kept with the version
 * @param given.leaveEmpty leaves out those without a title or text
 * @param given.dueAt only those that are to be published by themselves at this very time, and are not held
 * @throws InvalidError about `revision`, and about `summary` when it is too long
 * @throws NotFoundError when none of the articles is there
 */
export async function publishArticles(
  workspaceId: string,
  ids: readonly string[],
  actor: Actor,
  given: Publishing = {},
): Promise<Changed> {
  const summary = checkedSummary(given.summary);
  return change(workspaceId, ids, "draft", (articles) => publishAll(articles, actor, { ...given, summary }));
}

/**
 * What whoever publishes says that it changes, on one line; null where they say nothing.
 * @throws InvalidError about `summary` when it is too long
 */
export function checkedSummary(given: string | null | undefined): string | null {
  const summary = oneLine(given ?? "");
  if ([...summary].length <= MOST.summary) return summary || null;
  const message = `What changes is said in at most ${MOST.summary} characters.`;
  throw new InvalidError([{ field: "summary", code: "too_long", message }]);
}

/**
 * Takes articles from readers, at once and everywhere. What is being written stays; where nothing is, the text that
 * readers saw becomes the draft. Articles that readers do not see are passed over.
 * @param given.undo as of publishArticles
 * @throws NotFoundError when none of the articles is there
 */
export function unpublishArticles(
  workspaceId: string,
  ids: readonly string[],
  actor: Actor,
  { undo }: Pick<Publishing, "undo"> = {},
): Promise<Changed> {
  return change(workspaceId, ids, "live", (articles) => unpublishAll(articles, actor, undo));
}

type Ready = { article: OpenDraft; body: DerivedText };
/** Stores articles as they are once nobody else changes them. */
type Store = (db: Db, locked: Ready[]) => Promise<void>;
type Work = (articles: Ready[]) => {
  /** Of those that were made ready, what is to be stored. */
  wanted: Ready[];
  lacking?: Changed["lacking"];
  store: Store;
};

/** Makes articles ready outside of a transaction, and stores them in one if they are still the same. */
async function change(
  workspaceId: string,
  ids: readonly string[],
  side: "draft" | "live",
  work: Work,
): Promise<Changed> {
  for (let left = TRIES; left > 0; left--) {
    const opened = await readWorkspace(workspaceId, (read) => openAll(read, ids, side));
    if (opened.length === 0) throw new NotFoundError("This article is not there any more: somebody has deleted it.");
    const { wanted, lacking = [], store } = work(await readied(opened, side));
    const unchanged = opened.length - wanted.length - lacking.length;
    if (wanted.length === 0) return { changed: [], unchanged, lacking };
    const stored = await inWorkspace(
      workspaceId,
      async (db) => {
        const locked = await lockUnchanged(db, wanted);
        if (locked) await store(db, locked);
        return locked;
      },
      SECONDS,
    );
    if (stored) {
      const changed = stored.map(({ article: { id, slug, text } }) => ({ id, slug, title: text.title }));
      return { changed, unchanged, lacking };
    }
  }
  throw new InvalidError(
    [],
    "The article is being saved again and again at the moment: wait a few seconds, then try again.",
  );
}

async function openAll(read: Read, ids: readonly string[], side: "draft" | "live"): Promise<OpenDraft[]> {
  const articles: OpenDraft[] = [];
  for (const id of new Set(ids)) {
    const article = await openDraft(read, id, side);
    if (article) articles.push(article);
  }
  return articles;
}

async function readied(articles: OpenDraft[], side: "draft" | "live"): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const article of articles) {
    // What readers see already, or do not, costs nothing.
    const isOf = side === "draft" ? article.hasDraft : article.state === "published";
    if (isOf) ready.push({ article, body: await derivedText(contentFromHtml(article.text.html)) });
  }
  return ready;
}

/** What of an article acts at once, and may have changed while its text was made ready. */
type AtOnce = Pick<OpenDraft, "slug" | "category" | "sequence" | "author" | "createdAt" | "publishedAt">;
type Locked = AtOnce &
  Pick<OpenDraft, "id" | "revision" | "state" | "publishAt" | "publishHeld"> & {
    sourcePath: string | null;
    sourceHash: string | null;
  };

/**
 * Locks articles until the transaction ends.
 * @returns them with the address, place, author and source that they have by now, which nothing of this undoes; null when
 *   the text of one was saved or published meanwhile
 */
async function lockUnchanged(db: Db, ready: readonly Ready[]): Promise<Ready[] | null> {
  const read = readingOf(db);
  const ids = ready.map(({ article }) => article.id);
  await read("SELECT FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE", [ids]);
  const rows = await read<Locked>(
    `SELECT a.id::text, a.revision, a.state, a.publish_at AS "publishAt", a.publish_held AS "publishHeld", a.slug, a.sequence, a.created_at AS "createdAt",
       a.published_at AS "publishedAt", a.source_path AS "sourcePath", encode(a.source_hash, 'hex') AS "sourceHash",
       json_build_object('id', c.id, 'name', c.name) AS category,
       json_build_object('id', m.id, 'name', concat_ws(' ', m.first_name, m.last_name)) AS author
     FROM articles a
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     JOIN members m ON m.workspace_id = a.workspace_id AND m.id = a.author_id
     WHERE a.id = ANY($1::uuid[])`,
    [ids],
  );
  const now = new Map(rows.map((row) => [row.id, row]));
  const locked: Ready[] = [];
  for (const { article, body } of ready) {
    const row = now.get(article.id);
    const isSame =
      row?.revision === article.revision &&
      row.state === article.state &&
      row.publishHeld === article.publishHeld &&
      row.publishAt?.getTime() === article.publishAt?.getTime();
    if (!isSame) return null;
    const { sourcePath, sourceHash, ...atOnce } = row;
    const hash = sourceHash === null ? null : Buffer.from(sourceHash, "hex");
    const source = sourcePath === null ? null : { path: sourcePath, hash };
    locked.push({ article: { ...article, ...atOnce, source }, body });
  }
  return locked;
}

/** What is told to whoever publishes, now or later, what they have not seen. */
export function savedSince(): InvalidError {
  const message =
    "Somebody has saved this article since you looked at it, so nothing is published yet. Look at what changes now, then publish.";
  return new InvalidError([{ field: "revision", code: "not_allowed", message }]);
}

function publishAll(
  ready: Ready[],
  actor: Actor,
  { revision, dueAt, undo, leaveEmpty, summary }: Publishing,
): ReturnType<Work> {
  if (revision !== undefined && ready.some(({ article }) => article.revision !== revision)) throw savedSince();
  const isDue = ({ article }: Ready) => article.publishAt?.getTime() === dueAt?.getTime() && !article.publishHeld;
  const lacking = ready.flatMap(({ article: { id, text }, body }) => {
    const lack = leaveEmpty ? lackIn(text.title, body) : null;
    return lack ? [{ id, lack }] : [];
  });
  const wanted = ready.filter((one) => (!dueAt || isDue(one)) && !lacking.some(({ id }) => id === one.article.id));
  const store: Store = async (db, locked) => {
    const ids = locked.map(({ article }) => article.id);
    // What is stored from here on is the draft itself, and not something beside it.
    await db.articleDraft.deleteMany({ where: { id: { in: ids } } });
    const at = new Date();
    await storeArticles(
      db,
      locked.map((one) => toStore(one, { state: "published", updatedAt: at, publishAt: null })),
      { kind: "publish", by: actor.id && actor.kind === "member" ? actor.id : null, summary },
    );
    await tell(db, actor, "article.published", locked, summary ? { summary } : {});
  };
  return { wanted, lacking, store: remembered(store, "published", undo) };
}

/** The same, and what the articles were before can be brought back. */
function remembered(store: Store, deed: Undoable["deed"], batch: string | undefined): Store {
  if (batch === undefined) return store;
  return (db, locked) => {
    const ids = locked.map(({ article }) => article.id);
    return undoably(db, { batch, deed }, ids, () => store(db, locked));
  };
}

function unpublishAll(ready: Ready[], actor: Actor, undo: string | undefined): ReturnType<Work> {
  const store: Store = async (db, locked) => {
    const ids = locked.map(({ article }) => article.id);
    // A draft that nobody wrote would make way for what readers saw.
    await db.$executeRaw`
      UPDATE article_drafts d SET updated_by = a.author_id FROM articles a
      WHERE a.id = d.id AND d.id = ANY(${ids}::uuid[]) AND d.updated_by IS NULL`;
    const at = new Date();
    await storeArticles(
      db,
      locked.map((one) =>
        toStore(one, { state: "draft", updatedAt: at, publishedAt: one.article.publishedAt, publishAt: null }),
      ),
      { kind: "autosave", by: actor.kind === "member" ? actor.id : null },
    );
    await tell(db, actor, "article.unpublished", locked);
  };
  return { wanted: ready, store: remembered(store, "unpublished", undo) };
}

function toStore(
  { article, body }: Ready,
  changes: Pick<ArticleToStore, "state" | "updatedAt" | "publishedAt" | "publishAt">,
): ArticleToStore {
  const { id, slug, category, sequence, author, createdAt, source, text } = article;
  const { html: _, ...rest } = text;
  return { ...rest, id, slug, category, sequence, authorId: author.id, createdAt, source, body, ...changes };
}

type Deed = "article.published" | "article.unpublished";

async function tell(
  db: Db,
  actor: Actor,
  deed: Deed,
  locked: readonly Ready[],
  more: AuditDetails = {},
): Promise<void> {
  const changes = locked.map(({ article: { id, text, slug } }) => ({
    subject: { kind: "article", id, name: text.title },
    details: { slug, ...more },
  }));
  if (deed === "article.published") await recordAudits(db, actor, "article.published", changes);
  else await recordAudits(db, actor, "article.unpublished", changes);
}
