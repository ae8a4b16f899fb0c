import type { Read } from "@/lib/db";
import { beginnings, type Compared, type Span } from "@/lib/insights/period";
import { compared, listed, type Part } from "@/lib/insights/views";
import { firstForAll } from "@/lib/search/first";
import { parseQuery } from "@/lib/search/query";

export async function searchesOver(
  read: Read,
  span: Span,
  timeZone: string,
): Promise<{ bars: { all: number; nothing: number }[]; all: Compared; nothing: Compared }> {
  const from = beginnings(span, timeZone);
  const rows = await read<{ bar: number; all: number; nothing: number }>(
    `SELECT width_bucket(created_at, $1::timestamptz[]) AS bar, count(*)::int AS all,
       (count(*) FILTER (WHERE results_count = 0))::int AS nothing
     FROM searches WHERE created_at >= $2 GROUP BY 1`,
    [from, from[0]],
  );
  const [oldest] = await read<{ at: Date | null }>("SELECT min(created_at) AS at FROM searches");
  // A first bar with searches may be incomplete.
  const isKnown = Boolean(oldest?.at && oldest.at < (from[1] as Date));
  const bars = new Map(rows.map((row) => [row.bar, row]));
  const counts = (list: "all" | "nothing") =>
    compared(
      span,
      span.days.map((_, index) => bars.get(index + 1)?.[list] ?? 0),
      isKnown,
    );
  const all = counts("all");
  const nothing = counts("nothing");
  return {
    bars: all.bars.map((count, index) => ({ all: count, nothing: nothing.bars[index] as number })),
    all: all.total,
    nothing: nothing.total,
  };
}

export interface SearchTerm {
  term: string;
  times: number;
  lastAt: Date;
  /** Whether the last search had results, and whether a reader opened any. */
  found: boolean;
  opened: boolean;
}

/** "nothing" had no results the last time. "unopened" was searched more than once and never opened. */
export type TermsOf = "all" | "nothing" | "unopened";

const conditions: Record<TermsOf, string> = {
  all: "true",
  nothing: "nothing",
  unopened: "NOT nothing AND NOT opened AND times > 1",
};

/** Terms by frequency, over a span in the time zone. Several lists cost no more than one. */
export async function searchTerms<Of extends TermsOf>(
  read: Read,
  lists: readonly Of[],
  span: Span,
  timeZone: string,
  part: Part,
): Promise<Record<Of, { rows: SearchTerm[]; total: number }>> {
  return termsSince(read, lists, { since: beginnings(span, timeZone)[span.bars] as Date }, part);
}

/** The same from a moment on, until another one if there is one. */
export async function termsSince<Of extends TermsOf>(
  read: Read,
  lists: readonly Of[],
  { since, until }: { since: Date; until?: Date },
  { limit, offset }: Part,
): Promise<Record<Of, { rows: SearchTerm[]; total: number }>> {
  const within = until ? "created_at >= $1 AND created_at < $4" : "created_at >= $1";
  const order = `times DESC, "lastAt" DESC, term_folded`;
  const listOf = (list: TermsOf) =>
    `(SELECT '${list}' AS list, count(*) OVER ()::int AS total, t.* FROM terms t WHERE ${conditions[list]}
      ORDER BY ${order} LIMIT $2 OFFSET $3)`;
  const rows = await read<SearchTerm & { list: Of; total: number }>(
    `WITH terms AS MATERIALIZED (
       SELECT term_folded, count(*)::int AS times, max(created_at) AS "lastAt", bool_or(clicked) AS opened,
         coalesce(max(created_at) FILTER (WHERE results_count = 0) = max(created_at), false) AS nothing
       FROM searches WHERE ${within} GROUP BY term_folded
     ), listed AS (${lists.map(listOf).join(" UNION ALL ")})
     SELECT l.list, last.term, l.times, l."lastAt", NOT l.nothing AS found, l.opened, l.total FROM listed l CROSS JOIN LATERAL (
       SELECT s.term FROM searches s WHERE s.term_folded = l.term_folded AND ${within} ORDER BY s.created_at DESC LIMIT 1
     ) last
     ORDER BY ${order}`,
    [since, limit, offset, ...(until ? [until] : [])],
  );
  const all = lists.map((name) => [
    name,
    listed(rows.filter(({ list }) => list === name).map(({ list: _, ...row }) => row)),
  ]);
  return Object.fromEntries(all) as Record<Of, { rows: SearchTerm[]; total: number }>;
}

export interface RisenArticle {
  id: string;
  title: string;
  slug: string;
  readers: number;
}

/** By term, the articles that readers brought to the top of its results. Terms without any are left out. */
export async function risenArticles(read: Read, terms: readonly string[]): Promise<Map<string, RisenArticle[]>> {
  const forms = new Map(terms.map((term) => [term, parseQuery(term).folded]));
  const first = await firstForAll(read, [...forms.values()]);
  const opened = [...first.values()].flat().filter(({ reason }) => reason === "opened");
  if (opened.length === 0) return new Map();
  const rows = await read<{ id: string; title: string; slug: string }>(
    `SELECT a.id, l.title, a.slug FROM articles a JOIN article_live l ON l.workspace_id = a.workspace_id AND l.id = a.id
     WHERE a.id = ANY($1::uuid[])`,
    [[...new Set(opened.map(({ id }) => id))]],
  );
  const articles = new Map(rows.map((article) => [article.id, article]));
  const risen = (folded: string) =>
    (first.get(folded) ?? []).flatMap(({ id, readers }) => {
      const article = articles.get(id);
      return article && readers ? [{ ...article, readers }] : [];
    });
  return new Map(
    [...forms].flatMap(([term, folded]) => {
      const found = risen(folded);
      return found.length > 0 ? [[term, found] as const] : [];
    }),
  );
}
