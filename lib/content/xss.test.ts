import { expect, test } from "vitest";
import { cleanTree, contentFromHtml } from "@/lib/content/content";
import { htmlForReader } from "@/lib/content/for-reader";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { tableOfContentsHtml } from "@/lib/content/headings";
import { attribute, isElement, parseHtml, type SourceElement, type SourceNode } from "@/lib/content/parse";
import { renderedHtml } from "@/lib/content/render";
import { wordsFor } from "@/lib/reader/words";

const vectors = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  "<img src=x:x onerror=alert(1)//",
  "<img src=`x` onerror=alert(1)>",
  '<img """><script>alert(1)</script>">',
  "<IMG SRC=javascript:alert(1)>",
  "<img src='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='>",
  "<img src=a.png style=\"background:url('javascript:alert(1)')\">",
  "<img src=a.png srcset='javascript:alert(1) 1x'>",
  "<a href='javascript:alert(1)'>x</a>",
  "<a href=' &#14; javascript:alert(1)'>x</a>",
  "<a href='jav&#x09;ascript:alert(1)'>x</a>",
  "<a href='java\nscript:alert(1)'>x</a>",
  "<a href='&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)'>x</a>",
  "<a href='JaVaScRiPt&colon;alert(1)'>x</a>",
  "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
  "<a href='vbscript:msgbox(1)'>x</a>",
  "<a href='blob:https://example.com/1'>x</a>",
  "<a href=x onmouseover=alert(1) onfocus=alert(1) autofocus tabindex=1>x</a>",
  "<a target=_blank ping=//evil.example href=https://example.com>x</a>",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
  "<svg><animate xlink:href=#x attributeName=href values=javascript:alert(1) /><a id=x>x</a></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
  "<math><mi xlink:href='data:x,<script>alert(1)</script>'>x</mi></math>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<iframe src='javascript:alert(1)'></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<iframe src='https://www.youtube.com.evil.example/embed/dQw4w9WgXcQ'></iframe>",
  "<object data='javascript:alert(1)'></object>",
  "<embed src='javascript:alert(1)'>",
  "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button><input type=submit></form>",
  "<input autofocus onfocus=alert(1)><select autofocus onfocus=alert(1)><textarea onfocus=alert(1)>x</textarea>",
  "<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary>y</details>",
  "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
  "<body onload=alert(1)><p>x</p></body>",
  "<style>@import '//evil.example/x.css';</style><link rel=stylesheet href=//evil.example/x.css>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><base href='javascript:alert(1)//'>",
  "<div style='position:fixed;inset:0;background:url(javascript:alert(1))'>x</div>",
  "<table background='javascript:alert(1)'><td background='javascript:alert(1)'>x</td></table>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<template><script>alert(1)</script></template>",
  "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
  "<title></title><img src=x onerror=alert(1)></title>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<plaintext><img src=x onerror=alert(1)>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!--<img src='--><img src=x onerror=alert(1)>'>",
  "<![CDATA[><img src=x onerror=alert(1)>]]>",
  "<?xml-stylesheet href='javascript:alert(1)'?><!DOCTYPE x [<!ENTITY y '<script>'>]>",
  "<h2 id=__proto__ name=body>x</h2><h2 id='\"><img src=x onerror=alert(1)>'>y</h2>",
  "<img name=getElementById><a id=location name=cookie href=x>x</a><form id=document><input name=body></form>",
  "<code class='language-js\"><img src=x onerror=alert(1)>'>x</code><pre class='language-\"onload=alert(1)'>x</pre>",
  "<div class=video><a href='javascript:alert(1)//youtube.com/watch?v=dQw4w9WgXcQ'>x</a></div>",
  "<p title='&quot;><script>alert(1)</script>'>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
  "<marquee onstart=alert(1)>x</marquee><isindex action=javascript:alert(1)><portal src=javascript:alert(1)>",
];

const markdownVectors = [
  "[x](javascript:alert(1))",
  "[x](  java&#x0A;script:alert(1))",
  "[x][y]\n\n[y]: <javascript:alert(1)>",
  "![x](data:text/html;base64,PHNjcmlwdD4=)",
  "<javascript:alert(1)>",
  '[x](https://example.com "\\" onmouseover=alert(1) x=\\"")',
  '`<script>alert(1)</script>`\n\n```html"onload=alert(1)\n<script>alert(1)</script>\n```',
  '## x {#"><script>alert(1)</script>}',
  "[^1]\n\n[^1]: <script>alert(1)</script>[x](javascript:alert(1))",
  "| <img src=x onerror=alert(1)> |\n|---|\n| [x](vbscript:x) |",
  "> [!NOTE]\n> <iframe src=javascript:alert(1)></iframe>",
];

const forbiddenTags =
  /^(?:script|style|svg|math|iframe|object|embed|form|button|select|textarea|template|link|meta|base)$/;

/** The dangers in this HTML, parsed like in a browser. */
function dangers(nodes: readonly SourceNode[]): string[] {
  return nodes.filter(isElement).flatMap((element: SourceElement) => [
    ...(forbiddenTags.test(element.tagName) || String(element.namespaceURI) !== "http://www.w3.org/1999/xhtml"
      ? [element.tagName]
      : []),
    ...element.attrs
      .filter(({ name }) => /^(?:on|style$|srcdoc|srcset|formaction|action$|name$|ping)/.test(name))
      .map(({ name }) => name),
    ...["href", "src"].filter((name) => {
      const scheme = /^([a-z][^:/?#]*):/i.exec(attribute(element, name) ?? "")?.[1];
      return scheme !== undefined && !["http", "https", "mailto", "tel"].includes(scheme);
    }),
    ...(attribute(element, "id") !== undefined && !/^h[2-6]$/.test(element.tagName) ? ["id"] : []),
    ...dangers(element.childNodes),
  ]);
}

test("the test sees dangers where there are some", () => {
  const html = "<p id=x onclick=y><svg><a href='javascript:1'>";
  expect(dangers(parseHtml(html, false))).toEqual(["onclick", "id", "svg", "a", "href"]);
});

test.each(vectors)("nothing executable is left of %s", async (vector) => {
  const { html, headings } = contentFromHtml(`<p>kept</p>${vector}`);
  expect(html).toMatch(/^<p>kept<\/p>/);
  expect(dangers(parseHtml(html, false))).toEqual([]);
  const rendered = await renderedHtml(cleanTree(html).root);
  expect(dangers(parseHtml(rendered, false))).toEqual([]);
  expect(dangers(parseHtml(htmlForReader(rendered, wordsFor("en")), false))).toEqual([]);
  expect(dangers(parseHtml(tableOfContentsHtml(headings), false))).toEqual([]);
});

test.each([...vectors, ...markdownVectors])("nothing executable is left of it in Markdown: %s", (vector) => {
  const { html } = contentFromMarkdown(`kept\n\n${vector}`);
  expect(html).toMatch(/^<p>kept<\/p>/);
  expect(dangers(parseHtml(html, false))).toEqual([]);
});
