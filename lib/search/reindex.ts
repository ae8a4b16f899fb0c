import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { type SearchDocument, searchDocument } from "@/lib/search/documents";

/** What search keeps of one article, ready to be stored. */
export interface DocumentRow {
  id: string;
  published: boolean;
  updatedAt: Date;
  document: SearchDocument;
}

const BATCH = 100;
/** The most one of its transactions may take. */
const SECONDS = 60;

/**
 * The words of a longer text are found up to here: a tsvector has at most a megabyte, which 300,000 characters of all
 * different words stay below.
 */
const SEARCHED_CHARACTERS = 300_000;

/** The search document of an article, whatever the length of its text. */
export function boundedDocument(article: Parameters<typeof searchDocument>[0]): SearchDocument {
  return searchDocument({ ...article, text: article.text.slice(0, SEARCHED_CHARACTERS) });
}

/** Stores search documents, also over those that are there. */
export async function storeSearchDocuments(db: Db, rows: readonly DocumentRow[]): Promise<void> {
  await db.$executeRawUnsafe(
    `INSERT INTO search_documents (id, published, updated_at, title, words, category_words)
     SELECT g.id, g.published, g."updatedAt", g.title, g.words::tsvector, g."categoryWords"::tsvector
     FROM jsonb_to_recordset($1::jsonb)
       AS g(id uuid, published boolean, "updatedAt" timestamptz, title text, words text, "categoryWords" text)
     ON CONFLICT (workspace_id, id) DO UPDATE SET published = excluded.published, updated_at = excluded.updated_at,
       title = excluded.title, words = excluded.words, category_words = excluded.category_words`,
    JSON.stringify(rows.map(({ document, ...row }) => ({ ...row, ...document }))),
  );
}

/** Makes the search documents of these articles anew from what is stored. Ids that are no articles are passed over. */
export async function reindexArticles(db: Db, ids: readonly string[]): Promise<void> {
  const articles = await db.$queryRawUnsafe<
    {
      id: string;
      state: string;
      slug: string;
      updatedAt: Date;
      title: string;
      text: string;
      keywords: string[];
      categoryName: string;
    }[]
  >(
    // Locked, so that nobody saves a newer text between reading this one and storing its words.
    `SELECT a.id, a.state, a.slug, a.updated_at AS "updatedAt", t.title, t.text, t.keywords, c.name AS "categoryName"
     FROM articles a
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     CROSS JOIN LATERAL (
       SELECT title, text, keywords FROM article_live l WHERE l.workspace_id = a.workspace_id AND l.id = a.id
       UNION ALL
       SELECT title, text, keywords FROM article_drafts d
       WHERE d.workspace_id = a.workspace_id AND d.id = a.id AND a.state = 'draft'
     ) t
     WHERE a.id = ANY($1::uuid[]) ORDER BY a.id FOR NO KEY UPDATE OF a`,
    ids,
  );
  const rows = articles.map(({ id, state, updatedAt, ...article }) => ({
    id,
    published: state === "published",
    updatedAt,
    document: boundedDocument(article),
  }));
  await storeSearchDocuments(db, rows);
}

/**
 * Makes every search document of a workspace anew, a hundred a transaction. Searches go on meanwhile.
 * @param onProgress hears after each transaction how many articles are done, of how many
 * @returns the number of articles
 */
export async function reindexWorkspace(
  workspaceId: string,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<number> {
  const ids = await readWorkspace(
    workspaceId,
    (read) => read<{ id: string }>("SELECT id FROM articles ORDER BY id"),
    SECONDS,
  );
  for (let done = 0; done < ids.length; done += BATCH) {
    const batch = ids.slice(done, done + BATCH).map(({ id }) => id);
    await inWorkspace(workspaceId, (db) => reindexArticles(db, batch), SECONDS);
    onProgress(done + batch.length, ids.length);
  }
  return ids.length;
}
