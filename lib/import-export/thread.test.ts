import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { readWorkspace } from "@/lib/db";
import { runInThread } from "@/lib/import-export/thread";
import { aFolder } from "@/testing/import";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const never = new AbortController().signal;
/** So many paragraphs take several seconds. */
const slow = "a\n\n".repeat(50_000);

const importing = (workspace: TestWorkspace, path: string, fileMs: number, signal = never) =>
  runInThread("import", { workspace, path, actor: workspace.actor }, { onProgress: () => {}, signal, fileMs });
const titles = (workspace: TestWorkspace) =>
  readWorkspace(workspace.id, (read) => read<{ title: string }>("SELECT title FROM articles ORDER BY title"));

test("a file that takes too long is named, the others are imported and counted once, and this thread stays free", async () => {
  const workspace = await aWorkspace();
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`a/${n}.md`, `# N${n}\n\n[x](nowhere.md)`]));
  const folder = await aFolder({ ...files, "b/slow.md": slow, "c/two.md": "# Two" });
  const before = performance.eventLoopUtilization();
  const result = await importing(workspace, folder, 2_000);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  expect(result).toMatchObject({ files: 122, created: 121, updated: 0, unchanged: 0 });
  expect(result.problems).toEqual([
    { path: "b/slow.md", message: "The file made no progress within 2 seconds, so it was left out." },
  ]);
  // The findings of what was stored before are not lost.
  expect(result.findings).toHaveLength(120);
  expect(await titles(workspace)).toHaveLength(121);
}, 60_000);

test("a heading of very many spaces is read in no time", async () => {
  const workspace = await aWorkspace();
  const folder = await aFolder({ "a.md": `# a${" ".repeat(80_000)}b` });
  expect(await importing(workspace, folder, 10_000)).toMatchObject({ created: 1, problems: [] });
}, 30_000);

test("an error keeps what its reader must know, and a run that is stopped says so", async () => {
  const workspace = await aWorkspace();
  await expect(importing(workspace, "/nowhere/at/all", 5_000)).rejects.toThrow("There is nothing at /nowhere/at/all");
  const stopped = AbortSignal.abort(new Error("Enough."));
  const folder = await aFolder({ "a.md": "# A" });
  expect(await importing(workspace, folder, 5_000, stopped)).toMatchObject({ interrupted: true });
  const exporting = runInThread(
    "export",
    { workspace, secret: undefined, out: `${folder}/out.zip` },
    { onProgress: () => {}, signal: stopped },
  );
  await expect(exporting).rejects.toThrow("Enough.");
}, 30_000);
