"use server";

import { notFound, redirect } from "next/navigation";
import { NotFoundError } from "@/lib/errors";
import { administratorPermissions, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { anyWorkspace } from "@/lib/site";
import { takeBackDeletion } from "@/lib/workspaces/deletion";
import { redirectWith } from "../_flash";

/** The only action of a closed workspace. If it is no longer closed, redirects to the open workspace. */
export async function submitTakeBack(): Promise<void> {
  const { workspace, member, actor } = await requireMember("settings.manage", anyWorkspace);
  // Needs the same permissions as the deletion.
  if (!within(member.permissions, administratorPermissions)) notFound();
  try {
    await takeBackDeletion(workspace.id, actor);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    redirect("/admin");
  }
  return redirectWith("/admin/settings", "Knowledge base restored");
}
