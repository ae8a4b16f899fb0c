import { randomBytes } from "node:crypto";
import { type ArticleText, textOf } from "@/lib/articles/article-text";
import { updateIfChanged } from "@/lib/articles/used-snippets";
import { addVersions, type VersionMade } from "@/lib/articles/versions";
import { type Parts, type Sides, writeParts, writeRelated } from "@/lib/articles/write-parts";
import { writeDrafts, writeLive } from "@/lib/articles/write-texts";
import type { Writer } from "@/lib/audit/audit";
import { type DerivedText, shownIn } from "@/lib/content/derive";
import { type Db, inOneGo, readingOf } from "@/lib/db";
import type { StartedDocument } from "@/lib/search/documents";
import { indexMade, type MadeIndex, madeIndex, reindexArticles, workspaceOf } from "@/lib/search/reindex";

export interface TextToStore extends Omit<ArticleText, "html"> {
  body: DerivedText;
  /** The search document of title and text, as readers see it. Without it, the document is built within the transaction. */
  started?: StartedDocument | undefined;
  tags: string[];
  /** In order. Unknown articles are skipped. */
  relatedIds: string[];
  /** In order. When absent, the current attachments stay. */
  attachmentIds?: string[] | undefined;
}

export interface ArticleToStore extends TextToStore {
  id: string;
  slug: string;
  state: "draft" | "published";
  category: { id: string; name: string };
  sequence: number;
  authorId: string;
  /** The writer of an unpublished article's draft. Absent for imports. */
  writer?: Writer;
  /** The unpublished draft of a published article. A draft that a member or a program wrote here wins. */
  draft?: TextToStore & { updatedAt: Date; updatedBy: string };
  /** Only for a new article. Generated when absent. */
  permalink?: string | undefined;
  /** Only for a new article. */
  externalId?: string | null;
  slugChosen?: boolean;
  /** Null or absent: when it was first published here, otherwise when it was created. */
  publishedAt?: Date | null;
  publishAt?: Date | null;
  /** Null: the former value, otherwise now. */
  createdAt: Date | null;
  updatedAt: Date;
  /** The file it came from, and a hash of everything it was made from: null while some of that is missing. */
  source: { path: string; hash: Buffer | null } | null;
}

const file: Writer = { kind: "system", id: null };

/** SQL that is true for drafts that a member or a program wrote, and false for imported ones. */
const isWritten = "num_nonnulls(d.updated_by, d.updated_by_key) > 0";

interface Before {
  id: string;
  slug: string;
  draftTitle: string | null;
}

/** What `storeArticles` needs to know before it stores. */
interface Lookup {
  /** The articles that exist, which are locked. */
  before: ReadonlyMap<string, Before>;
  permalinks: readonly string[];
  workspaceId: string;
}

/** Looks up what `storeArticles` needs for new articles. */
export async function lookUpForNew(db: Db, count: number): Promise<Lookup> {
  const [permalinks, workspaceId] = await inOneGo([unusedPermalinks(db, count), workspaceOf(db)]);
  return { before: new Map(), permalinks, workspaceId };
}

async function lookUp(db: Db, ids: readonly string[]): Promise<Lookup> {
  const [before, others] = await inOneGo([lockArticles(db, ids), lookUpForNew(db, ids.length)]);
  return { ...others, before };
}

/**
 * Stores articles with everything derived, in a few statements for all of them: live texts, drafts, search documents, links,
 * tags, related articles, a version of each changed text, and a redirect from each changed slug. A draft that a member or a
 * program wrote is never overwritten. The new text then changes only the live article and is kept as a version.
 * Without such a draft, all parts of the live article are in the draft too. Throws the database's unique violation (23505) when
 * someone takes a slug or source path at the same time.
 * @param lookup with it, the statements for the articles' rows are sent before this function first waits, so that the caller can
 * send statements about the articles immediately
 * @param find reads about the articles as soon as their rows are stored
 */
