import { createHash } from "node:crypto";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import type { Content } from "@/lib/content/content";
import { tokenOf } from "@/lib/content/snippet-names";
import type { Snippets } from "@/lib/content/snippets";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField, NotFoundError } from "@/lib/errors";
import { enqueue } from "@/lib/jobs";
import { workspaceLimits } from "@/lib/limits";
import { unlessTaken } from "@/lib/taken";
import { inThread } from "@/lib/threads/pool";

/** A reusable piece of text. Articles name it by a token (lib/content/snippet-names.ts), and readers see its content. */
export interface Snippet {
  id: string;
  name: string;
  /** Clean HTML. */
  html: string;
  text: string;
}

export interface SnippetInUse extends Snippet {
  /** The number of published articles that name it. */
  articles: number;
  /** The number of other articles whose drafts name it. */
  drafts: number;
  /** How many of the published articles are still to be updated. */
  waiting: number;
}

interface SnippetWithUsers extends SnippetInUse {
  /** Published articles come first, each kind by title. At most 20. */
  usedBy: { id: string; title: string; isDraft: boolean }[];
}

/** In bytes of clean HTML. */
const MOST_BYTES = 20_000;
/** Characters of the text in lists. */
const EXCERPT = 200;
const MOST_LISTED = 20;

const columns = "s.id::text, s.name, s.html, s.text";
const namesIt = "x.workspace_id = s.workspace_id AND x.kind = 'snippet' AND x.target = s.name";
/** SQL that joins the counts of the snippet `s`. An article whose live text and draft both name it counts once. */
const withUses = `CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE x.in_live)::int AS articles, count(*) FILTER (WHERE NOT x.in_live)::int AS drafts,
      count(u.id) FILTER (WHERE x.in_live)::int AS waiting
    FROM article_links x LEFT JOIN snippet_updates u ON u.workspace_id = x.workspace_id AND u.id = x.article_id
    WHERE ${namesIt}) uses`;

