import type { Db, Read } from "@/lib/db";
import { formOf, formOfGroups, type Group, type Query, type QueryWord } from "./query";
import { wordsIn, wordsOf } from "./words";

/** The most words of a term or replacement that a search is read for. */
export const LONGEST_SYNONYM = 5;

/** The most other meanings of one search: each is looked up in every field. */
const MOST_MEANINGS = 20;

/**
 * The query, where parts of it mean something else in the workspace, widened by that: an article that has the other
 * words is found as well as one that has those that were asked. One statement, which costs next to nothing in a workspace
 * without synonyms.
 */
export async function withSynonyms(read: Read, query: Query): Promise<Query> {
  const runs = new Map<string, { from: number; to: number }>();
  for (const from of query.groups.keys()) {
    for (let to = from; to < Math.min(from + LONGEST_SYNONYM, query.groups.length); to++) {
      const form = formOfGroups(query.groups.slice(from, to + 1));
      if (!runs.has(form)) runs.set(form, { from, to });
    }
  }
  const meanings = await synonymsIn(read, [...runs.keys()]);
  if (meanings.length === 0) return query;
  // Of runs that share a word, the longest means something.
  const widest = meanings
    .map(({ form, means }) => ({ ...(runs.get(form) as { from: number; to: number }), means }))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const instead = new Map<number, Group | null>();
  let left = MOST_MEANINGS;
  for (const { from, to, means } of widest) {
    const places = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (places.some((place) => instead.has(place))) continue;
    const groups = query.groups.slice(from, to + 1);
    // Of a letter and a word, that both may be written together.
    const others = (groups.at(-1) ?? [])
      .slice(1)
      .filter(([word]) => from === to || word?.at === groups[0]?.[0]?.[0]?.at);
    for (const place of places) instead.set(place, null);
    const ways = [
      asked(groups),
      ...others,
      ...means.slice(0, left).map((text) => wordsLike(text, asked(groups)[0] as QueryWord)),
    ];
    // A part that was not corrected has its meanings already.
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

function asked(groups: readonly Group[]): QueryWord[] {
  return groups.flatMap(([words = []]) => words);
}

function wordsLike(text: string, { start, end, at }: QueryWord): QueryWord[] {
  return Array.from(wordsIn(text), ({ folded, dense }, index) => ({ folded, dense, start, end, at: at + index }));
}

/**
 * What parts of a search mean besides what they say. For a run that is a term: its replacements; for one that is a
 * replacement of a two-way synonym: the term and the other replacements.
 * @param foldedRuns runs of 1 to 5 neighbouring words of the search, each its folded words joined by one blank
 * @returns for each run that means something else, in the order given, what: folded words joined by one blank
 */
export async function synonymsIn(
  read: Read,
  foldedRuns: readonly string[],
): Promise<{ form: string; means: string[] }[]> {
  if (foldedRuns.length === 0) return [];
  const rows = await read<{ term: string; replacements: string[]; twoWay: boolean }>(
    `SELECT term_folded AS term, replacements_folded AS replacements, two_way AS "twoWay" FROM synonyms
     WHERE workspace_id = current_setting('app.workspace_id')::uuid
       AND (term_folded = ANY($1::text[]) OR two_way AND replacements_folded && $1::text[])
     ORDER BY term_folded`,
    [foldedRuns],
  );
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

/** By what searches and synonyms are compared. */
export function synonymForm(text: string): string {
  return wordsOf(text).join(" ");
}

/** Folds a workspace's synonyms anew, as words are folded now. Until the transaction ends nobody adds or changes one. */
export async function refoldSynonyms(db: Db): Promise<void> {
  await db.$queryRaw`SELECT id FROM workspaces FOR NO KEY UPDATE`;
  await db.$queryRaw`SELECT id FROM synonyms ORDER BY id FOR UPDATE`;
  const synonyms = await db.synonym.findMany({ orderBy: { createdAt: "asc" } });
  const taken = new Set(synonyms.map(({ termFolded }) => termFolded));
  for (const { id, term, termFolded: before, replacements } of synonyms) {
    const form = synonymForm(term);
    // Two terms that have come to be the same keep their own forms: a person decides which of them goes.
    const termFolded = form === "" || taken.has(form) ? before : form;
    taken.add(termFolded);
    const data = { termFolded, replacementsFolded: replacements.map(synonymForm) };
    await db.synonym.updateMany({ where: { id }, data });
  }
}
