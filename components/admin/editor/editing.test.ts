// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Editor } from "@tiptap/core";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { editorExtensions } from "@/components/admin/editor/extensions";
import { addressOf } from "@/components/admin/editor/parts/addresses";
import { BLOCKS, blocksFor } from "@/components/admin/editor/parts/blocks";
import { toggleCaption } from "@/components/admin/editor/parts/captions";
import { goToFound, replaceFound, search, searchIn } from "@/components/admin/editor/parts/find";
import { keysHere } from "@/components/admin/editor/parts/key-names";
import { linkAt, removeLink, setLink } from "@/components/admin/editor/parts/links";
import { uploadImages } from "@/components/admin/editor/parts/uploads";
import { plainerHtml } from "@/components/admin/editor/paste/word-processors";
import { documentOf, htmlOf } from "@/components/admin/editor/schema/html";
import { contentFromHtml } from "@/lib/content/content";

let editor: Editor;

beforeAll(() => {
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => {};
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  document.elementFromPoint = () => null;
});

afterEach(() => editor.destroy());

/** An editor of an article, the cursor behind a text of it. */
function edit(html: string, behind?: string): Editor {
  editor = new Editor({
    element: document.body.appendChild(document.createElement("div")),
    extensions: editorExtensions,
    injectCSS: false,
    content: documentOf(html).toJSON(),
  });
  if (behind !== undefined) select(behind, behind.length);
  return editor;
}

/** Selects a text, or puts the cursor at a place in it. */
function select(text: string, cursor?: number): void {
  editor.state.doc.descendants((node, at) => {
    const index = node.isText ? (node.text ?? "").indexOf(text) : -1;
    if (index === -1) return;
    const from = at + index + (cursor ?? 0);
    const to = cursor === undefined ? from + text.length : from;
    editor.view.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, from, to)));
  });
}

function type(text: string): void {
  for (const letter of text) {
    const { from, to } = editor.state.selection;
    const insert = () => editor.state.tr.insertText(letter, from, to);
    if (!editor.view.someProp("handleTextInput", (handle) => handle(editor.view, from, to, letter, insert))) {
      editor.view.dispatch(insert());
    }
  }
}

function press(key: string, options: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options });
  editor.view.dom.dispatchEvent(event);
  return event.defaultPrevented;
}

function paste(data: Record<string, string>, options: { files?: File[] } = {}): void {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  const clipboardData = {
    types: Object.keys(data),
    getData: (kind: string) => data[kind] ?? "",
    files: options.files ?? [],
  };
  editor.view.dom.dispatchEvent(Object.assign(event, { clipboardData }));
}

/** The HTML that would be stored. */
const stored = () => contentFromHtml(htmlOf(editor.state.doc)).html;

test.each([
  ["## Head", '<h2 id="head">Head</h2>'],
  ["### Head", '<h3 id="head">Head</h3>'],
  ["# Head", '<h2 id="head">Head</h2>'],
  ["- one", "<ul><li>one</li></ul>"],
  ["3. three", '<ol start="3"><li>three</li></ol>'],
  ["[ ] do", '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> do</li></ul>'],
  [
    "- [ ] do",
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> do</li></ul>',
  ],
  [
    "1. [x] did",
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> did</li></ul>',
  ],
  ["> said", "<blockquote><p>said</p></blockquote>"],
  ["```js x", '<pre><code class="language-js">x</code></pre>'],
  ["---", "<hr>"],
  ["> [!NOTE] yes", '<aside class="callout callout-note"><p>yes</p></aside>'],
  ["[see](https://example.com/a_(b)) on", '<p><a href="https://example.com/a_(b)">see</a> on</p>'],
  ["[mail](me@example.com)", '<p><a href="mailto:me@example.com">mail</a></p>'],
  ["[no](javascript:x)", "<p>[no](javascript:x)</p>"],
  ["![no](https://example.com/a.png)", "<p>![no](https://example.com/a.png)</p>"],
  ["at https://example.com/a. On", '<p>at <a href="https://example.com/a">https://example.com/a</a>. On</p>'],
  ["(www.example.com) on", '<p>(<a href="https://www.example.com">www.example.com</a>) on</p>'],
  ["me@example.com on", '<p><a href="mailto:me@example.com">me@example.com</a> on</p>'],
  ["docs.rs and index.html on", "<p>docs.rs and index.html on</p>"],
  ["[!TIP] yes", '<aside class="callout callout-tip"><p>yes</p></aside>'],
  ["a **b** c", "<p>a <strong>b</strong> c</p>"],
  ["a *b* c", "<p>a <em>b</em> c</p>"],
  ["a ~~b~~ c", "<p>a <s>b</s> c</p>"],
  ["a `b` c", "<p>a <code>b</code> c</p>"],
  ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
  ["snake_case_name", "<p>snake_case_name</p>"],
])("Markdown becomes what it means while it is typed: %s", (typed, html) => {
  edit("");
  type(typed);
  expect(stored()).toBe(html);
});

