"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import {
  type BulkRequest,
  cancelBulkAction,
  MOST_IMMEDIATE,
  MOST_IN_BULK,
  startBulkAction,
  startUndo,
} from "@/lib/articles/bulk";
import { createDraft } from "@/lib/articles/drafts";
import { duplicateArticle } from "@/lib/articles/duplicate";
import { findWrittenIds } from "@/lib/articles/list";
import { asSave, TooOftenError } from "@/lib/articles/save-limits";
import { undoBulkAction } from "@/lib/articles/undo";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { redirectWith } from "../../_flash";
import { idOf, refused, refusedFor } from "../../_form";
import { reportOf, triedBulk, undoOf } from "./_bulk";
import { filterOf, listAddress, listQueryOf, sortOf } from "./_query";

type Signed = Awaited<ReturnType<typeof requireMember>>;

export async function submitNewArticle(_previous: FormState, form: FormData): Promise<FormState> {
  const acting = await requireMember("articles.write");
  const { workspace, member, actor } = acting;
  const input = { title: textOf(form, "title"), categoryId: idOf(textOf(form, "categoryId")) ?? undefined };
  const from = idOf(textOf(form, "from"));
  let id: string;
  try {
    ({ id } = from
      ? await counted(acting, () => duplicateArticle(workspace.id, from, { ...actor, id: member.id }, input))
      : await inWorkspace(workspace.id, (db) => createDraft(db, { ...input, authorId: member.id }, actor)));
  } catch (error) {
    if (from && error instanceof NotFoundError)
      return refusedFor(form, "from", "This article was deleted. Choose another one.");
    return refused(form, error);
  }
  redirect(`/admin/articles/${id}`);
}

/** Opens a copy of an article in the editor. */
export async function submitDuplicate(form: FormData): Promise<void> {
  const acting = await requireMember("articles.write");
  const { workspace, member, actor } = acting;
  const id = idOf(textOf(form, "id"));
  let copy: string;
  try {
    if (!id) throw new NotFoundError("No such article.");
    ({ id: copy } = await counted(acting, () => duplicateArticle(workspace.id, id, { ...actor, id: member.id })));
  } catch (error) {
    if (error instanceof NotFoundError) return redirectWith("/admin/articles", "This article was deleted.");
    if (!(error instanceof InvalidError)) throw error;
    return redirectWith("/admin/articles", `Not duplicated. ${error.fields[0]?.message ?? error.message}`);
  }
  return redirectWith(`/admin/articles/${copy}`, "Article duplicated. This copy is a draft.");
}

interface Outcome {
  message?: string | undefined;
  undo?: Undo | undefined;
  /** Whether nothing was done, so that the articles stay selected. */
  isRefused?: boolean;
  /** A bulk action whose progress the list shows. */
  bulk?: string;
}

const refusal = (message: string): Outcome => ({ message, isRefused: true });

/** Changes the selected articles, or all that the list finds, and returns to the same view of the list. */
export async function submitBulk(form: FormData): Promise<void> {
  const acting = await requireMember("articles.write");
  const from = textOf(form, "from");
  const isAll = textOf(form, "all") !== "";
  const sent = form.getAll("id").flatMap((id) => (typeof id === "string" ? (idOf(id) ?? []) : []));
  const chosen = [...new Set(sent)].slice(0, MOST_IMMEDIATE);
  const { bulk, message, undo, isRefused } = await outcomeOf(
    () => {
      const request = requestOf(form);
      if (typeof request === "string") return Promise.resolve(refusal(request));
      if (!isAll && chosen.length === 0) return Promise.resolve({ message: NONE_CHOSEN });
      return counted(acting, async () => startedBulk(acting, request, isAll ? await allOf(acting, from) : chosen));
    },
    textOf(form, "do"),
  );
  const more = { chosen: isRefused ? chosen.join(",") : undefined, bulk };
  return message === undefined
    ? redirect(listAddress(from, more))
    : redirectWith(listAddress(from, more), message, undo);
}

const NONE_CHOSEN = "Select articles first.";

const counted = <T>({ workspace, member }: Signed, work: () => Promise<T>) =>
  asSave(workspace.id, member.id, null, work);

