import type { EventEmitter } from "node:events";
import { type Client, DatabaseError } from "pg";

/**
 * Runs a file of SQL as one message, in the transaction that is open.
 *
 * @throws ScriptError when a statement fails. PostgreSQL tells the place of few errors, so the statements that were
 * done are counted.
 */
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
    throw new ScriptError(`${file}, line ${line}: ${whatHappened(error)}`, error);
  } finally {
    connection.off("commandComplete", count);
  }
}

/** Names file and line, what happened and what to do. */
export class ScriptError extends Error {
  /** Whether a table was in use for longer than the transaction would wait, so that a later try may succeed. */
  readonly tableInUse: boolean;

  constructor(message: string, cause: DatabaseError) {
    super(message, { cause });
    this.tableInUse = isInUse(cause);
  }
}

/** Waited too long for, or each of two waited for the other. */
function isInUse({ code }: DatabaseError): boolean {
  return code === "55P03" || code === "40P01";
}

function whatHappened(error: DatabaseError): string {
  const { message, detail, hint, where } = error;
  const more = [detail, hint, where].filter(Boolean).map((text) => ` ${text}`);
  const remedy = isInUse(error) ? "Stop what holds the table (pg_stat_activity shows it)" : "Mend it";
  return `${message}.${more.join("")} Nothing of this migration was kept. ${remedy} and start again.`;
}

const lineAt = (sql: string, index: number) => sql.slice(0, index).split("\n").length;

const TOKEN =
  /--.*|\/\*[\s\S]*?\*\/|E'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/giu;

/** The line on which the statement begins that follows `before` others. Good enough for a message, not for parsing. */
function lineOfStatement(sql: string, before: number): number {
  let ended = 0;
  let inside = false;
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(token)) continue;
    if (token === ";") {
      if (inside) ended++;
      inside = false;
    } else {
      if (ended === before) return lineAt(sql, index);
      inside = true;
    }
  }
  return 1;
}
