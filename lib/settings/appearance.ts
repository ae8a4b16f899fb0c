import type { Actor } from "@/lib/audit/audit";
import type { Db } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { changeWorkspace } from "@/lib/settings/change-workspace";
import { parseColor } from "@/lib/settings/colors";
import { LOGO } from "@/lib/uploads/images";
import { imageNamed, keepForADay } from "@/lib/uploads/uploads";

/** Unreadable colors are accepted, and shown in a readable shade (accentFor). Returns the color before. */
export async function setAccentColor(db: Db, text: string | null, actor: Actor): Promise<string | null> {
  const color = text === null ? null : parseColor(text);
  if (text !== null && color === null) {
    const message = "Enter a color such as #155e63.";
    throw new InvalidError([{ field: "color", code: text.trim() === "" ? "required" : "invalid", message }]);
  }
  return (await changeWorkspace(db, { accentColor: color }, actor)).accentColor;
}

export async function setLogo(db: Db, uploadId: string | null, actor: Actor): Promise<string | null> {
  const filename = await imageNamed(db, uploadId, ({ width, height }) => width <= LOGO.width && height <= LOGO.height);
  const details = { logo: filename ?? "none" };
  const previous = await changeWorkspace(db, { logoUploadId: uploadId }, actor, { details: () => details });
  if (previous.logoUploadId !== uploadId) await keepForADay(db, [previous.logoUploadId, uploadId]);
  return previous.logoUploadId;
}
