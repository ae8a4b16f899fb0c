import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";

const MEGABYTE = 1_000_000;
const filled = (unit: string) => unit.repeat(Math.ceil(MEGABYTE / unit.length));

// Generous for a busy machine. Without the limits each takes minutes, or ends in a stack overflow or without memory.
const SECONDS = 30_000;

test.each([
  "<div>",
  "<blockquote>",
  "<ul><li>",
  "<em><strong>",
  "<table><tr><td>",
  "<b><p>",
  "<p><a href=/x>",
  "<svg>",
  "</p>",
  "<",
])(
  "a megabyte of %s is cleaned in seconds",
  (unit) => {
    const { html, text } = contentFromHtml(`<p>first</p>${filled(unit)}last`);
    expect(html).toMatch(/^<p>first<\/p>/);
    // Both swallow what follows: one as foreign content, one as the name of a tag.
    if (!["<svg>", "<"].includes(unit)) expect(text.endsWith("last")).toBe(true);
    expect(contentFromHtml(html).html).toBe(html);
  },
  SECONDS,
);

test.each([
  "*",
  "[",
  "]",
  "x*",
  "a*b ",
  "> ",
  "- ",
  ">",
  "![",
  "`",
  "<",
  "[a](",
  "x <? ",
  "x <!A ",
  "<a\n",
  "a\n\n",
  "a\n=\n",
  "> a\n\n",
  "- a\n  - b\n",
  "[^a]: b\n",
  "|a|\n|-|\n\n",
])(
  "a megabyte of %j is read as Markdown in seconds",
  (unit) => {
    const { html, text } = contentFromMarkdown(`first\n\n${filled(unit)}`);
    expect(html).toMatch(/^<p>first<\/p>/);
    expect(text.length).toBeGreaterThan(4);
  },
  SECONDS,
);

test(
  "ten thousand quotes, lists and elements inside one another keep their text",
  () => {
    const deep = [
      `${"> ".repeat(10_000)}text`,
      `${"- ".repeat(10_000)}text`,
      Array.from({ length: 1400 }, (_, depth) => `${"  ".repeat(depth)}- text`).join("\n"),
      `${"<div>".repeat(10_000)}text${"</div>".repeat(10_000)}`,
      `${"*a **b ".repeat(1000)}text${"** *".repeat(1000)}`,
    ];
    for (const markdown of deep) {
      const { html, text } = contentFromMarkdown(markdown);
      expect(text).toContain("text");
      expect(contentFromMarkdown(markdownFromHtml(html)).text).toBe(text);
    }
  },
  SECONDS,
);

test("frames inside one another are kept to the 24th", () => {
  const nested = (depth: number) => `${"<blockquote>".repeat(depth)}<p>text</p>${"</blockquote>".repeat(depth)}`;
  expect(contentFromHtml(nested(24)).html).toBe(nested(24));
  expect(contentFromHtml(nested(25)).html).toBe(nested(24));
});

test(
  "a long address, many open marks or a ragged table do not multiply",
  () => {
    const address = "x".repeat(8000);
    const sources = [
      `<a href="/${address}">${"<p>x".repeat(100_000)}`,
      `<b><i><u><s><code>${"<p>x".repeat(100_000)}`,
      `${Array.from({ length: 1000 }, (_, index) => `<p><font id=${index}>`).join("")}${"<p>x".repeat(100_000)}`,
      `<table><tr>${"<td>".repeat(50_000)}${"<tr><td>x".repeat(50_000)}`,
    ];
    for (const source of sources) expect(contentFromHtml(source).html.length).toBeLessThan(10 * MEGABYTE);
    const definition = `[a]: /${address}\n\n${"[a] ".repeat(2000)}`;
    expect(contentFromMarkdown(definition).html.length).toBeLessThan(10 * MEGABYTE);
    expect(contentFromMarkdown(`[a]: /${address}\n\n[a]`).links).toEqual([{ href: `/${address}`, kind: "link" }]);
  },
  SECONDS,
);

test(
  "what is too intricate to read as Markdown is kept as code",
  () => {
    const { html, text } = contentFromMarkdown(`first\n\n${filled("x*")}`);
    expect(html).toMatch(/^<p>first<\/p>\n[\s\S]*<pre><code>/);
    expect(text.length).toBeGreaterThan(0.9 * MEGABYTE);
  },
  SECONDS,
);
