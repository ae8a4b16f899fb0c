"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { textOf } from "@/lib/http/form";
import { cancelRun, startExport } from "@/lib/import-export/runs";
import { exportPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { refused } from "../../_form";

export async function submitExport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember(exportPermissions);
  try {
    await inWorkspace(workspace.id, (db) => startExport(db, workspace, actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/export");
}

export async function submitCancelExport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember(exportPermissions);
  try {
    await cancelRun(workspace.id, "export", textOf(form, "id"), actor);
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/export", "Export canceled");
}
