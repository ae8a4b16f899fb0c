/** Non-ASCII characters may fold into any letter. */
const BEYOND_ASCII = "[\\u00aa-\\u1fff\\u200c\\u200d\\u2070-\\u27bf\\u2c00-\\udfff\\uf900-\\uffef]";
const LETTER = /[\p{L}\p{M}\p{N}\u00ad\u200c\u200d\ud800-\udfff]/u;
const GLUE = /[-'’ʼ\u2010\u2011\u05be]/;
/** Long enough to preselect. A thousand characters would break the regular expression. */
const LOOKED_FOR = 30;
const GLUED = `${GLUE.source}?`;

/**
 * Preselects pieces for wordsIn: [start, end) of what may have a word with one of these folded beginnings. Hyphens and
 * apostrophes join a piece.
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

function isInside(text: string, at: number): boolean {
  const character = text[at] as string;
  if (LETTER.test(character)) return true;
  return GLUE.test(character) && LETTER.test(text[at - 1] ?? "") && LETTER.test(text[at + 1] ?? "");
}
