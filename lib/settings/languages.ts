const RIGHT_TO_LEFT = new Set("Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Yezi".split(" "));

/** A canonical BCP 47 tag for text such as "de_DE" or "PT-br"; "en" for text that is no tag. */
export function languageTag(text: string): string {
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll("_", "-"))[0] ?? "en";
  } catch {
    return "en";
  }
}

export function directionOf(tag: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
}

const common =
  "ar bg bn ca cs da de el en en-GB en-US es et eu fa fi fil fr gl he hi hr hu id is it ja ka kk ko lt lv mk ms nb nl pl pt pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur uz vi zh-Hans zh-Hant".split(
    " ",
  );

export function isLanguage(text: string): boolean {
  try {
    const [tag] = Intl.getCanonicalLocales(text);
    return tag === text && english.of(new Intl.Locale(text).language) !== undefined && text.length <= 35;
  } catch {
    return false;
  }
}

const english = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

export function languageChoices(chosen: string): { value: string; name: string }[] {
  return [...new Set([...common, chosen])]
    .map((tag) => ({ value: tag, name: nameOf(tag) }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

function nameOf(tag: string): string {
  const inEnglish = isLanguage(tag) ? english.of(tag) : undefined;
  if (!inEnglish) return tag;
  const own = new Intl.DisplayNames(tag, { type: "language", fallback: "none" }).of(tag);
  return !own || own === inEnglish ? inEnglish : `${inEnglish} – ${own}`;
}
