import { describe, expect, test } from "vitest";
import { searchDocument } from "./documents";
import { allWords, queryWords, textQuery } from "./query";
import { wordsOf } from "./words";

describe("words", () => {
  test("are runs of letters and runs of digits, folded", () => {
    expect(wordsOf("ntddndis.h, IPv6 & Café-Straße_2.0")).toEqual([
      "ntddndis",
      "h",
      "ipv",
      "6",
      "cafe",
      "strasse",
      "2",
      "0",
    ]);
    expect(wordsOf("ΣΊΣΥΦΟΣ Ёлка ﬁne Ⅷ")).toEqual(["σισυφοσ", "елка", "fine", "viii"]);
  });

  test("of a text without a letter or digit are none", () => {
    expect(wordsOf("?! … 🎉 \n")).toEqual([]);
  });
});

describe("a search document", () => {
  const document = searchDocument({
    title: "Reset your password",
    text: "Open the page. Reset it",
    slug: "reset-password",
    categoryName: "Your account",
    keywords: ["login help"],
  });

  test("holds each field's words under its weight, far apart from the next field's", () => {
    expect(document.title).toBe("reset your password");
    expect(document.words.split(" ")).toEqual([
      "'reset':1A,54C,213B",
      "'your':2A,106D",
      "'password':3A,55C",
      "'account':107D",
      "'login':158D",
      "'help':159D",
      "'open':210B",
      "'the':211B",
      "'page':212B",
      "'it':214B",
    ]);
    expect(document.categoryWords).toBe("'your' 'account'");
  });

  test("stays within what PostgreSQL accepts for a text of any length", () => {
    const long = searchDocument({
      title: "x".repeat(300),
      text: "again ".repeat(50_000),
      slug: "x",
      categoryName: "c",
      keywords: [],
    });
    const positions = long.words.match(/'again':(\S+)/)?.[1]?.split(",") ?? [];
    expect(positions.length).toBeLessThanOrEqual(255);
    expect(Math.max(...positions.map((position) => Number.parseInt(position, 10)))).toBeLessThanOrEqual(16_383);
    expect(long.words).toContain(`'${"x".repeat(100)}':1A`);
    const rare = searchDocument({
      title: `一${"𠀀".repeat(80)}`,
      text: "",
      slug: "x",
      categoryName: "c",
      keywords: [],
    });
    expect(rare.words).toContain(`'一${"𠀀".repeat(49)}':1A`);
  });
});

describe("a query", () => {
  test("wants each of at most ten different words as a prefix", () => {
    expect(queryWords("Reset, reset the  PASSWORD")).toEqual(["reset", "the", "password"]);
    expect(queryWords("a b c d e f g h i j k l")).toHaveLength(10);
    expect(allWords(["reset", "pass"])).toBe("'reset':* & 'pass':*");
    expect(textQuery("reset 'pass")).toBe("'reset':*AB & 'pass':*AB");
  });

  test("without a letter or digit is none", () => {
    expect(textQuery("& | ! ' :*")).toBeNull();
  });
});
