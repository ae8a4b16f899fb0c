import { beforeAll, describe, expect, test } from "vitest";
import { importing } from "@/testing/import";
import { aWorkspace } from "@/testing/workspace";
import { type Article, publishedArticles } from "./articles";
import { bm25 } from "./bm25";
import { knownItems } from "./known-items";
import { type Answered, ask, byKind, productSearch, qualityOf } from "./measure";
import { OWN_QUERIES, type QualityQuery, queriesIn } from "./queries";

// The short form of `npm run bench -- search-quality`.

/** MRR@10, a little below what was measured. */
const FLOORS: Record<string, number> = {
  question: 0.31,
  question_keywords: 0.42,
  "known items": 0.97,
};

describe("the manual", () => {
  let articles: Article[];
  let queries: QualityQuery[];
  let ours: Map<string, Answered[]>;
  let plain: Map<string, Answered[]>;

  beforeAll(async () => {
    const workspace = await aWorkspace();
    const { problems } = await importing(workspace, "prisma/manual");
    expect(problems).toEqual([]);
    articles = await publishedArticles(workspace.id);
    queries = [...(await Promise.all(OWN_QUERIES.map(queriesIn))).flat(), ...knownItems(articles)];
    ours = byKind(await ask(productSearch(workspace.id), queries));
    plain = byKind(await ask(bm25(articles), queries));
  }, 240_000);

  const of = (answers: Map<string, Answered[]>, kind: string) => qualityOf(answers.get(kind) ?? []);

  test("has every article that a query wants", () => {
    const slugs = new Set(["", ...articles.map(({ slug }) => slug)]);
    expect(
      queries.flatMap((query) => [query.expected_slug, ...query.accept]).filter((slug) => !slugs.has(slug)),
    ).toEqual([]);
  });

  test.each(Object.entries(FLOORS))("%s: the wanted article comes early", (kind, floor) => {
    expect(of(ours, kind).mrr).toBeGreaterThanOrEqual(floor);
  });

  test.each(["question", "known items"])("%s: something is always found", (kind) => {
    const empty = (ours.get(kind) ?? []).filter(({ slugs }) => slugs.length === 0);
    expect(empty.map(({ query }) => query)).toEqual([]);
  });

  test("keywords: something is found wherever BM25 finds something", () => {
    const found = new Set(
      (plain.get("question_keywords") ?? []).filter(({ slugs }) => slugs.length > 0).map(({ query }) => query),
    );
    const empty = (ours.get("question_keywords") ?? []).filter(({ slugs }) => slugs.length === 0);
    expect(empty.map(({ query }) => query).filter((query) => found.has(query))).toEqual([]);
  });

  test.each(["question", "known items"])("%s: the wanted article comes earlier than in BM25", (kind) => {
    expect(of(ours, kind).mrr).toBeGreaterThan(of(plain, kind).mrr);
  });

  test("nonsense finds nothing", () => {
    const nonsense = ours.get("nonsense") ?? [];
    expect(nonsense.map(({ query, slugs }) => [query, slugs])).toEqual(nonsense.map(({ query }) => [query, []]));
    expect(nonsense).toHaveLength(5);
  });
});

test("BM25 finds any of the words, the rarest first, and small words only alone", () => {
  const article = (slug: string, text: string) => ({ slug, title: slug, description: "", keywords: [], text });
  const search = bm25([
    article("a", "Pay the invoice by card"),
    article("b", "Send the invoice"),
    article("c", "Café opening hours: what and when"),
    article("d", "Close the invoice"),
  ]);
  expect(search("What invoice do I pay by CARD?")[0]).toBe("a");
  expect(search("invoice").toSorted()).toEqual(["a", "b", "d"]);
  expect(search("cafe")).toEqual(["c"]);
  expect(search("what and when")).toEqual(["c"]);
  expect(search("nothing of that")).toEqual([]);
});
