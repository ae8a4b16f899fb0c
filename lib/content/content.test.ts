import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";

test("all that is kept of an article comes from one cleaning", () => {
  const source = `<h2>Set up</h2>
<p>Read <a href="/articles/first-steps">the <b>first</b> steps</a>,
  then run:</p>
<pre><code class="language-bash">npm start
</code></pre>
<p><img src="https://example.com/a.png" alt="A window"></p>
<table><tr><th>Key</th><th>Value</th></tr><tr><td>port</td><td>3000</td></tr></table>`;
  expect(contentFromHtml(source)).toEqual({
    html: `<h2 id="set-up">Set up</h2>
<p>Read <a href="/articles/first-steps">the <strong>first</strong> steps</a>, then run:</p>
<pre><code class="language-bash">npm start</code></pre>
<p><img src="https://example.com/a.png" alt="A window"></p>
<table><thead><tr><th>Key</th><th>Value</th></tr></thead><tbody><tr><td>port</td><td>3000</td></tr></tbody></table>`,
    text: "Set up\nRead the first steps, then run:\nnpm start\nKey\tValue\nport\t3000",
    headings: [{ id: "set-up", level: 2, text: "Set up" }],
    links: [
      { href: "/articles/first-steps", kind: "link" },
      { href: "https://example.com/a.png", kind: "image" },
    ],
  });
});

test("an empty article has empty content", () => {
  expect(contentFromHtml(" <p>&nbsp;</p><div><br></div> ")).toEqual({ html: "", text: "", headings: [], links: [] });
});

const video =
  '<div class="video"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></div>';
const tasks =
  '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> a</li><li class="task-list-item"><input type="checkbox" disabled> b</li></ul>';

test.each([
  [
    "<b>a</b> <i>b</i> <del>c</del> <tt>d</tt> <ins>e</ins>",
    "<p><strong>a</strong> <em>b</em> <s>c</s> <code>d</code> <u>e</u></p>",
  ],
  ["<b>a<p>b</p></b>", "<p><strong>a</strong></p>\n<p><strong>b</strong></p>"],
  ["<b>a<i>b</b>c</i>", "<p><strong>a<em>b</em></strong><em>c</em></p>"],
  ["a<b> b </b>c", "<p>a <strong>b</strong> c</p>"],
  ["<b>a</b><b>b</b> <a href=/x>c</a><a href=/x>d</a>", '<p><strong>ab</strong> <a href="/x">cd</a></p>'],
  [
    '<b style="font-weight:normal">a <span style="color:red; font-weight:700">b</span></b>',
    "<p>a <strong>b</strong></p>",
  ],
  ["<b style='mso-bidi-font-weight:normal'>a</b>", "<p><strong>a</strong></p>"],
  ["<p>  a \n b\t</p>\n\n<p>c<br> </p>", "<p>a b</p>\n<p>c</p>"],
  ["a<div>b</div>c", "<p>a</p>\n<p>b</p>\n<p>c</p>"],
  ["<section><center><font color=red>a</font></center><blink>b</blink></section>", "<p>a</p>\n<p>b</p>"],
  ["<dl><dt>Term</dt><dd>Meaning</dd></dl>", "<p><strong>Term</strong></p>\n<p>Meaning</p>"],
  [
    "<ul><li><p>a</p></li><li><p>b</p><pre>c</pre></li></ul>",
    "<ul><li>a</li><li><p>b</p><pre><code>c</code></pre></li></ul>",
  ],
  ["<ul><li>a</li><ul><li>b</li></ul></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"],
  ["<ol start=3 type=a><li value=9>a</li></ol>", '<ol start="3"><li>a</li></ol>'],
  ["<ul><li><input type=checkbox checked>a</li><li>b</li></ul>", tasks],
  [
    "<ul data-type=taskList><li data-checked=true><label><input type=checkbox checked><span></span></label><div><p>a</p></div></li><li data-checked=false><div><p>b</p></div></li></ul>",
    tasks,
  ],
  [
    "<pre class='brush lang-JS'>\n\n  a &lt; <i>b</i><br>c\n\n</pre>",
    '<pre><code class="language-js">  a &lt; b\nc</code></pre>',
  ],
  ["<blockquote>[!warning] Hot</blockquote>", '<aside class="callout callout-warning"><p>Hot</p></aside>'],
  ["<blockquote><b>Note:</b><br>Cold</blockquote>", '<aside class="callout callout-note"><p>Cold</p></aside>'],
  [
    "<div class='markdown-alert markdown-alert-tip'><p class='markdown-alert-title'>Tip</p><p>Try</p></div>",
    '<aside class="callout callout-tip"><p>Try</p></aside>',
  ],
  ["<blockquote>[!constructor] x</blockquote>", "<blockquote><p>[!constructor] x</p></blockquote>"],
  [
    "<details open><summary><h3>More</h3></summary>Text</details>",
    "<details><summary>More</summary><p>Text</p></details>",
  ],
  [
    "<figure><a href=/x><img src=/a.png></a><figcaption>Cap</figcaption></figure>",
    '<figure><a href="/x"><img src="/a.png" alt=""></a><figcaption>Cap</figcaption></figure>',
  ],
  ["<figure><img src=/a.png></figure>", '<p><img src="/a.png" alt=""></p>'],
  ["<img src=/a.png width=100 height=50% title=' T '>", '<p><img src="/a.png" alt="" title="T" width="100"></p>'],
  [
    "<img src=/a.png class='x align-center'><img src=/b.png class='wide'>",
    '<p><img src="/a.png" alt="" class="align-center"><img src="/b.png" alt=""></p>',
  ],
  ["<iframe src='https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0'></iframe>", video],
  ["<p><a href='https://youtu.be/dQw4w9WgXcQ'>https://youtu.be/dQw4w9WgXcQ</a></p>", video],
  [
    "<iframe src='https://example.com/form' title='A form'></iframe>",
    '<p><a href="https://example.com/form">A form</a></p>',
  ],
  [
    "<a href='a b.md?q=[1]'>x</a> <a href=mailto:a@example.com>y</a> <a href=ftp://x>z</a>",
    '<p><a href="a%20b.md?q=%5B1%5D">x</a> <a href="mailto:a@example.com">y</a> z</p>',
  ],
  ["a\u0001b\ufeffc&#1;d", "<p>abcd</p>"],
  [
    "<hr><kbd>Ctrl</kbd>+<kbd>C</kbd> H<sub>2</sub>O <mark>m</mark>",
    "<hr>\n<p><kbd>Ctrl</kbd>+<kbd>C</kbd> H<sub>2</sub>O <mark>m</mark></p>",
  ],
])("%s becomes %s", (source, html) => {
  expect(contentFromHtml(source).html).toBe(html);
});

