"use server";

import { notFound, redirect } from "next/navigation";
import { NotFoundError } from "@/lib/errors";
import { administratorPermissions, within } from "@/lib/roles";
import { requireActor } from "@/lib/session";
import { anyWorkspace } from "@/lib/site";
import { takeBackDeletion } from "@/lib/workspaces/deletion";

/** The one thing that is done in a closed workspace. Who comes second, or late, is shown how it is. */
export async function submitTakeBack(): Promise<void> {
  const { workspace, member, actor } = await requireActor("settings.manage", anyWorkspace);
  // As much as is asked for where it is deleted.
  if (!within(member.permissions, administratorPermissions)) notFound();
  try {
    await takeBackDeletion(workspace.id, actor);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    redirect("/admin");
  }
  redirect("/admin/settings?done=kept");
}
