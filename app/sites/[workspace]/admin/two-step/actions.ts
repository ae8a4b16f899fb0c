"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { recoveryCodes } from "@/components/admin/recovery-codes";
import type { ShownOnceState } from "@/components/admin/shown-once";
import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { textOf } from "@/lib/http/form";
import { hasPassword } from "@/lib/members/change-password";
import { prepareTwoStep, turnOnTwoStep } from "@/lib/members/two-step";
import { requireSignedIn, TWO_STEP_PATH } from "@/lib/session";
import { refused } from "../_form";
import { wrongPassword, wrongUnlessFresh } from "../_password";

export async function submitPrepare(_before: FormState, _form: FormData): Promise<FormState> {
  const { workspace, member } = await requireSignedIn();
  await inWorkspace(workspace.id, (db) => prepareTwoStep(db, member));
  redirect(TWO_STEP_PATH);
}

export async function submitTurnOn(_before: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const signed = await requireSignedIn();
  const { workspace, member, actor } = signed;
  const has = await readWorkspace(workspace.id, (read) => hasPassword(read, member.id));
  // Without a password, its codes alone confirm sensitive changes from now on.
  const wrong = await (has ? wrongPassword : wrongUnlessFresh)(signed, form);
  if (wrong) return wrong;
  try {
    const codes = await inWorkspace(workspace.id, (db) => turnOnTwoStep(db, member, textOf(form, "code"), actor));
    refresh();
    return { values: {}, errors: {}, shown: recoveryCodes(codes) };
  } catch (error) {
    const state = refused(form, error);
    return { ...state, values: { ...state.values, code: "" } };
  }
}
