import type { Actor } from "@/lib/audit/audit";
import type { Db, Read } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { isTimeZone } from "@/lib/members/members";
import { isUrl } from "@/lib/members/names";
import { changeWorkspace } from "@/lib/settings/change-workspace";
import { isLanguage } from "@/lib/settings/languages";

export interface Settings {
  name: string;
  subdomain: string;
}

/** Absent means unchanged. */
export interface GeneralSettings {
  name?: string;
  language?: string;
  timeZone?: string;
}

export async function findSettings(read: Read): Promise<Settings | null> {
  const [settings] = await read<Settings>("SELECT name, subdomain FROM workspaces");
  return settings ?? null;
}

export async function getSettings(read: Read): Promise<Settings> {
  const settings = await findSettings(read);
  if (!settings) throw new Error("The wall shows no workspace.");
  return settings;
}

export async function updateSettings(db: Db, changes: GeneralSettings, actor: Actor): Promise<void> {
  const { invalid, checked } = checkSettings(changes);
  if (invalid.length > 0) throw new InvalidError(invalid);
  await changeWorkspace(db, checked, actor);
}

/** Validates settings and returns them as they are stored. */
export function checkSettings<Settings extends GeneralSettings>(
  settings: Settings,
): { invalid: InvalidField[]; checked: Settings } {
  const { name } = settings;
  const checked = { ...settings, ...(name !== undefined && { name: name.trim().normalize("NFC") }) };
  const invalid: InvalidField[] = [];
  const refuse = (field: string, code: InvalidField["code"], message: string) => invalid.push({ field, code, message });
  if (checked.name !== undefined) {
    if (checked.name === "" || checked.name.length > 100) {
      const code = checked.name === "" ? "required" : "too_long";
      refuse("name", code, "Enter a name of 1 to 100 characters.");
    } else if (/\p{Cc}/u.test(checked.name)) {
      refuse("name", "invalid", "A name can't contain line breaks or control characters.");
    } else if (isUrl(checked.name)) {
      refuse("name", "invalid", "A name can't contain a URL or an @.");
    }
  }
  if (checked.language !== undefined && !isLanguage(checked.language)) {
    refuse("language", "invalid", "The language must be a known language tag, such as de or pt-BR.");
  }
  if (checked.timeZone !== undefined && !isTimeZone(checked.timeZone)) {
    refuse("timeZone", "invalid", "The time zone must be an IANA name, such as Europe/Berlin.");
  }
  return { invalid, checked };
}
