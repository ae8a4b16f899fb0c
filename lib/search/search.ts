import type { Read } from "@/lib/db";
import { correct } from "./corrections";
import { SEARCHED_CHARACTERS } from "./documents";
import { isMadeAnew } from "./form";
import { type Fragment, fragment, highlight, type Sought } from "./highlights";
import { parseQuery, type Query, stagesOf, withoutSmallWords } from "./query";
import { keepRanking, keptPage, keptTotal, searchKey } from "./rankings";
import { withSynonyms } from "./synonyms";

export interface SearchMatch {
  id: string;
  slug: string;
  title: string;
  category: { name: string; slug: string };
  /** HTML, or null where the words are not in that field (contract 3). */
  matchedTitle: string | null;
  matchedContent: string | null;
  matchedCategory: string | null;
}

/** Below so many matches a search is tried in another spelling too. */
const FEW = 3;

/** What a search found. */
export interface SearchResult {
  matches: SearchMatch[];
  /** The number of all matches. */
  total: number;
  /** The text in the spelling that was searched as well, or instead when the text as asked finds nothing (contract 2). */
  correctedTerm: string | null;
}

/** Which page of the matches is wanted, and of which categories nothing may be found (lib/visibility.ts). */
export interface Window {
  limit: number;
  offset: number;
  hidden?: readonly string[];
}

/**
 * Published articles that have every word of the text, each as the beginning of one of theirs, in any mix of title,
 * content, slug, category name and keywords, the most relevant first (contract 2, 3, 7). When none has them all, the
 * small words of a question are left out; when there are few, those follow that have the words in a corrected spelling.
 * @param text up to ten different words of it count; without a letter or digit nothing is found
 * @returns one page of them
 */
export async function searchArticles(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<SearchResult> {
  const asked = parseQuery(text);
  if (asked.groups.length === 0) return { matches: [], total: 0, correctedTerm: null };
  const window = { ...page, isAnew: await isMadeAnew(read, workspaceId) };
  const query = await withSynonyms(read, asked);
  const exact = await rank(read, workspaceId, [query], window);
  if (exact.total >= FEW) return answer(read, exact, [query]);
  // A question, such as "how do I …", may have words that no article answers with.
  const shorter = exact.total === 0 ? withoutSmallWords(query) : null;
  const found = shorter ? await rank(read, workspaceId, [shorter], window) : exact;
  if (shorter && found.total > 0) return answer(read, found, [shorter]);
  const correction = await correct(
    { read, workspaceId, query: shorter ?? query, hidden: window.hidden ?? [], isAnew: window.isAnew },
    text,
    found.total,
  );
  if (!correction) return answer(read, exact, [query]);
  const corrected = await withSynonyms(read, correction.query);
  const queries = exact.total > 0 ? [query, corrected] : [corrected];
  return answer(read, await rank(read, workspaceId, queries, window), queries, correction.term);
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
  { limit, offset, hidden = [], isAnew }: Window & { isAnew: boolean },
): Promise<{ total: number; ids: string[] }> {
  const { all, stages } = stagesOf(workspaceId, queries, isAnew);
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

/** Fragments are looked for in so much of a text, and in the rest of so many characters of all texts together. */
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

/** The best fragment of each text; of the few that are long, also of what comes after their beginning. */
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
