import { BEGINNING, BEGINNINGS, BESIDE, FIELDS, type Field, lexeme, MARKS, pairLexeme, tagOf } from "./lexemes";
import { isSmallWord } from "./small-words";
import { pairsOf, type Word, wordsIn } from "./words";

export interface QueryWord {
  folded: string;
  /** In UTF-16 units. `at` counts words. */
  start: number;
  end: number;
  at: number;
  dense: boolean;
}

/** Alternatives, the typed one first. An article must have all words of one of them. */
export type Group = QueryWord[][];

export interface Query {
  /** All words that were typed. */
  folded: string;
  groups: Group[];
  /** All groups as typed, if small words or words after the tenth were dropped. */
  spoken?: Group[];
}

/** Limits of a search: different words (contract 2), words read with the small ones, characters of dense words. */
const MOST_WORDS = 10;
export const MOST_READ = 30;
export const MOST_CHARACTERS = 40;

type TypedWord = QueryWord & Pick<Word, "glue">;

/**
 * Parses a search. A text without a letter or digit gives no groups.
 * @param most different words that are read; twice as many with repeated ones
 */
export function parseQuery(text: string, most = MOST_WORDS): Query {
  const words = Array.from(wordsIn(text), (word, at): TypedWord => ({ ...word, at }));
  const telling = words.filter((word) => !isGrammar(word, words));
  const meant = telling.length > 0 ? telling : words;
  const counted = new Set([...new Set(meant.map(({ folded }) => folded))].slice(0, most));
  const compounds = compoundsOf(meant.filter(({ folded }) => counted.has(folded)));
  const groups = new Map<string, Group>();
  let [left, characters] = [2 * most, MOST_CHARACTERS];
  for (const [index, compound] of compounds.entries()) {
    const group = waysOf(compound, compounds[index - 1] ?? []);
    const form = group.map(formOf).join("|");
    if (groups.has(form)) continue;
    left -= group[0]?.length ?? 0;
    if (left < 0) break;
    const [word] = compound;
    if (!word?.dense) groups.set(form, group);
    else if (characters > 0) {
      const kept = [...word.folded].slice(0, characters);
      characters -= kept.length;
      groups.set(form, [[{ ...word, folded: kept.join("") }]]);
    }
  }
  return { folded: formOf(words), groups: [...groups.values()] };
}

export function formOf(words: readonly QueryWord[]): string {
  return words.map(({ folded }) => folded).join(" ");
}

export function formOfGroups(groups: readonly Group[]): string {
  return formOf(groups.flatMap(([words = []]) => words));
}

function compoundsOf(words: readonly TypedWord[]): TypedWord[][] {
  const compounds: TypedWord[][] = [];
  for (const word of words) {
    const before = compounds.at(-1)?.at(-1);
    const isJoined = word.glue !== null && !word.dense && !before?.dense && before?.at === word.at - 1;
    if (isJoined) compounds.at(-1)?.push(word);
    else compounds.push([word]);
  }
  return compounds;
}

/** Alternatives for a compound: its words apart, joined, or joined with a single letter before it ("e mail" finds "email"). */
function waysOf(compound: TypedWord[], before: readonly TypedWord[]): Group {
  const [first, last] = [compound[0] as TypedWord, compound.at(-1) as TypedWord];
  const written = (folded: string, { start, at }: TypedWord) => [{ folded, start, end: last.end, at, dense: false }];
  const joined = compound
    .slice(0, MOST_WORDS)
    .map(({ folded }) => folded)
    .join("");
  const isFirst = ({ folded, at }: TypedWord) => compound.find((word) => word.folded === folded)?.at === at;
  const group: Group = [compound.filter(isFirst)];
  if (compound.length > 1) group.push(written(joined, first));
  const letter = before.length === 1 && before[0]?.at === first.at - 1 ? before[0] : null;
  const isShort = first.folded.length <= 2 || (compound.length === 1 && isSmallWord(first.folded));
  if (letter && /^[a-z]$/.test(letter.folded) && !first.dense && !isShort)
    group.push(written(letter.folded + joined, letter));
  return group;
}

function isGrammar(word: TypedWord, words: readonly TypedWord[]): boolean {
  if (words.length < 2) return false;
  if (word.dense) return /^\p{Script=Hiragana}$/u.test(word.folded);
  if (!/^[a-z]{1,2}$/.test(word.folded)) return false;
  const [before, after] = [words[word.at - 1], words[word.at + 1]];
  return after?.glue === "apostrophe"
    ? after.folded.length > 2
    : word.glue === "apostrophe" && (before?.folded.length ?? 0) > 2;
}

/** Drops the language's small words, unless the query has no others, and the words after the tenth of those that are left. */
export function withoutSmallWords(query: Query, language: string): Query {
  const isSmall = (group: Group) =>
    group.every((words) => words.every(({ folded, dense }) => !dense && isSmallWord(folded, language))) ||
    // "I'm" is as small as "im".
    ((group[0]?.length ?? 0) > 1 && isSmallWord((group[0] ?? []).map(({ folded }) => folded).join(""), language));
  const telling = query.groups.filter((group) => !isSmall(group));
  const groups = (telling.length > 0 ? telling : query.groups).slice(0, MOST_WORDS);
  return groups.length === query.groups.length ? query : { ...query, groups, spoken: query.groups };
}

/** In the language of tsquery. */
export interface Stage {
  query: string;
  near: string;
  phrase: string;
  /** Neighbors, which an index without positions can look up. */
  pairs: string | null;
  /** Set only in stages that want all words in the title. */
  title: string | null;
}

