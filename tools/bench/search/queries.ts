import { wordsOf } from "@/lib/search/words";
import { articleAt } from "./articles";
import { type Draw, drawing } from "./draw";
import type { PlannedWorkspace } from "./plan";
import { strangeWord, type Vocabulary } from "./words";

/** Kinds of queries, in the order of the table. */
export const KINDS = {
  rare: "a word of 0.1 % of the articles",
  medium: "a word of 5 %",
  common: "a word of a third",
  "very common": "one of the words that most articles have",
  "1 letter": "the first letter of a title's word",
  "2 letters": "its first two",
  "3 letters": "its first three",
  "5 letters": "its first five",
  "two words": "two words of one text",
  phrase: "three or four words as they stand in a text",
  "common phrase": "the same, with common words only",
  title: "a whole title",
  "title words": "two words of a title",
  "cut title": "a title without the end of its last word",
  typo: "two words of a title, one of them with one wrong letter",
  nobody: "a word that no article has",
  question: "15 words: 14 in a row from one text, and one from another",
} as const;

export type Kind = keyof typeof KINDS;

/** The number of different queries of each kind. There are fewer one-letter queries. */
const QUERIES = 40;
/** Articles are regenerated to learn their words. This many are enough to estimate how frequent a word is. */
const MOST_SAMPLES = 20_000;
/** Ranks below this count as common words in a phrase. */
const COMMON_RANKS = 300;

/** Queries of every kind for a workspace, always the same for the same content and number of articles. */
export function queriesFor(vocabulary: Vocabulary, workspace: PlannedWorkspace): Record<Kind, string[]> {
  const draw = drawing(workspace.content, workspace.articles, 2);
  const samples = samplesOf(vocabulary, workspace);
  const shares = new Shares(samples.map(({ words }) => words));
  const common = new Set(vocabulary.words.slice(0, COMMON_RANKS));
  const isCommon = (word: string) => common.has(word);
  const isWord = (word: string) => /^[a-z]{4,}$/.test(word);

  const wordOf = (words: readonly string[]) => {
    const rare = words.filter((word) => isWord(word) && !isCommon(word));
    return rare.length > 0 ? draw.pick(rare) : undefined;
  };
  const two = (words: readonly string[]) => {
    const [first, second] = [wordOf(words), wordOf(words)];
    return first && second && first !== second ? `${first} ${second}` : undefined;
  };
  const sample = () => draw.pick(samples);
  const beginning = (length: number) => () => {
    const word = wordOf(sample().title) ?? "";
    // A tenth of typed characters are digits.
    const text = draw.chance(0.1) ? String(draw.below(10_000)) : word;
    return text.length >= length ? text.slice(0, length) : undefined;
  };
  const phrase = (wanted: (words: readonly string[]) => boolean) => () => {
    const { words } = sample();
    const start = draw.below(words.length);
    const some = words.slice(start, start + 3 + draw.below(2));
    return some.length >= 3 && new Set(some).size === some.length && wanted(some) ? some.join(" ") : undefined;
  };
  const near = (share: number) => shares.near(share, isWord, draw);

  return {
    rare: near(0.001),
    medium: near(0.05),
    common: near(1 / 3),
    "very common": shares.highest(QUERIES),
    "1 letter": different(beginning(1)),
    "2 letters": different(beginning(2)),
    "3 letters": different(beginning(3)),
    "5 letters": different(beginning(5)),
    "two words": different(() => two(sample().words)),
    phrase: different(phrase((words) => !words.every(isCommon))),
    "common phrase": different(phrase((words) => words.every(isCommon))),
    title: different(() => sample().title.join(" ")),
    "title words": different(() => two(sample().title)),
    "cut title": different(() => {
      const { title } = sample();
      const last = title.at(-1) ?? "";
      return last.length >= 4
        ? [...title.slice(0, -1), last.slice(0, Math.ceil(last.length / 2))].join(" ")
        : undefined;
    }),
    typo: different(() => {
      const [first, second] = two(sample().title)?.split(" ") ?? [];
      return first && second && second.length >= 5 ? `${first} ${misspelled(draw, second)}` : undefined;
    }),
    nobody: different(() => {
      const word = strangeWord(draw);
      return shares.shareOf(word) === 0 && !vocabulary.words.includes(word) ? word : undefined;
    }),
    question: different(() => {
      const { words } = sample();
      const start = draw.below(words.length);
      const other = wordOf(sample().words);
      const some = [...words.slice(start, start + 14), other];
      return other && some.length === 15 ? some.join(" ") : undefined;
    }),
  };
}

