import type { EventEmitter } from "node:events";
import { type Client, DatabaseError } from "pg";

/** @throws ScriptError with the line. PostgreSQL gives the position of few errors, so finished statements are counted. */
export async function runScript(client: Client, file: string, sql: string): Promise<void> {
  const { connection } = client as unknown as { connection: EventEmitter };
  let done = 0;
  const count = () => done++;
  connection.on("commandComplete", count);
  try {
    await client.query(sql);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const line = error.position ? lineAt(sql, Number(error.position) - 1) : lineOfStatement(sql, done);
    throw new ScriptError(`${file}, line ${line}: ${describe(error)}`, error);
  } finally {
    connection.off("commandComplete", count);
  }
}

export class ScriptError extends Error {
  /** A table was in use for longer than the transaction waits, so a later try may succeed. */
  readonly tableInUse: boolean;

  constructor(message: string, cause: DatabaseError) {
    super(message, { cause });
    this.tableInUse = isInUse(cause);
  }
}

/** Lock timeout or deadlock. */
function isInUse({ code }: DatabaseError): boolean {
  return code === "55P03" || code === "40P01";
}

function describe(error: DatabaseError): string {
  const { message, detail, hint, where } = error;
  const more = [detail, hint, where].filter(Boolean).map((text) => ` ${text}`);
  const remedy = isInUse(error) ? "Stop the process that holds the table (see pg_stat_activity)" : "Fix it";
  return `${message}.${more.join("")} Nothing of this file was kept. ${remedy} and start again.`;
}

const lineAt = (sql: string, index: number) => sql.slice(0, index).split("\n").length;

const TOKEN =
  /--.*|\/\*[\s\S]*?\*\/|E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/giu;

/** The line of the statement after the first `done`. Good enough for a message, not for parsing. */
function lineOfStatement(sql: string, done: number): number {
  let ended = 0;
  let inside = false;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(token)) continue;
    if (token === ";") {
      if (inside) ended++;
      inside = false;
    } else {
      if (ended === done) return lineAt(sql, index);
      inside = true;
    }
  }
  return 1;
}
