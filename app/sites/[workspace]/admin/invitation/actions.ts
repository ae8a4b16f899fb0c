"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { acceptInvitation, findInvitation } from "@/lib/members/invitations";
import { hashPassword } from "@/lib/members/passwords";
import { requestOrigin } from "@/lib/session";
import { signInBy } from "@/lib/sign-in/sign-in";
import { publicWorkspace, requestedSite } from "@/lib/site";
import { refused, refusedFor } from "../_form";

/** The link proves the sender, because nobody is signed in yet. */
export async function submitAccept(_before: FormState, form: FormData): Promise<FormState> {
  const site = await requestedSite();
  if (site.kind !== "subdomain") notFound();
  const workspace = await publicWorkspace(site.subdomain);
  const names = { firstName: textOf(form, "firstName"), lastName: textOf(form, "lastName") };
  const password = textOf(form, "password");
  const token = textOf(form, "token");
  const from = await requestOrigin();
  try {
    // Hashing is expensive, so the link is checked first.
    const invitation = await readWorkspace(workspace.id, (read) => findInvitation(read, token));
    if (!invitation) throw new NotFoundError();
    const passwordHash = await hashPassword(password, [invitation.email, workspace.name]);
    const fields = { ...names, passwordHash, timeZone: workspace.timeZone };
    await signInBy(workspace, "invitation", async (db) => (await acceptInvitation(db, token, fields, from)).id);
  } catch (error) {
    return error instanceof NotFoundError ? refusedFor(form, "", gone) : refused(form, error);
  }
  redirect("/admin");
}

const gone = "This invitation is no longer valid. If you already accepted it, sign in. Otherwise, ask for a new one.";