test("an item of a list becomes a task where it stands, and what is around it stays as it was", () => {
  const task = (text: string) => `<li class="task-list-item"><input type="checkbox" disabled> ${text}</li>`;
  edit("<ol><li>one</li><li>two<ul><li>deep</li></ul></li><li>three</li></ol>");
  select("two", 0);
  type("[ ] ");
  expect(stored()).toBe(
    `<ol><li>one</li></ol>\n<ul class="contains-task-list">${task("two<ul><li>deep</li></ul>")}</ul>\n<ol start="3"><li>three</li></ol>`,
  );
  select("three", 0);
  type("[ ] new ");
  select("one", 0);
  type("[ ] ");
  expect(stored()).toBe(
    `<ul class="contains-task-list">${task("one")}${task("two<ul><li>deep</li></ul>")}${task("new three")}</ul>`,
  );
});

test.each([
  ["- ", "<ul><li>one</li><li>- two</li></ul>"],
  ["1. ", "<ul><li>one</li><li>1. two</li></ul>"],
])("what begins a list begins none within its item, where it stays as it was typed: %s", (typed, html) => {
  edit("<ul><li>one</li></ul>", "one");
  press("Enter");
  type(`${typed}two`);
  expect(stored()).toBe(html);
  // Below the words of an item it does.
  editor.commands.setContent("<ul><li><p>one</p><p></p></li></ul>");
  editor.commands.setTextSelection(8);
  type(`${typed}two`);
  expect(stored()).toMatch(/^<ul><li>(<p>)?one(<\/p>)?<[uo]l><li>two<\/li><\/[uo]l><\/li><\/ul>$/);
});

test("a box that is typed at the start of a task makes no task within it", () => {
  edit('<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> one</li></ul>');
  select("one", 0);
  type("[ ] ");
  expect(stored()).toContain("> [ ] one</li>");
});

test("a heading keeps its address when its text is changed, and one that is split off gets none of it", () => {
  edit('<h2 id="old">Old name</h2>', "Old name");
  type(" here");
  expect(stored()).toBe('<h2 id="old">Old name here</h2>');
  select("Old name here", 4);
  press("Enter");
  expect(stored().split("\n")[0]).toBe('<h2 id="old">Old</h2>');
  expect(stored()).not.toMatch(/id="old".*id="old"/s);
});

const lines = "<p>first<br>second <br>third<br></p>";

test.each([
  [
    "from the menu",
    () =>
      BLOCKS.find(({ id }) => id === "h2")
        ?.make?.(editor.chain())
        .run(),
  ],
  ["by its keys", () => press("2", { ctrlKey: true, altKey: true, code: "Digit2" })],
  ["by marks", () => (select("first", 0), type("## "))],
])("lines that become a heading %s keep their words apart, and are lines again after an undo", (_, make) => {
  edit(lines, "first");
  make();
  expect(stored()).toBe('<h2 id="first-second-third">first second third</h2>');
  if (editor.can().undo()) editor.commands.undo();
  expect(stored()).toContain("first<br>second<br>third");
});

test("a line break that is taken out by hand leaves nothing behind", () => {
  edit("<p>one<br>two</p>");
  editor.commands.deleteRange({ from: 4, to: 5 });
  expect(stored()).toBe("<p>onetwo</p>");
});

test("every block of the menu makes what its name says, on an empty line", () => {
  const made: Record<string, string> = {};
  for (const block of BLOCKS) {
    if (!block.make) continue;
    edit("");
    block.make(editor.chain()).run();
    type("x");
    made[block.id] = stored().replace(/\n.*/s, "");
    editor.destroy();
  }
  edit("");
  expect(made).toEqual({
    text: "<p>x</p>",
    h2: '<h2 id="x">x</h2>',
    h3: '<h3 id="x">x</h3>',
    h4: '<h4 id="x">x</h4>',
    bullets: "<ul><li>x</li></ul>",
    numbers: "<ol><li>x</li></ol>",
    tasks: '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> x</li></ul>',
    table:
      "<table><thead><tr><th>x</th><th></th><th></th></tr></thead><tbody><tr><td></td><td></td><td></td></tr><tr><td></td><td></td><td></td></tr></tbody></table>",
    ...Object.fromEntries(
      ["note", "tip", "important", "warning", "caution"].map((kind) => [
        kind,
        `<aside class="callout callout-${kind}"><p>x</p></aside>`,
      ]),
    ),
    details: "<p>x</p>",
    code: "<pre><code>x</code></pre>",
    quote: "<blockquote><p>x</p></blockquote>",
    divider: "<hr>",
  });
});

test("the menu finds blocks by name first, then by other words", () => {
  edit("");
  expect(blocksFor("head", editor.state).map(({ name }) => name)).toEqual(["Heading", "Subheading", "Subheading 2"]);
  expect(blocksFor("Todo", editor.state).map(({ name }) => name)).toEqual(["Task list"]);
  expect(blocksFor("list", editor.state).map(({ name }) => name)).toEqual([
    "Bullet list",
    "Numbered list",
    "Task list",
  ]);
  expect(blocksFor("nothing of this", editor.state)).toEqual([]);
});

