import { setImmediate } from "node:timers/promises";
import type { Heading } from "@/lib/content/headings";
import type { Read } from "@/lib/db";
import { SEARCHED_CHARACTERS } from "./documents";
import { escape, foundIn, highlight, type Sought } from "./highlights";
import { type Passage, passagesOf } from "./passages";
import type { Query } from "./query";

export interface SearchMatch {
  id: string;
  slug: string;
  title: string;
  category: { id: string; name: string; slug: string };
  /** HTML, or null when the field does not match (contract 3). */
  matchedTitle: string | null;
  matchedContent: string | null;
  matchedCategory: string | null;
  /** The section that has more of the words than the title. */
  heading: { id: string; text: string; html: string } | null;
}

/** Characters of each text that are searched for a fragment, and bytes of all texts together beyond that. */
const BEGINNING = 20_000;
const REST = 2_000_000;
/** Milliseconds after which other requests get their turn. */
const LONGEST_MS = 4;

type Row = Pick<SearchMatch, "id" | "slug" | "title" | "category"> & {
  text: string;
  /** Of the whole text. PostgreSQL knows it without reading the text, unlike the number of characters. */
  bytes: number;
  headings: Heading[];
};

/** The matches with these ids, in their order, with the words of the queries marked. */
export async function matchesOf(read: Read, ids: readonly string[], queries: readonly Query[]): Promise<SearchMatch[]> {
  if (ids.length === 0) return [];
  // An article may have thousands of headings.
  const rows = await read<Row>(
    `SELECT a.id, a.slug, l.title, octet_length(l.text) AS bytes,
       CASE WHEN octet_length(l.text) <= $2 THEN l.text ELSE left(l.text, $2) END AS text,
       jsonb_path_query_array(l.headings, '$[0 to 499]') AS headings,
       json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) AS category
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
  const passages = await bestPassages(read, rows, words);
  return rows.map(({ id, slug, title, category }, index) => {
    const { fragment = null, heading = null } = passages[index] ?? {};
    return {
      ...{ id, slug, title, category },
      matchedTitle: highlight(title, words),
      matchedContent: fragment?.html ?? null,
      matchedCategory: highlight(category.name, words),
      heading: heading && {
        ...{ id: heading.id, text: heading.text },
        html: highlight(heading.text, words) ?? escape(heading.text),
      },
    };
  });
}

async function bestPassages(read: Read, rows: readonly Row[], words: readonly Sought[]): Promise<Passage[]> {
  const inTitles = foundIn(
    rows.map(({ title }) => title),
    words,
  );
  const early: (Pick<Row, "id" | "bytes"> & { passageIn: (text: string) => Passage; passage: Passage })[] = [];
  let since = performance.now();
  for (const [index, { id, bytes, text, headings }] of rows.entries()) {
    if (performance.now() - since > LONGEST_MS) {
      await setImmediate();
      since = performance.now();
    }
    const passageIn = passagesOf(headings, inTitles[index] ?? 0, words);
    early.push({ id, bytes, passageIn, passage: passageIn(text) });
  }
  let budget = REST;
  const long = early.filter(({ bytes, passage }) => {
    if (bytes <= BEGINNING || passage.fragment?.isComplete || budget <= 0) return false;
    budget -= bytes;
    return true;
  });
  const rest =
    long.length === 0
      ? []
      : await read<{ id: string; text: string }>(
          "SELECT id, substr(text, $2, $3) AS text FROM article_live WHERE id = ANY($1::uuid[])",
          [long.map(({ id }) => id), BEGINNING + 1, SEARCHED_CHARACTERS - BEGINNING],
        );
  const later = new Map(rest.map(({ id, text }) => [id, text]));
  return early.map(({ id, passage, passageIn }) => {
    const text = later.get(id);
    const late = text === undefined ? null : passageIn(text);
    return late?.fragment && late.fragment.found > (passage.fragment?.found ?? 0) ? late : passage;
  });
}
