"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { spoken, textOf } from "@/lib/form";
import { askForEmailChange, askForLink, spendLink } from "@/lib/member-links";
import { hasPassword, setPassword } from "@/lib/member-passwords";
import { updateMember } from "@/lib/members";
import { hashPassword } from "@/lib/passwords";
import { requireActor, signOut } from "@/lib/session";
import { endSession, endSessions } from "@/lib/sessions";
import { refused, refusedFor } from "../../_form";
import { wrongPassword } from "../../_password";
import { countMailed } from "../../sign-in/_mailed";

export async function submitEndSession(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor();
  const id = textOf(form, "id");
  try {
    await inWorkspace(workspace.id, (db) => endSession(db, member.id, id, actor));
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
  redirect("/admin/account?done=ended");
}

export async function submitEndOthers(): Promise<void> {
  const { workspace, member, actor } = await requireActor();
  const count = await inWorkspace(workspace.id, (db) => endSessions(db, member, member.sessionId, actor));
  redirect(`/admin/account?done=others&of=${count}`);
}

export async function submitEndAll(): Promise<void> {
  const { workspace, member, actor } = await requireActor();
  await inWorkspace(workspace.id, (db) => endSessions(db, member, null, actor));
  await signOut();
  redirect("/admin/sign-in?done=everywhere");
}

export async function submitPassword(_before: FormState, form: FormData): Promise<FormState> {
  const acting = await requireActor();
  const { workspace, member, actor } = acting;
  const why = await wrongPassword(acting, form);
  if (why) return why;
  try {
    const hash = await hashPassword(textOf(form, "password"), [member.email, workspace.name]);
    await inWorkspace(workspace.id, (db) => setPassword(db, member.id, hash, member.sessionId, actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/account?done=password");
}

/** For who has no password to prove who they are by: the mail does. */
export async function submitPasswordLink(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member } = await requireActor();
  const why = await tooManyMails(workspace.id, member.email, form, "");
  if (why) return why;
  await inWorkspace(workspace.id, (db) => askForLink(db, "password_reset", member.email));
  redirect("/admin/account?done=mailed");
}

export async function submitEmail(_before: FormState, form: FormData): Promise<FormState> {
  const acting = await requireActor();
  const { workspace, member } = acting;
  if (!(await readWorkspace(workspace.id, (read) => hasPassword(read, member.id)))) {
    return refusedFor(form, "email", "Set a password first: it proves that it is you who changes the address.");
  }
  const wrong = await wrongPassword(acting, form);
  if (wrong) return wrong;
  const email = textOf(form, "email");
  const why = await tooManyMails(workspace.id, email.trim(), form, "email");
  if (why) return why;
  try {
    await inWorkspace(workspace.id, (db) => askForEmailChange(db, member, email));
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/account?done=asked");
}

/** Of whoever is signed in, and has the link: a stranger, who was mailed it by mistake, is not the former. */
export async function submitConfirmEmail(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor();
  try {
    await inWorkspace(workspace.id, async (db) => {
      const { newEmail } = await spendLink(db, "email_change", textOf(form, "token"), member.id);
      await updateMember(db, member.id, { email: newEmail ?? undefined }, actor);
    });
  } catch (error) {
    if (!(error instanceof NotFoundError)) return refused(form, error);
    return refusedFor(form, "", "This link was used or is too old. Change your address again to get a new one.");
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
  const seconds = await countMailed("link", workspaceId, email);
  if (seconds === null) return null;
  return refusedFor(form, field, `Mails were asked for too often. Ask again in ${spoken(seconds)}.`);
}
