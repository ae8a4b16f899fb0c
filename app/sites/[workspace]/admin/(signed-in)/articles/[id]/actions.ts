"use server";

import { randomUUID } from "node:crypto";
import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { authorCalled, changeArticle, refusePublished } from "@/lib/articles/changes";
import { deleteArticles } from "@/lib/articles/removal";
import { canUndo } from "@/lib/articles/undo";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { asSave, TooOftenError } from "@/lib/drafts/limits";
import { openDraft } from "@/lib/drafts/open";
import { dropChanges, saveDraft } from "@/lib/drafts/save";
import { preparedDraft } from "@/lib/drafts/text";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import { endPreviews } from "@/lib/previews";
import { publishArticles, unpublishArticles } from "@/lib/publishing/publish";
import { schedulePublishing } from "@/lib/publishing/schedule";
import type { GivenTarget } from "@/lib/redirects";
import { begunDocument } from "@/lib/search/documents";
import { requireActor } from "@/lib/session";
import { restoreVersion } from "@/lib/versions";
import { keepText } from "@/lib/versions/points";
import { addressWith, found, idOf, refused } from "../../../_form";
import { tooOften } from "../_often";
import { timeIn } from "./_time";

/** An id of a form; one that is none is that of nothing. */
const articleOf = (form: FormData) => idOf(textOf(form, "id")) ?? "00000000-0000-0000-0000-000000000000";
const revisionOf = (form: FormData) =>
  /^\d{1,9}$/.test(textOf(form, "revision")) ? Number(textOf(form, "revision")) : 0;
/** What has a comma is one: each stands in a line of its own. */
const listOf = (form: FormData, name: string) => textOf(form, name).split("\n");

/** Saves the draft as a form without scripts sends it: bounded as the route is by which pages with scripts save. */
export async function submitDraft(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member } = await requireActor("articles.write");
  const id = articleOf(form);
  const save = async () => {
    const now = await readWorkspace(workspace.id, (read) => openDraft(read, id));
    if (!now) throw new NotFoundError("No such article.");
    const draft = preparedDraft({
      // What the form has no fields for stays.
      ...now.text,
      title: textOf(form, "title"),
      html: textOf(form, "html"),
      tags: listOf(form, "tags"),
      keywords: listOf(form, "keywords"),
      pageTitle: textOf(form, "pageTitle") || null,
      metaDescription: textOf(form, "metaDescription") || null,
      showTableOfContents: form.has("showTableOfContents"),
    });
    const begun = now.state === "draft" ? begunDocument(workspace.id, draft) : undefined;
    return inWorkspace(workspace.id, async (db) => {
      const saved = await saveDraft(db, id, revisionOf(form), draft, member.id, false, begun);
      if (saved.conflict) await keepText(db, id, draft, member.id);
      return saved.conflict !== undefined;
    });
  };
  let isConflict: boolean;
  try {
    isConflict = await asSave(workspace.id, member.id, textOf(form, "html"), save);
  } catch (error) {
    return refused(form, error);
  }
  redirect(isConflict ? `/admin/articles/${id}/versions?done=kept` : `/admin/articles/${id}?done=saved`);
}

/** Of a form that does not lead away from its page, where perhaps a text is being written. */
export interface Stayed extends FormState {
  /** What has come of it, and when: twice may come the same of it. */
  told?: string;
  at?: number;
}

function stayed(told: string): Stayed {
  refresh();
  return { values: {}, errors: {}, told, at: Date.now() };
}

/** What acts at once: address, category and author. */
export async function submitAddress(_before: Stayed, form: FormData): Promise<Stayed> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const id = articleOf(form);
  // Who is not among the choices is named.
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
  return stayed(`It is changed: the address is /articles/${slug}.`);
}

/** Publishes what its page has shown, now or at a time. */
export async function submitPublish(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor("articles.publish");
  const id = articleOf(form);
  const isLater = textOf(form, "when") === "later";
  const given = { revision: revisionOf(form), summary: textOf(form, "summary") };
  try {
    if (isLater) {
      const at = timeIn(workspace.timeZone, textOf(form, "at"));
      if (!at) throw new InvalidError([{ field: "at", code: "required", message: "Choose a day and a time." }]);
      await inWorkspace(workspace.id, (db) => schedulePublishing(db, id, at, actor, given));
    } else await asSave(workspace.id, member.id, null, () => publishArticles(workspace.id, [id], actor, given));
  } catch (error) {
    const shown = refused(form, error);
    // Somebody may have saved meanwhile: what is published next is what the page says then.
    refresh();
    return shown;
  }
  redirect(`/admin/articles/${id}?done=${isLater ? "scheduled" : "published"}`);
}

export async function submitUnschedule(_before: Stayed, form: FormData): Promise<Stayed> {
  const { workspace, actor } = await requireActor("articles.publish");
  const id = articleOf(form);
  await found(inWorkspace(workspace.id, (db) => schedulePublishing(db, id, null, actor)));
  return stayed("It is not published by itself any more.");
}

export async function submitUnpublish(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("articles.publish");
  const id = articleOf(form);
  const batch = randomUUID();
  const done = await unlessTooOften(
    asSave(workspace.id, member.id, null, () => unpublishArticles(workspace.id, [id], actor, { undo: batch })),
  );
  if (done instanceof TooOftenError) redirect(addressWith(`/admin/articles/${id}`, tooOften(done)));
  // Of a very long article it is not offered.
  const isKept = await readWorkspace(workspace.id, (read) => canUndo(read, batch));
  redirect(`/admin/articles/${id}?done=unpublished${isKept ? `&batch=${batch}` : ""}`);
}

/** Drops what readers have not seen of a published article. */
export async function submitDropChanges(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("articles.write");
  const id = articleOf(form);
  const dropped = await found(inWorkspace(workspace.id, (db) => dropChanges(db, id, revisionOf(form), actor)));
  redirect(`/admin/articles/${id}?done=${"conflict" in dropped ? "newer" : "dropped"}`);
}

export async function submitRestoreVersion(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const id = articleOf(form);
  const number = Number(textOf(form, "number"));
  const saved = await unlessTooOften(
    asSave(workspace.id, member.id, null, () =>
      restoreVersion(workspace.id, id, number, revisionOf(form), { ...actor, id: member.id }),
    ),
  );
  if (saved instanceof TooOftenError) redirect(addressWith(`/admin/articles/${id}/versions`, tooOften(saved)));
  redirect(
    saved.conflict ? `/admin/articles/${id}/versions?done=newer` : `/admin/articles/${id}?done=version&n=${number}`,
  );
}

/** The same as `found`, of a form that has no place for a refusal: it is told where it leads. */
async function unlessTooOften<T>(work: Promise<T>): Promise<T | TooOftenError> {
  return found(
    work.catch((error: unknown) => {
      if (error instanceof TooOftenError) return error;
      throw error;
    }),
  );
}

export async function submitEndPreviews(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("articles.write");
  const id = articleOf(form);
  await found(inWorkspace(workspace.id, (db) => endPreviews(db, id, actor)));
  redirect(`/admin/articles/${id}/preview?done=ended`);
}

export async function submitDeleteArticle(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const id = articleOf(form);
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const to: GivenTarget =
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
  redirect(`/admin/articles?done=deleted&n=1&batch=${batch}`);
}
