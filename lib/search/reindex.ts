import { setImmediate } from "node:timers/promises";
import { type Db, inOneGo, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { finishDocument, type SearchedArticle, type StartedDocument, searchDocument } from "@/lib/search/documents";
import { refoldSynonyms } from "@/lib/search/synonyms";
import { indexVectors } from "@/lib/search/vectors";

export interface ArticleToIndex extends SearchedArticle {
  id: string;
  published: boolean;
  updatedAt: Date;
  started?: StartedDocument | undefined;
}

const BATCH = 100;
const SECONDS = 60;

async function indexArticles(db: Db, articles: readonly ArticleToIndex[], since = new Date(0)): Promise<void> {
  if (articles.length > 0) await indexMade(db, await madeIndex(await workspaceOf(db), articles), since);
}

export async function workspaceOf(db: Db): Promise<string> {
  const [row] = await readingOf(db)<{ id: string }>("SELECT current_setting('app.workspace_id') AS id");
  return row?.id ?? "";
}

export interface MadeIndex {
  workspaceId: string;
  documents: StoredDocument[];
  /** Spellings by word. */
  vocabulary: Map<string, string>;
}

/** Makes search documents, and words for corrections, without the database. */
export async function madeIndex(workspaceId: string, articles: readonly ArticleToIndex[]): Promise<MadeIndex> {
  const vocabulary = new Map<string, string>();
  const documents: StoredDocument[] = [];
  for (const { id, published, updatedAt, started, ...article } of articles) {
    // Statements that the caller has just sent go out first, and requests don't wait for all documents.
    await setImmediate();
    const isThis = started?.title === article.title && started.text === article.text;
    const document = isThis ? finishDocument(started, article) : await searchDocument(workspaceId, article);
    // Drafts must not show up in corrections.
    if (published) for (const { word, spelling } of document.vocabulary) vocabulary.set(word, spelling);
    documents.push({ id, published, updatedAt, title: document.title, words: document.words });
  }
  return { workspaceId, documents, vocabulary };
}

/** Stores what `madeIndex` made, and has jobs make vectors. Words that were learned before `since` are stored again. */
export async function indexMade(
  db: Db,
  { workspaceId, documents, vocabulary }: MadeIndex,
  since = new Date(0),
): Promise<void> {
  if (documents.length === 0) return;
  await inOneGo([
    storeDocuments(db, documents),
    indexVectors(db, documents),
    vocabulary.size > 0 &&
      db.$executeRawUnsafe(
        `INSERT INTO search_words (word, spelling)
         SELECT g.word, g.spelling FROM unnest($1::text[], $2::text[]) AS g(word, spelling)
         WHERE NOT EXISTS (SELECT FROM search_words k
           WHERE k.workspace_id = $3::uuid AND k.word = g.word COLLATE "C" AND k.added_at >= $4)`,
        [...vocabulary.keys()],
        [...vocabulary.values()],
        workspaceId,
        since,
      ),
  ]);
}

interface StoredDocument {
  id: string;
  published: boolean;
  updatedAt: Date;
  title: string;
  words: string;
}

async function storeDocuments(db: Db, documents: readonly StoredDocument[]): Promise<void> {
  await db.$executeRawUnsafe(
    `INSERT INTO search_documents (id, published, updated_at, title, words)
     SELECT g.id, g.published, g."updatedAt", g.title, g.words::tsvector
     FROM jsonb_to_recordset($1::jsonb)
       AS g(id uuid, published boolean, "updatedAt" timestamptz, title text, words text)
     ON CONFLICT (id, workspace_id) DO UPDATE SET published = excluded.published, updated_at = excluded.updated_at,
       title = excluded.title, words = excluded.words`,
    JSON.stringify(documents),
  );
}

/** Stores the document of a draft whose article the caller has locked. `started` is made from the saved title and text. */
export async function indexDraft(
  db: Db,
  id: string,
  text: Pick<SearchedArticle, "keywords" | "metaDescription">,
  started: StartedDocument,
): Promise<void> {
  const articles = await db.$queryRaw<{ slug: string; categoryName: string; updatedAt: Date }[]>`
    SELECT a.slug, a.updated_at AS "updatedAt", c.name AS "categoryName"
    FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
    WHERE a.id = ${id}::uuid`;
  await storeDocuments(
    db,
    articles.map(({ updatedAt, ...rest }) => {
      const { title, words } = finishDocument(started, { ...rest, ...text });
      return { id, published: false, updatedAt, title, words };
    }),
  );
}

const articlesToIndex = `
  SELECT a.id, a.state = 'published' AS published, a.slug, a.updated_at AS "updatedAt", t.title, t.text, t.keywords,
    t.meta_description AS "metaDescription", c.name AS "categoryName"
  FROM articles a
  JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
  CROSS JOIN LATERAL (
    SELECT title, text, keywords, meta_description FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
    UNION ALL
    SELECT title, text, keywords, meta_description FROM article_drafts d
    WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'
  ) t
  WHERE a.id = ANY($1::uuid[]) ORDER BY a.id`;

/** Of these articles, those whose document is missing or was made of something else. */
export async function outdatedDocuments(read: Read, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const articles = await read<ArticleToIndex>(articlesToIndex, [ids]);
  const documents: (StoredDocument & { vocabulary: string[] })[] = [];
  for (const { id, published, updatedAt, ...article } of articles) {
    const { title, words, vocabulary } = await searchDocument(workspaceId, article);
    const learned = published ? vocabulary.map(({ word }) => word) : [];
    documents.push({ id, published, updatedAt, title, words, vocabulary: learned });
  }
  const outdated = await read<{ id: string }>(
    `SELECT g.id::text FROM jsonb_to_recordset($1::jsonb)
       AS g(id uuid, published boolean, "updatedAt" timestamptz, title text, words text, vocabulary text[])
     LEFT JOIN search_documents d ON d.workspace_id = $2::uuid AND d.id = g.id
     WHERE (d.published, d.updated_at, d.title, d.words) IS DISTINCT FROM (g.published, g."updatedAt", g.title, g.words::tsvector)
       OR EXISTS (SELECT FROM unnest(g.vocabulary) w WHERE NOT EXISTS (SELECT FROM search_words k
         WHERE k.workspace_id = $2::uuid AND k.word = w COLLATE "C"))
     ORDER BY g.id`,
    [JSON.stringify(documents), workspaceId],
  );
  return outdated.map(({ id }) => id);
}

/** Rebuilds the documents of these articles. Unknown ids are skipped. */
export async function reindexArticles(db: Db, ids: readonly string[], since?: Date): Promise<void> {
  // Locked by a statement of its own: after waiting for a writer, a single one would still read the old text.
  await db.$queryRawUnsafe("SELECT id FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE", ids);
  const articles = await db.$queryRawUnsafe<ArticleToIndex[]>(articlesToIndex, ids);
  await indexArticles(db, articles, since);
}

export async function reindexArticlesOf(workspaceId: string, categoryId: string): Promise<void> {
  const ids = await readWorkspace(
    workspaceId,
    (read) => read<{ id: string }>("SELECT id FROM articles WHERE category_id = $1 ORDER BY id", [categoryId]),
    SECONDS,
  );
  for (let done = 0; done < ids.length; done += BATCH) {
    const batch = ids.slice(done, done + BATCH).map(({ id }) => id);
    await inWorkspace(workspaceId, (db) => reindexArticles(db, batch), SECONDS);
  }
}

/** Rebuilds documents, vocabulary and folded synonyms, a hundred articles per transaction. Returns the number of articles. */
export async function reindexWorkspace(
  workspaceId: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<number> {
  const [started, ids] = await readWorkspace(
    workspaceId,
    async (read) => {
      const [clock] = await read<{ now: Date }>("SELECT now()");
      const articles = await read<{ id: string }>("SELECT id FROM articles ORDER BY id");
      return [clock?.now ?? new Date(), articles.map(({ id }) => id)] as const;
    },
    SECONDS,
  );
  const ours: string[] = [];
  for (let done = 0; done < ids.length; done += BATCH) {
    const batch = ids.slice(done, done + BATCH);
    ours.push(await inWorkspace(workspaceId, (db) => reindexed(db, batch, started), SECONDS));
    onProgress(done + batch.length, ids.length);
  }
  await inWorkspace(workspaceId, (db) => forgetWords(db, started), SECONDS);
  // Articles stored in the meantime may have relied on words that are deleted by now.
  const others = await readWorkspace(workspaceId, (read) => storedByOthers(read, ours), SECONDS);
  for (let done = 0; done < others.length; done += BATCH) {
    await inWorkspace(workspaceId, (db) => reindexArticles(db, others.slice(done, done + BATCH)), SECONDS);
  }
  await inWorkspace(workspaceId, (db) => refoldSynonyms(db), SECONDS);
  return ids.length;
}

/** Returns the transaction's id. */
async function reindexed(db: Db, ids: readonly string[], since: Date): Promise<string> {
  await reindexArticles(db, ids, since);
  const [{ xid } = { xid: "" }] = await db.$queryRaw<{ xid: string }[]>`SELECT pg_current_xact_id()::xid::text AS xid`;
  return xid;
}

/** Deletes words that were not learned again since `started`, and duplicates. */
async function forgetWords(db: Db, started: Date): Promise<void> {
  // A transaction that was open then may rely on older words. None takes an hour.
  const old = new Date(started.getTime() - 3_600_000);
  await db.$executeRaw`
    DELETE FROM search_words WHERE ctid IN (
      SELECT ctid FROM (
        SELECT ctid, added_at,
          row_number() OVER (PARTITION BY word ORDER BY added_at < ${old}, spelling COLLATE "C", ctid) AS number
        FROM search_words
      ) k WHERE k.added_at < ${old} OR k.number > 1)`;
}

/** Articles whose document another transaction stored. Dates cannot tell: imported articles keep those of their files. */
async function storedByOthers(read: Read, xids: readonly string[]): Promise<string[]> {
  const rows = await read<{ id: string }>(
    "SELECT id FROM search_documents WHERE xmin::text <> ALL ($1::text[]) ORDER BY id",
    [xids],
  );
  return rows.map(({ id }) => id);
}
