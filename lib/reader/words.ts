import { ar } from "./words/ar";
import { de } from "./words/de";
import { type Catalog, en } from "./words/en";
import { es } from "./words/es";
import { fr } from "./words/fr";
import { it } from "./words/it";
import { ja } from "./words/ja";
import { ko } from "./words/ko";
import { nl } from "./words/nl";
import { pl } from "./words/pl";
import { ptBR } from "./words/pt-BR";
import { zhHans } from "./words/zh-Hans";

/** By language, or by language and script. */
export const catalogs: Record<string, Catalog> = {
  en,
  de,
  fr,
  es,
  pt: ptBR,
  it,
  nl,
  pl,
  ja,
  ko,
  "zh-Hans": zhHans,
  ar,
};

export interface Words extends Catalog {
  /** Numbers and dates are written by the rules of this BCP 47 tag. */
  language: string;
  /** Attributes for what is said in English on the pages of a workspace in another language. */
  region: { lang?: "en"; dir?: "ltr" };
}

/** The words for a workspace's language, in English when there is no translation. */
export function wordsFor(tag: string): Words {
  const { language, script } = new Intl.Locale(tag).maximize();
  const found = catalogs[language] ?? catalogs[`${language}-${script}`];
  return found
    ? { ...found, language: tag, region: {} }
    : { ...en, language: "en", region: { lang: "en", dir: "ltr" } };
}
