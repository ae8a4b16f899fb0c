import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/audit";
import { inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { openDraft } from "@/lib/drafts/open";
import { type Saved, saveDraft } from "@/lib/drafts/save";
import { preparedDraft } from "@/lib/drafts/text";
import { NotFoundError } from "@/lib/errors";
import { begunDocument } from "@/lib/search/documents";

/** What an article was: when it was published, when a file brought it, or at a point of writing it. */
export interface Version {
  number: number;
  kind: "publish" | "autosave" | "import";
  title: string;
  at: Date;
  /** Whose doing it was; null for files, and for those who are not known any more. */
  by: string | null;
  /** What whoever published it says that it changes. */
  summary: string | null;
}

/** A version with its text. */
export interface VersionText extends Version {
  html: string;
  keywords: string[];
  tags: string[];
  pageTitle: string | null;
  metaDescription: string | null;
  showTableOfContents: boolean;
}

const columns = `v.number, v.kind, v.title, v.created_at AS at, v.summary, nullif(concat_ws(' ', m.first_name, m.last_name), '') AS by`;
const source = `article_versions v LEFT JOIN members m ON m.workspace_id = v.workspace_id AND m.id = v.created_by`;

/** The versions of an article, the newest first: one page, and how many there are. */
export async function listVersions(
  read: Read,
  articleId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ versions: Version[]; total: number }> {
  const versions = await read<Version>(
    `SELECT ${columns} FROM ${source} WHERE v.article_id = $1::uuid ORDER BY v.number DESC LIMIT $2 OFFSET $3`,
    [articleId, limit, offset],
  );
  const [count] = await read<{ total: number }>(
    "SELECT count(*)::int AS total FROM article_versions WHERE article_id = $1::uuid",
    [articleId],
  );
  return { versions, total: count?.total ?? 0 };
}

/** A version of an article by its number, or null. */
export async function findVersion(read: Read, articleId: string, number: number): Promise<VersionText | null> {
  if (!z.guid().safeParse(articleId).success || !(number >= 1 && number <= 2_147_483_647)) return null;
  const [version] = await read<VersionText>(
    `SELECT ${columns}, v.html, v.keywords, v.tags, v.page_title AS "pageTitle", v.meta_description AS "metaDescription",
       v.show_table_of_contents AS "showTableOfContents"
     FROM ${source} WHERE v.article_id = $1::uuid AND v.number = $2`,
    [articleId, Math.trunc(number)],
  );
  return version ?? null;
}

/**
 * Makes what an article was its draft again: readers see it when it is published. What was being written is kept as a
 * version. Attachments and related articles stay as they are.
 * @param revision of the draft that whoever restores has seen
 * @returns as of saveDraft
 * @throws NotFoundError when there is no such version
 */
export async function restoreVersion(
  workspaceId: string,
  articleId: string,
  number: number,
  revision: number,
  actor: Actor & { id: string },
): Promise<Saved> {
  const { version, now } = await readWorkspace(workspaceId, async (read) => ({
    version: await findVersion(read, articleId, number),
    now: await openDraft(read, articleId),
  }));
  if (!version || !now) throw new NotFoundError("There is no such version.");
  const { title, html, keywords, tags, pageTitle, metaDescription, showTableOfContents } = version;
  // A version of two million characters takes longer to clean than a transaction should.
  const draft = preparedDraft({
    ...now.text,
    title,
    html,
    keywords,
    tags,
    pageTitle,
    metaDescription,
    showTableOfContents,
  });
  const begun = now.state === "draft" ? begunDocument(workspaceId, draft) : undefined;
  return inWorkspace(workspaceId, async (db) => {
    // What stays as it is belongs to the revision that was read: to another one, the save is refused.
    const from = revision === now.revision ? revision : 0;
    const saved = await saveDraft(db, articleId, from, draft, actor.id, true, begun);
    if (saved.conflict) return saved;
    const subject = { kind: "article", id: articleId, name: title };
    await recordAudit(db, actor, "article.version_restored", subject, { number });
    return saved;
  });
}
