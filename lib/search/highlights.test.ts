import { describe, expect, test } from "vitest";
import * as highlights from "./highlights";
import { parseQuery } from "./query";
import { wordsIn } from "./words";

const sought = (text: string) =>
  parseQuery(text).groups.flatMap((ways, group) => ways.flat().map((word) => ({ ...word, group })));
const highlight = (text: string, query: string) => highlights.highlight(text, sought(query));
const fragment = (text: string, query: string) => highlights.fragment(text, sought(query))?.html ?? null;
const mark = (word: string) => `<span class="article-matched-tag">${word}</span>`;

describe("a highlighted title", () => {
  test("wraps every word that begins with a word of the query, whole", () => {
    expect(highlight("Install and installing, uninstall", "install")).toBe(
      `${mark("Install")} and ${mark("installing")}, uninstall`,
    );
  });

  test("escapes everything else, in hits and around them", () => {
    expect(highlight(`<b>Tom & "Jerry's"</b>`, "jerry")).toBe(
      `&lt;b&gt;Tom &amp; &quot;${mark("Jerry")}&#39;s&quot;&lt;/b&gt;`,
    );
  });

  test("finds words by their folded form", () => {
    expect(highlight("Übung Straße, CAFÉ", "ubung strasse cafe")).toBe(
      `${mark("Übung")} ${mark("Straße")}, ${mark("CAFÉ")}`,
    );
  });

  test("is of words of any length", () => {
    expect(highlight(`${"ab".repeat(5_000)} ab`, "ab".repeat(5_000))).toBe(`${mark("ab".repeat(5_000))} ab`);
  });

  test("is null when nothing matched", () => {
    expect(highlight("Install", "stall")).toBeNull();
    expect(highlight("Install", "?")).toBeNull();
  });

  test("marks identifiers from the part that matched on, and hyphenated words as one", () => {
    expect(highlight("DispatchCreate", "create")).toBe(`Dispatch${mark("Create")}`);
    expect(highlight("Your E-mail, e–mail", "email")).toBe(`Your ${mark("E-mail")}, e–mail`);
    expect(highlight("the driver’s seat", "driver's")).toBe(`the ${mark("driver")}’s seat`);
  });

  test("marks a word that hyphens, soft hyphens or joiners part, wherever it begins", () => {
    expect(highlight("Our new-e-mail", "email")).toBe(`Our new-${mark("e-mail")}`);
    expect(highlight("Our e-mail-box", "emailb")).toBe(`Our ${mark("e-mail-box")}`);
    for (const sign of ["\u00ad", "\u200c", "\u200d"])
      expect(highlight(`Our e${sign}mail`, "email")).toBe(`Our ${mark(`e${sign}mail`)}`);
  });

  test("marks signs that are several letters or digits", () => {
    expect(highlight("Part Ⅳ of Ⅻ", "iv")).toBe(`Part ${mark("Ⅳ")} of Ⅻ`);
    expect(highlight("½ cup, ﬁne", "12 fine")).toBe(`${mark("½")} cup, ${mark("ﬁne")}`);
  });

  test("marks what two words of the query match in common once", () => {
    expect(highlight("Your e-mail", "e email")).toBe(`Your ${mark("e-mail")}`);
    expect(highlight("Your e\u2010mail, Ⅷ", "email viii")).toBe(`Your ${mark("e\u2010mail")}, ${mark("Ⅷ")}`);
  });

  test("marks what matched inside a sentence without blanks", () => {
    expect(highlight("パスワードを変更する", "パスワード変更")).toBe(`${mark("パスワード")}を${mark("変更")}する`);
    expect(highlight("全文検索機能", "検索")).toBe(`全文${mark("検索")}機能`);
    expect(highlight("비밀번호를 변경", "비밀번호")).toBe(`${mark("비밀번호")}를 변경`);
  });
});

describe("marks", () => {
  test("leave out small words, whole or partial, unless the search has no others", () => {
    expect(highlight("How to move an account and the team", "how to move an account")).toBe(
      `How to ${mark("move")} an ${mark("account")} and the team`,
    );
    expect(highlight("When whales rest", "whe whales")).toBe(`When ${mark("whales")} rest`);
    expect(highlight("How to, and the howling of dogs", "how to")).toBe(
      `${mark("How")} ${mark("to")}, and the ${mark("howling")} of dogs`,
    );
    expect(highlight("And another", "an")).toBe(`${mark("And")} ${mark("another")}`);
  });

  test("of a word of one or two letters are whole words when the search has longer ones", () => {
    expect(highlight("Plan B: a backup plan", "plan b")).toBe(`${mark("Plan")} ${mark("B")}: a backup ${mark("plan")}`);
    expect(highlight("Version 3 of 30, v3, 3-in-1", "version 3")).toBe(
      `${mark("Version")} ${mark("3")} of 30, v${mark("3")}, ${mark("3")}-in-1`,
    );
    expect(highlight("Backup", "b")).toBe(mark("Backup"));
  });

  test("may be of sections, counted line by line", () => {
    const lines = ["Move an account", "", "The account", "Accounts to move, accounts"];
    expect(highlights.foundIn(lines, sought("how to move an account"))).toEqual([2, 0, 1, 2]);
  });
});

