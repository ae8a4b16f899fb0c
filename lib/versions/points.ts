import type { Db } from "@/lib/db";
import type { DraftText } from "@/lib/drafts/text";

/** How many points of an article's drafts are kept: the newest. What was published is kept for ever. */
const MOST_POINTS = 50;
/** How long a person writes from one point to the next, in minutes. */
const MINUTES = 5;

const columns = "title, html, keywords, page_title, meta_description, show_table_of_contents";

/**
 * Keeps the draft of an article as it is stored now, so that it can be taken back: a version of kind "autosave". Nothing
 * where the last version says the same. Within a transaction that has locked the article.
 * @param by whose doing that is; "now and then" is once in five minutes for each person
 */
export async function keepPoint(
  db: Db,
  articleId: string,
  by: string | null,
  when: "always" | "now and then",
): Promise<void> {
  const made = await db.$executeRawUnsafe(
    `INSERT INTO article_versions (article_id, number, kind, ${columns}, tags, created_by)
     SELECT t.id, coalesce(last.number, 0) + 1, 'autosave', t.title, t.html, t.keywords, t.page_title, t.meta_description,
       t.show_table_of_contents, tags.names, $2::uuid
     FROM article_drafts t
     CROSS JOIN LATERAL (
       SELECT ARRAY(SELECT g.name FROM article_tags x JOIN tags g ON g.id = x.tag_id
         WHERE x.article_id = t.id AND x.in_draft ORDER BY x.position, g.name) AS names
     ) tags
     LEFT JOIN LATERAL (
       SELECT * FROM article_versions v WHERE v.article_id = t.id ORDER BY v.number DESC LIMIT 1
     ) last ON true
     WHERE t.id = $1::uuid
       AND (last.title, last.html, last.keywords, last.page_title, last.meta_description, last.show_table_of_contents, last.tags)
         IS DISTINCT FROM (t.title, t.html, t.keywords, t.page_title, t.meta_description, t.show_table_of_contents, tags.names)
       AND ($3 OR NOT EXISTS (SELECT FROM article_versions v WHERE v.article_id = t.id AND v.kind = 'autosave'
         AND v.created_by IS NOT DISTINCT FROM $2::uuid AND v.created_at > now() - interval '${MINUTES} minutes'))`,
    articleId,
    by,
    when === "always",
  );
  if (made > 0) await forgetOldPoints(db, articleId);
}

/** Keeps a text that nobody could save, because somebody else had saved meanwhile. */
export async function keepText(db: Db, articleId: string, text: DraftText, by: string): Promise<void> {
  await db.$executeRaw`SELECT id FROM articles WHERE id = ${articleId}::uuid FOR UPDATE`;
  await db.$executeRaw`
    INSERT INTO article_versions (article_id, number, kind, title, html, keywords, tags, page_title, meta_description,
      show_table_of_contents, created_by)
    SELECT a.id, 1 + coalesce((SELECT max(number) FROM article_versions v WHERE v.article_id = a.id), 0), 'autosave',
      ${text.title}, ${text.html}, ${text.keywords}, ${text.tags}, ${text.pageTitle}, ${text.metaDescription},
      ${text.showTableOfContents}, ${by}::uuid
    FROM articles a WHERE a.id = ${articleId}::uuid`;
  await forgetOldPoints(db, articleId);
}

async function forgetOldPoints(db: Db, articleId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM article_versions WHERE article_id = ${articleId}::uuid AND kind = 'autosave' AND number < (
      SELECT min(number) FROM (
        SELECT number FROM article_versions WHERE article_id = ${articleId}::uuid AND kind = 'autosave'
        ORDER BY number DESC LIMIT ${MOST_POINTS}
      ) kept)`;
}
