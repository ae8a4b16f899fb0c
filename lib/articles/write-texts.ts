import { type ArticleText, textColumns, textRecord, textRow, updateText } from "@/lib/articles/article-text";
import { keyId, memberId, type Writer } from "@/lib/audit/audit";
import { type DerivedText, shownIn } from "@/lib/content/derive";
import type { Db } from "@/lib/db";

interface LiveText {
  id: string;
  text: ArticleText;
  body: DerivedText;
}

interface WrittenDraft {
  id: string;
  text: ArticleText;
  body: Pick<DerivedText, "text" | "headings">;
  /** Null for a file. */
  writer: Writer | null;
  updatedAt: Date | null;
}

/** The columns that are derived from a live text, with their types. */
const derived = {
  rendered_html: "text",
  text: "text",
  excerpt: "text",
  headings: "jsonb",
  markdown: "text",
  shown_html: "text",
  written: "jsonb",
};
const derivedColumns = Object.keys(derived);
const derivedRecord = Object.entries(derived)
  .map(([column, type]) => `${column} ${type}`)
  .join(", ");

function derivedRow(body: DerivedText): Record<keyof typeof derived, unknown> {
  const { text, headings } = shownIn(body);
  return {
    rendered_html: body.renderedHtml,
    text,
    excerpt: body.excerpt,
    headings,
    markdown: body.markdown,
    shown_html: body.shown?.html ?? null,
    written: body.shown ? { text: body.text, headings: body.headings } : null,
  };
}

export async function writeLive(db: Db, articles: readonly LiveText[]): Promise<void> {
  const columns = `id, ${textColumns()}, ${derivedColumns.join(", ")}`;
  await db.$executeRawUnsafe(
    `INSERT INTO article_live (${columns})
     SELECT ${columns} FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, ${textRecord}, ${derivedRecord})
     ON CONFLICT (workspace_id, id) DO UPDATE
       SET ${updateText}, ${derivedColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
    JSON.stringify(articles.map(({ id, text, body }) => ({ id, ...textRow(text), ...derivedRow(body) }))),
  );
}

/**
 * Replaces what was derived from live texts that are still the same. Unchanged rows are not touched.
 * @param articles `hash` is the MD5 of the HTML
 * @returns the IDs of those that changed
 */
export async function writeDerived(
  db: Db,
  articles: readonly { id: string; hash: string; body: DerivedText }[],
): Promise<string[]> {
  const of = (alias: string) => derivedColumns.map((column) => `${alias}.${column}`).join(", ");
  const rows = await db.$queryRawUnsafe<{ id: string }[]>(
    `UPDATE article_live l SET (${derivedColumns.join(", ")}) = ROW(${of("g")})
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, hash text, ${derivedRecord})
     WHERE l.id = g.id AND md5(l.html) = g.hash AND (${of("l")}) IS DISTINCT FROM (${of("g")})
     RETURNING l.id::text`,
    JSON.stringify(articles.map(({ id, hash, body }) => ({ id, hash, ...derivedRow(body) }))),
  );
  return rows.map(({ id }) => id);
}

export async function writeDrafts(db: Db, drafts: readonly WrittenDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  await db.$executeRawUnsafe(
    `INSERT INTO article_drafts (id, ${textColumns()}, text, headings, updated_by, updated_by_key, updated_at)
     SELECT id, ${textColumns()}, text, headings, updated_by, updated_by_key, coalesce(updated_at, now())
     FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, ${textRecord}, text text, headings jsonb, updated_by uuid,
       updated_by_key uuid, updated_at timestamptz)
     ON CONFLICT (workspace_id, id) DO UPDATE SET ${updateText}, text = excluded.text, headings = excluded.headings,
       updated_by = excluded.updated_by, updated_by_key = excluded.updated_by_key, updated_at = excluded.updated_at`,
    JSON.stringify(
      drafts.map(({ id, text, body, writer, updatedAt }) => ({
        id,
        ...textRow(text),
        text: body.text,
        headings: body.headings,
        updated_by: writer && memberId(writer),
        updated_by_key: writer && keyId(writer),
        updated_at: updatedAt,
      })),
    ),
  );
}
