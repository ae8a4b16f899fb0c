// @vitest-environment jsdom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { articleSchema, documentOf, htmlOf } from "@/components/admin/editor/schema/html";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { CALLOUT_KINDS, MARKS, schema } from "@/lib/content/schema";
import { readArticleFile } from "@/lib/import/article-file";
import { wildHtml, words } from "@/testing/html";

// As in lib/content/properties.test.ts; ARTICLES is a folder of Markdown to try in place of our own articles.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
const times = Number(process.env.FUZZ_TIMES ?? 1);
const folders = process.env.ARTICLES ? [process.env.ARTICLES] : ["prisma/manual", "prisma/acme"];

/** The stored HTML of an article that was opened in the editor and saved. */
function saved(html: string): string {
  return contentFromHtml(htmlOf(documentOf(html))).html;
}

/** Every element and attribute of the table in lib/content/schema.ts, each in each of its places. */
const everything = [
  '<p>Text<br>and <a href="../other" title="Other">a <strong>bold</strong> link</a>, <a href="https://example.com/?a=b&amp;c">one</a></p>',
  `<p>${MARKS.slice(1)
    .map((mark) => `<${mark}>${mark}</${mark}>`)
    .join(", ")}, <strong><em><u><s><code>all</code></s></u></em></strong></p>`,
  ...[2, 3, 4, 5, 6].map(
    (level) => `<h${level} id="own-${level}">Heading <em>${level}</em> <img src="/i.png" alt=""></h${level}>`,
  ),
  "<ul><li>One<ul><li>Inside</li></ul></li><li><p>Two</p><p>paragraphs</p></li><li></li><li><pre><code>first</code></pre></li></ul>",
  '<ol start="3"><li>Three<ol><li>One</li></ol><ul><li>Other</li></ul></li></ol>',
  '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Done<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul></li><li class="task-list-item"><input type="checkbox" disabled><p>Long</p><p>task</p></li></ul>',
  "<blockquote><p>Said</p><blockquote><p>before</p></blockquote></blockquote>",
  ...CALLOUT_KINDS.map(
    (kind) => `<aside class="callout callout-${kind}"><p>A ${kind}</p><ul><li>with a list</li></ul></aside>`,
  ),
  "<details><summary>More <code>of it</code></summary><p>Hidden</p><details><summary>Deeper</summary><p>down</p></details></details>",
  '<pre><code class="language-c++">  a &lt; b;\n\n\tc();</code></pre>',
  "<pre><code>plain</code></pre>",
  "<hr>",
  '<table><thead><tr><th align="left">A</th><th align="center" colspan="2">B</th></tr></thead><tbody><tr><th rowspan="2">Row</th><td align="right">1</td><td></td></tr><tr><td><p>Two</p><ul><li>blocks</li></ul></td><td>2</td></tr><tr><td colspan="2" rowspan="3">3</td></tr></tbody></table>',
  "<table><tbody><tr><td>no</td><td>head</td></tr></tbody></table>",
  "<table><thead><tr><th>only</th></tr><tr><th>heads</th></tr></thead></table>",
  '<p>An <img src="https://example.com/i.png" alt="image" title="Title" width="640" height="480"> and <a href="/x"><img src="i.png" alt="a linked one"></a></p>',
  '<figure><img src="i.png" alt="An image" title="t" width="10" height="20"><figcaption>With <em>a</em> caption</figcaption></figure>',
  '<p><img src="c.png" alt="Centered" width="9" class="align-center"></p>',
  '<figure><img src="w.png" alt="Wide" class="align-wide"><figcaption>Wide</figcaption></figure>',
  '<figure><a href="/x" title="y"><img src="i.png" alt="Linked"></a><figcaption>Linked</figcaption></figure>',
  "<figure><table><tbody><tr><td>1</td></tr></tbody></table><figcaption>Table</figcaption></figure>",
  '<figure><pre><code class="language-js">x</code></pre><figcaption>Code</figcaption></figure>',
  '<figure><div class="video"><a href="https://vimeo.com/12345678">https://vimeo.com/12345678</a></div><figcaption>Video</figcaption></figure>',
  '<div class="video"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">https://www.youtube.com/watch?v=dQw4w9WgXcQ</a></div>',
  '<p>A note<a href="#n"><sup>[1]</sup></a></p>',
].join("\n");

test("every element that clean HTML may hold stays as it is", () => {
  expect(contentFromHtml(everything).html).toBe(everything);
  expect(saved(everything)).toBe(everything);
});

test("what may stand in an article and what the editor has is the same", () => {
  const allowed = (schema.tagNames ?? []).flatMap((tag) => [
    tag,
    ...(schema.attributes?.[tag] ?? []).map((input) =>
      `${tag} ${String(Array.isArray(input) ? input[0] : input)}`.toLowerCase(),
    ),
  ]);
  const edited = new DOMParser().parseFromString(htmlOf(documentOf(everything)), "text/html").body;
  const seen = [...edited.querySelectorAll("*")].flatMap(({ localName, attributes }) => [
    localName,
    ...[...attributes].map(({ name }) => `${localName} ${name === "class" ? "classname" : name}`),
  ]);
  // Cleaning alone tells header rows from others.
  expect(new Set([...seen, "thead"])).toEqual(new Set(allowed));

  const types = new Set<string>(["doc"]);
  documentOf(everything).descendants(({ type, marks }) => {
    for (const { name } of [type, ...marks.map((mark) => mark.type)]) types.add(name);
  });
  expect(types).toEqual(new Set([...Object.keys(articleSchema.nodes), ...Object.keys(articleSchema.marks)]));
});

