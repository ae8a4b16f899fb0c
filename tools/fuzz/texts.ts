import type { Draw } from "./draw";

/** Words in many scripts. The articles of a throwaway workspace contain them too. */
export const words = [
  "password", "Straße", "naïve", "café", "cafe\u0301", "İstanbul", "ﬁnance", "пароль", "Ёлка", "σίσυφος", "Ωμέγα", "მოგზაური",
  "հայերեն", "كلمة", "مرحبا", "שלום", "סיסמה", "हिन्दी", "क्षत्रिय", "ภาษาไทย", "ລາວ", "မြန်မာ", "ភាសាខ្មែរ", "བོད་ཡིག", "日本語",
  "パスワード", "ひらがな", "密码", "密碼", "𠀀𠮷", "비밀번호", "Ⅷ", "①②", "٣٤٥", "１２３", "e-mail", "IPv6", "v2.0", "C++",
  "naïveté", "Ǆungla", "ß", "ÅÄÖ", "ꙮ", "𝓯𝓪𝓷𝓬𝔂", "🎉", "👩‍👩‍👧‍👦", "🇩🇪", "✌🏽",
]; // biome-ignore format: a word list reads best as lines

/** Texts with a meaning in queries, markup, paths and programs. */
export const operators = [
  "&", "|", "!", "& |", "a & b", "a | b", "!a", "!!a", "a <-> b", "a <2> b", "'a':*", "a:*", ":*", ":*AB", "a:A", "(a", "a)", "((",
  "'", "''", "'''", "\"", "\\", "\\'", "%", "_", "a%b", "*", "\"a b\"", "-a", "a OR b", "a AND NOT b", "$1", "$$", "::text", "; --",
  "'; DROP TABLE articles; --", "' OR '1'='1", "1' UNION SELECT NULL--", "\\x00", "E'\\\\'", "to_tsquery('a')", "pg_sleep(10)",
  "<script>alert(1)</script>", "<span class=\"article-matched-tag\">", "&lt;", "&amp;#x27;", "]]>", "<!--", "{{7*7}}", "${7*7}",
  "#{7*7}", "%s%n", "%d", "../../etc/passwd", "..\\..", "/", "//", "?", "#", "a=b&c=d", "a;b", "a,b", "[]", "[a]", "{}", "null",
  "undefined", "true", "NaN", "Infinity", "-1", "0", "1e3", "__proto__", "constructor", "toString", "hasOwnProperty", "`id`", "$(id)",
  "\r\nX-Injected: 1", "\n", "\t", "a\u0001b", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\ufeff", "\u200b", "a\u200db", "\u202eabc",
  "\u00a0", "\u3000", "\uffff", "\ufdd0", "\u{10ffff}", "\u{e0041}", "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
]; // biome-ignore format: a word list reads best as lines

/** A difficult but valid text: without NUL and lone surrogates. */
export function aText(draw: Draw, most = 200): string {
  const text = draw.pick([
    () => draw.pick(words),
    () => draw.pick(operators),
    () => draw.some([...words, ...operators], 2, 6).join(draw.pick([" ", "", "  ", " & "])),
    () => Array.from({ length: draw.int(1, 12) }, () => aCharacter(draw)).join(""),
    () => draw.pick(words).repeat(draw.int(1, 40)),
    () => `${" ".repeat(draw.int(0, 3))}${draw.pick(words)}${draw.pick(["", " ", "\n", "\u3000"])}`,
    () => "e".padEnd(draw.int(2, 60), "\u0301"),
    () => Array.from({ length: draw.int(11, 60) }, (_, place) => `w${place}`).join(" "),
  ])();
  return [...text].slice(0, most).join("");
}

/** Any Unicode character except NUL and surrogates. */
function aCharacter(draw: Draw): string {
  const [least, most] = draw.pick([
    [0x01, 0x7f],
    [0x80, 0x7ff],
    [0x800, 0xd7ff],
    [0xe000, 0xffff],
    [0x10000, 0x1ffff],
    [0x1f300, 0x1faff],
    [0x20000, 0x10ffff],
  ] as const);
  return String.fromCodePoint(draw.int(least, most));
}

/** Percent-encoded for a query or a path, in one of the ways that mean the same in a query. */
export function encoded(draw: Draw, text: string): string {
  const plain = encodeURIComponent(text);
  return draw.pick([
    () => plain,
    () => plain,
    () => plain.replaceAll("%20", "+"),
    () => plain.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    () => (text.length > 300 ? plain : [...Buffer.from(text)].map(percent).join("")),
    // Characters a query may contain unencoded, though encodeURIComponent encodes them.
    () => plain.replace(/%(2F|3A|40|3F|24|2C|3B|5B|5D|7C|5E|60|7B|7D)/g, decodeURIComponent),
  ])();
}

/** The same for a path segment, where a plus stays a plus and a slash would start another segment. */
export function encodedSegment(draw: Draw, text: string): string {
  const plain = encodeURIComponent(text);
  if (text.length > 300 || /^\.{1,2}$/.test(text) || draw.chance(0.7)) return plain;
  return [...Buffer.from(text)].map(percent).join("");
}

const percent = (byte: number) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`;

/** Pieces of a URL that cannot be decoded, or contain a NUL (contract 30). */
export const undecodable = [
  "%", "%%", "%z", "%zz", "%1", "%u0041", "%ff", "%fe%ff", "%c3", "%c3%28", "%80", "%c0%af", "%c0%80", "%e0%80%af", "%ed%a0%80",
  "%ed%b0%80", "%f4%90%80%80", "%f8%88%80%80%80", "%00", "a%00b", "%00%00", "100%", "%e2%82",
]; // biome-ignore format: a word list reads best as lines
