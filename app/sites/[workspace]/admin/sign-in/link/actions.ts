"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { signInPath } from "@/lib/http/return-path";
import { hasPassword } from "@/lib/members/change-password";
import { spendLink } from "@/lib/members/sign-in-links";
import { type Outcome, signInBy } from "@/lib/sign-in/sign-in";
import { redirectWith } from "../../_flash";
import { refusedFor } from "../../_form";
import { mailLink } from "../_mailed";
import { requestedWorkspace, sentPath, targetOf } from "../_request";

export async function submitAskForLink(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const to = targetOf(form);
  const refused = await mailLink(workspace, "sign_in", form, to);
  if (refused) return refused;
  redirect(sentPath("/link", to, textOf(form, "email").trim()));
}

/** The link proves the sender's identity. */
export async function submitLink(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const token = textOf(form, "token");
  const member = { hasPassword: true };
  let outcome: Outcome | null;
  try {
    outcome = await signInBy(workspace, "link", async (db) => {
      const { memberId } = await spendLink(db, "sign_in", token);
      member.hasPassword = await hasPassword(readingOf(db), memberId);
      return memberId;
    });
    if (!outcome) throw new NotFoundError();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return refusedFor(form, "", "This link has expired or was already used. Request a new one.");
  }
  if (outcome === "code_needed") redirect(signInPath(targetOf(form), "/code"));
  const to = targetOf(form) ?? "/admin";
  if (!member.hasPassword)
    return redirectWith(to, "Signed in. Set a password under Password and sessions to skip the email next time.");
  redirect(to);
}
