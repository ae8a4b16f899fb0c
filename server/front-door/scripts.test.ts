import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readerScripts } from "./scripts";

const code = `document.title = "${"a".repeat(2_000)}";`;

function aFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function serve(folder: string | null) {
  const scripts = readerScripts(folder);
  const server = createServer((request, response) => {
    if (!scripts.answer(request, response)) response.writeHead(418).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    main: scripts.main,
    get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { "Accept-Encoding": "br" } }),
  };
}

test("the current script is compressed and cached for a year, and an old name gets the current script uncached", async () => {
  const { main, get } = await serve(aFolder({ "main-AAAA.js": code, "try-it-BBBB.js": "1" }));
  expect(main).toBe("/_scripts/main-AAAA.js");
  const named = await get(main);
  expect(await named.text()).toBe(code);
  expect(Object.fromEntries(named.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
  });
  // A page from a server that runs another version.
  const other = await get("/_scripts/main-CCCC.js");
  expect([await other.text(), other.headers.get("cache-control")]).toEqual([code, "no-cache"]);
});

test("ignores other paths and answers 404 for unknown scripts", async () => {
  const { get } = await serve(aFolder({ "main-AAAA.js": code }));
  expect((await get("/articles/one")).status).toBe(418);
  for (const path of ["/_scripts/other.js", "/_scripts/", "/_scripts/..%2F..%2Fpackage.json"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test("development bundles the current sources", async () => {
  const { main, get } = await serve(null);
  const answer = await get(main);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  expect(await answer.text()).toContain("data-search-dialog");
});

test("the reader script imports nothing before it runs", async () => {
  const { main, get } = await serve(null);
  const script = await (await get(main)).text();
  expect(script).not.toMatch(/\bfrom\s*"|^import\s*"/m);
  const form = /import\("\.\/([\w-]+\.js)"\)/.exec(script)?.[1];
  expect((await get(`/_scripts/${form}`)).status).toBe(200);
});

test("an empty folder is an error that says to run the build", () => {
  expect(() => readerScripts(aFolder({}))).toThrow("Run npm run build.");
});
