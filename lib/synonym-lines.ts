import type { GivenSynonym } from "@/lib/synonyms";

/** A line of a pasted list, with what it means; null where it cannot be read. */
export interface SynonymLine {
  text: string;
  given: GivenSynonym | null;
}

/**
 * Reads a pasted list: `sign in = log in, sign on` both ways, `pto > vacation` one way; more words that mean the same stand
 * apart by commas or by further signs. Lines without a word are left out. Pure.
 */
export function synonymLinesIn(pasted: string): SynonymLine[] {
  return pasted
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((text) => ({ text, given: givenIn(text) }));
}

function givenIn(text: string): GivenSynonym | null {
  const [sign] = /[=>]/.exec(text) ?? [];
  if (!sign) return null;
  const [term = "", ...rest] = text.split(sign);
  // A line says one thing: of "a = b > c" nobody knows which way is meant.
  if (rest.join().includes(sign === "=" ? ">" : "=")) return null;
  const replacements = rest
    .join(",")
    .split(",")
    .filter((word) => word.trim() !== "");
  return { term, replacements, twoWay: sign === "=" };
}
