import { spansWith } from "./spans";
import { pairsOf, partsOf, type Word, wordsIn } from "./words";

const OPEN = '<span class="article-matched-tag">';
const CLOSE = "</span>";
/** Characters of a fragment (contract 3). */
const FRAGMENT = 300;
const MOST_HITS = 500;

export interface Sought {
  folded: string;
  dense: boolean;
  group: number;
}

interface Hit {
  start: number;
  end: number;
  group: number;
}

export interface Fragment {
  html: string;
  found: number;
}

/** The whole text as HTML with hits wrapped (contract 3); null without a hit. */
export function highlight(text: string, words: readonly Sought[]): string | null {
  const hits = [...hitsIn(text, words)];
  return hits.length > 0 ? wrap(text, 0, text.length, hits) : null;
}

/** The piece of a text with the most different words, then the closest ones, as HTML (contract 3); null without a hit. */
export function fragment(text: string, words: readonly Sought[]): Fragment | null {
  const hits: Hit[] = [];
  const groups = new Set(words.map(({ group }) => group)).size;
  let best: { hit: Hit; found: number; span: number } | null = null;
  for (const hit of hitsIn(text, words)) {
    hits.push(hit);
    const found = new Set<number>();
    // The shortest piece that ends at the newest hit, for each number of words.
    for (let index = hits.length - 1; index >= 0; index--) {
      const first = hits[index] as Hit;
      if (first !== hit && hit.end - first.start > FRAGMENT - 40) break;
      if (found.has(first.group)) continue;
      found.add(first.group);
      const span = hit.end - first.start;
      if (!best || found.size > best.found || (found.size === best.found && span < best.span)) {
        best = { hit: first, found: found.size, span };
      }
    }
    if (hits.length >= MOST_HITS || (best && best.found === groups && best.span <= lengthOf(words))) break;
  }
  if (!best) return null;
  const [start, end] = windowAround(text, best.hit);
  // The search stopped before the end of the piece.
  const last = hits.at(-1)?.end ?? 0;
  for (const hit of hitsIn(text.slice(last, end), words)) {
    hits.push({ ...hit, start: hit.start + last, end: hit.end + last });
  }
  return { html: wrap(text, start, end, hits), found: best.found };
}

function lengthOf(words: readonly Sought[]): number {
  return words.reduce((length, { folded }) => length + folded.length + 1, 0);
}

function* hitsIn(text: string, words: readonly Sought[]): Generator<Hit> {
  // "install" must win over "in".
  const plain = words.filter(({ dense }) => !dense).sort((a, b) => b.folded.length - a.folded.length);
  const pairs = words.flatMap(({ folded, dense, group }) =>
    dense ? pairsOf(folded).map((pair) => ({ pair, group })) : [],
  );
  const beginnings = plain.map(({ folded }) => folded);
  for (const [from, to] of spansWith(text, beginnings)) {
    const piece = text.slice(from, to);
    if (/^[A-Za-z][a-z]*$/.test(piece)) {
      const folded = piece.toLowerCase();
      const found = plain.find((sought) => folded.startsWith(sought.folded));
      if (found) yield { start: from, end: to, group: found.group };
      continue;
    }
    for (const hit of hitsInSpan(piece, plain, pairs)) {
      yield { ...hit, start: hit.start + from, end: hit.end + from };
    }
  }
}

function* hitsInSpan(
  text: string,
  plain: readonly Sought[],
  pairs: readonly { pair: string; group: number }[],
): Generator<Hit> {
  const startingWith = (folded: string) => plain.find((sought) => folded.startsWith(sought.folded));
  let compound: Word[] = [];
  for (const word of wordsIn(text)) {
    if (word.dense) {
      compound = [];
      yield* denseHits(word, pairs);
      continue;
    }
    compound = word.glue ? [...compound.slice(-2), word] : [word];
    const whole = startingWith(word.folded);
    if (whole) {
      yield { start: word.start, end: word.end, group: whole.group };
      continue;
    }
    const inner = partsOf(text.slice(word.start, word.end)).later.find(({ rest }) => startingWith(rest));
    if (inner) {
      yield { start: word.start + inner.start, end: word.end, group: startingWith(inner.rest)?.group ?? 0 };
      continue;
    }
    const glued = gluedHit(compound, plain);
    if (glued) yield glued;
  }
}

/** Finds "e-mail" for email. */
function gluedHit(compound: readonly Word[], plain: readonly Sought[]): Hit | null {
  const end = compound.at(-1)?.end ?? 0;
  for (const [index, { start }] of compound.slice(0, -1).entries()) {
    const pieces = compound.slice(index).map(({ folded }) => folded);
    const [joined, without] = [pieces.join(""), pieces.slice(0, -1).join("")];
    const over = plain.find(({ folded }) => joined.startsWith(folded) && folded.length > without.length);
    if (over) return { start, end, group: over.group };
  }
  return null;
}

function* denseHits({ start, end, folded }: Word, pairs: readonly { pair: string; group: number }[]): Generator<Hit> {
  // When folding changed the length, only the whole word can be marked.
  const exact = folded.length === end - start;
  let hit: Hit | null = null;
  for (let at = 0; at < folded.length; at++) {
    const found = pairs.find(({ pair }) => folded.startsWith(pair, at));
    if (!found) continue;
    const piece = exact
      ? { start: start + at, end: start + at + found.pair.length, group: found.group }
      : { start, end, group: found.group };
    if (hit && piece.start <= hit.end && piece.group === hit.group) hit.end = Math.max(hit.end, piece.end);
    else {
      if (hit) yield hit;
      hit = piece;
    }
  }
  if (hit) yield hit;
}

function windowAround(text: string, hit: Hit): [number, number] {
  if (text.length <= FRAGMENT) return [0, text.length];
  let start = Math.min(Math.max(0, hit.start - 40), Math.max(0, text.length - FRAGMENT));
  if (start > 0) {
    const space = text.slice(start, hit.start).search(/\s/);
    start = space >= 0 ? start + space + 1 : hit.start;
  }
  let end = Math.min(text.length, start + FRAGMENT);
  if (end < text.length) {
    const space = text.slice(start, end + 1).search(/\s\S*$/);
    if (space > 0 && start + space >= hit.end) end = start + space;
    else if (/^[\udc00-\udfff]/.test(text[end] as string)) end--;
  }
  return [start, end];
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