/** The ids of all articles that a list finds. @param from the query of its URL */
function allOf({ workspace }: Signed, from: string): Promise<string[]> {
  const filter = listQueryOf(Object.fromEntries(new URLSearchParams(from)));
  const order = { ...sortOf(filter.sort), limit: MOST_IN_BULK };
  return readWorkspace(workspace.id, (read) => findWrittenIds(read, workspace.id, filterOf(filter), order));
}

/** Why the form is refused, if it is. */
function requestOf(form: FormData): BulkRequest | string {
  switch (textOf(form, "do")) {
    case "publish":
      return { action: "published" };
    case "unpublish":
      return { action: "unpublished" };
    case "move": {
      const categoryId = idOf(textOf(form, "category"));
      return categoryId ? { action: "moved", categoryId } : "Choose a category.";
    }
    case "tag": {
      const tag = textOf(form, "tag").trim();
      return tag === "" ? "Enter a tag." : { action: "tagged", tag };
    }
    case "delete":
      return { action: "deleted" };
    default:
      return NONE_CHOSEN;
  }
}

async function startedBulk(
  { workspace, member, actor }: Signed,
  request: BulkRequest,
  ids: readonly string[],
): Promise<Outcome> {
  return outcomeOfBulk(
    workspace.id,
    member.id,
    await startBulkAction(workspace.id, request, ids, actor, member.permissions),
  );
}

async function outcomeOfBulk(workspaceId: string, memberId: string, id: string): Promise<Outcome> {
  const report = await triedBulk(workspaceId, id, memberId);
  return report ? { message: reportOf(report), undo: undoOf(report) } : { bulk: id };
}

/** Undoes a change of many articles, or one made on an article's page, and returns there. */
export async function submitUndo(form: FormData): Promise<void> {
  const acting = await requireMember("articles.write");
  const { workspace, member, actor } = acting;
  const [batch, article] = [idOf(textOf(form, "batch")), idOf(textOf(form, "article"))];
  const { bulk, message } = await outcomeOf(
    async () => {
      if (!batch) throw new NotFoundError("Nothing to undo.");
      if (!article)
        return counted(acting, async () =>
          outcomeOfBulk(workspace.id, member.id, await startUndo(workspace.id, batch, actor, member.permissions)),
        );
      const result = await counted(acting, () => undoBulkAction(workspace.id, batch, actor, member.permissions));
      const stays =
        "Couldn't undo. Someone changed the article in the meantime, or deleted its category or one of its tags.";
      return { message: result.left === 0 ? "Change undone." : stays };
    },
    article ? "undo one" : "undo",
  );
  const list = listAddress(textOf(form, "from"), { bulk });
  return message === undefined ? redirect(list) : redirectWith(article ? `/admin/articles/${article}` : list, message);
}

/** Stops one of the member's bulk actions. */
export async function submitCancelBulk(form: FormData): Promise<void> {
  const { workspace, member } = await requireMember("articles.write");
  const id = idOf(textOf(form, "bulk"));
  if (id) await inWorkspace(workspace.id, (db) => cancelBulkAction(db, id, member.id));
  redirect(listAddress(textOf(form, "from"), { bulk: id ?? undefined }));
}

const NOT_ALLOWED =
  "Nothing changed. At least one of these articles is published, and your role can't publish. Ask someone who can.";
const VISIBLE_AGAIN = "Nothing changed. Undoing would make an article public again. Ask someone who can publish.";
const NOT_UNDONE = "Can't undo. It was already undone, or more than an hour has passed.";

/** Why an action was refused, by the article's state and the member's role. */
const refusals: Record<string, [gone: string, notAllowed: string]> = {
  undo: [NOT_UNDONE, VISIBLE_AGAIN],
  "undo one": [NOT_UNDONE, VISIBLE_AGAIN],
};

async function outcomeOf(work: () => Promise<Outcome>, action: string): Promise<Outcome> {
  const gone =
    "Nothing changed. Someone changed or deleted these articles in the meantime. Review the list and try again.";
  const [missing, notAllowed] = refusals[action] ?? [gone, NOT_ALLOWED];
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFoundError) return refusal(missing);
    if (error instanceof TooOftenError) return refusal(error.message);
    if (!(error instanceof InvalidError)) throw error;
    return refusal(error.fields.some(({ code }) => code === "not_allowed") ? notAllowed : missing);
  }
}