export async function storeArticles<Found>(
  db: Db,
  toStore: readonly ArticleToStore[],
  made: VersionMade = { kind: "import", by: file },
  lookup?: Lookup,
  find?: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const { before, permalinks, workspaceId } =
    lookup ??
    (await lookUp(
      db,
      toStore.map(({ id }) => id),
    ));
  const keepsDraft = ({ id }: { id: string }) => (before.get(id)?.draftTitle ?? null) !== null;
  const articles = toStore.map(({ draft, ...article }) =>
    draft && article.state === "published" && !keepsDraft(article) ? { ...article, draft } : article,
  );
  const drafts = articles.filter((article) => !keepsDraft(article));
  const versions = articles.map((article) => {
    return { ...rowOf(article.id, article), tags: article.tags, isNew: !before.has(article.id) };
  });
  const sides = articles.map((article) => ({
    ...sidesOf(article, keepsDraft(article)),
    isNew: !before.has(article.id),
  }));
  const hasNewText = (article: ArticleToStore) => article.state === "published" || !keepsDraft(article);
  // Sends the articles' rows before any `await`: search documents and the caller's statements refer to them.
  const stored = inOneGo([
    upsertArticles(db, articles, before, permalinks),
    storeLive(db, articles, before),
    storeDrafts(db, drafts, before),
    addVersions(db, versions, made),
    writeParts(db, sides),
    storeRedirects(db, articles, before),
    updateIfChanged(
      db,
      articles.filter(({ state }) => state === "published"),
    ),
  ]);
  const [, found] = await inOneGo([
    stored,
    stored.then(find),
    searchIndexOf(workspaceId, articles.filter(hasNewText)).then((index) => indexMade(db, index)),
  ]);
  // These keep a draft by a member or a program, which is the text to index.
  const others = articles.filter((article) => !hasNewText(article)).map(({ id }) => id);
  if (others.length > 0) await reindexArticles(db, others);
  return found;
}

const NO_PARTS: Parts = { tags: [], relatedIds: [], attachmentIds: [], links: [] };

function sidesOf(article: ArticleToStore, keepsDraft: boolean): Sides {
  const partsOf = ({ body, ...parts }: TextToStore): Parts => ({ ...parts, links: body.links });
  return {
    articleId: article.id,
    live: article.state === "published" ? partsOf(article) : NO_PARTS,
    ...(!keepsDraft && { draft: partsOf(article.draft ?? article) }),
  };
}

const rowOf = (id: string, text: TextToStore) => ({
  id,
  body: text.body,
  text: textOf({ ...text, html: text.body.html }),
});

async function storeLive(
  db: Db,
  articles: readonly ArticleToStore[],
  before: ReadonlyMap<string, Before>,
): Promise<void> {
  const hidden = articles.filter(({ id, state }) => state === "draft" && before.has(id)).map(({ id }) => id);
  const live = articles.filter(({ state }) => state === "published");
  await inOneGo([
    hidden.length > 0 && db.$executeRaw`DELETE FROM article_live WHERE id = ANY(${hidden}::uuid[])`,
    live.length > 0 &&
      writeLive(
        db,
        live.map((article) => rowOf(article.id, article)),
      ),
  ]);
}

/** The draft of an unpublished article without a `draft` is by its `writer`. */
async function storeDrafts(
  db: Db,
  articles: readonly ArticleToStore[],
  before: ReadonlyMap<string, Before>,
): Promise<void> {
  const published = articles
    .filter(({ id, state, draft }) => state === "published" && !draft && before.has(id))
    .map(({ id }) => id);
  const drafts = articles.flatMap((article) => {
    const text = article.state === "draft" ? article : article.draft;
    const { draft, writer = null } = article;
    const by = draft ? { kind: "member" as const, id: draft.updatedBy } : writer;
    return text ? [{ ...rowOf(article.id, text), writer: by, updatedAt: draft?.updatedAt ?? null }] : [];
  });
  await inOneGo([
    published.length > 0 && db.$executeRaw`DELETE FROM article_drafts WHERE id = ANY(${published}::uuid[])`,
    writeDrafts(db, drafts),
  ]);
}

