import { folded } from "./match";

export interface PaletteEntry {
  /** Unique among all shown entries. */
  id: string;
  name: string;
  group: string;
  /** Search terms besides the name. */
  words?: string;
  note?: string;
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** How well an entry matches the typed text. 0 is best, null is no match. */
function distance({ name: fullName, words = "" }: PaletteEntry, typed: string): number | null {
  const name = folded(fullName);
  const sought = typed.split(/\s+/);
  const everyBegins = (text: string) => sought.every((word) => wordsOf(text).some((one) => one.startsWith(word)));
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (everyBegins(name)) return 2;
  if (sought.every((word) => name.includes(word))) return 3;
  return everyBegins(`${name} ${folded(words)}`) ? 4 : null;
}

/**
 * The entries that match the typed text, best first, in groups. The group with the best entry comes first. Equal
 * entries keep their order. An empty text matches everything.
 * @param found search results, kept whatever their names
 */
export function ranked<Entry extends PaletteEntry>(
  entries: readonly Entry[],
  found: readonly Entry[],
  text: string,
): { group: string; entries: Entry[] }[] {
  const typed = folded(text).trim();
  const known = new Set(entries);
  const fitting = [...entries, ...found]
    .map((entry) => ({ entry, at: typed === "" ? 0 : (distance(entry, typed) ?? (known.has(entry) ? null : 5)) }))
    .filter((one): one is { entry: Entry; at: number } => one.at !== null)
    .sort((a, b) => a.at - b.at);
  const groups = new Map<string, Entry[]>();
  for (const { entry } of fitting) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups].map(([group, entries]) => ({ group, entries }));
}
