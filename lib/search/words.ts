/**
 * The words of a text, folded, in order: runs of letters and runs of digits, without case and accents. Compounds count
 * whole and in their parts (`ntddndis.h` gives ntddndis and h; `IPv6` gives ipv and 6): a prefix of any part finds it.
 * Splitting is ours and not the database's, whose parser keeps hosts, files and hyphenated compounds as one token and
 * whose idea of a letter depends on its locale.
 */
export function wordsOf(text: string): string[] {
  return fold(text).match(/\p{L}+|\p{N}+/gu) ?? [];
}

/** A text without case, accents, compatibility forms, and the marks that only help reading. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ");
}
