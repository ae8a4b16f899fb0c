import type { Db } from "@/lib/db";
import type { ArticleToStore, TextToStore } from "@/lib/publishing/article";

const textColumns = "id, title, html, keywords, page_title, meta_description, show_table_of_contents";
const derivedColumns = "rendered_html, text, excerpt, headings, markdown";
const given = `jsonb_to_recordset($1::jsonb) AS g(id uuid, title text, html text, keywords text[], tags text[],
  page_title text, meta_description text, show_table_of_contents boolean, rendered_html text, text text, excerpt text,
  headings jsonb, markdown text, updated_by uuid, updated_at timestamptz)`;

const textOf = (id: string, article: TextToStore) => ({
  id,
  title: article.title,
  html: article.body.html,
  keywords: article.keywords,
  page_title: article.pageTitle,
  meta_description: article.metaDescription,
  show_table_of_contents: article.showTableOfContents,
});

/** What readers see: the text of the published ones, nothing of the others. */
export async function storeLive(db: Db, articles: readonly ArticleToStore[]): Promise<void> {
  const hidden = articles.filter(({ state }) => state === "draft").map(({ id }) => id);
  if (hidden.length > 0) await db.$executeRawUnsafe("DELETE FROM article_live WHERE id = ANY($1::uuid[])", hidden);
  const rows = articles
    .filter(({ state }) => state === "published")
    .map((article) => ({
      ...textOf(article.id, article),
      rendered_html: article.body.renderedHtml,
      text: article.body.text,
      excerpt: article.body.excerpt,
      headings: article.body.headings,
      markdown: article.body.markdown,
    }));
  await db.$executeRawUnsafe(
    `INSERT INTO article_live (${textColumns}, ${derivedColumns}) SELECT ${textColumns}, ${derivedColumns} FROM ${given}
     ON CONFLICT (workspace_id, id) DO UPDATE SET title = excluded.title, html = excluded.html,
       keywords = excluded.keywords, page_title = excluded.page_title, meta_description = excluded.meta_description,
       show_table_of_contents = excluded.show_table_of_contents, rendered_html = excluded.rendered_html,
       text = excluded.text, excerpt = excluded.excerpt, headings = excluded.headings, markdown = excluded.markdown`,
    JSON.stringify(rows),
  );
}

/** The text that readers do not see. `updated_by` stays empty where no person wrote it: in what is no draft beside another. */
export async function storeDrafts(db: Db, articles: readonly ArticleToStore[]): Promise<void> {
  const published = articles.filter(({ state, draft }) => state === "published" && !draft).map(({ id }) => id);
  await db.$executeRawUnsafe("DELETE FROM article_drafts WHERE id = ANY($1::uuid[])", published);
  const rows = articles.flatMap((article) => {
    const text = article.state === "draft" ? article : article.draft;
    if (!text) return [];
    const { updatedBy = null, updatedAt = null } = article.draft ?? {};
    const { text: words, headings } = text.body;
    return [{ ...textOf(article.id, text), text: words, headings, updated_by: updatedBy, updated_at: updatedAt }];
  });
  if (rows.length === 0) return;
  await db.$executeRawUnsafe(
    `INSERT INTO article_drafts (${textColumns}, text, headings, updated_by, updated_at)
     SELECT ${textColumns}, text, headings, updated_by, coalesce(updated_at, now()) FROM ${given}
     ON CONFLICT (workspace_id, id) DO UPDATE SET title = excluded.title, html = excluded.html,
       keywords = excluded.keywords, page_title = excluded.page_title, meta_description = excluded.meta_description,
       show_table_of_contents = excluded.show_table_of_contents, text = excluded.text, headings = excluded.headings,
       updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    JSON.stringify(rows),
  );
}

/** Why an article's versions get another one, and which member's doing that is. */
export interface VersionMade {
  kind: "publish" | "autosave" | "import";
  by: string | null;
  /** What whoever published says that it changes. */
  summary?: string | null;
}

/**
 * A version of each article that differs from its last version. What is published always is one, unless the last one was
 * published with the same text and nothing is said of this one.
 */
export async function storeVersions(
  db: Db,
  articles: readonly ArticleToStore[],
  { kind, by, summary = null }: VersionMade,
): Promise<void> {
  await db.$executeRawUnsafe(
    `INSERT INTO article_versions (article_id, number, kind, title, html, keywords, tags, page_title, meta_description,
       show_table_of_contents, created_by, summary)
     SELECT g.id, coalesce(last.number, 0) + 1, $2, g.title, g.html, g.keywords, g.tags, g.page_title,
       g.meta_description, g.show_table_of_contents, $3::uuid, $4::text
     FROM ${given} LEFT JOIN LATERAL (
       SELECT * FROM article_versions v WHERE v.article_id = g.id ORDER BY v.number DESC LIMIT 1
     ) last ON true
     WHERE (last.title, last.html, last.keywords, last.tags, last.page_title, last.meta_description,
         last.show_table_of_contents)
       IS DISTINCT FROM (g.title, g.html, g.keywords, g.tags, g.page_title, g.meta_description, g.show_table_of_contents)
       OR ($2 = 'publish' AND (last.kind <> 'publish' OR $4::text IS NOT NULL))`,
    JSON.stringify(articles.map((article) => ({ ...textOf(article.id, article), tags: article.tags }))),
    kind,
    by,
    summary,
  );
}