test("a table keeps its head, alignments and merged cells, and its rows are as long as one another", () => {
  expect(
    contentFromHtml("<table><tr><th style='text-align:right'>A</th><th>B</th></tr><tr><td>1</td></tr></table>").html,
  ).toBe(
    '<table><thead><tr><th align="right">A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>',
  );
  expect(
    contentFromHtml(
      "<table><caption>Cap</caption><tr><td colspan=2>a</td><td rowspan=9999><p>b</p><p>c</p></td></tr></table>",
    ).html,
  ).toBe(
    '<figure><table><tbody><tr><td colspan="2">a</td><td rowspan="100"><p>b</p><p>c</p></td></tr></tbody></table><figcaption>Cap</figcaption></figure>',
  );
});

test("each block of the text is on a line of its own, without alternative texts and addresses of videos", () => {
  const source = `<h2>A</h2><ul><li>b<ul><li>c</li></ul></li></ul><p>d<br>e <img src=/a.png alt=window></p>${video}
    <table><tr><td>f</td><td><p>g</p><p>h</p></td></tr></table><pre>  i\n  j</pre><ul><li><input type=checkbox> k</li></ul>`;
  expect(contentFromHtml(source).text).toBe("A\nb\nc\nd\ne\nf\tg h\n  i\n  j\nk");
});

test("addresses can be rewritten before they are checked, once for each link of the source", () => {
  const seen: unknown[] = [];
  const source = '<p><a href="../b.md">x<p>y</a>\n<img src="data:image/png;base64,AA=="><a href="javascript:1">z</a>';
  const { html, links } = contentFromHtml(source, {
    rewriteLink(link) {
      seen.push(link);
      return link.href.replace("../b.md", "/articles/b").replace(/^data:.*/, "/uploads/1.png");
    },
  });
  expect(seen).toEqual([
    { href: "../b.md", kind: "link", line: 1 },
    { href: "data:image/png;base64,AA==", kind: "image", line: 2 },
    { href: "javascript:1", kind: "link", line: 2 },
  ]);
  expect(html).toBe(
    '<p><a href="/articles/b">x</a></p>\n<p><a href="/articles/b">y</a> <img src="/uploads/1.png" alt="">z</p>',
  );
  expect(links).toEqual([
    { href: "/articles/b", kind: "link" },
    { href: "/articles/b", kind: "link" },
    { href: "/uploads/1.png", kind: "image" },
  ]);
});
