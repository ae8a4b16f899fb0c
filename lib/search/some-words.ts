import { LRUCache } from "lru-cache";
import type { Read } from "@/lib/db";
import { documentedAs, isFiller } from "./everyday-words";
import { BESIDE, type Field, lexeme, MARKS, pairLexeme, tagOf } from "./lexemes";
import { type Group, phraseOf, type Query, type QueryWord } from "./query";
import { formsOf } from "./word-forms";
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

/** The rarest words of a long search stand for all. */
const MOST_TERMS = 8;
const MOST_FORMS = 4;
const MOST_FORMS_OF_SYNONYMS = 2;
const MOST_OTHERS = 10;
/** How many articles are scored at most, how many words are weighed in all of them, and how far the articles of a word are counted. */
const MOST_SCORED = 1_000;
const MOST_WEIGHED = 4_000;
const MOST_COUNTED = 10_000;
/** The maximum number of words whose combinations are looked up. */
const MOST_COMBINED = 4;
/** Of a search. A rare word outweighs a common one, but two common ones outweigh it. */
const RARITY = 0.7;

/** A word of the search and what stands for it. */
interface Term {
  ways: Group;
  /** Other forms and what documents say for it. */
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
  const terms = await termsOf(read, workspaceId, withoutFillers(query, language), language);
  const known = await counted(read, tag, terms, hidden);
  const chosen = known.sort((a, b) => a.found - b.found).slice(0, MOST_TERMS);
  if (chosen.length === 0 && whole.ids.length === 0) return [];
  const { drivers, levels, room } = driversFor(tag, chosen);
  const articles = await articlesIn(read, workspaceId);
  const weightOf = ({ found }: Term) => Math.log(1 + articles / found) ** rarity;
  const pairs = pairsIn(tag, query, known, weightOf);
  return read<Some>(
    `SELECT id, score FROM search_some($1::text[]::tsquery[], $2::text[]::tsquery[], $3, $4::uuid[], $5, $6::text[]::tsquery[],
       $7::text[]::tsquery[], $8::text[]::tsquery[], $9::text[]::tsquery[], $10::text[]::tsquery[], $11::text[]::tsquery[],
       $12::text[]::tsquery[], $13::real[], $14::text[]::tsquery[], $15::text[], $16::real[], $17::uuid[], $18::uuid[], $19)`,
    [
      drivers,
      levels,
      room,
      whole.ids,
      query.folded,
      whole.queries.flatMap((one) => waysToSay(phraseOf(tag, one).phrase)),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["content"], term.isBegun)),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["description", "slug", "category", "keywords"], term.isBegun)),
      chosen.map((term) => (term.ways.some((way) => way.length > 1) ? indexed(tag, { ...term, forms: [] }) : null)),
      chosen.map(({ forms }) => anyOf(tag, forms, ["content", "description"])),
      chosen.map((term) => anyOf(tag, piecesIn(term), ["content"], true)),
      chosen.map((term) => anyOf(tag, [...piecesIn(term), ...term.forms], ["title"], term.isBegun)),
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

/** For each group of a query, other forms of its word and what documents say for it, which count like in `someWords`. */
export async function formsIn(
  read: Read,
  workspaceId: string,
  query: Query,
  language: string,
): Promise<Map<Group, string[]>> {
  const terms = await termsOf(read, workspaceId, query, language);
  return new Map(terms.map(({ ways, forms }) => [ways, forms]));
}

function withoutFillers(query: Query, language: string): Query {
  const groups = query.groups.filter(
    (group) => !group.every((words) => words.every((w) => isFiller(w.folded, language))),
  );
  return groups.length > 0 ? { ...query, groups } : query;
}

