import { table } from "@/bin/kb/output";
import { withClient } from "./indexes";
import { CLIENTS, type Measured, type Times } from "./measure";
import { KINDS, type Kind } from "./queries";

/** Prints the measurements of one workspace. */
export function printWorkspace(heading: string, measured: readonly Measured[]): void {
  console.log(`\n${heading}\n`);
  table(
    ["", "matches", "p50", "p99", "n", `${CLIENTS}: p50`, "p99", "n", "failed"],
    measured.map(({ kind, matches, single, many }) => [
      kind,
      String(matches),
      ...columns(single),
      ...columns(many),
      String(single.failed + many.failed),
    ]),
  );
}

const columns = ({ median, slow, count }: Times) => [milliseconds(median), milliseconds(slow), String(count)];

/** Prints the cost of sharing a database: the medians relative to the same articles alone. */
export function printRatios(alone: readonly Measured[], others: Record<string, readonly Measured[]>): void {
  console.log("\nThe same articles among others, compared with alone in a database of their own (ratios of medians)\n");
  const ratio = (kind: Kind, measured: readonly Measured[], mode: "single" | "many") => {
    const medianIn = (list: readonly Measured[]) => list.find((one) => one.kind === kind)?.[mode].median ?? Number.NaN;
    return (medianIn(measured) / medianIn(alone)).toFixed(2);
  };
  table(
    ["", ...Object.keys(others).flatMap((label) => [label, `${CLIENTS} at a time`])],
    alone.map(({ kind }) => [
      kind,
      ...Object.values(others).flatMap((measured) => [ratio(kind, measured, "single"), ratio(kind, measured, "many")]),
    ]),
  );
}

/** Prints disk usage in megabytes: all of search, and the tables that it reads articles from. */
export async function printSizes(url: string, heading: string): Promise<void> {
  const rows = await withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; kind: string; rows: string; bytes: string }>(
      `WITH tables AS (
         SELECT coalesce(h.inhparent, t.oid) AS whole, t.oid, t.reltuples FROM pg_class t
         LEFT JOIN pg_inherits h ON h.inhrelid = t.oid WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace
       ), sizes AS (
         SELECT whole::regclass::text AS name, 'table' AS kind, sum(reltuples) AS rows, sum(pg_table_size(oid)) AS bytes
         FROM tables GROUP BY whole
         UNION ALL
         SELECT coalesce(h.inhparent, i.indexrelid)::regclass::text, 'index on ' || t.whole::regclass, sum(c.reltuples),
           sum(pg_relation_size(i.indexrelid))
         FROM tables t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class c ON c.oid = i.indexrelid
         LEFT JOIN pg_inherits h ON h.inhrelid = i.indexrelid
         WHERE starts_with(t.whole::regclass::text, 'search_') GROUP BY 1, 2
       )
       SELECT name, kind, greatest(rows, 0)::bigint::text AS rows, bytes::text FROM sizes
       WHERE starts_with(name, 'search_') OR name IN ('articles', 'article_live')
       ORDER BY kind DESC, name`,
    );
    return rows;
  });
  console.log(`\n${heading}\n`);
  table(
    ["", "", "rows or entries", "MB"],
    rows.map(({ name, kind, rows: count, bytes }) => [name, kind, count, (Number(bytes) / 1_048_576).toFixed(1)]),
  );
}

/** Prints the meaning of each kind of query. */
export function printKinds(kinds: readonly Kind[]): void {
  console.log("\nThe queries\n");
  for (const kind of kinds) console.log(`${kind.padEnd(14)} ${KINDS[kind]}`);
}

function milliseconds(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