test("Enter leads from the label of a section into it, and out of it from an empty line", () => {
  edit("<details><summary>Label</summary><p>In</p></details>", "Label");
  press("Enter");
  type("First");
  press("Enter");
  select("In", 2);
  press("Enter");
  press("Enter");
  type("Out");
  expect(stored()).toBe("<details><summary>Label</summary><p>First</p><p>In</p></details>\n<p>Out</p>");
});

test("a caption is added to an image alone on its line and keeps its link, and goes without a word lost", () => {
  const line = '<p><a href="/x" title="t"><img src="a.png" alt="A" width="5"></a></p>';
  edit(line);
  editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, 1)));
  expect(toggleCaption(editor)).toBe(true);
  type("Said");
  const figure =
    '<figure><a href="/x" title="t"><img src="a.png" alt="A" width="5"></a><figcaption>Said</figcaption></figure>';
  expect(stored()).toBe(figure);
  expect(toggleCaption(editor)).toBe(true);
  expect(stored()).toBe(`${line}\n<p>Said</p>`);
});

const figureOf = (caption: string) =>
  `<p>before</p><figure><img src="a.png" alt="A"><figcaption>${caption}</figcaption></figure><p>after</p>`;

/** Selects the first of these. */
function selectNode(name: string): void {
  let place = -1;
  editor.state.doc.descendants((node, at) => {
    if (node.type.name === name && place === -1) place = at;
  });
  editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, place)));
}

test("a caption whose image is taken away stays as a paragraph, and goes with it where it is empty", () => {
  edit(figureOf("Said"));
  selectNode("captionedImage");
  press("Delete");
  expect(stored()).toBe("<p>before</p>\n<p>Said</p>\n<p>after</p>");
  type("It ");
  expect(stored()).toContain("<p>It Said</p>");
  editor.destroy();

  edit(figureOf(""));
  selectNode("captionedImage");
  press("Backspace");
  expect(stored()).toBe("<p>before</p>\n<p>after</p>");
  editor.commands.undo();
  expect(stored()).toBe('<p>before</p>\n<p><img src="a.png" alt="A"></p>\n<p>after</p>');
  editor.destroy();

  edit("<figure><table><tbody><tr><td>1</td></tr></tbody></table><figcaption>Said</figcaption></figure>", "1");
  editor.chain().deleteTable().run();
  expect(stored()).toBe("<p>Said</p>");
});

test("Backspace at the start of code with a caption takes the caption from it, and no letter", () => {
  edit("<figure><pre><code>let x</code></pre><figcaption>Said</figcaption></figure>");
  select("let x", 0);
  press("Backspace");
  expect(stored()).toBe("<pre><code>let x</code></pre>\n<p>Said</p>");
});

test("an image between words takes no caption", () => {
  edit('<p>a <img src="a.png" alt=""> b</p>');
  editor.view.dispatch(editor.state.tr.setSelection(NodeSelection.create(editor.state.doc, 3)));
  expect(toggleCaption(editor)).toBe(false);
});

test("a text is found across marks, whatever its case, and replaced with the marks around it", () => {
  edit("<p>The k<strong>e</strong>y</p><ul><li>KEY and <em>key</em></li></ul>");
  search(editor, "key", false);
  expect(searchIn(editor).found).toHaveLength(3);
  search(editor, "KEY", true);
  expect(searchIn(editor).found).toHaveLength(1);
  search(editor, "key", false);
  // From the cursor on, which is at the second; after the last comes the first.
  goToFound(editor, 1);
  goToFound(editor, 1);
  expect(searchIn(editor).active).toBe(0);
  goToFound(editor, -1);
  expect(searchIn(editor).active).toBe(2);
  expect(replaceFound(editor, "lock", false)).toBe(1);
  expect(stored()).toContain("KEY and <em>lock</em>");
  expect(replaceFound(editor, "", true)).toBe(2);
  expect(stored()).toBe("<p>The</p>\n<ul><li>and <em>lock</em></li></ul>");
});

test("what is pasted from Word and as Markdown stands where the cursor is", async () => {
  edit("<p>before after</p>", "before ");
  paste({ "text/html": "<b>and</b> ", "text/plain": "and " });
  await vi.waitFor(() => expect(stored()).toBe("<p>before <strong>and</strong> after</p>"));
  type("!");
  expect(stored()).toContain("</strong> !after");
  editor.destroy();

  edit("");
  paste({
    "text/html": readFileSync(join(import.meta.dirname, "paste/fixtures/word.clipboard"), "utf8"),
    "text/plain": "Set up",
  });
  const { html } = contentFromHtml(
    plainerHtml(readFileSync(join(import.meta.dirname, "paste/fixtures/word.clipboard"), "utf8")),
  );
  expect(html).toContain("<ol><li>Plug it in.</li>");
  await vi.waitFor(() => expect(stored()).toBe(html));
  editor.destroy();

  edit("");
  paste({ "text/plain": "## One\n\n> [!WARNING]\n> Hot\n" });
  await vi.waitFor(() =>
    expect(stored()).toBe('<h2 id="one">One</h2>\n<aside class="callout callout-warning"><p>Hot</p></aside>'),
  );
});

