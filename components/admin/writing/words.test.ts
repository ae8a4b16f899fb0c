import { expect, test } from "vitest";
import { wordsOf } from "@/components/admin/writing/words";

test("images are there by name, and links by address", () => {
  const html =
    '<p>See <a href="/articles/x?a=1&amp;b" title="X">this <em>one</em></a>.</p><p><img src="/a.png" alt="A &lt;hand&gt;"></p>';
  expect(wordsOf(html)).toBe("See this one [/articles/x?a=1&b].\n[Image: A <hand>]");
  expect(wordsOf('<p><img alt="" src="/a.png"></p>')).toBe("[Image: /a.png]");
});
