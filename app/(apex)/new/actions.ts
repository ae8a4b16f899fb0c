"use server";

import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import type { Actor } from "@/lib/audit";
import { env } from "@/lib/env";
import { InvalidError } from "@/lib/errors";
import { refusedWith, spoken, textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import { checkPassword, hashPassword } from "@/lib/passwords";
import { currentRequest } from "@/lib/request";
import { requestedSite } from "@/lib/site";
import { checkWorkspace, createWorkspace } from "@/lib/workspaces";
import { countOnApex } from "@/lib/workspaces/limits";
import { suggestedSubdomain } from "./suggestion";

/**
 * For anybody, where it is switched on. Nothing proves the e-mail address: it is the name of an account that nobody else
 * has, and a first run has no mail server. Leads to the sign-in of the new workspace: a session belongs to one host.
 */
export async function submitNew(_before: FormState, form: FormData): Promise<FormState> {
  if (!env().workspaceCreation || (await requestedSite()).kind !== "apex") notFound();
  const name = textOf(form, "name");
  const email = textOf(form, "email").trim();
  const password = textOf(form, "password");
  const given = {
    name,
    subdomain: textOf(form, "subdomain").trim() || suggestedSubdomain(name),
    administrator: { email, firstName: textOf(form, "firstName"), lastName: textOf(form, "lastName") },
  };
  const ip = (await headers()).get("x-forwarded-for");
  const tooMany = (seconds: number) => {
    const message = `Too many knowledge bases were asked for from where you are: try again in ${spoken(seconds)}.`;
    return refusedWith(form, [{ field: "", message }]);
  };
  // A form that is refused tells whether a subdomain is free, like the look while it is typed.
  const pause = await countOnApex("subdomain tried", ip);
  if (pause !== null) return tooMany(pause);
  const { invalid, subdomain } = await checkWorkspace(given);
  const not = [email, name];
  invalid.push(...checkPassword(password, not));
  if (invalid.length > 0) return refusedWith(form, invalid);
  const wait = await countOnApex("workspace made", ip);
  if (wait !== null) return tooMany(wait);
  const actor: Actor = { kind: "member", id: null, name: email, ip: ip ?? undefined, requestId: currentRequest()?.id };
  try {
    // Outside the transaction: it takes its time.
    const passwordHash = await hashPassword(password, not);
    await createWorkspace({ ...given, administrator: { ...given.administrator, passwordHash } }, actor);
  } catch (error) {
    if (error instanceof InvalidError) return refusedWith(form, error.fields);
    throw error;
  }
  redirect(`${workspaceUrl(subdomain, env().baseUrl)}/admin/sign-in?${new URLSearchParams({ done: "made", email })}`);
}
