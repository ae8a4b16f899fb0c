/** Formats a number, such as "1,234". */
export function number(value: number): string {
  return value.toLocaleString("en");
}

/** A number with its noun, such as "1 view" or "1,234 views". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
