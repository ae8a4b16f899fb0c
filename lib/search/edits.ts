import { fold } from "./words";

function alphabetOf(word: string): readonly string[] {
  const block = (word.codePointAt(0) ?? 0) >> 7;
  const known = alphabets.get(block);
  if (known) return known;
  const letters: string[] = [];
  const [from, to] = block < 5 ? [0x61, 0x7a] : [block << 7, (block << 7) + 127];
  for (let code = from; code <= to; code++) {
    const letter = String.fromCodePoint(code);
    if (/[\p{L}\p{M}]/u.test(letter) && fold(letter) === letter) letters.push(letter);
  }
  alphabets.set(block, letters);
  return letters;
}
const alphabets = new Map<number, readonly string[]>();

/** Every spelling with a letter removed, added or replaced, or two neighbors swapped. */
export function oneEdit(word: string): Set<string> {
  const letters = [...word];
  const alphabet = alphabetOf(word);
  const edits = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const before = letters.slice(0, at).join("");
    const [letter, next] = letters.slice(at);
    const after = letters.slice(at + 1).join("");
    for (const other of alphabet) edits.add(before + other + (letter ?? "") + after);
    if (letter === undefined) continue;
    edits.add(before + after);
    for (const other of alphabet) edits.add(before + other + after);
    if (next !== undefined) edits.add(before + next + letter + letters.slice(at + 2).join(""));
  }
  edits.delete(word);
  return edits;
}

/**
 * The distance between two words in edits, or infinite beyond `most`. A doubled letter costs less than an edit and a wrong
 * first letter costs more, because people know how a word begins.
 */
export function editCost(from: string, to: string, most: number): number {
  const [a, b] = [[...from], [...to]];
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let [before, last] = [[] as number[], b.map((_, index) => index + 1)];
  last.unshift(0);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1);
      cost = Math.min(cost, (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return Number.POSITIVE_INFINITY;
    [before, last] = [last, row];
  }
  const edits = last.at(-1) as number;
  if (edits > most) return Number.POSITIVE_INFINITY;
  const doubled = from !== to && undoubled(from) === undoubled(to) ? 0.2 : 0;
  return edits - doubled + (a[0] === b[0] ? 0 : 0.3);
}

function undoubled(word: string): string {
  return word.replace(/(.)\1/gu, "$1");
}