/**
 * For each query, the fields that an article needs to have all its words, heaviest first. An article is in the first that fits.
 * @param queries the typed one first, then alternatives such as a corrected spelling
 * @returns also the union of all stages
 */
export function stagesOf(workspaceId: string, queries: readonly Query[]): { all: string; stages: Stage[] } {
  const tag = tagOf(workspaceId);
  const stages: Stage[] = [];
  const done: string[] = [];
  for (const query of queries) {
    let lighter = done;
    for (const [index, field] of FIELDS.entries()) {
      // Short beginnings are indexed for title and content only.
      if (field === "description" && hasShort(query)) continue;
      const allowed = FIELDS.slice(0, index + 1);
      const wanted = queryIn(tag, query, allowed);
      const whole = field === "title" ? wholeWord(tag, query) : null;
      for (const part of whole ? [whole, wanted] : [wanted]) {
        stages.push({
          query: [part, ...lighter.map((earlier) => `!(${earlier})`)].join(" & "),
          near: queryIn(tag, query, allowed, true),
          ...phraseOf(tag, query),
          title: field === "title" ? query.folded : null,
        });
        lighter = [...lighter, part];
      }
      lighter = [...done, wanted];
    }
    done.push(everywhere(tag, query));
  }
  return { all: done.map((query) => `(${query})`).join(" | "), stages };
}

/** A stage of its own for titles with the whole word saves comparing every title with a frequent beginning. */
function wholeWord(tag: string, { groups }: Query): string | null {
  const [word, ...others] = groups[0]?.[0] ?? [];
  if (groups.length > 1 || !word || others.length > 0 || word.dense) return null;
  return literal(tag, MARKS.title, word.folded, true);
}

export function everywhere(tag: string, query: Query): string {
  return query.groups.map((group) => oneOf(group, (word) => wordAnywhere(tag, word))).join(" & ");
}

/** The tsquery for title and text (contract 18), or null for a text without a letter or digit. */
export function textQuery(workspaceId: string, text: string): string | null {
  const query = parseQuery(text);
  return query.groups.length > 0 ? queryIn(tagOf(workspaceId), query, ["title", "content"]) : null;
}

/** @param placed for phrases and closeness: beginnings have no position */
export function queryIn(tag: string, query: Query, fields: readonly Field[], placed = false): string {
  return query.groups.map((group) => groupIn(tag, group, fields, placed)).join(" & ");
}

function groupIn(tag: string, group: Group, fields: readonly Field[], placed: boolean): string {
  return oneOf(group, (word) => wordIn(tag, word, fields, placed));
}

function oneOf(group: Group, format: (word: QueryWord) => string): string {
  return `(${group.map((words) => words.map(format).join(" & ")).join(" | ")})`;
}

function wordAnywhere(tag: string, word: QueryWord): string {
  return piecesOf(word)
    .map(({ piece, exact }) =>
      isShort(piece, exact)
        ? `(${literal(tag, BEGINNING.content, piece, true)} | ${literal(tag, BEGINNING.beside, piece, true)})`
        : `(${literal(tag, MARKS.content, piece, exact)} | ${literal(tag, BESIDE, piece, exact)})`,
    )
    .join(" & ");
}

const hasShort = ({ groups }: Query) =>
  groups.some((group) =>
    group.some((words) => words.some((word) => piecesOf(word).some((p) => isShort(p.piece, p.exact)))),
  );

const isShort = (piece: string, exact: boolean) => !exact && [...piece].length <= BEGINNINGS;

export function wordInField(tag: string, word: QueryWord, field: Field): string {
  return wordIn(tag, word, [field], false);
}

function wordIn(tag: string, word: QueryWord, fields: readonly Field[], placed: boolean): string {
  const marked = fields.filter((field) => field !== "title" || !fields.includes("content"));
  return piecesOf(word)
    .map(({ piece, exact }) => {
      const isPrefix = !placed && isShort(piece, exact);
      const ways = marked.map((field) =>
        isPrefix && (field === "title" || field === "content")
          ? literal(tag, BEGINNING[field], piece, true)
          : literal(tag, MARKS[field], piece, exact),
      );
      return `(${ways.join(" | ")})`;
    })
    .join(" & ");
}

function piecesOf({ folded, dense }: QueryWord): { piece: string; exact: boolean }[] {
  if (!dense) return [{ piece: folded, exact: false }];
  return pairsOf(folded).map((piece) => ({ piece, exact: [...piece].length > 1 }));
}

function literal(tag: string, mark: string, word: string, exact: boolean): string {
  return `'${lexeme(tag, mark, word)}'${exact ? "" : ":*"}`;
}

export function phraseOf(tag: string, query: Query): { phrase: string; pairs: string | null } {
  let phrase = "";
  const pairs: string[] = [];
  let before: { piece: string; at: number } | undefined;
  for (const word of (query.spoken ?? query.groups).flatMap(([words = []]) => words)) {
    for (const [index, { piece, exact }] of piecesOf(word).entries()) {
      const next = literal(tag, MARKS.content, piece, exact);
      const distance = before && index === 0 ? Math.max(1, word.at - before.at) : 1;
      phrase = before ? `${phrase} <${distance}> ${next}` : next;
      if (before && distance === 1) pairs.push(`'${pairLexeme(tag, before.piece, piece)}'`);
      before = { piece, at: word.at };
    }
  }
  return { phrase, pairs: pairs.length > 0 ? pairs.join(" & ") : null };
}
