import { expect, test } from "vitest";
import { cleanTree } from "@/lib/content/content";
import { htmlForReader } from "@/lib/content/for-reader";
import { renderedHtml } from "@/lib/content/render";
import { wordsFor } from "@/lib/reader/words";

async function forReader(source: string): Promise<string> {
  return htmlForReader(await renderedHtml(cleanTree(source).root), wordsFor("en"));
}

test("a heading stands beside a link to itself", async () => {
  expect(await forReader('<h2>Größe &lt;b&gt;</h2><p>a</p><h3 id="x">y <code>z</code></h3>')).toBe(
    '<div class="heading heading-h2"><h2 id="größe-b">Größe &lt;b></h2>' +
      '<a class="heading-link" href="#größe-b" aria-label="Link to: Größe &lt;b>">#</a></div>\n<p>a</p>\n' +
      '<div class="heading heading-h3"><h3 id="x">y <code>z</code></h3>' +
      '<a class="heading-link" href="#x" aria-label="Link to: y z">#</a></div>',
  );
});

test("a heading's name in its link is a text, whatever it is made of", async () => {
  expect(await forReader('<h2 id="x">Say "<em>hi</em>" &amp; go <a href="/a?b=&quot;">in</a></h2>')).toContain(
    'aria-label="Link to: Say &quot;hi&quot; &amp; go in">#</a>',
  );
});

test("code says its language, and each piece is a region with a name of its own", async () => {
  const code = (name: string) => `<pre><code class="language-${name}">a</code></pre>`;
  const html = await forReader(`${code("c++")}${code("ocaml-x")}<pre><code>b</code></pre>${code("constructor")}`);
  expect(
    [...html.matchAll(/<div class="code-head"><span>(.*?)<\/span><\/div><pre (.*?)>/g)].map(([, ...groups]) => groups),
  ).toEqual([
    ["C++", 'tabindex="0" role="region" aria-label="Code 1, C++"'],
    ["Ocaml-x", 'tabindex="0" role="region" aria-label="Code 2, Ocaml-x"'],
    ["Code", 'tabindex="0" role="region" aria-label="Code 3"'],
    ["Constructor", 'tabindex="0" role="region" aria-label="Code 4, Constructor"'],
  ]);
});

test("tables are regions, callouts begin with their kind, videos say where they lead", async () => {
  const table = "<table><tr><td>a</td></tr></table>";
  const html = await forReader(
    `${table}${table}<blockquote>[!WARNING] b</blockquote><p>https://youtu.be/dQw4w9WgXcQ</p>` +
      "<iframe src=https://youtu.be/dQw4w9WgXcQ></iframe><iframe src=https://vimeo.com/76979871></iframe>",
  );
  expect(html.match(/<div class="table-scroll".*?>/g)).toEqual([
    '<div class="table-scroll" tabindex="0" role="region" aria-label="Table 1">',
    '<div class="table-scroll" tabindex="0" role="region" aria-label="Table 2">',
  ]);
  expect(html).toContain('role="note"><p class="callout-name">Warning</p><p>b</p></aside>');
  expect(html.match(/<div class="video">.*?<\/div>/g)).toEqual([
    '<div class="video"><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"><span class="video-name">Watch on YouTube</span> ' +
      '<span class="video-address">youtube.com/watch?v=dQw4w9WgXcQ</span></a></div>',
    '<div class="video"><a href="https://vimeo.com/76979871"><span class="video-name">Watch on Vimeo</span> ' +
      '<span class="video-address">vimeo.com/76979871</span></a></div>',
  ]);
});

test("what reads like a tag in a text or a value is left as it stands", async () => {
  const html = await forReader(
    '<p>&lt;h2 id="x"&gt; <img src="/a.png" alt="&lt;/pre&gt;&lt;h2 id=&quot;y&quot;&gt;"></p>',
  );
  expect(html).toBe(
    '<p>&lt;h2 id="x"> <img src="/a.png" alt="</pre><h2 id=&quot;y&quot;>" loading="lazy" decoding="async"></p>',
  );
});
