import { expect, test } from "vitest";
import { misusesIn } from "./words";

const found = (path: string, text: string) => misusesIn(path, text).map(({ line, found }) => `${line}: ${found}`);

test("finds words in code, comments, test names and documents, and says what to write", () => {
  const code = '// Somebody saved.\nthrow new Error("The colour is mended.");\ntest("it goes on at once", run);';
  expect(found("lib/a.ts", code)).toEqual(["1: Somebody", "2: mended", "2: colour", "3: at once", "3: goes on"]);
  expect(misusesIn("README.md", "Publish it at once.")).toEqual([
    { path: "README.md", line: 1, found: "at once", write: "immediately, together or concurrently" },
  ]);
});

test("finds statements that start like questions, and joined sentences, in documents only", () => {
  expect(found("docs/a.md", "What you save is kept.\nPublish; readers see it.")).toEqual([
    "1: What you save is kept.",
    "2: h; r",
  ]);
  expect(
    found("docs/a.md", "What is kept? Nothing.\n## What it does\n```js\nfor (;;) a; b;\n```\nUse `a; b`."),
  ).toEqual([]);
  expect(found("lib/a.ts", "// What you save is kept; always.")).toEqual([]);
});

test("leaves names and samples alone", () => {
  expect(found("lib/a.ts", "const NeighbouringArticle = 1;")).toEqual([]);
  expect(found("lib/search/words.test.ts", 'words("e-mail")')).toEqual([]);
  expect(found("lib/members/members.ts", '"The e-mail"')).toEqual(["1: e-mail"]);
});
