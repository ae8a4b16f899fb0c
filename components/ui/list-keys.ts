/**
 * Where the keys lead that move through a list under a text field, whose place is -1.
 * @param active the place that is marked, from 0
 * @param options how many there are
 * @returns the next place, or null when the key is the field's own
 */
export function movedBy(key: string, active: number, options: number): number | null {
  if (options === 0) return null;
  if (key === "ArrowDown") return active + 1 < options ? active + 1 : -1;
  if (key === "ArrowUp") return active >= 0 ? active - 1 : options - 1;
  if (active < 0) return null;
  if (key === "Home") return 0;
  return key === "End" ? options - 1 : null;
}
