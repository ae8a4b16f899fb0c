const MAC: Record<string, string> = { Ctrl: "⌘", Shift: "⇧", Alt: "⌥" };
/** In which order a Mac names keys that are held. */
const ORDER = "⌥⇧⌘";

/** Whether keys are named as on a Mac here, where Command does what Ctrl does elsewhere. */
export function isMac(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keys as they stand on the keyboard that is used, such as Ctrl+Shift+Z or ⇧⌘Z. */
export function keysHere(keys: string, onMac = isMac()): string {
  if (!onMac) return keys;
  const named = keys.split("+").map((key) => MAC[key] ?? key);
  const place = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return named.sort((one, other) => place(one) - place(other)).join("");
}
