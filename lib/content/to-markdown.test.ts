import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { markdownFromHtml } from "@/lib/content/to-markdown";

test.each([
  ["<h2>A</h2><h2 id=b>A</h2><p>c</p>", "## A\n\n## A {#b}\n\nc\n"],
  [
    "<b>a</b> <i>b</i> <s>c</s> <code>d`</code> <a href=/x title=T>e</a><br>f",
    '**a** *b* ~~c~~ `` d` `` [e](/x "T")\\\nf\n',
  ],
  [
    "<kbd>Ctrl</kbd> H<sub>2</sub>O <u>u</u> <mark>m</mark>",
    "<kbd>Ctrl</kbd> H<sub>2</sub>O <u>u</u> <mark>m</mark>\n",
  ],
  ["<ul><li>a<ol start=0><li>b</li></ol></li><li><p>c</p><p>d</p></li></ul>", "- a\n\n  0. b\n\n- c\n\n  d\n"],
  ["<ul><li><input type=checkbox checked> a</li><li><input type=checkbox> b</li></ul>", "- [x] a\n- [ ] b\n"],
  [
    "<ul><li><input type=checkbox> a</li><li><input type=checkbox><ul><li>b</li></ul></li></ul>",
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> a</li><li class="task-list-item"><input type="checkbox" disabled><ul><li>b</li></ul></li></ul>\n',
  ],
  ['<aside class="callout callout-tip"><p>a</p><p>b</p></aside>', "> [!TIP]\n> a\n>\n> b\n"],
  ['<aside class="callout callout-note"><ul><li>a</li></ul></aside>', "> [!NOTE]\n>\n> - a\n"],
  [
    "<details><summary>More</summary><p>a <b>b</b></p></details>",
    "<details>\n<summary>More</summary>\n\na **b**\n\n</details>\n",
  ],
  ['<pre><code class="language-js">a\n\nb</code></pre>', "```js\na\n\nb\n```\n"],
  [
    "<table><tr><td colspan=2>a</td></tr><tr><td><pre>b\n\nc</pre></td><td>d</td></tr></table>",
    '<table><tbody><tr><td colspan="2">a</td></tr><tr><td><pre><code>b&#10;&#10;c</code></pre></td><td>d</td></tr></tbody></table>\n',
  ],
  ["<img src=/a.png alt=A>", "![A](/a.png)\n"],
  ["<img src=/a.png alt=A width=9>", '<img src="/a.png" alt="A" width="9">\n'],
  ["<img src=/a.png alt=A class=alignwide>", '<img src="/a.png" alt="A" class="align-wide">\n'],
  [
    "<figure><img src=/a.png><figcaption>C</figcaption></figure>",
    '<figure><img src="/a.png" alt=""><figcaption>C</figcaption></figure>\n',
  ],
  ["<iframe src=https://youtu.be/dQw4w9WgXcQ></iframe>", "<https://www.youtube.com/watch?v=dQw4w9WgXcQ>\n"],
  [
    "1. a<p># b</p><p>- c &lt;i> *d* [e] www.example.com",
    "1\\. a\n\n\\# b\n\n\\- c \\<i> \\*d\\* \\[e] www\\.example.com\n",
  ],
])("%s is written %j, and read again is the same", (source, markdown) => {
  const { html } = contentFromHtml(source);
  expect(markdownFromHtml(html)).toBe(markdown);
  expect(contentFromMarkdown(markdown).html).toBe(html);
});
