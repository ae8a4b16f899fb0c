import { expect, test } from "vitest";
import { DeletionNote, usesOf } from "./_parts";

test.each([
  [0, 0, "No article uses this snippet.", ""],
  [1, 0, "1 published article uses this snippet.", " Readers will see {{mail}} instead."],
  [0, 1, "1 draft uses this snippet.", " After publishing, readers will see {{mail}} instead."],
  [3, 1, "3 published articles and 1 draft use this snippet.", " Readers will see {{mail}} instead."],
])("%i published articles and %i drafts", (articles, drafts, sentence, consequence) => {
  expect(usesOf({ articles, drafts })).toBe(sentence);
  expect(DeletionNote({ name: "mail", articles, drafts })).toBe(sentence + consequence);
});
