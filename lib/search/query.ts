import { BEGINNING, BEGINNINGS, BESIDE, FIELDS, type Field, lexeme, MARKS, pairLexeme, tagOf } from "./lexemes";
import { isSmallWord } from "./small-words";
import { pairsOf, type Word, wordsIn } from "./words";

/** A word of a query. */
export interface QueryWord {
  folded: string;
  /** Where it stands in the text, in UTF-16 units; and how many words come before it. */
  start: number;
  end: number;
  at: number;
  /** Dense words are found by their pairs of characters, others by their beginning. */
  dense: boolean;
}

/** Ways of saying one thing, of which an article must have one: all the words of it. The first is as it was asked. */
export type Group = QueryWord[][];

/** A search, read: an article must have every group. */
export interface Query {
  /** The text's words, joined by blanks as a document's title is. */
  folded: string;
  groups: Group[];
}

/**
 * The most different words of a search that count (contract 2); how many these may be in all, where hyphenated ones share
 * parts; and of dense words, the most characters of all together.
 */
const MOST_WORDS = 10;
const MOST_REPEATED = 20;
const MOST_CHARACTERS = 40;

/** A word of a search, and how it is joined to the one before. */
type Asked = QueryWord & Pick<Word, "glue">;

/** Reads the text of a search. A text without a letter or digit gives no groups. */
export function parseQuery(text: string): Query {
  const words = Array.from(wordsIn(text), (word, at): Asked => ({ ...word, at }));
  const telling = words.filter((word) => !isGrammar(word, words));
  const meant = telling.length > 0 ? telling : words;
  const counted = new Set([...new Set(meant.map(({ folded }) => folded))].slice(0, MOST_WORDS));
  const compounds = compoundsOf(meant.filter(({ folded }) => counted.has(folded)));
  const groups = new Map<string, Group>();
  let [left, characters] = [MOST_REPEATED, MOST_CHARACTERS];
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

/** Words, joined by blanks as a document's title is. */
export function formOf(words: readonly QueryWord[]): string {
  return words.map(({ folded }) => folded).join(" ");
}

/** The same of the groups' words, as they were asked. */
export function formOfGroups(groups: readonly Group[]): string {
  return formOf(groups.flatMap(([words = []]) => words));
}

/** Words in order: those that hyphens or apostrophes join together, the others alone. */
function compoundsOf(words: readonly Asked[]): Asked[][] {
  const compounds: Asked[][] = [];
  for (const word of words) {
    const before = compounds.at(-1)?.at(-1);
    const isJoined = word.glue !== null && !word.dense && !before?.dense && before?.at === word.at - 1;
    if (isJoined) compounds.at(-1)?.push(word);
    else compounds.push([word]);
  }
  return compounds;
}

/**
 * The ways to say a compound: its words apart, or written together; and that together with a letter that stands before it,
 * which so has a group of its own: "e" and "mail" or "email" for "e mail", and a word of a question in "do i know".
 */
function waysOf(compound: Asked[], before: readonly Asked[]): Group {
  const [first, last] = [compound[0] as Asked, compound.at(-1) as Asked];
  const written = (folded: string, { start, at }: Asked) => [{ folded, start, end: last.end, at, dense: false }];
  const joined = compound
    .slice(0, MOST_WORDS)
    .map(({ folded }) => folded)
    .join("");
  const isFirst = ({ folded, at }: Asked) => compound.find((word) => word.folded === folded)?.at === at;
  const group: Group = [compound.filter(isFirst)];
  if (compound.length > 1) group.push(written(joined, first));
  const letter = before.length === 1 && before[0]?.at === first.at - 1 ? before[0] : null;
  const isShort = first.folded.length <= 2 || (compound.length === 1 && isSmallWord(first.folded));
  if (letter && /^[a-z]$/.test(letter.folded) && !first.dense && !isShort)
    group.push(written(letter.folded + joined, letter));
  return group;
}

/** What joins words rather than being one: a single kana between other words, and the short side of an apostrophe. */
function isGrammar(word: Asked, words: readonly Asked[]): boolean {
  if (words.length < 2) return false;
  if (word.dense) return /^\p{Script=Hiragana}$/u.test(word.folded);
  if (!/^[a-z]{1,2}$/.test(word.folded)) return false;
  const [before, after] = [words[word.at - 1], words[word.at + 1]];
  return after?.glue === "apostrophe"
    ? after.folded.length > 2
    : word.glue === "apostrophe" && (before?.folded.length ?? 0) > 2;
}

/** Whether a part of a query is of small words only. */
function isSmall(group: Group): boolean {
  return group.every((words) => words.every(({ folded, dense }) => !dense && isSmallWord(folded)));
}

/**
 * The query without its small words: what is left of a question that nothing has all the words of. Of small words alone,
 * any will do.
 * @returns null when that is the same query
 */
export function withoutSmallWords(query: Query): Query | null {
  const groups = query.groups.filter((group) => !isSmall(group));
  if (groups.length === query.groups.length) return null;
  if (groups.length > 0) return { folded: formOfGroups(groups), groups };
  return query.groups.length > 1 ? { ...query, groups: [query.groups.flat()] } : null;
}

/** How an article is found: in the language of tsquery, for the words of one workspace. */
export interface Stage {
  /** Excludes what earlier stages have. */
  query: string;
  /** For closeness: the words where they stand. */
  near: string;
  phrase: string;
  /** What most often has the phrase, for an index that knows no places; null for one word. */
  pairs: string | null;
  /** The folded text in the stage that wants all words in the title, else null. */
  title: string | null;
}

/**
 * The stages of a search: for each query the fields, heaviest first, that must be allowed for an article to have all its
 * words. An article is in one stage only: the first it fits in.
 * @param queries as asked first; then others that also find something, like a corrected spelling
 * @param isAnew as of everywhere
 * @returns also the query of all stages together
 */
export function stagesOf(
  workspaceId: string,
  queries: readonly Query[],
  isAnew = true,
): { all: string; stages: Stage[] } {
  const tag = tagOf(workspaceId);
  const stages: Stage[] = [];
  const done: string[] = [];
  for (const query of queries) {
    // Small words stand everywhere: how close they are says nothing, and takes longest to find out.
    const meant = query.groups.every(isSmall)
      ? query
      : { ...query, groups: query.groups.filter((group) => !isSmall(group)) };
    let lighter = done;
    for (const [index, field] of FIELDS.entries()) {
      const allowed = FIELDS.slice(0, index + 1);
      const wanted = queryIn(tag, query, allowed);
      const whole = field === "title" ? wholeWord(tag, query) : null;
      for (const part of whole ? [whole, wanted] : [wanted]) {
        stages.push({
          query: [part, ...lighter.map((earlier) => `!(${earlier})`)].join(" & "),
          near: queryIn(tag, meant, allowed, true),
          ...phraseOf(tag, query),
          title: field === "title" ? query.folded : null,
        });
        lighter = [...lighter, part];
      }
      lighter = [...done, wanted];
    }
    done.push(everywhere(tag, query, isAnew));
  }
  return { all: done.map((query) => `(${query})`).join(" | "), stages };
}

/**
 * Titles that have the one word of a query whole, which come before those that have a longer one that begins so: a stage of
 * their own, so that of a word that most titles have a beginning of not all are compared. Null for other queries.
 */
function wholeWord(tag: string, { groups }: Query): string | null {
  const [word, ...others] = groups[0]?.[0] ?? [];
  if (groups.length > 1 || !word || others.length > 0 || word.dense) return null;
  return literal(tag, MARKS.title, word.folded, true);
}

/**
 * The query in any field.
 * @param isAnew whether the documents have the form of now; those of form 1 know nothing of BESIDE
 */
export function everywhere(tag: string, query: Query, isAnew: boolean): string {
  if (!isAnew) return queryIn(tag, query, FIELDS);
  return query.groups.map((group) => oneOf(group, (word) => wordAnywhere(tag, word))).join(" & ");
}

/** The tsquery for title and text alone (contract 18); null for a text without a letter or digit. */
export function textQuery(workspaceId: string, text: string): string | null {
  const query = parseQuery(text);
  return query.groups.length > 0 ? queryIn(tagOf(workspaceId), query, ["title", "content"]) : null;
}

/** @param placed for what is asked where the words stand: beginnings stand nowhere */
function queryIn(tag: string, query: Query, fields: readonly Field[], placed = false): string {
  return query.groups.map((group) => groupIn(tag, group, fields, placed)).join(" & ");
}

function groupIn(tag: string, group: Group, fields: readonly Field[], placed: boolean): string {
  return oneOf(group, (word) => wordIn(tag, word, fields, placed));
}

function oneOf(group: Group, asked: (word: QueryWord) => string): string {
  return `(${group.map((words) => words.map(asked).join(" & ")).join(" | ")})`;
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

/** Whether the index has what begins so as an entry of its own. */
const isShort = (piece: string, exact: boolean) => !exact && [...piece].length <= BEGINNINGS;

/** A word of the content is also one of the title, so those two need one mark. */
function wordIn(tag: string, word: QueryWord, fields: readonly Field[], placed: boolean): string {
  const marked = fields.filter((field) => field !== "title" || fields.length === 1);
  return piecesOf(word)
    .map(({ piece, exact }) => {
      const isBegun = !placed && isShort(piece, exact);
      const ways = marked.map((field) =>
        isBegun && (field === "title" || field === "content")
          ? literal(tag, BEGINNING[field], piece, true)
          : literal(tag, MARKS[field], piece, exact),
      );
      return `(${ways.join(" | ")})`;
    })
    .join(" & ");
}

/** The pairs of a dense word; a word or a single character as a beginning. */
function piecesOf({ folded, dense }: QueryWord): { piece: string; exact: boolean }[] {
  if (!dense) return [{ piece: folded, exact: false }];
  return pairsOf(folded).map((piece) => ({ piece, exact: [...piece].length > 1 }));
}

function literal(tag: string, mark: string, word: string, exact: boolean): string {
  return `'${lexeme(tag, mark, word)}'${exact ? "" : ":*"}`;
}

/** The words as asked, each as far from the one before as in the query; and those that are neighbours, by their pairs. */
function phraseOf(tag: string, query: Query): { phrase: string; pairs: string | null } {
  let phrase = "";
  const pairs: string[] = [];
  let before: { piece: string; at: number } | undefined;
  for (const word of query.groups.flatMap(([asked = []]) => asked)) {
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
