/** Words are split here, because PostgreSQL's parser keeps hosts and compounds whole and depends on the locale. */
export interface Word {
  /** In UTF-16 units. */
  start: number;
  end: number;
  folded: string;
  /** In scripts without blanks (Chinese, Thai …) or with glued particles (Korean), words are found by pairs of characters. */
  dense: boolean;
  /** The only character between this word and the one before. */
  glue: "hyphen" | "apostrophe" | null;
}

/** A part that a prefix may match: `Create` in `DispatchCreate`, `6` in `IPv6`. */
export interface Part {
  start: number;
  /** Folded, to the end of the word. */
  rest: string;
  part: string;
}

/** Soft hyphens and joiners belong to words. The letter ʼ is typed as an apostrophe. */
const RUNS = new RegExp("[[\\p{L}\\p{M}\\p{N}\\u00ad\\u200c\\u200d]--[\\u02bc]]+", "gv");

const DENSE =
  /[\p{Script=Han}々〆㆒-㆕㈠-㈩㊀-㊉]+|[\p{Script=Hiragana}\u3099\u309a]+|[\p{Script=Katakana}ー\u3099\u309a\uff66-\uff9f]+|\p{Script=Hangul}+|[\p{Script=Thai}]+|\p{Script=Lao}+|\p{Script=Khmer}+|\p{Script=Myanmar}+/gu;

const OTHER = 1;
const OF_WORDS = 2;
/** Undefined for other characters, and at the end of a text. */
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? OF_WORDS : OTHER,
);

export function* wordsIn(text: string): Generator<Word> {
  for (let start = 0, end = 0, last = -1; ; last = end) {
    // Most words are ASCII, and the regular expression is slow.
    for (start = end; ASCII_KINDS[text.charCodeAt(start)] === OTHER; ) start++;
    for (end = start; ASCII_KINDS[text.charCodeAt(end)] === OF_WORDS; ) end++;
    const isAtEnd = end === text.length;
    let isAscii = end > start && (isAtEnd || ASCII_KINDS[text.charCodeAt(end)] === OTHER);
    if (!isAscii) {
      RUNS.lastIndex = start;
      const match = RUNS.exec(text);
      if (!match) return;
      start = match.index;
      end = RUNS.lastIndex;
      isAscii = ASCII.test(match[0]);
    }
    const run = text.slice(start, end);
    let glue = last < 0 ? null : glueBetween(text, last, start);
    if (isAscii) {
      yield { start, end, folded: run.toLowerCase(), dense: false, glue };
      continue;
    }
    for (const { 0: piece, at, dense } of segments(run)) {
      const folded = foldWord(piece);
      if (folded === "") continue;
      yield { start: start + at, end: start + at + piece.length, folded, dense, glue };
      glue = null;
    }
  }
}

export function wordsOf(text: string): string[] {
  return Array.from(wordsIn(text), ({ folded }) => folded);
}

function glueBetween(text: string, end: number, start: number): Word["glue"] {
  const between = text[end] as string;
  if (start - end !== 1) return null;
  if ("-\u2010\u2011\u05be".includes(between)) return "hyphen";
  return "'’ʼ".includes(between) ? "apostrophe" : null;
}

const ASCII = /^[\0-\x7f]*$/;

function* segments(run: string): Generator<{ 0: string; at: number; dense: boolean }> {
  let done = 0;
  for (const { 0: piece, index } of run.matchAll(DENSE)) {
    if (index > done) yield { 0: run.slice(done, index), at: done, dense: false };
    yield { 0: piece, at: index, dense: true };
    done = index + piece.length;
  }
  if (done < run.length) yield { 0: run.slice(done), at: done, dense: false };
}

/** Lookaheads come first: looking back over thousands of marks from each of them would be quadratic. */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?=\p{N})(?<=\p{L}\p{M}*)|(?<=\p{N})(?=\p{L})/u;
const MOST_PARTS = 8;

export function partsOf(written: string): { first: string; later: Part[] } {
  if (/^[a-z]*$/.test(written)) return { first: written, later: [] };
  const pieces = written.split(SEAMS, MOST_PARTS);
  const later: Part[] = [];
  let start = pieces[0]?.length ?? 0;
  for (const piece of pieces.slice(1)) {
    later.push({ start, rest: foldWord(written.slice(start)), part: foldWord(piece) });
    start += piece.length;
  }
  return { first: foldWord(pieces[0] ?? ""), later };
}

export function pairsOf(folded: string): string[] {
  const characters = [...folded];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Marks that only help reading: accents, Hebrew points, Arabic signs. Vowels of other scripts stay. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u200c\u200d]+/g;

/** Letters that Unicode does not decompose, and variants that people mix. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Normalizing thousands of marks on one letter is slow. */
const HEAPS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(HEAPS, "$1")
    .normalize("NFKD")
    .replace(MARKS, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(FOLDED, (letter) => LETTERS[letter] ?? letter);
}

/** The Arabic article with its prefixes. A word that only looks like it is cut alike in documents and queries. */
const ARTICLES = /^(?:(?:[وفبك]?ال|لل)(?=\p{Script=Arabic}{2}))+/u;

function foldWord(written: string): string {
  const folded = fold(written);
  if (/^[a-z0-9]*$/.test(folded)) return folded;
  // Decomposition leaves signs in "½", "⒈" and "ŉ", and blanks in some Arabic and Greek letters.
  return folded.replace(/[^\p{L}\p{M}\p{N}]+|\u02bc/gu, "").replace(ARTICLES, "");
}
