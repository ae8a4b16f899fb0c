import type { Read } from "@/lib/db";
import { documentedAs, isFiller } from "./everyday-words";
import { BESIDE, FIELDS, type Field, lexeme, MARKS, pairLexeme, tagOf } from "./lexemes";
import { everywhere, type Group, nearIn, phraseOf, type Query } from "./query";
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
  /** Articles with all words of one of these come first, in the order of these, then those that have the words in other forms. */
  whole?: readonly Query[];
  leaveOut?: readonly string[];
  hidden?: readonly string[];
  limit: number;
}

/** The rarest words of a long search stand for all. */
const MOST_TERMS = 8;
const MOST_FORMS = 4;
const MOST_FORMS_OF_SYNONYMS = 2;
const MOST_OTHERS = 10;
/** How many articles are scored at most, and how far the articles of a word are counted. */
const MOST_SCORED = 1_000;
const MOST_COUNTED = 10_000;
/** The maximum number of words whose combinations are looked up. */
const MOST_COMBINED = 6;

/** A word of the search and its alternatives. */
interface Term {
  words: string[];
  forms: string[];
  dense: boolean;
  found: number;
}

/**
 * Published articles that have some words of a query, best first (contract 2). Rarer words weigh more; other forms of a word and
 * what documents say for it count for less. Empty when no article has any.
 */
export async function someWords(
  read: Read,
  workspaceId: string,
  query: Query,
  { language, whole = [], leaveOut = [], hidden = [], limit }: SomeOptions,
): Promise<Some[]> {
  const tag = tagOf(workspaceId);
  const terms = await termsOf(read, workspaceId, withoutFillers(query, language), language);
  const known = await counted(read, tag, terms, hidden);
  const chosen = known.sort((a, b) => a.found - b.found).slice(0, MOST_TERMS);
  const inAnyForm = terms.map((term) => indexed(tag, term)).join(" & ");
  const [inForms = 0] = await countsOf(read, [inAnyForm], hidden, MOST_SCORED);
  const typed = whole.map((one) => `(${everywhere(tag, one)})`);
  const wholes = inForms > 0 && inForms < MOST_SCORED ? [...typed, inAnyForm] : typed;
  const drivers = [...(await driversFor(read, tag, chosen, hidden)), ...wholes];
  if (drivers.length === 0) return [];
  const articles = await articlesIn(read);
  return read<Some>(
    `SELECT id, score FROM search_some($1::text[]::tsquery[], $2::text[]::tsquery[], $3::text[]::tsquery[], $4, $5::text[]::tsquery[],
       $6::text[]::tsquery[], $7::text[]::tsquery[], $8::text[]::tsquery[], $9::real[], $10::text[]::tsquery[], $11::uuid[],
       $12::uuid[], $13)`,
    [
      drivers,
      wholes,
      wholes.map((_, index) => nearIn(tag, whole[index] ?? query)),
      query.folded,
      whole.map((one) => phraseOf(tag, one).phrase),
      chosen.map(({ words, dense }) => anyOf(tag, words, FIELDS, dense)),
      chosen.map(({ forms }) => anyOf(tag, forms, ["content", "description"])),
      chosen.map(({ words, forms, dense }) => anyOf(tag, [...words, ...forms], ["title"], dense)),
      chosen.map(({ found }) => Math.log(1 + articles / found)),
      pairsIn(tag, query),
      leaveOut,
      hidden,
      limit,
    ],
  );
}

function withoutFillers(query: Query, language: string): Query {
  const groups = query.groups.filter(
    (group) => !group.every((words) => words.every((w) => isFiller(w.folded, language))),
  );
  return groups.length > 0 ? { ...query, groups } : query;
}

async function termsOf(read: Read, workspaceId: string, { groups }: Query, language: string): Promise<Term[]> {
  const terms = groups.map((group) => ({ words: wordsIn(group), dense: group[0]?.[0]?.dense ?? false }));
  const plain = terms.flatMap(({ words, dense }) => (dense ? [] : words));
  const forms = await formsOf(read, workspaceId, plain, language);
  // "paying" means what "pay" does, which is a form of it.
  const synonymsOf = (word: string) => [word, ...(forms.get(word) ?? [])].flatMap((one) => documentedAs(one, language));
  const formsOfSynonyms = await formsOf(read, workspaceId, [...new Set(plain.flatMap(synonymsOf))], language);
  return terms.map(({ words, dense }) => {
    if (dense) return { words, forms: [], dense, found: 0 };
    const own = words.flatMap((word) => forms.get(word) ?? []).slice(0, MOST_FORMS);
    const synonyms = [...new Set(words.flatMap(synonymsOf))].slice(0, MOST_FORMS);
    const theirs = synonyms.flatMap((word) => (formsOfSynonyms.get(word) ?? []).slice(0, MOST_FORMS_OF_SYNONYMS));
    const others = new Set([...own, ...synonyms, ...theirs]);
    for (const word of words) others.delete(word);
    return { words, forms: [...others].slice(0, MOST_OTHERS), dense, found: 0 };
  });
}

