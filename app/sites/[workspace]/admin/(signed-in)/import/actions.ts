"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { beginImport, cancelTransfer } from "@/lib/transfers";
import { refused } from "../../_form";

export async function submitImport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  try {
    await inWorkspace(workspace.id, (db) => beginImport(db, textOf(form, "id"), actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/import");
}

export async function submitCancelImport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  try {
    await cancelTransfer(workspace.id, "import", textOf(form, "id"), actor);
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/import?done=cancelled");
}
