// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imagesLeftOut, looksLikeMarkdown, plainerHtml } from "@/components/admin/editor/paste/word-processors";
import { documentOf, htmlOf } from "@/components/admin/editor/schema/html";
import { contentFromHtml } from "@/lib/content/content";

/** The article's HTML after pasting and saving. */
function pasted(name: string): string[] {
  const clipboard = readFileSync(join(import.meta.dirname, "fixtures", `${name}.clipboard`), "utf8");
  const { html } = contentFromHtml(plainerHtml(clipboard));
  expect(contentFromHtml(htmlOf(documentOf(html))).html).toBe(html);
  return html.split("\n");
}

test("what is copied from Word keeps its structure and loses the rest", () => {
  expect(pasted("word")).toEqual([
    '<h2 id="set-up-the-scanner">Set up the scanner</h2>',
    '<p>Before you begin, read the <strong>safety notes</strong> and the <a href="https://example.com/manual"><em>manual</em></a>. It takes <s>ten</s> five minutes.</p>',
    '<h3 id="what-you-need">What you need</h3>',
    "<ul><li>A cable<ul><li>USB-C, or</li><li>USB-A</li></ul></li><li>The <strong>key</strong></li></ul>",
    '<h3 id="steps">Steps</h3>',
    "<ol><li>Plug it in.</li><li>Wait[1].</li></ol>",
    "<table><thead><tr><th><strong>Light</strong></th><th><strong>Meaning</strong></th></tr></thead><tbody><tr><td>Green</td><td>Ready, at 5 m<sup>2</sup></td></tr></tbody></table>",
    "<p>The scanner from above</p>",
  ]);
});

test("what is copied from Google Docs keeps its structure and loses the rest", () => {
  expect(pasted("google-docs")).toEqual([
    '<h2 id="set-up-the-scanner">Set up the scanner</h2>',
    '<p>Before you begin, read the <strong>safety notes</strong> and the <a href="https://example.com/manual"><em>manual</em></a>. It takes <s>ten</s> five minutes.</p>',
    '<h3 id="what-you-need">What you need</h3>',
    "<ul><li>A cable<ul><li>USB-C, or</li><li>USB-A</li></ul></li><li>The <strong>key</strong></li></ul>",
    '<h3 id="steps">Steps</h3>',
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Plug it in.</li><li class="task-list-item"><input type="checkbox" disabled> Wait.</li></ul>',
    "<table><tbody><tr><td><strong>Light</strong></td><td><strong>Meaning</strong></td></tr><tr><td>Green</td><td>Ready, at 5 m<sup>2</sup></td></tr></tbody></table>",
    '<p><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXe" alt="The scanner from above" width="301" height="167"></p>',
  ]);
});

test("a Word list that starts at another number than 1, and skips a level", () => {
  const line = (level: number, marker: string, text: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${marker}<span>&nbsp; </span></span>${text}</p>`;
  const html =
    line(1, "4.", "four") + line(3, "i.", "deep") + line(1, "5.", "five") + "<p>Between</p>" + line(1, "·", "other");
  expect(contentFromHtml(plainerHtml(html)).html.split("\n")).toEqual([
    '<ol start="4"><li>four<ol><li>deep</li></ol></li><li>five</li></ol>',
    "<p>Between</p>",
    "<ul><li>other</li></ul>",
  ]);
});

test("lists of Word that follow each other are as many lists, each of its own kind", () => {
  expect(pasted("word-lists")).toEqual([
    "<p>Bring along:</p>",
    "<ul><li>A cable<ol><li>Short</li><li>Long</li></ol><ul><li>Black</li></ul></li><li>The key</li></ul>",
    "<ol><li>Plug it in.<ol><li>At the back</li><li>At the side</li></ol></li><li>Wait.</li></ol>",
    "<ul><li>Done</li></ul>",
    '<ol start="3"><li>Switch it off.</li></ol>',
  ]);
});

test("a text that is about styles stays as it was written", () => {
  const html = '<p style="color:red" title="x">Set Style = &lt;p STYLE="a"&gt; or data-lectern-style there</p>';
  expect(contentFromHtml(plainerHtml(html)).html).toBe(
    '<p>Set Style = &lt;p STYLE="a"> or data-lectern-style there</p>',
  );
});

test("images that lie on a disk are counted, and those of the web are not", () => {
  const word = readFileSync(join(import.meta.dirname, "fixtures/word.clipboard"), "utf8");
  expect(imagesLeftOut(plainerHtml(word))).toEqual({ away: 1, unfit: 0 });
  expect(imagesLeftOut('<p><img src="https://example.com/a.png"><img alt="x" src=/uploads/b.png></p>')).toEqual({
    ...{ away: 0, unfit: 0 },
  });
  expect(imagesLeftOut('<img src="cid:1"><img src="data:image/svg+xml,%3Csvg/%3E">')).toEqual({ away: 1, unfit: 1 });
});

test.each([
  ["# Title\n\nText", true],
  ["- one\n- two", true],
  ["1. one\n2. two\n", true],
  ["See [the page](https://example.com) first.", true],
  ["```js\nx\n```", true],
  ["| a | b |\n|---|---|\n| 1 | 2 |", true],
  ["**Note** this", true],
  ["Just a sentence.", false],
  ["Two lines\nof a letter * with a star", false],
  ["Dear Ada,\n\nthe price is\n- 5 %\n\nlower.\n\nYours", false],
  ["#hashtag and a_b_c", false],
])("whether %j is Markdown: %s", (text, isMarkdown) => {
  expect(looksLikeMarkdown(text)).toBe(isMarkdown);
});
