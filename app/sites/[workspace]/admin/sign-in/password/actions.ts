"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { signInPath } from "@/lib/http/return-path";
import { setPassword } from "@/lib/members/change-password";
import { hashPassword } from "@/lib/members/passwords";
import { findLink, spendLink } from "@/lib/members/sign-in-links";
import { requestOrigin } from "@/lib/session";
import { type Outcome, signInBy } from "@/lib/sign-in/sign-in";
import { redirectWith } from "../../_flash";
import { refused, refusedFor } from "../../_form";
import { mailLink } from "../_mailed";
import { requestedWorkspace, sentPath } from "../_request";

export async function submitAskForReset(_previous: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const why = await mailLink(workspace, "password_reset", form, null);
  if (why) return why;
  redirect(sentPath("/password", null, textOf(form, "email").trim()));
}

/** The link proves the sender's identity. */
export async function submitReset(_previous: FormState, form: FormData): Promise<FormState> {
  const workspace = await requestedWorkspace();
  const token = textOf(form, "token");
  const from = await requestOrigin();
  let outcome: Outcome | null;
  try {
    // Hashing is expensive, so the link is checked first.
    const link = await readWorkspace(workspace.id, (read) => findLink(read, "password_reset", token));
    if (!link) throw new NotFoundError();
    const hash = await hashPassword(textOf(form, "password"), [link.email, workspace.name]);
    outcome = await signInBy(workspace, "password_reset", async (db) => {
      const { memberId: id, email } = await spendLink(db, "password_reset", token);
      await setPassword(db, id, hash, null, { kind: "member", id, name: email, ...from });
      return id;
    });
  } catch (error) {
    if (!(error instanceof NotFoundError)) return refused(form, error);
    return refusedFor(form, "", "This link has expired or was already used. Request a new one.");
  }
  const to = outcome === "code_needed" ? signInPath("/admin/account", "/code") : "/admin/account";
  return redirectWith(to, "Password changed. Other devices are signed out.");
}
