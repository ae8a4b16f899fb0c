import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// docs/contract.md says which tests prove which row. Here: that it speaks of every row, and that the tests exist.

const rows = [...readFileSync("docs/contract.md", "utf8").matchAll(/^\| (order|\d+a?) \| .+? \| (.+) \|$/gm)].map(
  ([, number, tests = ""]) => ({ number, tests: tests.split("<br>") }),
);

const proofs = rows.flatMap(({ number, tests }) => tests.map((proof) => ({ number, proof })));

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test("every row of the contract has a line, in order", () => {
  expect(rows.map(({ number }) => number)).toEqual([
    "order",
    ...numbers(1, 37),
    ...numbers(40, 41),
    "41a",
    ...numbers(42, 93),
  ]);
});

test.each(proofs)("row $number is proven by a test that exists: $proof", ({ proof }) => {
  const [, file = "", name = ""] = /^`(.+?)`: (.+)$/.exec(proof) ?? [];
  expect(readFileSync(file, "utf8")).toContain(`("${name}"`);
});
