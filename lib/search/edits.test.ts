import { expect, test } from "vitest";
import { editCost, oneEdit } from "./edits";

test("all spellings one edit away, in the letters of the word's own script", () => {
  const edits = oneEdit("wrod");
  for (const spelling of ["word", "rod", "wro", "wrodx", "awrod", "brod", "wrad"]) expect(edits).toContain(spelling);
  expect(edits).not.toContain("wrod");
  expect(edits).not.toContain("world");
  expect(oneEdit("парол")).toContain("пароль");
  expect(oneEdit("κωδικο")).toContain("κωδικοσ");
  expect(oneEdit("סיסמ")).toContain("סיסמה");
  expect(oneEdit("مرور")).toContain("مررو");
});

test("an edit is an added, removed or changed letter, or two swapped neighbors", () => {
  expect(editCost("word", "word", 2)).toBe(0);
  expect(editCost("wrod", "word", 2)).toBe(1);
  expect(editCost("wod", "word", 2)).toBe(1);
  expect(editCost("wrdo", "word", 2)).toBe(2);
  expect(editCost("wrdo", "word", 1)).toBe(Number.POSITIVE_INFINITY);
  expect(editCost("word", "wordings", 2)).toBe(Number.POSITIVE_INFINITY);
});

test("a letter that should be doubled costs less than another edit, a wrong first letter more", () => {
  expect(editCost("adress", "address", 2)).toBeLessThan(editCost("adress", "adresse", 2));
  expect(editCost("bord", "word", 2)).toBeGreaterThan(editCost("worb", "word", 2));
});
