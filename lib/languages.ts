/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set("Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi".split(" "));

/**
 * A language as HTML and `Intl` take it: what is no tag of a language, such as nothing at all, is English.
 * @param text as somebody wrote it: "de", "de_DE", "PT-br"
 * @returns a BCP 47 tag
 */
export function languageTag(text: string): string {
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll("_", "-"))[0] ?? "en";
  } catch {
    return "en";
  }
}

/**
 * Which way a language is written.
 * @param tag from `languageTag`
 */
export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
}
