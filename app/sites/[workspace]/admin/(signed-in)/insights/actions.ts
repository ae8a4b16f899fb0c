"use server";

import { redirect } from "next/navigation";
import { inWorkspace } from "@/lib/db";
import { createDraft, discardDraft } from "@/lib/drafts";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { periodOf } from "@/lib/insights/period";
import { type CurrentMember, requireActor } from "@/lib/session";
import { addressWith, idOf } from "../../_form";

/** Of what was searched for and not found, an article that is only a title yet. */
export async function submitDraft(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const address = addressAfter(form, member);
  let told: Record<string, string>;
  try {
    const given = { title: textOf(form, "title"), authorId: member.id };
    const { id } = await inWorkspace(workspace.id, (db) => createDraft(db, given, actor));
    told = { done: "drafted", of: id };
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    told = { done: error.fields[0]?.code === "taken" ? "drafted-before" : "not-drafted" };
  }
  redirect(address(told));
}

/** Takes it back. */
export async function submitDiscard(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("articles.write");
  const id = idOf(textOf(form, "id"));
  const address = addressAfter(form, member);
  try {
    if (id) await inWorkspace(workspace.id, (db) => discardDraft(db, id, actor));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    redirect(address({ done: "kept" }));
  }
  redirect(address({ done: "discarded" }));
}

/** Where it goes on: the list that it was asked from, or for who may write but no longer read insights the dashboard. */
function addressAfter(form: FormData, { permissions }: CurrentMember) {
  return (told: Record<string, string>) =>
    permissions.includes("insights.read")
      ? addressWith("/admin/insights/without-result", { period: periodOf(textOf(form, "period")), ...told })
      : addressWith("/admin", told);
}
