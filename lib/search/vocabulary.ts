import type { Read } from "@/lib/db";
import { VOCABULARY } from "./documents";
import { editCost, oneEdit } from "./edits";

/** A word of a workspace's articles: folded, and as it is written. */
export interface Known {
  word: string;
  spelling: string;
}

/** What a word may have been meant as: words that stand in its place. */
export interface Guess {
  words: Known[];
  /** In edits, see editCost. */
  cost: number;
}

/** The shortest word that is mended by one edit, and by two; and of what a longer one may be the end. In characters. */
const ONE_EDIT = 4;
const TWO_EDITS = 6;
const END = 5;
/** Each part of a word that was meant as two; and the shortest such word, and its other part, when one is that short. */
const SHORTEST_PART = 2;
const SPLIT_SHORT = { word: 6, other: 4 };
/** The most words that are read for one beginning. */
const MOST_OF_A_BEGINNING = 2_000;
const LAST_CHARACTER = "\u{10ffff}";
/** A word may be there in several spellings: everybody, on every page, is offered the same one. */
const SPELLING = `k.spelling COLLATE "C"`;

/**
 * Words of a workspace within one edit of a folded word, and pairs of words that it may be when written apart. Every
 * spelling within one edit is looked up, so none is missed.
 * @param isLast whether somebody may still be typing the word: then the beginnings of words count too
 */
export async function near(read: Read, workspaceId: string, word: string, isLast: boolean): Promise<Guess[]> {
  const letters = [...word];
  // What is longer than two words that are known is none of them, and has too many edits to make.
  if (letters.length > 2 * VOCABULARY.longest) return [];
  const splits = letters.slice(SHORTEST_PART, letters.length - SHORTEST_PART + 1).map((_, index) => {
    const at = index + SHORTEST_PART;
    return [letters.slice(0, at).join(""), letters.slice(at).join("")] as const;
  });
  const isMendable = letters.length >= ONE_EDIT && letters.length <= VOCABULARY.longest + 1;
  const edits = isMendable ? oneEdit(word) : new Set<string>();
  const known = new Map(
    (await lookUp(read, workspaceId, [...edits, ...splits.flat()])).map((found) => [found.word, found]),
  );
  const guesses: Guess[] = [];
  for (const found of known.values()) {
    if (edits.has(found.word)) guesses.push({ words: [found], cost: editCost(word, found.word, 1) });
  }
  for (const [first, second] of splits) {
    if (Math.min(first.length, second.length) < 3) {
      if (letters.length < SPLIT_SHORT.word || Math.max(first.length, second.length) < SPLIT_SHORT.other) continue;
    }
    // Words of two letters are not learned: an index knows them.
    const words = [first, second].map(
      (part) => known.get(part) ?? (part.length === 2 ? { word: part, spelling: part } : null),
    );
    if (words[0] && words[1])
      guesses.push({ words: words as Known[], cost: 1.1 + (first.length < 3 || second.length < 3 ? 0.5 : 0) });
  }
  if (isLast && isMendable && guesses.length === 0) guesses.push(...(await unfinished(read, workspaceId, word, edits)));
  return guesses;
}

/** Whether begunBy asks for a folded word: short ones and numbers are always known. */
export function isLearned(word: string): boolean {
  return word.length >= ONE_EDIT && /^\p{L}+$/u.test(word);
}

/** Those of some folded words that a word of the workspace begins with, whoever may read it; and those that are not learned. */
export async function begunBy(read: Read, workspaceId: string, words: string[]): Promise<Set<string>> {
  const asked = words.filter(isLearned);
  const rows = await read<{ word: string }>(
    `SELECT b.word FROM unnest($2::text[], $3::text[]) AS b(word, beyond)
     WHERE EXISTS (SELECT FROM search_words k WHERE k.workspace_id = $1::uuid AND k.word >= b.word AND k.word < b.beyond)`,
    [workspaceId, asked, asked.map((word) => word + LAST_CHARACTER)],
  );
  return new Set([...words.filter((word) => !asked.includes(word)), ...rows.map(({ word }) => word)]);
}