async function termsOf(read: Read, workspaceId: string, { groups }: Query, language: string): Promise<Term[]> {
  const plain = (group: Group) =>
    group.flatMap(([word, ...more]) => (word && !word.dense && more.length === 0 ? [word.folded] : []));
  const words = groups.flatMap(plain);
  const forms = await formsOf(read, workspaceId, words, language);
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

/** Terms that articles have. A word that no article has in any form may be the beginning of one. */
async function counted(read: Read, tag: string, terms: readonly Term[], hidden: readonly string[]): Promise<Term[]> {
  const countAs = async (some: readonly Term[], most: number) =>
    countsOf(
      read,
      some.map((term) => indexed(tag, term)),
      hidden,
      most,
    );
  const count = async (some: readonly Term[]): Promise<Term[]> => {
    const found = await countAs(
      some.map((term) => ({ ...term, forms: [] })),
      MOST_COUNTED,
    );
    const known = some.map((term, index) => ({ ...term, found: found[index] ?? 0, inAnyForm: found[index] ?? 0 }));
    const few = known.filter(({ forms, found }) => forms.length > 0 && found <= MOST_SCORED);
    for (const [index, inAnyForm] of (await countAs(few, MOST_SCORED + 1)).entries()) {
      const term = few[index] as Term;
      term.inAnyForm = inAnyForm;
      term.found ||= inAnyForm;
    }
    return known;
  };
  const whole = await count(terms);
  const beginnings = whole.filter(({ inAnyForm }) => inAnyForm === 0).map((term) => ({ ...term, isBegun: true }));
  return [...whole, ...(await count(beginnings))].filter(({ found }) => found > 0);
}

/**
 * Queries that together find no more articles than are scored, among them those with the most weight: "drivers", one for each of the
 * rarest words, and "levels", for articles that have several of the others, from all of them to two. As many levels count as find no
 * more than "room".
 */
function driversFor(tag: string, terms: readonly Term[]): { drivers: string[]; levels: string[]; room: number } {
  const order = terms.toSorted((a, b) => a.inAnyForm - b.inAnyForm);
  const drivers: string[] = [];
  let room = Math.min(MOST_SCORED, Math.round(MOST_WEIGHED / terms.length));
  for (const term of order) {
    if (term.inAnyForm > room) break;
    room -= term.inAnyForm;
    drivers.push(indexed(tag, term));
  }
  const rest = order.slice(drivers.length, drivers.length + MOST_COMBINED).map((term) => indexed(tag, term));
  const levels = rest.slice(1).map((_, index) => atLeast(rest.length - index, rest));
  return { drivers, levels, room };
}

/** Articles that have at least so many of these. Far shorter than a list of all combinations. */
function atLeast(count: number, queries: readonly string[]): string {
  if (count === 1) return `(${queries.join(" | ")})`;
  if (count === queries.length) return `(${queries.join(" & ")})`;
  const middle = Math.ceil(queries.length / 2);
  const [first, second] = [queries.slice(0, middle), queries.slice(middle)];
  const ways: string[] = [];
  for (let here = Math.max(0, count - second.length); here <= Math.min(count, first.length); here++) {
    const sides = [here > 0 ? atLeast(here, first) : null, count > here ? atLeast(count - here, second) : null];
    ways.push(sides.filter((side) => side !== null).join(" & "));
  }
  return `(${ways.join(" | ")})`;
}

async function countsOf(read: Read, queries: string[], hidden: readonly string[], most: number): Promise<number[]> {
  if (queries.length === 0) return [];
  const rows = await read<{ found: number }>(
    "SELECT found::int FROM search_counts($1::text[]::tsquery[], $2, $3::uuid[]) ORDER BY query",
    [queries, most, hidden],
  );
  return rows.map(({ found }) => found);
}

const sizes = new LRUCache<string, number>({ max: 10_000, ttl: 600_000 });

/** Rounded to a power of two, so that one article more or less, or a count of some minutes ago, changes no order. */
async function articlesIn(read: Read, workspaceId: string): Promise<number> {
  const kept = sizes.get(workspaceId);
  if (kept !== undefined) return kept;
  const [row] = await read<{ count: number }>("SELECT count(*)::int AS count FROM articles WHERE workspace_id = $1", [
    workspaceId,
  ]);
  const size = 2 ** Math.round(Math.log2(Math.max(row?.count ?? 1, 1)));
  sizes.set(workspaceId, size);
  return size;
}

const quoted = (tag: string, mark: string, word: string, isBegun = false) =>
  `'${lexeme(tag, mark, word)}'${isBegun ? ":*" : ""}`;

/** Finds articles that have the term in any field. */
function indexed(tag: string, { ways, forms, isBegun }: Pick<Term, "ways" | "forms" | "isBegun">): string {
  const anywhere = (word: string) =>
    `(${quoted(tag, MARKS.content, word, isBegun)} | ${quoted(tag, BESIDE, word, isBegun)})`;
  const whole = ways.map((words) => words.flatMap(piecesOf));
  return `(${[...whole, ...forms.map((form) => [form])].map((pieces) => pieces.map(anywhere).join(" & ")).join(" | ")})`;
}

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
