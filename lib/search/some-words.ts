import { LRUCache } from "lru-cache";
import type { Read } from "@/lib/db";
import { countsOf } from "./counts";
import { documentedAs, isFiller } from "./everyday-words";
import { BEGINNING, BEGINNINGS, BESIDE, type Field, lexeme, MARKS, pairLexeme, tagOf } from "./lexemes";
import { type Group, phraseOf, type Query, type QueryWord } from "./query";
import { formsAndCounts, formsOf } from "./word-forms";
import { pairsOf } from "./words";

/** An article that has some of the words. */
export interface Some {
  id: string;
  score: number;
}

export interface SomeOptions {
  /** BCP 47. */
  language: string;
  /** Articles that have all words of `queries`, the closest first. They come before all others. */
  whole?: { ids: readonly string[]; queries: readonly Query[] };
  leaveOut?: readonly string[];
  hidden?: readonly string[];
  limit: number;
  /** How much more a rare word counts than a common one, from 0. */
  rarity?: number;
}

/** A long search is scored by its rarest words. */
const MOST_TERMS = 8;
const MOST_FORMS = 4;
const MOST_FORMS_OF_SYNONYMS = 2;
const MOST_OTHERS = 10;
/** The most articles that are looked up by their rare words, and the most of these that are scored. */
const MOST_FOUND = 1_000;
const MOST_SCORED = 150;
/** Up to SHORT words leave little to score: the index alone finds their best articles. */
const MOST_SCORED_SHORT = 50;
const SHORT = 4;
/** Counting the articles of a word stops here. */
const MOST_COUNTED = 10_000;
/** The maximum number of words whose combinations are looked up. */
const MOST_COMBINED = 4;
/** What a form, a title word or a word pair adds to an article's expected score. A word as typed adds 1. */
const CLUE = 0.5;
/** Exponent of a word's weight. A rare word outweighs a common one, but two common ones outweigh it. */
const RARITY = 0.7;

/** A word of the search with its alternatives. */
interface Term {
  ways: Group;
  /** Other forms of the word, and the terms that documentation uses instead. */
  forms: string[];
  /** Whether words only begin with it. */
  isBegun: boolean;
  /** How many articles have it, or one of its forms if none has. */
  found: number;
  /** How many articles have it or a form. */
  inAnyForm: number;
}

/**
 * Published articles that have some words of a query, best first (contract 2). Rarer words weigh more. Other forms of a word and
 * what documents say for it count for less. Empty when no article has any.
 */
