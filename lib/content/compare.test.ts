import fc from "fast-check";
import { expect, test } from "vitest";
import { type ComparedLine, comparedTexts } from "@/lib/content/compare";

const linesOf = (before: string, after: string) => comparedTexts(before, after).lines;
const told = (lines: ComparedLine[]) =>
  lines.map(({ pieces }) =>
    pieces.map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `[+${text}]` : `[-${text}]`)).join(""),
  );

test("words that changed are told apart inside of their line", () => {
  expect(told(linesOf("Press Save now.\nThen wait.", "Press Publish now.\nThen wait."))).toEqual([
    "Press [-Save][+Publish] now.",
    "Then wait.",
  ]);
});

test("lines that came and went are whole", () => {
  expect(told(linesOf("One\nTwo\nThree", "One\nThree\nFour"))).toEqual(["One", "[-Two]", "Three", "[+Four]"]);
  expect(told(linesOf("", "New"))).toEqual(["[+New]"]);
  expect(linesOf("Same\n\nSame", "Same\nSame").some(({ isChanged }) => isChanged)).toBe(false);
});

test("without what was added one reads the former text, without what was removed the later one", () => {
  const text = fc
    .array(fc.constantFrom("one", "two", "three", "<b>", "naïve", "日本語"), { maxLength: 8 })
    .map((words) => words.join(" "));
  const texts = fc
    .array(
      text.filter((line) => line !== ""),
      { maxLength: 6 },
    )
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const without = (kind: string) =>
        linesOf(before, after)
          .map(({ pieces }) => pieces.filter((piece) => piece.kind !== kind))
          .filter((pieces) => pieces.length > 0)
          .map((pieces) => pieces.map((piece) => piece.text).join(""))
          .join("\n");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

const long = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

test("two long texts with nothing in common are compared in time, and told to be compared roughly", () => {
  const start = performance.now();
  const { lines, isRough } = comparedTexts(long("a", 20_000), long("b", 20_000));
  expect([lines.every(({ isChanged }) => isChanged), isRough]).toEqual([true, true]);
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("many long lines with little in common take no longer together than the patience for all of them", () => {
  const text = (word: string) => Array.from({ length: 60 }, (_, line) => long(`${word}${line}x`, 5_000)).join("\n");
  const [before, after] = [`Same\n${text("a")}`, `Same\n${text("b")}`];
  const start = performance.now();
  const { lines, isRough } = comparedTexts(before, after);
  expect(performance.now() - start).toBeLessThan(3_000);
  expect([lines.length, isRough]).toEqual([61, true]);
  expect(lines[0]).toEqual({ isChanged: false, pieces: [{ kind: "same", text: "Same" }] });
  // Nothing of either text is left out.
  const without = (kind: string) =>
    lines
      .map(({ pieces }) =>
        pieces
          .filter((piece) => piece.kind !== kind)
          .map(({ text }) => text)
          .join(""),
      )
      .join("\n");
  expect(without("added") === before && without("removed") === after).toBe(true);
});

test("what was compared to the end is not told to be rough", () => {
  expect(comparedTexts("One\nTwo two", "One\nTwo three").isRough).toBe(false);
  expect(comparedTexts("One\nTwo two", "One\nTwo three", 0).isRough).toBe(true);
});
