type Row = readonly (string | number | Date)[];

/** What a file begins with, so that spreadsheets take it for UTF-8. */
const MARK = "\uFEFF";

/**
 * A table as a file for spreadsheets (RFC 4180). What a spreadsheet would take for a formula is kept from it by an
 * apostrophe in front: what people typed must not be computed where it is opened.
 * @param columns their names
 * @param rows in pieces, so that a long table is never in memory as a whole: the next is asked for when the one before is
 *   sent
 * @param name of the file, in ASCII, without its ending
 */
export function csvAnswer(columns: readonly string[], rows: AsyncIterable<readonly Row[]>, name: string): Response {
  const pieces = encoded(columns, rows);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "Cache-Control": "private, no-store",
    },
  });
}

async function* encoded(columns: readonly string[], rows: AsyncIterable<readonly Row[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`${MARK}${lineOf(columns)}`);
  for await (const piece of rows) yield encoder.encode(piece.map(lineOf).join(""));
}

function lineOf(row: Row): string {
  return `${row.map(fieldOf).join(",")}\r\n`;
}

function fieldOf(value: string | number | Date): string {
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return value.toISOString();
  // Some spreadsheets begin a field also after a semicolon or a tab.
  const text = (/^\s*[=+\-@]|^[\t\r]/.test(value) ? `'${value}` : value).replace(/([;\t\r\n]\s*)(?=[=+\-@])/g, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
