import type { Expected } from "@/lib/articles/conflicts";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { type Saved, saveDraft } from "@/lib/articles/save-draft";
import { findVersion, type VersionText } from "@/lib/articles/versions";
import { updateArticle, type WrittenArticle } from "@/lib/articles/write-article";
import { type WrittenBody, writtenBody } from "@/lib/articles/written-body";
import { type Actor, recordAudit } from "@/lib/audit/audit";
import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { startedDocument } from "@/lib/threads/pool";

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
  if (!version || !now) throw new NotFoundError("This version doesn't exist.");
  // Cleaning a version of two million characters takes too long for a transaction.
  const draft = await preparedDraft(workspaceId, { ...now.text, ...version.text });
  const started = now.state === "draft" ? await startedDocument(workspaceId, draft) : undefined;
  return inWorkspace(workspaceId, async (db) => {
    // The parts that stay come from the revision just read, so a save over another one is refused.
    const from = revision === now.revision ? revision : 0;
    const saved = await saveDraft(db, articleId, from, draft, actor, true, started);
    if (saved.conflict) return saved;
    const subject = { kind: "article", id: articleId, name: version.title };
    await recordAudit(db, actor, "article.version_restored", subject, { number });
    return saved;
  });
}

interface Restorable {
  version: VersionText;
  body: WrittenBody;
}

/** Cleans a version for a program. Null if there is none. */
export async function versionToRestore(
  workspaceId: string,
  articleId: string,
  number: number,
): Promise<Restorable | null> {
  const version = await readWorkspace(workspaceId, (read) => findVersion(read, articleId, number));
  if (!version) return null;
  const body = await writtenBody(workspaceId, { html: version.text.html }, { home: "", live: false });
  return { version, body };
}

/** Like restoreVersion, in a program's transaction. Throws DraftConflict and NotFoundError. */
export async function restoreToDraft(
  db: Db,
  { id, version, body }: Restorable & { id: string },
  expected: Expected,
  actor: Actor,
): Promise<WrittenArticle> {
  const { html: _, ...text } = version.text;
  const written = await updateArticle(db, id, { text, body }, { mayPublish: false }, expected, actor);
  const subject = { kind: "article", id, name: version.title };
  if (written.changed) await recordAudit(db, actor, "article.version_restored", subject, { number: version.number });
  return written;
}
