import { execFile, execFileSync } from "node:child_process";
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
  ["lib/articles/articles.ts", "bin/kb.ts", "programs-are-not-parts"],
  ["bin/kb.ts", "components/ui/button.tsx", "programs-without-components"],
  ["server/front-door.ts", "components/reader/frame.tsx", "programs-without-components"],
  ["components/reader/tree.tsx", reader, "components-without-app"],
  ["components/reader/tree.tsx", "lib/categories/categories.ts", "components-without-lib"],
  ["components/reader/tree.tsx", "lib/content/html.ts", "components-without-lib"],
  ["components/admin/editor/schema/html.ts", "lib/categories/categories.ts", "editor-with-content"],
  ["components/reader/tree.tsx", "type lib/db.ts", "components-without-db"],
  ["components/ui/button.tsx", "components/reader/tree.tsx", "ui-alone"],
  ["components/ui/button.tsx", "type lib/articles/articles.ts", "ui-alone"],
  ["lib/articles/articles.ts", "server/jobs/worker.ts", "lib-without-server"],
  [admin, "type server/metrics.ts", "lib-without-server"],
  ["lib/articles/articles.ts", "app/_html.tsx", "lib-without-app"],
  ["lib/articles/articles.ts", "components/reader/tree.tsx", "lib-without-app"],
  ["lib/articles/articles.ts", "next/cache", "lib-without-next"],
  ["lib/db.ts", "next/headers", "lib-without-next"],
  ["lib/members/members.ts", "next-auth", "lib-without-next"],
  ["lib/members/members.ts", "lib/session.ts", "lib-without-next"],
  ["lib/members/members.ts", "lib/sign-in/sign-in.ts", "lib-without-next"],
  ["lib/articles/articles.ts", "type lib/api/errors.ts", "lib-without-api"],
  ["lib/session.ts", "lib/members/members.ts", "doors-without-nouns"],
  ["lib/session.ts", "lib/sign-in/sign-in.ts", "doors-without-nouns"],
  ["lib/session.ts", "lib/delays.ts", "doors-without-nouns"],
  ["lib/site.ts", "lib/workspaces/former-subdomains.ts", "doors-without-nouns"],
  ["lib/session/token.ts", "lib/members/members.ts", "doors-without-nouns"],
  ["lib/site.ts", "lib/search/search.ts", "doors-without-nouns"],
  ["lib/sign-in/sign-in.ts", "lib/members/members.ts", "sign-in-without-nouns"],
  ["lib/api/keys.ts", "lib/api-keys/api-keys.ts", "api-without-nouns"],
  ["lib/api/operation.ts", "lib/articles/articles.ts", "api-without-nouns"],
  ["lib/content/html.ts", "lib/articles/articles.ts", "content-alone"],
  ["lib/content/html.ts", "type lib/db.ts", "content-alone"],
  ["lib/search/search.ts", "lib/categories/categories.ts", "search-without-nouns"],
  ["lib/threads/worker.ts", "lib/db.ts", "threads-alone"],
  ["lib/search/documents.ts", "type lib/db.ts", "documents-alone"],
  ["lib/articles/articles.ts", "lib/import/folder.ts", "import-on-top"],
  ["lib/http/host.ts", "lib/db.ts", "pure-helpers"],
  ["lib/articles/articles.ts", "type lib/generated/prisma/client.ts", "generated-behind-db"],
  ["lib/articles/articles.ts", "pg", "drivers-behind-db"],
  ["lib/jobs.ts", "pg", "drivers-behind-db"],
  ["app/sites/[workspace]/admin/page.tsx", "@prisma/adapter-pg", "drivers-behind-db"],
  ["lib/articles/articles.ts", "lib/db/pool.ts", "db-parts-behind-db"],
  ["middleware.ts", "lib/site.ts", "middleware-alone"],
  ["middleware.ts", "next/headers", "middleware-alone"],
  ["packages/client/src/connection.ts", "lib/errors.ts", "client-alone"],
  ["packages/client/src/connection.ts", "zod", "client-alone"],
  ["packages/client/src/connection.ts", "http", "client-alone"],
  ["lib/articles/articles.ts", "packages/client/src/index.ts", "product-without-client"],
  ["bin/kb.ts", "type packages/client/src/types.ts", "product-without-client"],
  ["lib/articles/articles.ts", "testing/workspace.ts", "tests-are-not-parts"],
  ["lib/jobs.ts", "lib/articles/articles.ts", "lib-ground"],
  ["lib/back.ts", "type lib/loop.ts", "no-cycle"],
];

