import type { Read } from "@/lib/db";
import { VOCABULARY } from "./documents";
import { editCost, oneEdit } from "./edits";

export interface Known {
  word: string;
  spelling: string;
}

export interface Guess {
  words: Known[];
  cost: number;
}

/** Shortest word, in characters, that is corrected by one edit, by two edits, and as the end of a longer word. */
const ONE_EDIT = 4;
const TWO_EDITS = 6;
const END = 5;
const SHORTEST_PART = 2;
const SPLIT_SHORT = { word: 6, other: 4 };
const MOST_OF_A_BEGINNING = 2_000;
const LAST_CHARACTER = "\u{10ffff}";
/** So that a word with several spellings is always suggested in the same one. */
const SPELLING = `k.spelling COLLATE "C"`;

/** Words within one edit, and splits into two. A word that may still be typed is corrected to beginnings too. */
export async function near(read: Read, workspaceId: string, word: string, isLast: boolean): Promise<Guess[]> {
  const letters = [...word];
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
    const words = [first, second].map(
      (part) => known.get(part) ?? (part.length === 2 ? { word: part, spelling: part } : null),
    );
    if (words[0] && words[1])
      guesses.push({ words: words as Known[], cost: 1.1 + (first.length < 3 || second.length < 3 ? 0.5 : 0) });
  }
  if (isLast && isMendable && guesses.length === 0) guesses.push(...(await unfinished(read, workspaceId, word, edits)));
  return guesses;
}

/** Short words and numbers are not in the vocabulary and count as known. */
export function isLearned(word: string): boolean {
  return word.length >= ONE_EDIT && /^\p{L}+$/u.test(word);
}

/** Which words begin a word of any article, and which are not learned. */
export async function knownBeginnings(read: Read, workspaceId: string, words: string[]): Promise<Set<string>> {
  const learned = words.filter(isLearned);
  const rows = await read<{ word: string }>(
    `SELECT b.word FROM unnest($2::text[], $3::text[]) AS b(word, beyond)
     WHERE EXISTS (SELECT FROM search_words k WHERE k.workspace_id = $1::uuid AND k.word >= b.word AND k.word < b.beyond)`,
    [workspaceId, learned, learned.map((word) => word + LAST_CHARACTER)],
  );
  return new Set([...words.filter((word) => !learned.includes(word)), ...rows.map(({ word }) => word)]);
}

/** Which of these are words of any article. */
export async function knownWords(read: Read, workspaceId: string, words: string[]): Promise<Set<string>> {
  return new Set((await lookUp(read, workspaceId, words)).map(({ word }) => word));
}

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
 * Words two edits away, and words that end with the word, as German compounds do. Either the first half has at most one edit, or
 * the second half is right: so these are looked up.
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