export async function someWords(
  read: Read,
  workspaceId: string,
  query: Query,
  { language, whole = { ids: [], queries: [] }, leaveOut = [], hidden = [], limit, rarity = RARITY }: SomeOptions,
): Promise<Some[]> {
  const tag = tagOf(workspaceId);
  const { groups } = withoutFillers(query, language);
  const counting = { read, workspaceId, hidden };
  let forms: Map<string, string[]> | undefined;
  const found = await countsOfWords(
    counting,
    groups.map((ways) => typed(tag, ways)),
    async (queries) => {
      const both = await formsAndCounts(read, workspaceId, groups.flatMap(plain), language, {
        queries,
        most: MOST_COUNTED,
        hidden,
      });
      forms = both.forms;
      return both.found;
    },
  );
  const terms = await termsOf(read, workspaceId, groups, language, forms);
  const known = await counted(counting, terms, found);
  const chosen = known.sort((a, b) => a.found - b.found).slice(0, MOST_TERMS);
  if (chosen.length === 0 && whole.ids.length === 0) return [];
  const articles = await articlesIn(read, workspaceId);
  const weightOf = ({ found }: Term) => Math.log(1 + articles / found) ** rarity;
  const pairs = pairsIn(tag, query, known, weightOf);
  const { drivers, levels, room, others } = driversFor(tag, chosen, weightOf);
  const bitsOf = (some: readonly Term[]) => some.reduce((bits, term) => bits | (1 << chosen.indexOf(term)), 0);
  const clues: Clue[] = [
    ...drivers,
    ...others,
    ...pairs.map(({ query, weight }) => ({ query, weight: CLUE * weight })),
  ];
  return read<Some>(
    `SELECT id, score FROM search_some($1::text[]::tsquery[], $2::real[], $3::integer[], $4, $5::text[]::tsquery[], $6::real[],
       $7::integer[], $8, $9::real[], $10, $11::uuid[], $12, $13::text[]::tsquery[], $14::text[]::tsquery[],
       $15::text[]::tsquery[], $16::text[]::tsquery[], $17::text[]::tsquery[], $18::text[]::tsquery[], $19::text[]::tsquery[],
       $20::real[], $21::text[]::tsquery[], $22::text[], $23::real[], $24::uuid[], $25::uuid[], $26)`,
    [
      clues.map(({ query }) => query),
      clues.map(({ weight }) => weight),
      clues.map(({ terms = [] }) => bitsOf(terms)),
      drivers.length,
      levels.map(({ query }) => query),
      levels.map(({ weight }) => weight),
      levels.map(({ terms = [] }) => bitsOf(terms)),
      room,
      reachesOf(chosen.map(weightOf)),
      chosen.length <= SHORT ? MOST_SCORED_SHORT : MOST_SCORED,
      whole.ids,
      query.folded,
      whole.queries.flatMap((one) =>
        // As typed, and without the surrounding words that only phrase the request.
        [one, { folded: one.folded, groups: one.groups }].flatMap((way) => waysToSay(phraseOf(tag, way).phrase)),
      ),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["content"], term.isBegun)),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["description", "slug", "category", "keywords"], term.isBegun)),
      chosen.map((term) => (term.ways.some((way) => way.length > 1) ? indexed(tag, { ...term, forms: [] }) : null)),
      chosen.map(({ forms }) => anyOf(tag, forms, ["content", "description"]) || null),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["content"], true)),
      chosen.map((term) => titled(tag, term)),
      chosen.map(weightOf),
      pairs.map((pair) => pair.query),
      pairs.map(({ text }) => ` ${text} `),
      pairs.map(({ weight }) => weight),
      leaveOut,
      hidden,
      limit,
    ],
  );
}

/** The parts of "createInvoice" share a position. */
const waysToSay = (phrase: string) => [phrase, phrase.replaceAll(" <1> ", " <0> ")];

/** For each group of a query, other forms of its word and the terms that documentation uses instead, as counted in `someWords`. */
export async function formsIn(
  read: Read,
  workspaceId: string,
  query: Query,
  language: string,
): Promise<Map<Group, string[]>> {
  const terms = await termsOf(read, workspaceId, query.groups, language);
  return new Map(terms.map(({ ways, forms }) => [ways, forms]));
}

function withoutFillers(query: Query, language: string): Query {
  const groups = query.groups.filter(
    (group) => !group.every((words) => words.every((w) => isFiller(w.folded, language))),
  );
  return groups.length > 0 ? { ...query, groups } : query;
}

/** The ways that are one word. */
const plain = (group: Group) =>
  group.flatMap(([word, ...more]) => (word && !word.dense && more.length === 0 ? [word.folded] : []));

async function termsOf(
  read: Read,
  workspaceId: string,
  groups: readonly Group[],
  language: string,
  known?: Map<string, string[]>,
): Promise<Term[]> {
  const words = groups.flatMap(plain);
  const forms = known ?? (await formsOf(read, workspaceId, words, language));
  // "paying" means what "pay" does, which is a form of it.
  const synonymsOf = (word: string) => [word, ...(forms.get(word) ?? [])].flatMap((one) => documentedAs(one, language));
  const formsOfSynonyms = await formsOf(read, workspaceId, [...new Set(words.flatMap(synonymsOf))], language);
  return groups.map((group) => {
    const typed = plain(group);
    const own = typed.flatMap((word) => forms.get(word) ?? []).slice(0, MOST_FORMS);
    const synonyms = [...new Set(typed.flatMap(synonymsOf))].slice(0, MOST_FORMS);
    const theirs = synonyms.flatMap((word) => (formsOfSynonyms.get(word) ?? []).slice(0, MOST_FORMS_OF_SYNONYMS));
    const others = new Set([...own, ...synonyms, ...theirs]);
    for (const word of typed) others.delete(word);
    return { ways: group, forms: [...others].slice(0, MOST_OTHERS), isBegun: false, found: 0, inAnyForm: 0 };
  });
}

/**
 * The terms that at least one article has. A word that no article has in any form counts as the beginning of a longer word.
 * @param found how many articles have each term as typed
 */
