import { type Actor, recordAudit } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { isLanguage } from "@/lib/languages";
import { isTimeZone } from "@/lib/members";

export interface Settings {
  name: string;
  subdomain: string;
}

/** What of a workspace is changed by its members: absent means unchanged. */
export interface GeneralSettings {
  /** The name that readers see, 1 to 100 characters. */
  name?: string;
  /** A canonical BCP 47 tag such as "pt-BR". */
  language?: string;
  /** An IANA name. */
  timeZone?: string;
}

/** The settings of the workspace that the wall stands around, or null when it is gone. */
export async function findSettings(read: Read): Promise<Settings | null> {
  const [settings] = await read<Settings>("SELECT name, subdomain FROM workspaces");
  return settings ?? null;
}

/** The settings of the workspace that the wall stands around. */
export async function getSettings(read: Read): Promise<Settings> {
  const settings = await findSettings(read);
  if (!settings) throw new Error("The wall shows no workspace.");
  return settings;
}

/**
 * Changes the name, the language or the time zone of the workspace that the wall stands around. Readers see it with their
 * next page.
 * @throws InvalidError naming every field that cannot be
 */
export async function updateSettings(db: Db, changes: GeneralSettings, actor: Actor): Promise<void> {
  const given = checkedSettings(changes);
  // Until the transaction ends nobody else changes them: the audit log says what really was before.
  const [before] = await readingOf(db)<Required<GeneralSettings> & { id: string }>(
    `SELECT id, name, language, time_zone AS "timeZone" FROM workspaces FOR NO KEY UPDATE`,
  );
  if (!before) throw new Error("The wall shows no workspace.");
  const changed = Object.entries(given).filter(
    ([name, value]) => value !== undefined && before[name as keyof GeneralSettings] !== value,
  );
  if (changed.length === 0) return;
  await db.workspace.updateMany({ data: { ...Object.fromEntries(changed), updatedAt: new Date() } });
  const details = Object.fromEntries(
    changed.map(([name, value]) => [name, `${before[name as keyof GeneralSettings]} → ${value}`]),
  );
  const name = given.name ?? before.name;
  await recordAudit(db, actor, "workspace.updated", { kind: "workspace", id: before.id, name }, details);
}

/**
 * The same values as they are stored.
 * @throws InvalidError
 */
function checkedSettings(given: GeneralSettings): GeneralSettings {
  const { invalid, checked } = checkSettings(given);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return checked;
}

/** What is wrong with each of the values, and those values as they are stored. */
export function checkSettings<Given extends GeneralSettings>(
  given: Given,
): { invalid: InvalidField[]; checked: Given } {
  const checked = { ...given, ...(given.name !== undefined && { name: given.name.trim().normalize("NFC") }) };
  const invalid: InvalidField[] = [];
  const refuse = (field: string, code: InvalidField["code"], message: string) => invalid.push({ field, code, message });
  if (checked.name !== undefined) {
    if (checked.name === "" || checked.name.length > 100) {
      const code = checked.name === "" ? "required" : "too_long";
      refuse("name", code, "A workspace has a name of 1 to 100 characters.");
    } else if (/\p{Cc}/u.test(checked.name)) {
      refuse("name", "invalid", "A workspace's name is one line, without control characters.");
    }
  }
  if (checked.language !== undefined && !isLanguage(checked.language)) {
    refuse("language", "invalid", "The language is not a tag of a known language, such as de or pt-BR.");
  }
  if (checked.timeZone !== undefined && !isTimeZone(checked.timeZone)) {
    refuse("timeZone", "invalid", "The time zone is not an IANA name such as Europe/Berlin.");
  }
  return { invalid, checked };
}
