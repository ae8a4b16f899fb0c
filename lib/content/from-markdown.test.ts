import { expect, test } from "vitest";
import { contentFromMarkdown } from "@/lib/content/from-markdown";

test("Markdown as GitHub writes it becomes clean HTML", () => {
  const markdown = `Text with **bold**, *emphasis*, ~~strike~~, \`code\` and https://example.com.

- [x] done
- [ ] open

1. one

   more
2. two

| Key | Value |
|-----|------:|
| a   | 1     |

\`\`\`JS
let a;
\`\`\`

![A window](a.png "Title")
`;
  expect(contentFromMarkdown(markdown).html).toBe(
    `<p>Text with <strong>bold</strong>, <em>emphasis</em>, <s>strike</s>, <code>code</code> and <a href="https://example.com">https://example.com</a>.</p>
<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> done</li><li class="task-list-item"><input type="checkbox" disabled> open</li></ul>
<ol><li><p>one</p><p>more</p></li><li>two</li></ol>
<table><thead><tr><th>Key</th><th align="right">Value</th></tr></thead><tbody><tr><td>a</td><td align="right">1</td></tr></tbody></table>
<pre><code class="language-js">let a;</code></pre>
<p><img src="a.png" alt="A window" title="Title"></p>`,
  );
});

test.each([
  ["> [!NOTE]\n> Text", '<aside class="callout callout-note"><p>Text</p></aside>'],
  ["> [!Tip]  \n> - a\n> - b", '<aside class="callout callout-tip"><ul><li>a</li><li>b</li></ul></aside>'],
  ["> **IMPORTANT**\n> Text", '<aside class="callout callout-important"><p>Text</p></aside>'],
  ["> **Warning**\n>\n> Text", '<aside class="callout callout-warning"><p>Text</p></aside>'],
  ["> **NOTE** that this is a quote", "<blockquote><p><strong>NOTE</strong> that this is a quote</p></blockquote>"],
  ["> **Caution**", "<blockquote><p><strong>Caution</strong></p></blockquote>"],
  ["## Set *up* {#install}\n\n## Use {# x}", '<h2 id="install">Set <em>up</em></h2>\n<h2 id="use--x">Use {# x}</h2>'],
  ["# Top\n\n## Sub", '<h2 id="top">Top</h2>\n<h3 id="sub">Sub</h3>'],
  [
    "<https://youtu.be/dQw4w9WgXcQ>",
    '<div class="video"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></div>',
  ],
  [
    "Copy <file name> to <kbd>C:</kbd> as <Your-Name>.",
    "<p>Copy &lt;file name> to <kbd>C:</kbd> as &lt;Your-Name>.</p>",
  ],
  [
    "<details>\n<summary>More</summary>\n\n- *a*\n\n</details>",
    "<details><summary>More</summary><ul><li><em>a</em></li></ul></details>",
  ],
  [
    "<table><tr><td>\n\n**a**\n\n</td></tr></table>",
    "<table><tbody><tr><td><strong>a</strong></td></tr></tbody></table>",
  ],
  [
    "A[^1] and B[^b][^1].\n\n[^1]: One *note*.\n[^b]: Two.",
    "<p>A<sup>[1]</sup> and B<sup>[2][1]</sup>.</p>\n<hr>\n<ol><li>One <em>note</em>.</li><li>Two.</li></ol>",
  ],
  ["Escaped: www\\.example.com", "<p>Escaped: www.example.com</p>"],
  ["line one\nline two\\\nline three", "<p>line one line two<br>line three</p>"],
  ["a\r\n\r\nb", "<p>a</p>\n<p>b</p>"],
])("%j becomes %s", (markdown, html) => {
  expect(contentFromMarkdown(markdown).html).toBe(html);
});

test("links know the line of the Markdown they stand on, in raw HTML too", () => {
  const markdown = `# Title

See [a](../a.md) and
[b][ref], <a href="c.md">c</a>.

<div>
  <img src="d.png"><br><a
  href="e.md">e</a>
</div>

[ref]: b.md
`;
  const seen: unknown[] = [];
  const { html, links } = contentFromMarkdown(markdown, {
    rewriteLink(link) {
      seen.push(link);
      return `/${link.kind}/${link.href.replace("../", "")}`;
    },
  });
  expect(seen).toEqual([
    { href: "../a.md", kind: "link", line: 3 },
    { href: "b.md", kind: "link", line: 4 },
    { href: "c.md", kind: "link", line: 4 },
    { href: "d.png", kind: "image", line: 7 },
    { href: "e.md", kind: "link", line: 7 },
  ]);
  expect(links).toEqual([
    { href: "/link/a.md", kind: "link" },
    { href: "/link/b.md", kind: "link" },
    { href: "/link/c.md", kind: "link" },
    { href: "/image/d.png", kind: "image" },
    { href: "/link/e.md", kind: "link" },
  ]);
  expect(html).not.toContain("data-line");
});

test("a long document is the same as its parts, with lines, references and notes across it", () => {
  const filler = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} is filled with some words.\n\n`).join(
    "",
  );
  const list = `- item\n${"- another item with some words in it\n".repeat(400)}\n`;
  const fence = `\`\`\`\n${"# no heading\n\n".repeat(800)}\`\`\`\n\n`;
  const markdown = `[a][Ref][^n]\n\n${filler}${list}${fence}[b][ref][^n] [c](c.md)\n\n${filler}[ref]: /target\n\n[^n]: The note.\n`;
  const seen: unknown[] = [];
  const { html, links, headings } = contentFromMarkdown(markdown, {
    rewriteLink(link) {
      seen.push(link);
      return link.href;
    },
  });
  const lineOfB = markdown.slice(0, markdown.indexOf("[b]")).split("\n").length;
  expect(seen).toEqual([
    { href: "/target", kind: "link", line: 1 },
    { href: "/target", kind: "link", line: lineOfB },
    { href: "c.md", kind: "link", line: lineOfB },
  ]);
  expect(links.map(({ href }) => href)).toEqual(["/target", "/target", "c.md"]);
  expect(html.match(/<sup>\[1\]<\/sup>/g)).toHaveLength(2);
  expect(html).toMatch(/<ol><li>The note\.<\/li><\/ol>$/);
  expect(html.match(/<li>/g)).toHaveLength(402);
  expect(html.match(/<pre>/g)).toHaveLength(1);
  expect(headings).toEqual([]);
});
