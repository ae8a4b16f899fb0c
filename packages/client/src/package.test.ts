import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deleteArticles } from "@/lib/articles/removal";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";
import { apiOf, installClient, serve, tsc } from "./testing.js";

// The package as another project uses it: built, in node_modules, without this repository around it. The test compiles and
// runs the examples of its README and the manual there, word for word.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = join(import.meta.dirname, "../../..");
const texts = { readme: "packages/client/README.md", manual: "prisma/manual/integrate/typescript-client.md" };

let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "lectern-client-"));
  installed = await installClient(project);
});
afterAll(() => rm(project, { recursive: true, force: true }));

const node = async (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: project, env: { NODE_ENV: "production", ...env } });

/** The JavaScript of several texts, as one program. */
async function programIn(text: keyof typeof texts): Promise<string> {
  const blocks = [...(await readFile(join(root, texts[text]), "utf8")).matchAll(/^```js\n([^]*?)^```/gm)];
  expect(blocks.length).toBeGreaterThan(1);
  return blocks.map(([, code]) => code).join("\n");
}

test("the manifest names files that are built, and no package that would have to come along", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const { types, default: code } = manifest.exports["."];
  expect([types, code, manifest.types].filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  expect(manifest.files).toEqual(["dist"]);
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
  expect(existsSync(join(installed, "dist/testing.js"))).toBe(false);
});

test("it offers the client and its errors, and none of its inner parts", async () => {
  const { stdout } = await node(["-e", 'import("lectern-client").then((all) => console.log(...Object.keys(all)))']);
  expect(stdout.trim().split(" ")).toEqual([
    ...[
      "Articles",
      "AuditEntries",
      "AuthenticationError",
      "Categories",
      "Changes",
      "ConflictError",
      "ConnectionError",
      "Files",
      "Insights",
      "Invitations",
    ],
    ...["Lectern", "LecternError"],
    ...["NotFoundError", "PermissionError", "PreconditionFailedError", "RateLimitError", "Redirects", "Synonyms"],
    ...["Tags", "TeamMembers", "TimeoutError"],
    ...["UnavailableError", "ValidationError", "WebhookVerificationError", "Webhooks", "verifyWebhook"],
  ]);
});

test("the programs in the README and in the manual run against the API", async () => {
  const workspace = await aWorkspace({ name: "Docs" });
  const category = await aCategory(workspace);
  await anArticle(workspace, { category, title: "Import a password" });
  const { id } = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      { email: "ada@example.com", firstName: "Ada", lastName: "Byron", role: "Editor" },
      workspace.actor,
    ),
  );
  const url = await serve(apiOf(workspace));
  const env = { LECTERN_URL: url, LECTERN_API_KEY: workspace.key.text, MEMBER_ID: id };

  const run = async (text: keyof typeof texts) => {
    const program = (await programIn(text)).replace("https://docs.example.com", url);
    await writeFile(join(project, `${text}.mjs`), program);
    return (await node([`${text}.mjs`], env)).stdout;
  };
  const output = await run("readme");
  expect(output).toContain("Import a password");
  expect(output).toContain("time_zone: 'Europe/Lisbon'");
  const shown = await run("manual");
  expect(shown).toContain("test reads Docs");
  expect(shown).toContain("Import a password http");
  const changed = await inWorkspace(workspace.id, (db) => db.member.findFirst({ where: { id } }));
  expect(changed).toMatchObject({ firstName: "ADA", timeZone: "Europe/Lisbon" });
});

test("the manual's copy in memory drops deleted articles, and is made again when its cursor has expired", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, title: "One" });
  await anArticle(workspace, { category, title: "Two" });
  const kb = apiOf(workspace);
  const events: Record<string, () => Promise<unknown>> = {
    "/delete": () =>
      inWorkspace(workspace.id, (db) => deleteArticles(db, [id], { kind: "gone" }, url, workspace.actor)),
    "/expire": () =>
      acrossWorkspaces.query("UPDATE content_versions SET changes_of = gen_random_uuid() WHERE workspace_id = $1", [
        workspace.id,
      ]),
  };
  const url = await serve((incoming, outgoing) => {
    const event = events[incoming.url ?? ""];
    if (event) void event().then(() => outgoing.end());
    else kb(incoming, outgoing);
  });
  const driver = `
    const tell = () => console.log(...[...copy.articles.values()].map(({ title }) => title));
    tell();
    for (const event of ["/delete", "/expire"]) {
      await fetch(process.env.LECTERN_URL + event);
      await update();
      tell();
    }`;
  await writeFile(join(project, "copy.mjs"), (await programIn("manual")) + driver);
  const { stdout } = await node(["copy.mjs"], { LECTERN_URL: url, LECTERN_API_KEY: workspace.key.text });
  expect(stdout.trim().split("\n").slice(-3)).toEqual(["One Two", "Two", "Two"]);
});

test.each([
  ["in Node, without the types of browsers", { module: "nodenext", lib: ["es2023"], types: ["node"] }],
  ["for a bundler, without the types of Node", { module: "esnext", moduleResolution: "bundler", types: [] }],
])("the programs compile with the package's types %s", async (_, options) => {
  const others = options.types.length > 0 ? "" : "declare const process: { env: Record<string, string> };\n";
  for (const text of ["readme", "manual"] as const) {
    await writeFile(join(project, `${text}.mts`), others + (await programIn(text)));
  }
  const recipe = await readFile(join(root, "prisma/manual/integrate/recipes/copy-all-articles.md"), "utf8");
  const program = options.types.length > 0 ? /```ts\n([^]*?)```/.exec(recipe)?.[1] : "";
  await writeFile(join(project, "recipe.mts"), program ?? "");
  const wrong = [
    'import { Lectern } from "lectern-client";',
    "// @ts-expect-error no such option",
    'const kb = new Lectern({ url: "https://docs.example.com", key: "kb_x" });',
    "// @ts-expect-error null is not ruled out",
    'void (await kb.articles.get("x", {}, { ifNoneMatch: "y" })).article;',
  ];
  await writeFile(join(project, "wrong.mts"), wrong.join("\n"));
  const strict = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipDefaultLibCheck: true,
    target: "es2023",
  };
  const compilerOptions = { ...strict, ...options, typeRoots: [join(root, "node_modules/@types")] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  await tsc("-p", project);
});
