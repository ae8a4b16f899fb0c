"use server";

import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import { countOf, number } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import { moveArticles, refusePublished, tagArticles } from "@/lib/articles/changes";
import { createDraft } from "@/lib/articles/drafts";
import { publishArticles, unpublishArticles } from "@/lib/articles/publish";
import { deleteArticles } from "@/lib/articles/removal";
import { asSave, TooOftenError } from "@/lib/articles/save-limits";
import { BULK_SECONDS, type BulkAction, canUndo, undoably, undoBulkAction } from "@/lib/articles/undo";
import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { redirectWith } from "../../_flash";
import { idOf, refused } from "../../_form";
import { listAddress } from "./_query";

type Signed = Awaited<ReturnType<typeof requireMember>>;

/** One page of the list. */
const MOST_AT_ONCE = 50;

export async function submitNewArticle(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember("articles.write");
  const input = {
    title: textOf(form, "title"),
    authorId: member.id,
    categoryId: idOf(textOf(form, "categoryId")) ?? undefined,
  };
  let id: string;
  try {
    ({ id } = await inWorkspace(workspace.id, (db) => createDraft(db, input, actor)));
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/articles/${id}`);
}

interface Outcome {
  message: string;
  undo?: Undo | undefined;
  /** Whether nothing was done, so that the articles stay selected. */
  isRefused?: boolean;
}

const refusal = (message: string): Outcome => ({ message, isRefused: true });

/** Changes the selected articles, and returns to the same view of the list. */
export async function submitBulk(form: FormData): Promise<void> {
  const acting = await requireMember("articles.write");
  const sent = form.getAll("id").flatMap((id) => (typeof id === "string" ? (idOf(id) ?? []) : []));
  const chosen = [...new Set(sent)].slice(0, MOST_AT_ONCE);
  const action = textOf(form, "do");
  const { message, undo, isRefused } =
    chosen.length === 0
      ? { message: NONE_CHOSEN }
      : await outcomeOf(() => counted(acting, () => bulk(acting, action, chosen, form)), action);
  const more = { chosen: isRefused ? chosen.join(",") : undefined };
  return redirectWith(listAddress(textOf(form, "from"), more), message, undo);
}

const NONE_CHOSEN = "Select articles first.";

const counted = <T>({ workspace, member }: Signed, work: () => Promise<T>) =>
  asSave(workspace.id, member.id, null, work);

async function bulk(acting: Signed, action: string, ids: string[], form: FormData): Promise<Outcome> {
  const { workspace, actor } = acting;
  const batch = randomUUID();
  const within = <T>(work: (db: Db) => Promise<T>) =>
    inWorkspace(
      workspace.id,
      async (db) => {
        await refusePublished(db, ids, acting.member.permissions);
        return work(db);
      },
      BULK_SECONDS,
    );
  const undoablyWithin = <T>(action: BulkAction, work: (db: Db) => Promise<T>) =>
    within((db) => undoably(db, { batch, action, actor }, ids, () => work(db)));
  // Very long articles cannot be undone.
  const outcome = async (message: string, changed: number): Promise<Outcome> => {
    const hasUndo = changed > 0 && (await readWorkspace(workspace.id, (read) => canUndo(read, batch)));
    return { message, undo: hasUndo ? { name: "articles", fields: { batch } } : undefined };
  };
  switch (action) {
    case "publish":
    case "unpublish": {
      if (!acting.member.permissions.includes("articles.publish")) return refusal(NOT_ALLOWED);
      const verb = action === "publish" ? publishArticles : unpublishArticles;
      const result = await verb(workspace.id, ids, actor, { undo: batch, leaveEmpty: true });
      const changed = result.changed.length;
      const lacking = (what: "title" | "text") =>
        leftOut(result.lacking.filter(({ lack }) => lack === what).length, what);
      const message = sentence(
        action === "publish" ? "Published" : "Unpublished",
        changed,
        already(result.unchanged),
        lacking("title"),
        lacking("text"),
      );
      return outcome(message, changed);
    }
    case "move": {
      const category = idOf(textOf(form, "category"));
      if (!category) return refusal("Choose a category.");
      const { moved } = await undoablyWithin("moved", (db) => moveArticles(db, ids, category, actor));
      return outcome(sentence("Moved", moved.length, already(ids.length - moved.length)), moved.length);
    }
    case "tag": {
      const tag = textOf(form, "tag").trim();
      if (tag === "") return refusal("Enter a tag.");
      const { tagged } = await undoablyWithin("tagged", (db) => tagArticles(db, ids, tag, actor));
      return outcome(sentence("Tagged", tagged.length, already(ids.length - tagged.length)), tagged.length);
    }
    case "delete": {
      const home = workspaceUrl(workspace.subdomain, env().baseUrl);
      const gone = await within((db) => deleteArticles(db, ids, { kind: "gone" }, home, actor));
      const undo: Undo = { name: "deletion", fields: { batch: gone.batch } };
      return { message: sentence("Deleted", gone.deleted.length), undo };
    }
    default:
      return { message: NONE_CHOSEN };
  }
}

function sentence(done: string, count: number, ...rest: string[]): string {
  const articles = count === 0 ? "no articles" : countOf(count, "article");
  return [`${done} ${articles}.`, ...rest.filter(Boolean)].join(" ");
}

const already = (count: number) => (count === 0 ? "" : `${number(count)} already ${count === 1 ? "was" : "were"}.`);

function leftOut(count: number, lack: string): string {
  return count === 0 ? "" : `Skipped ${countOf(count, "article")} without a ${lack}.`;
}

function left(count: number): string {
  if (count === 0) return "";
  return `${countOf(count, "article")} couldn't be restored because ${count === 1 ? "it" : "they"} changed since.`;
}

/** Undoes a change of many articles, or one made on an article's page, and returns there. */
export async function submitUndo(form: FormData): Promise<void> {
  const acting = await requireMember("articles.write");
  const { workspace, member, actor } = acting;
  const [batch, article] = [idOf(textOf(form, "batch")), idOf(textOf(form, "article"))];
  const { message } = await outcomeOf(
    async () => {
      if (!batch) throw new NotFoundError("Nothing was done.");
      const result = await counted(acting, () => undoBulkAction(workspace.id, batch, actor, member.permissions));
      if (!article) return { message: sentence("Undid the change of", result.undone.length, left(result.left)) };
      const stays = "Couldn't undo. Someone changed the article since, or its category or a tag was deleted.";
      return { message: result.left === 0 ? "Change undone." : stays };
    },
    article ? "undo one" : "undo",
  );
  return redirectWith(article ? `/admin/articles/${article}` : listAddress(textOf(form, "from")), message);
}

const NOT_ALLOWED =
  "Nothing changed. One of these articles is published, and your role can't publish. Ask someone who can.";
const VISIBLE_AGAIN = "Nothing changed. Undoing would make an article public again. Ask someone who can publish.";
const NOT_UNDONE = "Can't undo. It was already undone, or more than an hour has passed.";

/** Why an action was refused, by the article's state and the member's role. */
const refusals: Record<string, [gone: string, notAllowed: string]> = {
  undo: [NOT_UNDONE, VISIBLE_AGAIN],
  "undo one": [NOT_UNDONE, VISIBLE_AGAIN],
};

async function outcomeOf(work: () => Promise<Outcome>, action: string): Promise<Outcome> {
  const gone = "Nothing changed. Someone has changed or deleted these articles since. Review the list and try again.";
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
