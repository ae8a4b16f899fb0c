import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import { withSourcePositions } from "./positions";

test("stack traces name the source, even in folders with parentheses, and messages stay as they are", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-positions-")));
  try {
    const folder = join(root, "dist/(signed-in) [id]");
    mkdirSync(folder, { recursive: true });
    const source = "interface Unused {}\n\nexport function fail() {\n  return new Error('Broken.');\n}\n";
    const options = { loader: "ts", format: "cjs", sourcemap: true, sourcefile: "[a]/fail.ts" } as const;
    const { code, map } = transformSync(source, options);
    const file = join(folder, "built.js");
    writeFileSync(file, code);
    writeFileSync(`${file}.map`, map.replace("[a]", "%5Ba%5D"));
    const { fail } = createRequire(import.meta.url)(file) as { fail: () => Error };
    const { stack = "" } = fail();
    const shown = `    at fail (${join(folder, "[a]/fail.ts")}:4:10)`;
    const rest = stack.split("\n").slice(2);
    expect(withSourcePositions(stack, root).split("\n")).toEqual(["Error: Broken.", shown, ...rest]);
    // As Next prints it.
    const printed = stack.replace(file, relative(root, file)).replace(/\)$/m, ") {");
    expect(withSourcePositions(printed, root).split("\n")[1]).toBe(`${shown} {`);

    const message = [
      "Broken.",
      "    at file:///%.js:1:1",
      "    at async /a%2F/b.js:1:1",
      `    at ${" (/.js".repeat(300)}`,
    ];
    expect(withSourcePositions(message.join("\n"), root)).toBe(message.join("\n"));
  } finally {
    rmSync(root, { recursive: true });
  }
});
