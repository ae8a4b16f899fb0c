import type pg from "pg";
import { log } from "@/lib/log";

/** The most of a statement that the log repeats, in characters. */
const LENGTH = 2_000;

/**
 * Tells in the log of every statement of a connection that takes `most` milliseconds or longer: its text without values,
 * and with the request and the operation it came from.
 */
export function tellSlowQueries(client: pg.PoolClient, most: number): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    const start = performance.now();
    const answer = query(...given);
    if (answer instanceof Promise) {
      const tell = () => {
        const ms = performance.now() - start;
        if (ms >= most) log().warn({ ms: Math.round(ms), statement: textOf(given[0]) }, "A query was slow.");
      };
      answer.then(tell, tell);
    }
    return answer;
  }) as typeof client.query;
}

function textOf(asked: unknown): string {
  const text = typeof asked === "string" ? asked : (asked as { text?: string }).text;
  return (text ?? "").replace(/\s+/g, " ").trim().slice(0, LENGTH);
}
