import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { tokensIn } from "@/lib/content/snippet-names";
import { withSnippets } from "@/lib/content/snippets";

const snippets = new Map(
  Object.entries({
    mail: '<p>Write to <a href="mailto:help@example.com">help</a></p>',
    plan: "<p>Plan <strong>A</strong></p>",
    warning: '<aside class="callout callout-warning"><p>Hot.</p></aside>',
    steps: '<h2 id="steps">Steps</h2>\n<p>Go.</p>',
    nested: "<p>See {{plan}}</p>",
    constructor: "<p>built</p>",
  }),
);
const replaced = (html: string) => withSnippets(html, snippets)?.html ?? null;
const namesIn = (text: string) => tokensIn(text).map(({ name }) => name);

test("a snippet of one paragraph stands within the text, with its formats", () => {
  expect(replaced("<p>Ask: {{mail}} on {{plan}}, or {{mail}}.</p>")).toBe(
    '<p>Ask: Write to <a href="mailto:help@example.com">help</a> on Plan <strong>A</strong>, or Write to <a href="mailto:help@example.com">help</a>.</p>',
  );
  expect(replaced("<p><em>{{plan}}</em></p>")).toBe("<p><em>Plan <strong>A</strong></em></p>");
  expect(replaced('<h2 id="own">About {{plan}}</h2>')).toBe('<h2 id="own">About Plan <strong>A</strong></h2>');
  expect(replaced("<p>{{constructor}}</p>")).toBe("<p>built</p>");
});

test("any other snippet replaces the paragraph, list item or cell in which its token is alone", () => {
  const warning = snippets.get("warning") ?? "";
  expect(replaced("<p>Before</p>\n<p>{{warning}}</p>\n<p>After</p>")).toBe(`<p>Before</p>\n${warning}\n<p>After</p>`);
  expect(replaced("<ul><li>{{warning}}</li></ul>")).toBe(`<ul><li>${warning}</li></ul>`);
  expect(replaced("<table><tbody><tr><td>{{warning}}</td><td>x</td></tr></tbody></table>")).toContain(
    `<td>${warning}</td>`,
  );
  expect(replaced("<p>Mind this: {{warning}}</p>")).toBeNull();
  expect(replaced('<h2 id="a">{{warning}}</h2>')).toBeNull();
});

test("the article's own headings keep their ids", () => {
  expect(replaced('<p>{{steps}}</p>\n<h2 id="steps">Steps</h2>\n<p>{{steps}}</p>')).toBe(
    '<h2 id="steps-1">Steps</h2>\n<p>Go.</p>\n<h2 id="steps">Steps</h2>\n<h2 id="steps-2">Steps</h2>\n<p>Go.</p>',
  );
});

test("code, attributes, unknown names and other braces stay as they are written", () => {
  for (const html of [
    "<p><code>{{plan}}</code></p>",
    "<pre><code>{{plan}}</code></pre>",
    '<p><img src="/a.png" alt="{{plan}}"> <a href="/x" title="{{plan}}">x</a></p>',
    "<p>{{unknown}} {{ plan }} {{Plan}} {plan} {{{plan}}} {{plan} } {{plan|upper}} {{#plan}}</p>",
  ]) {
    expect(contentFromHtml(html).html).toBe(html);
    expect(replaced(html)).toBeNull();
  }
});

test("tokens within a snippet stay text", () => {
  expect(replaced("<p>{{nested}}</p>")).toBe("<p>See {{plan}}</p>");
});

test("a text names a limited number of snippets", () => {
  const text = Array.from({ length: 1_500 }, (_, n) => `{{n-${n}}}`).join(" ");
  const { links } = contentFromHtml(`<p>${text} ${text}</p>`);
  expect(links.map(({ href }) => href)).toEqual(Array.from({ length: 1_000 }, (_, n) => `n-${n}`));
});

test("a text names snippets outside code, however it is written", () => {
  const named = ({ links }: ReturnType<typeof contentFromHtml>) => links;
  expect(named(contentFromHtml("<p>&#123;{plan}} <b>{{</b>mail}} <code>{{steps}}</code></p>"))).toEqual([
    { href: "plan", kind: "snippet" },
  ]);
  expect(named(contentFromMarkdown("Ask {{mail}}, `{{plan}}`.\n\n    {{steps}}"))).toEqual([
    { href: "mail", kind: "snippet" },
  ]);
  expect(namesIn("{{a}}{{b-1}} {{-c}} {{}} {{a")).toEqual(["a", "b-1"]);
  expect(namesIn(`{{${"x".repeat(61)}}}`)).toEqual([]);
});
