"use server";

import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { textOf } from "@/lib/http/form";
import { addPasskey, passkeyFrom, passkeyToCreate, removePasskey } from "@/lib/members/passkeys";
import { requireMember } from "@/lib/session";
import { rememberPasskeyStep, takeChallenge } from "@/lib/sign-in/passkey-step";
import { redirectWith } from "../../../_flash";
import { refused, refusedFor } from "../../../_form";
import { wrongOrStale } from "../../../_password";

const ACCOUNT = "/admin/account";

/** Confirms the member. The challenge is the proof for the second request, because a two-step code can't be sent twice. */
export async function startAdding(form: FormData) {
  const signed = await requireMember();
  const { workspace, member } = signed;
  const wrong = await wrongOrStale(signed, form);
  if (wrong) return wrong;
  try {
    const options = await readWorkspace(workspace.id, (read) => passkeyToCreate(read, workspace, member));
    await rememberPasskeyStep({ workspace: workspace.id, session: member.sessionId, challenge: options.challenge });
    return options;
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitNewPasskey(form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember();
  const name = textOf(form, "name");
  const challenge = await takeChallenge(workspace.id, member.sessionId);
  if (!challenge) return refusedFor(form, "", "This took too long. Try again.");
  try {
    const passkey = await passkeyFrom(workspace, textOf(form, "answer"), challenge);
    await inWorkspace(workspace.id, (db) => addPasskey(db, member, { passkey, name, challenge }, actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(ACCOUNT, "Passkey added");
}

export async function submitRemovePasskey(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember();
  const { workspace, member, actor } = signed;
  const wrong = await wrongOrStale(signed, form);
  if (wrong) return wrong;
  try {
    await inWorkspace(workspace.id, (db) => removePasskey(db, member, textOf(form, "id"), actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(ACCOUNT, "Passkey removed");
}
