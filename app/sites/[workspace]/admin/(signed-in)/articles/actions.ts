"use server";

import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { moveArticles, refusePublished, tagArticles } from "@/lib/articles/changes";
import { deleteArticles, restoreArticles } from "@/lib/articles/removal";
import { canUndo, type Deed, undoably, undoDeed } from "@/lib/articles/undo";
import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { createDraft } from "@/lib/drafts";
import { asSave, TooOftenError } from "@/lib/drafts/limits";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import { publishArticles, unpublishArticles } from "@/lib/publishing/publish";
import { requireActor } from "@/lib/session";
import { addressWith, idOf, refused } from "../../_form";
import { listAddress } from "./_asked";
import { tooOften } from "./_often";

type Acting = Awaited<ReturnType<typeof requireActor>>;

/** As many as a page of the list has. */
const MOST_AT_ONCE = 50;

export async function submitNewArticle(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const given = {
    title: textOf(form, "title"),
    authorId: member.id,
    categoryId: idOf(textOf(form, "categoryId")) ?? undefined,
  };
  let id: string;
  try {
    ({ id } = await inWorkspace(workspace.id, (db) => createDraft(db, given, actor)));
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/articles/${id}`);
}

interface Outcome {
  done: string;
  n?: number;
  same?: number | undefined;
  /** How many somebody has changed since, so that they stay. */
  left?: number | undefined;
  /** How many were not published, because they have no title, or no text. */
  untitled?: number | undefined;
  empty?: number | undefined;
  batch?: string | undefined;
  /** For how many seconds nothing more of it is done. */
  wait?: number;
  why?: string;
}

/** What is done with the articles that were chosen in the list; it leads back to the list as it was. */
export async function submitBulk(form: FormData): Promise<void> {
  const acting = await requireActor("articles.write");
  const given = form.getAll("id").flatMap((id) => (typeof id === "string" ? (idOf(id) ?? []) : []));
  const chosen = [...new Set(given)].slice(0, MOST_AT_ONCE);
  // The button of a line is meant for that line alone.
  const one = idOf(textOf(form, "one"));
  const [ids, does] = one ? [[one], "restore"] : [chosen, textOf(form, "do")];
  const outcome =
    ids.length === 0
      ? { done: "none" }
      : await outcomeOf(() => counted(acting, () => bulk(acting, does, ids, form)), does);
  // Where nothing was done, what is ticked stays so.
  const isNothing = ["refused", "often", "no-category", "no-tag"].includes(outcome.done);
  redirect(listAddress(textOf(form, "from"), { ...outcome, ...(isNothing && { chosen: chosen.join(",") }) }));
}

const counted = <T>({ workspace, member }: Acting, work: () => Promise<T>) =>
  asSave(workspace.id, member.id, null, work);

async function bulk(acting: Acting, does: string, ids: string[], form: FormData): Promise<Outcome> {
  const { workspace, actor } = acting;
  const batch = randomUUID();
  const within = <T>(work: (db: Db) => Promise<T>) =>
    inWorkspace(workspace.id, async (db) => {
      await refusePublished(db, ids, acting.member.permissions);
      return work(db);
    });
  const undoablyWithin = <T>(deed: Deed, work: (db: Db) => Promise<T>) =>
    within((db) => undoably(db, { batch, deed }, ids, () => work(db)));
  // Of very long articles it is not offered.
  const undo = async () => ((await readWorkspace(workspace.id, (read) => canUndo(read, batch))) ? { batch } : {});
  switch (does) {
    case "publish":
    case "unpublish": {
      if (!acting.member.permissions.includes("articles.publish")) return { done: "refused", why: "published" };
      const verb = does === "publish" ? publishArticles : unpublishArticles;
      const given = { undo: batch, leaveEmpty: true };
      const { changed, unchanged, lacking } = await verb(workspace.id, ids, actor, given);
      const lacks = (what: string) => lacking.filter(({ lack }) => lack === what).length || undefined;
      const left = { untitled: lacks("title"), empty: lacks("text") };
      return { done: `${does}ed`, n: changed.length, same: unchanged || undefined, ...left, ...(await undo()) };
    }
    case "move": {
      const category = idOf(textOf(form, "category"));
      // Without scripts there is nothing to choose from before.
      if (!category) return { done: "no-category" };
      const { moved } = await undoablyWithin("moved", (db) => moveArticles(db, ids, category, actor));
      return { done: "moved", n: moved.length, same: ids.length - moved.length || undefined, ...(await undo()) };
    }
    case "tag": {
      const tag = textOf(form, "tag").trim();
      if (tag === "") return { done: "no-tag" };
      const { tagged } = await undoablyWithin("tagged", (db) => tagArticles(db, ids, tag, actor));
      return { done: "tagged", n: tagged.length, same: ids.length - tagged.length || undefined, ...(await undo()) };
    }
    case "delete": {
      const home = workspaceUrl(workspace.subdomain, env().baseUrl);
      const gone = await within((db) => deleteArticles(db, ids, { kind: "gone" }, home, actor));
      return { done: "deleted", n: gone.deleted.length, batch: gone.batch };
    }
    case "restore": {
      const back = await inWorkspace(workspace.id, (db) => restoreArticles(db, ids, actor, acting.member.permissions));
      return { done: "restored", n: back.length, same: ids.length - back.length || undefined };
    }
    default:
      return { done: "none" };
  }
}

/** Brings back what was deleted together. */
export async function submitRestoreArticles(form: FormData): Promise<void> {
  const acting = await requireActor("articles.write");
  const { workspace, member, actor } = acting;
  const batch = idOf(textOf(form, "batch"));
  const outcome = await outcomeOf(async () => {
    if (!batch) throw new NotFoundError("Nothing was deleted.");
    const back = await counted(acting, () =>
      inWorkspace(workspace.id, (db) => restoreArticles(db, batch, actor, member.permissions)),
    );
    return { done: "restored", n: back.length };
  }, "restore");
  redirect(listAddress(textOf(form, "from"), { ...outcome }));
}

/** Undoes what was done with many articles at once, or on the page of one, which it leads back to. */
export async function submitUndo(form: FormData): Promise<void> {
  const acting = await requireActor("articles.write");
  const { workspace, member, actor } = acting;
  const [batch, article] = [idOf(textOf(form, "batch")), idOf(textOf(form, "article"))];
  const outcome = await outcomeOf(async () => {
    if (!batch) throw new NotFoundError("Nothing was done.");
    const { undone, left } = await counted(acting, () => undoDeed(workspace.id, batch, actor, member.permissions));
    return { done: "undone", n: undone.length, left: left || undefined };
  }, "undo");
  redirect(
    article
      ? addressWith(`/admin/articles/${article}`, { ...outcome })
      : listAddress(textOf(form, "from"), { ...outcome }),
  );
}

const whys: Record<string, [why: string, notAllowed: string]> = {
  restore: ["not-restored", "not-yours"],
  undo: ["not-undone", "not-yours"],
};

/** Why what was to be done was not: in words that the list knows (_told.tsx). */
async function outcomeOf(work: () => Promise<Outcome>, does: string): Promise<Outcome> {
  const [why, notAllowed] = whys[does] ?? ["gone", "published"];
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFoundError) return { done: "refused", why };
    if (error instanceof TooOftenError) return tooOften(error);
    if (!(error instanceof InvalidError)) throw error;
    return { done: "refused", why: error.fields.some(({ code }) => code === "not_allowed") ? notAllowed : why };
  }
}
