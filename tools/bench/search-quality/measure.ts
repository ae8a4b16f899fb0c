import { readWorkspace } from "@/lib/db";
import { searchArticles } from "@/lib/search/search";
import type { QualityQuery } from "./queries";

/** Returns slugs, the best first. */
type Search = (text: string) => string[] | Promise<string[]>;

/** The results of a query. */
export interface Answered extends QualityQuery {
  slugs: string[];
  /** The rank of the first expected article, from 1. 0 when it is not in the first ten. */
  place: number;
  milliseconds: number;
}

interface Quality {
  count: number;
  /** Shares of the queries. */
  first: number;
  mrr: number;
  /** Numbers of queries. */
  inTen: number;
  nothing: number;
  median: number;
  slow: number;
}

/** The product's search by its library function, as the API calls it for a page of ten. */
export function productSearch(workspaceId: string): Search {
  return async (text) => {
    const page = { limit: 10, offset: 0 };
    const { matches } = await readWorkspace(workspaceId, (read) => searchArticles(read, workspaceId, text, page));
    return matches.map(({ slug }) => slug);
  };
}

/** Runs queries one at a time. */
export async function ask(
  search: Search,
  queries: readonly QualityQuery[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const query of queries) {
    const start = performance.now();
    const slugs = await search(query.query);
    const milliseconds = performance.now() - start;
    const place = slugs.findIndex((slug) => slug === query.expected_slug || query.accept.includes(slug)) + 1;
    answers.push({ ...query, slugs, place, milliseconds });
    onProgress(answers.length, queries.length);
  }
  return answers;
}

export function qualityOf(answers: readonly Answered[]): Quality {
  const count = answers.length;
  const times = answers.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  return {
    count,
    first: answers.filter(({ place }) => place === 1).length / count,
    mrr: answers.reduce((sum, { place }) => sum + (place > 0 ? 1 / place : 0), 0) / count,
    inTen: answers.filter(({ place }) => place > 0).length,
    nothing: answers.filter(({ slugs }) => slugs.length === 0).length,
    median: times[Math.floor(count / 2)] ?? Number.NaN,
    slow: times[Math.floor(count * 0.99)] ?? Number.NaN,
  };
}

/** The answers by kind in the order of the queries, then the known items of all kinds together. */
export function byKind(answers: readonly Answered[]): Map<string, Answered[]> {
  const kinds = new Map<string, Answered[]>();
  const add = (kind: string, answer: Answered) => kinds.set(kind, [...(kinds.get(kind) ?? []), answer]);
  for (const answer of answers) add(answer.kind, answer);
  for (const answer of answers) if (isKnownItem(answer)) add("known items", answer);
  return kinds;
}

const isKnownItem = ({ kind }: QualityQuery) => kind.startsWith("title_") || kind === "body_phrase";
