"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { refusedWith, spoken, textOf } from "@/lib/form";
import { MemberFields } from "@/lib/members";
import { requestedSite } from "@/lib/site";
import { countMailsTo, countOnApex } from "@/lib/workspaces/limits";
import { mailWorkspacesOf } from "@/lib/workspaces/whereabouts";

/** What the form shows: once it was sent, to which address a mail goes, if it is anybody's. */
export interface FindState extends FormState {
  sentTo?: string;
}

/** For anybody. What it answers, and how long that takes, does not tell whether the address is known. */
export async function submitFind(_before: FindState, form: FormData): Promise<FindState> {
  if ((await requestedSite()).kind !== "apex") notFound();
  const address = MemberFields.email.safeParse(textOf(form, "email"));
  if (!address.success) {
    return refusedWith(form, [{ field: "email", message: "Type an e-mail address, such as name@example.com." }]);
  }
  const email = address.data;
  const wait = await countOnApex("workspaces asked", (await headers()).get("x-forwarded-for"));
  if (wait !== null) {
    const message = `Too many addresses were asked for from where you are: try again in ${spoken(wait)}.`;
    return refusedWith(form, [{ field: "", message }]);
  }
  const pause = await countMailsTo(email);
  if (pause !== null) {
    const message = `This address was asked for several times within the hour. Look into its inbox, also among the junk, or try again in ${spoken(pause)}.`;
    return refusedWith(form, [{ field: "email", message }]);
  }
  await mailWorkspacesOf(email);
  return { values: {}, errors: {}, sentTo: email };
}
