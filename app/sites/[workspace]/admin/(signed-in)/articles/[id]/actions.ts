"use server";

import { randomUUID } from "node:crypto";
import { refresh } from "next/cache";
import type { FormState } from "@/components/ui/form";
import { eachField } from "@/lib/articles/article-text";
import { authorCalled, changeArticle, refusePublished } from "@/lib/articles/changes";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles } from "@/lib/articles/removal";
import { restoreVersion } from "@/lib/articles/restore-version";
import { dropChanges, saveDraft } from "@/lib/articles/save-draft";
import { asSave, TooOftenError } from "@/lib/articles/save-limits";
import { schedulePublishing } from "@/lib/articles/schedule";
import { canUndo } from "@/lib/articles/undo";
import { keepText } from "@/lib/articles/versions";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { endPreviews } from "@/lib/reader/previews";
import type { RequestedTarget } from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { startedDocument, TooSlowError } from "@/lib/threads/pool";
import { redirectWith } from "../../../_flash";
import { found, idOf, refused } from "../../../_form";
import { timeIn } from "./_time";

/** Reads an id from a form. A malformed id becomes the nil UUID, which matches no row. */
const articleOf = (form: FormData) => idOf(textOf(form, "id")) ?? "00000000-0000-0000-0000-000000000000";
const revisionOf = (form: FormData) =>
  /^\d{1,9}$/.test(textOf(form, "revision")) ? Number(textOf(form, "revision")) : 0;
/** One entry per line, because an entry may contain a comma. */
const listOf = (form: FormData, name: string) => textOf(form, name).split("\n");

/** Saves the draft that a form without scripts sends, within the limits of the route that scripts use. */
export async function submitDraft(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member } = await requireMember("articles.write");
  const id = articleOf(form);
  const save = async () => {
    const article = await readWorkspace(workspace.id, (read) => openDraft(read, id));
    if (!article) throw new NotFoundError("No such article.");
    const draft = await preparedDraft(workspace.id, {
      // Parts without a field in the form stay as they are.
      ...article.text,
      ...eachField((name, { kind }) => {
        if (kind === "flag") return form.has(name);
        if (!form.has(name)) return article.text[name];
        return kind === "list" ? listOf(form, name) : textOf(form, name);
      }),
      tags: listOf(form, "tags"),
    });
    const by = { kind: "member" as const, id: member.id };
    const started = article.state === "draft" ? await startedDocument(workspace.id, draft) : undefined;
    return inWorkspace(workspace.id, async (db) => {
      const saved = await saveDraft(db, id, revisionOf(form), draft, by, false, started);
      if (saved.conflict) await keepText(db, id, draft, by);
      return saved.conflict !== undefined;
    });
  };
  let isConflict: boolean;
  try {
    isConflict = await asSave(workspace.id, member.id, textOf(form, "html"), save);
  } catch (error) {
    return refused(form, error);
  }
  if (!isConflict) return redirectWith(`/admin/articles/${id}`, "Draft saved");
  const message =
    "Another save came first, so your text was kept as the newest version. Compare that version with the draft, and restore it to keep your text.";
  return redirectWith(`/admin/articles/${id}/versions`, message);
}

/** The state of a form that stays on its page, which may have unsaved text. */
export interface Stayed extends FormState {
  message?: string;
  /** Milliseconds, to distinguish two messages with the same text. */
  at?: number;
}

function stayed(message: string): Stayed {
  refresh();
  return { values: {}, errors: {}, message, at: Date.now() };
}

/** Changes URL, category and author, immediately. */
export async function submitAddress(_previous: Stayed, form: FormData): Promise<Stayed> {
  const { workspace, member, actor } = await requireMember("articles.write");
  const id = articleOf(form);
  // For members missing from the choices, people type the name.
  const authorName = textOf(form, "authorName").trim();
  let slug: string;
  const change = () =>
    inWorkspace(workspace.id, async (db) => {
      await refusePublished(db, [id], member.permissions);
      const changes = {
        slug: textOf(form, "slug"),
        categoryId: textOf(form, "categoryId"),
        authorId: authorName ? await authorCalled(readingOf(db), authorName) : textOf(form, "authorId"),
      };
      return changeArticle(db, id, changes, actor);
    });
  try {
    ({ slug } = await asSave(workspace.id, member.id, null, change));
  } catch (error) {
    return refused(form, error);
  }
  return stayed(`Details saved. The URL is /articles/${slug}.`);
}

