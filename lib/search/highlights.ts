import { fold } from "./words";

const OPEN = '<span class="article-matched-tag">';
const CLOSE = "</span>";
/** The most characters of text in a fragment (contract 3). */
const FRAGMENT = 300;
/** After so many hits, more do not make the best place for a fragment clearer. */
const MOST_HITS = 500;

interface Hit {
  start: number;
  end: number;
  /** Which word of the query it begins with. */
  word: number;
}

/**
 * A whole text with every word that begins with a word of the query wrapped; the rest is HTML-escaped (contract 3).
 * @param words folded words of the query
 * @returns null when none matched
 */
export function highlight(text: string, words: readonly string[]): string | null {
  const hits = hitsIn(text, words);
  return hits.length > 0 ? wrap(text, 0, text.length, hits) : null;
}

/**
 * The piece of a long text around its best hits: the one with most different words of the query, at most 300
 * characters, cut between words, wrapped and escaped like `highlight`.
 * @returns null when none matched
 */
export function fragment(text: string, words: readonly string[]): string | null {
  const hits = hitsIn(text, words);
  const [first] = hits;
  if (!first) return null;
  let best = { hit: first, found: 0 };
  for (const [index, hit] of hits.entries()) {
    const found = new Set<number>();
    for (let next = index; next < hits.length; next++) {
      const other = hits[next] as Hit;
      if (other.end - hit.start > FRAGMENT - 40) break;
      found.add(other.word);
    }
    if (found.size > best.found) best = { hit, found: found.size };
    if (found.size === words.length) break;
  }
  const [start, end] = windowAround(text, best.hit);
  return wrap(text, start, end, hits);
}

function hitsIn(text: string, words: readonly string[]): Hit[] {
  const hits: Hit[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)) {
    const folded = fold(match[0]);
    const word = words.findIndex((candidate) => folded.startsWith(candidate));
    if (word < 0) continue;
    hits.push({ start: match.index, end: match.index + match[0].length, word });
    if (hits.length === MOST_HITS) break;
  }
  return hits;
}

/** At most FRAGMENT characters that begin a little before the hit and end between words; a word longer than that is cut. */
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
  }
  return [start, end];
}

function wrap(text: string, start: number, end: number, hits: readonly Hit[]): string {
  let html = "";
  let done = start;
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    html += escape(text.slice(done, hit.start)) + OPEN + escape(text.slice(hit.start, hit.end)) + CLOSE;
    done = hit.end;
  }
  return (html + escape(text.slice(done, end))).replace(/\s+/g, " ").trim();
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
