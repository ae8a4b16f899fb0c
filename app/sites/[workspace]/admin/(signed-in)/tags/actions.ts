"use server";

import { countOf } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import { deleteTag, findTagCalled, mergeTag, renameTag, type Tag } from "@/lib/articles/tags";
import { inWorkspace, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { found, idOf, refused } from "../../_form";

const tagOf = (form: FormData, name: string) => idOf(textOf(form, name)) ?? "00000000-0000-0000-0000-000000000000";

export async function submitRenameTag(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("articles.publish");
  const id = tagOf(form, "id");
  let tag: Tag;
  try {
    tag = await inWorkspace(workspace.id, (db) => renameTag(db, id, textOf(form, "name"), actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/tags", `Renamed the tag to “${tag.name}”`);
}

export async function submitMergeTag(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("articles.publish");
  // For tags missing from the choices, people type the name.
  const name = textOf(form, "intoName").trim();
  let into: Tag;
  try {
    ({ into } = await inWorkspace(workspace.id, async (db) => {
      const named = name ? await findTagCalled(readingOf(db), name) : null;
      if (name && !named) {
        throw new InvalidError([{ field: "intoName", code: "not_found", message: "No tag has this name." }]);
      }
      return mergeTag(db, tagOf(form, "id"), named?.id ?? tagOf(form, "into"), actor);
    }));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/tags", `Merged into “${into.name}”`);
}

export async function submitDeleteTag(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("articles.publish");
  const { articles } = await found(inWorkspace(workspace.id, (db) => deleteTag(db, tagOf(form, "id"), actor)));
  const from = articles > 0 ? ` Removed it from ${countOf(articles, "article")}.` : "";
  return redirectWith("/admin/tags", `Tag deleted.${from}`);
}
