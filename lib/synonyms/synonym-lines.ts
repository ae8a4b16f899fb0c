import type { NewSynonym } from "@/lib/synonyms/synonyms";

/** The synonym is null when the line cannot be read. */
export interface SynonymLine {
  text: string;
  synonym: NewSynonym | null;
}

/** Reads a pasted list: `sign in = log in, sign on` is two-way, `pto > vacation` is one-way. */
export function synonymLinesIn(pasted: string): SynonymLine[] {
  return pasted
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((text) => ({ text, synonym: synonymIn(text) }));
}

function synonymIn(text: string): NewSynonym | null {
  const [sign] = /[=>]/.exec(text) ?? [];
  if (!sign) return null;
  const [term = "", ...rest] = text.split(sign);
  // The direction of "a = b > c" is unclear.
  if (rest.join().includes(sign === "=" ? ">" : "=")) return null;
  const replacements = rest
    .join(",")
    .split(",")
    .filter((word) => word.trim() !== "");
  return { term, replacements, twoWay: sign === "=" };
}