const allowed: [from: string, to: string][] = [
  [reader, "components/reader/tree.tsx"],
  [reader, "lib/categories/categories.ts"],
  [reader, "next/navigation"],
  [reader, "app/_html.tsx"],
  [v1, v2],
  [v2, "lib/api/operation.ts"],
  ["server.ts", v2],
  ["bin/kb.ts", "lib/import/folder.ts"],
  ["components/reader/tree.tsx", "components/ui/button.tsx"],
  ["components/reader/tree.tsx", "type lib/members/members.ts"],
  ["components/reader/tree.tsx", "next/link"],
  ["components/reader/tree.tsx", "lib/say.ts"],
  ["components/admin/editor/schema/html.ts", "lib/content/html.ts"],
  ["components/ui/button.tsx", "components/ui/icon.tsx"],
  ["components/ui/button.tsx", "react"],
  ["lib/articles/articles.ts", "lib/db.ts"],
  ["lib/articles/articles.ts", "lib/categories/categories.ts"],
  ["lib/articles/articles.ts", "lib/search/search.ts"],
  ["lib/articles/articles.ts", "lib/content/html.ts"],
  ["server/documents/pages.tsx", "components/reader/frame.tsx"],
  ["lib/session.ts", "lib/db.ts"],
  ["lib/session.ts", "next/headers"],
  ["lib/session.ts", "lib/session/token.ts"],
  ["lib/session.ts", "lib/site.ts"],
  ["lib/session.ts", "type lib/audit/audit.ts"],
  ["lib/session.ts", "type lib/members/roles.ts"],
  ["lib/session/token.ts", "next-auth"],
  ["lib/sign-in/sign-in.ts", "next/headers"],
  ["lib/sign-in/sign-in.ts", "next-auth"],
  ["lib/sign-in/sign-in.ts", "lib/session.ts"],
  ["lib/sign-in/sign-in.ts", "lib/site.ts"],
  ["lib/sign-in/sign-in.ts", "lib/db.ts"],
  ["lib/sign-in/sign-in.ts", "lib/delays.ts"],
  ["lib/sign-in/sign-in.ts", "lib/audit/audit.ts"],
  ["lib/api/keys.ts", "lib/db.ts"],
  ["lib/api/keys.ts", "lib/api/errors.ts"],
  ["lib/api/operation.ts", "lib/errors.ts"],
  ["lib/api/rate-limit.ts", "lib/counters.ts"],
  ["lib/search/search.ts", "lib/db.ts"],
  ["lib/threads/worker.ts", "lib/search/documents.ts"],
  ["lib/import/folder.ts", "lib/articles/articles.ts"],
  ["lib/import-export/worker.ts", "lib/import/run.ts"],
  ["lib/db.ts", "lib/generated/prisma/client.ts"],
  ["lib/db.ts", "pg"],
  ["server.ts", "server/front-door.ts"],
  ["server/front-door.ts", "lib/articles/articles.ts"],
  ["server/front-door.ts", v2],
  ["lib/log.ts", "lib/log/scrub.ts"],
  ["server/migrate.ts", "pg"],
  ["server/jobs/worker.ts", "pg"],
  ["middleware.ts", "next/server"],
  ["middleware.ts", "lib/http/host.ts"],
  ["packages/client/src/index.ts", "packages/client/src/connection.ts"],
  ["packages/client/src/client.test.ts", "testing/workspace.ts"],
  ["e2e/api.spec.ts", "packages/client/src/index.ts"],
  ["lib/articles/articles.test.ts", "testing/workspace.ts"],
  ["lib/api/operation.test.ts", "testing/workspace.ts"],
  ["testing/workspace.ts", "lib/articles/articles.ts"],
  ["lib/loop.ts", "lib/back.ts"],
];

let folder: string;
/** Every import that was seen, and the rules that refuse it. */
let imports: Set<string>;
let found: Map<string, string[]>;
let rules: (string | undefined)[];

const arrow = (from: string, to: string) => `${from} → ${to.replace("type ", "")}`;

/** The report of dependency-cruiser's command line with our rules. */
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

/**
 * Folders that need each other, directly or by way of others, each circle as a sorted list. Files at the top of lib and
 * server count as the folder of their name. Tests may import anything.
 */
function folderCircles(modules: ICruiseResult["modules"]): string[][] {
  const isPart = (path: string) =>
    /^(lib|app|components|server)\//.test(path) && !/\.test\.tsx?$|generated\//.test(path);
  const folderOf = (path: string) =>
    /^(lib|server)\/[^/]+$/.test(path) ? path.replace(/\.\w+$/, "") : path.slice(0, path.lastIndexOf("/"));
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules.filter((module) => isPart(module.source))) {
    const from = folderOf(source);
    const to = arrows.get(from) ?? new Set();
    arrows.set(from, to);
    for (const { resolved } of dependencies) if (isPart(resolved)) to.add(folderOf(resolved));
    to.delete(from);
  }
  const reach = (start: string) => {
    const seen = new Set<string>();
    const walk = (from: string) => {
      for (const to of arrows.get(from) ?? []) if (!seen.has(to)) walk((seen.add(to), to));
    };
    walk(start);
    return seen;
  };
  const reached = new Map([...arrows.keys()].map((folder) => [folder, reach(folder)]));
  const circles = [...reached]
    .filter(([folder, seen]) => seen.has(folder))
    .map(([folder, seen]) =>
      [...seen]
        .filter((other) => reached.get(other)?.has(folder))
        .sort()
        .join(" "),
    );
  return [...new Set(circles)].map((circle) => circle.split(" "));
}

