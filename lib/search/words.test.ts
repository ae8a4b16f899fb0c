import { expect, test } from "vitest";
import { pairsOf, partsOf, wordsIn, wordsOf } from "./words";

test("words are runs of letters and digits, folded", () => {
  expect(wordsOf("ntddndis.h, IPv6 & Café-Straße_2.0")).toEqual(["ntddndis", "h", "ipv6", "cafe", "strasse", "2", "0"]);
  expect(wordsOf("ΣΊΣΥΦΟΣ Ёлка ﬁne Ⅷ ½ İstanbul ılık Đặng Łódź")).toEqual(
    ["σισυφοσ", "елка", "fine", "viii", "12", "istanbul", "ilik", "dang", "lodz"], // biome-ignore format: a short list
  );
  expect(wordsOf("?! … 🎉 ™ \n")).toEqual([]);
  expect(wordsOf("pass\u00adword")).toEqual(["password"]);
});

test("a word of ASCII may continue in other letters, and ends at anything else", () => {
  expect(wordsOf("")).toEqual([]);
  expect(wordsOf("abcdé abcd—efgh snake_case x")).toEqual(["abcde", "abcd", "efgh", "snake", "case", "x"]);
  expect(wordsOf("lʼeau dʼ\ud800x\udc00y😀z")).toEqual(["l", "eau", "d", "x", "y", "z"]);
  const [one, other] = [wordsIn("né à côté"), wordsIn("für über")];
  const inTurns = [one, other, one, other, one].map((words) => words.next().value?.folded);
  expect(inTurns).toEqual(["ne", "fur", "a", "uber", "cote"]);
});

test("marks that help reading are left out; vowels of scripts that write them as marks stay", () => {
  expect(wordsOf("שָׁלוֹם مُحَمَّد كـتـاب")).toEqual(["שלום", "محمد", "كتاب"]);
  expect(wordsOf("أحمد إدارة آخر على مكتبة")).toEqual(["احمد", "اداره", "اخر", "علي", "مكتبه"]);
  expect(wordsOf("हिन्दी")).toEqual(["हिन्दी"]);
  expect(wordsOf("비밀번호")).toEqual(["비밀번호"]);
  expect(wordsOf("バス パス")).toEqual(["バス", "パス"]);
});

test("the article of Arabic is no part of its word", () => {
  expect(wordsOf("المستخدم مستخدم والمستخدم للمستخدم")).toEqual(["مستخدم", "مستخدم", "مستخدم", "مستخدم"]);
});

test("a script without blanks is a word of its own wherever it meets another", () => {
  const words = Array.from(wordsIn("APIキーのパスワードを変更する"), ({ folded, dense, start, end }) => [
    folded,
    dense,
    start,
    end,
  ]);
  expect(words).toEqual([
    ["api", false, 0, 3],
    ["キー", true, 3, 5],
    ["の", true, 5, 6],
    ["パスワード", true, 6, 11],
    ["を", true, 11, 12],
    ["変更", true, 12, 14],
    ["する", true, 14, 16],
  ]);
  expect(pairsOf("検索機能")).toEqual(["検索", "索機", "機能"]);
  expect(pairsOf("検")).toEqual(["検"]);
});

test("words know what joins them to the one before", () => {
  const glue = (text: string) => Array.from(wordsIn(text), (word) => word.glue);
  expect(glue("e-mail l'eau l’eau a - b a--b")).toEqual(
    [null, "hyphen", null, "apostrophe", null, "apostrophe", null, null, null, null], // biome-ignore format: a short list
  );
});

test("parts of a word begin at humps and between letters and digits", () => {
  const rests = (word: string) => partsOf(word).later.map(({ rest }) => rest);
  expect(rests("DispatchCreateClose")).toEqual(["createclose", "close"]);
  expect(rests("XMLHttpRequest")).toEqual(["httprequest", "request"]);
  expect(rests("ipv6")).toEqual(["6"]);
  expect(rests("0x197")).toEqual(["x197", "197"]);
  expect(rests("password")).toEqual([]);
  expect(partsOf("DispatchCreate")).toEqual({
    first: "dispatch",
    later: [{ start: 8, rest: "create", part: "create" }],
  });
});

test("nothing but letters, marks and digits is left of a word, whatever it came apart into", () => {
  expect(wordsOf("⒈ ⑴ 🄀 aﹰ ﹰ ͺ")).toEqual(["1", "1", "0", "a"]);
});

test("a word is the same composed and not, in a circle and not, with the article of Arabic and without", () => {
  expect(wordsOf("ハ\u309aスワード")).toEqual(["パスワード"]);
  expect(Array.from(wordsIn("㊀㊁㊂"), ({ folded, dense }) => [folded, dense])).toEqual([["一二三", true]]);
  expect(wordsOf("الألمانية ألمانية")).toEqual(["مانيه", "مانيه"]);
});