describe("a fragment of content", () => {
  const filler = "lorem ipsum dolor sit amet ".repeat(40);
  const plain = (html: string | null) => html?.replace(/<[^>]+>/g, "") ?? "";

  test("is at most 300 characters, cut between words, around the hit", () => {
    const html = fragment(`${filler}the needle is here ${filler}`, "needle");
    expect(html).toContain(mark("needle"));
    expect(plain(html).length).toBeLessThanOrEqual(300);
    expect(plain(html)).toMatch(/^(lorem|ipsum|dolor|sit|amet|the) /);
    expect(plain(html)).toMatch(/ (lorem|ipsum|dolor|sit|amet)$/);
  });

  test("is the place with most different words of the query", () => {
    const html = fragment(`alpha ${filler} beta ${filler} alpha beta gamma ${filler}`, "alpha beta gamma");
    expect(html).toContain(`${mark("alpha")} ${mark("beta")} ${mark("gamma")}`);
  });

  test("of a short text is the text", () => {
    expect(fragment("one two\nthree", "two")).toBe(`one ${mark("two")} three`);
  });

  test("of one endless word still holds the hit", () => {
    const word = "needle".repeat(100);
    expect(fragment(word, "needle")).toBe(mark(word.slice(0, 300)));
    expect(fragment(`a${"𐌰".repeat(400)}`, "a")).toBe(mark(`a${"𐌰".repeat(149)}`));
  });

  test("is null when nothing matched", () => {
    expect(fragment(filler, "needle")).toBeNull();
  });

  const sentence = "Nothing here says anything about it, as you will see when you read on. ";

  test("begins and ends with sentences, of which the first has the first hit", () => {
    const html = fragment(`${sentence.repeat(9)}The needle (v1.2) is small. ${sentence.repeat(9)}`, "needle small");
    expect(plain(html)).toBe(`The needle (v1.2) is small. ${sentence.repeat(3)}`.trim());
  });

  test("begins and ends with lines, which headings and items of a list are", () => {
    const html = fragment(`${filler}\nTake the needle\nand sew\n${filler}`, "needle");
    expect(plain(html)).toBe("Take the needle and sew");
  });

  test("begins or ends between words where a sentence does not fit", () => {
    const long = fragment(`${sentence}A needle ${filler}`, "needle");
    expect(plain(long)).toMatch(/^A needle .* (lorem|ipsum|dolor|sit|amet)$/);
    const late = fragment(`${sentence}${filler}needle. ${sentence.repeat(9)}`, "needle");
    expect(plain(late)).toMatch(/^(lorem|ipsum|dolor|sit|amet) .* needle\. /);
    expect(plain(late)).toMatch(/ read on\.$/);
  });

  test("at the end of a text has the sentences before it", () => {
    const html = fragment(`${sentence.repeat(9)}A needle.`, "needle");
    expect(plain(html)).toBe(`${sentence.repeat(4)}A needle.`);
  });

  test("is of sentences in other scripts too", () => {
    const html = fragment(
      `${"これは長い文です。".repeat(50)}針はここにあります。${"これは長い文です。".repeat(50)}`,
      "針",
    );
    expect(plain(html)).toMatch(/^針はここにあります。(これは長い文です。)+$/);
  });

  test("is where the words weigh most, though others are more", () => {
    const words = sought("needle thread haystack").map((word, index) => ({ ...word, weight: index === 2 ? 5 : 1 }));
    const text = `A needle and thread. ${filler}The haystack. ${filler}`;
    expect(highlights.fragment(text, words)?.html).toContain(mark("haystack"));
    expect(fragment(text, "needle thread haystack")).toContain(mark("needle"));
  });

  test("is not around small words", () => {
    const text = `How to do it. ${filler}The needle. ${filler}`;
    expect(fragment(text, "how to do the needle")).toContain(`The ${mark("needle")}.`);
  });

  test("prefers the place where the words stand side by side", () => {
    expect(fragment(`credit and ${filler} a credit card ${filler}`, "credit card")).toContain(
      `${mark("credit")} ${mark("card")}`,
    );
  });
});

test("no hit is passed over by reading quickly", () => {
  const pieces = [
    "Straße",
    "e-mail",
    "eMail",
    "x",
    "Über",
    "検索",
    "IPv6",
    "don’t",
    " ",
    "-",
    "'",
    "é",
    "Email",
    "ss",
    "🎉",
    "É",
    ".",
    "e",
  ];
  let seed = 7;
  const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join("");
    for (const word of wordsIn(text)) {
      // Every word of a text is found in it by its own beginning.
      const [beginning = ""] = word.folded;
      const found = highlights.highlight(text, [{ folded: beginning, dense: word.dense, group: 0 }]);
      expect([text, beginning, found?.includes("<span") ?? false]).toEqual([text, beginning, true]);
    }
  }
});
