import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { type Saved, saveDraft } from "@/lib/articles/save-draft";
import { findVersion } from "@/lib/articles/versions";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { startDocument } from "@/lib/search/documents";

/**
 * Makes an earlier version the draft and keeps the replaced draft as a version. Attachments and related articles stay.
 * @param revision of the draft that the member has seen
 * @throws NotFoundError
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
  if (!version || !now) throw new NotFoundError("This version does not exist.");
  // Cleaning a version of two million characters takes too long for a transaction.
  const draft = await preparedDraft(workspaceId, { ...now.text, ...version.text });
  const finishDocument = now.state === "draft" ? await startDocument(workspaceId, draft) : undefined;
  return inWorkspace(workspaceId, async (db) => {
    // The parts that stay come from the revision just read, so a save over another one is refused.
    const from = revision === now.revision ? revision : 0;
    const saved = await saveDraft(db, articleId, from, draft, actor.id, true, finishDocument);
    if (saved.conflict) return saved;
    const subject = { kind: "article", id: articleId, name: version.title };
    await recordAudit(db, actor, "article.version_restored", subject, { number });
    return saved;
  });
}
