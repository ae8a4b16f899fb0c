"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { setAccentColor, setLogo } from "@/lib/settings/appearance";
import { redirectWith } from "../../_flash";
import { idOf, refused } from "../../_form";

const page = "/admin/appearance";
const COLOR_SAVED = "The colour is saved, and shown from now on.";

/** Removes the logo, or restores one. */
export async function submitLogo(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const upload = idOf(textOf(form, "upload"));
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => setLogo(db, upload, actor));
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    redirect(`${page}?refused=gone`);
  }
  if (upload) return redirectWith(page, "The logo is back.");
  const undo: Undo | undefined = previous ? { name: "logo", fields: { upload: previous } } : undefined;
  return redirectWith(page, "The logo is removed.", undo);
}

export async function submitColor(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("settings.manage");
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => setAccentColor(db, textOf(form, "colour"), actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(page, COLOR_SAVED, { name: "color", fields: { colour: previous ?? "" } });
}

/** Restores the previous color, or the product's own: for buttons without a field. */
export async function submitFormerColor(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const color = textOf(form, "colour") || null;
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => setAccentColor(db, color, actor));
  } catch (error) {
    // Only a forged form sends an invalid color.
    if (!(error instanceof InvalidError)) throw error;
    redirect(page);
  }
  const message = color ? COLOR_SAVED : "The product’s own colour is shown from now on.";
  return redirectWith(page, message, { name: "color", fields: { colour: previous ?? "" } });
}
