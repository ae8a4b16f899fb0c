import { MOST, oneLine } from "@/lib/articles/prepare-draft";
import { usedSnippets } from "@/lib/articles/used-snippets";
import type { Content } from "@/lib/content/content";
import { type DerivedText, shownIn } from "@/lib/content/derive";
import { inTurns, type Read, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import type { StartedDocument } from "@/lib/search/documents";
import { inThread, startedDocument } from "@/lib/threads/pool";

/** The text of an article as a program sent it, cleaned. */
export interface WrittenBody {
  /** With everything derived, if it is to be published. */
  content: Content | DerivedText;
  /** Names and counts of elements that cleaning dropped with their content. */
  dropped: [string, number][];
  /** The search document of a new article, which its transaction finishes. */
  started?: StartedDocument;
}

/**
 * Cleans a text. This can take seconds, so call it before a transaction.
 * @param home the workspace's own URL. Its images get the path that they are stored with
 * @param title of a new article, as it was sent
 * @throws InvalidError about `html` when it is too long, and TooSlowError
 */
export async function writtenBody(
  workspaceId: string,
  source: { html: string } | { markdown: string },
  { home, live, title }: { home: string; live: boolean; title?: string | undefined },
): Promise<WrittenBody> {
  const [format, text] = "html" in source ? (["html", source.html] as const) : (["markdown", source.markdown] as const);
  if (text.length > MOST.html) {
    const message = `The text can have up to ${MOST.html.toLocaleString("en")} characters.`;
    throw new InvalidError([{ field: "html", code: "too_long", message }]);
  }
  // A title that is too long is refused later.
  const named =
    title !== undefined && oneLine(title).length <= MOST.title ? { workspaceId, title: oneLine(title) } : null;
  if (!live) return inThread(workspaceId, "write", text, format, home, named);
  const written = await inThread(workspaceId, "writeLive", text, format, home, named);
  // Only the cleaned text tells which snippets it names.
  const snippets = await usedSnippets(workspaceId, written.content.html);
  if (!snippets) return written;
  const content = await inThread(workspaceId, "derive", written.content.html, snippets);
  const { text: shown } = shownIn(content);
  const started = named && { started: await startedDocument(workspaceId, { ...named, text: shown }) };
  return { ...written, ...started, content };
}

/** A stored text with everything derived from it. */
export interface DerivedDraft {
  from: string;
  body: DerivedText;
}

/** Derives everything from the current text of an article, for publishing it. Null if there is no article. */
export async function derivedDraft(workspaceId: string, id: string): Promise<DerivedDraft | null> {
  const current = await readWorkspace(workspaceId, (read) => currentBody(read, id));
  return current && { from: current.html, body: await derivedFrom(workspaceId, current.html) };
}

/** Derives everything from a cleaned text. */
export async function derivedBody(workspaceId: string, { content, dropped }: WrittenBody): Promise<WrittenBody> {
  return { content: await derivedFrom(workspaceId, content.html), dropped };
}

/**
 * Derives everything from clean HTML that is to be published.
 * @throws InvalidError about `html` when it is too long with its snippets, TooSlowError
 */
export async function derivedFrom(workspaceId: string, html: string): Promise<DerivedText> {
  return inThread(workspaceId, "derive", html, await usedSnippets(workspaceId, html));
}

interface Known {
  id: string;
  /** Null if readers don't see it. */
  html: string | null;
}

/** The article with an external id, and its live HTML. Null if there is none. */
export const liveByExternalId = inTurns<{ workspaceId: string; externalId: string }, Known | null>((asked) => {
  const articlesOf = new Map<string, Promise<Map<string, Known>>>();
  for (const { workspaceId } of asked) {
    if (articlesOf.has(workspaceId)) continue;
    const ids = asked.filter((other) => other.workspaceId === workspaceId).map(({ externalId }) => externalId);
    articlesOf.set(
      workspaceId,
      readWorkspace(workspaceId, (read) => liveByExternalIds(read, ids)),
    );
  }
  const answers = asked.map(async ({ workspaceId, externalId }) => {
    return (await articlesOf.get(workspaceId))?.get(externalId) ?? null;
  });
  return Promise.resolve(answers);
});

async function liveByExternalIds(read: Read, externalIds: readonly string[]): Promise<Map<string, Known>> {
  const rows = await read<Known & { externalId: string }>(
    `SELECT a.id::text, a.external_id AS "externalId", l.html
     FROM articles a LEFT JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.external_id = ANY($1::text[])`,
    [externalIds],
  );
  return new Map(rows.map(({ externalId, ...article }) => [externalId, article]));
}

/** The live text of an article with everything that is stored with it, or null if readers do not see it. */
export async function liveBody(read: Read, id: string): Promise<DerivedText | null> {
  const [body] = await read<DerivedText>(
    `SELECT l.html, ${asWritten}, l.rendered_html AS "renderedHtml", l.excerpt, l.markdown, ${linksOf("in_live")},
       CASE WHEN l.shown_html IS NOT NULL
         THEN json_build_object('html', l.shown_html, 'text', l.text, 'headings', l.headings) END AS shown
     FROM article_live l WHERE l.id = $1::uuid`,
    [id],
  );
  return body ?? null;
}

/** The current draft's text, or the live one if there is no draft. */
export async function currentBody(read: Read, id: string): Promise<Content | null> {
  const [body] = await read<Content>(
    `SELECT d.html, d.text, d.headings, ${linksOf("in_draft")}
     FROM (
       SELECT id, html, text, headings, 1 AS rank FROM article_drafts WHERE id = $1::uuid
       UNION ALL SELECT l.id, l.html, ${asWritten}, 2 FROM article_live l WHERE l.id = $1::uuid
       ORDER BY rank LIMIT 1
     ) d`,
    [id],
  );
  return body ?? null;
}

/** SQL of text and headings without what snippets added. */
const asWritten = `coalesce(l.written->>'text', l.text) AS text, coalesce(l.written->'headings', l.headings) AS headings`;

const linksOf = (side: "in_live" | "in_draft") => `
  (SELECT coalesce(json_agg(json_build_object('kind', x.kind, 'href', x.href) ORDER BY x.id), '[]')
   FROM article_links x WHERE x.article_id = $1::uuid AND x.${side}) AS links`;
