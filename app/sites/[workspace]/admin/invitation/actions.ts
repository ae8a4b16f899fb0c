"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { acceptInvitation, findInvitation } from "@/lib/invitations";
import { hashPassword } from "@/lib/passwords";
import { requestOrigin, signInBy } from "@/lib/session";
import { publicWorkspace, requestedSite } from "@/lib/site";
import { refused, refusedFor } from "../_form";

/** The link is what proves who asks: whoever opens it is not a member yet. */
export async function submitAccept(_before: FormState, form: FormData): Promise<FormState> {
  const site = await requestedSite();
  if (site.kind !== "subdomain") notFound();
  const workspace = await publicWorkspace(site.subdomain);
  const given = { firstName: textOf(form, "firstName"), lastName: textOf(form, "lastName") };
  const password = textOf(form, "password");
  const token = textOf(form, "token");
  const from = await requestOrigin();
  try {
    // Hashing takes its time: not for whoever has no link.
    const invitation = await readWorkspace(workspace.id, (read) => findInvitation(read, token));
    if (!invitation) throw new NotFoundError();
    const passwordHash = await hashPassword(password, [invitation.email, workspace.name]);
    const fields = { ...given, passwordHash, timeZone: workspace.timeZone };
    await signInBy(workspace, "invitation", async (db) => (await acceptInvitation(db, token, fields, from)).id);
  } catch (error) {
    return error instanceof NotFoundError ? refusedFor(form, "", gone) : refused(form, error);
  }
  redirect("/admin");
}

const gone =
  "This invitation is not open any more. If you have accepted it, sign in; otherwise ask whoever invited you for a new one.";
