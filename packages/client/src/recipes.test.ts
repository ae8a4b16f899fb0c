import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { saveAsMember } from "@/testing/articles";
import { aWorkspace } from "@/testing/workspace";
import { Lectern } from "./index.js";
import { apiOf, serve } from "./testing.js";

// The programs of the manual, run as they are printed.

const run = promisify(execFile);

/** The only program of a recipe, in a folder that is removed after the test. */
function programOf(recipe: string): { folder: string; program: string } {
  const page = readFileSync(join(import.meta.dirname, `../../../prisma/manual/integrate/recipes/${recipe}.md`), "utf8");
  const [, source = ""] = /```python\n(.*?)```/s.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "lectern-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "program.py");
  writeFileSync(program, source);
  return { folder, program };
}

test("keep a folder in step: publishes what changed, and leaves what a member is writing", async () => {
  const workspace = await aWorkspace();
  const url = await serve(apiOf(workspace));
  const { folder, program } = programOf("keep-a-folder-in-step");
  mkdirSync(join(folder, "docs/Billing"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, "docs", name), text);
  const publish = async () => {
    const env = { ...process.env, LECTERN_URL: url, LECTERN_API_KEY: workspace.key.text };
    return (await run("python3", [program, "docs"], { cwd: folder, env })).stdout.trim().split("\n").filter(Boolean);
  };
  write("Billing/refunds.md", "# Refunds\n\nAsk us.\n");
  write("start.md", "# Start\n\nHere.\n");
  expect(await publish()).toEqual(["published Billing/refunds.md", "published start.md"]);
  expect(await publish()).toEqual([]);
  write("start.md", "# Start\n\nHere, and there.\n");
  expect(await publish()).toEqual(["published start.md"]);

  const lectern = new Lectern({ url, apiKey: workspace.key.text });
  const { article } = await lectern.articles.get("refunds");
  expect(article).toMatchObject({ state: "published", html_content: "<p>Ask us.</p>", category: { name: "Billing" } });
  await saveAsMember(workspace, article.id, { html: "<p>Ada writes.</p>" });
  write("Billing/refunds.md", "# Refunds\n\nAsk them.\n");
  expect(await publish()).toEqual([expect.stringMatching(/^left Billing\/refunds\.md Ada Admin changed this draft/)]);
});
