/**
 * A whole number of the command line.
 * @param name of the option, without its dashes
 * @param text what stands behind it, or undefined where it is not there
 * @param usage what the program is called with, said where it is none
 * @throws Error where it is no whole number from 0 on
 */
export function wholeNumber(name: string, text: string | undefined, fallback: number, usage: string): number {
  const value = Number(text ?? fallback);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} is a whole number.\n${usage}`);
}
