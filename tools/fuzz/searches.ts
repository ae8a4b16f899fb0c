import type { Draw } from "./draw";
import { aText, operators, words } from "./texts";

/** Text that is hard to segment or normalize: every script, and marks and joiners in wrong positions. */
export const pieces = [
  // Latin, Greek, Cyrillic.
  "Ångström", "Łódź", "Đặng", "ĲSSEL", "ŉgoma", "ǆ", "ﬃ", "ſtraße", "ẞ", "e\u0301e\u0301", "Å\u030a", "ΐ", "ᾅδω", "ὈΔΥΣΣΕΎΣ", "ͺ", "Щи", "ѯ",
  // Arabic, Hebrew, Syriac and their marks, and characters that compatibility decomposition splits into words or a blank.
  "مُحَمَّد", "الألمانية", "ألمانية", "والمستخدم", "لل", "ال", "كـتـاب", "ﷺ", "ﹰ", "ﻻ", "۱۲۳", "שָׁלוֹם", "ב־ה", "ܫܠܡܐ", "ދިވެހި",
  // Scripts with vowel marks, and scripts without blanks.
  "हिन्दी", "क्षत्रिय", "বাংলা", "কো", "தமிழ்", "క్ష", "ಕನ್ನಡ", "മലയാളം", "ਪੰਜਾਬੀ", "සිංහල", "ภาษาไทย", "น้ำ", "ำ", "ພາສາລາວ", "ໜຳ",
  "ភាសាខ្មែរ", "မြန်မာဘာသာ", "བོད་ཡིག",
  // Georgian, Armenian, Ethiopic, Cherokee and others.
  "ქართული", "ᲥᲐᲠᲗᲣᲚᲘ", "և", "Հայերեն", "አማርኛ", "ⴰⵎⴰⵣⵉⵖ", "ᏣᎳᎩ", "ᓀᐦᐃᔭᐍᐏᐣ", "ᠮᠣᠩᠭᠣᠯ", "ꦗꦮ", "ꆈꌠ",
  // Han, kana and Hangul: full and half width, composed and decomposed, and in circles.
  "検索機能", "全文検索", "人々", "〆切", "〇", "豈", "𠀀𠮷", "パスワード", "ﾊﾟｽﾜｰﾄﾞ", "ハ\u309aス", "ﾞ", "か\u3099", "らーめん", "の", "を", "ヷ", "ㄅㄆㄇ",
  "비밀번호", "\u1107\u1175\u1106\u1175", "ㅂㅣ", "ﾡ", "㊀", "㊀㊁㊂", "㈠", "ＡＢＣ", "ｅ－ｍａｉｌ", "①②", "⑴", "⒈", "🄀", "Ⅷ", "½", "x²", "❶", "٣٤٥",
  // Beyond the Basic Multilingual Plane.
  "𝔐𝔞𝔱𝔥", "𝒻𝟙𝟚", "ℵ", "K", "𐌲𐌿𐍄", "𐐔𐐯𐑅", "𒀀𒁹", "𓀀", "𐍈", "🎉", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪🇫🇷", "✌🏽", "1️⃣", "\u{e0061}",
  // Marks alone, joiners, direction marks, and noncharacters.
  "\u0301", "\u093f", "\u20dd", "\u0300\u0316\u0301\u0317", "a\u0345", "pass\u00adword", "\u00ad", "a\u200db", "می\u200cخواهم", "\u200d", "\u200c",
  "\u202ecba\u202c", "\u2066x\u2069", "\ufeffbom", "\u2060", "\u034f", "\u115f", "\u3164", "\ufffd", "\ufffe", "\u0001", "a\u0085b",
  // Identifiers, versions, chains.
  "DispatchCreateClose", "XMLHttpRequest", "IPv6", "0x197", "v2.0.1-rc.3", "1.2.3.4", "a1b2c3d4e5f6g7h8i9", "aB", "node.js", "C++", "e-mail",
  "e‐mail", "eMail", "mail", "email", "l’eau", "rock'n'roll", "a-b-c-d-e", "a'b'c'd", "-a-", "'a'", "s", "e", "O'Brien-Smith’s",
]; // biome-ignore format: a list of pieces reads best as lines

const glue = [
  "",
  "",
  " ",
  " ",
  " ",
  "-",
  "'",
  "’",
  "\u2011",
  "\u05be",
  ".",
  "_",
  "/",
  "\n",
  "\u3000",
  "\u200d",
  "\u00ad",
  " & ",
];

/** A text of several pieces, for titles and searches alike. */
export function aMixture(draw: Draw, most: number): string {
  let text = draw.pick(pieces);
  for (let count = draw.int(0, most - 1); count > 0; count--) text += draw.pick(glue) + draw.pick(pieces);
  return text;
}

/** A search designed to fail, of any length, without NUL and lone surrogates, which no URL can carry. */
export function aSearchText(draw: Draw): string {
  return Buffer.from(anyText(draw)).toString();
}

function anyText(draw: Draw): string {
  const letter = () => draw.pick([...draw.pick(pieces)]);
  const shapes: (() => string)[] = [
    () => aMixture(draw, 1),
    () => aMixture(draw, 3),
    () => aMixture(draw, 12),
    () => aText(draw),
    () => draw.some([...pieces, ...words, ...operators], 2, 8).join(draw.pick(glue)),
    () => `${draw.pick(pieces)}${draw.pick(operators)}${draw.pick(pieces)}`,
    // One letter repeated up to the maximum length, and one-letter words.
    () => letter().repeat(draw.int(1, 200)).slice(0, 200),
    () => Array.from({ length: 100 }, letter).join(draw.pick([" ", "-", "'"])).slice(0, 200),
    // Chains, camel case and many marks.
    () => draw.pick(["a-", "b'", "ab-", "a’", "'", "-", "aB", "Ab", "a1", "1.", "A\u0301b", "の ", "ab cd-"]).repeat(100).slice(0, 200),
    () => `${letter()}${draw.some(["\u0301", "\u0316", "\u0345", "\u093f", "\u3099"], 1, 5).join("").repeat(60)}${draw.pick(["", "1", "B"])}`.slice(0, 200),
    () => Array.from({ length: draw.int(1, 24) }, () => letter()).join(""),
    // Existing words with a typo.
    () => misspelled(draw, draw.pick(words)),
    () => misspelled(draw, draw.pick(words)) + draw.pick(glue) + misspelled(draw, draw.pick(pieces)),
    () => `${misspelled(draw, draw.pick(words)).slice(0, 20)} `.repeat(12).slice(0, 200),
  ]; // biome-ignore format: a line for each shape
  // Too long for a search, or for a URL.
  if (draw.chance(0.03)) return letter().repeat(draw.int(201, 400));
  if (draw.chance(0.03))
    return draw
      .pick(shapes)()
      .padEnd(10_000, draw.pick(["a", "é", "検", "a ", "a-", "aB", "🎉", "e\u0301"]));
  return draw.pick(shapes)();
}

/** One letter omitted, doubled, swapped with its neighbor, or replaced. */
function misspelled(draw: Draw, word: string): string {
  const letters = [...word];
  const at = draw.int(0, letters.length - 1);
  const [letter = "", next = ""] = letters.slice(at);
  const instead = draw.pick([[next], [letter, letter, next], [next, letter], ["x", next], [letter, " ", next]]);
  return [...letters.slice(0, at), ...instead, ...letters.slice(at + 2)].join("");
}
