import { type Read, versionsOf } from "@/lib/db";
import { correct } from "./corrections";
import type { Vector } from "./embeddings";
import { anyFirst, type First, firstFor } from "./first";
import { matchesOf, type SearchMatch } from "./matches";
import { MOST_READ, parseQuery, type Query, stagesOf, withoutSmallWords } from "./query";
import { keepRanking, keptPage, keptTotal, searchKey } from "./rankings";
import { someWords } from "./some-words";
import { meaningsOf, runsOf, type SynonymRow, synonymsOf, withMeanings, withSynonyms } from "./synonyms";
import { withNearest } from "./vectors";

/** Fewer matches than this are corrected. */
const FEW = 3;
/** If at most this many articles have all words, articles with some of them follow, up to MOST_SOME in total (contract 2). */
const FEW_WITH_ALL = 60;
const MOST_SOME = 100;
/** An article with the text as typed answers a search of at least this many words. */
const FEWEST_AS_TYPED = 3;

export interface SearchResult {
  matches: SearchMatch[];
  total: number;
  /** The corrected text, when the correction found something (contract 2). */
  correctedTerm: string | null;
}

/** A page of the matches. Articles in hidden categories are not found (lib/visibility.ts). */
export interface Window {
  limit: number;
  offset: number;
  hidden?: readonly string[];
  /** The vector of the text, to also find articles by meaning (./embeddings.ts). */
  vector?: Vector | null | undefined;
}

/**
 * Published articles in which each word begins a word of title, description, content, slug, category or keywords, then, where
 * these are few and do not answer the search, articles that have part of the words (contract 2, 3, 7). Small words only count
 * when there are no others, and ten different words at most.
 * Articles that are pinned or that readers chose for this search come first (./first.ts).
 */
