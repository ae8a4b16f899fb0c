"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import {
  addRedirect,
  changeRedirect,
  type GivenTarget,
  type PossibleTarget,
  possibleTargets,
  removeRedirect,
  restoreRedirect,
} from "@/lib/redirects";
import { requireActor } from "@/lib/session";
import { found, refused, refusedFor } from "../../_form";

export interface RedirectState extends FormState {
  /** What fits the words that were typed instead of an address: one of them is chosen. */
  choices: { value: string; name: string; address: string }[];
}

/** Makes a redirect, or changes the one that the form names. Who gives words instead of an address chooses in a second step. */
export async function submitRedirect(_before: RedirectState, form: FormData): Promise<RedirectState> {
  const { workspace, actor } = await requireActor("settings.manage");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const id = textOf(form, "id");
  const typed = textOf(form, "to").trim();
  const isTitle = textOf(form, "leads") !== "gone" && typed !== "" && !/^(\/|[a-z][a-z\d+.-]*:)/i.test(typed);
  const possible = isTitle
    ? await readWorkspace(workspace.id, (read) => possibleTargets(read, workspace.id, typed))
    : [];
  const choices = possible.map((one) => ({ value: `${one.kind}:${one.id}`, name: one.name, address: one.address }));
  const to = isTitle ? chosenOf(possible, typed, textOf(form, "chosen")) : addressOrGone(form, typed);
  if (to === null) {
    const message =
      choices.length > 0
        ? "Choose which one you mean."
        : "No article or category that readers find has these words. An address begins with a slash or https://.";
    return { ...refusedFor(form, "to", message), choices };
  }
  let saved: { id: string };
  try {
    saved = await inWorkspace(workspace.id, (db) =>
      id ? changeRedirect(db, id, to, home, actor) : addRedirect(db, { from: textOf(form, "from"), to }, home, actor),
    );
  } catch (error) {
    return { ...refused(form, error), choices };
  }
  redirect(`/admin/redirects?done=saved&of=${saved.id}`);
}

function addressOrGone(form: FormData, typed: string): GivenTarget {
  return textOf(form, "leads") === "gone" ? { kind: "gone" } : { kind: "address", address: typed };
}

/** The one that was chosen, or the only one with just this name. */
function chosenOf(possible: PossibleTarget[], typed: string, chosen: string): GivenTarget | null {
  const named = possible.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const one =
    possible.find(({ kind, id }) => `${kind}:${id}` === chosen) ?? (named.length === 1 ? named[0] : undefined);
  return one ? { kind: one.kind, id: one.id } : null;
}

export async function submitRemoveRedirect(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const id = textOf(form, "id");
  await found(inWorkspace(workspace.id, (db) => removeRedirect(db, id, actor)));
  redirect(`/admin/redirects?done=removed&of=${id}`);
}

/** Brings back what was just removed, unless something else is at its address by now. */
export async function submitRestoreRedirect(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  let restored: { id: string };
  try {
    restored = await inWorkspace(workspace.id, (db) => restoreRedirect(db, textOf(form, "id"), home, actor));
  } catch (error) {
    refused(form, error);
    redirect("/admin/redirects?done=not-restored");
  }
  redirect(`/admin/redirects?done=restored&of=${restored.id}`);
}
