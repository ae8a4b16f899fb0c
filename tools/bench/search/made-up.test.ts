import { describe, expect, test } from "vitest";
import { wordsOf } from "@/lib/search/words";
import { articleAt } from "./articles";
import { LEAST_ARTICLES, planOf } from "./plan";
import { KINDS, type Kind, queriesFor } from "./queries";
import { companion, EXPONENT, SHIFT, Vocabulary } from "./words";

const vocabulary = new Vocabulary();
const articles = Array.from({ length: 3_000 }, (_, index) => articleAt(vocabulary, 1, index));
const texts = articles.map(({ paragraphs }) => wordsOf(paragraphs.join("\n")));

const median = (numbers: number[]) => numbers.sort((left, right) => left - right)[numbers.length >> 1] ?? 0;

describe("made-up articles", () => {
  test("are the same from the same numbers, and others from others", () => {
    const second = new Vocabulary();
    for (let index = 0; index < 100; index++) expect(articleAt(second, 1, index)).toEqual(articles[index]);
    expect(articleAt(vocabulary, 2, 0)).not.toEqual(articles[0]);
    expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length);
    expect(new Set(articles.map(({ permalink }) => permalink)).size).toBe(articles.length);
  });

  test("have words as often as the distribution of Zipf and Mandelbrot says", () => {
    expect(new Set(vocabulary.words).size).toBe(vocabulary.words.length);
    const ranks = new Map(vocabulary.words.map((word, rank) => [word, rank]));
    const counts = new Float64Array(vocabulary.words.length);
    let known = 0;
    for (const word of texts.flat()) {
      const rank = ranks.get(word);
      if (rank === undefined) continue;
      counts[rank] = (counts[rank] ?? 0) + 1;
      known++;
    }
    const weights = vocabulary.words.map((_, rank) => (rank + 1 + SHIFT) ** -EXPONENT);
    const share = (counts: ArrayLike<number>, from: number, to: number) =>
      Array.from(counts).slice(from, to).reduce((left, right) => left + right, 0); // biome-ignore format: one line
    const all = share(weights, 0, weights.length);
    for (const [from, to] of [
      [0, 1],
      [1, 5],
      [5, 20],
      [20, 60],
      [60, 300],
      [300, 2_000],
      [2_000, 10_000],
      [10_000, 60_000],
    ] as const) {
      // biome-ignore format: one line
      const claimed = share(weights, from, to) / all;
      const found = share(counts, from, to) / known;
      expect([from, found / claimed > 0.85 && found / claimed < 1.15]).toEqual([from, true]);
    }
  });

  test("are as long as documentation is, under titles of three to nine words", () => {
    const lengths = texts.map(({ length }) => length);
    expect(lengths.reduce((left, right) => left + right) / lengths.length).toBeGreaterThan(270);
    expect(lengths.reduce((left, right) => left + right) / lengths.length).toBeLessThan(330);
    expect(median(lengths)).toBeGreaterThan(200);
    expect(median(lengths)).toBeLessThan(240);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4_000);
    const titles = articles.map(({ title }) => wordsOf(title).length);
    expect([Math.min(...titles), Math.max(...titles)]).toEqual([3, 9]);
  });

  test("speak of something: a title's rarer words are in the text, and some words follow each other", () => {
    const rare = new Set(vocabulary.words.slice(300));
    const said = articles.flatMap(({ title }, index) => {
      const text = new Set(texts[index]);
      return wordsOf(title).flatMap((word) => (rare.has(word) ? [text.has(word)] : []));
    });
    expect(said.length).toBeGreaterThan(articles.length);
    expect(said.filter((isSaid) => !isSaid)).toEqual([]);

    const [first, second] = [vocabulary.word(100), vocabulary.word(companion(100))];
    const follows = (left: string, right: string) =>
      texts.reduce(
        (sum, words) => sum + words.filter((word, at) => word === left && words[at + 1] === right).length,
        0,
      );
    expect(follows(first, second)).toBeGreaterThan(10 * Math.max(1, follows(second, first)));
  });
});

describe("a plan", () => {
  const partitionsOf = async (ids: readonly string[]) =>
    ids.map((id) => String(Number.parseInt(id.slice(0, 8), 16) % 64));

  test.each([LEAST_ARTICLES, 10_000, 100_000, 1_000_000])(
    "of %i articles has them all, in workspaces of every size",
    async (count) => {
      const plan = await planOf(count, partitionsOf);
      expect(plan.reduce((sum, workspace) => sum + workspace.articles, 0)).toBe(count);
      expect(new Set(plan.map(({ id }) => id)).size).toBe(plan.length);
      expect(plan[0]?.role).toBe("largest");
      expect(plan[0]?.articles).toBeGreaterThanOrEqual(count / 10);
      expect(Math.min(...plan.map((workspace) => workspace.articles))).toBeLessThanOrEqual(50);

      const [largest, beside, elsewhere] = ["largest", "beside", "elsewhere"].map(
        (role) => plan.find((one) => one.role === role)!,
      );
      const [home, same, other] = await partitionsOf([largest!.id, beside!.id, elsewhere!.id]);
      expect([same === home, other === home]).toEqual([true, false]);
      expect([elsewhere!.content, elsewhere!.articles]).toEqual([beside!.content, beside!.articles]);
      expect(await planOf(count, partitionsOf)).toEqual(plan);
    },
  );
});

test("queries of every kind are drawn from a workspace, and find about as much as their kind says", () => {
  const workspace = { id: "", subdomain: "", articles: articles.length, content: 1, role: null };
  const queries = queriesFor(vocabulary, workspace);
  expect(queriesFor(vocabulary, workspace)).toEqual(queries);
  const published = texts.filter((_, index) => articles[index]?.published).map((words) => [...new Set(words)]);
  const found = (query: string) => {
    const isIn = (words: string[]) => query.split(" ").every((wanted) => words.some((word) => word.startsWith(wanted)));
    return published.filter(isIn).length / published.length;
  };
  for (const kind of Object.keys(KINDS) as Kind[]) {
    expect([kind, new Set(queries[kind]).size >= 30]).toEqual([kind, true]);
  }
  expect(found(queries.rare[0]!)).toBeLessThan(0.003);
  for (const [kind, share] of [
    ["medium", 0.05],
    ["common", 1 / 3],
  ] as const) {
    // biome-ignore format: one line
    const middle = median(queries[kind].map(found));
    expect([kind, middle > share * 0.7 && middle < share * 1.4]).toEqual([kind, true]);
  }
  expect(median(queries["very common"].map(found))).toBeGreaterThan(0.5);
  expect(queries.phrase.map(found).every((share) => share > 0)).toBe(true);
  expect(queries.nobody.map(found)).toEqual(queries.nobody.map(() => 0));
});
