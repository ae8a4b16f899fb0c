import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { paths } from "@/app/api/external/v2/_document/operations";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { hashOfKey } from "@/lib/api-keys/key-format";
import { acrossWorkspaces } from "@/lib/db";
import { openLog } from "@/lib/log";
import { kbIn } from "@/testing/kb";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

// The key commands as a real process. Each start takes a second or more on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let workspace: TestWorkspace;

const kb = (command: string, ...args: string[]) =>
  kbIn(folder, "key", command, "--workspace", workspace.subdomain, ...args);
const me = async (key: string) =>
  (await call(paths["/me"], workspace, "/api/external/v2/me", { key, headers: { "x-forwarded-for": "192.0.2.7" } }))
    .body.api_key;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-key-"));
  workspace = await aWorkspace();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a key is rotated once, works beside its successor, and the list says how it was used", async () => {
  const made = await kb("create", "--name", "CI", "--scope", "public", "--expires-in", "90d");
  const { id } = await me(made.out.trim());
  const rotated = await kb("rotate", id, "--overlap", "7d");
  expect(rotated.out).toMatch(/^kb_[0-9A-Za-z]{38}\n$/);
  expect(rotated.err).toMatch(/^Rotated the key "CI" \(public, until .* UTC\)\. The old key works until .* UTC\./);
  expect(await me(rotated.out.trim())).toMatchObject({ name: "CI", permission: "read" });
  const days = (Date.parse((await me(made.out.trim())).expires_at) - Date.now()) / 86_400_000;
  expect(Math.abs(days - 7)).toBeLessThan(0.1);

  const again = await kb("rotate", id);
  expect([again.code, again.out]).toEqual([1, ""]);
  expect(again.err).toContain(`Its replacement ends in ${rotated.out.trim().slice(-4)}.`);
  expect((await kb("rotate", id, "--overlap", "soon")).code).toBe(2);

  await kb("revoke", id);
  const moment = "[\\d-]+ [\\d:]+";
  expect((await kb("list")).out).toMatch(
    new RegExp(
      `^ID .*\\n.* CI +….{4}  public +works +operator +(${moment} +){3}192\\.0\\.2\\.7 +GET /v2/me\\n` +
        `${id}  CI +…${made.out.trim().slice(-4)}  public +revoked +operator +(${moment} +){3}192\\.0\\.2\\.7 +GET /v2/me\\n` +
        `.* test .* works +admin@${workspace.subdomain}.example +${moment} +- +- +- +-\\n$`,
    ),
  );
});

test("the text of a key is shown to its creator, and is not in the database or the logs", async () => {
  const made = await kb("create", "--name", "Secret", "--scope", "content.read", "--scope", "members.write");
  const { id } = await me(made.out.trim());
  const next = await kb("rotate", id);
  const texts = [made, next].map(({ out }) => out.trim());

  const said: string[] = [];
  const listening = (["log", "info", "warn", "error", "debug"] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation((...words) => void said.push(inspect(words, { depth: null }))),
  );
  openLog({ level: "debug", format: "json", write: (line) => void said.push(line) });
  const failing = readOperation({
    ...{ operationId: "fail", tag: "Tests", summary: "Fail", description: "", returns: "", example: {} },
    ...{ scope: null, params: z.object({}), query: z.object({}), response: z.object({}) },
    handle: () => Promise.reject(new Error("A failure of the test's own.")),
  });
  for (const key of texts) {
    for (const [path, handler] of Object.entries(paths)) {
      await call(handler, workspace, `/api/external/v2${path}?search_term=x&api_key=${key}`, { key });
      await call(handler, workspace, `/api/external/v2${path}`, { key, method: "PATCH", body: "not JSON" });
    }
    await call(route({ GET: failing }).GET, workspace, "/api/external/v2/setting", { key });
  }
  for (const spy of listening) spy.mockRestore();
  expect(said.join("\n")).toContain("A failure of the test's own.");
  const printed = [made, next, await kb("list"), await kb("revoke", id)].flatMap(({ out, err }) => [out, err]);

  for (const text of texts) {
    expect(await tablesWith(text)).toEqual([]);
    expect(await tablesWith(hashOfKey(text).toString("hex"))).toEqual(["public.api_keys"]);
    expect([...said, ...(await serverLogs())].filter((line) => line.includes(text))).toEqual([]);
    expect(printed.filter((part) => part.includes(text))).toEqual([`${text}\n`]);
  }
});

/** The tables that contain a text in any column of any row, bytes included. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await acrossWorkspaces.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname !~ '^(pg_|information_schema)' ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(25);
  const holding: string[] = [];
  for (const { name } of tables) {
    const [row] = await acrossWorkspaces.query<{ holds: boolean }>(
      `SELECT EXISTS (SELECT FROM ${name} t WHERE t::text LIKE ANY ($1)) AS holds`,
      [[`%${text}%`, `%${Buffer.from(text).toString("hex")}%`]],
      60,
    );
    if (row?.holds) holding.push(name);
  }
  return holding;
}

/** The log of the embedded PostgreSQL, or empty if the tests run on another server. */
async function serverLogs(): Promise<string[]> {
  const data = process.env.DATA_DIR ?? "";
  const files = (await readdir(data, { recursive: true })).filter((file) => file.endsWith(".log"));
  return Promise.all(files.map((file) => readFile(join(data, file), "utf8")));
}
