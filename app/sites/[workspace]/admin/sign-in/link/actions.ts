"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { spendLink } from "@/lib/members/sign-in-links";
import { signInBy } from "@/lib/sign-in/sign-in";
import { refusedFor } from "../../_form";
import { mailLink } from "../_mailed";
import { requestedWorkspace, targetOf } from "../_request";

export async function submitAskForLink(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const to = targetOf(form);
  const refused = await mailLink(workspace, "sign_in", form, to);
  if (refused) return refused;
  redirect(`/admin/sign-in/link?${new URLSearchParams({ done: "sent", ...(to && { to }) })}`);
}

/** The link proves the sender's identity. */
export async function submitLink(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const token = textOf(form, "token");
  try {
    const isIn = await signInBy(workspace, "link", async (db) => (await spendLink(db, "sign_in", token)).memberId);
    if (!isIn) throw new NotFoundError();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return refusedFor(form, "", "This link was used or is too old. Ask for a new one at the sign-in.");
  }
  redirect(targetOf(form) ?? "/admin");
}
