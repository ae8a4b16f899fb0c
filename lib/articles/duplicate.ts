import { createDraft, draftsTitled } from "@/lib/articles/drafts";
import { openDraft } from "@/lib/articles/open-draft";
import { MOST, preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import type { Actor } from "@/lib/audit/audit";
import { inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { startedDocument } from "@/lib/threads/pool";

const NUMBERS = 100;

/**
 * Creates a draft with the current text and parts of an article, at the end of its category. The member becomes its author.
 * @param as the title and category of a new article that only starts from this one. The new article then has no SEO texts.
 *   Its category defaults to that of the original.
 * @throws NotFoundError
 * @throws InvalidError for a title or category that createDraft refuses
 */
export async function duplicateArticle(
  workspaceId: string,
  id: string,
  actor: Actor & { id: string },
  as?: { title: string; categoryId?: string | undefined },
): Promise<{ id: string; title: string }> {
  const { article, title } = await readWorkspace(workspaceId, async (read) => {
    const article = await openDraft(read, id);
    if (!article) throw new NotFoundError("This article was deleted.");
    return { article, title: as ? as.title : await unusedTitle(read, article.text.title) };
  });
  const text = as ? { ...article.text, pageTitle: null, metaDescription: null } : article.text;
  const draft = await preparedDraft(workspaceId, { ...text, title });
  const started = await startedDocument(workspaceId, draft);
  return inWorkspace(workspaceId, async (db) => {
    const input = { title, authorId: actor.id, categoryId: as?.categoryId ?? article.category.id };
    const copy = await createDraft(db, input, actor);
    await saveDraft(db, copy.id, 1, draft, actor, false, started);
    return { id: copy.id, title };
  });
}

/** No two drafts may have the same title. */
async function unusedTitle(read: Read, title: string): Promise<string> {
  const titles = Array.from({ length: NUMBERS }, (_, index) => {
    const copy = index === 0 ? `Copy of ${title}` : `Copy ${index + 1} of ${title}`;
    return [...copy].slice(0, MOST.title).join("").trim();
  });
  const taken = await draftsTitled(read, titles);
  return titles.find((one) => !taken.has(one)) ?? titles[0] ?? title;
}
