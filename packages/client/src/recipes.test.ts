import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { deleteArticles } from "@/lib/articles/removal";
import { updateCategory } from "@/lib/categories/changes";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { newSecret, signedHeaders } from "@/lib/webhooks/signature";
import { saveAsMember } from "@/testing/articles";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";
import { Lectern } from "./index.js";
import { apiOf, installClient, serve } from "./testing.js";

// The programs of the manual, run as they are printed.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const run = promisify(execFile);

const loader = join(import.meta.dirname, "../../../node_modules/tsx/dist/loader.mjs");
const languages = {
  python: { ending: "py", interpreter: ["python3"] },
  js: { ending: "mjs", interpreter: [process.execPath] },
  ts: { ending: "mts", interpreter: [process.execPath, "--import", loader] },
  bash: { ending: "sh", interpreter: ["bash"] },
};
type Language = keyof typeof languages;

/** The only program of a recipe in a language, in a folder that is removed after the test. */
function programOf(recipe: string, language: Language = "python"): { folder: string; program: string } {
  const page = readFileSync(join(import.meta.dirname, `../../../prisma/manual/integrate/recipes/${recipe}.md`), "utf8");
  // Commands to run a program are also in bash, after the program.
  const [, source = ""] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "lectern-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, `program.${languages[language].ending}`);
  writeFileSync(program, source);
  return { folder, program };
}

/** A folder of two documents, and the program that publishes it to a new workspace. */
async function aFolder() {
  const workspace = await aWorkspace();
  const api = apiOf(workspace);
  const requests: string[] = [];
  const url = await serve((incoming, outgoing) => {
    requests.push(incoming.url ?? "");
    api(incoming, outgoing);
  });
  const { folder, program } = programOf("keep-a-folder-in-step");
  mkdirSync(join(folder, "docs/Billing"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, "docs", name), text);
  const publish = async (to = url, key = workspace.key.text) => {
    const env = { ...process.env, LECTERN_URL: to, LECTERN_API_KEY: key };
    return (await run("python3", [program, "docs"], { cwd: folder, env })).stdout.trim().split("\n").filter(Boolean);
  };
  write("Billing/refunds.md", "# Refunds\n\nAsk us.\n");
  write("start.md", "# Start\n\nHere.\n");
  const lectern = new Lectern({ url, apiKey: workspace.key.text });
  return { workspace, requests, write, publish, lectern };
}

test("keep a folder in step: sends what changed, and everything to another workspace", async () => {
  const { requests, write, publish, lectern } = await aFolder();
  expect(await publish()).toEqual(["published Billing/refunds.md", "published start.md"]);
  const { article } = await lectern.articles.get("refunds");
  expect(article).toMatchObject({ state: "published", html_content: "<p>Ask us.</p>", category: { name: "Billing" } });
  requests.length = 0;
  expect([await publish(), requests]).toEqual([[], []]);
  write("start.md", "# Start\n\nHere, and there.\n");
  expect(await publish()).toEqual(["published start.md"]);
  expect(requests).toHaveLength(1);

  const other = await aWorkspace();
  expect(await publish(await serve(apiOf(other)), other.key.text)).toHaveLength(2);
});

test("keep a folder in step: leaves what a member is writing, and publishes the file once it can", async () => {
  const { workspace, write, publish, lectern } = await aFolder();
  await publish();
  const { article } = await lectern.articles.get("refunds");
  await saveAsMember(workspace, article.id, { html: "<p>Ada writes.</p>" });
  write("Billing/refunds.md", "# Refunds\n\nAsk them.\n");
  expect(await publish()).toEqual([expect.stringMatching(/^left Billing\/refunds\.md Ada Admin changed this draft/)]);
  await lectern.articles.discardDraft(article.id, { on_conflict: "keep_version" });
  expect(await publish()).toEqual(["published Billing/refunds.md"]);
});

