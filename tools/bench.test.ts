import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startOf } from "@/testing/program";

// The program as a real process: it creates a database, fills it, and measures.
vi.setConfig({ testTimeout: 240_000 });

function bench(temporary: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [...startOf("tools/bench.ts"), ...args], {
    env: { ...process.env, TMPDIR: temporary, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (said.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (said.err += part.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}

test("a search is measured in every workspace, in a database that is gone afterwards or is used again", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "lectern-bench-test-"));
  const data = join(temporary, "data");
  const args = ["search", "--articles", "2000", "--seconds", "0.3", "--kinds", "rare,title words", "--data", data];
  try {
    const first = await bench(temporary, ...args, "--keep", "--explain");
    expect([first.code, first.code === 0 ? "" : first.err]).toEqual([0, ""]);
    for (const workspace of [
      "The largest workspace: 1000 articles",
      "A workspace in the same partition as the largest: 100 articles",
      "A workspace of the same articles in another partition: 100 articles",
      "The same articles alone in a database of their own: 100 articles",
      "A small workspace: 50 articles",
    ]) {
      const [, table = ""] = first.out.split(`\n${workspace}\n`);
      // Nothing failed, and the words of titles find their articles.
      expect([workspace, table.match(/^title words +[1-9]\d* .* 0$/m)]).not.toEqual([workspace, null]);
    }
    expect(first.out).toMatch(/^title words +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d$/m);
    expect(first.out).toMatch(/^search_documents +table +2000 /m);
    expect(first.out).toContain("── rare: ");
    expect(first.out).toMatch(/^[\d.]+ ms {2}SELECT /m);
    expect(first.err).toContain("Loading ");

    expect(existsSync(data)).toBe(true);

    const second = await bench(temporary, ...args, "--kinds", "rare", "--seconds", "0.1");
    expect(second.code).toBe(0);
    expect(second.out).toContain("The largest workspace: 1000 articles");
    expect(second.err).not.toContain("Loading ");
    expect(existsSync(data)).toBe(false);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
});

test("search quality is measured beside BM25 in articles of one's own, which a second run finds again", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "lectern-bench-test-"));
  const [data, articles, queries] = ["data", "articles", "queries.json"].map((name) => join(temporary, name)) as [
    string,
    string,
    string,
  ];
  const args = ["search-quality", "--articles", articles, "--queries", queries, "--data", data];
  try {
    await mkdir(articles);
    for (const name of ["invoices", "refunds"])
      await writeFile(
        join(articles, `${name}.md`),
        `---\ntitle: All about ${name}\nslug: ${name}\n---\n\nHow ${name} work.\n`,
      );
    const query = (text: string, slug: string, set?: string) => ({
      query: text,
      expected_slug: slug,
      kind: "own",
      set,
    });
    await writeFile(
      queries,
      JSON.stringify([
        query("refunds", "refunds"),
        query("invoices", "invoices", "apart"),
        query("invoices", "refunds", "tune"),
      ]),
    );
    const first = await bench(temporary, ...args, "--keep", "--misses");
    expect([first.code, first.code === 0 ? "" : first.err]).toEqual([0, ""]);
    expect(first.err).toContain("Imported 2 articles.");
    expect(first.out).toMatch(/^own +Lectern +3 +0\.667 +0\.667 +2 +0 +[\d.]+ +[\d.]+$/m);
    expect(first.out).toMatch(/^ +BM25 +3 +0\.667 +0\.667 +2 +0$/m);
    expect(first.out).toMatch(/^own +invoices +refunds +invoices$/m);

    const second = await bench(temporary, ...args, "--set", "apart");
    expect(second.code).toBe(0);
    expect(second.err).not.toContain("Imported");
    expect(second.out).toMatch(/^own +Lectern +2 +1\.000 +1\.000 +2 +0 /m);
    expect(existsSync(data)).toBe(false);

    await writeFile(queries, "[{}]");
    const malformed = await bench(temporary, ...args);
    expect([malformed.code, malformed.out]).toEqual([1, ""]);
    expect(malformed.err).toContain(`${queries} is not a file of queries. See --help for the format.`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
});

test("what is not understood ends with 2, and every option is explained", async () => {
  const wrong = await bench(tmpdir(), "search", "--kinds", "everything");
  expect([wrong.code, wrong.out]).toEqual([2, ""]);
  expect(wrong.err).toContain("everything is none of rare, medium, ");
  const unknown = await bench(tmpdir(), "api", "--operations", "everything");
  expect([unknown.code, unknown.out]).toEqual([2, ""]);
  expect(unknown.err).toContain("Unknown operation everything. Choose from me, articles, ");
  const help = await bench(tmpdir(), "search", "--help");
  expect([help.code, help.out.includes("--articles <number>")]).toEqual([0, true]);
});