export async function searchArticles(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<SearchResult> {
  const { ids, queries, total, correctedTerm } = await findArticles(read, workspaceId, text, page);
  return { matches: await matchesOf(read, ids, queries), total, correctedTerm };
}

interface Ranked extends Pick<SearchResult, "total" | "correctedTerm"> {
  ids: string[];
  /** The queries that matched the articles. */
  queries: readonly Query[];
  /** BCP 47. */
  language: string;
}

/** One page of the ids, and all articles that come first. */
export async function findArticles(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<Ranked & { first: First[] }> {
  const parsed = parseQuery(text, MOST_READ);
  if (parsed.groups.length === 0)
    return { ids: [], queries: [], total: 0, correctedTerm: null, first: [], language: "" };
  const { hasFirst, ...settled } = await settle(read, parsed);
  const first = hasFirst ? await firstFor(read, parsed.folded, page.hidden ?? []) : [];
  const without = first.map(({ id }) => id);
  const shown = without.slice(page.offset, page.offset + page.limit);
  const [limit, offset] = [page.limit - shown.length, Math.max(0, page.offset - first.length)];
  const rest = await findRest(read, workspaceId, text, settled, { ...page, limit, offset, without });
  return { ...rest, ids: [...shown, ...rest.ids], total: first.length + rest.total, first };
}

interface Settled {
  language: string;
  /** With synonyms and small words. */
  whole: Query;
}

/** What a search needs to know before it ranks, in one statement, and whether articles may come first. */
async function settle(read: Read, parsed: Query): Promise<Settled & { hasFirst: boolean }> {
  const runs = [...runsOf(parsed).keys()];
  const [row] = await read<{
    language: string | null;
    synonyms: SynonymRow[] | null;
    hasFirst: boolean;
  }>(
    `SELECT (SELECT language FROM workspaces WHERE id = current_setting('app.workspace_id')::uuid) AS language,
       (SELECT json_agg(s) FROM (${synonymsOf("$1")}) s) AS synonyms, ${anyFirst("$2")} AS "hasFirst"`,
    [runs, parsed.folded],
  );
  return {
    language: row?.language ?? "en",
    whole: withMeanings(parsed, meaningsOf(runs, row?.synonyms ?? [])),
    hasFirst: row?.hasFirst ?? false,
  };
}

interface RestWindow extends Window {
  /** Articles that come first, and not again. */
  without: readonly string[];
}

async function findRest(
  read: Read,
  workspaceId: string,
  text: string,
  { language, whole }: Settled,
  page: RestWindow,
): Promise<Ranked> {
  const { hidden = [], without } = page;
  const query = withoutSmallWords(whole, language);
  const first = { ...page, limit: FEW_WITH_ALL, offset: 0 };
  // One ranking serves both the page and the list of articles with all words.
  const ranked = query.groups.length > 1 && page.offset + page.limit <= FEW_WITH_ALL ? first : page;
  const onPage = (ids: string[]) => (ranked === page ? ids : ids.slice(page.offset, page.offset + page.limit));
  const exact = await rank(read, workspaceId, [query], ranked);
  const isFew = exact.total + without.length < FEW;
  if (!isFew && (exact.total > FEW_WITH_ALL || query.groups.length < 2))
    return { total: exact.total, ids: onPage(exact.ids), queries: [query], correctedTerm: null, language };
  const correction = isFew ? await correct({ read, workspaceId, query, hidden, language }, text, exact.total) : null;
  const corrected = correction && (await withSynonyms(read, correction.query));
  const queries = corrected ? (exact.total > 0 ? [query, corrected] : [corrected]) : [query];
  const found = corrected ? await rank(read, workspaceId, queries, ranked) : exact;
  const correctedTerm = correction?.term ?? null;
  const meant = corrected ?? query;
  const isQuestion = query.spoken !== undefined;
  if (found.total > FEW_WITH_ALL || meant.groups.length < 2 || isAnswered(meant, isQuestion, found))
    return { total: found.total, ids: onPage(found.ids), queries, correctedTerm, language };
  const complete = found.ids.length === found.total ? found : await rank(read, workspaceId, queries, first);
  const asTyped = corrected && exact.total > 0 ? complete.ids.slice(0, exact.total) : [];
  const rest = complete.ids.slice(asTyped.length);
  const leaveOut = [...without, ...asTyped];
  const limit = MOST_SOME - leaveOut.length;
  const some = await someWords(read, workspaceId, meant, {
    language,
    whole: { ids: rest, queries },
    leaveOut,
    hidden,
    limit,
  });
  const near = await withNearest(read, workspaceId, some, { vector: page.vector, keep: rest, leaveOut, hidden, limit });
  const all = [...asTyped, ...near.map(({ id }) => id)];
  const ids = all.slice(page.offset, page.offset + page.limit);
  return { total: all.length, ids, queries, correctedTerm, language };
}

interface Ranking {
  total: number;
  ids: string[];
  version: string | null;
  /** Whether any match, on any page, has all words in its title, or the text as typed. Null for hundreds of matches. */
  inTitle?: boolean | null;
  asTyped?: boolean | null;
}

/**
 * Whether the articles with all words are enough, so that none with only some of them follow.
 * @param isQuestion someone who also types small words may use other words than the article, unless it has the same text
 */
function isAnswered({ groups, spoken }: Query, isQuestion: boolean, { inTitle, asTyped }: Ranking): boolean {
  if (asTyped && (spoken ?? groups).length >= FEWEST_AS_TYPED) return true;
  return inTitle === true && !isQuestion;
}

async function rank(
  read: Read,
  workspaceId: string,
  queries: readonly Query[],
  { limit, offset, hidden = [], without }: RestWindow,
): Promise<Ranking> {
  const { all, stages } = stagesOf(workspaceId, queries);
  const key = searchKey(workspaceId, { hidden, without }, stages);
  const kept = keptPage(key, limit, offset);
  if (kept && kept.version === (await versionsOf(read))?.content) return kept;
  const known = keptTotal(key);
  const [found] = await read<Ranking>(
    `SELECT total::int, ids, version, in_title AS "inTitle", as_typed AS "asTyped"
     FROM search_rank($1::tsquery, $2::text[]::tsquery[], $3::text[]::tsquery[],
       $4::text[]::tsquery[], $5::text[]::tsquery[], $6::text[], $7::uuid[], $8::uuid[], $9, $10, $11, $12)`,
    [
      all,
      stages.map(({ query }) => query),
      stages.map(({ near }) => near),
      stages.map(({ phrase }) => phrase),
      stages.map(({ pairs }) => pairs),
      stages.map(({ title }) => title),
      hidden,
      without,
      known?.version ?? null,
      known?.total ?? null,
      limit,
      offset,
    ],
  );
  if (!found) return { total: 0, ids: [], version: null };
  const { version, ...ranked } = found;
  if (version !== null) keepRanking(key, limit, offset, { version, ...ranked });
  return found;
}
