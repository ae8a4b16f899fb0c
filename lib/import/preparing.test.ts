import { expect, test } from "vitest";
import { readArticleFile } from "@/lib/import/article-file";
import { Preparing } from "@/lib/import/preparing";

const book = {
  articles: new Map([["b.md", "b"]]),
  folders: new Map<string, string>(),
  others: new Set<string>(),
  files: new Map(),
  isExport: false,
};
const file = readArticleFile(
  "a.md",
  Buffer.from("# A\n\n## Part\n\n[b](b.md#x) [c](c.md)\n\n```js\nconst a = 1;\n```\n"),
);

test("two threads give what one gives, whatever the share of each", async () => {
  const [one, two] = [new Preparing(book, 1), new Preparing(book, 100_000)];
  const alone = await one.prepare("a.md", file);
  expect(alone.body.html).toContain('<a href="/articles/b#x">b</a> c');
  // More than the other thread may have waiting: this one takes its share.
  const together = await Promise.all(Array.from({ length: 20 }, () => two.prepare("a.md", file)));
  expect(together).toEqual(Array.from({ length: 20 }, () => alone));
  const { body: _, ...checked } = alone;
  expect(await two.check("a.md", file)).toEqual(checked);
  expect([one.depth, two.depth > one.depth]).toEqual([1, true]);
  await one.close();
  await two.close();
});
