import { type Actor, recordAudit } from "@/lib/audit";
import { colourOf } from "@/lib/colors";
import { type Db, readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";

/**
 * Changes the colour of the workspace, as readers and members see it. What cannot be read in it is not refused: it is shown
 * in a shade that can (lib/colors.ts).
 * @param given see colourOf (lib/colors.ts); null for the product's own
 * @returns the colour before
 * @throws InvalidError for what is no colour
 */
export async function setAccentColor(db: Db, given: string | null, actor: Actor): Promise<string | null> {
  const colour = given === null ? null : colourOf(given);
  if (given !== null && colour === null) {
    const message = "Write the colour as # and six digits from 0 to 9 and a to f, such as #155e63.";
    throw new InvalidError([{ field: "colour", code: given.trim() === "" ? "required" : "invalid", message }]);
  }
  const [before] = await readingOf(db)<{ id: string; name: string; colour: string | null }>(
    "SELECT id, name, accent_color AS colour FROM workspaces FOR NO KEY UPDATE",
  );
  if (!before) throw new Error("The wall shows no workspace.");
  if (before.colour === colour) return colour;
  await db.workspace.updateMany({ data: { accentColor: colour, updatedAt: new Date() } });
  const subject = { kind: "workspace", id: before.id, name: before.name };
  const details = { accentColor: `${before.colour ?? "none"} → ${colour ?? "none"}` };
  await recordAudit(db, actor, "workspace.updated", subject, details);
  return before.colour;
}
