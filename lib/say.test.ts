import { expect, test } from "vitest";
import { say } from "@/lib/say";

test("numbers are written, and plural forms chosen, as the language does", () => {
  const articles = {
    one: "{count} artykuł",
    few: "{count} artykuły",
    many: "{count} artykułów",
    other: "{count} artykułu",
  };
  expect([1, 3, 5, 1.5].map((count) => say("pl", articles, { count }))).toEqual([
    "1 artykuł",
    "3 artykuły",
    "5 artykułów",
    "1,5 artykułu",
  ]);
  expect(say("de", "{first}–{last} von {count}", { first: 1, last: 20, count: 1_234 })).toBe("1–20 von 1.234");
});

test("a value is not read as a text with placeholders, and an unknown placeholder stays", () => {
  expect(say("en", "{a} {b}", { a: "{b}" })).toBe("{b} {b}");
  expect(say("en", { other: "{count}" }, { count: 2 })).toBe("2");
});
