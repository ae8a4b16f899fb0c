import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ICruiseResult } from "dependency-cruiser";
import { ESLint } from "eslint";
import { afterAll, beforeAll, expect, test } from "vitest";

const reader = "app/sites/[workspace]/(reader)/page.tsx";
const admin = "app/sites/[workspace]/admin/page.tsx";
const apex = "app/(apex)/page.tsx";
const v1 = "app/api/external/v1/articles/route.ts";
const v2 = "app/api/external/v2/articles/route.ts";

/** Importing file, imported file or package, and the rule that refuses it. */
const forbidden: [from: string, to: string, rule: string][] = [
  [admin, reader, "surface-reader"],
  ["app/sites/[workspace]/layout.tsx", reader, "surface-reader"],
  [reader, admin, "surface-admin"],
  [apex, admin, "surface-admin"],
  [reader, v2, "surface-external"],
  [admin, v1, "surface-external"],
  [v2, apex, "surface-apex"],
  [v2, v1, "v2-without-v1"],
  [v2, "next/server", "external-without-next"],
  ["lib/api/route.ts", "next/headers", "external-without-next"],
  [reader, "server.ts", "programs-are-not-parts"],
  ["lib/articles.ts", "bin/kb.ts", "programs-are-not-parts"],
  ["bin/kb.ts", "components/ui/button.tsx", "programs-without-components"],
  ["components/reader/tree.tsx", reader, "components-without-app"],
  ["components/reader/tree.tsx", "lib/categories.ts", "components-without-lib"],
  ["components/reader/tree.tsx", "lib/content/html.ts", "components-without-lib"],
  ["components/admin/editor/html.ts", "lib/categories.ts", "editor-with-content"],
  ["components/reader/tree.tsx", "type lib/db.ts", "components-without-db"],
  ["components/ui/button.tsx", "components/reader/tree.tsx", "ui-alone"],
  ["components/ui/button.tsx", "type lib/articles.ts", "ui-alone"],
  ["lib/articles.ts", "app/document.tsx", "lib-without-app"],
  ["lib/articles.ts", "components/reader/tree.tsx", "lib-without-app"],
  ["lib/articles.ts", "next/cache", "lib-without-next"],
  ["lib/db.ts", "next/headers", "lib-without-next"],
  ["lib/members.ts", "next-auth", "lib-without-next"],
  ["lib/articles.ts", "type lib/api/errors.ts", "lib-without-api"],
  ["lib/session.ts", "lib/members.ts", "doors-without-nouns"],
  ["lib/site.ts", "lib/search/search.ts", "doors-without-nouns"],
  ["lib/api/keys.ts", "lib/api-keys.ts", "api-without-nouns"],
  ["lib/api/operation.ts", "lib/articles.ts", "api-without-nouns"],
  ["lib/content/html.ts", "lib/articles.ts", "content-alone"],
  ["lib/content/html.ts", "type lib/db.ts", "content-alone"],
  ["lib/search/search.ts", "lib/categories.ts", "search-without-nouns"],
  ["lib/articles.ts", "lib/import/folder.ts", "import-on-top"],
  ["lib/host.ts", "lib/db.ts", "pure-helpers"],
  ["lib/articles.ts", "type lib/generated/prisma/client.ts", "generated-behind-db"],
  ["lib/articles.ts", "pg", "drivers-behind-db"],
  ["lib/jobs.ts", "pg", "drivers-behind-db"],
  ["app/sites/[workspace]/admin/page.tsx", "@prisma/adapter-pg", "drivers-behind-db"],
  ["lib/articles.ts", "lib/db/pool.ts", "db-parts-behind-db"],
  ["middleware.ts", "lib/site.ts", "middleware-alone"],
  ["middleware.ts", "next/headers", "middleware-alone"],
  ["packages/client/src/connection.ts", "lib/errors.ts", "client-alone"],
  ["packages/client/src/connection.ts", "zod", "client-alone"],
  ["packages/client/src/connection.ts", "http", "client-alone"],
  ["lib/articles.ts", "packages/client/src/index.ts", "product-without-client"],
  ["bin/kb.ts", "type packages/client/src/types.ts", "product-without-client"],
  ["lib/articles.ts", "lib/testing.ts", "tests-are-not-parts"],
  ["lib/back.ts", "type lib/loop.ts", "no-cycle"],
];

