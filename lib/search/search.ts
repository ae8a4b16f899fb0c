import type { Read } from "@/lib/db";
import { correct } from "./corrections";
import { type First, firstFor } from "./first";
import { matchesOf, type SearchMatch } from "./matches";
import { parseQuery, type Query, stagesOf, withoutSmallWords } from "./query";
import { keepRanking, keptPage, keptTotal, searchKey } from "./rankings";
import { withSynonyms } from "./synonyms";

/** Fewer matches than this are corrected. */
const FEW = 3;

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
}

/**
 * Published articles in which each word begins a word of title, content, slug, category or keywords (contract 2, 3, 7). Small
 * words are dropped when nothing has them all; corrected spellings follow when few match. Ten different words count.
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
  /** What the articles were found by. */
  queries: readonly Query[];
}

/** One page of the ids, and all articles that come first. */
export async function findArticles(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<Ranked & { first: First[] }> {
  const parsed = parseQuery(text);
  if (parsed.groups.length === 0) return { ids: [], queries: [], total: 0, correctedTerm: null, first: [] };
  const first = await firstFor(read, parsed.folded, page.hidden ?? []);
  const without = first.map(({ id }) => id);
  const shown = without.slice(page.offset, page.offset + page.limit);
  const [limit, offset] = [page.limit - shown.length, Math.max(0, page.offset - first.length)];
  const rest = await findRest(read, workspaceId, text, parsed, { ...page, limit, offset, without });
  return { ...rest, ids: [...shown, ...rest.ids], total: first.length + rest.total, first };
}

interface RestWindow extends Window {
  /** Articles that come first, and not again. */
  without: readonly string[];
}

async function findRest(
  read: Read,
  workspaceId: string,
  text: string,
  parsed: Query,
  page: RestWindow,
): Promise<Ranked> {
  const query = await withSynonyms(read, parsed);
  const exact = await rank(read, workspaceId, [query], page);
  if (exact.total + page.without.length >= FEW) return { ...exact, queries: [query], correctedTerm: null };
  const shorter = exact.total === 0 ? withoutSmallWords(query) : null;
  const found = shorter ? await rank(read, workspaceId, [shorter], page) : exact;
  if (shorter && found.total > 0) return { ...found, queries: [shorter], correctedTerm: null };
  const correction = await correct(
    { read, workspaceId, query: shorter ?? query, hidden: page.hidden ?? [] },
    text,
    found.total,
  );
  if (!correction) return { ...exact, queries: [query], correctedTerm: null };
  const corrected = await withSynonyms(read, correction.query);
  const queries = exact.total > 0 ? [query, corrected] : [corrected];
  return { ...(await rank(read, workspaceId, queries, page)), queries, correctedTerm: correction.term };
}

async function rank(
  read: Read,
  workspaceId: string,
  queries: readonly Query[],
  { limit, offset, hidden = [], without }: RestWindow,
): Promise<{ total: number; ids: string[] }> {
  const { all, stages } = stagesOf(workspaceId, queries);
  const key = searchKey(workspaceId, { hidden, without }, stages);
  const kept = keptPage(key, limit, offset);
  if (kept) {
    const [now] = await read<{ version: string }>(
      "SELECT version FROM content_versions WHERE workspace_id = $1 AND current_setting('transaction_read_only')::boolean",
      [workspaceId],
    );
    if (now?.version === kept.version) return kept;
  }
  const known = keptTotal(key);
  const [found] = await read<{ total: number; ids: string[]; version: string | null }>(
    `SELECT total::int, ids, version FROM search_rank($1::tsquery, $2::text[]::tsquery[], $3::text[]::tsquery[],
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
  if (!found) return { total: 0, ids: [] };
  const { version, ...ranked } = found;
  if (version !== null) keepRanking(key, limit, offset, { version, ...ranked });
  return found;
}
