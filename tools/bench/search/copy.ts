import pg from "pg";

/** A value of a row: null, a value with a plain text form, or a list of texts. */
type Value = string | number | boolean | Date | null | readonly string[];

/**
 * Inserts rows by COPY, the cheapest way for the database.
 * @param rows of values in the order of the columns
 */
export async function copyInto(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const data = Buffer.from(rows.map((row) => `${row.map(textOf).join("\t")}\n`).join(""));
  await new Promise<void>((resolve, reject) => {
    const query = new pg.Query(`COPY ${table} (${columns.join(", ")}) FROM STDIN`) as pg.Query & CopyHandlers;
    query.handleCopyInResponse = (connection) => {
      connection.sendCopyFromChunk(data);
      connection.endCopyFrom();
    };
    query.callback = (error) => (error ? reject(error) : resolve());
    client.query(query);
  });
}

/** pg's types lack it. */
interface CopyHandlers {
  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void;
  callback(error: Error | null): void;
}

/** Escapes a value for COPY's text format. */
function textOf(value: Value): string {
  if (value === null) return "\\N";
  if (typeof value === "string") return escaped(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") {
    return escaped(`{${value.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`);
  }
  return String(value);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string);
}
