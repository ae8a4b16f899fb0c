"use server";

import { createDraft, discardDraft } from "@/lib/articles/drafts";
import { inWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { periodOf } from "@/lib/insights/period";
import { type CurrentMember, requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { idOf } from "../../_form";

/** Creates a draft with only a title, from a search without results. */
export async function submitDraft(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember("articles.write");
  let draft: { id: string; title: string };
  try {
    const input = { title: textOf(form, "title"), authorId: member.id };
    draft = await inWorkspace(workspace.id, (db) => createDraft(db, input, actor));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const message =
      error.fields[0]?.code === "taken" ? "A draft with this title already exists." : "Create a category first.";
    return redirectWith(addressAfter(form, member), message);
  }
  const message = `Draft “${draft.title}” created`;
  const fields = { id: draft.id, period: periodOf(textOf(form, "period")) };
  return redirectWith(addressAfter(form, member), message, { name: "draft", fields });
}

/** Undoes it. */
export async function submitDiscard(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember("articles.write");
  const id = idOf(textOf(form, "id"));
  try {
    if (id) await inWorkspace(workspace.id, (db) => discardDraft(db, id, actor));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const message = "Couldn't undo. Someone edited or deleted the draft in the meantime.";
    return redirectWith(addressAfter(form, member), message);
  }
  return redirectWith(addressAfter(form, member), "Draft deleted");
}

/** The list that the action started from, or the dashboard if the member may not read insights. */
function addressAfter(form: FormData, { permissions }: CurrentMember): string {
  const period = periodOf(textOf(form, "period"));
  return permissions.includes("insights.read") ? `/admin/insights/without-result?period=${period}` : "/admin";
}
