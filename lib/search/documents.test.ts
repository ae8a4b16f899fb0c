import { describe, expect, test } from "vitest";
import { type SearchedArticle, searchDocument } from "./documents";
import { tagOf } from "./lexemes";

const workspaceId = "00000001-0000-4000-8000-000000000000";
const empty: SearchedArticle = { title: "", text: "", slug: "", categoryName: "", keywords: [], metaDescription: null };
const lexemesOf = async (article: Partial<SearchedArticle>, mark: string) =>
  (await searchDocument(workspaceId, { ...empty, ...article })).words
    .split(" ")
    .filter((entry) => entry.startsWith(`'${tagOf(workspaceId)}${mark}`))
    .map((entry) => entry.replace(`'${tagOf(workspaceId)}${mark}`, "").replace("'", ""));

describe("a search document", () => {
  const article = {
    title: "Reset your password",
    text: "Open the page. Reset it",
    slug: "reset-password",
    categoryName: "Your account",
    keywords: ["login help"],
    metaDescription: null,
  };

  test("holds every word of title and content with its places, fields far apart from each other", async () => {
    expect((await searchDocument(workspaceId, article)).title).toBe("reset your password");
    expect(await lexemesOf(article, "t")).toEqual(["reset", "your", "password"]);
    expect(await lexemesOf(article, "w")).toEqual([
      "reset:1A,2003B",
      "your:2A",
      "password:3A",
      "open:2000B",
      "the:2001B",
      "page:2002B",
      "it:2004B",
    ]);
  });

  test("holds those words of a lighter field that no heavier one has", async () => {
    expect(await lexemesOf(article, "s")).toEqual([]);
    expect(await lexemesOf({ ...article, slug: "reset-secret" }, "s")).toEqual(["secret:601C"]);
    expect(await lexemesOf(article, "c")).toEqual(["account:801D"]);
    expect(await lexemesOf(article, "k")).toEqual(["login:1100D", "help:1101D"]);
    expect(await lexemesOf({ ...article, keywords: ["account", "page", "ink"] }, "k")).toEqual(["ink:1102D"]);
  });

  test("holds the words of the description that the title lacks, far from the other fields", async () => {
    const described = { ...article, metaDescription: "How to reset a forgotten page" };
    expect(await lexemesOf(described, "d")).toEqual([
      "how:16000C",
      "to:16001C",
      "a:16003C",
      "forgotten:16004C",
      "page:16005C",
    ]);
    expect(await lexemesOf(described, "o")).toEqual(["how", "to", "a", "forgotten", "account", "login", "help"]);
  });

  test("holds once more, without their field, what title and content do not have, and its short beginnings", async () => {
    const lighter = { ...article, slug: "reset-secret", keywords: ["ink", "opener"] };
    expect(await lexemesOf(lighter, "o")).toEqual(["secret", "account", "ink", "opener"]);
    // "o" and "op", "p" and "pa" are beginnings in the text.
    expect(await lexemesOf(lighter, "e")).toEqual(["s", "se", "sec", "a", "ac", "acc", "in", "ink"]);
  });

  test("holds the short beginnings of the words of title and content", async () => {
    expect(await lexemesOf({ title: "Ab abc", text: "abcd é" }, "b")).toEqual(["a", "ab", "abc", "e"]);
  });

  test("holds identifiers from each of their parts on, and hyphenated words also written together", async () => {
    expect(await lexemesOf({ text: "createInvoice sign-in-page l'eau" }, "w")).toEqual([
      "createinvoice:2000B",
      "invoice:2000B",
      "sign:2001B",
      "in:2002B",
      "signin:2001B",
      "page:2003B",
      "signinpage:2001B",
      "inpage:2002B",
      "l:2004B",
      "eau:2005B",
      "leau:2004B",
    ]);
  });

  test("holds dense words by their pairs of characters", async () => {
    expect(await lexemesOf({ text: "検索機能 x" }, "w")).toEqual([
      "検索:2000B",
      "索機:2001B",
      "機能:2002B",
      "能:2002B",
      "x:2003B",
    ]);
  });

  test("teaches its words in their own spelling, the parts of identifiers too", async () => {
    const { vocabulary } = await searchDocument(workspaceId, {
      ...empty,
      text: "Die Über createInvoice e-mail 2026 検索機能",
    });
    expect(vocabulary.map(({ word, spelling }) => `${word} ${spelling}`)).toEqual([
      "die die",
      "uber über",
      "createinvoice createinvoice",
      "create create",
      "invoice invoice",
      "mail mail",
    ]);
  });

  test("holds the title's beginnings and the light fields also of a text that is too long", async () => {
    const characters = Array.from({ length: 90_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)),
    );
    const text = characters.map((character, at) => character + String.fromCodePoint(0x4e00 + (at % 19_997))).join("");
    const article = { title: "Ab", text, slug: "cd", categoryName: "ef", keywords: ["gh"], metaDescription: null };
    const { words } = await searchDocument(workspaceId, article);
    expect(Buffer.byteLength(words)).toBeGreaterThan(800_000);
    for (const entry of ["bab", "aab", "scd:600C", "cef:800D", "kgh:1100D"]) {
      const [key, place] = entry.split(":");
      expect(words).toContain(`'${tagOf(workspaceId)}${key}'${place ? `:${place}` : ""}`);
    }
    // Of the pairs, only as many as fit, and whole ones.
    const pairs = words.split(" ").filter((entry) => entry.startsWith(`'${tagOf(workspaceId)}p`));
    expect(pairs.length).toBeGreaterThan(10_000);
    expect(pairs.length).toBeLessThan(20_000);
    expect(pairs.at(-1)).toMatch(/^'[0-9a-z]{2}p[0-9a-z]{3}'$/);
    expect(words.endsWith(` ${pairs.at(-1)}`)).toBe(true);
  });

  test("lets other work run while it reads a long text", async () => {
    const order: string[] = [];
    const text = "一丁丂七丄".repeat(60_000);
    setTimeout(() => order.push("other work"), 1);
    await searchDocument(workspaceId, { ...empty, text }).then(() => order.push("document"));
    expect(order).toEqual(["other work", "document"]);
  });

  test("pauses as often in words that have many forms", async () => {
    const text = Array.from({ length: 2_000 }, (_, word) => `AaaBbbCccDddEeeFffGgg${word}`).join("-");
    let pauses = 0;
    let isOver = false;
    const count = () => {
      pauses++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await searchDocument(workspaceId, { ...empty, text });
    isOver = true;
    // Each word has ten forms: its own, seven inner parts, and two with the words before it.
    expect(pauses).toBeGreaterThanOrEqual(8);
  });

  test("keeps positions and sizes within what PostgreSQL can hold", async () => {
    const text = "again ".repeat(50_000);
    const [again = ""] = (await lexemesOf({ text }, "w")).filter((entry) => entry.startsWith("again"));
    const positions = again.replace("again:", "").split(",");
    expect(positions.length).toBeLessThanOrEqual(255);
    expect(Math.max(...positions.map((position) => Number.parseInt(position, 10)))).toBeLessThanOrEqual(16_383);
    expect(await lexemesOf({ title: "x".repeat(300) }, "t")).toEqual(["x".repeat(100)]);
    // Each of these letters is two code units, and the word is cut between two.
    expect(await lexemesOf({ title: `a${"𐌰".repeat(80)}` }, "t")).toEqual([`a${"𐌰".repeat(49)}`]);
    const humps = `${"aB".repeat(50)} `;
    const many = Array.from({ length: 3_000 }, (_, index) => humps.replace("aB", `a${index}B`)).join("");
    const { words } = await searchDocument(workspaceId, { ...empty, text: many });
    expect(Buffer.byteLength(words)).toBeGreaterThan(500_000);
  });
});
