import fc from "fast-check";

const tags = `p div span h1 h2 h3 h6 ul ol li blockquote aside details summary pre code table caption thead tbody tfoot tr
  td th figure figcaption a strong b em i u s del mark sub sup kbd br hr img input label section dl dt dd script style
  svg math iframe form button select option textarea title template object noscript font center nobr constructor`;

const attributes = fc.constantFrom(
  ...["", ' id="x"', ' id="a b"', ' class="callout callout-tip"', ' class="video"', ' class="language-js"', " checked"],
  ...[' href="https://example.com/a?b=c&amp;d"', ' href="../a b.md"', ' href="javascript:alert(1)"', ' src="a.png"'],
  ...[' src="https://youtu.be/dQw4w9WgXcQ"', ' href="https://youtu.be/dQw4w9WgXcQ"', ' align="right"', ' colspan="2"'],
  ...[' start="3"', ' type="checkbox"', ' width="5"', ' title="t"', ' style="font-weight:bold"', " data-footnotes"],
  ...[
    ' onclick="x()"',
    ' data-checked="true"',
    ' name="y"',
    ' class="alert alert-info"',
    ' class="align-wide x"',
    ' style="x:url(y)"',
  ],
);

export const words = fc.constantFrom(
  ...["a", "b c", " ", "\n", " d", "e ", "\u00a0", "[!NOTE]", "NOTE", "&lt;", "&amp;", "1.", "- x", "*", "_", "|", "`"],
  ...["https://youtu.be/dQw4w9WgXcQ", "www.example.com", "a@example.com", "~", "\\", "é", "日本", "{#x}", "#", "](b)"],
  ...["\u0001", "\ufeff", "![", "[^1]", "[x]", "> q", "&#8203;", "🙂", "+", "=", "---", "    "],
);

const tag = fc.constantFrom(...tags.split(/\s+/));

/** Malformed HTML: unclosed tags, and closing tags without an opening one, in any order. */
export const wildHtml = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(tag, attributes).map(([name, attribute]) => `<${name}${attribute}>`) },
      { weight: 2, arbitrary: tag.map((name) => `</${name}>`) },
      { weight: 3, arbitrary: words },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
