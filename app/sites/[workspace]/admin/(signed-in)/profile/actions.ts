"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { updateMember } from "@/lib/members/members";
import { changePicture } from "@/lib/members/pictures";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { idOf, refused } from "../../_form";

/** Changes the member's own name and time zone, which needs no permission. */
export async function submitProfile(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember();
  const input = {
    firstName: textOf(form, "firstName"),
    lastName: textOf(form, "lastName"),
    timeZone: textOf(form, "timeZone"),
  };
  try {
    await inWorkspace(workspace.id, (db) => updateMember(db, member.id, input, actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/profile", "Profile saved");
}

/** Removes or restores a picture, either the member's own or that of a member they may manage. */
export async function submitPicture(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember();
  const memberId = idOf(textOf(form, "member"));
  const upload = idOf(textOf(form, "upload"));
  const page = memberId ? `/admin/members/${memberId}` : "/admin/profile";
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => changePicture(db, member, memberId ?? member.id, upload, actor));
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    if (!(error instanceof InvalidError)) throw error;
    redirect(`${page}?refused=${error.fields.some(({ field }) => field === "role") ? "role" : "gone"}`);
  }
  if (upload) return redirectWith(page, "Picture restored");
  const fields = { member: memberId ?? "", upload: previous ?? "" };
  return redirectWith(page, "Picture removed", previous ? { name: "picture", fields } : undefined);
}