test("nothing that an editor's document says of itself brings in what cleaning would refuse", () => {
  const forged =
    '<p><a href="javascript:alert(1)">x</a><img src="javascript:alert(1)" onerror="alert(1)"></p>' +
    '<div class="video"><a href="https://other.example">y</a></div><h2 id="&quot;><script>">z</h2>' +
    '<figure><a href="javascript:alert(1)"><img src="a.png"></a><figcaption>c</figcaption></figure>';
  // Its harmless parts stay.
  expect(htmlOf(documentOf(forged))).toBe(
    '<p>x</p><p><a href="https://other.example">y</a></p><h2>z</h2><figure><img src="a.png" alt=""><figcaption>c</figcaption></figure>',
  );
});

/** Blocks in one another, as people write them. */
const writtenHtml = fc.letrec<Record<"inline" | "block" | "blocks" | "items", string>>((tie) => {
  const inside = (tag: string) => (html: string) => `<${tag}>${html}</${tag.split(" ")[0]}>`;
  const mark = fc.constantFrom(...MARKS.slice(1), 'a href="/a"', 'a href="https://example.com" title="t"');
  const cell = fc.tuple(
    fc.constantFrom("td", "th", 'td align="right"', 'td colspan="2"', 'th rowspan="2"'),
    fc.oneof(tie("inline"), tie("blocks")),
  );
  const row = fc
    .array(
      cell.map(([tag, html]) => inside(tag)(html)),
      { minLength: 1, maxLength: 3 },
    )
    .map((cells) => inside("tr")(cells.join("")));
  const table = fc.array(row, { minLength: 1, maxLength: 3 }).map((rows) => inside("table")(rows.join("")));
  const pre = fc
    .tuple(fc.constantFrom("code", 'code class="language-js"'), words)
    .map(([tag, text]) => `<pre>${inside(tag)(text)}</pre>`);
  const img = fc.constantFrom(
    '<img src="a.png" alt="x">',
    '<a href="/x"><img src="b.png" width="5"></a>',
    "<img src=c.png title=t>",
  );
  const video = fc.constant('<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>');
  return {
    inline: fc
      .array(
        fc.oneof(
          { weight: 3, arbitrary: words },
          fc.tuple(mark, tie("inline")).map(([tag, html]) => inside(tag)(html)),
          img,
          fc.constant("<br>"),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join("")),
    items: fc
      .array(
        fc.tuple(
          fc.constantFrom("", "", '<input type="checkbox">', "<input type=checkbox checked>"),
          fc.oneof(tie("inline"), tie("blocks")),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((items) => items.map((parts) => inside("li")(parts.join(""))).join("")),
    block: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(fc.constantFrom("p", "h2", 'h3 id="x"', "h6"), tie("inline")).map(([tag, html]) => inside(tag)(html)),
      fc.tuple(fc.constantFrom("ul", "ol", 'ol start="7"'), tie("items")).map(([tag, html]) => inside(tag)(html)),
      fc
        .tuple(fc.constantFrom("blockquote", 'aside class="callout callout-tip"'), tie("blocks"))
        .map(([tag, html]) => inside(tag)(html)),
      fc.tuple(tie("inline"), tie("blocks")).map(([label, html]) => inside("details")(inside("summary")(label) + html)),
      fc
        .tuple(fc.oneof(table, pre, img, video), tie("inline"))
        .map(([held, label]) => inside("figure")(held + inside("figcaption")(label))),
      table,
      pre,
      video,
      fc.constant("<hr>"),
    ),
    blocks: fc.array(tie("block"), { maxLength: 3 }).map((blocks) => blocks.join("")),
  };
});

test.each([
  ["written with care", writtenHtml.blocks],
  ["whatever it is", wildHtml],
])("an article, %s, is the same after the editor", (_, sources) => {
  fc.assert(
    fc.property(sources, (source) => {
      const { html } = contentFromHtml(source);
      expect(saved(html)).toBe(html);
    }),
    { numRuns: 200 * times },
  );
});

test("whole articles are the same after the editor", { timeout: 3_600_000 }, async () => {
  const changed: string[] = [];
  let count = 0;
  for (const folder of folders) {
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".md")) continue;
      count++;
      // Lets go of what the last one held.
      if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
      if (count % 500 === 0) console.error(`${count} articles were tried, ${changed.length} are changed.`);
      const { html } = contentFromMarkdown(readArticleFile(path, readFileSync(join(folder, path))).body);
      if (saved(html) !== html) changed.push(path);
    }
  }
  expect(changed).toEqual([]);
  expect(count).toBeGreaterThan(10);
});
