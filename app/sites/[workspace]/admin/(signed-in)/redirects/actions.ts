"use server";

import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import {
  addRedirect,
  changeRedirect,
  type PossibleTarget,
  possibleTargets,
  type Redirect,
  type RequestedTarget,
  removeRedirect,
} from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { found, refused, refusedFor } from "../../_form";
import { isAddress } from "./_address";

export interface RedirectState extends FormState {
  /** The matches for typed words. */
  choices: { value: string; name: string; address: string }[];
}

/** Adds a redirect, or changes the one that the form names. Words instead of a URL lead to a choice as a second step. */
export async function submitRedirect(_previous: RedirectState, form: FormData): Promise<RedirectState> {
  const { workspace, actor } = await requireMember("settings.manage");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  const id = textOf(form, "id");
  const typed = textOf(form, "to").trim();
  const isTitle = textOf(form, "leads") !== "gone" && typed !== "" && !isAddress(typed);
  const possible = isTitle
    ? await readWorkspace(workspace.id, (read) => possibleTargets(read, workspace.id, typed))
    : [];
  const choices = possible.map((one) => ({ value: `${one.kind}:${one.id}`, name: one.name, address: one.address }));
  const to = isTitle ? chosenTarget(possible, typed, textOf(form, "chosen")) : typedTarget(form, typed);
  if (to === null) {
    const message =
      choices.length > 0
        ? "Choose a match below."
        : "No matches. Enter another title, a path such as /articles/refunds, or a full URL.";
    return { ...refusedFor(form, "to", message), choices };
  }
  let saved: Redirect;
  try {
    saved = await inWorkspace(workspace.id, (db) =>
      id ? changeRedirect(db, id, to, home, actor) : addRedirect(db, { from: textOf(form, "from"), to }, home, actor),
    );
  } catch (error) {
    return { ...refused(form, error), choices };
  }
  return redirectWith("/admin/redirects", `Redirect from ${saved.fromPath} ${id ? "saved" : "added"}`);
}

function typedTarget(form: FormData, typed: string): RequestedTarget {
  return textOf(form, "leads") === "gone" ? { kind: "gone" } : { kind: "address", address: typed };
}

/** The chosen match, or the only match with exactly this name. */
function chosenTarget(possible: PossibleTarget[], typed: string, chosen: string): RequestedTarget | null {
  const named = possible.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const one =
    possible.find(({ kind, id }) => `${kind}:${id}` === chosen) ?? (named.length === 1 ? named[0] : undefined);
  return one ? { kind: one.kind, id: one.id } : null;
}

export async function submitRemoveRedirect(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const id = textOf(form, "id");
  const { fromPath } = await found(inWorkspace(workspace.id, (db) => removeRedirect(db, id, actor)));
  const message = `Redirect from ${fromPath} removed`;
  return redirectWith("/admin/redirects", message, { name: "deletion", fields: { one: `redirect:${id}` } });
}
