/**
 * One word of a text. Splitting is ours and not the database's, whose parser keeps hosts, files and hyphenated compounds
 * as one token and whose idea of a letter depends on its locale.
 */
export interface Word {
  /** Where it stands in the text that was given, in UTF-16 units. */
  start: number;
  end: number;
  /** Without case and accents. */
  folded: string;
  /**
   * Of a script that writes no blanks between words (Chinese, Japanese, Thai …), or glues its particles to them (Korean):
   * found by its pairs of characters.
   */
  dense: boolean;
  /** A hyphen or an apostrophe, and nothing else, stands between this word and the one before. */
  glue: "hyphen" | "apostrophe" | null;
}

/** A part of a word that a prefix may begin at: `Create` of `DispatchCreate`, `6` of `IPv6`. */
export interface Part {
  start: number;
  /** The word from here on, folded. */
  rest: string;
  /** This part alone, folded. */
  part: string;
}

/**
 * Letters, marks and digits; soft hyphens and joiners are in the middle of words and are no letters. The letter ʼ is an
 * apostrophe to those who type it.
 */
const RUNS = new RegExp("[[\\p{L}\\p{M}\\p{N}\\u00ad\\u200c\\u200d]--[\\u02bc]]+", "gv");

/** Scripts of dense words, each a run of its own: where kanji become kana or hangul, a word ends too. */
const DENSE =
  /[\p{Script=Han}々〆㆒-㆕㈠-㈩㊀-㊉]+|[\p{Script=Hiragana}\u3099\u309a]+|[\p{Script=Katakana}ー\u3099\u309a\uff66-\uff9f]+|\p{Script=Hangul}+|[\p{Script=Thai}]+|\p{Script=Lao}+|\p{Script=Khmer}+|\p{Script=Myanmar}+/gu;

/** The words of a text, in order. A text of ASCII alone costs about a microsecond a word. */
export function* wordsIn(text: string): Generator<Word> {
  let end = -1;
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    let glue = glueAt(text, end, index);
    for (const { 0: piece, at, dense } of segments(run)) {
      const folded = foldWord(piece);
      if (folded === "") continue;
      yield { start: index + at, end: index + at + piece.length, folded, dense, glue };
      glue = null;
    }
    end = index + run.length;
  }
}

/** The words of a text, folded, in order: what a text says, whatever its case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  return Array.from(wordsIn(text), ({ folded }) => folded);
}

function glueAt(text: string, end: number, start: number): Word["glue"] {
  if (end < 0 || start - end !== 1) return null;
  if (/[-\u2010\u2011\u05be]/.test(text[end] as string)) return "hyphen";
  return /['’ʼ]/.test(text[end] as string) ? "apostrophe" : null;
}

const ASCII = /^[\0-\x7f]*$/;

function* segments(run: string): Generator<{ 0: string; at: number; dense: boolean }> {
  let done = 0;
  if (!ASCII.test(run)) {
    for (const { 0: piece, index } of run.matchAll(DENSE)) {
      if (index > done) yield { 0: run.slice(done, index), at: done, dense: false };
      yield { 0: piece, at: index, dense: true };
      done = index + piece.length;
    }
  }
  if (done < run.length) yield { 0: run.slice(done), at: done, dense: false };
}

/**
 * Where a word's next part begins: between letters and digits, before a capital that begins a hump. What follows is asked
 * first: looking back over a heap of marks from each of them would take the square of their number.
 */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?=\p{N})(?<=\p{L}\p{M}*)|(?<=\p{N})(?=\p{L})/u;
/** The most parts of one word that count. */
const MOST_PARTS = 8;

/** The parts of a word as it is written, the first left out: a prefix of the word finds that. */
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

/** The pairs of neighbouring characters of a dense word; of one character, that one. */
export function pairsOf(folded: string): string[] {
  const characters = [...folded];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Accents of Latin, Greek and Cyrillic, points of Hebrew, signs of Arabic: they help reading. Vowels of other scripts stay. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u200c\u200d]+/g;

/** Letters that Unicode does not take apart, and those that people write in place of each other. */
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

/** More marks on one letter than any writing has: normalizing puts them in order one by one, which is slow for thousands. */
const HEAPS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** A text without case, accents, compatibility forms, and the marks that only help reading. */
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

/** The article of Arabic, with what is written onto it; of "الألمانية" also what looks like one, as it does without. */
const ARTICLES = /^(?:(?:[وفبك]?ال|لل)(?=\p{Script=Arabic}{2}))+/u;

/** A word, folded: also without what is written onto Arabic words (the article, and what stands before it). */
function foldWord(written: string): string {
  const folded = fold(written);
  if (/^[a-z0-9]*$/.test(folded)) return folded;
  // "½" and "⒈" came apart into digits and a sign, "ŉ" into an apostrophe, letters of Arabic and Greek into a blank.
  return folded.replace(/[^\p{L}\p{M}\p{N}]+|\u02bc/gu, "").replace(ARTICLES, "");
}
