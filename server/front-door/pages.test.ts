import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageNames } from "./pages";

const baseUrl = "https://example.com";

test("a path is named by the page that answers it, and by none when no page does", async () => {
  const build = await mkdtemp(join(tmpdir(), "lectern-pages-"));
  const routes = [
    ...["/", "/[...path]", "/_not-found", "/api/[...path]", "/sites/[workspace]"],
    ...["/sites/[workspace]/[...path]", "/sites/[workspace]/articles/[slug]", "/sites/[workspace]/articles/new"],
  ];
  const manifest = Object.fromEntries(routes.map((route) => [`(group)${route}/page`, route]));
  await writeFile(join(build, "app-path-routes-manifest.json"), JSON.stringify(manifest));
  const nameOf = pageNames(build, baseUrl);
  await rm(build, { recursive: true });
  const names = (host: string, ...paths: string[]) => paths.map((path) => nameOf(host, path));
  expect(names("demo.example.com", "/", "/articles/intro", "/articles/new", "/articles/intro/")).toEqual([
    "/sites/[workspace]",
    "/sites/[workspace]/articles/[slug]",
    "/sites/[workspace]/articles/new",
    "/sites/[workspace]/articles/[slug]",
  ]);
  expect(names("demo.example.com", "/nothing", "/articles/a/b", "/sites/demo")).toEqual([null, null, null]);
  expect(names("example.com", "/", "/articles/intro")).toEqual(["/", null]);
});

test("without a build there are no names", () => {
  expect(pageNames("/nowhere", baseUrl)("example.com", "/")).toBeNull();
});