/** One page of snippets by name, the total, and how many articles are still to be updated, also after a deletion. */
export async function listSnippets(
  read: Read,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ snippets: SnippetInUse[]; total: number; waiting: number }> {
  const snippets = await read<SnippetInUse>(
    `SELECT s.id::text, s.name, left(s.html, ${EXCERPT}) AS html, left(s.text, ${EXCERPT}) AS text, uses.*
     FROM snippets s ${withUses} ORDER BY s.name LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  const [counts] = await read<{ total: number; waiting: number }>(
    `SELECT (SELECT count(*)::int FROM snippets) AS total, (SELECT count(*)::int FROM snippet_updates) AS waiting`,
  );
  return { snippets, total: counts?.total ?? 0, waiting: counts?.waiting ?? 0 };
}

/** The names and the beginnings of the texts of all snippets, for the editor. */
export function snippetChoices(read: Read): Promise<{ name: string; text: string; isInline: boolean }[]> {
  return read(
    `SELECT s.name, left(s.text, ${EXCERPT}) AS text, ${isInline} AS "isInline" FROM snippets s ORDER BY s.name`,
  );
}

/** Whether it is one paragraph, as in lib/content/snippets.ts. Any other works only alone in a paragraph. */
const isInline = "(s.html LIKE '<p%' AND strpos(s.html, '</p>') = length(s.html) - 3)";

/** Where readers see the content of the snippets with these names. Empty if the workspace has no snippets. */
export function checkSnippets(
  read: Read,
  names: readonly string[],
): Promise<{ name: string; works: "anywhere" | "alone" | "nowhere" }[]> {
  return read(
    `SELECT n.name, CASE WHEN s.id IS NULL THEN 'nowhere' WHEN ${isInline} THEN 'anywhere' ELSE 'alone' END AS works
     FROM unnest($1::text[]) n (name) LEFT JOIN snippets s ON s.name = n.name
     WHERE EXISTS (SELECT FROM snippets)`,
    [names],
  );
}

export async function findSnippet(read: Read, id: string): Promise<SnippetWithUsers | null> {
  const [snippet] = await read<SnippetWithUsers>(
    `SELECT ${columns}, uses.*, ARRAY(
       SELECT json_build_object('id', a.id, 'title', a.title, 'isDraft', NOT x.in_live)
       FROM article_links x JOIN articles a ON a.workspace_id = x.workspace_id AND a.id = x.article_id
       WHERE ${namesIt} ORDER BY x.in_live DESC, a.title, a.id LIMIT ${MOST_LISTED}
     ) AS "usedBy"
     FROM snippets s ${withUses} WHERE s.id = $1::uuid`,
    [id],
  );
  return snippet ?? null;
}

/** The HTML of these snippets by name, without those that don't exist. */
export async function snippetsCalled(read: Read, names: readonly string[]): Promise<Snippets> {
  const rows = await read<{ name: string; html: string }>("SELECT name, html FROM snippets WHERE name = ANY($1)", [
    names,
  ]);
  return new Map(rows.map(({ name, html }) => [name, html]));
}

/**
 * Cleans the content of a snippet. Call it before a transaction.
 * @param home the workspace's own URL. Its images get the path that they are stored with
 * @throws InvalidError about `content`, TooSlowError
 */
export async function cleanedSnippet(workspaceId: string, markdown: string, home: string): Promise<Content> {
  if (markdown.length > MOST_BYTES) throw new InvalidError([tooLong]);
  const { content } = await inThread(workspaceId, "write", markdown, "markdown", home, null);
  return content;
}

/** Changes with the content, so that a change can say which content it is based on. */
export const revisionOf = ({ html }: Pick<Snippet, "html">): string =>
  createHash("sha1").update(html).digest("base64url");

/** Someone else changed the content that a change is based on. @param revision of the current content */
export class SnippetChangedError extends InvalidError {
  constructor(readonly revision: string) {
    super([changedMeanwhile]);
  }
}

/** @throws InvalidError about `name` and `content` */
export async function addSnippet(
  db: Db,
  { name, content }: { name: string; content: Content },
  actor: Actor,
): Promise<{ snippet: Snippet; articles: number }> {
  const invalid = [...refusalsOf(name), ...refusalsOfContent(content)];
  if (invalid.length > 0) throw new InvalidError(invalid);
  await lockSnippets(db);
  if ((await db.snippet.count()) >= workspaceLimits.snippets) throw new InvalidError([tooMany]);
  const snippet = await unlessTaken(
    () => new InvalidError([taken(name)]),
    () => db.snippet.create({ data: { name, ...rowOf(content) } }),
  );
  await recordAudit(db, actor, "snippet.created", subjectOf(snippet));
  return { snippet, articles: await updateArticlesNaming(db, name) };
}

/**
 * Changes the content of a snippet, and has the published articles that name it updated.
 * @param seen the revision that the change is based on. Another one is refused
 * @returns the number of these articles
 * @throws InvalidError about `content`, SnippetChangedError, NotFoundError
 */
export async function changeSnippet(
  db: Db,
  id: string,
  content: Content,
  actor: Actor,
  seen?: string,
): Promise<{ snippet: Snippet; articles: number }> {
  const invalid = refusalsOfContent(content);
  if (invalid.length > 0) throw new InvalidError(invalid);
  await lockSnippets(db);
  const before = await existing(db, id);
  if (before.html === content.html) return { snippet: before, articles: 0 };
  const now = revisionOf(before);
  if (seen !== undefined && seen !== now) throw new SnippetChangedError(now);
  await db.snippet.updateMany({ where: { id: before.id }, data: { ...rowOf(content), updatedAt: new Date() } });
  await recordAudit(db, actor, "snippet.updated", subjectOf(before));
  return { snippet: before, articles: await updateArticlesNaming(db, before.name) };
}

/**
 * Deletes a snippet. The articles that name it show the token again.
 * @returns the number of these articles
 * @throws NotFoundError
 */
export async function deleteSnippet(db: Db, id: string, actor: Actor): Promise<{ snippet: Snippet; articles: number }> {
  await lockSnippets(db);
  const snippet = await existing(db, id);
  await db.snippet.deleteMany({ where: { id: snippet.id } });
  const articles = await updateArticlesNaming(db, snippet.name);
  await recordAudit(db, actor, "snippet.deleted", subjectOf(snippet), { articles });
  return { snippet, articles };
}

/**
 * Keeps snippets as they are until the transaction ends, while others may do the same. What is read afterward is still true when
 * the transaction commits, and a later change finds the articles that it stores.
 */
export async function holdSnippets(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended('snippets ' || current_setting('app.workspace_id'), 0))`;
}

/** Without the workspace's row, which a transaction that holds snippets may lock later, for a slug. */
async function lockSnippets(db: Db): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('snippets ' || current_setting('app.workspace_id'), 0))`;
}

async function updateArticlesNaming(db: Db, name: string): Promise<number> {
  const rows = await readingOf(db)<{ id: string }>(
    `SELECT x.article_id::text AS id FROM article_links x WHERE x.kind = 'snippet' AND x.target = $1 AND x.in_live`,
    [name],
  );
  await updateArticles(
    db,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

/** Updates those of these articles that are published and name snippets, because a snippet may have changed meanwhile. */
export async function updateRestored(db: Db, articleIds: readonly string[]): Promise<void> {
  const rows = await readingOf(db)<{ id: string }>(
    `SELECT DISTINCT x.article_id::text AS id FROM article_links x
     WHERE x.article_id = ANY($1::uuid[]) AND x.kind = 'snippet' AND x.in_live`,
    [articleIds],
  );
  if (rows.length === 0) return;
  // The job could otherwise run before a change that is being stored, which doesn't find these articles.
  await holdSnippets(db);
  await updateArticles(
    db,
    rows.map(({ id }) => id),
  );
}

/** Has a job derive the live texts of these articles again. */
export async function updateArticles(db: Db, articleIds: readonly string[]): Promise<void> {
  if (articleIds.length === 0) return;
  await db.$executeRaw`
    INSERT INTO snippet_updates (id) SELECT id FROM unnest(${articleIds}::uuid[]) id ORDER BY id
    ON CONFLICT (workspace_id, id) DO UPDATE SET stamp = excluded.stamp`;
  await enqueue(db, "update_snippets", {});
}

async function existing(db: Db, id: string): Promise<Snippet> {
  const [snippet] = z.guid().safeParse(id).success
    ? await readingOf(db)<Snippet>(`SELECT ${columns} FROM snippets s WHERE s.id = $1::uuid`, [id])
    : [];
  if (!snippet) throw new NotFoundError("This snippet was deleted.");
  return snippet;
}

const UPLOAD = /^(?:https?:\/\/[^/?#]+)?\/uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[?#]|$)/i;

function rowOf({ html, text, links }: Content) {
  const uploadIds = links.flatMap(({ href }) => UPLOAD.exec(href)?.[1]?.toLowerCase() ?? []);
  return { html, text, uploadIds: [...new Set(uploadIds)] };
}

function refusalsOf(name: string): InvalidField[] {
  if (/^[a-z0-9][a-z0-9-]{0,59}$/.test(name)) return [];
  const message = "Use 1 to 60 lowercase letters, digits, and hyphens, such as support-email.";
  return [{ field: "name", code: name === "" ? "required" : "invalid", message }];
}

function refusalsOfContent({ html }: Content): InvalidField[] {
  if (html === "") return [{ field: "content", code: "required", message: "Enter the text of the snippet." }];
  return Buffer.byteLength(html) > MOST_BYTES ? [tooLong] : [];
}

const tooLong: InvalidField = {
  field: "content",
  code: "too_long",
  message: `A snippet can have up to ${MOST_BYTES.toLocaleString("en")} bytes of HTML. Split it, or make it an article.`,
};

const changedMeanwhile: InvalidField = {
  field: "content",
  code: "invalid",
  message: "Not saved. Someone else changed this snippet, as shown below. Save again to replace their text with yours.",
};

const taken = (name: string): InvalidField => {
  return {
    field: "name",
    code: "taken",
    message: `There is already a snippet named ${tokenOf(name)}. Choose another name.`,
  };
};

const tooMany: InvalidField = {
  field: "name",
  code: "not_allowed",
  message: `A workspace can have up to ${workspaceLimits.snippets.toLocaleString("en")} snippets. Delete one first.`,
};

const subjectOf = ({ id, name }: Snippet) => ({ kind: "snippet", id, name });
