"use server";

import { redirect } from "next/navigation";
import { recoveryCodes } from "@/components/admin/recovery-codes";
import type { ShownOnceState } from "@/components/admin/shown-once";
import { countOf } from "@/components/ui/count";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { spoken, textOf } from "@/lib/http/form";
import { setPassword } from "@/lib/members/change-password";
import { endSession, endSessions } from "@/lib/members/member-sessions";
import { confirmEmail, updateMember } from "@/lib/members/members";
import { hashPassword } from "@/lib/members/passwords";
import { askForEmailChange, askForLink, spendLink } from "@/lib/members/sign-in-links";
import { renewRecoveryCodes, turnOffTwoStep } from "@/lib/members/two-step";
import { requireMember, TWO_STEP_PATH } from "@/lib/session";
import { signOut } from "@/lib/sign-in/sign-in";
import { redirectWith } from "../../_flash";
import { found, refused, refusedFor } from "../../_form";
import { wrongPassword } from "../../_password";
import { countMailed } from "../../sign-in/_mailed";

const ACCOUNT = "/admin/account";

export async function submitEndSession(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember();
  await found(inWorkspace(workspace.id, (db) => endSession(db, member.id, textOf(form, "id"), actor)));
  return redirectWith(ACCOUNT, "Device signed out");
}

export async function submitEndOthers(): Promise<void> {
  const { workspace, member, actor } = await requireMember();
  const count = await inWorkspace(workspace.id, (db) => endSessions(db, member, member.sessionId, actor));
  return redirectWith(ACCOUNT, `Signed out on ${countOf(count, "other device")}`);
}

export async function submitEndAll(): Promise<void> {
  const { workspace, member, actor } = await requireMember();
  await inWorkspace(workspace.id, (db) => endSessions(db, member, null, actor));
  await signOut();
  redirect("/admin/sign-in?done=everywhere");
}

export async function submitPassword(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember();
  const { workspace, member, actor } = signed;
  const why = await wrongPassword(signed, form);
  if (why) return why;
  try {
    const hash = await hashPassword(textOf(form, "password"), [member.email, workspace.name]);
    await inWorkspace(workspace.id, (db) => setPassword(db, member.id, hash, member.sessionId, actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(ACCOUNT, "Password changed. Other devices are signed out.");
}

/** For members without a password: the mail proves who they are. */
export async function submitPasswordLink(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member } = await requireMember();
  const why = await tooManyMails(workspace.id, member.email, form, "");
  if (why) return why;
  await inWorkspace(workspace.id, (db) => askForLink(db, "password_reset", member.email));
  return redirectWith(ACCOUNT, "Check your email for a link to set a password.");
}

export async function submitEmail(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember();
  const { workspace, member } = signed;
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  const email = textOf(form, "email");
  const why = await tooManyMails(workspace.id, email.trim(), form, "email");
  if (why) return why;
  try {
    await inWorkspace(workspace.id, (db) => askForEmailChange(db, member, email));
  } catch (error) {
    return refused(form, error);
  }
  const message = "Confirmation sent. Open the emailed link in this browser.";
  return redirectWith(ACCOUNT, message);
}

export async function submitTurnOff(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember();
  const { workspace, member, actor } = signed;
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  try {
    await inWorkspace(workspace.id, (db) => turnOffTwoStep(db, member, actor));
  } catch (error) {
    return refused(form, error);
  }
  if (member.twoStep.isRequired) redirect(TWO_STEP_PATH);
  return redirectWith(ACCOUNT, "Two-step verification is off");
}

export async function submitNewCodes(_previous: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const signed = await requireMember();
  const { workspace, member, actor } = signed;
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  try {
    const codes = await inWorkspace(workspace.id, (db) => renewRecoveryCodes(db, member, actor));
    return { values: {}, errors: {}, shown: recoveryCodes(codes) };
  } catch (error) {
    return refused(form, error);
  }
}

/** Needs the session and the link: a stranger who gets the mail by mistake has only the link. */
export async function submitConfirmEmail(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember();
  try {
    await inWorkspace(workspace.id, async (db) => {
      const { newEmail } = await spendLink(db, "email_change", textOf(form, "token"), member.id);
      await updateMember(db, member.id, { email: newEmail ?? undefined }, actor);
      await confirmEmail(db, member.id);
    });
  } catch (error) {
    if (!(error instanceof NotFoundError)) return refused(form, error);
    return refusedFor(form, "", "This link has expired or was already used. Change your email again.");
  }
  await signOut();
  redirect("/admin/sign-in?done=email");
}

async function tooManyMails(
  workspaceId: string,
  email: string,
  form: FormData,
  field: string,
): Promise<FormState | null> {
  const seconds = await countMailed("linkMail", workspaceId, email);
  if (seconds === null) return null;
  return refusedFor(form, field, `Too many emails requested. Try again in ${spoken(seconds)}.`);
}
