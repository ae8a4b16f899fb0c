import { readdir, readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { UnavailableError } from "@/lib/errors";
import { duringRequest, newRequest, noteOfRequest } from "@/lib/http/request";
import { inThread, Pool, TooSlowError } from "@/lib/threads/pool";

const pool = new Pool(4_000);

/** Runs a task, and tells how busy this thread was meanwhile: 1 is always. */
async function observed<T>(work: Promise<T>): Promise<{ result: T; busy: number }> {
  const before = performance.eventLoopUtilization();
  const result = await work;
  return { result, busy: performance.eventLoopUtilization(before).utilization };
}

const code = (language: string, text: string) =>
  `<p>Before</p><pre><code class="language-${language}">${text.replaceAll("<", "&lt;")}</code></pre>`;

test("code that is slow to highlight stays plain, and this thread stays free", async () => {
  for (const language of ["csharp", "apex"]) {
    const { result, busy } = await observed(pool.run("one", "derive", [code(language, "<a ".repeat(330))]));
    expect(result).toMatchObject({
      text: expect.stringMatching(/^Before\n<a <a /),
      renderedHtml: expect.stringContaining(`<pre tabindex="0"><code class="language-${language}">&lt;a &lt;a `),
    });
    expect(busy).toBeLessThan(0.5);
  }
}, 60_000);

test("other code is highlighted", async () => {
  expect(await pool.run("one", "derive", [code("csharp", "int a = 1;")])).toMatchObject({
    renderedHtml: expect.stringContaining('<span class="hl-'),
  });
}, 30_000);

test("a text over its budget is refused after one attempt, and the next one is worked on", async () => {
  const hasty = new Pool(1);
  const many = "<p>a".repeat(100_000);
  await expect(hasty.run("one", "clean", [many])).rejects.toThrow(TooSlowError);
  await expect(hasty.run("one", "clean", [many])).rejects.toThrow("This text takes too long to process.");
  expect(await pool.run("one", "clean", ["<p>a<script>b</script>"])).toMatchObject({ html: "<p>a</p>" });
}, 60_000);

test("a text over its budget is refused the same way if another bundle made the pool", async () => {
  const shared = globalThis as { lecternPool?: unknown };
  const { lecternPool: own } = shared;
  shared.lecternPool = { run: () => Promise.reject(Object.assign(new Error(), { name: "TooSlowError" })) };
  try {
    await expect(inThread("one", "clean", "<p>a")).rejects.toThrow(TooSlowError);
  } finally {
    shared.lecternPool = own;
  }
});

test("a text that needs too much memory is refused, and the process lives", async () => {
  const small = new Pool(60_000, 64);
  await expect(small.run("one", "clean", ["<p>a<b>c</b>".repeat(300_000)])).rejects.toThrow(TooSlowError);
}, 90_000);

test("the threads of texts go after the thread that serves requests", async () => {
  const own = getPriority();
  await pool.run("one", "clean", ["<p>a"]);
  expect(getPriority()).toBe(own);
  if (process.platform !== "linux") return;
  const tasks = (await readdir("/proc/self/task")).map((id) => readFile(`/proc/self/task/${id}/stat`, "utf8"));
  // The nineteenth field of a line that begins "123 (name) S".
  const priorities = (await Promise.all(tasks)).map((line) => Number(line.slice(line.lastIndexOf(")")).split(" ")[17]));
  expect(priorities).toContain(Math.min(own + 10, 19));
}, 30_000);

test("a workspace that keeps a thread busy does not hold up another", async () => {
  const slow = Array.from({ length: 3 }, () => pool.run("one", "derive", [code("csharp", "<a ".repeat(330))]));
  const order: string[] = [];
  const all = slow.map((work) => work.then(() => order.push("slow")));
  await Promise.all([...all, pool.run("two", "clean", ["<p>a"]).then(() => order.push("quick"))]);
  expect(order).toHaveLength(4);
  expect(order.at(-1)).toBe("slow");
}, 90_000);

test("a member's text comes before those of programs, which wait only so long", async () => {
  const order: string[] = [];
  const run = (name: string, waitMs?: number) =>
    pool.run("one", "clean", ["<p>a".repeat(2_000)], waitMs).then(
      () => order.push(name),
      (error: Error) => order.push(`${name}: ${error.name}`),
    );
  const slow = pool.run("one", "derive", [code("csharp", "<a ".repeat(330))]);
  await Promise.all([slow, run("a program", 60_000), run("another", 1), run("a member"), run("a second member")]);
  expect(order).toEqual(["another: UnavailableError", "a member", "a second member", "a program"]);
}, 60_000);

test("a text of a request with an API key is one of a program, and a text of another request is not", async () => {
  const shared = globalThis as { lecternPool?: unknown };
  const { lecternPool: own } = shared;
  const waits: unknown[] = [];
  shared.lecternPool = {
    run: (_: string, _task: string, _args: unknown, waitMs?: number) => {
      waits.push(waitMs);
      return Promise.reject(Object.assign(new Error(), { name: "UnavailableError" }));
    },
  };
  try {
    for (const keyId of ["a key", null]) {
      await duringRequest(newRequest(null, "api"), async () => {
        noteOfRequest({ keyId });
        await expect(inThread("one", "clean", "<p>a")).rejects.toThrow(UnavailableError);
      });
    }
  } finally {
    shared.lecternPool = own;
  }
  expect(waits).toEqual([20_000, undefined]);
});

test("49,000 paragraphs are cleaned, derived and compared while this thread stays free", async () => {
  const patient = new Pool(60_000);
  const text = (word: string) => Array.from({ length: 49_000 }, (_, n) => `<p>${word} ${n % 7}</p>`).join("");
  const cleaned = await observed(patient.run("one", "clean", [text("a")]));
  expect(cleaned.busy).toBeLessThan(0.5);
  expect((cleaned.result as { html: string }).html.split("\n")).toHaveLength(49_000);
  expect((await observed(patient.run("one", "derive", [text("a")]))).busy).toBeLessThan(0.5);
  const compared = await observed(patient.run("one", "compare", [text("a"), text("b")]));
  expect(compared.busy).toBeLessThan(0.5);
  expect((compared.result as { lines: unknown[] }).lines.length).toBeLessThan(3_000);
}, 180_000);

test("workspaces that keep every thread busy don't hold up another", async () => {
  const order: string[] = [];
  const patient = new Pool(60_000);
  const work = (owner: string, text: string) => patient.run(owner, "clean", [text]).then(() => order.push(owner));
  const owners = ["one", "two", "three", "four"];
  const floods = owners.flatMap((owner) => [1, 2, 3, 4].map(() => work(owner, "<p>a</p>".repeat(3_000))));
  await Promise.all([...floods, work("other", "<p>a")]);
  expect(order.indexOf("other")).toBeLessThan(9);
}, 90_000);
