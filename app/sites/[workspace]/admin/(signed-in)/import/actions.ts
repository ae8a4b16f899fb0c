"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { textOf } from "@/lib/http/form";
import { cancelRun, startImport } from "@/lib/import-export/runs";
import { importPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { refused } from "../../_form";

export async function submitImport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember(importPermissions);
  try {
    await inWorkspace(workspace.id, (db) =>
      startImport(db, textOf(form, "id"), { asDrafts: textOf(form, "asDrafts") === "on" }, actor),
    );
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/import");
}

export async function submitCancelImport(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember(importPermissions);
  try {
    await cancelRun(workspace.id, "import", textOf(form, "id"), actor);
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/import", "Import canceled");
}