/** Words that begin with a spelling one edit away. */
async function unfinished(read: Read, workspaceId: string, word: string, edits: Set<string>): Promise<Guess[]> {
  const beginnings = [...edits].filter((edit) => edit.length >= ONE_EDIT);
  const rows = await read<Known & { beginning: string }>(
    `SELECT b.beginning, k.word, k.spelling FROM unnest($2::text[], $3::text[]) AS b(beginning, beyond)
     CROSS JOIN LATERAL (
       SELECT k.word, k.spelling FROM search_words k
       WHERE k.workspace_id = $1::uuid AND k.word >= b.beginning AND k.word < b.beyond
       ORDER BY k.word, ${SPELLING} LIMIT 1
     ) k ORDER BY k.word, b.beginning`,
    [workspaceId, beginnings, beginnings.map((edit) => edit + LAST_CHARACTER)],
  );
  return rows.map(({ beginning, ...known }) => ({ words: [known], cost: editCost(word, beginning, 1) + 0.5 }));
}

/**
 * Words of a workspace two edits away from a folded word, and those that end with it, as German compounds do.
 * Of two edits at most one is in the first half of the word, or both are, and its second half is right: so it is enough
 * to look at the words that begin with a spelling one edit from the first half, and at those that end with the second.
 */
export async function farther(read: Read, workspaceId: string, word: string): Promise<Guess[]> {
  const letters = [...word];
  const guesses: Guess[] = [];
  if (letters.length > VOCABULARY.longest + 2) return guesses;
  if (letters.length >= END) {
    for (const known of await ending(read, workspaceId, word)) guesses.push({ words: [known], cost: 1.5 });
  }
  if (letters.length < TWO_EDITS) return guesses;
  const half = Math.floor(letters.length / 2);
  const first = letters.slice(0, half).join("");
  const beginnings = [first, ...oneEdit(first)].filter((edit) => [...edit].length >= 3);
  const rows = await read<Known>(
    `SELECT DISTINCT ON (k.word) k.word, k.spelling FROM unnest($2::text[], $3::text[]) AS b(beginning, beyond)
     CROSS JOIN LATERAL (
       SELECT k.word, k.spelling FROM search_words k
       WHERE k.workspace_id = $1::uuid AND k.word >= b.beginning AND k.word < b.beyond
         AND length(k.word) BETWEEN $4 AND $5
       ORDER BY k.word, ${SPELLING} LIMIT ${MOST_OF_A_BEGINNING}
     ) k ORDER BY k.word, ${SPELLING}`,
    [workspaceId, beginnings, beginnings.map((edit) => edit + LAST_CHARACTER), letters.length - 2, letters.length + 2],
  );
  const endings = await ending(read, workspaceId, letters.slice(half).join(""), letters.length + 2);
  for (const known of [...rows, ...endings]) {
    const cost = editCost(word, known.word, 2);
    if (Number.isFinite(cost)) guesses.push({ words: [known], cost });
  }
  return guesses;
}

async function ending(read: Read, workspaceId: string, end: string, longest = 100): Promise<Known[]> {
  const backwards = [...end].reverse().join("");
  return read<Known>(
    `SELECT DISTINCT ON (k.word) k.word, k.spelling FROM (
       SELECT k.word, k.spelling FROM search_words k
       WHERE k.workspace_id = $1::uuid AND k.backwards >= $2 AND k.backwards < $3 AND length(k.word) <= $4
       ORDER BY k.backwards, ${SPELLING} LIMIT ${MOST_OF_A_BEGINNING}
     ) k ORDER BY k.word, ${SPELLING}`,
    [workspaceId, backwards, backwards + LAST_CHARACTER, longest],
  );
}

async function lookUp(read: Read, workspaceId: string, words: string[]): Promise<Known[]> {
  if (words.length === 0) return [];
  return read<Known>(
    `SELECT DISTINCT ON (k.word) k.word, k.spelling FROM search_words k
     WHERE k.workspace_id = $1::uuid AND k.word = ANY($2::text[]) ORDER BY k.word, ${SPELLING}`,
    [workspaceId, words],
  );
}
