import { textFields } from "@/lib/articles/article-text";
import type { Db, Read } from "@/lib/db";

const columns = Object.values(textFields).map(({ column }) => column);
const textOf = (alias: string) => columns.map((column) => `${alias}.${column}`).join(", ");
const partsOf = (table: string, column: string) =>
  `(SELECT string_agg(concat_ws(' ', x.${column}, x.in_live, x.in_draft, x.position), ',' ORDER BY x.${column})
    FROM ${table} x WHERE x.workspace_id = a.workspace_id AND x.article_id = a.id)`;

/** Two hashes of 32 characters: one of the contents, one of the position (category, order, slug). */
const articleState = `md5(row(a.state, a.author_id, extract(epoch FROM a.publish_at), l.id, ${textOf("l")}, d.id, ${textOf("d")},
    ${partsOf("article_tags", "tag_id")}, ${partsOf("related_articles", "related_id")},
    ${partsOf("article_attachments", "upload_id")})::text)
  || md5(row(a.category_id, a.sequence, a.slug)::text)`;

const articles = `articles a
  LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
  LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id`;

/** The same two hashes of a row of `categories`, where the order is its position. */
export const categoryState = "md5(row(name, slug, description, visibility)::text) || md5(row(sequence)::text)";

/** The current state of all or some articles, to compare with the last import. */
export async function articleStates(read: Read, ids?: readonly string[]): Promise<Map<string, string>> {
  const rows = await read<{ id: string; state: string }>(
    `SELECT a.id, ${articleState} AS state FROM ${articles} ${ids ? "WHERE a.id = ANY($1::uuid[])" : ""}`,
    ids ? [ids] : [],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/**
 * Stores the state of articles after an import. Articles in `keptPlaces`, which were moved here, keep the imported position.
 */
export async function rememberArticles(db: Db, ids: readonly string[], keptPlaces: ReadonlySet<string>): Promise<void> {
  await db.$executeRawUnsafe(
    `UPDATE articles t SET source_state = CASE WHEN t.id = ANY($2::uuid[])
       THEN left(s.state, 32) || right(t.source_state, 32) ELSE s.state END
     FROM (SELECT a.id, ${articleState} AS state FROM ${articles} WHERE a.id = ANY($1::uuid[])) s WHERE t.id = s.id`,
    ids,
    ids.filter((id) => keptPlaces.has(id)),
  );
}

/** The hashes are compared separately: a moved article still follows the text of its file. */
export function isEdited(stored: string | null, now: string, half: "content" | "place"): boolean {
  if (stored === null) return false;
  const hashOf = (state: string) => (half === "content" ? state.slice(0, 32) : state.slice(32));
  return hashOf(stored) !== hashOf(now);
}
