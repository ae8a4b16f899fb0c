import type { Read } from "@/lib/db";
import { countsOf } from "./counts";

/** PostgreSQL's stemmers, which every version that Lectern runs on has. */
const STEMMERS: Record<string, string> = {
  ar: "arabic",
  ca: "catalan",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "hindi",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nb: "norwegian",
  ne: "nepali",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
};

/** Languages that write compounds as one word, which end with what they are: `Stornorechnung` is a `Rechnung`. */
const COMPOUNDS = new Set(["da", "de", "fi", "nb", "nl", "nn", "no", "sv"]);
const SHORTEST_END = 5;
const SHORTEST_STEM = 3;
const MOST_READ = 1_000;
const LAST_CHARACTER = "\u{10ffff}";

/** Parameters: workspace, words, stemmer, the last character, words that may end compounds. */
const selected = `
  SELECT s.word, k.word AS form
  FROM (
    SELECT word, (ts_lexize($3::regdictionary, word))[1] AS stem FROM unnest($2::text[]) word
  ) s
  CROSS JOIN LATERAL (SELECT left(s.stem, greatest(length(s.stem) - 1, ${SHORTEST_STEM})) AS text) beginning
  CROSS JOIN LATERAL (
    SELECT k.word, k.spelling FROM search_words k
    WHERE k.workspace_id = $1::uuid AND k.word >= beginning.text AND k.word < beginning.text || $4
    ORDER BY k.word LIMIT ${MOST_READ}
  ) k
  WHERE length(s.stem) >= ${SHORTEST_STEM} AND k.word <> s.word
    AND s.stem IN ((ts_lexize($3::regdictionary, k.word))[1], (ts_lexize($3::regdictionary, k.spelling))[1])
  UNION
  SELECT s.word, k.word FROM unnest($5::text[]) s(word)
  CROSS JOIN LATERAL (
    SELECT k.word FROM search_words k
    WHERE k.workspace_id = $1::uuid AND k.backwards >= reverse(s.word) AND k.backwards < reverse(s.word) || $4
    ORDER BY k.backwards LIMIT ${MOST_READ}
  ) k
  WHERE k.word <> s.word
  ORDER BY 1, 2`;

interface Row {
  word: string;
  form: string;
}

/**
 * Other words of the workspace with the same stem, shortest first, and compounds whose last part is the word.
 * @param words folded
 * @param language a BCP 47 tag. A language without a stemmer has no other forms
 */
export async function formsOf(
  read: Read,
  workspaceId: string,
  words: readonly string[],
  language: string,
): Promise<Map<string, string[]>> {
  const values = valuesFor(workspaceId, words, language);
  return values ? groupedForms(await read<Row>(selected, values)) : new Map();
}

/** The same, and how many published articles each query finds (./counts.ts), in one statement. */
export async function formsAndCounts(
  read: Read,
  workspaceId: string,
  words: readonly string[],
  language: string,
  { queries, most, hidden }: { queries: readonly string[]; most: number; hidden: readonly string[] },
): Promise<{ forms: Map<string, string[]>; found: number[] }> {
  const values = valuesFor(workspaceId, words, language);
  if (!values || queries.length === 0)
    return {
      forms: await formsOf(read, workspaceId, words, language),
      found: await countsOf(read, queries, hidden, most),
    };
  const [row] = await read<{ forms: Row[] | null; found: number[] }>(
    `SELECT (SELECT json_agg(f) FROM (${selected}) f) AS forms,
       ARRAY(SELECT found::int FROM search_counts($6::text[]::tsquery[], $7, $8::uuid[]) ORDER BY query) AS found`,
    [...values, queries, most, hidden],
  );
  return { forms: groupedForms(row?.forms ?? []), found: row?.found ?? [] };
}

/** Null when no word has other forms. */
function valuesFor(workspaceId: string, words: readonly string[], language: string): unknown[] | null {
  const primary = language.split("-", 1)[0]?.toLowerCase() ?? "";
  const stemmer = STEMMERS[primary];
  if (!stemmer || words.length === 0) return null;
  const ends = COMPOUNDS.has(primary) ? words.filter((word) => word.length >= SHORTEST_END) : [];
  return [workspaceId, words, `pg_catalog.${stemmer}_stem`, LAST_CHARACTER, ends];
}

function groupedForms(rows: readonly Row[]): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const { word, form } of rows) forms.set(word, [...(forms.get(word) ?? []), form]);
  for (const found of forms.values()) found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return forms;
}
