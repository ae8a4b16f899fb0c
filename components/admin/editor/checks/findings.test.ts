// @vitest-environment jsdom
import { expect, test } from "vitest";
import { findingsIn, type LookedUp, lookupOf } from "@/components/admin/editor/checks/findings";
import { documentOf } from "@/components/admin/editor/schema/html";

const origin = "https://docs.example.com";
const nothing: LookedUp = { isTitleTaken: false, links: [], snippets: [] };

function says(html: string, known: LookedUp | null = nothing, title = "Refunds"): string[] {
  return findingsIn(documentOf(html), title, origin, known).map((finding) => finding.says);
}

test("an article without faults is told to have none", () => {
  const html =
    '<h2 id="own">A</h2><h3>B</h3><h4>C</h4><h2>D</h2><p><img src="a.png" alt="A"> <a href="#own">a</a> <a href="#b">b</a> <a href="https://other.example/articles/x#y">c</a> <a href="mailto:ada@example.com">d</a> <a href="/articles/x#there">e</a></p>';
  expect(
    says(html, { isTitleTaken: false, links: [{ path: "/articles/x", leads: "there", missing: [] }], snippets: [] }),
  ).toEqual([]);
  expect(says("")).toEqual([]);
});

test("images without alternative text, with a caption and without", () => {
  expect(
    says(
      '<p><img src="a.png" alt=""> <img src="b.png" alt=" "></p><figure><img src="c.png" alt=""><figcaption>C</figcaption></figure>',
    ),
  ).toEqual(Array(3).fill("Image is missing alt text"));
});

test("images on other sites, which may disappear there", () => {
  const html = `<p><img src="https://lh3.example.net/a" alt="A"> <img src="${origin}/b.png" alt="B"> <img src="data:image/png;base64,AA==" alt="C"></p>`;
  expect(says(html)).toEqual(["Image is hosted on lh3.example.net. Upload a copy."]);
});

test("headings that leave out a level, of which the title is the first", () => {
  expect(says("<h3>A</h3><h2>B</h2><h4>C</h4><h5>D</h5><h2>E</h2><h3>F</h3>")).toEqual([
    "Heading level skipped: H3 “A” after H1",
    "Heading level skipped: H4 “C” after H2",
  ]);
});

test("broken links, links to unpublished articles, and links to missing headings", () => {
  const html =
    '<h2 id="given">Some words</h2><p><a href="#given">a</a><a href="#some-words">b</a> <a href="#gone">c</a> <a href="/articles/none">d <em>and</em> more</a> <a href="https://docs.example.com/articles/draft/">e</a> <a href="../articles/there?x#no">f</a> <a href="there#yes">g</a> <a href="/articles/me#gone">h</a></p><figure><a href="/articles/none"><img src="i.png" alt="I"></a><figcaption>I</figcaption></figure>';
  const known: LookedUp = {
    isTitleTaken: false,
    links: [
      { path: "/articles/none", leads: "nowhere", missing: [] },
      { path: "/articles/draft", leads: "unpublished", missing: [] },
      { path: "/articles/there", leads: "there", missing: ["no"] },
      { path: "/articles/me", leads: "own", missing: [] },
    ],
    snippets: [],
  };
  expect(says(html, known)).toEqual([
    "Broken anchor: “b” to #some-words",
    "Broken anchor: “c” to #gone",
    "Broken link: “d and more” to /articles/none",
    "Link to a draft: “e” to /articles/draft",
    "Broken anchor: “f” to /articles/there#no",
    "Broken anchor: “h” to #gone",
    "Broken link: image to /articles/none",
  ]);
  // Nothing is guessed that only the server knows.
  expect(says(html, null)).toEqual(["Broken anchor: “b” to #some-words", "Broken anchor: “c” to #gone"]);
  expect(lookupOf(documentOf(html), " Refunds ", origin)).toEqual({
    title: "Refunds",
    links: [
      { path: "/articles/none", places: [] },
      { path: "/articles/draft", places: [] },
      { path: "/articles/there", places: ["no", "yes"] },
      { path: "/articles/me", places: ["gone"] },
    ],
    snippets: [],
  });
});

test("a title that another article has comes first; the rest is in the order of the text", () => {
  const html = '<p><a href="#gone">a</a> <img src="a.png" alt=""></p><h3>B</h3>';
  expect(says(html, { isTitleTaken: true, links: [], snippets: [] })).toEqual([
    "Duplicate title: “Refunds”",
    "Broken anchor: “a” to #gone",
    "Image is missing alt text",
    "Heading level skipped: H3 “B” after H1",
  ]);
});

test("snippets that don't exist, and those that need their own paragraph", () => {
  const html =
    "<p>Ask {{mail}} or {{gone}}</p><p>{{box}}</p><ul><li>{{box}}</li></ul><p>See {{box}}</p><h2>{{box}}</h2><p><code>{{gone}}</code></p><pre><code>{{gone}}</code></pre>";
  const known: LookedUp = {
    ...nothing,
    snippets: [
      { name: "mail", works: "anywhere" },
      { name: "gone", works: "nowhere" },
      { name: "box", works: "alone" },
    ],
  };
  expect(says(html, known)).toEqual([
    "Unknown snippet: {{gone}}",
    "Snippet needs its own paragraph: {{box}}",
    "Snippet needs its own paragraph: {{box}}",
  ]);
  expect(lookupOf(documentOf(html), "T", origin).snippets).toEqual(["mail", "gone", "box"]);
  expect(says(html)).toEqual([]);
});

test("no more is asked than the server answers", () => {
  const html = Array.from({ length: 300 }, (_, n) => `<p><a href="/articles/${n}">x</a></p>`).join("");
  const places = Array.from({ length: 30 }, (_, n) => `<p><a href="/articles/0#${n}">x</a></p>`).join("");
  const long = `<p><a href="/articles/${"x".repeat(600)}">x</a></p>`;
  const { links } = lookupOf(documentOf(long + html + places), "T", origin);
  expect([links.length, links[0]?.places.length]).toEqual([200, 20]);
});
