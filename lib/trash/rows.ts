import { type Db, readingOf } from "@/lib/db";

/** Tables and the columns that refer to the deleted thing. */
export type Parts = Readonly<Record<string, readonly string[]>>;

/** SQL of the rows as one JSON object keyed by table. @param id SQL of the thing's id */
export function rowsAsJson(parts: Parts, id: string): string {
  const rows = Object.entries(parts).map(
    ([table, columns]) =>
      `'${table}', (SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]') FROM ${table} x WHERE ${columns.map((column) => `x.${column} = ${id}`).join(" OR ")})`,
  );
  return `jsonb_build_object(${rows.join(", ")})`;
}

/** Rows that fail these conditions are not put back. */
const conditions: Partial<Record<string, string>> = {
  article_tags: "EXISTS (SELECT FROM tags t WHERE t.id = r.tag_id)",
  article_attachments: "EXISTS (SELECT FROM uploads t WHERE t.id = r.upload_id)",
  related_articles: `EXISTS (SELECT FROM articles t WHERE t.id = r.article_id)
    AND EXISTS (SELECT FROM articles t WHERE t.id = r.related_id)`,
  redirects: `NOT EXISTS (SELECT FROM articles t WHERE '/articles/' || t.slug = r.from_path)
    AND NOT EXISTS (SELECT FROM categories t WHERE '/categories/' || t.slug = r.from_path)`,
};

/**
 * Puts back the stored rows of a table that still fit, and returns how many. Existing rows stay.
 * @param ids of trash entries
 * @param changes values that replace stored ones
 */
export async function putBack(
  db: Db,
  table: string,
  ids: readonly string[],
  changes: Record<string, string | null> = {},
): Promise<number> {
  // Columns added since the rows were stored keep their defaults.
  const stored = `EXISTS (SELECT FROM trash t WHERE t.id = ANY($2::uuid[]) AND t.rows->'${table}'->0 ? attname)`;
  const columns = await readingOf(db)<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND ${stored} ORDER BY attnum`,
    [table, ids],
  );
  if (columns.length === 0) return 0;
  const names = columns.map(({ name }) => name).join(", ");
  return db.$executeRawUnsafe(
    `INSERT INTO ${table} (${names})
     SELECT ${names} FROM (
       SELECT r.* FROM trash t CROSS JOIN LATERAL jsonb_array_elements(t.rows->'${table}') stored
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, stored || $2::jsonb) r WHERE t.id = ANY($1::uuid[])
     ) r WHERE ${conditions[table] ?? "true"} ON CONFLICT DO NOTHING`,
    ids,
    JSON.stringify(changes),
  );
}