test("images that are written out in what is pasted are sent, and stand where they stood", async () => {
  edit("<p></p><p>after</p>");
  const said: string[] = [];
  editor.on("failure", (why) => said.push(why));
  const sent: string[] = [];
  const storeNow: (() => void)[] = [];
  const send = async (file: File) => {
    sent.push(`${file.name} ${file.type} ${await file.text()}`);
    await new Promise<void>((resolve) => storeNow.push(resolve));
    return { src: `/uploads/${file.name}` };
  };
  editor.on("images", ({ files, at, alt }) => uploadImages(editor, send, files, at, alt));
  const data = (type: string, content: string) => `data:image/${type};base64,${btoa(content)}`;
  const html =
    `<h2>One</h2><p><img alt="A > b" src="${data("png", "aa??>>")}"></p><p>Two</p>` +
    `<ul><li>Three <img src='${data("jpeg", "b")}'></li></ul>` +
    `<figure><img src=${data("webp", "c")}><figcaption>Said</figcaption></figure>` +
    `<p><img src="data:image/svg+xml,%3Csvg/%3E"><img src="file:///C:/d.png">Four <img src="https://example.com/e.png"></p>`;
  paste({ "text/html": html, "text/plain": "One" });
  await vi.waitFor(() => expect(storeNow).toHaveLength(2));
  // No part of the article until they are stored.
  expect(stored()).not.toMatch(/pasted|data:|uploads/);
  storeNow[1]?.();
  await vi.waitFor(() => expect(storeNow).toHaveLength(3));
  expect(sent).toEqual(["image-1.png image/png aa??>>", "image-2.jpg image/jpeg b", "image-3.webp image/webp c"]);
  storeNow[2]?.();
  storeNow[0]?.();
  await vi.waitFor(() =>
    expect(stored().split("\n")).toEqual([
      '<h2 id="one">One</h2>',
      '<p><img src="/uploads/image-1.png" alt="A > b"></p>',
      "<p>Two</p>",
      '<ul><li><p>Three</p><p><img src="/uploads/image-2.jpg" alt=""></p></li></ul>',
      '<p><img src="/uploads/image-3.webp" alt=""></p>',
      "<p>Said</p>",
      '<p>Four <img src="https://example.com/e.png" alt=""></p>',
      "<p>after</p>",
    ]),
  );
  expect(said).toEqual([
    "Couldn't paste 1 image because the clipboard contains only a link to it. Drag it in instead. " +
      "Couldn't paste 1 image because the format isn't supported. Save it as PNG, JPEG, GIF, WebP, or AVIF, then drag it in.",
  ]);
  editor.destroy();

  edit("");
  const taken: string[] = [];
  editor.on("images", ({ files }) => taken.push(...files.map(({ name }) => name)));
  editor.on("failure", (why) => said.push(why));
  paste({ "text/plain": Array.from({ length: 22 }, (_, n) => `![I](${data("gif", String(n))})\n`).join("\n") });
  await vi.waitFor(() => expect(taken).toHaveLength(20));
  expect(said[1]).toMatch(/^Couldn't paste 2 images because the limit is 20 images/);
});

const IMAGE = `data:image/png;base64,${btoa("a")}`;

test.each([
  ["Markdown in a fence", { "text/plain": `Write:\n\n\`\`\`md\n![x](${IMAGE})\n<img src="${IMAGE}">\n\`\`\`` }],
  ["Markdown in a line", { "text/plain": `Write:\n\n\`![x](${IMAGE})\` or \`<img src="${IMAGE}">\`` }],
  [
    "HTML with Markdown and HTML in it",
    {
      "text/html": `<p>Write:</p><pre><code>![x](${IMAGE})\n&lt;img src="${IMAGE}"></code></pre>`,
      "text/plain": "Write:",
    },
  ],
  [
    "words beside an image",
    { "text/html": `<p title="${IMAGE}">![x](${IMAGE}) &lt;img src="${IMAGE}"></p>`, "text/plain": "!" },
  ],
])("what is pasted to show an image's address keeps it as it is written: %s", async (_, data) => {
  edit("");
  const taken: string[] = [];
  editor.on("images", ({ files }) => taken.push(...files.map(({ name }) => name)));
  paste(data);
  await vi.waitFor(() => expect(editor.getText()).toContain(`![x](${IMAGE})`));
  expect(editor.getText()).toContain(`<img src="${IMAGE}">`);
  expect(stored()).not.toContain("pasted");
  expect(taken).toEqual([]);
});

test("only what becomes an image counts among the images of a paste, and what is left out leaves no trace", async () => {
  edit("");
  const taken: string[] = [];
  const said: string[] = [];
  editor.on("images", ({ files, alt }) => taken.push(...files.map(({ name }) => `${name} ${alt}`)));
  editor.on("failure", (why) => said.push(why));
  const shown = `\`![x](${IMAGE})\`\n\n`.repeat(30);
  const images = Array.from({ length: 20 }, (_, n) => `![${n} ${IMAGE}](${IMAGE})`).join("\n\n");
  const more = `<figure><img src="${IMAGE}"><figcaption>Said</figcaption></figure>`;
  paste({ "text/plain": `${shown}[address](${IMAGE})\n\n![](data:image/png;base64,x%)\n\n${images}\n\n${more}\nEnd` });
  await vi.waitFor(() => expect(taken).toHaveLength(20));
  expect([taken[0], taken[19]]).toEqual([`image-1.png 0 ${IMAGE}`, `image-20.png 19 ${IMAGE}`]);
  expect(stored()).not.toMatch(/pasted|<img|<a /);
  expect(stored()).toMatch(/<p>address<\/p>\n(<p><\/p>\n)*<p>Said<\/p>\n<p>End<\/p>$/);
  expect(said).toEqual([
    "Couldn't paste 1 image because the format isn't supported. Save it as PNG, JPEG, GIF, WebP, or AVIF, then drag it in. " +
      "Couldn't paste 1 image because the limit is 20 images of 20 MB each and 50 MB in total. Drag it in instead.",
  ]);
});

test("images of more than 50 MB together are not taken from one paste, and those that are keep every byte", async () => {
  edit("");
  const taken: File[] = [];
  const said: string[] = [];
  editor.on("images", ({ files }) => taken.push(...files));
  editor.on("failure", (why) => said.push(why));
  const large = `data:image/png;base64,${"AAAA".repeat(6_000_000)}`;
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  // Mail programs wrap it.
  const small = `data:image/gif;base64,${btoa(String.fromCharCode(...bytes)).replace(/.{76}/g, "$&\r\n")}`;
  paste({
    "text/html": [large, large, large, small].map((src) => `<p><img src="${src}"></p>`).join(""),
    "text/plain": "",
  });
  await vi.waitFor(() => expect(said).toHaveLength(1), 10_000);
  expect(taken.map(({ size }) => size)).toEqual([18_000_000, 18_000_000, 256]);
  expect(new Uint8Array(await (taken[2] as File).arrayBuffer())).toEqual(bytes);
  expect(said[0]).toMatch(/^Couldn't paste 1 image because .* 50 MB in total/);
});

test("what is dropped from another page is read as what is pasted, where it was dropped", async () => {
  edit("<p>one</p><p>two</p><pre><code>let x</code></pre>", "one");
  const taken: string[] = [];
  editor.on("images", ({ files, alt }) => taken.push(...files.map(({ name }) => `${name} ${alt}`)));
  const drop = (html: string, pos: number) => {
    const data: Record<string, string> = { "text/html": html, "text/plain": "x" };
    const event = new Event("drop", { bubbles: true, cancelable: true });
    const dataTransfer = { files: [], types: Object.keys(data), getData: (kind: string) => data[kind] ?? "" };
    vi.spyOn(editor.view, "posAtCoords").mockReturnValue({ pos, inside: -1 });
    editor.view.dom.dispatchEvent(Object.assign(event, { clientX: 1, clientY: 1, dataTransfer }));
    return event.defaultPrevented;
  };
  expect(drop(`<b>and</b><img alt="A" src="${IMAGE}">`, 9)).toBe(true);
  await vi.waitFor(() => expect(taken).toEqual(["image-1.png A"]));
  expect(stored()).toBe("<p>one</p>\n<p>two<strong>and</strong></p>\n<pre><code>let x</code></pre>");
});

test("an address that is pasted links the text that is selected; a video's becomes the video", () => {
  edit("<p>see this page</p>");
  select("this");
  paste({ "text/plain": "https://example.com/a" });
  expect(stored()).toBe('<p>see <a href="https://example.com/a">this</a> page</p>');
  editor.destroy();
  edit("");
  paste({ "text/plain": "https://youtu.be/dQw4w9WgXcQ" });
  expect(stored()).toMatch(/^<div class="video"><a href="https:\/\/www.youtube.com\/watch\?v=dQw4w9WgXcQ">/);
});

test("an address that is pasted links the image that is selected, with and without a caption", () => {
  edit('<p><img src="a.png" alt="A"></p><figure><img src="b.png" alt="B"><figcaption>Said</figcaption></figure>');
  selectNode("image");
  paste({ "text/plain": "https://example.com/a" });
  selectNode("captionedImage");
  paste({ "text/plain": "https://example.com/b" });
  const linked =
    '<p><a href="https://example.com/a"><img src="a.png" alt="A"></a></p>\n<figure><a href="https://example.com/b"><img src="b.png" alt="B"></a><figcaption>Said</figcaption></figure>';
  expect(stored()).toBe(linked);
  expect(linkAt(editor)).toBe("https://example.com/b");
  removeLink(editor);
  expect(stored()).toContain('<figure><img src="b.png" alt="B"><figcaption>Said');
});

test("a link that leads elsewhere keeps what it is called", () => {
  edit('<p>see <a href="/a" title="The page">this</a></p>', "thi");
  setLink(editor, "/b");
  expect(stored()).toBe('<p>see <a href="/b" title="The page">this</a></p>');
  select("see");
  setLink(editor, "/c");
  expect(stored()).toContain('<a href="/c">see</a>');
});

test.each([
  ["https://example.com/a b", undefined],
  ["https://example.com/a", { href: "https://example.com/a", isSure: true }],
  ["/articles/a#b", { href: "/articles/a#b", isSure: true }],
  ["ada@example.com", { href: "mailto:ada@example.com", isSure: true }],
  ["www.example.com", { href: "https://www.example.com", isSure: true }],
  ["example.com/a", { href: "https://example.com/a", isSure: true }],
  ["docs.rs", { href: "https://docs.rs", isSure: false }],
  ["ASP.NET", { href: "https://ASP.NET", isSure: false }],
  ["Node.js", undefined],
  ["package.json", undefined],
  ["Refunds", undefined],
  ["javascript:alert(1)", undefined],
])("whether %j is an address", (text, address) => {
  expect(addressOf(text)).toEqual(address);
});

test("a paste is as text when its keys say so, and not because a capital was typed before", async () => {
  const markdown = { "text/plain": "**bold**" };
  edit("", "");
  press("A", { shiftKey: true });
  paste(markdown);
  await vi.waitFor(() => expect(stored()).toBe("<p><strong>bold</strong></p>"));
  editor.destroy();

  edit("");
  press("Insert", { shiftKey: true });
  paste(markdown);
  await vi.waitFor(() => expect(stored()).toBe("<p><strong>bold</strong></p>"));
  editor.destroy();

  edit("");
  press("V", { shiftKey: true, ctrlKey: true });
  paste(markdown);
  expect(stored()).toBe("<p>**bold**</p>");
  // The one after it is like any other.
  paste(markdown);
  await vi.waitFor(() => expect(stored()).toBe("<p>**bold**<strong>bold</strong></p>"));
});

test("files that are no images are said to belong beside the text, and leave the page where it is", () => {
  edit("<p>text</p>", "text");
  const said: string[] = [];
  const sent: string[] = [];
  editor.on("failure", (why) => said.push(why));
  editor.on("images", ({ files }) => sent.push(...files.map(({ name }) => name)));
  const [image, file, other] = [
    new File(["x"], "a.png", { type: "image/png" }),
    new File(["x"], "b.pdf", { type: "application/pdf" }),
    new File(["x"], "c.zip", { type: "application/zip" }),
  ];
  paste({}, { files: [file] });
  paste({}, { files: [other, image, file] });
  const dropped = Object.assign(new Event("drop", { bubbles: true, cancelable: true }), {
    ...{ clientX: 1, clientY: 1, dataTransfer: { files: [file], types: ["Files"], getData: () => "" } },
  });
  vi.spyOn(editor.view, "posAtCoords").mockReturnValue({ pos: 1, inside: -1 });
  editor.view.dom.dispatchEvent(dropped);
  expect(dropped.defaultPrevented).toBe(true);
  const alone = "Only images can be inserted here. Add “b.pdf” as an attachment.";
  const many = "Only images can be inserted here. Add the other 2 files as attachments.";
  expect(said).toEqual([alone, many, alone]);
  expect(sent).toEqual(["a.png"]);
  expect(stored()).toBe("<p>text</p>");
});

test.each([
  ["on an empty line", "", ["b", "c", "a"]],
  ["behind a text", "<p>text</p>", ["b", "a", "c"]],
  ["behind a text, the first last", "<p>text</p>", ["b", "c", "a"]],
])("images that are put in together stand in their order, whichever is stored first: %s", async (_, html, order) => {
  edit(html, html && "text");
  const storeNow: Record<string, () => void> = {};
  const send = (file: File) =>
    new Promise<{ src: string }>((resolve) => {
      storeNow[file.name] = () => resolve({ src: file.name });
    });
  uploadImages(
    editor,
    send,
    ["a", "b", "c"].map((name) => new File(["x"], name, { type: "image/png" })),
  );
  const waiting = () =>
    [...editor.view.dom.querySelectorAll(".upload")].map((box) =>
      box.textContent.slice("Uploading ".length, "Uploading ".length + 1),
    );
  expect(waiting()).toEqual(["a", "b", "c"]);
  for (const name of order) {
    storeNow[name]?.();
    await vi.waitFor(() => expect(stored()).toContain(`src="${name}"`));
    expect(waiting()).toEqual(waiting().sort());
  }
  expect([...stored().matchAll(/src="(.)"/g)].map(([, name]) => name)).toEqual(["a", "b", "c"]);
});

test.each([
  ["on an empty line", "<p>one</p><p></p><p>two</p>", 6],
  ["behind a text", "<p>one</p><p>two</p>", 4],
  ["at the end of an item", "<ul><li>one</li></ul>", 6],
])("the cursor is below inserted images, even while they upload: %s", async (_, html, at) => {
  edit(html);
  editor.commands.setTextSelection(at);
  const store: Record<string, () => void> = {};
  const send = (file: File) =>
    new Promise<{ src: string }>((resolve) => {
      store[file.name] = () => resolve({ src: file.name });
    });
  const put = (...names: string[]) =>
    uploadImages(
      editor,
      send,
      names.map((name) => new File(["x"], name, { type: "image/png" })),
    );
  put("a", "b");
  put("c");
  type("Below");
  for (const name of ["b", "a", "c"]) {
    // Two are sent at a time.
    await vi.waitFor(() => expect(store).toHaveProperty(name));
    store[name]?.();
    await vi.waitFor(() => expect(stored()).toContain(`src="${name}"`));
  }
  type(" them");
  const messages = stored().replace(/<img src="(.)" alt="">/g, "$1");
  expect(messages.match(/one|two|<p>[abc]<\/p>|Below them/g)).toEqual(
    ["one", "<p>a</p>", "<p>b</p>", "<p>c</p>", "Below them", "two"].slice(0, html.includes("two") ? 6 : 5),
  );
});

test("an image whose line follows that of another stands there, and the other is still sent", async () => {
  edit("<p></p><p></p><p>after</p>");
  const store: Record<string, () => void> = {};
  const send = (file: File) =>
    new Promise<{ src: string }>((resolve) => {
      store[file.name] = () => resolve({ src: file.name });
    });
  const image = (name: string) => [new File(["x"], name, { type: "image/png" })];
  uploadImages(editor, send, image("a"), 1);
  uploadImages(editor, send, image("b"), 3);
  store.b?.();
  await vi.waitFor(() => expect(stored()).toContain('src="b"'));
  expect(editor.view.dom.querySelectorAll("progress")).toHaveLength(1);
  store.a?.();
  await vi.waitFor(() =>
    expect(stored()).toBe('<p><img src="a" alt=""></p>\n<p><img src="b" alt=""></p>\n<p>after</p>'),
  );
});

test("images are sent two at a time, and one that is refused keeps none waiting", async () => {
  edit("");
  const started: string[] = [];
  const end: Record<string, (error?: Error) => void> = {};
  const send = (file: File) =>
    new Promise<{ src: string }>((resolve, reject) => {
      started.push(file.name);
      end[file.name] = (error) => (error ? reject(error) : resolve({ src: file.name }));
    });
  for (const name of ["a", "b", "c", "d"]) {
    uploadImages(editor, send, [new File(["x"], name, { type: "image/png" })]);
  }
  expect(editor.view.dom.querySelectorAll("progress")).toHaveLength(4);
  expect(started).toEqual(["a", "b"]);
  end.b?.(new Error("Too large."));
  await vi.waitFor(() => expect(started).toEqual(["a", "b", "c"]));
  // A retried upload waits like the others.
  editor.view.dom.querySelector<HTMLElement>(".upload button")?.click();
  end.a?.();
  await vi.waitFor(() => expect(started).toEqual(["a", "b", "c", "d"]));
  end.d?.();
  await vi.waitFor(() => expect(started).toEqual(["a", "b", "c", "d", "b"]));
  // The page was left for another article.
  uploadImages(editor, send, [new File(["x"], "e", { type: "image/png" })]);
  const { view } = editor;
  expect(view.dom.querySelectorAll("progress")).toHaveLength(3);
  editor.destroy();
  end.b?.();
  end.c?.();
  await new Promise(setImmediate);
  expect(started).toHaveLength(5);
});

test("keys are named as the keyboard names them", () => {
  expect(keysHere("Ctrl+Shift+Z", false)).toBe("Ctrl+Shift+Z");
  expect([keysHere("Ctrl+Shift+Z", true), keysHere("Alt+F10", true)]).toEqual(["⇧⌘Z", "⌥F10"]);
});

test("an image stands in the article once it is stored, where it was put; one that is refused can be sent again", async () => {
  edit("<p>one</p><p>two</p>", "one");
  const shares: number[] = [];
  let tries = 0;
  const send = async (file: File, progress: (share: number) => void) => {
    progress(0.5);
    shares.push(document.querySelector("progress")?.value ?? -1);
    if (file.name === "b.png" && tries++ === 0) throw new Error("Too large.");
    return { src: `/uploads/${file.name}`, width: 10, height: 20 };
  };
  uploadImages(editor, send, [new File(["x"], "a.png", { type: "image/png" })]);
  type("below");
  select("one", 3);
  type("!");
  await vi.waitFor(() =>
    expect(stored()).toBe(
      '<p>one!</p>\n<p><img src="/uploads/a.png" alt="" width="10" height="20"></p>\n<p>below</p>\n<p>two</p>',
    ),
  );
  expect(shares).toEqual([0.5]);

  uploadImages(editor, send, [new File(["x"], "b.png", { type: "image/png" })]);
  await vi.waitFor(() => expect(editor.view.dom.querySelector("[role=alert]")?.textContent).toBe("b.png: Too large."));
  expect(stored()).not.toContain("b.png");
  editor.view.dom.querySelector("button")?.click();
  await vi.waitFor(() => expect(stored()).toContain("/uploads/b.png"));
});

test("Ctrl+K is the editor's where a link can stand, and else the page's", () => {
  edit("<p>some words</p><pre><code>let x</code></pre>", "let");
  const requested: string[] = [];
  editor.on("ask", (what) => requested.push(what));
  expect(press("k", { ctrlKey: true })).toBe(false);
  expect(requested).toEqual([]);
  select("words");
  expect(press("k", { ctrlKey: true })).toBe(true);
  expect(press("F10", { altKey: true })).toBe(true);
  select("some", 2);
  expect(press("k", { ctrlKey: true })).toBe(true);
  expect(requested).toEqual(["link", "tools", "link"]);
});

test("Tab indents code where it stands, and Shift+Tab takes that back; Escape before it leaves the text", () => {
  edit("<ul><li>one</li><li>two<pre><code>if x:\n\n\ty\n z\nend</code></pre></li></ul>", "if ");
  const code = () => editor.view.dom.querySelector("pre")?.textContent;
  const tab = (options?: KeyboardEventInit) => press("Tab", options);
  expect(tab()).toBe(true);
  expect(code()).toBe("if   x:\n\n\ty\n z\nend");
  // Nothing stands before the line that could go, and the cursor stays.
  expect(tab({ shiftKey: true })).toBe(true);
  type("!");
  expect(code()).toBe("if   !x:\n\n\ty\n z\nend");

  // Up to the start of the last line, which is not indented; nor is the empty one.
  select("f   !x:\n\n\ty\n z\n");
  expect(tab()).toBe(true);
  expect(code()).toBe("  if   !x:\n\n  \ty\n   z\nend");
  for (let times = 0; times < 3; times++) expect(tab({ shiftKey: true })).toBe(true);
  expect(code()).toBe("if   !x:\n\ny\nz\nend");
  editor.commands.undo();
  expect(code()).not.toBe("if   !x:\n\ny\nz\nend");

  const before = stored();
  for (const shiftKey of [false, true]) {
    press("Escape");
    if (shiftKey) press("Shift", { shiftKey });
    expect(tab({ shiftKey })).toBe(false);
    // From beside the text on: what is in it would come first.
    const edge = editor.view.dom[shiftKey ? "previousElementSibling" : "nextElementSibling"] as HTMLElement;
    expect(document.activeElement).toBe(edge);
    edge.blur();
    expect(edge.isConnected).toBe(false);
  }
  expect(stored()).toBe(before);
  expect(tab()).toBe(true);
});

test("the menu opens at a slash that begins a word, and not between two", async () => {
  edit("<p>either</p>", "either");
  const shown: (string[] | null)[] = [];
  editor.on("slash", (state) => shown.push(state && state.blocks.map(({ id }) => id)));
  type(" and/or");
  expect(shown).toEqual([]);
  type(" /");
  await vi.waitFor(() => expect(shown.at(-1)).toEqual(BLOCKS.map(({ id }) => id)));
  type(" o");
  await vi.waitFor(() => expect(shown.at(-1)).toBeNull());
  type(" /tab");
  await vi.waitFor(() => expect(shown.at(-1)).toEqual(["table"]));
});

test("Enter links a typed URL, too", () => {
  edit("<p>See</p>", "See");
  type(" https://example.com");
  press("Enter");
  expect(stored()).toBe('<p>See <a href="https://example.com">https://example.com</a></p>');
});

test("Alt+Shift and an arrow move a block or a list item past its neighbor, with the cursor", () => {
  edit("<p>One</p><ul><li>A</li><li>B</li></ul><p>Two</p>", "One");
  expect(press("ArrowDown", { altKey: true, shiftKey: true })).toBe(true);
  expect(stored()).toBe("<ul><li>A</li><li>B</li></ul>\n<p>One</p>\n<p>Two</p>");
  type("!");
  expect(stored()).toContain("<p>One!</p>");
  select("B", 1);
  press("ArrowUp", { altKey: true, shiftKey: true });
  press("ArrowUp", { altKey: true, shiftKey: true });
  expect(stored()).toContain("<li>B</li><li>A</li>");
  editor.commands.undo();
  expect(stored()).toContain("<li>A</li><li>B</li>");
});
