"use server";

import { notFound, redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { takeLimit } from "@/lib/counters";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { ProviderError, testProvider } from "@/lib/identity-provider/protocol";
import { checkedProvider, findProvider, removeProvider, saveProvider } from "@/lib/identity-provider/settings";
import { administratorPermissions, within } from "@/lib/members/roles";
import { twoStepRules } from "@/lib/members/two-step-rule";
import { requireMember } from "@/lib/session";
import { changeRetention, entryDays, ipDays, lossesOf, type Retention } from "@/lib/settings/retention";
import { updateSettings } from "@/lib/settings/settings";
import { changeTwoStepRule } from "@/lib/settings/two-step-rule";
import { scheduleDeletion } from "@/lib/workspaces/deletion";
import { changeSubdomain } from "@/lib/workspaces/subdomains";
import { redirectWith } from "../../_flash";
import { refused, refusedFor } from "../../_form";
import { wrongPassword, wrongUnlessFresh } from "../../_password";
import { providerDoor } from "./_provider-door";

/** Saves the changed settings, all or none. Asks for confirmation if that deletes data, and again after another choice. */
export async function submitSettings(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember("settings.manage");
  const { workspace, member, actor } = signed;
  // Unchanged fields keep what someone else may have saved since the page was opened.
  const isChanged = (name: string) => form.has(name) && textOf(form, name) !== textOf(form, `seen-${name}`);
  const names = (["name", "language", "timeZone"] as const).filter(isChanged);
  const general = Object.fromEntries(names.map((name) => [name, textOf(form, name)]));
  const rule = isChanged("rule") ? twoStepRules.find((one) => one === textOf(form, "rule")) : null;
  const retention = isChanged("entries") || isChanged("ips") ? retentionOf(form, isChanged) : null;
  if (rule === undefined) return refusedFor(form, "rule", "Choose who has to use two-step verification.");
  if (retention && "errors" in retention) return retention;
  const losses = retention ? await readWorkspace(workspace.id, (read) => lossesOf(read, retention)) : [];
  const warning = losses.length > 0 && refusedFor(form, "confirmed", `${losses.join(" ")} This can't be undone.`);
  if (warning && textOf(form, "confirmed") !== `${textOf(form, "entries")} ${textOf(form, "ips")}`) return warning;
  const wrong = rule || retention ? await wrongUnlessFresh(signed, form) : null;
  if (wrong) return warning ? { ...wrong, errors: { ...warning.errors, ...wrong.errors } } : wrong;
  try {
    await inWorkspace(workspace.id, async (db) => {
      await updateSettings(db, general, actor);
      if (rule) await changeTwoStepRule(db, rule, member, actor);
      if (retention) await changeRetention(db, retention, actor);
    });
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/settings", "Settings saved");
}

function retentionOf(form: FormData, isChanged: (name: string) => boolean): Partial<Retention> | FormState {
  const entries = entryDays.find((days) => String(days) === textOf(form, "entries"));
  const ips = ipDays.find((days) => String(days) === textOf(form, "ips"));
  if (entries === undefined) return refusedFor(form, "entries", "Choose how long to keep entries.");
  if (ips === undefined) return refusedFor(form, "ips", "Choose how long to keep IP addresses.");
  return { ...(isChanged("entries") && { entries }), ...(isChanged("ips") && { ips }) };
}

export async function submitProvider(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await providerDoor();
  const { workspace, member, actor } = signed;
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const typed = {
    name: textOf(form, "name"),
    issuer: textOf(form, "issuer"),
    clientId: textOf(form, "clientId"),
    clientSecret: textOf(form, "clientSecret"),
    newMemberRole: textOf(form, "newMemberRole") || null,
  };
  try {
    const stored = await readWorkspace(workspace.id, findProvider);
    const fields = checkedProvider(typed, stored);
    // Someone can close the door to new members while the provider is down.
    if (fields.issuer !== stored?.issuer) {
      if ((await takeLimit("testIdentityProvider", { workspace: workspace.id })) !== null)
        return refusedFor(form, "issuer", "Too many connection tests. Try again in an hour.");
      await testProvider(fields.issuer);
    }
    await inWorkspace(workspace.id, (db) => saveProvider(db, workspace.id, fields, actor, member.sessionId));
  } catch (error) {
    return error instanceof ProviderError ? refusedFor(form, "issuer", error.message) : refused(form, error);
  }
  return redirectWith("/admin/settings", "Identity provider saved");
}

export async function submitRemoveProvider(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await providerDoor();
  const { workspace, member, actor } = signed;
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  await inWorkspace(workspace.id, (db) => removeProvider(db, actor, member.sessionId));
  return redirectWith("/admin/settings", "Identity provider removed");
}

/** Redirects to the sign-in at the new URL, because sessions and messages belong to one host. */
export async function submitAddress(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember("settings.manage");
  if ((await takeLimit("changeSubdomain", { workspace: workspace.id })) !== null) {
    return refusedFor(form, "subdomain", "The URL was changed too often today. Try again tomorrow.");
  }
  let subdomain: string;
  try {
    subdomain = await changeSubdomain(workspace.id, textOf(form, "subdomain"), actor);
  } catch (error) {
    return refused(form, error);
  }
  if (subdomain === workspace.subdomain) redirect("/admin/settings");
  const query = new URLSearchParams({ done: "moved", email: member.email });
  redirect(`${workspaceUrl(subdomain, env().baseUrl)}/admin/sign-in?${query}`);
}

export async function submitDelete(_previous: FormState, form: FormData): Promise<FormState> {
  const signed = await requireMember("settings.manage");
  const { workspace, member, actor } = signed;
  // Only administrators may do this, because readers and programs lose access immediately.
  if (!within(member.permissions, administratorPermissions)) notFound();
  const wrong = await wrongPassword(signed, form);
  if (wrong) return wrong;
  try {
    await scheduleDeletion(workspace.id, textOf(form, "name"), actor);
  } catch (error) {
    return refused(form, error);
  }
  redirect("/admin/closing");
}
