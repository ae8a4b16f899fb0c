/** A text for each of a language's plural forms. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * Fills the placeholders of a text. Numbers are written as the language writes them.
 * @param values `count` chooses the plural form
 */
export function say(language: string, text: string | Plural, values: Record<string, string | number> = {}): string {
  return formOf(language, text, values.count).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

function formOf(language: string, text: string | Plural, count: string | number = 0): string {
  if (typeof text === "string") return text;
  return text[new Intl.PluralRules(language).select(Number(count))] ?? text.other;
}
