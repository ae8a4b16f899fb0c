import type { Read } from "@/lib/db";
import { countsOf } from "./counts";
import { isFiller } from "./everyday-words";
import { type Field, tagOf } from "./lexemes";
import { everywhere, formOfGroups, type Group, type Query, type QueryWord, queryIn } from "./query";
import { farther, isLearned, type Known, knownBeginnings, knownWords, near } from "./vocabulary";
import { formsOf } from "./word-forms";

export interface Correction {
  query: Query;
  term: string | null;
}

export interface Search {
  read: Read;
  workspaceId: string;
  query: Query;
  hidden: readonly string[];
  /** BCP 47. */
  language: string;
}

interface Change {
  start: number;
  end: number;
  spelling: string | null;
}

interface Option {
  from: number;
  to: number;
  groups: Group[];
  change: Change;
  cost: number;
}

const MOST_OPTIONS = 24;
const MOST_COUNTED = 200;
/** A word that articles have is only corrected if it has at least this many characters. */
const SHORTEST_KNOWN = 5;
/** A word that more articles have is not corrected. */
const MOST_MISSPELLED = 2;
/** A correction must be in this many times more articles than the word. */
const FAR_MORE = 10;
const SHORTEST_CUT = 2;
/** In longer searches, known words stay as typed. */
const MOST_WORDS_DOUBTED = 3;
const MOST_SUSPECTS = 4;

/**
 * Corrects unknown words to words of the workspace, or one word when all are known, so that published articles are found.
 * @param found how many articles the query finds: none, or few
 * @returns null when nothing better is known
 */
export async function correct(search: Search, text: string, found: number): Promise<Correction | null> {
  const { query } = search;
  const unknown = found === 0 ? await unknownOf(search) : [];
  if (unknown.length === 0) {
    const options = await optionsForKnown(search, found);
    const chosen = await best(search, options, new Map(), found === 0 ? 1 : found * FAR_MORE);
    return chosen && correction(text, query, [chosen]);
  }
  const chosen: Option[] = [];
  const waiting = new Set(unknown);
  const ignored = await beside(search, unknown);
  for (const index of unknown) {
    if (!waiting.has(index)) continue;
    waiting.delete(index);
    if (ignored.has(index)) continue;
    const settled = new Map<number, Group[]>([...waiting, ...ignored].map((other) => [other, []]));
    for (const option of chosen) place(settled, option);
    let option: Option | null = null;
    for (const among of [near, farther]) {
      option ??= await best(search, await optionsFor(search, [index], among), settled, 1);
    }
    if (!option) {
      // Known after all, from an inner part on or across a hyphen.
      if ((await counts(search, [[query.groups[index] as Group]]))[0] === 0) ignored.add(index);
      continue;
    }
    for (let taken = option.from; taken <= option.to; taken++) waiting.delete(taken);
    chosen.push(option);
  }
  return chosen.length > 0 || ignored.size === 0 ? correction(text, query, chosen) : null;
}

/** Positions of words that need not be found: words that only phrase a request, and words that articles have in another form. */
async function beside({ read, workspaceId, query, language }: Search, unknown: number[]): Promise<Set<number>> {
  const { groups } = query;
  if (groups.length < 2) return new Set();
  const forms = await formsOf(read, workspaceId, unknown.map((index) => lettersOf(groups[index])), language); // biome-ignore format: a short list
  const fillers = [...groups.keys()].filter((index) => isFiller(lettersOf(groups[index]), language));
  return new Set([...fillers, ...unknown.filter((index) => forms.has(lettersOf(groups[index])))]);
}

