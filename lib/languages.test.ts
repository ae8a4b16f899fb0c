import { expect, test } from "vitest";
import { directionOf, languageTag } from "@/lib/languages";

test.each([
  ["de", "de"],
  ["de_DE", "de-DE"],
  [" PT-br ", "pt-BR"],
  ["", "en"],
  ["Deutsch, bitte", "en"],
  ["x", "en"],
])("%j is the language %s", (text, tag) => {
  expect(languageTag(text)).toBe(tag);
  expect(() => new Intl.DateTimeFormat(languageTag(text))).not.toThrow();
});

test("languages are written from right to left where their script is", () => {
  for (const tag of ["ar", "he", "fa", "ur", "ar-EG", "uz-Arab", "yi"])
    expect([tag, directionOf(tag)]).toEqual([tag, "rtl"]);
  for (const tag of ["en", "de-DE", "ja", "uz", "und"]) expect([tag, directionOf(tag)]).toEqual([tag, "ltr"]);
});
