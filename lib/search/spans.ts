/** Non-ASCII characters may fold into any letter. */
const BEYOND_ASCII = "[\\u00aa-\\u1fff\\u200c\\u200d\\u2070-\\u27bf\\u2c00-\\udfff\\uf900-\\uffef]";
const LETTER = /[\p{L}\p{M}\p{N}\u00ad\u200c\u200d\ud800-\udfff]/u;
// Escaped, because a single such character doubles the memory that V8 needs for the whole bundle.
const GLUE = /[-'\u2019\u02bc\u2010\u2011\u05be]/;
/** Long enough to preselect. A thousand characters would break the regular expression. */
const LOOKED_FOR = 30;
const GLUED = `${GLUE.source}?`;

/** For spansWith. Building it can take longer than searching a short text. */
export function candidatesFor(beginnings: readonly string[]): RegExp {
  const patterns = beginnings
    .filter((word) => /^[a-z0-9]+$/.test(word))
    .map((word) => [...word.slice(0, LOOKED_FOR)].join(GLUED));
  return new RegExp([...patterns, BEYOND_ASCII].join("|"), "gi");
}

/**
 * Preselects pieces for wordsIn: [start, end) of what may have a word with one of the folded beginnings that the candidates were
 * made for. Hyphens and apostrophes join a piece.
 */
export function* spansWith(text: string, candidates: RegExp): Generator<[number, number]> {
  let end = 0;
  for (;;) {
    // Another text may have been searched since.
    candidates.lastIndex = end;
    const match = candidates.exec(text);
    if (!match) return;
    let start = match.index;
    end = candidates.lastIndex;
    while (start > 0 && isInside(text, start - 1)) start--;
    while (end < text.length && isInside(text, end)) end++;
    yield [start, end];
  }
}

function isInside(text: string, at: number): boolean {
  const character = text[at] as string;
  if (LETTER.test(character)) return true;
  return GLUE.test(character) && LETTER.test(text[at - 1] ?? "") && LETTER.test(text[at + 1] ?? "");
}
