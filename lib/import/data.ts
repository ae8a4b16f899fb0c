import type { Actor } from "@/lib/audit/audit";
import { contentFromHtml } from "@/lib/content/content";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import type { ExportData } from "@/lib/export/format";
import { DATA_FILE } from "@/lib/export/format";
import type { Addresses } from "@/lib/import/addresses";
import type { Problem } from "@/lib/import/problem";
import { synonymForm } from "@/lib/search/synonyms";
import { addSnippet } from "@/lib/snippets/snippets";
import { addSynonym } from "@/lib/synonyms/synonyms";

const SECONDS = 60;
const BATCH = 500;
/** A path of this site, as the reader's door looks it up. */
const PATH = /^\/[^\p{Cc}\p{Cs}]{0,499}$/u;

/** Stores the redirects and synonyms of an export. Existing ones stay. Returns everything that cannot be stored, and why. */
export async function storeData(workspaceId: string, data: ExportData, actor: Actor): Promise<Problem[]> {
  return [...(await storeRedirects(workspaceId, data.redirects)), ...(await storeSynonyms(workspaceId, data, actor))];
}

async function storeRedirects(workspaceId: string, redirects: ExportData["redirects"]): Promise<Problem[]> {
  const problems: Problem[] = [];
  const usable = redirects.filter(({ from, url }) => {
    const isUsable = PATH.test(from) && (url === undefined || /^(https?:\/\/|\/(?!\/))/.test(url));
    if (!isUsable) problems.push({ path: DATA_FILE, message: `The redirect from ${from} has no valid target.` });
    return isUsable;
  });
  for (let at = 0; at < usable.length; at += BATCH) {
    const rows = usable.slice(at, at + BATCH);
    const stored = await inWorkspace(
      workspaceId,
      async (db) => {
        // Leaves out redirects to missing targets and from existing URLs.
        await db.$executeRawUnsafe(
          `INSERT INTO redirects (from_path, kind, article_id, category_id, url, by_hand)
           SELECT g."from", CASE WHEN a.id IS NOT NULL THEN 'article' WHEN c.id IS NOT NULL THEN 'category'
             WHEN g.url IS NOT NULL THEN 'url' ELSE 'gone' END, a.id, coalesce(c.id, o.id), g.url, coalesce(g.by_hand, false)
           FROM jsonb_to_recordset($1::jsonb)
             AS g("from" text, article text, category text, gone_from text, url text, by_hand boolean)
           LEFT JOIN articles a ON a.slug = g.article
           LEFT JOIN categories c ON c.slug = g.category AND a.id IS NULL
           LEFT JOIN categories o ON o.slug = g.gone_from AND a.id IS NULL AND c.id IS NULL AND g.url IS NULL
           WHERE (g.gone_from IS NULL OR o.id IS NOT NULL) AND (g.article IS NULL OR a.id IS NOT NULL) AND (g.category IS NULL OR c.id IS NOT NULL)
             AND (a.id IS NULL OR g.url IS NULL) AND (c.id IS NULL OR g.url IS NULL)
             AND NOT EXISTS (SELECT FROM articles x WHERE '/articles/' || x.slug = g."from")
             AND NOT EXISTS (SELECT FROM categories x WHERE '/categories/' || x.slug = g."from")
           ON CONFLICT (workspace_id, from_path) DO NOTHING`,
          JSON.stringify(rows),
        );
        return db.redirect.findMany({
          where: { fromPath: { in: rows.map(({ from }) => from) } },
          select: { fromPath: true },
        });
      },
      SECONDS,
    );
    const there = new Set(stored.map(({ fromPath }) => fromPath));
    for (const { from, article, category } of rows) {
      if (there.has(from)) continue;
      const to = article ?? category;
      const message =
        to === undefined
          ? `${from} is already a URL of this workspace, so no redirect was added.`
          : `No redirect was added from ${from}. Its target ${to} doesn't exist, or ${from} is already a page.`;
      problems.push({ path: DATA_FILE, message });
    }
  }
  return problems;
}

/** Stores the snippets of an export. Existing ones stay. Returns those that cannot be stored, and why. */
export async function storeSnippets(
  workspaceId: string,
  { snippets }: ExportData,
  addresses: Addresses,
  actor: Actor,
): Promise<Problem[]> {
  if (snippets.length === 0) return [];
  const rows = await readWorkspace(workspaceId, (read) => read<{ name: string }>("SELECT name FROM snippets"));
  const known = new Set(rows.map(({ name }) => name));
  const problems: Problem[] = [];
  for (const { name, html } of snippets) {
    if (known.has(name)) continue;
    const content = contentFromHtml(html, { rewriteLink: (link) => addresses.find(DATA_FILE, link).href ?? "" });
    try {
      await inWorkspace(workspaceId, (db) => addSnippet(db, { name, content }, actor));
    } catch (error) {
      if (!(error instanceof InvalidError)) throw error;
      problems.push({ path: DATA_FILE, message: `The snippet "${name}" was not added. ${error.message}` });
    }
  }
  return problems;
}

async function storeSynonyms(workspaceId: string, { synonyms }: ExportData, actor: Actor): Promise<Problem[]> {
  if (synonyms.length === 0) return [];
  const rows = await readWorkspace(workspaceId, (read) =>
    read<{ form: string }>("SELECT term_folded AS form FROM synonyms"),
  );
  const known = new Set(rows.map(({ form }) => form));
  const problems: Problem[] = [];
  for (const { term, replacements, two_way: twoWay } of synonyms) {
    if (known.has(synonymForm(term))) continue;
    try {
      await inWorkspace(workspaceId, (db) => addSynonym(db, { term, replacements, twoWay }, actor));
    } catch (error) {
      if (!(error instanceof InvalidError)) throw error;
      problems.push({ path: DATA_FILE, message: `The synonym "${term}" was not added. ${error.message}` });
    }
  }
  return problems;
}
