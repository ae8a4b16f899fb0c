import { expect, test } from "vitest";
import { chunksOf } from "./chunks";

const article = { title: "Title", metaDescription: null, headings: [], text: "" };
const words = (count: number, word = "word") => `${word} `.repeat(count).trim();

test("an article without text has one chunk", () => {
  expect(chunksOf(article)).toEqual(["Title"]);
  expect(chunksOf({ ...article, metaDescription: "About" })).toEqual(["Title\nAbout"]);
});

test("short sections share a chunk, and a section after enough text begins its own, below its heading", () => {
  const [one, two] = [words(150, "one"), words(150, "two")];
  const text = ["Start.", "Small", "Bit.", "One", one, "Two", two].join("\n");
  const headings = ["Small", "One", "Two"].map((heading) => ({ text: heading }));
  expect(chunksOf({ ...article, headings, text })).toEqual([
    `Title\nStart.\nSmall\nBit.\nOne\n${one}`,
    `Title\nTwo\n${two}`,
  ]);
});

test.each([
  ["sentences", `${words(20)}. `.repeat(100)],
  ["one sentence", words(2_000)],
  ["a script without blanks", "词".repeat(3_000)],
  ["astral letters", "\u{10330}".repeat(3_000)],
])("a long paragraph of %s is cut without losing a letter", (_, text) => {
  const chunks = chunksOf({ ...article, text });
  expect(chunks.length).toBeGreaterThan(2);
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThan(1_300);
  const letters = (part: string) => part.replace(/\s/g, "");
  expect(chunks.map((chunk) => letters(chunk.replace("Title\n", ""))).join("")).toBe(letters(text));
  expect(chunks.join("")).not.toMatch(/\p{Cs}/u);
});