describe.each(Object.keys(languages) as Language[])("copy all published articles in %s", (language) => {
  let project: string;
  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), "lectern-client-"));
    if (language === "ts") await installClient(project);
  });
  afterAll(() => rmSync(project, { recursive: true }));

  /** A public key's copy of a new workspace, with one article per page. */
  async function aCopy() {
    const workspace = await aWorkspace();
    const { text: key } = await inWorkspace(workspace.id, (db) =>
      createApiKey(db, { name: "copy", scopes: ["public"] }, workspace.actor),
    );
    const api = apiOf(workspace);
    const requests: string[] = [];
    /** What happens to the next requests. Later ones get the API's answers. */
    const plan: ((incoming: IncomingMessage, outgoing: ServerResponse) => void)[] = [];
    const url = await serve((incoming, outgoing) => {
      incoming.url = incoming.url?.replace("page_size=100", "page_size=1");
      requests.push(incoming.url ?? "");
      (plan.shift() ?? api)(incoming, outgoing);
    });
    const { folder, program } = programOf("copy-all-articles", language);
    if (language === "ts") symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
    const start = () => {
      const [command = "", ...args] = [...languages[language].interpreter, program];
      const env = { ...process.env, LECTERN_URL: url, LECTERN_API_KEY: key };
      return run(command, args, { cwd: folder, env });
    };
    const copy = async () => (await start()).stdout.trim().split("\n").filter(Boolean);
    const files = (name = "mirror") =>
      existsSync(join(folder, name)) ? readdirSync(join(folder, name)).filter((file) => file.endsWith(".json")) : [];
    return { workspace, api, requests, plan, folder, start, copy, files };
  }

  test("saves what visitors see, waits at a limit, and removes what was deleted or closed", async () => {
    const { workspace, requests, plan, folder, copy, files } = await aCopy();
    const [open, closed, closing] = [
      await aCategory(workspace),
      await aCategory(workspace),
      await aCategory(workspace),
    ];
    const close = ({ id }: { id: string }) =>
      inWorkspace(workspace.id, (db) => updateCategory(db, id, { visibility: "members" }, workspace.actor));
    const refunds = await anArticle(workspace, { category: open, slug: "refunds", html: "<p>“Ask” \\n us.</p>" });
    await anArticle(workspace, { category: open, slug: "draft", state: "draft" });
    const salaries = await anArticle(workspace, { category: closed, slug: "salaries" });
    await close(closed);
    const billing = await anArticle(workspace, { category: closing, slug: "billing" });
    const saved = () => files().sort();
    plan.push((_, outgoing) => void outgoing.writeHead(429, { "Retry-After": "1" }).end("{}"));
    expect(await copy()).toEqual(["saved refunds", `removed ${salaries.id}.json`, "saved billing"]);
    expect(saved()).toEqual([refunds, billing].map(({ id }) => `${id}.json`).sort());
    const article = JSON.parse(readFileSync(join(folder, "mirror", `${refunds.id}.json`), "utf8"));
    expect(article).toMatchObject({ slug: "refunds", html_content: "<p>“Ask” \\n us.</p>" });

    requests.length = 0;
    expect(await copy()).toEqual([]);
    expect(requests).toHaveLength(1);

    const plans = await anArticle(workspace, { category: open, slug: "plans" });
    await inWorkspace(workspace.id, (db) =>
      deleteArticles(db, [refunds.id], { kind: "gone" }, "http://x.localhost:3000", workspace.actor),
    );
    await close(closing);
    expect(await copy()).toEqual(["saved plans", `removed ${refunds.id}.json`, `removed ${billing.id}.json`]);
    expect(saved()).toEqual([`${plans.id}.json`]);
  });

  test("continues after a kill, and keeps the copy until a new one is complete", async () => {
    const { workspace, api, plan, folder, start, copy, files } = await aCopy();
    const category = await aCategory(workspace);
    for (const slug of ["refunds", "billing"]) await anArticle(workspace, { category, slug });
    const killed = start();
    plan.push(api, (incoming) => {
      killed.child.kill("SIGKILL");
      incoming.socket.destroy();
    });
    await expect(killed).rejects.toMatchObject({ signal: "SIGKILL" });
    expect([files(), files("mirror.new")]).toEqual([[], [expect.any(String)]]);
    expect(await copy()).toEqual(["saved billing"]);

    writeFileSync(join(folder, "mirror/leftover.json"), "{}");
    await acrossWorkspaces.query("UPDATE content_versions SET changes_of = gen_random_uuid() WHERE workspace_id = $1", [
      workspace.id,
    ]);
    const former = files();
    plan.push(api, api, (_, outgoing) => void outgoing.writeHead(403).end('{"error": "No."}'));
    await expect(start()).rejects.toThrow("No.");
    expect([former.length, files()]).toEqual([3, former]);
    expect(await copy()).toEqual(["saved billing"]);
    expect(files().sort()).toEqual(former.filter((file) => file !== "leftover.json").sort());
    expect(existsSync(join(folder, "mirror.new"))).toBe(false);
  });
});

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
