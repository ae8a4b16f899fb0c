const MAC: Record<string, string> = { Ctrl: "⌘", Shift: "⇧", Alt: "⌥" };
/** The order of modifier keys on a Mac. */
const ORDER = "⌥⇧⌘";

/** Whether to show Mac key names, with Command instead of Ctrl. */
export function isMac(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keys in the notation of the writer's system, such as Ctrl+Shift+Z or ⇧⌘Z. */
export function keysHere(keys: string, onMac = isMac()): string {
  if (!onMac) return keys;
  const named = keys.split("+").map((key) => MAC[key] ?? key);
  const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return named.sort((one, other) => place(one) - place(other)).join("");
}
