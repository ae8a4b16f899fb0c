import type { Read } from "@/lib/db";
import { correct } from "./corrections";
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
 */
export async function searchArticles(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<SearchResult> {
  const parsed = parseQuery(text);
  if (parsed.groups.length === 0) return { matches: [], total: 0, correctedTerm: null };
  const query = await withSynonyms(read, parsed);
  const exact = await rank(read, workspaceId, [query], page);
  if (exact.total >= FEW) return answer(read, exact, [query]);
  const shorter = exact.total === 0 ? withoutSmallWords(query) : null;
  const found = shorter ? await rank(read, workspaceId, [shorter], page) : exact;
  if (shorter && found.total > 0) return answer(read, found, [shorter]);
  const correction = await correct(
    { read, workspaceId, query: shorter ?? query, hidden: page.hidden ?? [] },
    text,
    found.total,
  );
  if (!correction) return answer(read, exact, [query]);
  const corrected = await withSynonyms(read, correction.query);
  const queries = exact.total > 0 ? [query, corrected] : [corrected];
  return answer(read, await rank(read, workspaceId, queries, page), queries, correction.term);
}

async function answer(
  read: Read,
  { total, ids }: { total: number; ids: string[] },
  queries: readonly Query[],
  correctedTerm: string | null = null,
): Promise<SearchResult> {
  return { matches: await matchesOf(read, ids, queries), total, correctedTerm };
}

async function rank(
  read: Read,
  workspaceId: string,
  queries: readonly Query[],
  { limit, offset, hidden = [] }: Window,
): Promise<{ total: number; ids: string[] }> {
  const { all, stages } = stagesOf(workspaceId, queries);
  const key = searchKey(workspaceId, hidden, stages);
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
       $4::text[]::tsquery[], $5::text[]::tsquery[], $6::text[], $7::uuid[], $8, $9, $10, $11)`,
    [
      all,
      stages.map(({ query }) => query),
      stages.map(({ near }) => near),
      stages.map(({ phrase }) => phrase),
      stages.map(({ pairs }) => pairs),
      stages.map(({ title }) => title),
      hidden,
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
