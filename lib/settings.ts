import type { Read } from "@/lib/db";

export interface Settings {
  name: string;
  subdomain: string;
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
