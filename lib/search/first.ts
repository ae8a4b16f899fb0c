import type { Read } from "@/lib/db";

/** An article that comes before all others of a search. */
export interface First {
  id: string;
  reason: "pinned" | "opened";
  /** How often readers opened the article from this search. A network counts once a day. Only with "opened". */
  readers?: number;
}

export const MOST_PINS = 5;
const MOST_OPENED = 3;
const FEWEST_READERS = 5;
const DAYS = 90;

/**
 * Published articles in the order in which they come first for each search: pinned ones, then those that readers often
 * opened from its results. An article that more readers called not helpful than helpful only comes first if it is pinned.
 */
const sql = `
  SELECT s.folded, f.id, f.readers FROM unnest($1::text[]) s (folded) CROSS JOIN LATERAL (
    (SELECT p.article_id AS id, p.position, p.created_at AS at, NULL::integer AS readers
     FROM search_pins p JOIN articles a ON a.workspace_id = p.workspace_id AND a.id = p.article_id
     WHERE p.term_folded = s.folded AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])
     ORDER BY p.position, p.created_at, p.article_id LIMIT ${MOST_PINS})
    UNION ALL
    (SELECT o.article_id, NULL, NULL, o.readers
     FROM (
       SELECT workspace_id, article_id, count(*)::integer AS readers FROM search_opens
       WHERE term_folded = s.folded AND day > current_date - ${DAYS}
       GROUP BY workspace_id, article_id HAVING count(*) >= ${FEWEST_READERS}
     ) o JOIN articles a ON a.workspace_id = o.workspace_id AND a.id = o.article_id
     WHERE a.state = 'published' AND a.category_id <> ALL($2::uuid[])
       AND NOT EXISTS (SELECT FROM search_pins p WHERE p.term_folded = s.folded AND p.article_id = o.article_id)
       AND (SELECT count(*) FILTER (WHERE NOT v.helpful) <= count(*) FILTER (WHERE v.helpful) FROM feedback v
            WHERE v.article_id = o.article_id AND v.day > current_date - ${DAYS})
     ORDER BY o.readers DESC, o.article_id LIMIT ${MOST_OPENED})
  ) f
  ORDER BY s.folded, f.readers IS NOT NULL, f.position, f.at, f.readers DESC, f.id`;

/** Whether any article comes first. Few searches have one, and planning the statement above takes ten times as long. */
export const anyFirst = (folded: `$${number}`) => `
  EXISTS (SELECT FROM search_pins WHERE term_folded = ${folded})
    OR EXISTS (SELECT FROM search_opens WHERE term_folded = ${folded})`;

type Row = { folded: string; id: string; readers: number | null };

/**
 * @param folded all words of the search (`parseQuery`), so that a part of it brings nothing up
 * @param hidden categories that the viewer does not see
 */
export async function firstFor(read: Read, folded: string, hidden: readonly string[]): Promise<First[]> {
  if (folded === "") return [];
  return (await read<Row>(sql, [[folded], hidden])).map(firstOf);
}

/** The same for many searches, for members, who see everything. Searches without such an article are left out. */
export async function firstForAll(read: Read, folded: readonly string[]): Promise<Map<string, First[]>> {
  const found = new Map<string, First[]>();
  for (const row of await read<Row>(sql, [[...new Set(folded)].filter(Boolean), []]))
    found.set(row.folded, [...(found.get(row.folded) ?? []), firstOf(row)]);
  return found;
}

function firstOf({ id, readers }: Row): First {
  return readers === null ? { id, reason: "pinned" } : { id, reason: "opened", readers };
}
