"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { countUse } from "@/lib/counters";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import { hasPassword } from "@/lib/member-passwords";
import { administratorPermissions, within } from "@/lib/roles";
import { requireActor } from "@/lib/session";
import { updateSettings } from "@/lib/settings";
import { scheduleDeletion } from "@/lib/workspaces/deletion";
import { changeSubdomain } from "@/lib/workspaces/subdomains";
import { refused, refusedFor } from "../../_form";
import { wrongPassword } from "../../_password";

const DAY = 24 * 60 * 60;

export async function submitSettings(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  const given = {
    name: textOf(form, "name"),
    language: textOf(form, "language"),
    timeZone: textOf(form, "timeZone"),
  };
  try {
    await inWorkspace(workspace.id, (db) => updateSettings(db, given, actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/settings?done=saved");
}

/** Leads to the sign-in at the new address: a session belongs to one host. */
export async function submitAddress(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor("settings.manage");
  if ((await countUse("address changed", 10, workspace.id, DAY))?.over) {
    return refusedFor(form, "subdomain", "The address was changed very often today: go on tomorrow.");
  }
  let subdomain: string;
  try {
    subdomain = await changeSubdomain(workspace.id, textOf(form, "subdomain"), actor);
  } catch (error) {
    return refused(form, error);
  }
  if (subdomain === workspace.subdomain) redirect("/admin/settings");
  const query = new URLSearchParams({ done: "moved", email: member.email });
  redirect(`${workspaceUrl(subdomain, env().baseUrl)}/admin/sign-in?${query}`);
}

export async function submitDelete(_before: FormState, form: FormData): Promise<FormState> {
  const acting = await requireActor("settings.manage");
  const { workspace, member, actor } = acting;
  // As much as an administrator is asked for: readers and programs are without it at once.
  if (!within(member.permissions, administratorPermissions)) notFound();
  if (!(await readWorkspace(workspace.id, (read) => hasPassword(read, member.id)))) {
    return refusedFor(form, "", "Set a password first: it proves that it is you who deletes the knowledge base.");
  }
  const wrong = await wrongPassword(acting, form);
  if (wrong) return wrong;
  try {
    await scheduleDeletion(workspace.id, textOf(form, "name"), actor);
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/closing");
}
