"use server";

import { redirect } from "next/navigation";
import { NotFoundError } from "@/lib/errors";
import { requireActor } from "@/lib/session";
import { anyWorkspace } from "@/lib/site";
import { takeBackDeletion } from "@/lib/workspaces/deletion";

/** The one thing that is done in a closed workspace. Who comes second, or late, is shown how it is. */
export async function submitTakeBack(): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage", anyWorkspace);
  try {
    await takeBackDeletion(workspace.id, actor);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    redirect("/admin");
  }
  redirect("/admin/settings?done=kept");
}
