import { expect, test } from "vitest";
import { cleanTree, contentFromHtml } from "@/lib/content/content";
import { renderedHtml } from "@/lib/content/render";
import { markdownFromTree } from "@/lib/content/to-markdown";

test("code in a known language is highlighted by classes, never by styles", async () => {
  const rendered = await renderedHtml(
    cleanTree('<pre><code class="language-ts">const a = "b"; // c\nf(1)</code></pre>').root,
  );
  expect(rendered).toBe(
    '<pre tabindex="0"><code class="language-ts"><span class="hl-keyword">const </span><span class="hl-variable">a </span>' +
      '<span class="hl-operator">= </span><span class="hl-string">"b"</span><span class="hl-punctuation">; </span>' +
      '<span class="hl-comment">// c\n</span><span class="hl-function">f</span><span class="hl-punctuation">(</span>' +
      '<span class="hl-number">1</span><span class="hl-punctuation">)</span></code></pre>',
  );
});

test.each(["js", "typescript", "python", "c++", "json", "yaml", "bash", "sql", "html", "css", "go", "rust", "php"])(
  "highlighting %s changes nothing but adds spans",
  async (language) => {
    const code = 'if (a < 1) { return "x" } # y\n\n  <b c="d">\t&amp; [1, null]';
    const { html } = contentFromHtml(
      `<pre><code class="language-${language}">${code.replace(/[&<]/g, (c) => `&#${c.charCodeAt(0)};`)}</code></pre>`,
    );
    const rendered = await renderedHtml(cleanTree(html).root);
    expect(rendered).toContain('<span class="hl-');
    expect(rendered.replace(/<span class="hl-[a-z]+">|<\/span>/g, "")).toBe(
      html.replace("<pre>", '<pre tabindex="0">'),
    );
  },
);

test("unknown languages, and what is far too long, stay plain", async () => {
  const plain = '<pre><code class="language-constructor">a</code></pre>';
  expect(await renderedHtml(cleanTree(plain).root)).toBe(plain.replace("<pre>", '<pre tabindex="0">'));
  const block = `<pre><code class="language-js">${"let a;\n".repeat(3000)}b</code></pre>`;
  const rendered = await renderedHtml(cleanTree(block.repeat(4)).root);
  expect(rendered.split("\n<pre").map((part) => part.includes("hl-keyword"))).toEqual([true, true, false, false]);
});

test("what surrounds the text gets what the reader page needs", async () => {
  const { html } = contentFromHtml(
    "<table><tr><th>a</th></tr><tr><th>b</th></tr><tr><td>c</td></tr></table><img src=/a.png><blockquote>[!TIP] d</blockquote>" +
      "<ul><li><input type=checkbox> e<ul><li>f</li></ul></li></ul><iframe src=https://vimeo.com/76979871></iframe>",
  );
  expect(await renderedHtml(cleanTree(html).root)).toBe(
    '<div class="table-scroll" tabindex="0"><table><thead><tr><th scope="col">a</th></tr><tr><th scope="col">b</th></tr></thead>' +
      "<tbody><tr><td>c</td></tr></tbody></table></div>\n" +
      '<p><img src="/a.png" alt="" loading="lazy" decoding="async"></p>\n' +
      '<aside class="callout callout-tip" role="note"><p>d</p></aside>\n' +
      '<ul class="contains-task-list"><li class="task-list-item"><label><input type="checkbox" disabled> e</label><ul><li>f</li></ul></li></ul>\n' +
      '<div class="video" data-player="https://player.vimeo.com/video/76979871"><a href="https://vimeo.com/76979871">https://vimeo.com/76979871</a></div>',
  );
});

test("HTML that is not clean is cleaned before it is printed", async () => {
  expect(await renderedHtml(cleanTree("<p onclick=x>a<script>b</script></p>").root)).toBe("<p>a</p>");
});

test("rendering and writing Markdown leave the tree as it is", async () => {
  const source =
    '<h2>Title</h2><pre><code class="language-ts">const a = 1</code></pre><ul><li><input type="checkbox">Task</li></ul><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table><p><img src="https://example.com/a.png" alt=""></p>';
  const { root } = cleanTree(source);
  const before = structuredClone(root);
  markdownFromTree(root);
  await renderedHtml(root);
  expect(root).toEqual(before);
});
