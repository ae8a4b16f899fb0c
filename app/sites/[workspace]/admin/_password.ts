import { refresh } from "next/cache";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { spoken, textOf } from "@/lib/http/form";
import { hasPassword } from "@/lib/members/change-password";
import { findTwoStep } from "@/lib/members/two-step-codes";
import type { requireMember } from "@/lib/session";
import type { Refusal } from "@/lib/sign-in/attempts";
import { checkCode, checkPassword } from "@/lib/sign-in/sign-in";
import { refusedFor } from "./_form";

type Signed = Awaited<ReturnType<typeof requireMember>>;

/** The ways in which a member can confirm a sensitive change. */
export async function confirmationOf({
  workspace,
  member,
}: Signed): Promise<{ withPassword: boolean; withCode: boolean }> {
  return readWorkspace(workspace.id, async (read) => ({
    withPassword: await hasPassword(read, member.id),
    withCode: (await findTwoStep(read, member.id)).isOn,
  }));
}

/**
 * Checks the member's own password in the field `currentPassword`, and with two-step verification a code in the field
 * `code`, for actions that an unattended browser must not do. Attempts count like those of a sign-in.
 * @returns the form's state if one is wrong, or if the member has neither
 */
export async function wrongPassword(signed: Signed, form: FormData): Promise<FormState | null> {
  const { workspace, member } = signed;
  const { withPassword, withCode } = await confirmationOf(signed);
  if (!withPassword && !withCode) return refusedFor(form, "", "Set a password first to confirm this.");
  const why = withPassword ? await checkPassword(workspace, member, textOf(form, "currentPassword")) : null;
  if (why) return refusedFor(form, "currentPassword", said(why, "Incorrect password."));
  const wrong = withCode ? await checkCode(workspace, member, textOf(form, "code")) : null;
  return wrong && codeRefused(form, wrong);
}

/** Like `confirmationOf`, for changes that need no confirmation shortly after signing in. */
export async function confirmationUnlessFresh(signed: Signed): Promise<{ withPassword: boolean; withCode: boolean }> {
  return signed.member.isFresh ? { withPassword: false, withCode: false } : confirmationOf(signed);
}

/** Like `wrongPassword`, for changes that need no confirmation shortly after signing in. */
export async function wrongUnlessFresh(signed: Signed, form: FormData): Promise<FormState | null> {
  if (signed.member.isFresh) return null;
  const { withPassword, withCode } = await confirmationOf(signed);
  if (!withPassword && !withCode)
    return refusedFor(form, "", "To confirm this, sign out and sign in again with an email link or passkey.");
  if (form.has("currentPassword") || form.has("code")) return wrongPassword(signed, form);
  // The page was opened while no confirmation was needed.
  refresh();
  return refusedFor(form, "", "You signed in a while ago. Confirm that it's you.");
}

/** Like `wrongPassword`. A member without password and code has to have signed in recently instead. */
export async function wrongOrStale(signed: Signed, form: FormData): Promise<FormState | null> {
  const { withPassword, withCode } = await confirmationOf(signed);
  return withPassword || withCode ? wrongPassword(signed, form) : wrongUnlessFresh(signed, form);
}

/** The state of a form whose code is wrong, or was sent too early. */
export function codeRefused(form: FormData, why: Refusal): FormState {
  const state = refusedFor(form, "code", said(why, "Incorrect code. Each code works once."));
  return { ...state, values: { ...state.values, code: "" } };
}

function said({ isEarly, seconds }: Refusal, wrong: string): string {
  const when = seconds > 0 ? ` Try again in ${spoken(seconds)}.` : "";
  return (isEarly ? "Too many attempts." : wrong) + when;
}
