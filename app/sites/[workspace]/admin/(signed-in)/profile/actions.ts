"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { updateMember } from "@/lib/members";
import { changePicture } from "@/lib/pictures";
import { requireActor } from "@/lib/session";
import { idOf, refused } from "../../_form";

/** Of oneself, what needs nobody's leave. */
export async function submitProfile(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor();
  const given = {
    firstName: textOf(form, "firstName"),
    lastName: textOf(form, "lastName"),
    timeZone: textOf(form, "timeZone"),
  };
  try {
    await inWorkspace(workspace.id, (db) => updateMember(db, member.id, given, actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/profile?done=saved");
}

/** Takes a picture away, or brings one back: one's own, or that of a member whom one may manage. */
export async function submitPicture(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor();
  const of = idOf(textOf(form, "of"));
  const upload = idOf(textOf(form, "upload"));
  const page = of ? `/admin/members/${of}` : "/admin/profile";
  let was: string | null;
  try {
    was = await inWorkspace(workspace.id, (db) => changePicture(db, member, of ?? member.id, upload, actor));
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    if (!(error instanceof InvalidError)) throw error;
    redirect(`${page}?refused=${error.fields.some(({ field }) => field === "role") ? "role" : "gone"}`);
  }
  redirect(upload ? `${page}?done=restored` : `${page}?done=removed&was=${was ?? "none"}`);
}
