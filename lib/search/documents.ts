import { setImmediate } from "node:timers/promises";
import { BEGINNING, BEGINNINGS, BESIDE, type Field, hashOfPair, lexeme, lexemeOfPair, MARKS, tagOf } from "./lexemes";
import { type Part, pairsOf, partsOf, wordsIn, wordsOf } from "./words";

export interface SearchDocument {
  /** Folded words, joined by blanks. */
  title: string;
  words: string;
  /** Words that corrections may suggest: folded, and in lower case with accents. */
  vocabulary: { word: string; spelling: string }[];
}

export interface SearchedArticle {
  title: string;
  text: string;
  metaDescription: string | null;
  slug: string;
  categoryName: string;
  keywords: readonly string[];
}

/** Limits of a tsvector. */
const LAST_POSITION = 16_383;
const MOST_POSITIONS = 255;
/** Far apart, so that closeness is never counted across fields. */
const PLACES: Record<Field, { from: number; to: number; label: string }> = {
  title: { from: 1, to: 500, label: "A" },
  slug: { from: 600, to: 700, label: "C" },
  category: { from: 800, to: 1_000, label: "D" },
  keywords: { from: 1_100, to: 1_900, label: "D" },
  content: { from: 2_000, to: 15_900, label: "B" },
  description: { from: 16_000, to: LAST_POSITION, label: "C" },
};
/** A tsvector holds at most a megabyte. Words beyond this are not found. */
const MOST_BYTES = 1_000_000;
/** The bytes that a pair takes in a tsvector. All pairs take the same. */
const PAIR_BYTES = 12;
/** The characters of a printed pair, with the blank before it. */
const PRINTED_PAIR = " 'abpxyz'".length;
/** Reserved for the fields after the content. */
const KEPT_BYTES = 200_000;
/** In characters. A tsvector cannot hold much more. */
export const SEARCHED_CHARACTERS = 300_000;
export const VOCABULARY = { shortest: 3, longest: 60 };

/** Forms of words that are visited before others get their turn. */
const STEP = 2_000;

/** The search document of an article. A very long text is cut. Each word carries the workspace's tag. */
export async function searchDocument(workspaceId: string, article: SearchedArticle): Promise<SearchDocument> {
  return finishDocument(await startDocument(workspaceId, article), article);
}

/** A search document of title and text, before the other fields. Plain data, so that threads can send it. */
export interface StartedDocument extends Pick<SearchedArticle, "title" | "text"> {
  /** The workspace's (`tagOf`). */
  tag: string;
  /** In the text format of tsvector. */
  words: string;
  /** The bytes that `words` takes in a tsvector. */
  bytes: number;
  /** Lexemes of neighboring words in the text format of tsvector, each after a blank. */
  pairs: string;
  /** Words and spellings in turn, joined by blanks: threads send one text much faster than many. */
  vocabulary: string;
}

/** Starts a search document with title and text. A long text takes a second of CPU time, so requests call `startedDocument` (lib/threads/pool.ts). */
export async function startDocument(
  workspaceId: string,
  { title, text }: Pick<SearchedArticle, "title" | "text">,
): Promise<StartedDocument> {
  const tag = tagOf(workspaceId);
  const vocabulary = new Map<string, string>();
  const lexemes = new Lexemes();
  const pairs = new Set<number>();

  const read = async (field: "title" | "content", text: string) => {
    const { from, to, label } = PLACES[field];
    const most = field === "content" ? MOST_BYTES - KEPT_BYTES : MOST_BYTES;
    let last = "";
    let lastAt = Number.NaN;
    // Most words of a text repeat. Only their place is new then.
    const known = new Map<string, string[] | undefined>();
    const put = (word: string, at: number, isWhole: boolean) => {
      const place = `${Math.min(from + at, to)}${label}`;
      const places = known.get(word);
      if (places) lexemes.putAgain(places, most, place);
      else if (!known.has(word)) {
        known.set(word, lexemes.put(lexeme(tag, MARKS.content, word), most, place));
        if (field === "title") lexemes.put(lexeme(tag, MARKS.title, word), most);
        for (const beginning of beginningsOf(word)) {
          lexemes.put(lexeme(tag, BEGINNING.content, beginning), most);
          if (field === "title") lexemes.put(lexeme(tag, BEGINNING.title, beginning), most);
        }
      }
      if (!isWhole) return;
      if (lastAt === at - 1) pairs.add(hashOfPair(last, word));
      last = word;
      lastAt = at;
    };
    for (const _ of indexing(text, vocabulary, put)) await setImmediate();
  };
  await read("title", title);
  await read("content", text.slice(0, SEARCHED_CHARACTERS));
  const learned = Array.from(vocabulary, ([word, spelling]) => `${word} ${spelling}`).join(" ");
  const started = { tag, title, text, words: lexemes.printed(), bytes: lexemes.bytes };
  const ofPairs = Array.from(pairs, (hash) => ` '${lexemeOfPair(tag, hash)}'`).join("");
  return { ...started, pairs: ofPairs, vocabulary: learned };
}

