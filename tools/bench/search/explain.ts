import type { Client } from "pg";
import { searchArticles } from "@/lib/search/search";
import { withClient } from "./indexes";

/**
 * Shows where a search spends its time: each statement with its normal duration, and the plans of all statements,
 * including those inside functions, with their durations under EXPLAIN.
 */
export async function explainSearch(databaseUrl: string, workspaceId: string, text: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    await search(client, workspaceId, text);
    const start = performance.now();
    const statements = await search(client, workspaceId, text);
    const whole = performance.now() - start;
    const plans = await plansOf(client, () => search(client, workspaceId, text));
    const total = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    const lines = [
      ...statements.map(({ sql, milliseconds }) => `${milliseconds.toFixed(1)} ms  ${shortened(sql, 150)}`),
      `${(whole - total).toFixed(1)} ms  the transaction, and what the application does: highlights and all`,
    ];
    return [...lines, ...plans.map((plan) => `\n${plan}`)].join("\n");
  });
}

interface Statement {
  sql: string;
  milliseconds: number;
}

/** The search on its own connection, behind the same wall as readWorkspace. */
async function search(client: Client, workspaceId: string, text: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query("SELECT set_config('role', 'kb_tenant', true), set_config('app.workspace_id', $1, true)", [
    workspaceId,
  ]);
  const read = async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    const start = performance.now();
    const { rows } = await client.query<Row>(sql, [...values]);
    statements.push({ sql, milliseconds: performance.now() - start });
    return rows;
  };
  await searchArticles(read, workspaceId, text, { limit: 30, offset: 0 });
  await client.query("COMMIT");
  return statements;
}

/** The plan of each statement. For repeated statements, the slowest plan with the count and the total duration. */
async function plansOf(client: Client, work: () => Promise<unknown>): Promise<string[]> {
  const statements = new Map<string, { milliseconds: number[]; slowest: string }>();
  client.on("notice", ({ message = "" }) => {
    const [, time, statement, plan] =
      /^duration: ([\d.]+) ms {2}plan:\nQuery Text: ([^]*?)\n((?:\w[^\n]*)? \(cost=[^]*)$/.exec(message) ?? [];
    if (time === undefined || statement === undefined || plan === undefined) return;
    const text = statement.replace(/\nQuery Parameters: [^]*$/, "");
    const known = statements.get(text) ?? { milliseconds: [], slowest: "" };
    if (known.milliseconds.every((other) => other < Number(time))) known.slowest = shortened(plan, 6_000);
    known.milliseconds.push(Number(time));
    statements.set(text, known);
  });
  await client.query("LOAD 'auto_explain'");
  const settings = ["log_min_duration = 0", "log_analyze = on", "log_buffers = on", "log_nested_statements = on"];
  for (const setting of [...settings, "log_level = notice"]) await client.query(`SET auto_explain.${setting}`);
  await work();
  return [...statements]
    .map(([text, { milliseconds, slowest }]) => ({
      sum: milliseconds.reduce((left, right) => left + right),
      text: `${milliseconds.length} × ${shortened(text, 150)}\n${slowest}`,
    }))
    .filter(({ sum }) => sum >= 0.5)
    .sort((left, right) => right.sum - left.sum)
    .map(({ sum, text }) => `${sum.toFixed(1)} ms, ${text}`);
}

/** The plan as one text, without the long lists of values that some plans repeat. */
function shortened(text: string, most: number): string {
  const short = text
    .split("\n")
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)} …` : line))
    .join("\n");
  const plain = most < 1_000 ? short.replace(/\s+/g, " ").trim() : short;
  return plain.length > most ? `${plain.slice(0, most)} …` : plain;
}