async function lockArticles(db: Db, ids: readonly string[]): Promise<Map<string, Before>> {
  const rows = await readingOf(db)<Before>(
    `SELECT a.id, a.slug, CASE WHEN ${isWritten} THEN d.title END AS "draftTitle"
     FROM articles a LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.id FOR UPDATE OF a`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** An article whose time has passed when it arrives is put on hold for review. */
const isOver = "coalesce(g.publish_at <= now(), false)";

const givenRows = `jsonb_to_recordset($1::jsonb) AS g(id uuid, permalink text, slug text, category_id uuid, sequence integer,
  author_id uuid, state text, title text, source_path text, source_hash text, created_at timestamptz, updated_at timestamptz,
  published_at timestamptz, publish_at timestamptz, keeps_draft boolean, external_id text, slug_chosen boolean)`;

async function upsertArticles(
  db: Db,
  articles: readonly ArticleToStore[],
  before: ReadonlyMap<string, Before>,
  permalinks: readonly string[],
): Promise<void> {
  const rows = articles.map((article, index) => {
    const draftTitle = before.get(article.id)?.draftTitle ?? null;
    return {
      id: article.id,
      permalink: article.permalink ?? permalinks[index],
      published_at: article.publishedAt ?? null,
      publish_at: article.publishAt ?? null,
      slug: article.slug,
      category_id: article.category.id,
      sequence: article.sequence,
      author_id: article.authorId,
      state: article.state,
      title: article.state === "draft" && draftTitle !== null ? draftTitle : article.title,
      source_path: article.source?.path ?? null,
      external_id: article.externalId ?? null,
      slug_chosen: article.slugChosen ?? false,
      source_hash: article.source?.hash?.toString("hex") ?? null,
      created_at: article.createdAt,
      updated_at: article.updatedAt,
      keeps_draft: draftTitle !== null,
    };
  });
  // A renamed file may take the path of another article.
  const fromFiles = rows.filter((row) => row.source_path !== null);
  const renamed =
    fromFiles.length > 0 &&
    db.$executeRawUnsafe(
      `UPDATE articles a SET source_path = NULL FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, source_path text)
       WHERE a.source_path = g.source_path AND a.id <> g.id`,
      JSON.stringify(fromFiles),
    );
  const isKnown = (row: (typeof rows)[number]) => before.has(row.id);
  const known = rows.filter(isKnown);
  // Open editors started from the text that is replaced here. With a new revision, their next save is refused.
  const changed =
    known.length > 0 &&
    db.$executeRawUnsafe(
      `UPDATE articles a SET slug = g.slug, category_id = g.category_id, sequence = g.sequence, author_id = g.author_id,
         state = g.state, title = g.title, source_path = g.source_path, source_hash = decode(g.source_hash, 'hex'),
         created_at = coalesce(g.created_at, a.created_at),
         updated_at = g.updated_at, publish_at = g.publish_at,
         publish_held = CASE WHEN g.publish_at IS NOT DISTINCT FROM a.publish_at THEN a.publish_held ELSE ${isOver} END,
         published_at = coalesce(g.published_at,
           CASE WHEN g.state = 'published' THEN coalesce(a.published_at, g.updated_at) END),
         revision = a.revision + CASE WHEN g.keeps_draft THEN 0 ELSE 1 END
       FROM ${givenRows} WHERE a.id = g.id`,
      JSON.stringify(known),
    );
  const added =
    known.length < rows.length &&
    db.$executeRawUnsafe(
      `INSERT INTO articles (id, permalink, slug, category_id, sequence, author_id, state, title, source_path, source_hash,
         created_at, updated_at, publish_at, publish_held, external_id, slug_chosen, published_at)
       SELECT id, permalink, slug, category_id, sequence, author_id, state, title, source_path, decode(source_hash, 'hex'),
         coalesce(created_at, least(updated_at, now())), updated_at, publish_at, ${isOver},
         external_id, slug_chosen,
         coalesce(published_at, CASE WHEN state = 'published' THEN coalesce(created_at, least(updated_at, now())) END)
       FROM ${givenRows}`,
      JSON.stringify(rows.filter((row) => !isKnown(row))),
    );
  await inOneGo([renamed, changed, added]);
}

/** At 100,000 articles, two in a thousand batches hit a used permalink. */
async function unusedPermalinks(db: Db, count: number): Promise<string[]> {
  const unused = new Set<string>();
  while (unused.size < count) {
    while (unused.size < count) unused.add(`a-${randomBytes(4).toString("hex")}`);
    const used = await readingOf(db)<{ permalink: string }>(
      "SELECT permalink FROM articles WHERE permalink = ANY($1::text[])",
      [[...unused]],
    );
    for (const { permalink } of used) unused.delete(permalink);
  }
  return [...unused];
}

async function storeRedirects(db: Db, articles: readonly ArticleToStore[], before: ReadonlyMap<string, Before>) {
  await leadFormerSlugs(
    db,
    articles.map(({ id, slug }) => ({ id, slug, former: before.get(id)?.slug ?? slug })),
  );
}

/** Redirects an article's former slug to it. The new slug redirects nowhere. */
export async function leadFormerSlugs(
  db: Db,
  articles: readonly { id: string; slug: string; former: string }[],
): Promise<void> {
  const freed = db.$executeRawUnsafe(
    "DELETE FROM redirects WHERE from_path = ANY($1::text[])",
    articles.map(({ slug }) => `/articles/${slug}`),
  );
  const moved = articles
    .filter(({ slug, former }) => slug !== former)
    .map(({ id, former }) => ({ article_id: id, from_path: `/articles/${former}` }));
  const kept =
    moved.length > 0 &&
    db.$executeRawUnsafe(
      `INSERT INTO redirects (from_path, kind, article_id)
     SELECT g.from_path, 'article', g.article_id FROM jsonb_to_recordset($1::jsonb) AS g(from_path text, article_id uuid)
     ON CONFLICT (workspace_id, from_path)
       DO UPDATE SET kind = 'article', article_id = excluded.article_id, category_id = NULL, url = NULL,
         by_hand = false, created_at = now()`,
      JSON.stringify(moved),
    );
  await inOneGo([freed, kept]);
}

function searchIndexOf(workspaceId: string, articles: readonly ArticleToStore[]): Promise<MadeIndex> {
  const rows = articles.map(({ state, body, category, ...article }) => ({
    ...article,
    published: state === "published",
    text: (state === "published" ? shownIn(body) : body).text,
    categoryName: category.name,
  }));
  return madeIndex(workspaceId, rows);
}

/** Stores related articles once all articles of an import exist, and the hash that says so. */
export async function completeRelated(
  db: Db,
  articles: readonly { id: string; relatedIds: string[]; draft?: { relatedIds: string[] }; sourceHash: Buffer }[],
): Promise<void> {
  const ids = articles.map(({ id }) => id);
  const rows = await db.$queryRawUnsafe<{ id: string; published: boolean; keepsDraft: boolean }[]>(
    `SELECT a.id, a.state = 'published' AS published, ${isWritten} AS "keepsDraft"
     FROM articles a LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.id FOR UPDATE OF a`,
    ids,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const present = articles.filter(({ id }) => found.has(id));
  const sides = present.map(({ id, relatedIds, draft }) => {
    const { published = false, keepsDraft = false } = found.get(id) ?? {};
    return {
      articleId: id,
      live: { relatedIds: published ? relatedIds : [] },
      ...((draft || !keepsDraft) && { draft: draft ?? { relatedIds } }),
    };
  });
  await writeRelated(db, sides);
  await db.$executeRawUnsafe(
    `UPDATE articles a SET source_hash = decode(g.hash, 'hex')
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, hash text) WHERE a.id = g.id`,
    JSON.stringify(present.map(({ id, sourceHash }) => ({ id, hash: sourceHash.toString("hex") }))),
  );
}