/** Positions of words that begin no word of the workspace. With hidden categories, only words of visible articles count. */
async function unknownOf(search: Search): Promise<number[]> {
  const { groups } = search.query;
  const isLookedUp = (word: QueryWord) => search.hidden.length === 0 || !isLearned(word.folded);
  const only = (group: Group) => {
    const word = group.length === 1 ? plainWord(group) : null;
    return word && isLookedUp(word) ? word : null;
  };
  const known = await knownBeginnings(
    search.read,
    search.workspaceId,
    groups.flatMap((group) => only(group)?.folded ?? []),
  );
  const others = groups.filter((group) => !only(group));
  const have = await counts(search, others.map((group) => [group])); // biome-ignore format: a short list
  const missing = new Set(others.filter((_, index) => have[index] === 0));
  return groups.flatMap((group, index) => {
    const word = only(group);
    return (word ? !known.has(word.folded) : missing.has(group)) ? [index] : [];
  });
}

/**
 * Corrects words that begin a word of the workspace. A word that is one, or may still become one, is meant, unless it looks like
 * the misspelling of a far more frequent word.
 */
async function optionsForKnown(search: Search, found: number): Promise<Option[]> {
  const { groups } = search.query;
  if (groups.length > MOST_WORDS_DOUBTED) return [];
  const suspects = [...groups.keys()].sort((a, b) => lengthOf(groups[b]) - lengthOf(groups[a])).slice(0, MOST_SUSPECTS);
  const alone = await counts(search, suspects.map((index) => [groups[index] as Group])); // biome-ignore format: a short list
  const rare = suspects.filter((_, at) => found === 0 || (alone[at] as number) <= found);
  const options = await optionsFor(search, rare, near);
  const meant = await meantOf(search, rare);
  const isFree = ({ from, to, change }: Option) => change.spelling === null || from !== to || !meant.has(from);
  const misspelled = await misspellings(
    search,
    options.filter((option) => !isFree(option)),
    new Map(suspects.map((index, at) => [index, alone[at] as number])),
  );
  return options.filter((option) => isFree(option) || misspelled.has(option));
}

/** Positions of words of the workspace, of the last word when it begins one, and of short words. */
async function meantOf(search: Search, places: number[]): Promise<Set<number>> {
  const { groups } = search.query;
  const whole = await knownWords(search.read, search.workspaceId, places.map((index) => lettersOf(groups[index]))); // biome-ignore format: a short list
  return new Set(
    places.filter((index) => {
      const letters = lettersOf(groups[index]);
      return letters.length < SHORTEST_KNOWN || index === groups.length - 1 || whole.has(letters);
    }),
  );
}

/** The options for words that are rare, in no title, and one edit after the first letter away from a far more frequent word. */
async function misspellings(search: Search, options: Option[], alone: Map<number, number>): Promise<Set<Option>> {
  const { groups } = search.query;
  const likely = options.filter(({ from, groups: [meant, ...others] }) => {
    const [letters, other] = [lettersOf(groups[from]), lettersOf(meant)];
    const isRare = (alone.get(from) ?? 0) <= MOST_MISSPELLED;
    return isRare && others.length === 0 && letters.length >= SHORTEST_KNOWN && letters[0] === other[0];
  });
  const frequencies = await counts(search, likely.map((option) => option.groups)); // biome-ignore format: a short list
  const titles = await counts(search, likely.map(({ from }) => [groups[from] as Group]), ["title"]); // biome-ignore format: a short list
  return new Set(
    likely.filter(
      ({ from }, at) =>
        titles[at] === 0 && (frequencies[at] as number) >= FAR_MORE * Math.max(1, alone.get(from) as number),
    ),
  );
}

function lettersOf(group: Group | undefined): string {
  return group?.[0]?.[0]?.folded ?? "";
}

function lengthOf(group: Group | undefined): number {
  return lettersOf(group).length;
}

