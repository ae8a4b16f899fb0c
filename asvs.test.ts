import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// docs/asvs.md says which tests prove which requirement. Here: that the tests exist.

const proofs = [...readFileSync("docs/asvs.md", "utf8").matchAll(/^\| (V\d+ .+?) \| .+? \| (.+) \|$/gm)].flatMap(
  ([, chapter, tests = ""]) => tests.split("<br>").map((proof) => ({ chapter, proof })),
);

test("there are proofs", () => {
  expect(proofs.length).toBeGreaterThan(40);
});

test.each(proofs)("$chapter is proven by a test that exists: $proof", ({ proof }) => {
  const [, file = "", name = ""] = /^`(.+?)`: (.+)$/.exec(proof) ?? [];
  expect(readFileSync(file, "utf8")).toContain(`("${name}"`);
});
