import type { Read } from "@/lib/db";
import { correct } from "./corrections";
import { SEARCHED_CHARACTERS } from "./documents";
import { type Fragment, fragment, highlight, type Sought } from "./highlights";
import { parseQuery, type Query, stagesOf, withoutSmallWords } from "./query";
import { keepRanking, keptPage, keptTotal, searchKey } from "./rankings";
import { withSynonyms } from "./synonyms";

export interface SearchMatch {
  id: string;
  slug: string;
  title: string;
  category: { name: string; slug: string };
  /** HTML, or null when the field does not match (contract 3). */
  matchedTitle: string | null;
  matchedContent: string | null;
  matchedCategory: string | null;
}

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

/** Characters of each text that are searched for a fragment, and of all texts together beyond that. */
const BEGINNING = 20_000;
const REST = 2_000_000;

type Row = Pick<SearchMatch, "id" | "slug" | "title" | "category"> & { text: string; characters: number };

async function matchesOf(read: Read, ids: readonly string[], queries: readonly Query[]): Promise<SearchMatch[]> {
  if (ids.length === 0) return [];
  const rows = await read<Row>(
    `SELECT a.id, a.slug, l.title, left(l.text, $2) AS text, length(l.text) AS characters,
       json_build_object('name', c.name, 'slug', c.slug) AS category
     FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, place)
     JOIN articles a ON a.id = wanted.id
     JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     JOIN categories c ON c.workspace_id = a.workspace_id AND c.id = a.category_id
     ORDER BY wanted.place`,
    [ids, BEGINNING],
  );
  const words = queries.flatMap(({ groups }) =>
    groups.flatMap((ways, group) => ways.flat().map((word) => ({ ...word, group }))),
  );
  const fragments = await fragmentsOf(read, rows, words);
  return rows.map(({ text: _, characters: __, ...row }, index) => ({
    ...row,
    matchedTitle: highlight(row.title, words),
    matchedContent: fragments[index]?.html ?? null,
    matchedCategory: highlight(row.category.name, words),
  }));
}

async function fragmentsOf(read: Read, rows: readonly Row[], words: readonly Sought[]): Promise<(Fragment | null)[]> {
  const fragments = rows.map(({ text }) => fragment(text, words));
  const groups = new Set(words.map(({ group }) => group)).size;
  let budget = REST;
  const long = rows.filter(({ characters }, index) => {
    if (characters <= BEGINNING || fragments[index]?.found === groups || budget <= 0) return false;
    budget -= characters;
    return true;
  });
  if (long.length === 0) return fragments;
  const rest = await read<{ id: string; text: string }>(
    "SELECT id, substr(text, $2, $3) AS text FROM article_live WHERE id = ANY($1::uuid[])",
    [long.map(({ id }) => id), BEGINNING + 1, SEARCHED_CHARACTERS - BEGINNING],
  );
  const later = new Map(rest.map(({ id, text }) => [id, fragment(text, words)]));
  return rows.map(({ id }, index) => {
    const [early, late] = [fragments[index] ?? null, later.get(id) ?? null];
    return (late?.found ?? 0) > (early?.found ?? 0) ? late : early;
  });
}