async function optionsFor(search: Search, places: number[], among: typeof near): Promise<Option[]> {
  const { groups } = search.query;
  const options: Option[] = [];
  for (const from of places) {
    if (among === near) options.push(...cuts(from, groups[from]));
    const word = plainWord(groups[from]);
    if (!word) continue;
    const isLast = from === groups.length - 1;
    for (const { words, cost } of await among(search.read, search.workspaceId, word.folded, isLast)) {
      const spelling = words.map((known) => known.spelling).join(" ");
      options.push(replacing(from, from, word, words, { start: word.start, end: word.end, spelling }, cost));
    }
    if (among !== near) continue;
    for (const first of [from - 1, from]) {
      const [a, b] = [plainWord(groups[first]), plainWord(groups[first + 1])];
      if (!a || !b || a.end >= b.start) continue;
      const joined = { word: a.folded + b.folded, spelling: a.folded + b.folded };
      options.push(
        replacing(first, first + 1, a, [joined], { start: a.start, end: b.end, spelling: joined.spelling }, 0.9),
      );
    }
  }
  return options;
}

/** Splits a dense word in two, because the text may have something in between. The spelling stays. */
function cuts(from: number, group: Group | undefined): Option[] {
  const [word, ...others] = group?.[0] ?? [];
  if (!word?.dense || others.length > 0) return [];
  const characters = [...word.folded];
  return characters.slice(SHORTEST_CUT, characters.length - SHORTEST_CUT + 1).map((_, index) => {
    const at = index + SHORTEST_CUT;
    const [first, second] = [characters.slice(0, at).join(""), characters.slice(at).join("")];
    const groups = [[[{ ...word, folded: first }]], [[{ ...word, folded: second, at: word.at + 2 }]]];
    return { from, to: from, groups, change: { start: word.start, end: word.end, spelling: null }, cost: 1 };
  });
}

function replacing(from: number, to: number, at: QueryWord, words: Known[], change: Change, cost: number): Option {
  const groups = words.map(({ word }, index) => [[{ ...at, folded: word, at: at.at + index }]]);
  return { from, to, groups, change, cost };
}

function plainWord(group: Group | undefined): QueryWord | null {
  const [word, ...others] = group?.[0] ?? [];
  return word && others.length === 0 && !word.dense ? word : null;
}

/** The cheapest option that finds enough. Among equals, the one that finds most. */
async function best(
  search: Search,
  options: Option[],
  settled: Map<number, Group[]>,
  least: number,
): Promise<Option | null> {
  const candidates = options.sort((a, b) => a.cost - b.cost).slice(0, MOST_OPTIONS);
  for (let at = 0; at < candidates.length; ) {
    const cost = candidates[at]?.cost;
    const equals = candidates.slice(at).filter((option) => option.cost === cost);
    at += equals.length;
    const found = await counts(search, equals.map((option) => flat(search.query, place(new Map(settled), option)))); // biome-ignore format: a short list
    const most = Math.max(...found);
    if (most >= least) return equals[found.indexOf(most)] ?? null;
  }
  return null;
}

function place(settled: Map<number, Group[]>, { from, to, groups }: Option): Map<number, Group[]> {
  for (let index = from; index <= to; index++) settled.set(index, index === from ? groups : []);
  return settled;
}

function flat(query: Query, settled: Map<number, Group[]>): Group[] {
  return query.groups.flatMap((group, index) => settled.get(index) ?? [group]);
}

async function counts(
  { read, workspaceId, query, hidden }: Search,
  queries: Group[][],
  fields?: readonly Field[],
): Promise<number[]> {
  const tag = tagOf(workspaceId);
  const inFields = (some: Query) => (fields ? queryIn(tag, some, fields) : everywhere(tag, some));
  return countsOf(
    read,
    queries.map((groups) => inFields({ ...query, groups })),
    hidden,
    MOST_COUNTED,
  );
}

function correction(text: string, query: Query, options: Option[]): Correction {
  const settled = new Map<number, Group[]>();
  let term = text;
  for (const option of [...options].sort((a, b) => b.change.start - a.change.start)) {
    place(settled, option);
    const { start, end, spelling } = option.change;
    if (spelling !== null) term = term.slice(0, start) + spelling + term.slice(end);
  }
  const groups = flat(query, settled);
  return { query: { folded: formOfGroups(groups), groups }, term: term === text ? null : term.trim() };
}
