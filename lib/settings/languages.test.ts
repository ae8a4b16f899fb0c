import { expect, test } from "vitest";
import { directionOf, isLanguage, languageChoices, languageTag } from "@/lib/settings/languages";

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

test("languages are offered by name, with the chosen one among them, whatever it is", () => {
  const offered = languageChoices("eo");
  expect(offered).toContainEqual({ value: "de", name: "German – Deutsch" });
  expect(offered).toContainEqual({ value: "en", name: "English" });
  expect(offered).toContainEqual({ value: "eo", name: "Esperanto" });
  expect(offered.every(({ value }) => isLanguage(value))).toBe(true);
  expect(languageChoices("canary-xx")).toContainEqual({ value: "canary-xx", name: "canary-xx" });
});
