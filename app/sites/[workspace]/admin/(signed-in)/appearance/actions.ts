"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import type { Undo } from "@/lib/session/flash";
import { setAccentColor, setLogo } from "@/lib/settings/appearance";
import { MOST_HEADER_LINKS } from "@/lib/settings/site-fields";
import { changeSite } from "@/lib/settings/site-settings";
import { redirectWith } from "../../_flash";
import { idOf, refused } from "../../_form";

const page = "/admin/appearance";
const COLOR_SAVED = "Color saved";

/** The texts of the home page, the contact and the links of the header. */
export async function submitSite(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("settings.manage");
  const links = Array.from({ length: MOST_HEADER_LINKS }, (_, index) => ({
    label: textOf(form, `label${index + 1}`),
    url: textOf(form, `url${index + 1}`),
  }));
  const input = {
    headline: textOf(form, "headline"),
    text: textOf(form, "text"),
    contact: textOf(form, "contact"),
    links,
  };
  try {
    await inWorkspace(workspace.id, (db) => changeSite(db, input, actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(page, "Site saved");
}

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
  if (upload) return redirectWith(page, "Logo restored");
  const undo: Undo | undefined = previous ? { name: "logo", fields: { upload: previous } } : undefined;
  return redirectWith(page, "Logo removed", undo);
}

export async function submitColor(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("settings.manage");
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => setAccentColor(db, textOf(form, "color"), actor));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(page, COLOR_SAVED, { name: "color", fields: { color: previous ?? "" } });
}

/** Restores the previous color, or the product's own: for buttons without a field. */
export async function submitFormerColor(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("settings.manage");
  const color = textOf(form, "color") || null;
  let previous: string | null;
  try {
    previous = await inWorkspace(workspace.id, (db) => setAccentColor(db, color, actor));
  } catch (error) {
    // Only a forged form sends an invalid color.
    if (!(error instanceof InvalidError)) throw error;
    redirect(page);
  }
  const message = color ? COLOR_SAVED : "Color reset";
  return redirectWith(page, message, { name: "color", fields: { color: previous ?? "" } });
}
