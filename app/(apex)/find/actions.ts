"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { takeLimit } from "@/lib/counters";
import { refusedWith, spoken, textOf } from "@/lib/http/form";
import { MemberFields } from "@/lib/members/members";
import { requestedSite } from "@/lib/site";
import { mailWorkspacesOf } from "@/lib/workspaces/whereabouts";

export interface FindState extends FormState {
  sentTo?: string;
}

/** Open to everyone. Neither the answer nor its time reveals whether the email is known. */
export async function submitFind(_before: FindState, form: FormData): Promise<FindState> {
  if ((await requestedSite()).kind !== "apex") notFound();
  const address = MemberFields.email.safeParse(textOf(form, "email"));
  if (!address.success) {
    return refusedWith(form, [{ field: "email", message: "Enter a valid email, such as name@example.com." }]);
  }
  const email = address.data;
  const wait = await takeLimit("findWorkspaces", { network: (await headers()).get("x-forwarded-for") });
  if (wait !== null) {
    const message = `Too many attempts. Try again in ${spoken(wait)}.`;
    return refusedWith(form, [{ field: "", message }]);
  }
  const pause = await takeLimit("findWorkspacesMail", { email });
  if (pause !== null) {
    const message = `Already sent several times. Check your spam folder, or try again in ${spoken(pause)}.`;
    return refusedWith(form, [{ field: "email", message }]);
  }
  await mailWorkspacesOf(email);
  return { values: {}, errors: {}, sentTo: email };
}
