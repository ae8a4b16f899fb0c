import type { Read } from "@/lib/db";
import { countsOf } from "./counts";
import type { First } from "./first";
import { FIELDS, type Field, tagOf } from "./lexemes";
import { matchesOf, type SearchMatch } from "./matches";
import { everywhere, formOf, type Group, type Query, type QueryWord, wordInField } from "./query";
import { findArticles, type Window } from "./search";
import { formsIn } from "./some-words";

/** Why an article is among the results of a search. */
export interface Why {
  /** Set when the article comes before all that are ranked by words. */
  first: First | null;
  words: WhyWord[];
  /** Words of the search that the article does not have. */
  missing: string[];
}

export interface WhyWord {
  /** As the search has it, corrected where it was. */
  word: string;
  /** The synonym or other form that the article has instead. */
  as: string | null;
  field: Field;
  /** How many published articles have the word, counted up to MOST_COUNTED. */
  articles: number;
}

export interface ExplainedSearch {
  matches: (SearchMatch & { why: Why })[];
  total: number;
  correctedTerm: string | null;
}

export const MOST_COUNTED = 1_000;

/** The same results as `searchArticles`, each with the reason for its position. */
export async function explainSearch(
  read: Read,
  workspaceId: string,
  text: string,
  page: Window,
): Promise<ExplainedSearch> {
  const { ids, total, correctedTerm, queries, first, language } = await findArticles(read, workspaceId, text, page);
  const matches = await matchesOf(read, ids, queries);
  const found = await foundIn(read, workspaceId, ids, queries, language);
  return {
    total,
    correctedTerm,
    matches: matches.map((match) => ({
      ...match,
      why: {
        first: first.find(({ id }) => id === match.id) ?? null,
        ...(found.get(match.id) ?? { words: [], missing: [] }),
      },
    })),
  };
}

/** By article, the words of the query of which it has the most. */
async function foundIn(
  read: Read,
  workspaceId: string,
  ids: readonly string[],
  typed: readonly Query[],
  language: string,
): Promise<Map<string, Pick<Why, "words" | "missing">>> {
  const queries = await Promise.all(typed.map((query) => withForms(read, workspaceId, query, language)));
  const groups = queries.flatMap((query) => query.groups);
  if (ids.length === 0 || groups.length === 0) return new Map();
  const tag = tagOf(workspaceId);
  const words = [...new Set(groups.flat(2))];
  const inFields = words.flatMap((word) => FIELDS.map((field) => wordInField(tag, word, field)));
  const counts = await countsOf(
    read,
    typed.flatMap((query) => query.groups).map((group) => everywhere(tag, { folded: "", groups: [group] })),
    [],
    MOST_COUNTED,
  );
  const articles = new Map(counts.map((found, index) => [groups[index], found]));
  const rows = await read<{ id: string; has: boolean[] }>(
    `SELECT d.id, ARRAY(
       SELECT d.words @@ q.query FROM unnest($2::text[]::tsquery[]) WITH ORDINALITY q (query, place) ORDER BY q.place
     ) AS has FROM search_documents d WHERE d.workspace_id = $1 AND d.id = ANY($3::uuid[])`,
    [workspaceId, inFields, ids],
  );
  return new Map(
    rows.map(({ id, has }) => {
      const fieldOf = (word: QueryWord) => {
        const from = words.indexOf(word) * FIELDS.length;
        return FIELDS.findIndex((_, index) => has[from + index]);
      };
      const explained = queries.map((query) => wordsOf(query, fieldOf, articles));
      return [id, explained.reduce((best, other) => (other.missing.length < best.missing.length ? other : best))];
    }),
  );
}

/** Adds the other forms of each word to the query as alternatives. */
async function withForms(read: Read, workspaceId: string, query: Query, language: string): Promise<Query> {
  const forms = await formsIn(read, workspaceId, query, language);
  const asWords = (group: Group) =>
    (forms.get(group) ?? []).map((folded) => [{ folded, start: 0, end: 0, at: 0, dense: false }]);
  return { ...query, groups: query.groups.map((group) => [...group, ...asWords(group)]) };
}

/** @param fieldOf the place among FIELDS of the heaviest field with the word, or -1 */
function wordsOf(
  query: Query,
  fieldOf: (word: QueryWord) => number,
  articles: Map<Group | undefined, number>,
): Pick<Why, "words" | "missing"> {
  const words: WhyWord[] = [];
  const missing: string[] = [];
  for (const group of query.groups) {
    const way = group.find((candidate) => candidate.every((word) => fieldOf(word) >= 0));
    const word = formOf(group[0] ?? []);
    const field = way && FIELDS[Math.max(...way.map(fieldOf))];
    if (field)
      words.push({ word, as: way === group[0] ? null : formOf(way), field, articles: articles.get(group) ?? 0 });
    else missing.push(word);
  }
  return { words, missing };
}
