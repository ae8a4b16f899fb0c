import { type Db, lockWorkspace, type Read } from "@/lib/db";
import { formOf, formOfGroups, type Group, MOST_CHARACTERS, type Query, type QueryWord } from "./query";
import { wordsIn, wordsOf } from "./words";

/** In words. */
export const LONGEST_SYNONYM = 5;

const MOST_MEANINGS = 20;

/** The query with what its parts also mean in the workspace, as alternatives. */
export async function withSynonyms(read: Read, query: Query): Promise<Query> {
  const runs = [...runsOf(query).keys()];
  return withMeanings(query, meaningsOf(runs, await read<SynonymRow>(synonymsOf("$1"), [runs])));
}

/** Runs of 1 to 5 words that may be a synonym, in their folded form, with the positions of their groups. */
export function runsOf(query: Query): Map<string, { from: number; to: number }> {
  const runs = new Map<string, { from: number; to: number }>();
  for (const from of query.groups.keys()) {
    for (let to = from; to < Math.min(from + LONGEST_SYNONYM, query.groups.length); to++) {
      const form = formOfGroups(query.groups.slice(from, to + 1));
      if (!runs.has(form)) runs.set(form, { from, to });
    }
  }
  return runs;
}

/** @param meanings of runs of the query */
export function withMeanings(query: Query, meanings: readonly { form: string; means: string[] }[]): Query {
  if (meanings.length === 0) return query;
  const runs = runsOf(query);
  // The longest of overlapping runs wins.
  const widest = meanings
    .map(({ form, means }) => ({ ...(runs.get(form) as { from: number; to: number }), means }))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const instead = new Map<number, Group | null>();
  let [left, characters] = [MOST_MEANINGS, MOST_CHARACTERS];
  for (const { from, to, means } of widest) {
    const places = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (places.some((place) => instead.has(place))) continue;
    const groups = query.groups.slice(from, to + 1);
    // Keep "email" for "e mail".
    const others = (groups.at(-1) ?? [])
      .slice(1)
      .filter(([word]) => from === to || word?.at === groups[0]?.[0]?.[0]?.at);
    for (const place of places) instead.set(place, null);
    const ways = [
      typedWords(groups),
      ...others,
      ...means
        .slice(0, left)
        .map((text) => wordsLike(text, typedWords(groups)[0] as QueryWord))
        .filter((words) => {
          characters -= denseIn(words);
          return characters >= 0 || denseIn(words) === 0;
        }),
    ];
    const byForm = new Map(ways.map((words) => [formOf(words), words]));
    instead.set(from, [...byForm.values()]);
    left = Math.max(0, left - means.length);
  }
  const groups = query.groups.flatMap((group, place) => {
    const wider = instead.get(place);
    return wider === null ? [] : [wider ?? group];
  });
  return { ...query, groups };
}

/** The number of characters in scripts without spaces, each of which is looked up. */
function denseIn(words: readonly QueryWord[]): number {
  return words.reduce((sum, { folded, dense }) => sum + (dense ? folded.length : 0), 0);
}

function typedWords(groups: readonly Group[]): QueryWord[] {
  return groups.flatMap(([words = []]) => words);
}

function wordsLike(text: string, { start, end, at }: QueryWord): QueryWord[] {
  return Array.from(wordsIn(text), ({ folded, dense }, index) => ({ folded, dense, start, end, at: at + index }));
}

export interface SynonymRow {
  term: string;
  replacements: string[];
  twoWay: boolean;
}

/** Selects the synonyms of folded runs, a parameter. */
export const synonymsOf = (runs: `$${number}`) => `
  SELECT term_folded AS term, replacements_folded AS replacements, two_way AS "twoWay" FROM synonyms
  WHERE workspace_id = current_setting('app.workspace_id')::uuid
    AND (term_folded = ANY(${runs}::text[]) OR two_way AND replacements_folded && ${runs}::text[])
  ORDER BY term_folded`;

/** Looks up runs of 1 to 5 folded words. */
export async function synonymsIn(
  read: Read,
  foldedRuns: readonly string[],
): Promise<{ form: string; means: string[] }[]> {
  if (foldedRuns.length === 0) return [];
  return meaningsOf(foldedRuns, await read<SynonymRow>(synonymsOf("$1"), [foldedRuns]));
}

/** A replacement of a two-way synonym means the term and the other replacements. */
export function meaningsOf(
  foldedRuns: readonly string[],
  rows: readonly SynonymRow[],
): { form: string; means: string[] }[] {
  if (rows.length === 0) return [];
  return [...new Set(foldedRuns)].flatMap((form) => {
    const means = new Set<string>();
    for (const { term, replacements, twoWay } of rows) {
      const applies = form === term || (twoWay && replacements.includes(form));
      if (applies) for (const other of [term, ...replacements]) means.add(other);
    }
    means.delete(form);
    return means.size > 0 ? [{ form, means: [...means] }] : [];
  });
}

export function synonymForm(text: string): string {
  return wordsOf(text).join(" ");
}

/** Folds all synonyms again and locks them until the transaction ends. */
export async function refoldSynonyms(db: Db): Promise<void> {
  await lockWorkspace(db);
  await db.$queryRaw`SELECT id FROM synonyms ORDER BY id FOR UPDATE`;
  const synonyms = await db.synonym.findMany({ orderBy: { createdAt: "asc" } });
  const taken = new Set(synonyms.map(({ termFolded }) => termFolded));
  for (const { id, term, termFolded: before, replacements } of synonyms) {
    const form = synonymForm(term);
    // Two terms that now fold alike keep their forms until a person decides.
    const termFolded = form === "" || taken.has(form) ? before : form;
    taken.add(termFolded);
    const data = { termFolded, replacementsFolded: replacements.map(synonymForm) };
    await db.synonym.updateMany({ where: { id }, data });
  }
}
