"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { beginExport, cancelTransfer } from "@/lib/transfers";
import { refused } from "../../_form";

export async function submitExport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  try {
    await inWorkspace(workspace.id, (db) => beginExport(db, workspace, actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/export");
}

export async function submitCancelExport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  try {
    await cancelTransfer(workspace.id, "export", textOf(form, "id"), actor);
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/export?done=cancelled");
}
