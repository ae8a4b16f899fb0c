import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readWorkspace } from "@/lib/db";
import { aFolder, contents, importing } from "@/testing/import";
import { startOf } from "@/testing/program";
import { aWorkspace, type TestWorkspace } from "@/testing/workspace";

const FILES = 330;

/** Enough files for several batches, with links and related articles that reach into later ones. */
const aLargeFolder = () =>
  aFolder(
    Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => {
        const next = `../${(index + 7) % 10}/${(index + 97) % FILES}.md`;
        const lines = ["---", `title: Article ${index % 90}`, `related: [${next}]`, "tags: [one, two]", "---", ""];
        return [`${index % 10}/${index}.md`, [...lines, `# Part\n\nWord${index} and [next](${next}).`].join("\n")];
      }),
    ),
  );

const stored = (workspace: TestWorkspace) =>
  readWorkspace(workspace.id, async (read) => {
    const [row] = await read<{ articles: number; whole: number }>(
      `SELECT count(*)::int AS articles, count(*) FILTER (WHERE l.id IS NOT NULL AND s.id IS NOT NULL AND EXISTS (
         SELECT FROM article_versions v WHERE v.article_id = a.id))::int AS whole
       FROM articles a LEFT JOIN article_live l ON l.id = a.id LEFT JOIN search_documents s ON s.id = a.id`,
    );
    return row ?? { articles: 0, whole: 0 };
  });

const comparable = async (workspace: TestWorkspace) =>
  (await contents(workspace)).map((row) => ({ ...row, author: undefined }));

test("an import that is killed leaves whole articles, and the next run completes it as if nothing had been", async () => {
  const folder = await aLargeFolder();
  const [whole, killed] = [await aWorkspace(), await aWorkspace()];
  expect(await importing(whole, folder)).toMatchObject({ created: FILES, problems: [] });

  const child = spawn(process.execPath, [...startOf("bin/kb.ts"), "import", "--workspace", killed.subdomain, folder], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while ((await stored(killed)).articles === 0 && child.exitCode === null) await sleep(5);
  child.kill("SIGKILL");
  await ended;

  const left = await stored(killed);
  expect(left.articles).toBeGreaterThan(0);
  expect(left.articles).toBeLessThan(FILES);
  expect(left.whole).toBe(left.articles);
  const second = await importing(killed, folder);
  expect(second.created).toBe(FILES - left.articles);
  expect(await comparable(killed)).toEqual(await comparable(whole));
  expect(await importing(killed, folder)).toMatchObject({ created: 0, updated: 0, unchanged: FILES });
}, 120_000);

test("a stopped import says so, and continues when it is run again", async () => {
  const folder = await aLargeFolder();
  const [whole, stopped] = [await aWorkspace(), await aWorkspace()];
  await importing(whole, folder);
  const stop = new AbortController();
  const first = await importing(stopped, folder, {
    signal: stop.signal,
    onProgress: ({ phase, done }) => phase === "importing" && done === 120 && stop.abort(),
  });
  expect(first.interrupted).toBe(true);
  expect((await stored(stopped)).articles).toBe(first.created);
  expect(first.created).toBeLessThan(FILES);
  expect(await importing(stopped, folder)).toMatchObject({ interrupted: false });
  expect(await comparable(stopped)).toEqual(await comparable(whole));
}, 120_000);
