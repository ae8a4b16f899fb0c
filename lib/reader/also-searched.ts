import { LRUCache } from "lru-cache";
import type { Read } from "@/lib/db";
import { countsOf } from "@/lib/search/counts";
import { BESIDE, lexeme, MARKS, tagOf } from "@/lib/search/lexemes";
import { isSmallWord } from "@/lib/search/small-words";
import { pairsOf, wordsIn } from "@/lib/search/words";
import type { Snapshot } from "@/lib/visibility";

interface Frequent {
  term: string;
  words: string[];
}

const MOST = 5;
/** The log does not know who searched, but several people search on several days. */
const LEAST_DAYS = 5;
const SPAN = "90 days";
const MOST_SEARCHES = 20_000;
const MOST_FREQUENT = 300;
const MOST_CHECKED = 15;
const KEPT_MS = 10 * 60_000;

/** By workspace, then by the words of the search. Frequent searches change slowly, so the log is read once in a while. */
const frequent = new LRUCache<string, Map<string, Frequent>>({ max: 500, ttl: KEPT_MS });

/**
 * Frequent searches of the workspace that share a word with this one. No search may tell what one person typed or what
 * hidden articles hold: each was made on five days, had results, and has all its words in one article that the viewer may see.
 * None once the workspace keeps no searches.
 */
export async function alsoSearched(
  { read, hidden }: Snapshot,
  workspace: { id: string; searchLogEnabled: boolean },
  text: string,
): Promise<string[]> {
  if (!workspace.searchLogEnabled) return [];
  const words = tellingPieces(text);
  if (words.length === 0) return [];
  const others = [...(await frequentSearches(read, workspace.id))]
    .filter(([form]) => form !== formOf(words))
    .map(([, search]) => ({ ...search, shared: search.words.filter((word) => words.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_CHECKED);
  if (others.length === 0) return [];
  const queries = others.map(({ term }) => exactQuery(workspace.id, term));
  const found = await countsOf(read, queries, hidden, 1);
  return others
    .filter((_, index) => (found[index] ?? 0) > 0)
    .map(({ term }) => term)
    .slice(0, MOST);
}

async function frequentSearches(read: Read, workspaceId: string): Promise<Map<string, Frequent>> {
  const kept = frequent.get(workspaceId);
  if (kept) return kept;
  const rows = await read<{ term: string }>(
    `SELECT last.term FROM (
       SELECT term_folded, count(*) AS days, sum(times) AS times FROM (
         SELECT term_folded, count(*) AS times FROM (
           SELECT term_folded, created_at FROM searches
           WHERE workspace_id = $1 AND created_at > now() - interval '${SPAN}' AND results_count > 0
           ORDER BY created_at DESC LIMIT ${MOST_SEARCHES}
         ) newest
         GROUP BY term_folded, (created_at AT TIME ZONE 'UTC')::date
       ) of_a_day
       GROUP BY term_folded HAVING count(*) >= ${LEAST_DAYS}
       ORDER BY days DESC, times DESC, term_folded LIMIT ${MOST_FREQUENT}
     ) often CROSS JOIN LATERAL (
       SELECT s.term FROM searches s WHERE s.workspace_id = $1 AND s.term_folded = often.term_folded
       ORDER BY s.created_at DESC LIMIT 1
     ) last
     ORDER BY often.days DESC, often.times DESC, often.term_folded`,
    [workspaceId],
  );
  const found = new Map<string, Frequent>();
  for (const { term } of rows) {
    const words = tellingPieces(term);
    // An email address stays private, even if its parts are words of articles.
    if (!term.includes("@") && !found.has(formOf(words))) found.set(formOf(words), { term, words });
  }
  frequent.set(workspaceId, found);
  return found;
}

function piecesOf(text: string): string[] {
  const pieces = Array.from(wordsIn(text), ({ folded, dense }) => (dense ? pairsOf(folded) : [folded]));
  return [...new Set(pieces.flat())];
}

function tellingPieces(text: string): string[] {
  return piecesOf(text).filter((piece) => !isSmallWord(piece));
}

/** The same for the same words in another order. */
function formOf(words: readonly string[]): string {
  return words.toSorted().join(" ");
}

/** The tsquery for articles with each word of a text, whole. */
function exactQuery(workspaceId: string, text: string): string {
  const tag = tagOf(workspaceId);
  return piecesOf(text)
    .map((piece) => `('${lexeme(tag, MARKS.content, piece)}' | '${lexeme(tag, BESIDE, piece)}')`)
    .join(" & ");
}
