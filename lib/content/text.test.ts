import { expect, test } from "vitest";
import { excerpt } from "@/lib/content/text";

test.each([
  ["short", 10, "short"],
  [" one two three ", 7, "one two"],
  ["one two three", 8, "one two"],
  ["one two three", 9, "one two"],
  ["one\ntwo three", 5, "one"],
  ["one, two", 4, "one,"],
  ["unbreakable", 5, "unbre"],
  ["ab🙂cd", 3, "ab"],
])("of %j the first %i characters are %j", (text, characters, start) => {
  expect(excerpt(text, characters)).toBe(start);
});

test("an excerpt has 300 characters at most", () => {
  expect(excerpt("word ".repeat(100))).toBe("word ".repeat(60).trim());
});
