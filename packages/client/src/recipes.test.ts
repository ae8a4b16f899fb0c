import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { deleteArticles } from "@/lib/articles/removal";
import { inWorkspace } from "@/lib/db";
import { newSecret, signedHeaders } from "@/lib/webhooks/signature";
import { saveAsMember } from "@/testing/articles";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";
import { Lectern } from "./index.js";
import { apiOf, serve } from "./testing.js";

// The programs of the manual, run as they are printed.

const run = promisify(execFile);

/** The only program of a recipe in a language, in a folder that is removed after the test. */
function programOf(recipe: string, language = "python"): { folder: string; program: string } {
  const page = readFileSync(join(import.meta.dirname, `../../../prisma/manual/integrate/recipes/${recipe}.md`), "utf8");
  const [, source = ""] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "lectern-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, language === "python" ? "program.py" : "program.mjs");
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

test.each([
  ["python", "python3"],
  ["js", process.execPath],
])(
  "copy all published articles in %s: saves what visitors see, resumes, and removes what was deleted",
  async (language, interpreter) => {
    const workspace = await aWorkspace();
    const category = await aCategory(workspace);
    const { id } = await anArticle(workspace, { category, slug: "refunds" });
    await anArticle(workspace, { category, slug: "draft", state: "draft" });
    const { text: key } = await inWorkspace(workspace.id, (db) =>
      createApiKey(db, { name: "copy", scopes: ["public"] }, workspace.actor),
    );
    const env = { ...process.env, LECTERN_URL: await serve(apiOf(workspace)), LECTERN_API_KEY: key };
    const { folder, program } = programOf("copy-all-articles", language);
    const copy = async () => {
      const { stdout } = await run(interpreter, [program], { cwd: folder, env });
      return stdout.trim().split("\n").filter(Boolean);
    };
    expect(await copy()).toEqual(["saved refunds"]);
    expect(await copy()).toEqual([]);
    await anArticle(workspace, { category, slug: "billing" });
    await inWorkspace(workspace.id, (db) =>
      deleteArticles(db, [id], { kind: "gone" }, "http://x.localhost:3000", workspace.actor),
    );
    expect(await copy()).toEqual(["saved billing", `removed ${id}.json`]);
  },
);

test("move articles: moves drafts and published articles, and what is done stays done", async () => {
  const workspace = await aWorkspace();
  const [source, target] = [await aCategory(workspace, { slug: "old" }), await aCategory(workspace, { slug: "new" })];
  await anArticle(workspace, { category: source, slug: "refunds" });
  await anArticle(workspace, { category: source, slug: "draft", state: "draft" });
  await anArticle(workspace, { category: target, slug: "there" });
  const env = {
    ...process.env,
    LECTERN_URL: await serve(apiOf(workspace)),
    LECTERN_API_KEY: workspace.key.text,
  };
  const { folder, program } = programOf("move-articles");
  const move = async () => (await run("python3", [program, "old", "new"], { cwd: folder, env })).stdout.trim();
  expect((await move()).split("\n").sort()).toEqual(["moved draft", "moved refunds"]);
  expect(await move()).toBe("");
  const articles = await inWorkspace(workspace.id, (db) =>
    db.article.findMany({ where: { categoryId: target.id }, select: { slug: true }, orderBy: { slug: "asc" } }),
  );
  expect(articles.map(({ slug }) => slug)).toEqual(["draft", "refunds", "there"]);
});

test("rebuild a site: builds for a signed request, once more for changes during a build, and not for others", async () => {
  const { folder, program } = programOf("rebuild-a-site", "js");
  const secret = newSecret();
  const env = { ...process.env, LECTERN_WEBHOOK_SECRET: secret, PORT: "0" };
  const gate = join(folder, "gate");
  const build = `const {existsSync}=require("node:fs");const wait=()=>existsSync(${JSON.stringify(gate)})||setTimeout(wait,20);wait()`;
  const child = spawn(process.execPath, [program, process.execPath, "-e", build], { cwd: folder, env });
  onTestFinished(() => void child.kill());
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on("line", (line) => void lines.push(line));
  const line = async (wanted: string, count = 1) => {
    while (lines.filter((one) => one.startsWith(wanted)).length < count) await once(reader, "line");
  };
  await line("listening");
  const url = `http://127.0.0.1:${lines[0]?.split(" ").at(-1)}`;
  const send = async (id: string, key: string) => {
    const body = JSON.stringify({ type: "article.published", timestamp: new Date().toISOString(), data: { id } });
    const headers = signedHeaders({ id, at: new Date(), body }, [key]);
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  expect(await send("one", newSecret())).toBe(401);
  expect([await send("one", secret), await send("two", secret), await send("three", secret)]).toEqual([204, 204, 204]);
  writeFileSync(gate, "");
  await line("built", 2);
  expect(lines.slice(1)).toEqual(["article.published", "article.published", "article.published", "built", "built"]);
});