/** Up to QUERIES different texts. */
function different(make: () => string | undefined): string[] {
  const texts = new Set<string>();
  for (let tries = 0; texts.size < QUERIES && tries < 200 * QUERIES; tries++) {
    const text = make();
    if (text) texts.add(text);
  }
  return [...texts];
}

interface Sample {
  title: string[];
  words: string[];
}

/** Published articles, evenly spread over the workspace. */
function samplesOf(vocabulary: Vocabulary, { content, articles }: PlannedWorkspace): Sample[] {
  const step = Math.max(1, articles / MOST_SAMPLES);
  const samples: Sample[] = [];
  for (let index = 0; index < articles; index += step) {
    const { published, title, paragraphs } = articleAt(vocabulary, content, Math.floor(index));
    if (published) samples.push({ title: wordsOf(title), words: wordsOf(paragraphs.join("\n")) });
  }
  return samples;
}

/** The share of texts that match a word, like a search: by every word that begins with it. */
class Shares {
  private readonly texts: number;
  private readonly places = new Map<string, number[]>();
  private readonly sorted: string[];

  constructor(texts: readonly (readonly string[])[]) {
    this.texts = texts.length;
    for (const [index, words] of texts.entries()) {
      for (const word of new Set(words)) {
        const known = this.places.get(word);
        if (known) known.push(index);
        else this.places.set(word, [index]);
      }
    }
    this.sorted = [...this.places.keys()].sort();
  }

  shareOf(beginning: string): number {
    const found = new Set<number>();
    let [from, to] = [0, this.sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.sorted[middle] as string) < beginning) from = middle + 1;
      else to = middle;
    }
    for (; this.sorted[from]?.startsWith(beginning); from++) {
      for (const index of this.places.get(this.sorted[from] as string) ?? []) found.add(index);
    }
    return found.size / this.texts;
  }

  /** Up to QUERIES words whose share is within a third of the wanted share, or else the nearest ones. */
  near(share: number, isWanted: (word: string) => boolean, draw: Draw): string[] {
    const distance = (word: string) => Math.abs(Math.log(this.shareOf(word) / share));
    const own = (word: string) => (this.places.get(word)?.length ?? 0) / this.texts;
    // Longer words with the same prefix may match rarer words too. In a small workspace, one text is the minimum.
    const candidates = this.sorted
      .filter((word) => isWanted(word) && own(word) < share * 1.5 + 1 / this.texts && own(word) > share / 3)
      .map((word) => ({ word, order: draw.next() }))
      .sort((left, right) => left.order - right.order)
      .slice(0, 2_000)
      .map(({ word }) => ({ word, off: distance(word) }));
    const close = candidates.filter(({ off }) => off < Math.log(4 / 3));
    if (close.length >= QUERIES) return close.slice(0, QUERIES).map(({ word }) => word);
    candidates.sort((left, right) => left.off - right.off);
    return candidates.slice(0, QUERIES).map(({ word }) => word);
  }

  highest(count: number): string[] {
    const own = (word: string) => this.places.get(word)?.length ?? 0;
    return [...this.sorted].sort((left, right) => own(right) - own(left)).slice(0, count);
  }
}

/** A word with one letter omitted, doubled, changed, or swapped with its neighbor. Never the first letter. */
export function misspelled(draw: Draw, word: string): string {
  const place = 1 + draw.below(word.length - 2);
  const [before, letter, next, after] = [
    word.slice(0, place),
    word.charAt(place),
    word.charAt(place + 1),
    word.slice(place + 2),
  ];
  const wrong = draw.pick([
    before + next + after,
    before + letter + letter + next + after,
    before + draw.pick([..."aeinorst"].filter((other) => other !== letter)) + next + after,
    before + next + letter + after,
  ]);
  return wrong === word ? `${before}x${next}${after}` : wrong;
}
