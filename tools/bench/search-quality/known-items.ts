import { type Draw, drawing } from "../search/draw";
import { misspelled } from "../search/queries";
import type { Article } from "./articles";
import { tokensOf } from "./bm25";
import type { QualityQuery } from "./queries";

/** At most this many queries of each kind. */
const QUERIES = 100;
const PHRASE = 5;

interface Known extends Article {
  words: string[];
}

/**
 * Draws queries from the words of the articles, always the same ones for the same articles. Also accepts articles with the same
 * words in the title, and draws a phrase only from the one article that contains it.
 */
export function knownItems(articles: readonly Article[]): QualityQuery[] {
  const draw = drawing(16);
  const known = articles.map((article) => ({ ...article, words: tokensOf(article.title) }));
  const vocabulary = new Set(
    articles.flatMap(({ title, text, keywords }) => tokensOf([title, text, ...keywords].join(" "))),
  );
  const texts = articles.map(({ text }) => ` ${tokensOf(text).join(" ")} `);
  const titled = (query: string, isMatch: (article: Known) => boolean) => ({
    query,
    accept: known.filter(isMatch).map(({ slug }) => slug),
  });
  const kinds: Record<string, (article: Known, index: number) => { query: string; accept: string[] } | undefined> = {
    title_exact: ({ title, words }) => titled(title, (other) => other.words.join(" ") === words.join(" ")),
    title_two_words: ({ words }) => {
      const long = words.filter((word) => word.length > 2);
      const first = long.splice(draw.below(long.length), 1)[0];
      if (first === undefined || long.length === 0) return undefined;
      const two = [first, draw.pick(long)];
      return titled(two.join(" "), (other) => two.every((word) => other.words.includes(word)));
    },
    title_cut: ({ words }) => {
      const last = words.at(-1) ?? "";
      if (last.length < 4) return undefined;
      const cut = [...words.slice(0, -1), last.slice(0, 2 + draw.below(last.length - 3))].join(" ");
      return titled(cut, (other) => other.words.join(" ").startsWith(cut));
    },
    body_phrase: ({ slug }, index) => {
      const words = (texts[index] as string).trim().split(" ");
      for (let tries = 0; tries < 20 && words.length >= PHRASE; tries++) {
        const start = draw.below(words.length - PHRASE + 1);
        const phrase = words.slice(start, start + PHRASE).join(" ");
        if (texts.filter((text) => text.includes(` ${phrase} `)).length === 1) return { query: phrase, accept: [slug] };
      }
      return undefined;
    },
    title_typo: ({ words }) => {
      const long = words.filter((word) => word.length >= 5);
      if (long.length === 0) return undefined;
      const word = draw.pick(long);
      const wrong = misspelled(draw, word);
      if (vocabulary.has(wrong)) return undefined;
      const others = words.filter((other) => other !== word && other.length > 3);
      const other = others.length > 0 ? draw.pick(others) : undefined;
      const meant = other === undefined ? [word] : [word, other];
      return titled(other === undefined ? wrong : `${other} ${wrong}`, (one) =>
        meant.every((each) => one.words.includes(each)),
      );
    },
  };
  return Object.entries(kinds).flatMap(([kind, make]) => {
    const queries: QualityQuery[] = [];
    for (const [index, article] of shuffled(draw, [...known.entries()])) {
      const made = queries.length < QUERIES ? make(article, index) : undefined;
      if (made) queries.push({ kind, expected_slug: article.slug, ...made });
    }
    return queries;
  });
}

function shuffled<T>(draw: Draw, list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, order: draw.next() }))
    .sort((left, right) => left.order - right.order)
    .map(({ one }) => one);
}