async function counted(counting: Counting, terms: readonly Term[], found: readonly number[]): Promise<Term[]> {
  const { read, workspaceId, hidden } = counting;
  const tag = tagOf(workspaceId);
  const withForms = async (some: readonly Term[], found: readonly number[]): Promise<Term[]> => {
    const known = some.map((term, index) => ({ ...term, found: found[index] ?? 0, inAnyForm: found[index] ?? 0 }));
    const few = known.filter(({ forms, found }) => forms.length > 0 && found <= MOST_FOUND);
    const inAnyForm = await countsOf(
      read,
      few.map((term) => indexed(tag, term)),
      hidden,
      MOST_FOUND + 1,
    );
    for (const [index, term] of few.entries()) {
      term.inAnyForm = inAnyForm[index] ?? 0;
      term.found ||= term.inAnyForm;
    }
    return known;
  };
  const whole = await withForms(terms, found);
  const missing = whole.filter(({ inAnyForm }) => inAnyForm === 0).map((term) => ({ ...term, isBegun: true }));
  const beginnings = missing.map((term) => indexed(tag, { ...term, forms: [] }));
  const longer = await withForms(missing, await countsOfWords(counting, beginnings));
  return [...whole, ...longer].filter(({ found }) => found > 0);
}

interface Counting {
  read: Read;
  workspaceId: string;
  hidden: readonly string[];
}

const common = new LRUCache<string, number>({ max: 20_000, ttl: 60_000 });

/**
 * How many articles each query finds, up to MOST_COUNTED. Counts of common words take longest. They only weigh words, so they are
 * kept for a minute, even when an article is published.
 */
async function countsOfWords(
  { read, workspaceId, hidden }: Counting,
  queries: readonly string[],
  count = (others: readonly string[]) => countsOf(read, others, hidden, MOST_COUNTED),
): Promise<number[]> {
  const isKept = hidden.length === 0;
  const keyOf = (query: string) => `${workspaceId} ${query}`;
  const kept = queries.map((query) => (isKept ? common.get(keyOf(query)) : undefined));
  const others = queries.filter((_, index) => kept[index] === undefined);
  const found = await count(others);
  for (const [index, query] of others.entries()) {
    const one = found[index] ?? 0;
    if (one <= MOST_FOUND) continue;
    found[index] = rounded(one);
    if (isKept) common.set(keyOf(query), rounded(one));
  }
  return queries.map((_, index) => kept[index] ?? found.shift() ?? 0);
}

/** To a power of two, so that a changed or slightly outdated count rarely changes the order. */
const rounded = (count: number) => 2 ** Math.round(Math.log2(count));

/** A query, and what its match adds to the expected score of an article. */
interface Clue {
  query: string;
  weight: number;
  /** The words that a match has at least. */
  terms?: readonly Term[];
}

/** Queries for the articles to score, as described in search_some. */
function driversFor(tag: string, terms: readonly Term[], weightOf: (term: Term) => number) {
  const order = terms.toSorted((a, b) => a.inAnyForm - b.inAnyForm);
  const rare: Term[] = [];
  let room = MOST_FOUND;
  for (const term of order) {
    if (term.inAnyForm > room) break;
    room -= term.inAnyForm;
    rare.push(term);
  }
  const common = order.slice(rare.length);
  const asTyped = (term: Term): Clue => ({
    query: indexed(tag, { ...term, forms: [] }),
    weight: weightOf(term),
    terms: [term],
  });
  const inForms = (term: Term): Clue => ({
    query: indexed(tag, { ...term, ways: [] }),
    weight: CLUE * weightOf(term),
    terms: [term],
  });
  const inTitle = (term: Term): Clue => ({ query: titled(tag, term), weight: CLUE * weightOf(term), terms: [term] });
  const drivers = rare.flatMap((term) => (term.forms.length > 0 ? [asTyped(term), inForms(term)] : [asTyped(term)]));
  const combined = common.slice(0, MOST_COMBINED);
  const queries = combined.map((term) => indexed(tag, term));
  const least = rare.length > 0 ? 2 : 1;
  const weight = Math.min(...combined.map(weightOf));
  const levels = queries.slice(least - 1).map((_, index): Clue => {
    const count = queries.length - index;
    // Articles of a level are found again by all later ones.
    const terms = combined.slice(-count);
    return { query: atLeast(count, queries), weight: count === least ? least * weight : weight, terms };
  });
  return { drivers, levels, room, others: [...common.map(asTyped), ...terms.map(inTitle)] };
}