const allowed: [from: string, to: string][] = [
  [reader, "components/reader/tree.tsx"],
  [reader, "lib/categories.ts"],
  [reader, "next/navigation"],
  [reader, "app/document.tsx"],
  [v1, v2],
  [v2, "lib/api/operation.ts"],
  ["server.ts", v2],
  ["bin/kb.ts", "lib/import/folder.ts"],
  ["components/reader/tree.tsx", "components/ui/button.tsx"],
  ["components/reader/tree.tsx", "type lib/members.ts"],
  ["components/reader/tree.tsx", "next/link"],
  ["components/admin/editor/html.ts", "lib/content/html.ts"],
  ["components/ui/button.tsx", "components/ui/icon.tsx"],
  ["components/ui/button.tsx", "react"],
  ["lib/articles.ts", "lib/db.ts"],
  ["lib/articles.ts", "lib/categories.ts"],
  ["lib/articles.ts", "lib/search/search.ts"],
  ["lib/articles.ts", "lib/content/html.ts"],
  ["lib/session.ts", "lib/db.ts"],
  ["lib/session.ts", "next/headers"],
  ["lib/session.ts", "next-auth"],
  ["lib/session.ts", "lib/site.ts"],
  ["lib/session.ts", "lib/delays.ts"],
  ["lib/session.ts", "lib/audit.ts"],
  ["lib/session.ts", "type lib/roles.ts"],
  ["lib/api/keys.ts", "lib/db.ts"],
  ["lib/api/keys.ts", "lib/api/errors.ts"],
  ["lib/api/operation.ts", "lib/errors.ts"],
  ["lib/api/limits.ts", "lib/counters.ts"],
  ["lib/search/search.ts", "lib/db.ts"],
  ["lib/import/folder.ts", "lib/articles.ts"],
  ["lib/db.ts", "lib/generated/prisma/client.ts"],
  ["lib/db.ts", "pg"],
  ["lib/migrate.ts", "pg"],
  ["lib/jobs/worker.ts", "pg"],
  ["middleware.ts", "next/server"],
  ["middleware.ts", "lib/host.ts"],
  ["packages/client/src/index.ts", "packages/client/src/connection.ts"],
  ["packages/client/src/client.test.ts", "lib/testing.ts"],
  ["e2e/api.spec.ts", "packages/client/src/index.ts"],
  ["lib/articles.test.ts", "lib/testing.ts"],
  ["lib/api/operation.test.ts", "lib/testing.ts"],
  ["lib/testing.ts", "lib/articles.ts"],
  ["lib/loop.ts", "lib/back.ts"],
];

let folder: string;
/** Every import that was seen, and the rules that refuse it. */
let imports: Set<string>;
let found: Map<string, string[]>;
let rules: (string | undefined)[];

const arrow = (from: string, to: string) => `${from} → ${to.replace("type ", "")}`;

