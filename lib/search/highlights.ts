import { isSmallWord } from "./small-words";
import { candidatesFor, spansWith } from "./spans";
import { pairsOf, partsOf, type Word, wordsIn } from "./words";

const OPEN = '<span class="article-matched-tag">';
const CLOSE = "</span>";
/** Characters of a fragment (contract 3). */
const FRAGMENT = 300;
/** Characters before a hit in the middle of a long sentence. */
const BEFORE = 40;
const MOST_HITS = 500;

/** Words of at most this many letters only mark whole words when the search has longer ones. */
const SHORT = 2;

export interface Sought {
  folded: string;
  dense: boolean;
  group: number;
  /** A rarer word weighs more. 1 when omitted. */
  weight?: number;
}

interface Hit {
  start: number;
  end: number;
  group: number;
  weight: number;
}

export interface Fragment {
  html: string;
  /** Different words in the densest piece, and whether these are all. */
  found: number;
  isComplete: boolean;
  /** Where the densest piece begins in the text. */
  at: number;
}

/** The whole text as HTML with hits wrapped (contract 3), or null without a hit. */
export function highlight(text: string, words: readonly Sought[]): string | null {
  const hits = [...hitsIn(text, markingOf(words))];
  return hits.length > 0 ? wrap(text, 0, text.length, hits) : null;
}

/** How many different words of the search each of the lines has. */
export function foundIn(lines: readonly string[], words: readonly Sought[]): number[] {
  const groups = lines.map(() => new Set<number>());
  let [line, end] = [0, lines[0]?.length ?? 0];
  for (const hit of hitsIn(lines.join("\n"), markingOf(words))) {
    while (hit.start > end) end += 1 + (lines[++line] as string).length;
    groups[line]?.add(hit.group);
  }
  return groups.map(({ size }) => size);
}

/**
 * The passage around the densest hit as HTML (contract 3): the piece whose different words weigh most, then the shortest, in whole
 * sentences where they fit. Null without a hit.
 */
export function fragment(text: string, words: readonly Sought[]): Fragment | null {
  const marking = markingOf(words);
  const hits: Hit[] = [];
  let best: { start: number; end: number; found: number; weight: number } | null = null;
  for (const hit of hitsIn(text, marking)) {
    hits.push(hit);
    const found = new Set<number>();
    let weight = 0;
    // The shortest piece that ends at the newest hit, for each number of words.
    for (let index = hits.length - 1; index >= 0; index--) {
      const { start, group, weight: more } = hits[index] as Hit;
      if (index < hits.length - 1 && hit.end - start > FRAGMENT - BEFORE) break;
      if (found.has(group)) continue;
      found.add(group);
      weight += more;
      const isShorter = best && weight === best.weight && hit.end - start < best.end - best.start;
      if (!best || weight > best.weight || isShorter) best = { start, end: hit.end, found: found.size, weight };
    }
    if (hits.length >= MOST_HITS) break;
    if (best && best.found === marking.groups && best.end - best.start <= marking.length) break;
  }
  if (!best) return null;
  const [start, end] = passageAround(text, best);
  // The search stopped before the end of the piece.
  const last = hits.at(-1)?.end ?? 0;
  for (const hit of hitsIn(text.slice(last, end), marking)) {
    hits.push({ ...hit, start: hit.start + last, end: hit.end + last });
  }
  const { found } = best;
  return { html: wrap(text, start, end, hits), found, isComplete: found === marking.groups, at: best.start };
}

interface Marking {
  /** Of `plain`. */
  candidates: RegExp;
  plain: (Sought & { whole: boolean })[];
  pairs: { pair: string; group: number; weight: number }[];
  groups: number;
  length: number;
  /** Whether a word of the text stays unmarked although the search has its beginning. */
  isPassedOver: (folded: string) => boolean;
}

/** Cached because one search marks many texts. */
const markings = new WeakMap<readonly Sought[], Marking>();

function markingOf(words: readonly Sought[]): Marking {
  const known = markings.get(words);
  if (known) return known;
  const marking = newMarking(words);
  markings.set(words, marking);
  return marking;
}

/** Small words count only when there are no others, and a search of one word marks everything that begins with it. */
function newMarking(words: readonly Sought[]): Marking {
  const telling = words.filter(({ folded, dense }) => dense || !isSmallWord(folded));
  const meant = telling.length > 0 ? telling : words;
  const typed = new Set(meant.map(({ folded }) => folded));
  const isOnlyWord = new Set(words.map(({ folded }) => folded)).size === 1;
  const isLong = ({ folded, dense }: Sought) => dense || folded.length > SHORT;
  const hasLong = !isOnlyWord && meant.some(isLong);
  const plain = meant
    .filter(({ dense }) => !dense)
    .map((word) => ({ ...word, whole: hasLong && !isLong(word) }))
    // "install" must win over "in".
    .sort((a, b) => b.folded.length - a.folded.length);
  const pairs = meant.flatMap(({ folded, dense, group, weight = 1 }) =>
    dense ? pairsOf(folded).map((pair) => ({ pair, group, weight })) : [],
  );
  return {
    candidates: candidatesFor(plain.map(({ folded }) => folded)),
    plain,
    pairs,
    groups: new Set(meant.map(({ group }) => group)).size,
    length: meant.reduce((length, { folded }) => length + folded.length + 1, 0),
    isPassedOver: (folded) => !isOnlyWord && isSmallWord(folded) && !typed.has(folded),
  };
}

function matchesWord(folded: string, sought: Marking["plain"][number]): boolean {
  return sought.whole ? folded === sought.folded : folded.startsWith(sought.folded);
}

