import fc from "fast-check";
import { expect, test } from "vitest";
import { comparedTexts } from "@/lib/content/compare";
import { contentFromHtml } from "@/lib/content/content";
import { Addresses } from "@/lib/import/addresses";
import { readArticleFile } from "@/lib/import/article-file";
import { preparedBody } from "@/lib/import/prepare";
import { FileError } from "@/lib/import/problem";
import { NO_WORKSPACE } from "@/lib/jobs";

const SIZE = 10_000;
/** Of CPU time, because the machine may be busy. Most take a hundredth of it. */
const MOST_MS = 3_000;
const RUNS = Number(process.env.PAIRS ?? 40);

const character = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) },
  { weight: 1, arbitrary: fc.constant("\n") },
);
const pair = fc.tuple(character, character).map(([one, other]) => one + other);

const nowhere = new Addresses({
  articles: new Map(),
  folders: new Map(),
  others: new Set(),
  files: new Map(),
  isExport: false,
});

async function imported(path: string, text: string): Promise<void> {
  try {
    await preparedBody(NO_WORKSPACE, path, readArticleFile(path, Buffer.from(text)), nowhere);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}

test.each<[string, (text: string) => unknown]>([
  ["Markdown", (text) => imported("a.md", `First\n\nx ${text}`)],
  ["HTML", (text) => imported("a.html", `<h1>${text}</h1>${text}`)],
  ["front matter", (text) => imported("a.md", `---\n${text}\n---\n`)],
  ["cleaned HTML", (text) => contentFromHtml(`<p>${text}`)],
  ["two compared texts", (text) => comparedTexts(`<p>a ${text}`, `<p>b ${text.slice(1)} ${text}`)],
])(
  "any two characters over and over are read as %s within the budget",
  async (_, read) => {
    await fc.assert(
      fc.asyncProperty(pair, async (two) => {
        const before = process.cpuUsage();
        await read(two.repeat(SIZE / 2));
        expect(process.cpuUsage(before).user / 1000).toBeLessThan(MOST_MS);
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * MOST_MS * 4,
);
