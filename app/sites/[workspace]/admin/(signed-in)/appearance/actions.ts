"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { setAccentColor } from "@/lib/appearance";
import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { setLogo } from "@/lib/uploads";
import { idOf, refused } from "../../_form";

const page = "/admin/appearance";

/** Takes the logo away, or brings one back. */
export async function submitLogo(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const upload = idOf(textOf(form, "upload"));
  let was: string | null;
  try {
    was = await inWorkspace(workspace.id, (db) => setLogo(db, upload, actor));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    redirect(`${page}?refused=gone`);
  }
  redirect(upload ? `${page}?done=restored` : `${page}?done=removed&was=${was ?? "none"}`);
}

export async function submitColour(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireActor("settings.manage");
  let was: string | null;
  try {
    was = await inWorkspace(workspace.id, (db) => setAccentColor(db, textOf(form, "colour"), actor));
  } catch (error) {
    return refused(form, error);
  }
  redirect(`${page}?done=colour&was=${was?.slice(1) ?? "none"}`);
}

/** The colour that was there before, or the product's own: what a button alone asks for. */
export async function submitFormerColour(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("settings.manage");
  const colour = textOf(form, "colour") || null;
  let was: string | null;
  try {
    was = await inWorkspace(workspace.id, (db) => setAccentColor(db, colour, actor));
  } catch (error) {
    // No button asks for what is no colour.
    if (!(error instanceof InvalidError)) throw error;
    redirect(page);
  }
  redirect(`${page}?done=${colour ? "colour" : "reset"}&was=${was?.slice(1) ?? "none"}`);
}