function markedBy({ plain, isPassedOver }: Marking, folded: string): { group: number; weight: number } | null {
  const word = plain.find((sought) => matchesWord(folded, sought));
  return word && !isPassedOver(folded) ? { group: word.group, weight: word.weight ?? 1 } : null;
}

function* hitsIn(text: string, marking: Marking): Generator<Hit> {
  for (const [from, to] of spansWith(text, marking.candidates)) {
    const piece = text.slice(from, to);
    if (/^[A-Za-z][a-z]*$/.test(piece)) {
      const found = markedBy(marking, piece.toLowerCase());
      if (found) yield { start: from, end: to, ...found };
      continue;
    }
    for (const hit of hitsInSpan(piece, marking)) {
      yield { ...hit, start: hit.start + from, end: hit.end + from };
    }
  }
}

function* hitsInSpan(text: string, marking: Marking): Generator<Hit> {
  let compound: Word[] = [];
  for (const word of wordsIn(text)) {
    if (word.dense) {
      compound = [];
      yield* denseHits(word, marking.pairs);
      continue;
    }
    compound = word.glue ? [...compound.slice(-2), word] : [word];
    const whole = markedBy(marking, word.folded);
    if (whole) {
      yield { start: word.start, end: word.end, ...whole };
      continue;
    }
    const inner = innerHit(text, word, marking);
    if (inner) {
      yield inner;
      continue;
    }
    const glued = gluedHit(compound, marking);
    if (glued) yield glued;
  }
}

function innerHit(text: string, { start, end }: Word, marking: Marking): Hit | null {
  for (const part of partsOf(text.slice(start, end)).later) {
    const found = markedBy(marking, part.rest);
    if (found) return { start: start + part.start, end, ...found };
  }
  return null;
}

/** Finds "e-mail" for email. */
function gluedHit(compound: readonly Word[], { plain }: Marking): Hit | null {
  const end = compound.at(-1)?.end ?? 0;
  for (const [index, { start }] of compound.slice(0, -1).entries()) {
    const pieces = compound.slice(index).map(({ folded }) => folded);
    const [joined, without] = [pieces.join(""), pieces.slice(0, -1).join("")];
    const over = plain.find((sought) => matchesWord(joined, sought) && sought.folded.length > without.length);
    if (over) return { start, end, group: over.group, weight: over.weight ?? 1 };
  }
  return null;
}

function* denseHits({ start, end, folded }: Word, pairs: Marking["pairs"]): Generator<Hit> {
  // When folding changed the length, only the whole word can be marked.
  const exact = folded.length === end - start;
  let hit: Hit | null = null;
  for (let at = 0; at < folded.length; at++) {
    const found = pairs.find(({ pair }) => folded.startsWith(pair, at));
    if (!found) continue;
    const { group, weight, pair } = found;
    const piece = exact
      ? { start: start + at, end: start + at + pair.length, group, weight }
      : { start, end, group, weight };
    if (hit && piece.start <= hit.end && piece.group === hit.group) hit.end = Math.max(hit.end, piece.end);
    else {
      if (hit) yield hit;
      hit = piece;
    }
  }
  if (hit) yield hit;
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** At most 300 characters that hold the piece: from the start of a sentence to the end of one, else between words. */
function passageAround(text: string, piece: { start: number; end: number }): [number, number] {
  if (text.length <= FRAGMENT) return [0, text.length];
  const [from, to] = [Math.max(0, piece.start - FRAGMENT), Math.min(text.length, piece.end + FRAGMENT)];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { segment, index } of sentences.segment(text.slice(from, to))) {
    const sentence = segment.trim();
    const start = from + index + segment.indexOf(sentence);
    // The first and the last may be cut.
    if (index > 0 || from === 0) starts.push(start);
    if (index + segment.length < to - from || to === text.length) ends.push(start + sentence.length);
  }
  const fitting = starts.filter((start) => start <= piece.start && piece.end - start <= FRAGMENT);
  const start =
    fitting.find((start) => text.length - start <= FRAGMENT) ?? fitting.at(-1) ?? wordStart(text, piece.start);
  if (text.length - start <= FRAGMENT) return [start, text.length];
  const end = ends.findLast((end) => end >= piece.end && end - start <= FRAGMENT);
  return [start, end ?? wordEnd(text, start, piece.end)];
}

function wordStart(text: string, hit: number): number {
  const start = Math.min(Math.max(0, hit - BEFORE), Math.max(0, text.length - FRAGMENT));
  if (start === 0) return 0;
  const space = text.slice(start, hit).search(/\s/);
  return space >= 0 ? start + space + 1 : hit;
}

function wordEnd(text: string, start: number, hit: number): number {
  const end = start + FRAGMENT;
  const space = text.slice(start, end + 1).search(/\s\S*$/);
  if (space > 0 && start + space >= hit) return start + space;
  return /^[\udc00-\udfff]/.test(text[end] as string) ? end - 1 : end;
}

function wrap(text: string, start: number, end: number, hits: readonly Hit[]): string {
  const marks: { from: number; to: number }[] = [];
  for (const hit of hits) {
    const [from, to] = [Math.max(hit.start, start), Math.min(hit.end, end)];
    if (from >= to) continue;
    // "e-mail" and its "e" may both be hits.
    const before = marks.at(-1);
    if (before && from < before.to) before.to = Math.max(before.to, to);
    else marks.push({ from, to });
  }
  let html = "";
  let done = start;
  for (const { from, to } of marks) {
    html += escape(text.slice(done, from)) + OPEN + escape(text.slice(from, to)) + CLOSE;
    done = to;
  }
  return (html + escape(text.slice(done, end))).replace(/\s+/g, " ").trim();
}

export function asMarks(html: string): string {
  return html.replaceAll(OPEN, "<mark>").replaceAll(CLOSE, "</mark>");
}

export function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