/** The weight of every set of words, by its bits. */
function reachesOf(weights: readonly number[]): number[] {
  const inSet = (set: number) => weights.filter((_, index) => set & (1 << index));
  return Array.from({ length: 1 << weights.length }, (_, set) => inSet(set).reduce((sum, weight) => sum + weight, 0));
}

/** A query for articles that match at least `count` of the queries. */
function atLeast(count: number, queries: readonly string[]): string {
  if (count === 1) return `(${queries.join(" | ")})`;
  if (count === queries.length) return `(${queries.join(" & ")})`;
  const [first, ...others] = queries;
  return `(${first} & ${atLeast(count - 1, others)} | ${atLeast(count, others)})`;
}

const sizes = new LRUCache<string, number>({ max: 10_000, ttl: 600_000 });

async function articlesIn(read: Read, workspaceId: string): Promise<number> {
  const kept = sizes.get(workspaceId);
  if (kept !== undefined) return kept;
  const [row] = await read<{ count: number }>("SELECT count(*)::int AS count FROM articles WHERE workspace_id = $1", [
    workspaceId,
  ]);
  const size = rounded(Math.max(row?.count ?? 1, 1));
  sizes.set(workspaceId, size);
  return size;
}

const quoted = (tag: string, mark: string, word: string, isBegun = false) =>
  `'${lexeme(tag, mark, word)}'${isBegun ? ":*" : ""}`;

/** Finds articles that have the term in any field. */
function indexed(tag: string, { ways, forms, isBegun }: Pick<Term, "ways" | "forms" | "isBegun">): string {
  const anywhere = (word: string) => {
    const isShort = isBegun && [...word].length <= BEGINNINGS;
    const marks = isShort ? [BEGINNING.content, BEGINNING.beside] : [MARKS.content, BESIDE];
    return `(${marks.map((mark) => quoted(tag, mark, word, isBegun)).join(" | ")})`;
  };
  const whole = ways.map((words) => words.flatMap(piecesOf));
  return `(${[...whole, ...forms.map((form) => [form])].map((pieces) => pieces.map(anywhere).join(" & ")).join(" | ")})`;
}

const typed = (tag: string, ways: Group) => indexed(tag, { ways, forms: [], isBegun: false });

const titled = (tag: string, term: Term) => anyOf(tag, [...piecesIn(term), ...term.forms], ["title"], term.isBegun);

function anyOf(tag: string, words: readonly string[], fields: readonly Field[], isBegun = false): string {
  return words.flatMap((word) => fields.map((field) => quoted(tag, MARKS[field], word, isBegun))).join(" | ");
}

/** A way of several words is weighed by its longest. */
function piecesIn({ ways }: Term): string[] {
  const longest = (words: QueryWord[]) => words.toSorted((a, b) => b.folded.length - a.folded.length)[0];
  return [...new Set(ways.flatMap((words) => piecesOf(longest(words) as QueryWord)))];
}

const piecesOf = ({ folded, dense }: QueryWord): string[] => (dense ? pairsOf(folded) : [folded]);

/** Words that stand side by side in the search, weighed by the more common of the two. */
function pairsIn(
  tag: string,
  { groups }: Query,
  terms: readonly Term[],
  weightOf: (term: Term) => number,
): { query: string; text: string; weight: number }[] {
  const termOf = (group: Group) => terms.find(({ ways }) => ways === group);
  return groups.flatMap((group, index) => {
    const previous = groups[index - 1] ?? [];
    const [before, first] = [previous[0]?.at(-1), group[0]?.[0]];
    const both = [termOf(previous), termOf(group)];
    if (!before || !first || before.dense || first.dense || first.at !== before.at + 1) return [];
    if (!both[0] || !both[1]) return [];
    return [
      {
        query: `'${pairLexeme(tag, before.folded, first.folded)}'`,
        text: `${before.folded} ${first.folded}`,
        weight: Math.min(weightOf(both[0]), weightOf(both[1])),
      },
    ];
  });
}