/** Publishes the version that the page showed, now or later. */
export async function submitPublish(_previous: Stayed, form: FormData): Promise<Stayed> {
  const { workspace, member, actor } = await requireMember("articles.publish");
  const id = articleOf(form);
  const isLater = textOf(form, "when") === "later";
  const input = { revision: revisionOf(form), summary: textOf(form, "summary") };
  try {
    if (isLater) {
      const at = timeIn(workspace.timeZone, textOf(form, "at"));
      if (!at) throw new InvalidError([{ field: "at", code: "required", message: "Choose a date and time." }]);
      await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, actor, input));
    } else await asSave(workspace.id, member.id, null, () => publishArticles(workspace.id, [id], actor, input));
  } catch (error) {
    const state = refused(form, error);
    // Another save may be the reason, so the page must show the new version first.
    refresh();
    return state;
  }
  const message = isLater ? "Article scheduled" : "Article published";
  return textOf(form, "stay") ? stayed(message) : redirectWith(`/admin/articles/${id}`, message);
}

export async function submitUnschedule(_previous: Stayed, form: FormData): Promise<Stayed> {
  const { workspace, actor } = await requireMember("articles.publish");
  const id = articleOf(form);
  await found(inWorkspace(workspace.id, (db) => schedulePublishing(db, id, null, actor)));
  return stayed("Schedule canceled");
}

export async function submitUnpublish(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember("articles.publish");
  const id = articleOf(form);
  const batch = randomUUID();
  const result = await unlessRefused(
    asSave(workspace.id, member.id, null, () => unpublishArticles(workspace.id, [id], actor, { undo: batch })),
  );
  if (result instanceof InvalidError) return redirectWith(`/admin/articles/${id}`, result.message);
  // Very long articles cannot be undone.
  const hasUndo = await readWorkspace(workspace.id, (read) => canUndo(read, batch));
  const undo: Undo | undefined = hasUndo ? { name: "articles", fields: { batch, article: id } } : undefined;
  return redirectWith(`/admin/articles/${id}`, "Article unpublished", undo);
}

/** Discards the unpublished changes of a published article. */
export async function submitDropChanges(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("articles.write");
  const id = articleOf(form);
  const dropped = await found(inWorkspace(workspace.id, (db) => dropChanges(db, id, revisionOf(form), actor)));
  const message =
    "conflict" in dropped
      ? "Couldn't discard the changes. Someone saved this article in the meantime. Review the article and try again."
      : "Changes discarded. You can restore them under Versions.";
  return redirectWith(`/admin/articles/${id}`, message);
}

export async function submitRestoreVersion(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember("articles.write");
  const id = articleOf(form);
  const number = Number(textOf(form, "number"));
  const saved = await unlessRefused(
    asSave(workspace.id, member.id, null, () =>
      restoreVersion(workspace.id, id, number, revisionOf(form), { ...actor, id: member.id }),
    ),
  );
  const versions = `/admin/articles/${id}/versions`;
  if (saved instanceof InvalidError) return redirectWith(versions, saved.message);
  if (saved.conflict) {
    return redirectWith(
      versions,
      "Couldn't restore the version. Someone saved this article in the meantime. Try again.",
    );
  }
  const message = `Version ${number} restored as the draft. The previous draft is kept as a version.`;
  return redirectWith(`/admin/articles/${id}`, message);
}

/** Like `found`, for a form that cannot show a refusal: returns the error, which the next page reports. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | TooOftenError | TooSlowError> {
  return found(
    work.catch((error: unknown) => {
      if (error instanceof TooOftenError || error instanceof TooSlowError) return error;
      throw error;
    }),
  );
}

export async function submitEndPreviews(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("articles.write");
  const id = articleOf(form);
  await found(inWorkspace(workspace.id, (db) => endPreviews(db, id, actor)));
  const message = "Earlier links revoked. The link on this page is new.";
  return redirectWith(`/admin/articles/${id}/preview`, message);
}

export async function submitDeleteArticle(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember("articles.write");
  const id = articleOf(form);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const to: RequestedTarget =
    textOf(form, "leads") === "on" ? { kind: "address", address: textOf(form, "to") } : { kind: "gone" };
  let batch: string;
  try {
    ({ batch } = await inWorkspace(workspace.id, async (db) => {
      await refusePublished(db, [id], member.permissions);
      return deleteArticles(db, [id], to, home, actor);
    }));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/articles", "Article deleted.", { name: "deletion", fields: { batch } });
}
