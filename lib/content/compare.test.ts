import fc from "fast-check";
import { expect, test } from "vitest";
import { type ComparedLine, comparedTexts, shortened } from "@/lib/content/compare";
import { contentFromHtml } from "@/lib/content/content";

/** Lines as paragraphs. */
const paragraphs = (text: string) =>
  text
    .split("\n")
    .map((line) => `<p>${line.replaceAll("<", "&lt;")}</p>`)
    .join("");
const linesOf = (before: string, after: string) => comparedTexts(paragraphs(before), paragraphs(after)).lines;
const described = (lines: ComparedLine[]) =>
  lines.map(({ pieces }) =>
    pieces.map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `[+${text}]` : `[-${text}]`)).join(""),
  );

test("words that changed are told apart inside of their line", () => {
  expect(described(linesOf("Press Save now.\nThen wait.", "Press Publish now.\nThen wait."))).toEqual([
    "Press [-Save][+Publish] now.",
    "Then wait.",
  ]);
});

test("lines that came and went are whole", () => {
  expect(described(linesOf("One\nTwo\nThree", "One\nThree\nFour"))).toEqual(["One", "[-Two]", "Three", "[+Four]"]);
  expect(described(linesOf("", "New"))).toEqual(["[+New]"]);
  expect(linesOf("Same\n\nSame", "Same\nSame").some(({ isChanged }) => isChanged)).toBe(false);
});

