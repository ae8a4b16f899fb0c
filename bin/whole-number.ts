/**
 * A whole number of the command line.
 * @param name of the option, without its dashes
 * @param given what stands behind it, or undefined where it is not there
 * @param usage what the program is called with, said where it is none
 * @throws Error where it is no whole number from 0 on
 */
export function wholeNumber(name: string, given: string | undefined, fallback: number, usage: string): number {
  const value = Number(given ?? fallback);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} is a whole number.\n${usage}`);
}
