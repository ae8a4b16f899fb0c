import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startOf } from "@/testing/program";

// The program as a real process. Each start takes a second or more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-openapi-"));
  await cp("docs/openapi", join(folder, "docs/openapi"), { recursive: true });
  await mkdir(join(folder, "packages/client/src"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function openapi(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...startOf("bin/openapi.ts"), ...args, folder]);
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

const v2 = () => join(folder, "docs/openapi/v2.json");
const types = () => join(folder, "packages/client/src/types.ts");
const read = () => readFile(v2(), "utf8");

test("the program that writes the documents adds what is new, and leaves alone what is up to date", async () => {
  const committed = await read();
  const older = JSON.parse(committed);
  delete older.paths["/team-members/{team_member_id}"].patch.responses["412"];
  await writeFile(v2(), JSON.stringify(older));
  const first = await openapi();
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(first.out).toBe(
    `${join(folder, "docs/openapi/v1.json")}: up to date\n${v2()}: written\n${types()}: written\n`,
  );
  expect(await read()).toBe(committed);
  expect((await openapi()).out.match(/: up to date$/gm)).toHaveLength(3);
});

test("it refuses to write what would break clients, names it, and does so only when it is told to", async () => {
  const committed = await read();
  const promised = committed.replaceAll('"corrected_term"', '"other_term"');
  await writeFile(v2(), promised);
  const refused = await openapi();
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Nothing was written because clients would break:");
  expect(refused.err).toContain("v2.json: GET /search › 200 › application/json › other_term is gone");
  expect(refused.err).toContain("npm run openapi -- --break");
  expect(await read()).toBe(promised);
  expect(existsSync(types())).toBe(false);
  expect((await openapi("--break")).code).toBe(0);
  expect(await read()).toBe(committed);
});
