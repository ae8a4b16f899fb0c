import { describe, expect, test } from "vitest";
import { fragment, highlight } from "./highlights";
import { queryWords } from "./query";

const mark = (word: string) => `<span class="article-matched-tag">${word}</span>`;

describe("a highlighted title", () => {
  test("wraps every word that begins with a word of the query, whole", () => {
    expect(highlight("Install and installing, uninstall", ["install"])).toBe(
      `${mark("Install")} and ${mark("installing")}, uninstall`,
    );
  });

  test("escapes everything else, in hits and around them", () => {
    expect(highlight(`<b>Tom & "Jerry's"</b>`, ["jerry"])).toBe(
      `&lt;b&gt;Tom &amp; &quot;${mark("Jerry")}&#39;s&quot;&lt;/b&gt;`,
    );
  });

  test("finds words by their folded form", () => {
    expect(highlight("Über Straße, CAFÉ", queryWords("uber strasse cafe"))).toBe(
      `${mark("Über")} ${mark("Straße")}, ${mark("CAFÉ")}`,
    );
  });

  test("is null when nothing matched", () => {
    expect(highlight("Install", ["stall"])).toBeNull();
    expect(highlight("Install", [])).toBeNull();
  });
});

describe("a fragment of content", () => {
  const filler = "lorem ipsum dolor sit amet ".repeat(40);
  const plain = (html: string | null) => html?.replace(/<[^>]+>/g, "") ?? "";

  test("is at most 300 characters, cut between words, around the hit", () => {
    const html = fragment(`${filler}the needle is here ${filler}`, ["needle"]);
    expect(html).toContain(mark("needle"));
    expect(plain(html).length).toBeLessThanOrEqual(300);
    expect(plain(html)).toMatch(/^(lorem|ipsum|dolor|sit|amet|the) /);
    expect(plain(html)).toMatch(/ (lorem|ipsum|dolor|sit|amet)$/);
  });

  test("is the place with most different words of the query", () => {
    const html = fragment(`alpha ${filler} beta ${filler} alpha beta gamma ${filler}`, ["alpha", "beta", "gamma"]);
    expect(html).toContain(`${mark("alpha")} ${mark("beta")} ${mark("gamma")}`);
  });

  test("of a short text is the text", () => {
    expect(fragment("one two\nthree", ["two"])).toBe(`one ${mark("two")} three`);
  });

  test("of one endless word still holds the hit", () => {
    const word = "needle".repeat(100);
    expect(fragment(word, ["needle"])).not.toBe("");
  });

  test("is null when nothing matched", () => {
    expect(fragment(filler, ["needle"])).toBeNull();
  });
});
