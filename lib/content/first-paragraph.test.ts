import { expect, test } from "vitest";
import { contentFromHtml } from "@/lib/content/content";
import { firstParagraph } from "@/lib/content/first-paragraph";

const first = (html: string) => firstParagraph(contentFromHtml(html).html);

test("the first paragraph with words is the text, whatever stands before it", () => {
  const before =
    "<h2>Syntax</h2><pre><code>&lt;p>code&lt;/p>\n**/v**</code></pre><table><tr><td>a</td><td>b</td></tr></table><ul><li>one</li></ul>";
  expect(first(`${before}<p><img src="/a.png" alt="x"></p><p>R&amp;D <b>a<i>nd</i></b><br>more.</p><p>Next.</p>`)).toBe(
    "R&D and more.",
  );
  expect(first(before)).toBe("");
  expect(first("<blockquote><p>Quoted</p></blockquote><p>Own</p>")).toBe("Own");
});

test("HTML that is cut off gives what is whole of it", () => {
  expect(firstParagraph("<p>A paragraph that is <em>cut")).toBe("A paragraph that is cut");
  expect(firstParagraph('<p>Cut in <a href="/x')).toBe("Cut in");
  expect(firstParagraph("<p>")).toBe("");
});
