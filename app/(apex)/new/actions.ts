"use server";

import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import type { Actor } from "@/lib/audit/audit";
import { takeLimit } from "@/lib/counters";
import { inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError } from "@/lib/errors";
import { refusedWith, spoken, textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { currentRequest } from "@/lib/http/request";
import { isTimeZone } from "@/lib/members/members";
import { checkPassword, hashPassword } from "@/lib/members/passwords";
import { makeSignInToken } from "@/lib/members/sign-in-links";
import { currentTimeZone } from "@/lib/members/time-zones";
import { requestedSite } from "@/lib/site";
import { checkWorkspace, createWorkspace } from "@/lib/workspaces/workspaces";
import { suggestedSubdomain } from "./_suggestion";

/**
 * Open to everyone. Nothing proves the email, since a first run has no mail server. Redirects to a sign-in
 * link of the new workspace, since a session belongs to one host.
 */
export async function submitNew(_before: FormState, form: FormData): Promise<FormState> {
  if (!env().workspaceCreation || (await requestedSite()).kind !== "apex") notFound();
  const name = textOf(form, "name");
  const email = textOf(form, "email").trim();
  const password = textOf(form, "password");
  const timeZone = currentTimeZone(textOf(form, "timeZone"));
  const input = {
    name,
    ...(isTimeZone(timeZone) && { timeZone }),
    subdomain: textOf(form, "subdomain").trim() || suggestedSubdomain(name),
    administrator: { email, firstName: textOf(form, "firstName"), lastName: textOf(form, "lastName") },
  };
  const ip = (await headers()).get("x-forwarded-for");
  const tooMany = (seconds: number) => {
    const message = `Too many attempts. Try again in ${spoken(seconds)}.`;
    return refusedWith(form, [{ field: "", message }]);
  };
  // A refused form reveals whether a subdomain is free, like the check while typing.
  const pause = await takeLimit("checkSubdomain", { network: ip });
  if (pause !== null) return tooMany(pause);
  const { invalid, subdomain } = await checkWorkspace(input);
  const not = [email, name];
  invalid.push(...checkPassword(password, not));
  if (invalid.length > 0) return refusedWith(form, invalid);
  const wait = await takeLimit("createWorkspace", { network: ip });
  if (wait !== null) return tooMany(wait);
  const actor: Actor = { kind: "member", id: null, name: email, ip: ip ?? undefined, requestId: currentRequest()?.id };
  let token: string;
  try {
    // Slow, so outside the transaction.
    const passwordHash = await hashPassword(password, not);
    const { id } = await createWorkspace({ ...input, administrator: { ...input.administrator, passwordHash } }, actor);
    token = await inWorkspace(id, (db) => makeSignInToken(db, email));
  } catch (error) {
    if (error instanceof InvalidError) return refusedWith(form, error.fields);
    throw error;
  }
  redirect(
    `${workspaceUrl(subdomain, env().baseUrl)}/admin/sign-in/link?${new URLSearchParams({ token, done: "created" })}`,
  );
}
