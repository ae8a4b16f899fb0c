/**
 * The target of an arrow key in a list below a text field. The field's position is -1.
 * @param active the marked position, from 0
 * @param options the number of options
 * @returns the next position, or null when the field handles the key
 */
export function movedBy(key: string, active: number, options: number): number | null {
  if (options === 0) return null;
  if (key === "ArrowDown") return active + 1 < options ? active + 1 : -1;
  if (key === "ArrowUp") return active >= 0 ? active - 1 : options - 1;
  if (active < 0) return null;
  if (key === "Home") return 0;
  return key === "End" ? options - 1 : null;
}
