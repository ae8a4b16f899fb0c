import { type Db, readingOf } from "@/lib/db";

// Rows that are kept as JSON, to be put back as they were.

/**
 * SQL of the rows of an article in tables, as one object with the names of the tables.
 * @param tables each with those of its columns that name the article
 * @param article what is the article's id
 */
export function rowsAsJson(tables: Readonly<Record<string, readonly string[]>>, article: string): string {
  const rows = Object.entries(tables).map(
    ([table, columns]) =>
      `'${table}', (SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]') FROM ${table} x WHERE ${columns.map((column) => `x.${column} = ${article}`).join(" OR ")})`,
  );
  return `jsonb_build_object(${rows.join(", ")})`;
}

/** What must be there for a row to be put back. */
const needs: Partial<Record<string, string>> = {
  article_tags: "EXISTS (SELECT FROM tags t WHERE t.id = r.tag_id)",
  article_attachments: "EXISTS (SELECT FROM uploads t WHERE t.id = r.upload_id)",
  related_articles: `EXISTS (SELECT FROM articles t WHERE t.id = r.article_id)
    AND EXISTS (SELECT FROM articles t WHERE t.id = r.related_id)`,
  redirects: "NOT EXISTS (SELECT FROM articles t WHERE '/articles/' || t.slug = r.from_path)",
};

/**
 * Puts rows of a table back that fit what is there by now; those that are there already stay.
 * @param kept SQL of what has the objects of rowsAsJson in a column "rows", as "d"
 * @param values of its parameters
 */
export async function putBack(db: Db, table: string, kept: string, ...values: unknown[]): Promise<void> {
  const columns = await columnsOf(db, table);
  await db.$executeRawUnsafe(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM (
       SELECT r.* FROM ${kept} CROSS JOIN LATERAL jsonb_populate_recordset(NULL::${table}, d.rows->'${table}') r
     ) r WHERE ${needs[table] ?? "true"} ON CONFLICT DO NOTHING`,
    ...values,
  );
}

/** The columns of a table that can be written: a new one is put back too. */
export async function columnsOf(db: Db, table: string): Promise<string> {
  const rows = await readingOf(db)<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name).join(", ");
}
