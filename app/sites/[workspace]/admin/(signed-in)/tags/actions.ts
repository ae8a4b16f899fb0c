"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { deleteTag, findTagCalled, mergeTag, renameTag } from "@/lib/tags";
import { addressWith, found, idOf, refused } from "../../_form";

const tagOf = (form: FormData, name: string) => idOf(textOf(form, name)) ?? "00000000-0000-0000-0000-000000000000";

export async function submitRenameTag(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("articles.publish");
  const id = tagOf(form, "id");
  try {
    await inWorkspace(workspace.id, (db) => renameTag(db, id, textOf(form, "name"), actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/tags?done=renamed&of=${id}`);
}

export async function submitMergeTag(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("articles.publish");
  // What is not among the choices is named.
  const name = textOf(form, "intoName").trim();
  let into: string;
  try {
    ({
      into: { id: into },
    } = await inWorkspace(workspace.id, async (db) => {
      const named = name ? await findTagCalled(readingOf(db), name) : null;
      if (name && !named) {
        throw new InvalidError([{ field: "intoName", code: "not_found", message: "There is no tag with this name." }]);
      }
      return mergeTag(db, tagOf(form, "id"), named?.id ?? tagOf(form, "into"), actor);
    }));
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/tags?done=merged&of=${into}`);
}

export async function submitDeleteTag(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("articles.publish");
  const { articles } = await found(inWorkspace(workspace.id, (db) => deleteTag(db, tagOf(form, "id"), actor)));
  redirect(addressWith("/admin/tags", { done: "deleted", n: String(articles) }));
}
