import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { textColumns } from "@/lib/articles/article-text";
import { readWorkspace } from "@/lib/db";
import { type ExportOptions, exportWorkspace } from "@/lib/export/run";
import type { ImportResult } from "@/lib/import/result";
import { type ImportOptions, importArticles } from "@/lib/import/run";
import type { runInThread } from "@/lib/import-export/thread";
import { tagOf } from "@/lib/search/lexemes";
import type { TestWorkspace } from "@/testing/workspace";

/** Writes files below a folder. Null deletes one. */
export async function write(folder: string, files: Record<string, string | null>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (text === null) await rm(file);
    else await writeFile(file, text);
  }
}

/** A folder with these files, deleted when the test ends. */
export async function aFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await write(folder, files);
  return folder;
}

export function importing(
  workspace: TestWorkspace,
  path: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importArticles({ workspace, path, actor: workspace.actor, ...options });
}

/** Runs an import or export in this thread, because another thread takes a second to start. */
export const runHere: typeof runInThread = async (kind, options, watch) => {
  if (kind === "import") return await importArticles({ ...(options as ImportOptions), ...watch });
  const { out, ...rest } = options as ExportOptions & { out: string };
  return await exportWorkspace({ ...rest, ...watch }, createWriteStream(out));
};

/** Everything that an import creates, without values that differ each time: ids, permalinks, the time of the import. */
export async function contents(workspace: TestWorkspace): Promise<object[]> {
  return readWorkspace(workspace.id, async (read) => [
    ...(await read(
      `SELECT a.slug, a.state, a.title, a.sequence, a.source_path, encode(a.source_hash, 'hex') AS hash, c.slug AS category,
         m.email AS author, to_jsonb(t) AS text, l.rendered_html, l.excerpt, l.markdown, s.published, s.title AS words_title,
         replace(s.words::text, '''${tagOf(workspace.id)}', '''') AS words,
         ARRAY(SELECT g.name FROM article_tags x JOIN tags g ON g.id = x.tag_id WHERE x.article_id = a.id
           ORDER BY x.position) AS tags,
         ARRAY(SELECT r.slug FROM related_articles x JOIN articles r ON r.id = x.related_id WHERE x.article_id = a.id
           ORDER BY x.position) AS related,
         ARRAY(SELECT k.kind || ' ' || k.href FROM article_links k WHERE k.article_id = a.id ORDER BY 1) AS links,
         ARRAY(SELECT v.kind || ' ' || v.number || ' ' || v.title FROM article_versions v WHERE v.article_id = a.id
           ORDER BY v.number) AS versions
       FROM articles a JOIN categories c ON c.id = a.category_id JOIN members m ON m.id = a.author_id
       LEFT JOIN article_live l ON l.id = a.id
       LEFT JOIN LATERAL (
         SELECT ${textColumns()}, text, headings FROM article_live WHERE id = a.id
         UNION ALL
         SELECT ${textColumns()}, text, headings FROM article_drafts WHERE id = a.id AND a.state = 'draft'
       ) t ON true
       LEFT JOIN search_documents s ON s.id = a.id
       ORDER BY a.slug`,
    )),
    ...(await read(
      `SELECT c.slug, c.name, c.description, c.sequence, c.visibility, c.source_path, p.slug AS parent
       FROM categories c LEFT JOIN categories p ON p.id = c.parent_id ORDER BY c.slug`,
    )),
    ...(await read("SELECT from_path, kind FROM redirects ORDER BY from_path")),
  ]);
}

/** Every row that an import may change, complete. */
export async function rows(workspace: TestWorkspace): Promise<Record<string, object[]>> {
  const tables = [
    ...["categories", "articles", "article_live", "article_drafts", "article_versions", "tags", "article_tags"],
    ...["related_articles", "article_links", "redirects", "search_documents", "audit_entries"],
  ];
  return readWorkspace(workspace.id, async (read) => {
    const found: Record<string, object[]> = {};
    for (const table of tables) found[table] = await read(`SELECT t::text AS row FROM ${table} t ORDER BY 1`);
    return found;
  });
}
