import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const files = execFileSync("git", ["ls-files", "-z"], { cwd: import.meta.dirname, encoding: "utf8" })
  .split("\0")
  .slice(0, -1);
const manifest = JSON.parse(read("package.json")) as Record<"dependencies" | "devDependencies", Record<string, string>>;
const packages = { ...manifest.dependencies, ...manifest.devDependencies };

/** Whether a path is a file of the repository, or a folder with one in it. */
const exists = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));

test("the project is built on what it says it is built on, each in use", () => {
  const sources = files.filter((file) => /\.(tsx?|mjs|css)$/.test(file)).map(read);
  const imported = (name: string) => {
    const statement = new RegExp(`(from|import|import\\() ?["']${name}(/[\\w./-]+)?["']`);
    return sources.some((text) => statement.test(text));
  };
  const names = ["next", "react", "prisma", "next-auth", "tailwindcss", "zod", "playwright", "vitest"];
  expect(names.filter((name) => !packages[name])).toEqual([]);
  expect(names.filter((name) => !imported(name))).toEqual([]);
  // Its generated code imports the package, and is not in the repository.
  expect(packages["@prisma/client"]).toBeDefined();
  expect(read("prisma/schema.prisma")).toMatch(/^ {2}provider = "prisma-client"$/m);
});

test("the project has the shape of a Next application with tests, a schema and an external API of two versions", () => {
  const paths = [
    "package.json",
    "tsconfig.json",
    "next.config.ts",
    "middleware.ts",
    "app",
    "components",
    "e2e",
    "lib",
    "prisma",
    "prisma/schema.prisma",
  ];
  expect(paths.filter((path) => !exists(path))).toEqual([]);
  for (const version of ["v1", "v2"]) {
    const routes = files.filter(
      (file) => file.startsWith(`app/api/external/${version}/`) && file.endsWith("/route.ts"),
    );
    expect(routes.length).toBeGreaterThan(5);
  }
});

test("every path that ARCHITECTURE.md names exists", () => {
  const prose = read("ARCHITECTURE.md").replace(/^```[^]*?^```/gm, "");
  const named = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text.replace(/\/$/, ""));
  // The first cell of the map is a path whatever it looks like.
  const mapped = [...prose.matchAll(/^\| `([^`]+)` \|/gm)]
    .map(([, text = ""]) => text)
    .filter((text) => /^[\w./()[\]-]+$/.test(text));
  const paths = named.filter((text) =>
    /^[\w()[\]-]+(\/[\w.()[\]-]+)+$|^[\w.-]+\.(tsx?|mjs|json|md|sql|prisma)$/.test(text),
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(mapped.length).toBeGreaterThan(10);
  const known = (path: string) =>
    exists(path) || files.some((file) => !path.includes("/") && file.endsWith(`/${path}`));
  expect([...new Set([...mapped, ...paths])].filter((path) => !known(path))).toEqual([]);
});

test("packages are pinned exactly, and neither the lock file nor the settings say where they are fetched", () => {
  expect(Object.keys(packages).length).toBeGreaterThan(20);
  expect(Object.entries(packages).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const lock = read("package-lock.json");
  expect(lock).toContain('"integrity": "sha512-');
  expect(lock).not.toMatch(/"resolved"|https?:\/\/(?!.*(funding|sponsor|"url"))[^"]*\.tgz/);
  expect(read(".npmrc")).toContain("save-exact=true");
  expect(read(".npmrc")).not.toMatch(/registry *=|_auth|:\/\//);
});

test("a file in a folder of pages has a name that Next knows, holds the actions, is a part or a test", () => {
  const known =
    /^((page|layout|route|error|global-error|not-found|sitemap|robots)|actions|_[a-z-]+|[a-z-]+\.test|_[a-z-]+\.test)\.tsx?$/;
  const ofPages = files.filter((file) => /^app\/.*\.tsx?$/.test(file) && !file.startsWith("app/api/external/"));
  const named = ofPages.filter((file) => !/\/_[a-z-]+\//.test(file)).map((file) => file.split("/").at(-1) ?? "");
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((name) => !known.test(name))).toEqual([]);
});