/** What the command line of dependency-cruiser says of a project with our rules. */
async function cruise(directory: string): Promise<ICruiseResult> {
  const program = join(import.meta.dirname, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, ".", "--config", join(import.meta.dirname, ".dependency-cruiser.mjs"), "--output-type", "json"],
    { cwd: directory, maxBuffer: 50_000_000 },
  );
  return JSON.parse(stdout) as ICruiseResult;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-boundaries-"));
  const files = new Map<string, string>();
  for (const [from, to] of [...forbidden, ...allowed]) {
    const target = to.replace("type ", "");
    const local = /\.tsx?$/.test(target);
    if (local && !files.has(target)) files.set(target, "export const thing = 1;\n");
    const specifier = local ? `@/${target.replace(/\.tsx?$/, "")}` : target;
    const line = `import ${to.startsWith("type ") ? "type " : ""}{ thing } from "${specifier}";\n`;
    files.set(from, (files.get(from) ?? "export const thing = 1;\n") + line);
  }
  files.set("tsconfig.json", JSON.stringify({ compilerOptions: { paths: { "@/*": ["./*"] } } }));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { modules, summary } = await cruise(folder);
  imports = new Set(
    modules.flatMap(({ source, dependencies }) => dependencies.map((to) => arrow(source, to.resolved))),
  );
  rules = summary.ruleSetUsed?.forbidden?.map(({ name }) => name) ?? [];
  found = new Map();
  for (const { from, to, rule } of summary.violations) {
    found.set(arrow(from, to), [...(found.get(arrow(from, to)) ?? []), rule.name]);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(forbidden)("%s may not import %s", (from, to, rule) => {
  expect(found.get(arrow(from, to))).toContain(rule);
});

test.each(allowed)("%s may import %s", (from, to) => {
  expect(imports).toContain(arrow(from, to));
  // Taken together these examples run in circles.
  expect(found.get(arrow(from, to))?.filter((rule) => rule !== "no-cycle") ?? []).toEqual([]);
});

test("every rule about imports is tried above", () => {
  expect([...new Set(forbidden.map(([, , rule]) => rule))]).toEqual(rules);
});

const lint = new ESLint({
  cwd: import.meta.dirname,
  // The rules that need types would read the whole project first.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) => ruleId.startsWith("no-restricted-"),
});

async function refused(file: string, code: string): Promise<string[]> {
  const [result] = await lint.lintText(code, { filePath: join(import.meta.dirname, file) });
  return (result?.messages ?? []).map(({ message }) => message);
}

const insteadOfTheBareClient = expect.stringContaining("inWorkspace or readWorkspace (lib/db.ts)") as string;

test.each([
  `import { acrossWorkspaces } from "@/lib/db";`,
  `import { acrossWorkspaces as db } from "./db";`,
  `import { type Db, enterWorkspace } from "@/lib/db";`,
  `import * as db from "../../lib/db";`,
  `export { acrossWorkspaces } from "@/lib/db";`,
  `export * from "@/lib/db";`,
  `const { acrossWorkspaces } = await import("@/lib/db");`,
  `const { acrossWorkspaces } = await import("./db");`,
])("the client without the wall may not be had by a noun, a page, an operation: %s", async (code) => {
  for (const file of [
    "lib/articles.ts",
    "app/(apex)/page.tsx",
    "app/api/external/v2/me/route.ts",
    "lib/api/route.ts",
    "lib/reader-limits.ts",
  ]) {
    expect(await refused(file, code)).toEqual([insteadOfTheBareClient]);
  }
});

test("the client without the wall is there for doors, lib/workspaces.ts, programs, the seed and tests", async () => {
  for (const file of [
    "lib/site.ts",
    "lib/session.ts",
    "lib/api/keys.ts",
    "lib/counters.ts",
    "lib/delays.ts",
    "lib/workspaces.ts",
    "bin/kb.ts",
    "bin/kb/export.ts",
    "prisma/seed.ts",
    "server.ts",
    "lib/testing.ts",
    "lib/articles.test.ts",
  ]) {
    expect(await refused(file, `import { acrossWorkspaces, enterWorkspace } from "@/lib/db";`)).toEqual([]);
  }
});

const insteadOfAWallOfItsOwn = expect.stringContaining("settled in lib/db.ts alone") as string;

test.each([
  'await db.$executeRawUnsafe("RESET ROLE");',
  "await db.$executeRaw`set local role none`;",
  "await db.$executeRaw`SELECT 1; SET\n  ROLE ${'postgres'}`;",
  "await read('SELECT set_config($1, $2, true)');",
  'await read(`SELECT 1 FROM articles WHERE id = ${1} AND SET_CONFIG ("role", "none", true) > ""`);',
  'await read("RESET SESSION AUTHORIZATION");',
  "await read(\"SET LOCAL app.workspace_id = 'another'\");",
])("nobody but lib/db.ts writes SQL that puts down the wall: %s", async (code) => {
  for (const file of ["lib/articles.ts", "lib/workspaces.ts", "lib/site.ts", "lib/db/pool.ts", "server.ts"]) {
    expect([file, await refused(file, code)]).toEqual([file, [insteadOfAWallOfItsOwn]]);
  }
  for (const file of [
    "lib/db.ts",
    "bin/bench/workspace.ts",
    "prisma/wall.test.ts",
    "lib/db.test.ts",
    "lib/testing.ts",
  ]) {
    expect([file, await refused(file, code)]).toEqual([file, []]);
  }
});

test("words that are alike are no such SQL", async () => {
  const code = 'const told = "Choose the role you set"; await read("SELECT role FROM g WHERE offset_role = 1");';
  expect(await refused("lib/articles.ts", code)).toEqual([]);
});

test("the wall itself may be imported by anyone", async () => {
  expect(await refused("lib/articles.ts", `import { type Db, inWorkspace } from "@/lib/db";`)).toEqual([]);
});
