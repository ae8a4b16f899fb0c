import type { Read } from "@/lib/db";
import { tagOf } from "./lexemes";
import { everywhere, formOfGroups, type Group, type Query, type QueryWord } from "./query";
import { begunBy, farther, isLearned, type Known, near } from "./vocabulary";

/** A query in place of another one, and its text: as asked, but for the words that were corrected. */
export interface Correction {
  query: Query;
  /** Null when no word was spelt otherwise. */
  term: string | null;
}

/** What is searched, and the categories whose articles are not for who asks. */
export interface Search {
  read: Read;
  workspaceId: string;
  query: Query;
  hidden: readonly string[];
  /** As of everywhere. */
  isAnew: boolean;
}

/** What stands in place of words of the text. */
interface Change {
  start: number;
  end: number;
  /** Null for as it is. */
  spelling: string | null;
}

/** One or more neighbouring groups of a query, and what may stand there instead. */
interface Option {
  from: number;
  to: number;
  groups: Group[];
  change: Change;
  /** In edits: the least wins. */
  cost: number;
}

/** Of all options, the cheapest that are looked up in the articles, and how many of those an option finds, at most. */
const MOST_OPTIONS = 24;
const MOST_COUNTED = 200;
/** Words that articles have are only thought misspelt when they have so many characters, and the other spelling finds so
 * many times as much. */
const SHORTEST_KNOWN = 5;
const FAR_MORE = 10;
/** Each side of a dense word that was meant as two, in characters. */
const SHORTEST_CUT = 2;
/** A search of more words that finds something is meant as it is. */
const MOST_WORDS_FOUND = 3;
/** Of a long search, so many words are suspected. */
const MOST_SUSPECTS = 4;

/**
 * The query with its misspelt words corrected against the workspace's own words, so that published articles are found.
 * Words are corrected that no article has; when all are known, one of them. Two words that are one, and one that is two,
 * count as misspelt.
 * @param text the search, as asked
 * @param found how many articles its query finds: none, or few
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
  // The words that nobody knows wait outside until their turn: each is chosen to go with those that are known.
  const chosen: Option[] = [];
  const waiting = new Set(unknown);
  for (const index of unknown) {
    if (!waiting.has(index)) continue;
    waiting.delete(index);
    const settled = new Map<number, Group[]>([...waiting].map((other) => [other, []]));
    for (const option of chosen) place(settled, option);
    let option: Option | null = null;
    for (const among of [near, farther]) {
      option ??= await best(search, await optionsFor(search, [index], among), settled, 1);
    }
    if (!option) {
      // Known after all: from a part on, or across a hyphen.
      if ((await counts(search, [[query.groups[index] as Group]]))[0] === 0) return null;
      continue;
    }
    for (let taken = option.from; taken <= option.to; taken++) waiting.delete(taken);
    chosen.push(option);
  }
  return correction(text, query, chosen);
}

/**
 * The places of words that nobody knows: no word of the workspace begins with them. So "printr" is unknown, though "print-related"
 * begins with it across a hyphen. Of dense words, those that no article has.
 *
 * The workspace's words are those of all its articles. Where some are not for who asks, only those count that the others
 * have: whether a word is in an article that is hidden is nobody else's to find out.
 */
async function unknownOf(search: Search): Promise<number[]> {
  const { groups } = search.query;
  const isLookedUp = (word: QueryWord) => search.hidden.length === 0 || !isLearned(word.folded);
  // A word that may be said otherwise is known when articles have that.
  const only = (group: Group) => {
    const word = group.length === 1 ? plainWord(group) : null;
    return word && isLookedUp(word) ? word : null;
  };
  const begun = await begunBy(
    search.read,
    search.workspaceId,
    groups.flatMap((group) => only(group)?.folded ?? []),
  );
  const others = groups.filter((group) => !only(group));
  const have = await counts(search, others.map((group) => [group])); // biome-ignore format: a short list
  const missing = new Set(others.filter((_, index) => have[index] === 0));
  return groups.flatMap((group, index) => {
    const word = only(group);
    return (word ? !begun.has(word.folded) : missing.has(group)) ? [index] : [];
  });
}

/**
 * What may stand in place of words that the workspace knows. When nothing is found, of the rarest; when a few are, of those
 * that no more articles have: somebody else misspelt them.
 */
async function optionsForKnown(search: Search, found: number): Promise<Option[]> {
  const { groups } = search.query;
  if (found > 0 && groups.length > MOST_WORDS_FOUND) return [];
  const suspects = [...groups.keys()].sort((a, b) => lengthOf(groups[b]) - lengthOf(groups[a])).slice(0, MOST_SUSPECTS);
  const alone = await counts(search, suspects.map((index) => [groups[index] as Group])); // biome-ignore format: a short list
  const rare = suspects.filter((_, at) => found === 0 || (alone[at] as number) <= found);
  // Of a short word all but a blank too many is meant.
  const isMeant = ({ from, to, change }: Option) =>
    change.spelling !== null && from === to && lengthOf(groups[from]) < SHORTEST_KNOWN;
  return (await optionsFor(search, rare, near)).filter((option) => !isMeant(option));
}

function lengthOf(group: Group | undefined): number {
  return (group?.[0]?.[0]?.folded ?? "").length;
}

/** What may stand in place of the groups at these places. */
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

/**
 * A dense word that is two, written without a blank as its script is: the text may have something between them. It was
 * not misspelt, so its spelling stays.
 */
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

/** The one word of a group that corrections know to handle. */
function plainWord(group: Group | undefined): QueryWord | null {
  const [word, ...others] = group?.[0] ?? [];
  return word && others.length === 0 && !word.dense ? word : null;
}

/** The cheapest option that finds enough together with the rest of the query; of equals, the one that finds most. */
async function best(
  search: Search,
  options: Option[],
  settled: Map<number, Group[]>,
  least: number,
): Promise<Option | null> {
  const candidates = options.sort((a, b) => a.cost - b.cost).slice(0, MOST_OPTIONS);
  for (let at = 0; at < candidates.length; ) {
    // Those of one cost at a time: most often the first has it.
    const cost = candidates[at]?.cost;
    const equals = candidates.slice(at).filter((option) => option.cost === cost);
    at += equals.length;
    const found = await counts(search, equals.map((option) => flat(search.query, place(new Map(settled), option)))); // biome-ignore format: a short list
    const most = Math.max(...found);
    if (most >= least) return equals[found.indexOf(most)] ?? null;
  }
  return null;
}

/** Notes what stands at which place of the query. */
function place(settled: Map<number, Group[]>, { from, to, groups }: Option): Map<number, Group[]> {
  for (let index = from; index <= to; index++) settled.set(index, index === from ? groups : []);
  return settled;
}

function flat(query: Query, settled: Map<number, Group[]>): Group[] {
  return query.groups.flatMap((group, index) => settled.get(index) ?? [group]);
}

/** How many published articles have these groups, up to MOST_COUNTED. */
async function counts({ read, workspaceId, query, hidden, isAnew }: Search, queries: Group[][]): Promise<number[]> {
  if (queries.length === 0) return [];
  const tag = tagOf(workspaceId);
  const rows = await read<{ found: number }>(
    "SELECT found::int FROM search_counts($1::text[]::tsquery[], $2, $3::uuid[]) ORDER BY query",
    [queries.map((groups) => everywhere(tag, { ...query, groups }, isAnew)), MOST_COUNTED, hidden],
  );
  return rows.map(({ found }) => found);
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