/** A way of several words counts by its longest. */
function wordsIn(group: Group): string[] {
  const ways = group.map((words) => [...words].sort((a, b) => b.folded.length - a.folded.length)[0]?.folded ?? "");
  return [...new Set(ways)].filter(Boolean);
}

/** Terms that articles have, with how many have the words themselves, or one of the forms if none has. */
async function counted(read: Read, tag: string, terms: Term[], hidden: readonly string[]): Promise<Term[]> {
  const queries = terms.flatMap((term) => [indexed(tag, { ...term, forms: [] }), indexed(tag, term)]);
  const found = await countsOf(read, queries, hidden, MOST_COUNTED);
  return terms
    .map((term, index) => ({ ...term, found: found[2 * index] || found[2 * index + 1] || 0 }))
    .filter((term) => term.found > 0);
}

/**
 * Queries that together find at most MOST_SCORED articles, among them those with the most weight: one for each of the rarest
 * words, and one for articles that have several of the others.
 */
async function driversFor(
  read: Read,
  tag: string,
  terms: readonly Term[],
  hidden: readonly string[],
): Promise<string[]> {
  const queries = terms.map((term) => indexed(tag, term));
  const sizes = await countsOf(read, queries, hidden, MOST_SCORED + 1);
  const order = [...queries.keys()].sort((a, b) => (sizes[a] as number) - (sizes[b] as number));
  const drivers: string[] = [];
  let room = MOST_SCORED;
  for (const index of order) {
    const size = sizes[index] as number;
    if (size > room) break;
    room -= size;
    drivers.push(queries[index] as string);
  }
  const rest = order.slice(drivers.length, drivers.length + MOST_COMBINED).map((index) => queries[index] as string);
  const levels = rest.slice(1).map((_, index) => `(${combinations(rest, index + 2).join(" | ")})`);
  const found = await countsOf(read, levels, hidden, room + 1);
  const level = found.findIndex((count) => count > 0 && count <= room);
  return level < 0 ? drivers : [...drivers, levels[level] as string];
}

function combinations(queries: readonly string[], size: number): string[] {
  if (size === 1) return [...queries];
  return queries.flatMap((query, index) =>
    combinations(queries.slice(index + 1), size - 1).map((others) => `${query} & ${others}`),
  );
}

async function countsOf(read: Read, queries: string[], hidden: readonly string[], most: number): Promise<number[]> {
  if (queries.length === 0 || queries[0] === "") return [];
  const rows = await read<{ found: number }>(
    "SELECT found::int FROM search_counts($1::text[]::tsquery[], $2, $3::uuid[]) ORDER BY query",
    [queries, most, hidden],
  );
  return rows.map(({ found }) => found);
}

/** Rounded to a power of two, so that one article more or less changes no order. */
async function articlesIn(read: Read): Promise<number> {
  const [row] = await read<{ count: number }>(
    "SELECT count(*)::int AS count FROM articles WHERE workspace_id = current_setting('app.workspace_id')::uuid",
  );
  return 2 ** Math.round(Math.log2(Math.max(row?.count ?? 1, 1)));
}

const quoted = (tag: string, mark: string, word: string) => `'${lexeme(tag, mark, word)}'`;

/** Finds articles that have the term in any field, as whole words. */
function indexed(tag: string, { words, forms, dense }: Term): string {
  const anywhere = (word: string) => `(${quoted(tag, MARKS.content, word)} | ${quoted(tag, BESIDE, word)})`;
  return `(${[...words, ...forms].map((word) => piecesOf(word, dense).map(anywhere).join(" & ")).join(" | ")})`;
}

function anyOf(tag: string, words: readonly string[], fields: readonly Field[], dense = false): string {
  const marked = fields.filter((field) => field !== "title" || fields.length === 1);
  return words
    .flatMap((word) => piecesOf(word, dense))
    .flatMap((piece) => marked.map((field) => quoted(tag, MARKS[field], piece)))
    .join(" | ");
}

const piecesOf = (word: string, dense: boolean): string[] => (dense ? pairsOf(word) : [word]);

/** Words that stand side by side in the search. */
function pairsIn(tag: string, { groups }: Query): string[] {
  return groups.flatMap(([words], index) => {
    const [before, first] = [groups[index - 1]?.[0]?.at(-1), words?.[0]];
    if (!before || !first || before.dense || first.dense || first.at !== before.at + 1) return [];
    return [`'${pairLexeme(tag, before.folded, first.folded)}'`];
  });
}
