import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { type BegunDocument, type SearchedArticle, searchDocument } from "@/lib/search/documents";
import { refoldSynonyms } from "@/lib/search/synonyms";

/** An article as search keeps it. */
export interface ArticleToIndex extends SearchedArticle {
  id: string;
  published: boolean;
  updatedAt: Date;
}

/** The form of words that lib/search/documents.ts makes. A greater one has every server make the documents anew. */
export const FORM = 2;

const BATCH = 100;
/** The most one of its transactions may take. */
const SECONDS = 60;

/**
 * Makes and stores the search documents of articles, also over those that are there, and what corrections learn of
 * them: in the transaction that stores the articles, so that the next search finds them.
 * @param since words that were learned before are learned again
 */
export async function indexArticles(db: Db, articles: readonly ArticleToIndex[], since = new Date(0)): Promise<void> {
  if (articles.length === 0) return;
  const [{ id: workspaceId } = { id: "" }] = await db.$queryRaw<{ id: string }[]>`
    SELECT current_setting('app.workspace_id') AS id`;
  const vocabulary = new Map<string, string>();
  const documents = articles.map(({ id, published, updatedAt, ...article }) => {
    const document = searchDocument(workspaceId, article);
    // The words of a draft are nobody's to be corrected to.
    if (published) for (const { word, spelling } of document.vocabulary) vocabulary.set(word, spelling);
    return { id, published, updatedAt, title: document.title, words: document.words };
  });
  await storeDocuments(db, documents);
  if (vocabulary.size === 0) return;
  await db.$executeRawUnsafe(
    `INSERT INTO search_words (word, spelling)
     SELECT g.word, g.spelling FROM unnest($1::text[], $2::text[]) AS g(word, spelling)
     WHERE NOT EXISTS (SELECT FROM search_words k
       WHERE k.workspace_id = $3::uuid AND k.word = g.word COLLATE "C" AND k.added_at >= $4)`,
    [...vocabulary.keys()],
    [...vocabulary.values()],
    workspaceId,
    since,
  );
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

/**
 * Stores the search document of an article that is not published, as the save of its draft that holds it locked: its words
 * were read before.
 * @param begun of the title and the text that are saved, in the article's workspace
 */
export async function indexDraft(db: Db, id: string, keywords: readonly string[], begun: BegunDocument): Promise<void> {
  const articles = await db.$queryRaw<{ slug: string; categoryName: string; updatedAt: Date }[]>`
    SELECT a.slug, a.updated_at AS "updatedAt", c.name AS "categoryName"
    FROM articles a JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
    WHERE a.id = ${id}::uuid`;
  await storeDocuments(
    db,
    articles.map(({ updatedAt, ...rest }) => {
      const { title, words } = begun({ ...rest, keywords });
      return { id, published: false, updatedAt, title, words };
    }),
  );
}

/** Makes the search documents of these articles anew from what is stored. Ids that are no articles are passed over. */
export async function reindexArticles(db: Db, ids: readonly string[], since?: Date): Promise<void> {
  // Locked, so that nobody saves a newer text between reading this one and storing its words; and by a statement of its
  // own, because one that waits for a writer reads the other tables as they were before.
  await db.$queryRawUnsafe("SELECT id FROM articles WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE", ids);
  const articles = await db.$queryRawUnsafe<ArticleToIndex[]>(
    `SELECT a.id, a.state = 'published' AS published, a.slug, a.updated_at AS "updatedAt", t.title, t.text, t.keywords,
       c.name AS "categoryName"
     FROM articles a
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     CROSS JOIN LATERAL (
       SELECT title, text, keywords FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
       UNION ALL
       SELECT title, text, keywords FROM article_drafts d
       WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'
     ) t
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.id`,
    ids,
  );
  await indexArticles(db, articles, since);
}

/** Makes the search documents of a category's articles anew, a hundred a transaction. */
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

/**
 * Makes every search document of a workspace anew, its vocabulary and the folded forms of its synonyms, a hundred
 * articles a transaction. Searches and writes go on meanwhile.
 * @param onProgress hears after each transaction how many articles are done, of how many
 * @param signal ends it between two transactions: it then throws the signal's reason, and what is done stays
 * @returns the number of articles
 */
export async function reindexWorkspace(
  workspaceId: string,
  onProgress: (done: number, total: number) => void = () => {},
  signal?: AbortSignal,
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
    signal?.throwIfAborted();
  }
  await inWorkspace(workspaceId, (db) => forgetWords(db, started), SECONDS);
  // Who stored an article meanwhile may have found its words among those that are forgotten by now.
  const others = await readWorkspace(workspaceId, (read) => storedByOthers(read, ours), SECONDS);
  for (let done = 0; done < others.length; done += BATCH) {
    signal?.throwIfAborted();
    await inWorkspace(workspaceId, (db) => reindexArticles(db, others.slice(done, done + BATCH)), SECONDS);
  }
  signal?.throwIfAborted();
  await inWorkspace(
    workspaceId,
    async (db) => {
      await refoldSynonyms(db);
      await db.workspace.updateMany({ data: { searchForm: FORM } });
    },
    SECONDS,
  );
  return ids.length;
}

/** @returns the transaction's number */
async function reindexed(db: Db, ids: readonly string[], since: Date): Promise<string> {
  await reindexArticles(db, ids, since);
  const [{ xid } = { xid: "" }] = await db.$queryRaw<{ xid: string }[]>`SELECT pg_current_xact_id()::xid::text AS xid`;
  return xid;
}

/** Forgets the words that were not learned again since a reindex began, and those that are there more than once. */
async function forgetWords(db: Db, started: Date): Promise<void> {
  // A writer who had begun before this may have brought a word without: none takes an hour.
  const old = new Date(started.getTime() - 3_600_000);
  await db.$executeRaw`
    DELETE FROM search_words WHERE ctid IN (
      SELECT ctid FROM (
        SELECT ctid, added_at,
          row_number() OVER (PARTITION BY word ORDER BY added_at < ${old}, spelling COLLATE "C", ctid) AS number
        FROM search_words
      ) k WHERE k.added_at < ${old} OR k.number > 1)`;
}

/**
 * The articles whose search document was not stored by one of these transactions. Their dates do not say it: those of an
 * imported article are its file's, and a category's new name is no change of its articles.
 */
async function storedByOthers(read: Read, xids: readonly string[]): Promise<string[]> {
  const rows = await read<{ id: string }>(
    "SELECT id FROM search_documents WHERE xmin::text <> ALL ($1::text[]) ORDER BY id",
    [xids],
  );
  return rows.map(({ id }) => id);
}
