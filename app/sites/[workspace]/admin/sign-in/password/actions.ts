"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { findLink, spendLink } from "@/lib/member-links";
import { setPassword } from "@/lib/member-passwords";
import { hashPassword } from "@/lib/passwords";
import { requestOrigin, signInBy } from "@/lib/session";
import { refused, refusedFor } from "../../_form";
import { requestedWorkspace } from "../_asked";
import { askedForLink } from "../_mailed";

export async function submitAskForReset(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const why = await askedForLink(workspace, "password_reset", form, null);
  if (why) return why;
  redirect("/admin/sign-in/password?done=sent");
}

/** The link is what proves who asks. */
export async function submitReset(_before: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const token = textOf(form, "token");
  const from = await requestOrigin();
  try {
    // Hashing takes its time: not for whoever has no link.
    const link = await readWorkspace(workspace.id, (read) => findLink(read, "password_reset", token));
    if (!link) throw new NotFoundError();
    const hash = await hashPassword(textOf(form, "password"), [link.email, workspace.name]);
    await signInBy(workspace, "password_reset", async (db) => {
      const { memberId: id, email } = await spendLink(db, "password_reset", token);
      await setPassword(db, id, hash, null, { kind: "member", id, name: email, ...from });
      return id;
    });
  } catch (error) {
    if (!(error instanceof NotFoundError)) return refused(form, error);
    return refusedFor(form, "", "This link was used or is too old. Ask for a new one at the sign-in.");
  }
  redirect("/admin/account?done=password");
}
