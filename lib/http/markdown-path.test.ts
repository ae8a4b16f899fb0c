import { expect, test } from "vitest";
import { hasMarkdown, markdownPath } from "@/lib/http/markdown-path";

test.each([
  ["/articles/intro.md", null, "/markdown/demo/articles/intro"],
  ["/categories/start.md", "*/*", "/markdown/demo/categories/start"],
  ["/articles/intro", "text/markdown", "/markdown/demo/articles/intro"],
  ["/articles/intro", "Text/Markdown, text/html, */*", "/markdown/demo/articles/intro"],
  ["/articles/intro", "text/html;q=0.5, text/markdown; q=0.9", "/markdown/demo/articles/intro"],
  ["/", "text/markdown", "/sites/demo/llms.txt"],
  ["/articles/intro", "text/html, text/markdown;q=0.8", null],
  ["/articles/intro", "text/markdown;q=0", null],
  ["/articles/intro", "text/html,application/xhtml+xml,*/*;q=0.8", null],
  ["/articles/intro", null, null],
  ["/articles/.md", null, null],
  ...["..", ".", "%2e%2e", ".%2E", "%2E", "%2e."].map((name): [string, null, null] => [
    `/articles/${name}.md`,
    null,
    null,
  ]),
  ["/categories/%2e", "text/markdown", null],
  ["/articles/%2e%2e%2e.md", null, "/markdown/demo/articles/%2e%2e%2e"],
  ["/articles/a/b.md", null, null],
  ["/search.md", "text/markdown", null],
  ["/markdown/articles/intro", "text/markdown", null],
])("%s with Accept %s leads to %s", (path, accept, expected) => {
  expect(markdownPath("demo", path, accept)).toBe(expected);
});

test("only the pages that are there as Markdown too depend on what is accepted", () => {
  const paths = ["/", "/articles/intro", "/categories/a", "/articles/intro.md", "/search", "/articles", "/a/b/c"];
  expect(paths.filter(hasMarkdown)).toEqual(["/", "/articles/intro", "/categories/a"]);
});
