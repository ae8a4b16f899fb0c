import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { tableOfContentsHtml } from "@/lib/content/headings";

const headingsOf = (html: string) => contentFromHtml(html).headings.map(({ id, level }) => `${level} ${id}`);

test("ids are the heading's words in any script, as existing links to anchors expect them", () => {
  expect(
    headingsOf("<h2>Set up &amp; go</h2><h2>C++ in 10 min.</h2><h3>Über uns</h3><h3>日本語 の記事</h3><h4>!?</h4>"),
  ).toEqual(["2 set-up--go", "2 c-in-10-min", "3 über-uns", "3 日本語-の記事", "4 section"]);
});

test("ids are unique, and one that the author gave is kept where it stands first", () => {
  expect(
    headingsOf('<h2>A</h2><h2>A</h2><h2 id="a">B</h2><h2 id="a">C</h2><h2>A-1</h2><h2><a name="old">D</a></h2>'),
  ).toEqual(["2 a-1", "2 a-2", "2 a", "2 c", "2 a-1-1", "2 old"]);
});

test("an id that is no word, or that begins as the page's own do, is replaced", () => {
  expect(headingsOf('<h2 id="_main">A</h2><h2 id="a b">B</h2><h2 id="x&quot;y">C</h2>')).toEqual(["2 a", "2 b", "2 c"]);
});

test("no id shadows a global of the framework", () => {
  expect(headingsOf('<h2 id="TURBOPACK">A</h2><h2 id="TURBOPACK_CHUNK_LISTS">B</h2><h2 id="turbopack">C</h2>')).toEqual(
    ["2 a", "2 b", "2 turbopack"],
  );
});

test("with an h1 in the body every heading goes one level down", () => {
  expect(headingsOf("<h2>Before</h2><h1>Top</h1><h2>Sub</h2><h6>Deep</h6>")).toEqual([
    "3 before",
    "2 top",
    "3 sub",
    "6 deep",
  ]);
  expect(headingsOf("<h2>Before</h2><h1> </h1>")).toEqual(["2 before"]);
});

test("the table of contents nests as the headings do", () => {
  const { headings } = contentFromHtml("<h3>A</h3><h2>B &lt;i></h2><h4>C</h4><h4>D</h4><h3>E</h3><h2>F</h2>");
  expect(tableOfContentsHtml(headings)).toBe(
    '<ul><li><a href="#a">A</a></li><li><a href="#b-i">B &lt;i></a>' +
      '<ul><li><a href="#c">C</a></li><li><a href="#d">D</a></li><li><a href="#e">E</a></li></ul></li>' +
      '<li><a href="#f">F</a></li></ul>',
  );
  expect(tableOfContentsHtml([])).toBe("");
});
