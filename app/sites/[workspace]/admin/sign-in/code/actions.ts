"use server";

import { redirect } from "next/navigation";
import { countOf } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { textOf } from "@/lib/http/form";
import { tellOfNewBrowser } from "@/lib/members/members";
import { findTwoStep } from "@/lib/members/two-step-codes";
import { pendingSecondStep } from "@/lib/sign-in/second-step";
import { signInByCode } from "@/lib/sign-in/sign-in";
import { redirectWith } from "../../_flash";
import { refusedFor } from "../../_form";
import { codeRefused } from "../../_password";
import { requestedWorkspace, targetOf } from "../_request";

export async function submitCode(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const pending = await pendingSecondStep(workspace.id);
  const outcome = pending && (await signInByCode(workspace, textOf(form, "code"), tellOfNewBrowser));
  if (!outcome) return refusedFor(form, "", "This took too long. Go back to sign in and start again.");
  if (typeof outcome !== "string") return codeRefused(form, outcome);
  const to = targetOf(form) ?? "/admin";
  if (outcome === "app") redirect(to);
  const { codesLeft } = await readWorkspace(workspace.id, (read) => findTwoStep(read, pending.member.id));
  return redirectWith(to, `Signed in with a recovery code. You have ${countOf(codesLeft, "recovery code")} left.`);
}