/** Adds the other fields. Its input stays as it is, because a repeated transaction finishes again. */
export function finishDocument(
  { tag, title, words, bytes, pairs, vocabulary: started }: StartedDocument,
  { metaDescription, slug, categoryName, keywords }: Omit<SearchedArticle, "title" | "text">,
): SearchDocument {
  const vocabulary = new Map<string, string>();
  const learned = started === "" ? [] : started.split(" ");
  for (let at = 0; at < learned.length; at += 2) vocabulary.set(learned[at] as string, learned[at + 1] as string);
  const lexemes = new Lexemes(bytes);
  // Every second part lies between quotes.
  const heavier = new Set(words.split("'").filter((_, index) => index % 2 === 1));
  const has = (key: string) => heavier.has(key) || lexemes.has(key);
  const read = (field: keyof typeof HEAVIER, text: string) => {
    const { from, to, label } = PLACES[field];
    const put = (word: string, at: number) => {
      if (HEAVIER[field].some((mark) => has(lexeme(tag, mark, word)))) return;
      lexemes.put(lexeme(tag, MARKS[field], word), MOST_BYTES, `${Math.min(from + at, to)}${label}`);
      if (has(lexeme(tag, MARKS.content, word))) return;
      lexemes.put(lexeme(tag, BESIDE, word), MOST_BYTES);
      for (const beginning of beginningsOf(word)) {
        if (!has(lexeme(tag, BEGINNING.content, beginning)))
          lexemes.put(lexeme(tag, BEGINNING.beside, beginning), MOST_BYTES);
      }
    };
    for (const _ of indexing(text, field === "slug" ? undefined : vocabulary, put));
  };
  read("description", metaDescription ?? "");
  read("slug", slug);
  read("category", categoryName);
  read("keywords", keywords.join(" ; "));
  const fitting = Math.max(0, Math.floor((MOST_BYTES - lexemes.bytes) / PAIR_BYTES));
  return {
    title: wordsOf(title).join(" "),
    words: `${words} ${lexemes.printed()}`.trim() + pairs.slice(0, fitting * PRINTED_PAIR),
    vocabulary: Array.from(vocabulary, ([word, spelling]) => ({ word, spelling })),
  };
}

/** Lexemes and their places, as far as they fit into a tsvector. */
class Lexemes {
  private readonly places = new Map<string, string[]>();

  /** @param bytes already used */
  constructor(public bytes = 0) {}

  has(key: string): boolean {
    return this.places.has(key);
  }

  /** Returns the places of the lexeme, or undefined if it doesn't fit. */
  put(key: string, most: number, place?: string): string[] | undefined {
    const known = this.places.get(key);
    if (known) {
      if (place) this.putAgain(known, most, place);
      return known;
    }
    const more = Buffer.byteLength(key) + 6;
    if (this.bytes + more > most) return undefined;
    this.bytes += more;
    const places = place ? [place] : [];
    this.places.set(key, places);
    return places;
  }

  putAgain(places: string[], most: number, place: string): void {
    if (places.length >= MOST_POSITIONS || places.at(-1) === place || this.bytes + 2 > most) return;
    this.bytes += 2;
    places.push(place);
  }

  /** In the text format of tsvector. */
  printed(): string {
    return Array.from(this.places, ([key, at]) => (at.length > 0 ? `'${key}':${at.join(",")}` : `'${key}'`)).join(" ");
  }
}

function beginningsOf(word: string): string[] {
  const beginnings: string[] = [];
  let beginning = "";
  for (const character of word) {
    if (beginnings.length === BEGINNINGS) break;
    beginning += character;
    beginnings.push(beginning);
  }
  return beginnings;
}

const HEAVIER = {
  description: [MARKS.title],
  slug: [MARKS.content, MARKS.description],
  category: [MARKS.content, MARKS.description, MARKS.slug],
  keywords: [MARKS.content, MARKS.description, MARKS.slug, MARKS.category],
};

/**
 * Visits every form of the words of a text with its position, also inner parts (`CreateClose` in `DispatchCreateClose`) and `signin`
 * for `sign-in`. Yields after about STEP of them, so that others get their turn.
 * @param vocabulary collects the words. Without one, hyphens only separate words, as in slugs
 */
function* indexing(
  text: string,
  vocabulary: Map<string, string> | undefined,
  visit: (word: string, at: number, isWhole: boolean) => void,
): Generator<void> {
  // Words that were split and learned, as they are written, since most words of a text repeat.
  const known = new Map<string, Part[]>();
  let count = 0;
  const isDue = () => {
    if (++count < STEP) return false;
    count = 0;
    return true;
  };
  let at = -1;
  let compound: { folded: string; at: number }[] = [];
  for (const { start, end, folded, dense, glue } of wordsIn(text)) {
    at++;
    if (isDue()) yield;
    if (dense) {
      const pairs = pairsOf(folded);
      for (const [index, pair] of pairs.entries()) {
        visit(pair, at + index, true);
        if (isDue()) yield;
      }
      at += pairs.length - 1;
      if (pairs.length > 1 || folded.length > 1) visit([...folded].at(-1) as string, at, false);
      compound = [];
      continue;
    }
    visit(folded, at, true);
    const written = text.slice(start, end);
    let later = known.get(written);
    if (!later) {
      const parts = partsOf(written);
      later = parts.later;
      known.set(written, later);
      if (vocabulary) learn(vocabulary, folded, written);
      if (vocabulary && later.length > 0) {
        for (const part of [parts.first, ...later.map(({ part }) => part)]) learn(vocabulary, part, part);
      }
    }
    for (const { rest } of later) visit(rest, at, false);
    count += later.length;
    if (!vocabulary) continue;
    if (!glue) compound = [];
    compound.push({ folded, at });
    if (compound.length === 1) continue;
    compound = compound.slice(-MOST_JOINED);
    count += compound.length - 1;
    for (const [index, { at: place }] of compound.slice(0, -1).entries()) {
      const joined = compound
        .slice(index)
        .map(({ folded }) => folded)
        .join("");
      visit(joined, place, false);
    }
  }
}

const MOST_JOINED = 3;

function learn(vocabulary: Map<string, string>, word: string, written: string): void {
  if (vocabulary.has(word) || word.length < VOCABULARY.shortest || word.length > VOCABULARY.longest) return;
  if (/^\p{N}|\p{N}$/u.test(word) && !/\p{L}{3}/u.test(word)) return;
  vocabulary.set(word, written.normalize("NFC").toLowerCase());
}