test("no two folders need each other", { timeout: 120_000 }, async () => {
  const { modules } = await cruise(import.meta.dirname);
  expect(modules.length).toBeGreaterThan(500);
  expect(folderCircles(modules)).toEqual([]);
});

test("folders that need each other are found, also by way of a third, and those that do not are not", () => {
  const imported = (source: string, ...resolved: string[]) =>
    ({ source, dependencies: resolved.map((path) => ({ resolved: path })) }) as ICruiseResult["modules"][number];
  expect(
    folderCircles([
      imported("lib/a/one.ts", "lib/b/one.ts"),
      imported("lib/b/two.ts", "lib/c.ts", "node_modules/zod/index.js"),
      imported("lib/c/part.ts", "lib/a/two.ts"),
      imported("lib/d/one.ts", "lib/a/one.ts", "lib/d/two.ts"),
      imported("lib/a/one.test.ts", "lib/d/one.ts"),
      imported("app/x/page.tsx", "app/x/_parts/list.tsx"),
      imported("app/x/_parts/list.tsx", "app/x/shape.ts"),
    ]),
  ).toEqual([
    ["lib/a", "lib/b", "lib/c"],
    ["app/x", "app/x/_parts"],
  ]);
});

test("lib holds at most 60 entries", () => {
  const entries = execFileSync("git", ["ls-files", "lib"], { cwd: import.meta.dirname, encoding: "utf8" }).split("\n");
  expect(new Set(entries.map((path) => path.split("/")[1])).size).toBeLessThanOrEqual(60);
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
    "lib/articles/articles.ts",
    "app/(apex)/page.tsx",
    "app/api/external/v2/me/route.ts",
    "lib/api/route.ts",
    "lib/session.ts",
    "lib/sign-in/sign-in.ts",
    "lib/reader/social-image.ts",
  ]) {
    expect(await refused(file, code)).toEqual([insteadOfTheBareClient]);
  }
});

test("the client without the wall is there for doors, lib/workspaces/workspaces.ts, programs, the seed and tests", async () => {
  for (const file of [
    "lib/site.ts",
    "lib/api/keys.ts",
    "lib/counters.ts",
    "lib/delays.ts",
    "lib/workspaces/workspaces.ts",
    "bin/kb.ts",
    "bin/kb/export.ts",
    "prisma/seed.ts",
    "server.ts",
    "testing/workspace.ts",
    "lib/articles.test.ts",
  ]) {
    expect(await refused(file, `import { acrossWorkspaces, enterWorkspace } from "@/lib/db";`)).toEqual([]);
  }
});

const insteadOfAWallOfItsOwn = expect.stringContaining("Only lib/db.ts sets") as string;

test.each([
  'await db.$executeRawUnsafe("RESET ROLE");',
  "await db.$executeRaw`set local role none`;",
  "await db.$executeRaw`SELECT 1; SET\n  ROLE ${'postgres'}`;",
  "await read('SELECT set_config($1, $2, true)');",
  'await read(`SELECT 1 FROM articles WHERE id = ${1} AND SET_CONFIG ("role", "none", true) > ""`);',
  'await read("RESET SESSION AUTHORIZATION");',
  "await read(\"SET LOCAL app.workspace_id = 'another'\");",
])("nobody but lib/db.ts writes SQL that puts down the wall: %s", async (code) => {
  for (const file of [
    "lib/articles/articles.ts",
    "lib/workspaces/workspaces.ts",
    "lib/site.ts",
    "lib/db/pool.ts",
    "server.ts",
  ]) {
    expect([file, await refused(file, code)]).toEqual([file, [insteadOfAWallOfItsOwn]]);
  }
  for (const file of [
    "lib/db.ts",
    "bin/bench/workspace.ts",
    "prisma/wall.test.ts",
    "lib/db/db.test.ts",
    "testing/workspace.ts",
  ]) {
    expect([file, await refused(file, code)]).toEqual([file, []]);
  }
});

test("words that are alike are no such SQL", async () => {
  const code = 'const told = "Choose the role you set"; await read("SELECT role FROM g WHERE offset_role = 1");';
  expect(await refused("lib/articles/articles.ts", code)).toEqual([]);
});

test("the wall itself may be imported by anyone", async () => {
  expect(await refused("lib/articles/articles.ts", `import { type Db, inWorkspace } from "@/lib/db";`)).toEqual([]);
});
