/** A character that is not ASCII and may be of a word: it may fold into anything. */
const BEYOND_ASCII = "[\\u00aa-\\u1fff\\u200c\\u200d\\u2070-\\u27bf\\u2c00-\\udfff\\uf900-\\uffef]";
const LETTER = /[\p{L}\p{M}\p{N}\u00ad\u200c\u200d\ud800-\udfff]/u;
const GLUE = /[-'’ʼ\u2010\u2011\u05be]/;
/** So much of a word is enough to tell what to look at more closely; of thousands no expression can be made. */
const LOOKED_FOR = 30;
const GLUED = `${GLUE.source}?`;

/**
 * The pieces of a text in which a word may begin with one of some words: what is certain not to is passed over at the
 * speed of a regular expression, and the rest is for wordsIn. Words that a hyphen or apostrophe joins are one piece; all
 * that is not ASCII is in.
 * @param beginnings folded
 * @returns [start, end) in UTF-16 units
 */
export function* spansWith(text: string, beginnings: readonly string[]): Generator<[number, number]> {
  const patterns = beginnings
    .filter((word) => /^[a-z0-9]+$/.test(word))
    .map((word) => [...word.slice(0, LOOKED_FOR)].join(GLUED));
  const candidates = new RegExp([...patterns, BEYOND_ASCII].join("|"), "gi");
  for (let match = candidates.exec(text); match; match = candidates.exec(text)) {
    let start = match.index;
    let end = candidates.lastIndex;
    while (start > 0 && isInside(text, start - 1)) start--;
    while (end < text.length && isInside(text, end)) end++;
    candidates.lastIndex = end;
    yield [start, end];
  }
}

/** Whether a character is of a word, or between two that are. */
function isInside(text: string, at: number): boolean {
  const character = text[at] as string;
  if (LETTER.test(character)) return true;
  return GLUE.test(character) && LETTER.test(text[at - 1] ?? "") && LETTER.test(text[at + 1] ?? "");
}
