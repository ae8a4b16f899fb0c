import type pg from "pg";
import { log } from "@/lib/log";

const LENGTH = 2_000;

/**
 * Logs every statement that takes `threshold` milliseconds or longer, without its values.
 * @param facts more fields of each line
 */
export function logSlowQueries(client: pg.PoolClient, threshold: number, facts: Record<string, string>): void {
  const run = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((...input: unknown[]) => {
    const start = performance.now();
    const answer = run(...input);
    if (answer instanceof Promise) {
      const logIfSlow = () => {
        const ms = performance.now() - start;
        if (ms >= threshold)
          log().warn({ ...facts, ms: Math.round(ms), statement: textOf(input[0]) }, "A query was slow.");
      };
      answer.then(logIfSlow, logIfSlow);
    }
    return answer;
  }) as typeof client.query;
}

function textOf(query: unknown): string {
  const text = typeof query === "string" ? query : (query as { text?: string }).text;
  return (text ?? "").replace(/\s+/g, " ").trim().slice(0, LENGTH);
}
