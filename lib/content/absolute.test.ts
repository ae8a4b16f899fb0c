import fc from "fast-check";
import { expect, test } from "vitest";
import { withAbsoluteUrls } from "@/lib/content/absolute";
import { contentFromHtml } from "@/lib/content/content";
import { isElement, parseHtml, type SourceNode } from "@/lib/content/parse";

fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });

const page = "https://docs.example.com/articles/page";

const address = fc.oneof(
  fc.constantFrom(
    ...[
      "/a?b=1&c=2",
      "../x",
      "#part",
      "?page=2",
      "//other.example/x",
      "https://example.com/?a&amp;b",
      "mailto:a@b.example",
    ],
    ...["x.png", "a'b", 'a"b', "a`b", "a<b>c", "&quot;", "&amp;lt;", "é 日", "a:b", "http:x", "//[", "/%zz"],
  ),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
const text = fc.constantFrom(
  ...["word", ' href="/x"', "<a href='/x'>", " src=", '"', "&", "a > b", '<img src="/y">', " href=", "'`"],
);
const escaped = (value: string) => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

const source = fc
  .array(
    fc.oneof(
      fc
        .tuple(address, text, text)
        .map(
          ([to, title, inside]) => `<p><a title="${escaped(title)}" href="${escaped(to)}">${escaped(inside)}</a></p>`,
        ),
      fc
        .tuple(address, text)
        .map(
          ([from, alt]) =>
            `<p>${escaped(alt)}<img alt="${escaped(alt)}" src="${escaped(from)}" title="${escaped(alt)}"></p>`,
        ),
      text.map((code) => `<pre><code class="language-html">${escaped(code)}</code></pre>`),
    ),
    { maxLength: 6 },
  )
  .map((blocks) => contentFromHtml(blocks.join("")).html);

/** The parsed HTML with its URLs passed through `settle`. */
function read(nodes: SourceNode[], settle: (address: string) => string): unknown[] {
  return nodes.map((node) => {
    if (!isElement(node)) return "value" in node ? node.value : null;
    const { tagName, attrs, childNodes } = node;
    const settled = attrs.map(({ name, value }) => [name, name === "href" || name === "src" ? settle(value) : value]);
    return [tagName, settled, read(childNodes, settle)];
  });
}

test.each([true, false])(
  "every address holds elsewhere, and nothing else is different (within the page: %s)",
  (within) => {
    const settle = (address: string) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(address) || (address.startsWith("#") && !within)) return address;
      return URL.canParse(address, page) ? new URL(address, page).href : address;
    };
    let changed = 0;
    fc.assert(
      fc.property(source, (html) => {
        const made = withAbsoluteUrls(html, page, within);
        if (made !== html) changed += 1;
        expect(read(parseHtml(made, false), String)).toEqual(read(parseHtml(html, false), settle));
      }),
      { numRuns: 500 * Number(process.env.FUZZ_TIMES ?? 1) },
    );
    expect(changed).toBeGreaterThan(200);
  },
);

test("a long text full of links takes a moment", () => {
  const html = contentFromHtml(
    '<p>Some words <a href="/articles/other?a=1&b=2">and a link</a>.</p>'.repeat(15_000),
  ).html;
  const start = performance.now();
  const made = withAbsoluteUrls(html, page);
  expect(performance.now() - start).toBeLessThan(500);
  expect(made.match(/href="https:\/\/docs\.example\.com\/articles\/other\?a=1&amp;b=2"/g)).toHaveLength(15_000);
});
