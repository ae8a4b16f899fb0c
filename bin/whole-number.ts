/**
 * Parses a whole number from the command line.
 * @param name of the option, without its dashes
 * @param text the value, or undefined if it is missing
 * @param usage the program's usage, shown for an invalid value
 * @throws Error unless it is a whole number from 0 up
 */
export function wholeNumber(name: string, text: string | undefined, fallback: number, usage: string): number {
  const value = Number(text ?? fallback);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} must be a whole number.\n${usage}`);
}
