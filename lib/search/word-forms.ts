import type { Read } from "@/lib/db";

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
  const forms = new Map<string, string[]>();
  const primary = language.split("-", 1)[0]?.toLowerCase() ?? "";
  const stemmer = STEMMERS[primary];
  if (!stemmer || words.length === 0) return forms;
  const rows = await read<{ word: string; form: string }>(
    `SELECT s.word, k.word AS form
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
     ORDER BY 1, 2`,
    [
      workspaceId,
      words,
      `pg_catalog.${stemmer}_stem`,
      LAST_CHARACTER,
      COMPOUNDS.has(primary) ? words.filter((word) => word.length >= SHORTEST_END) : [],
    ],
  );
  for (const { word, form } of rows) forms.set(word, [...(forms.get(word) ?? []), form]);
  for (const found of forms.values()) found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return forms;
}
