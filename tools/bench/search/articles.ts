import { createHash } from "node:crypto";
import { type Draw, drawing, mixed } from "./draw";
import { companion, strangeWord, TOPICAL_FROM, type Vocabulary } from "./words";

/** A whole generated article, always the same for the same content and index. */
export interface MadeArticle {
  id: string;
  permalink: string;
  title: string;
  paragraphs: string[];
  keywords: string[];
  published: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** Words per text: log-normal, with a mean of 300. Longer texts are cut at the maximum. */
const LENGTH = { median: 220, deviation: 0.79, least: 20, most: 4_000 };
/** The share of rarer words that come from a text's own favorites. */
const TOPICAL = 0.5;
/** The share of words that their companion follows. */
const STICKY = 0.2;
/** In product documentation, 4 % of words are numbers, and one word in 1,000 appears in hardly any other text. */
const NUMBERS = 0.04;
const STRANGE = 1 / 1_000;
const DRAFTS = 0.04;

const NEWEST = Date.UTC(2026, 10, 1);
const DAY = 86_400_000;

/**
 * @param content which collection of articles. Two workspaces of the same content have the same articles
 * @param index its position in the collection
 */
export function articleAt(vocabulary: Vocabulary, content: number, index: number): MadeArticle {
  const draw = drawing(content, index);
  const length = Math.round(
    Math.min(LENGTH.most, Math.max(LENGTH.least, LENGTH.median * Math.exp(LENGTH.deviation * draw.normal()))),
  );
  const topics = Array.from({ length: 6 + Math.floor(length / 25) }, () => vocabulary.topicalRank(draw));
  const words = wordsOfText(vocabulary, draw, length, topics);
  const createdAt = new Date(NEWEST - draw.below(1_000 * DAY));
  return {
    id: idOf(content, index),
    // Never repeats within a collection: an odd factor only permutes the numbers.
    permalink: `a-${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}`,
    title: titleOf(vocabulary, draw, words, topics),
    paragraphs: paragraphsOf(draw, words),
    keywords: topics.slice(0, draw.below(4)).map((rank) => vocabulary.word(rank)),
    published: !draw.chance(DRAFTS),
    createdAt,
    updatedAt: new Date(createdAt.getTime() + draw.below(NEWEST - createdAt.getTime() + 1)),
  };
}

/** The name of a category of a collection. */
export function categoryAt(vocabulary: Vocabulary, content: number, index: number): string {
  const draw = drawing(content, index, 1);
  const words = Array.from({ length: 1 + draw.below(3) }, () => vocabulary.word(TOPICAL_FROM + draw.below(5_000)));
  return words.map(capital).join(" ");
}

/** An id for these numbers. Not random: among 100,000 random 32-bit numbers, two are likely to be equal. */
export function idOf(...numbers: readonly number[]): string {
  const hex = createHash("sha256").update(numbers.join()).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function wordsOfText(vocabulary: Vocabulary, draw: Draw, length: number, topics: readonly number[]): string[] {
  const words: string[] = [];
  let before = -1;
  while (words.length < length) {
    const kind = draw.next();
    if (kind < NUMBERS) words.push(number(draw));
    else if (kind < NUMBERS + STRANGE) words.push(strangeWord(draw));
    if (kind < NUMBERS + STRANGE) before = -1;
    else {
      let rank = before >= 0 && draw.chance(STICKY) ? companion(before) : vocabulary.rank(draw);
      // Favorites are drawn with the same shares, so that the distribution over all texts does not change.
      if (rank >= TOPICAL_FROM && draw.chance(TOPICAL)) rank = draw.pick(topics);
      words.push(vocabulary.word(rank));
      before = rank;
    }
  }
  return words;
}

/** Small numbers are more frequent. */
function number(draw: Draw): string {
  return String(Math.floor(Math.exp(draw.next() * Math.log(3_000))));
}

/** Three to nine words: the text's favorites, its rarer words, and small words between them. */
function titleOf(vocabulary: Vocabulary, draw: Draw, words: readonly string[], topics: readonly number[]): string {
  const said = new Set(words);
  const favorites = topics.map((rank) => vocabulary.word(rank)).filter((word) => said.has(word));
  const rare = () => longest(Array.from({ length: 3 }, () => draw.pick(words)));
  const title: string[] = [];
  const count = 3 + Math.min(draw.below(7), draw.below(7));
  for (let tries = 0; title.length < count; tries++) {
    const kind = draw.next();
    const isEdge = title.length === 0 || title.length === count - 1;
    let word: string;
    if (kind < 0.5 && favorites.length > 0) word = draw.pick(favorites);
    else if (kind < 0.75 || isEdge) word = rare();
    else word = vocabulary.word(draw.below(TOPICAL_FROM));
    if (tries > 50 || !title.includes(word)) title.push(word);
  }
  return title.map((word, index) => (index === 0 || word.length > 3 ? capital(word) : word)).join(" ");
}

/** The longest word is probably the rarest. */
function longest(words: readonly string[]): string {
  return words.reduce((left, right) => (right.length > left.length ? right : left));
}

function paragraphsOf(draw: Draw, words: readonly string[]): string[] {
  const paragraphs: string[] = [];
  for (let done = 0; done < words.length; ) {
    const sentences: string[] = [];
    for (let left = 2 + draw.below(5); left > 0 && done < words.length; left--) {
      const some = words.slice(done, done + 5 + draw.below(20));
      done += some.length;
      const comma = draw.below(2 * some.length);
      sentences.push(
        `${some.map((word, index) => (index === 0 ? capital(word) : word) + (index === comma && index < some.length - 1 ? "," : "")).join(" ")}.`,
      );
    }
    paragraphs.push(sentences.join(" "));
  }
  return paragraphs;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A number that no other collection contains. */
export function contentOf(index: number): number {
  return mixed(index + 1);
}
