import { textDiffers } from "@/lib/articles/article-text";
import type { ArticleState } from "@/lib/articles/articles";
import { unusedSlug } from "@/lib/articles/drafts";
import { holdSchedules } from "@/lib/articles/hold";
import { type OpenDraft, openDraft } from "@/lib/articles/open-draft";
import type { PreparedDraft } from "@/lib/articles/prepare-draft";
import { sameText } from "@/lib/articles/shared-draft";
import { leadFormerSlugs } from "@/lib/articles/store";
import { keepPoint } from "@/lib/articles/versions";
import { arePartsEqual, dropDraftParts, existingParts, writeParts } from "@/lib/articles/write-parts";
import { writeDrafts } from "@/lib/articles/write-texts";
import { type Actor, recordAudit, type Writer } from "@/lib/audit/audit";
import { slugify } from "@/lib/content/slug";
import { type Db, lockWorkspace, type Read, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import type { StartedDocument } from "@/lib/search/documents";
import { indexDraft, reindexArticles } from "@/lib/search/reindex";

const GONE = "This article was deleted.";

export type Saved =
  | { revision: number; slug: string; hasDraft: boolean; savedAt: Date; conflict?: undefined }
  | { conflict: OpenDraft };

/**
 * Saves a draft unless someone else has saved since. Readers, reader searches and the API do not see it. Searches by members
 * find the draft of an unpublished article. A repeated save of the same text by the same member, whose first answer was lost,
 * is accepted once. A draft equal to the live text is removed. A save without publishing rights puts a schedule on hold. The
 * replaced text is kept as a version if a program wrote it or replaces it.
 * @param revision that the save started from
 * @param over keeps the current draft as a version, because the save did not start from it
 * @param started the search document of title and text. Without it, the document is built within the transaction
 * @returns `conflict`, and nothing changes, when the article has another revision by now
 * @throws NotFoundError when there is no such article
 */
export async function saveDraft(
  db: Db,
  id: string,
  revision: number,
  draft: PreparedDraft,
  by: Writer,
  over = false,
  started?: StartedDocument,
): Promise<Saved> {
  const read = readingOf(db);
  // The second of two saves waits here, then finds another revision.
  const [article] = await read<Saving>(
    `UPDATE articles SET revision = revision + 1
     WHERE id = $1::uuid AND revision = $2
     RETURNING revision, state, slug, title, publish_at IS NOT NULL AS "isScheduled",
       state = 'draft' AND published_at IS NULL AND NOT slug_chosen AND source_path IS NULL AS "followsTitle",
       EXISTS (SELECT FROM article_drafts d WHERE d.id = articles.id AND d.updated_by_key IS NOT NULL) AS "isOfProgram"`,
    [id, revision],
  );
  if (!article) {
    const now = await openDraft(read, id);
    if (!now) throw new NotFoundError(GONE);
    const isMine =
      now.hasDraft &&
      now.savedBy?.id === by.id &&
      sameText(now.text, { ...draft, ...(await existingParts(db, id, draft)) });
    return isMine
      ? { revision: now.revision, slug: now.slug, hasDraft: true, savedAt: now.savedAt }
      : { conflict: now };
  }
  if (article.isScheduled) await holdSchedules(db, [id], by);
  if (over || by.kind === "api_key" || article.isOfProgram) await keepPoint(db, id, "always");
  await writeDrafts(db, [{ id, text: draft, body: draft, writer: by, updatedAt: null }]);
  await writeParts(db, [{ articleId: id, draft }]);
  if (by.kind !== "api_key") await keepPoint(db, id, "now and then");
  if (article.state === "published") {
    const hasDraft = !(await dropEqualDraft(db, id));
    return { revision: article.revision, slug: article.slug, hasDraft, savedAt: new Date() };
  }
  const slug = article.followsTitle ? await followTitle(db, id, article, draft.title) : article.slug;
  await db.article.updateMany({ where: { id }, data: { title: draft.title, updatedAt: new Date() } });
  if (started) await indexDraft(db, id, draft, started);
  else await reindexArticles(db, [id]);
  return { revision: article.revision, slug, hasDraft: true, savedAt: new Date() };
}

/**
 * Checks whether a save can be accepted, before its text is cleaned. saveDraft checks again.
 * @param revision that the save started from, or null for a text that is only kept as a version
 * @throws NotFoundError
 */
export async function lookBeforeSave(
  read: Read,
  id: string,
  revision: number | null,
  by: string,
): Promise<{ state: ArticleState; conflict?: undefined } | { conflict: OpenDraft }> {
  const [article] = await read<{ state: ArticleState; revision: number; savedById: string | null }>(
    `SELECT a.state, a.revision, d.updated_by::text AS "savedById"
     FROM articles a LEFT JOIN article_drafts d ON d.workspace_id = a.workspace_id AND d.id = a.id
     WHERE a.id = $1::uuid`,
    [id],
  );
  // After a save by the same member, saveDraft compares the texts: the answer may have been lost.
  const isForeign = revision !== null && article?.revision !== revision && article?.savedById !== by;
  const now = article && isForeign ? await openDraft(read, id) : null;
  if (!article || (isForeign && !now)) throw new NotFoundError(GONE);
  return now ? { conflict: now } : { state: article.state };
}

interface Saving {
  revision: number;
  state: string;
  slug: string;
  title: string;
  isScheduled: boolean;
  followsTitle: boolean;
  isOfProgram: boolean;
}

/** The slug of an article that readers have never seen follows its title, until a person or a file chooses another. */
async function followTitle(
  db: Db,
  id: string,
  before: { slug: string; title: string },
  title: string,
): Promise<string> {
  const [former, current] = [slugify(before.title), slugify(title)];
  const isOwn =
    before.slug === former || (before.slug.startsWith(`${former.slice(0, 94)}-`) && /-\d+$/.test(before.slug));
  if (former === current || !isOwn) return before.slug;
  // Held until the transaction ends, so that two members cannot take the same slug.
  await lockWorkspace(db);
  const slug = await unusedSlug(readingOf(db), title);
  await db.article.updateMany({ where: { id }, data: { slug } });
  await leadFormerSlugs(db, [{ id, slug, former: slug }]);
  return slug;
}

async function dropEqualDraft(db: Db, id: string): Promise<boolean> {
  const dropped = await db.$executeRawUnsafe(
    `DELETE FROM article_drafts d USING article_live l
     WHERE d.id = $1::uuid AND l.workspace_id = d.workspace_id AND l.id = d.id AND NOT (${textDiffers("d", "l")})
       AND ${arePartsEqual("d.id")}`,
    id,
  );
  return dropped > 0;
}

/**
 * Discards the unpublished changes of a published article. They are kept as a version, and a schedule ends.
 * @returns the article afterward, and `conflict` when it has another revision by now
 * @throws NotFoundError when there is no such article, or it has no such changes
 */
export async function dropChanges(
  db: Db,
  id: string,
  revision: number,
  actor: Actor,
): Promise<{ dropped: OpenDraft } | { conflict: OpenDraft }> {
  const read = readingOf(db);
  const [article] = await read<{ title: string; isScheduled: boolean }>(
    `SELECT title, publish_at IS NOT NULL AS "isScheduled" FROM articles
     WHERE id = $1::uuid AND state = 'published' FOR UPDATE`,
    [id],
  );
  const now = article ? await openDraft(read, id) : null;
  if (!article || !now?.hasDraft) throw new NotFoundError("There are no changes to discard.");
  if (now.revision !== revision) return { conflict: now };
  await keepPoint(db, id, "always");
  await db.articleDraft.deleteMany({ where: { id } });
  await dropDraftParts(db, id);
  const unscheduled = { publishAt: null, publishHeld: false };
  await db.article.updateMany({ where: { id }, data: { revision: { increment: 1 }, ...unscheduled } });
  const subject = { kind: "article", id, name: article.title };
  await recordAudit(db, actor, "article.changes_dropped", subject);
  if (article.isScheduled) await recordAudit(db, actor, "article.schedule_ended", subject);
  const dropped = await openDraft(read, id);
  if (!dropped) throw new NotFoundError("No such article.");
  return { dropped };
}
