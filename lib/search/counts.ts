import type { Read } from "@/lib/db";

/**
 * How many published articles each query finds.
 * @param queries in tsquery syntax
 * @param hidden categories whose articles do not count
 * @param most where counting stops
 */
export async function countsOf(
  read: Read,
  queries: readonly string[],
  hidden: readonly string[],
  most: number,
): Promise<number[]> {
  if (queries.length === 0) return [];
  const rows = await read<{ found: number }>(
    "SELECT found::int FROM search_counts($1::text[]::tsquery[], $2, $3::uuid[]) ORDER BY query",
    [queries, most, hidden],
  );
  return rows.map(({ found }) => found);
}
