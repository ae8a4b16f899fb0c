import { type ArticleText, textColumns, textRecord, textRow, updateText } from "@/lib/articles/article-text";
import { keyId, memberId, type Writer } from "@/lib/audit/audit";
import type { DerivedText } from "@/lib/content/derive";
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

export async function writeLive(db: Db, articles: readonly LiveText[]): Promise<void> {
  const derived = ["rendered_html", "text", "excerpt", "headings", "markdown"];
  const columns = `id, ${textColumns()}, ${derived.join(", ")}`;
  await db.$executeRawUnsafe(
    `INSERT INTO article_live (${columns}) SELECT ${columns} FROM jsonb_to_recordset($1::jsonb) AS g(id uuid, ${textRecord},
       rendered_html text, text text, excerpt text, headings jsonb, markdown text)
     ON CONFLICT (workspace_id, id) DO UPDATE
       SET ${updateText}, ${derived.map((column) => `${column} = excluded.${column}`).join(", ")}`,
    JSON.stringify(
      articles.map(({ id, text, body }) => ({
        id,
        ...textRow(text),
        rendered_html: body.renderedHtml,
        text: body.text,
        excerpt: body.excerpt,
        headings: body.headings,
        markdown: body.markdown,
      })),
    ),
  );
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