test("without what was added one reads the former text, without what was removed the later one", () => {
  const text = fc
    .array(fc.constantFrom("one", "two", "three", "<b>", "naïve", "日本語"), { maxLength: 8 })
    .map((words) => words.join(" "));
  const texts = fc
    .array(
      text.filter((line) => line !== ""),
      { maxLength: 6 },
    )
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const without = (kind: string) =>
        linesOf(before, after)
          .map(({ pieces }) => pieces.filter((piece) => piece.kind !== kind))
          .filter((pieces) => pieces.length > 0)
          .map((pieces) => pieces.map((piece) => piece.text).join(""))
          .join("\n");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

/** The labels and notes of changed lines. */
const notesOf = (before: string, after: string) =>
  comparedTexts(before, after).lines.flatMap(({ isChanged, label, notes }) => (isChanged ? [[label, ...notes]] : []));

test.each<[what: string, before: string, after: string, notes: string[][]]>([
  [
    "a heading",
    "<p>Wait</p><p>Then</p>",
    "<h3>Wait</h3><p>Then</p>",
    [["Heading 3, previously: paragraph", "Heading anchor changed: none → #wait"]],
  ],
  [
    "bold",
    "<p>Ask within thirty days.</p>",
    "<p>Ask within <strong>thirty</strong> days.</p>",
    [["Paragraph", "Now bold: “thirty”"]],
  ],
  [
    "marks within each other",
    "<p><strong>a <em>b</em></strong> c</p>",
    "<p><em>a b</em> c</p>",
    [["Paragraph", "Now italic: “a”", "No longer bold: “a b”"]],
  ],
  [
    "a mark over the end of a link",
    '<p><a href="/a">Wait</a>.</p>',
    '<p><strong><a href="/a">Wait</a>.</strong></p>',
    [["Paragraph", "Now bold: “Wait.”"]],
  ],
  [
    "a link",
    '<p>See <a href="/a">here</a>.</p>',
    '<p>See <a href="/b">here</a>.</p>',
    [["Paragraph", "Link on “here” changed: /a → /b"]],
  ],
  [
    "a link that came",
    "<p>See here.</p>",
    '<p>See <a href="/b">here</a>.</p>',
    [["Paragraph", "Link added to “here”: /b"]],
  ],
  [
    "a link that went",
    '<p>See <a href="/a">here</a>.</p>',
    "<p>See here.</p>",
    [["Paragraph", "Link removed from “here”: /a"]],
  ],
  [
    "a link's title",
    '<p><a href="/a">here</a></p>',
    '<p><a href="/a" title="There">here</a></p>',
    [["Paragraph", "Link on “here” changed: /a → /a (“There”)"]],
  ],
  [
    "bold in words that changed",
    "<p>One two</p>",
    "<p>One <strong>three</strong></p>",
    [["Paragraph", "Now bold: “three”"]],
  ],
  [
    "a language",
    "<pre><code>a</code></pre>",
    '<pre><code class="language-js">a</code></pre>',
    [["Code (js), previously: code"]],
  ],
  [
    "a callout",
    '<aside class="callout callout-note"><p>a</p></aside>',
    '<aside class="callout callout-tip"><p>a</p></aside>',
    [["Callout (tip), previously: callout (note)"]],
  ],
  ["a list", "<ul><li>a</li></ul>", "<ol><li>a</li></ol>", [["Numbered list item, previously: list item"]]],
  [
    "a task",
    '<ul><li data-checked="false">a</li></ul>',
    '<ul><li data-checked="true">a</li></ul>',
    [["Completed task, previously: task"]],
  ],
  ["an image", "<p>a</p>", '<p>a</p><p><img src="https://x.example/a%20b.png" alt="A hand"></p>', [["Image added"]]],
  ["an image that went", '<p>a</p><p><img src="/b.png" alt="A hand"></p>', "<p>a</p>", [["Image removed"]]],
  [
    "an image's address",
    '<p><img src="/x/a.png" alt=""></p>',
    '<p><img src="/y/a.png" alt=""></p>',
    [["Image", "URL changed: /x/a.png → /y/a.png"]],
  ],
  [
    "an image's size",
    '<p><img src="/a.png" alt="" width="20"></p>',
    '<p><img src="/a.png" alt=""></p>',
    [["Image", "Size changed: 20 × any height → none"]],
  ],
  [
    "an image's alignment",
    '<p><img src="/a.png" alt=""></p>',
    '<p><img src="/a.png" alt="" class="align-center"></p>',
    [["Image", "Alignment changed: none → center"]],
  ],
  [
    "an image's link",
    '<p><img src="/a.png" alt=""></p>',
    '<p><a href="/b"><img src="/a.png" alt=""></a></p>',
    [["Image", "Link changed: none → /b"]],
  ],
  [
    "a column's side",
    "<table><tr><td>a</td></tr></table>",
    '<table><tr><td align="right">a</td></tr></table>',
    [["Table row", "Formatting changed"]],
  ],
  [
    "a head",
    "<table><tbody><tr><td>a</td></tr></tbody></table>",
    "<table><thead><tr><th>a</th></tr></thead></table>",
    [["Table header, previously: table row"]],
  ],
  [
    "one list of two",
    "<ul><li>a</li></ul><ul><li>b</li></ul>",
    "<ul><li>a</li><li>b</li></ul>",
    [["List item", "Formatting changed"]],
  ],
  [
    "a list within a list",
    "<ul><li>a</li><li>b</li></ul>",
    "<ul><li>a<ul><li>b</li></ul></li></ul>",
    [["List item in a list item, previously: list item"]],
  ],
  ["a line across", "<p>a</p><p>b</p>", "<p>a</p><hr><p>b</p>", [["Divider added"]]],
  ["a line's break", "<p>a</p><p>b</p>", "<p>a<br>b</p>", [["Line after a line break, previously: paragraph"]]],
  [
    "a video",
    '<div class="video"><a href="https://vimeo.com/12345">x</a></div>',
    "<p>a</p>",
    [["Video removed"], ["Paragraph"]],
  ],
  ["an empty line of code", "<pre><code>a\nb</code></pre>", "<pre><code>a\n\nb</code></pre>", [["Code"]]],
])("%s is told where the words do not tell it", (_, before, after, described) => {
  expect(notesOf(before, after)).toEqual(described);
});

test("an image is a line of its own, by what it shows and its file", () => {
  const { lines } = comparedTexts("<p>Press</p>", '<p>Press <img src="/i/a%20b.png" alt="Save"> now</p>');
  expect(described(lines)).toEqual(["Press", "[+Save (a b.png)]", "[+now]"]);
});

test("whatever differs of two articles is told", () => {
  // One word alone: what differs is nearly always something else.
  const word = fc.constantFrom("one");
  const inline = fc
    .tuple(word, fc.constantFrom("", "strong", "em", "code", "a", "img", "br"))
    .map(([text, as]) =>
      as === ""
        ? text
        : as === "a"
          ? `<a href="/${text}">x</a>`
          : as === "img"
            ? `<img src="/${text}.png" alt="">`
            : as === "br"
              ? `<br>${text}`
              : `<${as}>${text}</${as}>`,
    );
  const inlines = fc.array(inline, { minLength: 1, maxLength: 3 }).map((all) => all.join(" "));
  const wraps = [
    ...[
      "<p>*</p>",
      "<h2>*</h2>",
      "<ul><li>*</li></ul>",
      "<ol start=2><li>*</li></ol>",
      "<ul><li data-checked=true>*</li></ul>",
    ],
    ...["<blockquote><p>*</p></blockquote>", '<aside class="callout callout-tip"><p>*</p></aside>'],
    ...[
      "<details><summary>*</summary><p>a</p></details>",
      "<table><tr><th>*</th><td>a</td></tr></table>",
      "<hr><p>*</p>",
    ],
    "<ul><li>a<ul><li>*</li></ul></li></ul>",
    "<ul><li></li><li>*</li></ul>",
    "<ul><li><p>*</p><p>a</p></li></ul>",
  ];
  const article = fc
    .array(fc.tuple(fc.constantFrom(...wraps), inlines), { maxLength: 3 })
    .map((blocks) => contentFromHtml(blocks.map(([wrap, text]) => wrap.replace("*", text)).join("")).html);
  fc.assert(
    fc.property(article, article, (before, after) => {
      const { lines, isUnnamed } = comparedTexts(before, after);
      const isChanged = lines.some((line) => line.isChanged);
      expect([isChanged, isUnnamed]).toEqual([before !== after, false]);
    }),
    { numRuns: 500 },
  );
});

const long = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

test("two long texts with nothing in common are compared in time, and told to be compared roughly", () => {
  const start = performance.now();
  const { lines, isRough } = comparedTexts(paragraphs(long("a", 20_000)), paragraphs(long("b", 20_000)));
  expect([lines.every(({ isChanged }) => isChanged), isRough]).toEqual([true, true]);
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("many long lines with little in common take no longer together than the patience for all of them", () => {
  const text = (word: string) => Array.from({ length: 40 }, (_, line) => long(`${word}${line}x`, 3_000)).join("\n");
  const [before, after] = [`Same\n${text("a")}`, `Same\n${text("b")}`];
  const start = performance.now();
  const { lines, isRough } = comparedTexts(paragraphs(before), paragraphs(after));
  expect(performance.now() - start).toBeLessThan(3_000);
  expect([lines.length, isRough]).toEqual([41, true]);
  expect(lines[0]).toMatchObject({ isChanged: false, pieces: [{ kind: "same", text: "Same" }] });
  // Nothing of either text is left out.
  const without = (kind: string) =>
    lines
      .map(({ pieces }) =>
        pieces
          .filter((piece) => piece.kind !== kind)
          .map(({ text }) => text)
          .join(""),
      )
      .join("\n");
  expect(without("added") === before && without("removed") === after).toBe(true);
});

test("what was compared to the end is not told to be rough", () => {
  const [before, after] = [paragraphs("One\nTwo two"), paragraphs("One\nTwo three")];
  expect(comparedTexts(before, after).isRough).toBe(false);
  expect(comparedTexts(before, after, 0).isRough).toBe(true);
});

test("a long comparison is drawn in few lines that leave no change and no text out", () => {
  const lines = Array.from({ length: 3_000 }, (_, n) => `Line ${n}`);
  const before = paragraphs(lines.join("\n"));
  const { lines: drawn } = shortened(comparedTexts(before, before.replace("Line 2500", "Other")));
  expect(drawn.map(({ isChanged, count = 1 }) => [isChanged, count])).toEqual([
    [false, 2499],
    [false, 1],
    [true, 1],
    [false, 1],
    [false, 498],
  ]);
  const kept = drawn.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind !== "added"));
  expect(
    kept
      .map(({ text }) => text)
      .join("")
      .replaceAll("\n", ""),
  ).toBe(lines.join(""));
});

test("of very many changes the first are shown and the others are counted", () => {
  const lines = Array.from({ length: 1_500 }, (_, n) => `Line ${n}`);
  const { lines: drawn } = shortened(comparedTexts("", paragraphs(lines.join("\n"))));
  expect(drawn).toHaveLength(1_001);
  expect(drawn.at(-1)).toMatchObject({ label: "And 500 more changed blocks" });
});
